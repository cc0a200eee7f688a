"""How many mutants of the rules do the tests kill? `python tests/unit/verifiers/mutation.py --share 0.2`.

Each mutant changes one operator, constant or statement of a module that the rules consist of. A child process
runs the planted faults with it, then the other tests of the rules up to the first failure; a wrong answer or an
exception kills it. Those that no test can kill stand in `equivalent_mutants.py` with the reason; they are run all the
same, and one that is killed counts as killed. Modules may be named, so that a run can be cut into parts.
"""

import argparse
import ast
import contextlib
import importlib.abc
import importlib.util
import io
import json
import os
import random
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema  # noqa: F401 - loaded once here, not in every child
import numpy as np  # noqa: F401
import pandas as pd  # noqa: F401
import pyarrow.compute
import pyarrow.csv
import pyarrow.parquet  # noqa: F401
import pytest
import rich.console  # noqa: F401
from equivalent_mutants import EQUIVALENT

HERE = Path(__file__).parent
PACKAGE = HERE.parents[2] / "verifiers" / "minv_verifiers"
TESTS = [
    HERE / "test_witnesses.py",
    HERE / "test_overstatements.py",
    HERE / "test_original_tables.py",
    HERE / "test_third_party.py",
    HERE / "test_third_party_truth.py",
    HERE / "test_third_party_files.py",
    HERE / "test_number_trees.py",
    HERE / "test_missing_sign.py",
    HERE / "test_missing_sensitive.py",
    HERE / "test_reports.py",
    HERE.parents[1] / "agreement" / "test_verify_oracle.py",
]
SECONDS = 120  # of one mutant; an endless loop counts as killed
UNCHANGED = -1  # the number of no mutation

_COMPARISONS: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
}


class Mutator(ast.NodeTransformer):
    """Applies the mutation with one number, counting them all on the way."""

    def __init__(self, wanted: int) -> None:
        self.wanted, self.seen, self.line, self.what = wanted, 0, 0, ""

    def _take(self, node: ast.AST, what: str) -> bool:
        self.seen += 1
        if self.seen - 1 != self.wanted:
            return False
        self.line, self.what = getattr(node, "lineno", 0), what
        return True

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Leave messages alone."""
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Replace a comparison."""
        self.generic_visit(node)
        for other in _COMPARISONS.get(type(node.ops[0]), []):
            if self._take(node, f"{type(node.ops[0]).__name__} -> {other.__name__}"):
                node.ops = [other(), *node.ops[1:]]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Exchange and with or."""
        self.generic_visit(node)
        if self._take(node, "and <-> or"):
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Exchange an operator."""
        self.generic_visit(node)
        text = any(
            isinstance(side, (ast.JoinedStr, ast.Constant)) and isinstance(getattr(side, "value", ""), str)
            for side in (node.left, node.right)
        )
        other = _OPERATORS.get(type(node.op))
        if (
            other is not None
            and not text
            and self._take(node, f"{type(node.op).__name__} -> {other.__name__}")
        ):
            node.op = other()
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Drop a negation."""
        self.generic_visit(node)
        if isinstance(node.op, (ast.Not, ast.Invert)) and self._take(node, "negation dropped"):
            return node.operand
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Shift a number, flip a truth."""
        if isinstance(node.value, bool):
            if self._take(node, "constant flipped"):
                return ast.copy_location(ast.Constant(not node.value), node)
        elif isinstance(node.value, int) and self._take(node, "constant + 1"):
            return ast.copy_location(ast.Constant(node.value + 1), node)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        """Leave zip's `strict` alone: it only guards against slips of the programmer's."""
        return node if node.arg == "strict" else self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> ast.AST:
        """Drop a continue."""
        return ast.copy_location(ast.Pass(), node) if self._take(node, "continue dropped") else node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """Drop a raise."""
        return ast.copy_location(ast.Pass(), node) if self._take(node, "raise dropped") else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Look into bodies only: decorators and annotations decide nothing."""
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Look into the body only."""
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Look into the value only."""
        if node.value is not None:
            node.value = self.visit(node.value)
        return node


def mutants(path: Path) -> Iterator[tuple[int, int, str]]:
    """Yield number, line and kind of every mutation of a module."""
    source = path.read_text("utf-8")
    counter = Mutator(UNCHANGED)
    counter.visit(ast.parse(source))
    for number in range(counter.seen):
        mutator = Mutator(number)
        mutator.visit(ast.parse(source))
        yield number, mutator.line, mutator.what


class _Replacement(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from a mutated tree."""

    def __init__(self, name: str, path: Path, number: int) -> None:
        self._name, self._path, self._number = name, path, number

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        """Claim the mutated module."""
        if name != self._name:
            return None
        is_package = self._path.name == "__init__.py"
        specification = importlib.util.spec_from_loader(
            name, self, origin=str(self._path), is_package=is_package
        )
        if specification is not None and is_package:
            specification.submodule_search_locations = [str(self._path.parent)]
        return specification

    def exec_module(self, module: ModuleType) -> None:
        """Run the mutated tree."""
        tree = Mutator(self._number).visit(ast.parse(self._path.read_text("utf-8")))
        exec(compile(ast.fix_missing_locations(tree), str(self._path), "exec"), module.__dict__)


