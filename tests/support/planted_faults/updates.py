"""Updates out of the signature: suppression, its end, and what an absence tells."""

from planted_faults.planting import DOMAIN, edit_manifest, fault, good


@fault("suppressed-justified", release=2)
def someone_is_suppressed_though_the_value_fits(b, root):
    plans = b.good_plans()
    plans[1].rows[5].sensitive = "gout"
    b.build(root, plans, domain=DOMAIN)


@fault("suppressed-justified", release=2)
def a_newcomer_is_suppressed(b, root):
    plans = b.good_plans()
    plans[1].rows.append(b.Row("10", ("30", "f"), "mumps", None, "suppressed"))
    b.build(root, plans, domain=DOMAIN)


@fault("suppressed-justified", release=3)
def someone_stays_suppressed_though_the_value_is_back(b, root):
    plans = b.good_plans()
    row = next(row for row in plans[2].rows if row.person == "7")
    row.group, row.status = None, "suppressed"
    plans[2].counterfeits.append(("c", "ache"))
    b.build(root, plans, domain=DOMAIN)


@fault("suppressed-resume", "m-invariance", "tau-safety", release=3)
def someone_resumes_under_another_signature(b, root):
    plans = b.good_plans()
    row = next(row for row in plans[2].rows if row.person == "7")
    row.group = "d"
    row.sensitive = "ache"
    plans[2].counterfeits.append(("c", "ache"))
    for person in ("8", "9"):
        plans[1].rows = [row for row in plans[1].rows if row.person != person]
    b.build(root, plans, domain=[*DOMAIN, "x"])


@fault("suppressed-resume", "m-invariance", "tau-safety", release=3)
def someone_resumes_with_the_new_value(b, root):
    plans = b.good_plans()
    row = next(row for row in plans[2].rows if row.person == "7")
    row.group, row.sensitive = "a", "flu"
    plans[2].rows = [row for row in plans[2].rows if row.person != "1"]
    plans[2].counterfeits.append(("c", "ache"))
    b.build(root, plans, domain=DOMAIN)


@fault("suppressed-resume", "m-invariance", "tau-safety", release=4)
def someone_resumes_wrongly_after_two_suppressions(b, root):
    plans = [*b.good_plans(), b.good_plans()[2]]
    row = next(row for row in plans[2].rows if row.person == "7")
    row.group, row.sensitive, row.status = None, "mumps", "suppressed"
    plans[2].counterfeits.append(("c", "ache"))
    late = next(row for row in plans[3].rows if row.person == "7")
    late.group = "e"
    plans[3].rows.append(b.Row("10", ("50", "f"), "mumps", "e"))
    plans[3].counterfeits.append(("c", "ache"))
    b.build(root, plans, domain=DOMAIN)


@fault("absence-uninformative", release=2, size=1)
def an_absence_leaves_one_value(b, root):
    plans = b.good_plans()
    for plan in plans[1:]:
        next(row for row in plan.rows if row.person == "8").sensitive = "ache"
    b.build(root, plans, domain=["ache", "cold", "flu", "gout"])


@fault("absence-uninformative", "m-unique", "counts-recorded", release=2, size=1)
def an_absence_leaves_fewer_than_a_larger_m(b, root):
    good(b, root, domain=["ache", "cold", "flu", "gout", "rash"])
    edit_manifest(b, root, lambda manifest: manifest["minv"].update(m=3))


@fault("absence-uninformative", release=3, size=1)
def a_second_absence_after_a_wider_signature_leaves_too_little(b, root):
    plans = b.good_plans()
    row = next(row for row in plans[2].rows if row.person == "9")
    row.group, row.sensitive, row.status = None, "mumps", "suppressed"
    plans[2].counterfeits.append(("d", "flu"))
    for plan in plans[1:]:
        plan.counterfeits += [("d", "cold"), ("d", "gout"), ("d", "ache")]
    b.build(root, plans, domain=["ache", "cold", "flu", "gout", "mumps", "rash"])
