"""Requirements under which local search never takes the last old point out of a class."""

import numpy as np

from minv.compiled import IntArray
from minv.instance import FREE, Instance
from minv.localsearch import Requirements, allowed_colours


def anchored_requirements(instance: Instance, labels: IntArray) -> Requirements:
    """Return who must be where, as the classes are.

    A bucket with as few classes as it can have needs no care: its most frequent colour has a point in every
    class, whatever moves. Of a bucket with more, each class without such a point gets a signature of its
    own with the same colours, which one of its old points requires: so this one stays.

    Parameters
    ----------
    instance
        With required signatures.
    labels
        (n,) a feasible partition.
    """
    required = instance.required
    assert required is not None
    kinds = np.full(int(labels.max(initial=-1)) + 1, FREE, np.int64)
    old = np.flatnonzero(required != FREE)
    kinds[labels[old]] = required[old]
    wanted, signatures = required.copy(), list(instance.signatures)
    of_kind = old[np.argsort(required[old], kind="stable")]
    borders = np.searchsorted(required[of_kind], np.arange(1, len(signatures)))
    for signature, own in zip(instance.signatures, np.split(of_kind, borders), strict=bool(signatures)):
        counts = np.bincount(instance.colours[own], minlength=instance.colour_count)[list(signature)]
        fullest = signature[int(counts.argmax())]
        secure = set(labels[own[instance.colours[own] == fullest]].tolist())
        for label in sorted(set(labels[own].tolist()) - secure):
            kinds[label] = len(signatures)
            wanted[own[labels[own] == label]] = len(signatures)
            signatures.append(signature)
    return Requirements(wanted, kinds, allowed_colours(tuple(signatures), instance.colour_count))