def build_corpus(root: Path) -> None:
    """Write every planted fault and what must report it."""
    specification = importlib.util.spec_from_file_location("conftest_of_verifiers", HERE / "conftest.py")
    assert specification is not None
    assert specification.loader is not None
    sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support")]
    import planted_faults as planted
    import series_builder as builder

    index = []
    for number, case in enumerate(planted.FAULTS):
        place = root / f"{number:03d}"
        case.make(builder, place)
        witness = {
            key: list(value) if isinstance(value, tuple) else value for key, value in case.witness.items()
        }
        index.append(
            [place.name, sorted(case.rules), sorted(case.warnings), case.public_only, case.rules[:1], witness]
        )
    builder.build(root / "good", builder.good_plans(), domain=planted.DOMAIN)
    builder.build(
        root / "disjoint", planted.disjoint_plans(builder), domain=planted.DOMAIN, on_update="disjoint"
    )
    index += [["good", [], [], False, [], {}], ["disjoint", [], [], False, [], {}]]
    (root / "index.json").write_text(json.dumps(index))


def survives(corpus: Path) -> bool:
    """Whether the tests notice nothing."""
    from minv_verifiers import Status, verify

    for name, rules, warnings, public_only, first, witness in json.loads((corpus / "index.json").read_text()):
        report = verify(corpus / name, public_only=public_only)
        warned = sorted(outcome.rule for outcome in report.having(Status.WARNING))
        if sorted(report.violated) != rules or warned != warnings:
            return False
        if first:
            found = report.outcome(first[0]).witnesses[0]
            told = {key: getattr(found, key) for key in witness}
            if {
                key: list(value) if isinstance(value, tuple) else value for key, value in told.items()
            } != witness:
                return False
        silent = {outcome.rule for outcome in report.having(Status.NOT_CHECKABLE)}
        if name == "good" and silent != {"published-loss", "loss-as-claimed"}:
            return False
    words = ["-x", "-q", "-p", "no:cacheprovider", "-n", "0", "-W", "ignore", *map(str, TESTS)]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return pytest.main(words) == 0


def try_mutant(path: Path, number: int, corpus: Path) -> bool:
    """Run one mutant in a child; returns whether it survives."""
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        alive = False
        with contextlib.suppress(BaseException), Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 2)
            os.dup2(nowhere.fileno(), 1)
            name = ".".join(["minv_verifiers", *path.relative_to(PACKAGE).with_suffix("").parts])
            sys.meta_path.insert(0, _Replacement(name.removesuffix(".__init__"), path, number))
            alive = survives(corpus)
        os._exit(42 if alive else 0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 42


def main() -> None:
    """Try a share of all mutants and print the survivors and the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of all mutants, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("modules", nargs="*", default=["rules/*.py", "signatures.py", "careers.py"])
    arguments = parser.parse_args()
    paths = sorted({path for pattern in arguments.modules for path in PACKAGE.glob(pattern)})
    everything = [(path, *mutant) for path in paths for mutant in mutants(path)]
    chosen = random.Random(arguments.seed).sample(
        everything, max(1, round(arguments.share * len(everything)))
    )
    with tempfile.TemporaryDirectory() as temporary:
        corpus = Path(temporary)
        builder = os.fork()
        if builder == 0:
            build_corpus(corpus)
            os._exit(0)
        os.waitpid(builder, 0)
        if not try_mutant(paths[0], UNCHANGED, corpus):
            sys.exit("the tests fail without any mutation: every mutant would count as killed")
        alive = excused = 0
        for done, (path, number, line, what) in enumerate(sorted(chosen)):
            if done % 20 == 0:
                print(f"{done} of {len(chosen)} done, {alive} survived", file=sys.stderr, flush=True)  # noqa: T201
            code = path.read_text("utf-8").splitlines()[line - 1].strip()
            reason = EQUIVALENT.get((str(path.relative_to(PACKAGE)), code, what))
            survived = try_mutant(path, number, corpus)
            if survived and reason is None:
                alive += 1
                print(f"survived: {path.relative_to(PACKAGE)}:{line}: {what}", flush=True)  # noqa: T201
            excused += survived and reason is not None
    killed = len(chosen) - alive - excused
    share = 100 * killed / max(1, len(chosen) - excused)
    print(  # noqa: T201
        f"killed {killed} of {len(chosen) - excused} mutants ({share:.1f} %); {excused} more change nothing that can"
        f" be seen; {len(everything)} in all"
    )


if __name__ == "__main__":
    main()
