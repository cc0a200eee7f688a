"""The examples in the README, the guide and the docstrings do what they say."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("page", ["datasets/README.md", "docs/datasets.md"])
def test_pages(page):
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert tried >= 3
    assert failed == 0


def test_docstring_of_simulate():
    failed, tried = doctest.testmod(import_module("minv_datasets.simulation.releases"))
    assert (failed, tried > 0) == (0, True)
