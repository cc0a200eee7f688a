"""The import rules: all of them are configured, cover every module, and catch a planted violation."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

LAYERS = [
    {"cli"},
    {"publish", "reproduce"},
    {"series", "report"},
    {"colgen", "heuristics", "localsearch", "kanonymity"},
    {"pricing", "solvers"},
    {"instance", "loss", "encoding", "generalize"},
    {"errors"},
]
SOLVERS = {"highspy", "docplex", "cplex"}
PACKAGES = ("minv", "verifiers/minv_verifiers", "datasets/minv_datasets")


@pytest.fixture(scope="module")
def contracts(root: Path) -> list[dict[str, Any]]:
    """The import contracts of pyproject.toml."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return found


def of_type(contracts: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """The contracts of one type."""
    return [contract for contract in contracts if contract["type"] == kind]


def layers_of(contracts: list[dict[str, Any]]) -> list[set[str]]:
    """The layers of minv, top to bottom, each as the names of its modules."""
    (contract,) = of_type(contracts, "layers")
    return [{name.strip().removeprefix("minv.") for name in layer.split("|")} for layer in contract["layers"]]


def modules_of_minv(root: Path) -> set[str]:
    """Names of the top-level modules and packages of minv."""
    children = [path for path in (root / "minv").iterdir() if not path.name.startswith("__")]
    packages = {path.name for path in children if (path / "__init__.py").is_file()}
    return packages | {path.stem for path in children if path.suffix == ".py"}


def test_layers_stand_in_the_order_of_the_design(contracts: list[dict[str, Any]]) -> None:
    """The modules of one layer of the design share a layer, below those above; helpers may lie between."""
    layers = layers_of(contracts)
    positions = [{number for number, layer in enumerate(layers) if layer & wanted} for wanted in LAYERS]
    assert all(len(position) == 1 for position in positions)
    assert set().union(*LAYERS) <= set().union(*layers)
    assert positions == sorted(positions, key=min)
    assert len({min(position) for position in positions}) == len(LAYERS)


def test_every_module_of_minv_has_a_layer(root: Path, contracts: list[dict[str, Any]]) -> None:
    """A module that no layer names would be free to import anything."""
    assert modules_of_minv(root) == set().union(*layers_of(contracts))


def test_the_three_distributions_are_independent(contracts: list[dict[str, Any]]) -> None:
    """None of minv, minv_verifiers and minv_datasets imports another."""
    (contract,) = of_type(contracts, "independence")
    assert set(contract["modules"]) == {"minv", "minv_verifiers", "minv_datasets"}


def test_only_the_solvers_package_may_import_a_solver(root: Path, contracts: list[dict[str, Any]]) -> None:
    """The contract forbids the solvers to every other module, new ones included."""
    contract = next(c for c in of_type(contracts, "forbidden") if c["source_modules"][0] != "minv_verifiers")
    assert set(contract["forbidden_modules"]) == SOLVERS
    expected = {f"minv.{name}" for name in modules_of_minv(root) - {"solvers"}}
    assert set(contract["source_modules"]) >= expected | {"minv_verifiers", "minv_datasets"}


def test_the_judge_may_import_neither_solver_nor_scipy(contracts: list[dict[str, Any]]) -> None:
    """An auditor installs the judge without them."""
    contract = next(c for c in of_type(contracts, "forbidden") if c["source_modules"] == ["minv_verifiers"])
    assert set(contract["forbidden_modules"]) == SOLVERS | {"scipy"}


VIOLATIONS = {
    "the judge imports the publisher": ("minv_verifiers", "planted.py", "import minv.loss"),
    "the data import the judge": ("minv_datasets", "planted.py", "import minv_verifiers"),
    "a lower layer imports a higher one": ("minv", "pricing/planted.py", "import minv.colgen"),
    "siblings import each other": ("minv", "heuristics/planted.py", "import minv.localsearch"),
    "a pricer imports a solver": ("minv", "pricing/planted.py", "import highspy"),
    "the judge imports scipy": ("minv_verifiers", "planted.py", "import scipy.optimize"),
}


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the packages in `folder`, with the configuration that lies there."""
    return subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy_of_packages(root: Path, tmp_path: Path) -> Path:
    """A folder with the sources of the three packages side by side, and the contracts."""
    shutil.copy(root / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        target = tmp_path / Path(package).name
        shutil.copytree(root / package, target, ignore=shutil.ignore_patterns("__pycache__", "*.gz"))
    return tmp_path


def test_an_unchanged_copy_passes(copy_of_packages: Path) -> None:
    """The planted violations below are what makes the check fail."""
    outcome = lint(copy_of_packages)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


@pytest.mark.parametrize("name", VIOLATIONS)
def test_a_planted_violation_is_caught(copy_of_packages: Path, name: str) -> None:
    """Each rule, broken once, makes the check fail."""
    package, module, statement = VIOLATIONS[name]
    (copy_of_packages / package / module).write_text(f'"""Planted."""\n\n{statement}\n', encoding="utf-8")
    outcome = lint(copy_of_packages)
    assert outcome.returncode == 1, outcome.stdout + outcome.stderr
    assert "BROKEN" in outcome.stdout
