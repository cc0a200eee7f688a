"""The proof of a release's bound as a file (docs/certificate.md)."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from minv.errors import DataError, LimitError
from minv.publish.certificate import document
from minv.publish.release import ReleasePlan
from minv.publish.result import Partition
from minv.series.durable import PRIVATE_FILE, draft_file, sync_folder


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


def check_certificate_place(path: Path | None) -> None:
    """Refuse a place where no certificate can be written, before there is one; None is fine.

    Raises
    ------
    DataError
        Naming the file.
    """
    if path is not None:
        _draft(path, "").unlink()


@contextmanager
def certified(path: Path | None, plan: ReleasePlan, found: Partition) -> Iterator[None]:
    """Write a release's certificate beside its place, and put it there once the release is published within.

    Raises
    ------
    LimitError
        There is no proof; nothing was published.
    DataError
        It cannot be written; the text tells whether the release is published.
    """
    if path is None:
        yield
        return
    text = release_document(plan, found)
    if text is None:
        raise LimitError(
            "no bound was proved, so there is nothing to certify; nothing was published: allow more time"
        )
    draft = _draft(path, text)
    try:
        yield
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    try:
        draft.replace(path)
    except OSError as error:
        raise DataError(
            f"the release is published, but its certificate could not be written to {path} ({error.strerror}); "
            f"it is in {draft}: move it from there"
        ) from None
    with suppress(OSError):  # it is in its place
        sync_folder(path.parent)


def _draft(path: Path, text: str) -> Path:
    try:
        return draft_file(path, text.encode(), PRIVATE_FILE)
    except OSError as error:
        raise DataError(
            f"{path}: the certificate cannot be written ({error.strerror}); nothing was published: name another file"
        ) from None
