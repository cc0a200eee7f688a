"""The shape of a release: ids, equal quasi-identifiers, numbers of counterfeits, real tuples."""

from planted_faults.planting import (
    DOMAIN,
    edit_manifest,
    edit_private,
    edit_public,
    fault,
    good,
    set_cell,
    twin,
)


@fault("ids-unique", release=1, rows=(1, 3))
def one_id_in_two_classes(b, root):
    plan = twin(b)
    plan.rows[2].person = "1"
    b.build(root, [plan], domain=DOMAIN)


@fault("ids-unique", release=1, rows=(1, 2))
def one_id_twice_in_a_class(b, root):
    plan = twin(b)
    plan.rows[1].person = "1"
    b.build(root, [plan], domain=DOMAIN)


@fault("ids-unique", release=2, size=2)
def one_id_three_times_in_a_later_release(b, root):
    plans = [twin(b), twin(b)]
    plans[1].rows[2].person = plans[1].rows[4].person = "1"
    b.build(root, plans, domain=DOMAIN)


@fault("quasi-identifiers-equal", release=1, column="age", size=1)
def one_row_of_a_class_has_a_wider_interval(b, root):
    good(b, root)
    edit_public(b, root, 1, set_cell("age", "[20, 24]", "[20, 25]", whole_class=False))


@fault("quasi-identifiers-equal", release=1, column="sex", size=1)
def one_row_of_a_class_has_a_wider_set(b, root):
    good(b, root)
    edit_public(b, root, 1, set_cell("sex", "{f,m}", "{f,m,x}", whole_class=False))


@fault("quasi-identifiers-equal", release=2, column="age", size=1)
def one_row_of_a_later_class_admits_missing_values(b, root):
    good(b, root)
    edit_public(b, root, 2, set_cell("age", "[31, 32]", "[31, 32] or \\N", whole_class=False))


@fault("counterfeit-counts", release=1, class_id="99")
def counterfeits_of_an_unknown_class(b, root):
    good(b, root)
    edit_manifest(
        b, root, lambda manifest: manifest["resources"][0]["minv"]["counterfeits"].update({"99": 1})
    )


@fault("counterfeit-counts", "manifest-schema", release=1, class_id="1")
def a_count_of_zero(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][0]["minv"]["counterfeits"].update({"1": 0}))


@fault("counterfeit-counts", "manifest-schema", "counterfeit-flags", release=1, class_id="1")
def a_negative_count(b, root):
    good(b, root)
    edit_manifest(
        b, root, lambda manifest: manifest["resources"][0]["minv"]["counterfeits"].update({"1": -1})
    )


@fault("real-tuple", release=1, class_id="1", public_only=True)
def as_many_counterfeits_as_tuples(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][0]["minv"]["counterfeits"].update({"1": 2}))


@fault("real-tuple", release=2, class_id="2", public_only=True)
def more_counterfeits_than_tuples(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][1]["minv"]["counterfeits"].update({"2": 9}))


@fault("real-tuple", "counterfeit-flags", "history-recorded", "loss-recomputed", "counts-recorded", release=1)
def a_class_of_counterfeits_alone(b, root):
    good(b, root, releases=1)

    def change(rows):
        for row in rows:
            if row["class"] == 1:
                row.update(id=None, counterfeit=True, age=None, sex=None)

    edit_private(b, root, 1, change)


@fault("counterfeit-flags", release=2, size=1)
def a_counterfeit_is_not_declared(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][1]["minv"].update(counterfeits={"2": 1}))


@fault("counterfeit-flags", release=3, size=1)
def a_counterfeit_is_declared_that_is_none(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][2]["minv"].update(counterfeits={"2": 1}))


@fault("counterfeit-flags", release=2, size=1)
def one_counterfeit_too_many_is_declared(b, root):
    good(b, root)

    def change(manifest):
        declared = manifest["resources"][1]["minv"]["counterfeits"]
        largest = max(declared)
        declared[largest] = 2

    edit_manifest(b, root, change)


@fault("counterfeit-flags", release=2, size=1)
def a_counterfeit_is_declared_for_another_class(b, root):
    good(b, root)

    def change(manifest):
        declared = manifest["resources"][1]["minv"]["counterfeits"]
        free = next(number for number in "1234" if number not in declared)
        declared[free] = declared.pop(min(declared))

    edit_manifest(b, root, change)
