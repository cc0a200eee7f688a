"""Mutants of the rules that no test can kill, each with the reason: module, line of code, change."""

_SAME_PERSON = "all rows of the group are of one person, or of one class and value"
_DISTINCT = "the codes only have to differ where the pairs differ, and they still do"
_BEFORE_ALL = "any number below all codes marks the first row as a change"
_SURPLUS = "room for a code that does not occur"

EQUIVALENT = {
    ("rules/uniqueness.py", "class_index = release.class_of_row[rows[0]]", "constant + 1"): _SAME_PERSON,
    (
        "rules/uniqueness.py",
        'raw={"sensitive": dossier.value(sensitive[rows[0]])},',
        "constant + 1",
    ): _SAME_PERSON,
    (
        "rules/invariance.py",
        'raw={"id": dossier.person(dossier.careers.persons[career[0]])},',
        "constant + 1",
    ): _SAME_PERSON,
    (
        "rules/invariance.py",
        '"id": dossier.person(careers.persons[career[0]]),',
        "constant + 1",
    ): _SAME_PERSON,
    (
        "rules/custodian.py",
        'raw={"id": dossier.person(int(truth.persons[people[rows[0]]]))},',
        "constant + 1",
    ): _SAME_PERSON,
    ("rules/shape.py", 'raw={"id": dossier.person(persons[known[rows[0]]])},', "constant + 1"): _SAME_PERSON,
    ("careers.py", "change = np.flatnonzero(np.diff(groups, prepend=-1))", "constant + 1"): _BEFORE_ALL,
    (
        "careers.py",
        "firsts = np.flatnonzero(np.diff(pair_codes(self.persons, self.lifespans), prepend=-1))",
        "constant + 1",
    ): _BEFORE_ALL,
    (
        "rules/private.py",
        "starts = np.flatnonzero((np.diff(persons, prepend=-1) != 0) | (np.diff(signatures, prepend=-1) != 0))",
        "constant + 1",
    ): _BEFORE_ALL,
    (
        "rules/private.py",
        "return (self.person + 1) * np.int64(2**31) + self.signature",
        "constant + 1",
    ): _DISTINCT,
    (
        "rules/private.py",
        "return (self.person + 1) * np.int64(2**31) + self.signature",
        "Add -> Sub",
    ): _DISTINCT,
    ("signatures.py", "numbers[longer] = extended + numbers.max(initial=-1) + 1", "constant + 1"): _DISTINCT,
    (
        "signatures.py",
        "self._sizes = np.bincount(self._owners, minlength=offsets[-1]).astype(np.int64)",
        "constant + 1",
    ): "every class has a row, so the length is that of the classes without being asked for",
    (
        "signatures.py",
        "for position in range(int(self._sizes.max(initial=0))):",
        "constant + 1",
    ): "a round in which no set has a value left changes nothing",
    ("signatures.py", "width = int(values.max(initial=0)) + 1", "constant + 1"): _SURPLUS,
    ("rules/tightness.py", "width = len(values.texts) + 1", "constant + 1"): _SURPLUS,
    (
        "rules/tightness.py",
        "[len(cell.values) if isinstance(cell, ValueSet) else 0 for cell in cells.cells], dtype=np.int64",
        "constant + 1",
    ): "0 or 1, it is never more than the different values of a class",
    (
        "rules/counterfeits.py",
        "release.class_of_row[release.counterfeit] if release.counterfeit is not None else np.zeros(0, int)",
        "constant + 1",
    ): "only asked where marks are there",
    (
        "rules/custodian.py",
        "if original is not None and release.truth is not None:",
        "and <-> or",
    ): "an original is compared exactly where the truth is there",
    (
        "rules/diversity.py",
        "commonest = order[np.flatnonzero(np.diff(owners[order], append=-1))]",
        "constant + 1",
    ): "any number but the last class marks the last row as a change",
    (
        "rules/diversity.py",
        "for class_index in np.flatnonzero(effective < least * (1 - _ROUNDING)):",
        "Lt -> LtE",
    ): "differs where two floats are equal at the end of the rounding allowed",
    (
        "rules/invariance.py",
        "row = release.file_rows(dossier.careers.rows[place : place + 1])[0]",
        "constant + 1",
    ): "of the slice only the first is used",
    (
        "rules/loss.py",
        '("IL", claims.il[index : index + 1], recomputed_loss(dossier, release).il),',
        "constant + 1",
    ): "of the slice only the first is used",
    (
        "rules/loss.py",
        '("NCP", claims.ncp[index : index + 1], normalised_certainty_penalty(release, truth, columns)),',
        "constant + 1",
    ): "of the slice only the first is used",
    (
        "rules/order.py",
        "verdict[place] = -1 if this > following else 1",
        "constant + 1",
    ): "only the sign is used",
    ("rules/order.py", "return order[:-1][verdict < 0]", "constant + 1"): "no verdict is 0 any more",
    ("rules/order.py", "return order[:-1][verdict < 0]", "Lt -> LtE"): "no verdict is 0 any more",
    (
        "rules/order.py",
        'raise NotCheckable("the sensitive cells are not there as published text")',
        "raise dropped",
    ): "asked of series folders alone, which have them",
    ("rules/registry.py", "advisory: bool = False", "constant flipped"): "every rule says it",
    (
        "rules/whitelist.py",
        'if chunk.has_dictionary_page or "DICTIONARY" in "".join(chunk.encodings):',
        "and <-> or",
    ): "pyarrow writes both or neither; the rule does not rely on it",
}
