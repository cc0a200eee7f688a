"""Ids that may hide that two rows are one person's."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from minv_verifiers.arrays import BoolArray, IntArray
from minv_verifiers.errors import InputError
from minv_verifiers.spelling import plain_spelling
from minv_verifiers.vocabulary import Vocabulary
from minv_verifiers.wording import counted, form


def refuse_respelled(people: Vocabulary, name: str) -> None:
    """Refuse ids that are one id spelled in two ways: the same person would pass for two.

    Raises
    ------
    InputError
        There are such ids.
    """
    spellings = Counter(plain_spelling(text) for text in people.all if text is not None)
    clashes = sum(spellings.values()) - len(spellings)
    if clashes:
        raise InputError(
            f"column {name}: {counted(clashes, 'id is', 'ids are')} the same as another id in a different spelling"
            " (leading zeros, decimal points, blanks, Unicode form); spell ids alike in all files"
        )


def doubts_about_ids(
    people: Vocabulary, codes: Sequence[IntArray], made_up: Sequence[BoolArray | None], name: str
) -> Iterator[str]:
    """Say what makes the comparison of persons weaker than it looks.

    Parameters
    ----------
    people
        All ids.
    codes
        One array a release: the id of each row, -1 for none.
    made_up
        One array a release: whether the row is marked as a counterfeit; None where nothing is.
    name
        The column of ids.
    """
    texts = [text for text in people.all if text is not None]
    alike = len(texts) - len({text.casefold() for text in texts})
    if alike:
        yield (
            f"column {name}: {counted(alike, 'id differs', 'ids differ')} from another only in case; "
            "such ids are taken for other people"
        )
    marked = sum(
        int((own[flags] >= 0).sum()) for own, flags in zip(codes, made_up, strict=True) if flags is not None
    )
    if marked:
        yield (
            f"column {name}: {counted(marked, 'row')} marked as "
            f"{form(marked, 'a counterfeit has', 'counterfeits have')} an id; it is not followed"
        )
    real = [
        np.unique(own[own >= 0] if flags is None else own[(own >= 0) & ~flags])
        for own, flags in zip(codes, made_up, strict=True)
    ]
    together = np.concatenate(real)
    if len(real) > 1 and len(np.unique(together)) == len(together):
        yield f"column {name}: no id occurs in two releases, so no signature was compared with another"
