"""The proof of a release's bound as a file (docs/certificate.md)."""

import numpy as np

from minv.publish.certificate import document
from minv.publish.release import ReleasePlan
from minv.publish.result import Partition


def release_document(plan: ReleasePlan, found: Partition) -> str | None:
    """Return the text of a release's certificate, its rows in the order of the table; None without a proof."""
    if found.certificate is None:
        return None
    places = plan.order[plan.rows]
    sequence = np.argsort(places)
    order = np.empty_like(sequence)
    order[sequence] = np.arange(len(sequence))
    return document(
        found.certificate.reordered(order),
        plan.microdata.take(plan.rows[sequence]),
        found.sst,
        values=plan.colours,
        left_out=np.sort(plan.order[plan.suppressed]),
    )
