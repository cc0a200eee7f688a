"""The privacy models: m-uniqueness, invariance, tau-safety, returns, disjoint signatures."""

from planted_faults.planting import DOMAIN, edit_manifest, fault, good

# m-unique -----------------------------------------------------------------------------------------------------


@fault("m-unique", release=1, size=1)
def a_class_of_one(b, root):
    plan = b.good_plans()[0]
    plan.rows = plan.rows[1:]
    b.build(root, [plan], domain=DOMAIN)


@fault("m-unique", release=1, size=1, rows=(1, 2))
def two_tuples_of_one_class_share_a_value(b, root):
    plan = b.good_plans()[0]
    plan.rows[3].sensitive = "flu"
    b.build(root, [plan], domain=DOMAIN)


@fault("m-unique", "counts-recorded", release=1)
def the_manifest_claims_a_larger_m(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["minv"].update(m=3))


@fault("m-unique", release=1)
def a_counterfeit_repeats_a_value_of_its_class(b, root):
    plan = b.good_plans()[0]
    plan.counterfeits = [("a", "flu")]
    b.build(root, [plan], domain=DOMAIN)


# m-invariance, tau-safety, no-return -----------------------------------------------------------------------------


@fault("m-invariance", "tau-safety", release=None)
def two_people_change_classes(b, root):
    plans = b.good_plans()
    rows = {row.person: row for row in plans[1].rows}
    rows["1"].group, rows["3"].group = "b", "a"
    b.build(root, plans, domain=DOMAIN)


@fault("m-invariance", "tau-safety")
def a_counterfeit_is_forgotten(b, root):
    plans = b.good_plans()
    plans[1].counterfeits.remove(("c", "ache"))
    b.build(root, plans, domain=DOMAIN)


@fault("m-invariance", "tau-safety")
def a_needless_counterfeit_widens_a_class(b, root):
    plans = b.good_plans()
    plans[2].counterfeits.append(("b", "rash"))
    b.build(root, plans, domain=DOMAIN)


@fault("tau-safety", size=1)
def a_person_returns_under_another_signature(b, root):
    plans = b.good_plans()
    rows = {row.person: row for row in plans[2].rows}
    rows["2"].group = "e"
    plans[2].rows.append(b.Row("10", ("26", "f"), "rash", "e"))
    plans[2].counterfeits.append(("a", "gout"))
    b.build(root, plans, domain=DOMAIN)


@fault("tau-safety", size=1)
def a_person_returns_to_a_larger_class(b, root):
    plans = b.good_plans()
    plans[2].rows = [row for row in plans[2].rows if row.person != "1"]
    plans[2].counterfeits += [("a", "flu"), ("a", "rash")]
    b.build(root, plans, domain=DOMAIN)


@fault("tau-safety")
def a_person_returns_to_a_smaller_class(b, root):
    plans = b.good_plans()
    plans[0].counterfeits = [("d", "cold")]
    plans[0].rows += [b.Row("11", ("70", "m"), "flu", "d"), b.Row("12", ("71", "m"), "gout", "d")]
    plans[2].rows += [b.Row("11", ("70", "m"), "flu", "e"), b.Row("12", ("71", "m"), "gout", "e")]
    b.build(root, plans, domain=DOMAIN)


@fault("no-return", size=1)
def a_person_returns_in_an_m_invariant_series(b, root):
    good(b, root, model="m-invariant")


@fault("no-return")
def two_people_return_in_an_m_invariant_series(b, root):
    plans = b.good_plans()
    plans[0].rows += [b.Row("11", ("70", "m"), "flu", "e"), b.Row("12", ("71", "m"), "gout", "e")]
    plans[2].rows += [b.Row("11", ("70", "m"), "flu", "e"), b.Row("12", ("71", "m"), "gout", "e")]
    plans[2].rows = [row for row in plans[2].rows if row.person != "2"]
    plans[2].counterfeits.append(("a", "gout"))
    b.build(root, plans, domain=DOMAIN, model="m-invariant")


@fault("no-return", size=1)
def a_person_returns_twice_in_an_m_invariant_series(b, root):
    plans = [b.good_plans()[0] for _ in range(5)]
    for plan in (plans[1], plans[3], plans[4]):
        plan.rows = plan.rows[2:]
    b.build(root, plans, domain=DOMAIN, model="m-invariant")


# disjoint signatures -----------------------------------------------------------------------------------------------


def disjoint_plans(b, third="x"):
    """Person 1 has an update out of {flu, gout}: a new signature without these."""
    first = b.Plan([b.Row("1", ("20", "m"), "flu", "a"), b.Row("2", ("24", "f"), "gout", "a")])
    second = b.Plan(
        [
            b.Row("1", ("20", "m"), "cold", "b"),
            b.Row("3", ("21", "m"), "ache", "b"),
            b.Row("2", ("24", "f"), "gout", "a"),
        ],
        [("a", "flu")],
    )
    last = b.Plan(
        [
            b.Row("1", ("20", "m"), "flu", "a"),
            b.Row("2", ("24", "f"), "gout", "a"),
            b.Row("3", ("21", "m"), "ache", "b"),
        ],
        [("b", "cold")],
    )
    return [first, second, last]


@fault("equal-or-disjoint", size=1)
def a_new_signature_overlaps_the_old_one(b, root):
    plans = disjoint_plans(b)
    plans[1].counterfeits.append(("b", "gout"))
    plans[2].counterfeits.append(("b", "gout"))
    plans[2].rows = [row for row in plans[2].rows if row.person != "1"]
    plans[2].counterfeits.append(("a", "flu"))
    b.build(root, plans, domain=DOMAIN, on_update="disjoint")


@fault("equal-or-disjoint")
def a_value_returns_to_a_part_of_its_signature(b, root):
    plans = disjoint_plans(b)
    plans[2].rows[0].group = "c"
    plans[2].rows.append(b.Row("4", ("22", "m"), "rash", "c"))
    plans[2].counterfeits.append(("a", "flu"))
    b.build(root, plans, domain=DOMAIN, on_update="disjoint")


@fault("equal-or-disjoint")
def a_third_signature_overlaps_the_second(b, root):
    plans = disjoint_plans(b)
    plans[2].rows[0].sensitive, plans[2].rows[0].group = "mumps", "c"
    plans[2].counterfeits += [("a", "flu"), ("c", "cold")]
    b.build(root, plans, domain=DOMAIN, on_update="disjoint")
