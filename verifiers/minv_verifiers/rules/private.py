"""Rules on the custodian's files themselves."""

import json
import stat
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from minv_verifiers.arrays import IntArray, distinct_sorted, match
from minv_verifiers.dossier import Dossier
from minv_verifiers.outcome import NotCheckable, Witness
from minv_verifiers.reading.coding import unescaped
from minv_verifiers.rules.registry import Group, rule
from minv_verifiers.text import Texts, distinct, listed, positions, texts_of
from minv_verifiers.vocabulary import name_of


@rule("private-readable", Group.PRIVATE, source="docs/format.md, section 3")
def private_readable(dossier: Dossier) -> Iterator[Witness]:
    """Every private file exists and follows its format."""
    for name, problem in dossier.folder.custodian().problems.items():
        yield Witness(message=problem, file=name)


@rule("private-permissions", Group.PRIVATE, source="docs/format.md: the private part")
def private_permissions(dossier: Dossier) -> Iterator[Witness]:
    """Only the owner can look into the private part: folders 0700, files 0600."""
    root = dossier.folder.custodian().root
    for path in [root, *sorted(root.rglob("*"))]:
        mode = stat.S_IMODE(path.lstat().st_mode)
        if not path.is_symlink() and mode & ~(0o700 if path.is_dir() else 0o600):
            yield Witness(message=f"the mode is {mode:04o}", file=str(path.relative_to(dossier.folder.root)))


@rule("history-recorded", Group.PRIVATE, source="docs/format.md, section 3")
def history_recorded(dossier: Dossier) -> Iterator[Witness]:
    """Everybody ever published is in the history, with each signature and its first and last release."""
    recorded = dossier.folder.custodian().history
    if recorded is None:
        raise NotCheckable("the history cannot be read")
    careers = dossier.careers
    found = _spans(careers.persons, careers.signatures, careers.releases)
    stated = _stated(dossier, recorded)
    partner = match(found.key, stated.key)
    same = partner >= 0
    same[same] = (found.first[same] == stated.first[partner[same]]) & (
        found.last[same] == stated.last[partner[same]]
    )
    for place in np.flatnonzero(~same):
        yield Witness(
            message="one person's history is missing or has other releases than the files",
            raw={
                "id": dossier.person(found.person[place]),
                "signature": dossier.signature(found.signature[place]),
                "releases": (int(found.first[place]), int(found.last[place])),
            },
        )
    unknown = np.flatnonzero(match(stated.key, found.key) < 0)
    for place in unknown:
        yield Witness(
            message="the history holds a person and signature that the files do not have",
            raw={"row": int(place) + 1, "id": recorded["id"][int(place)].as_py()},
        )


class _Spans(NamedTuple):
    """For each person and signature the first and last release."""

    person: IntArray
    signature: IntArray
    first: IntArray
    last: IntArray

    @property
    def key(self) -> IntArray:
        """One integer for each pair of person and signature."""
        return (self.person + 1) * np.int64(2**31) + self.signature


def _spans(persons: IntArray, signatures: IntArray, releases: IntArray) -> _Spans:
    order = np.lexsort([releases, signatures, persons])
    persons, signatures, numbers = persons[order], signatures[order], releases[order] + 1
    starts = np.flatnonzero((np.diff(persons, prepend=-1) != 0) | (np.diff(signatures, prepend=-1) != 0))
    ends = np.append(starts[1:], len(order)) - 1
    return _Spans(persons[starts], signatures[starts], numbers[starts], numbers[ends])


def _stated(dossier: Dossier, recorded: Mapping[str, Texts]) -> _Spans:
    """Return the recorded history in the codes of the releases; what they do not know gets codes of its own."""
    vocabulary = dossier.evidence.persons
    known = texts_of([]) if vocabulary is None else vocabulary.array
    persons = positions(unescaped(recorded["id"]), known)
    names = {dossier.signature(code): code for code in distinct_sorted(dossier.careers.signatures)}
    spelled, texts = distinct(recorded["signature"])
    numbers = [names.get(_signature(text), dossier.signatures.count) for text in listed(texts)]
    codes = np.array(numbers, dtype=np.int64)[spelled]
    first, last = (np.array(recorded[name].to_pylist(), dtype=np.int64) for name in ("first", "last"))
    return _Spans(persons, codes, first, last)


def _signature(text: str) -> tuple[str, ...]:
    """Return the values of a recorded signature, as `Dossier.signature` names them."""
    return tuple(map(name_of, json.loads(text)))
