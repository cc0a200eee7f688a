"""What is a warning only."""

from planted_faults.planting import DOMAIN, fault, twin


@fault(warnings=("near-synonyms",))
def two_spellings_of_a_value(b, root):
    plan = twin(b)
    plan.rows[0].sensitive = "Flu "
    b.build(root, [plan], domain=DOMAIN)


@fault(warnings=("near-synonyms",))
def two_unicode_forms_of_a_value(b, root):
    plan = twin(b)
    plan.rows[0].sensitive, plan.rows[2].sensitive = "caf\u00e9", "cafe\u0301"
    b.build(root, [plan], domain=DOMAIN)


@fault(warnings=("near-synonyms",))
def two_cases_of_a_value(b, root):
    plan = twin(b)
    plan.rows[0].sensitive = "FLU"
    b.build(root, [plan], domain=DOMAIN)


@fault(warnings=("class-cells-distinct",))
def two_classes_with_equal_cells(b, root):
    plan = twin(b)
    plan.rows[2].values, plan.rows[3].values = ("20", "m"), ("24", "f")
    b.build(root, [plan], domain=DOMAIN)


@fault(warnings=("class-cells-distinct",))
def all_cells_are_equal(b, root):
    plan = twin(b)
    for row in plan.rows:
        row.values = ("20", "m")
    b.build(root, [plan], domain=DOMAIN)
