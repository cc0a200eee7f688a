"""The assertions of `minv_verifiers.testing` as pytest fixtures; nothing else is imported until one is asked for."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture(scope="session")
def assert_verified() -> Callable[..., Any]:
    """`minv_verifiers.testing.assert_verified`."""
    from minv_verifiers import testing

    return testing.assert_verified


@pytest.fixture(scope="session")
def assert_m_unique() -> Callable[..., Any]:
    """`minv_verifiers.testing.assert_m_unique`."""
    from minv_verifiers import testing

    return testing.assert_m_unique


@pytest.fixture(scope="session")
def assert_m_invariant() -> Callable[..., Any]:
    """`minv_verifiers.testing.assert_m_invariant`."""
    from minv_verifiers import testing

    return testing.assert_m_invariant


@pytest.fixture(scope="session")
def assert_tau_safe() -> Callable[..., Any]:
    """`minv_verifiers.testing.assert_tau_safe`."""
    from minv_verifiers import testing

    return testing.assert_tau_safe


@pytest.fixture(scope="session")
def assert_k_anonymous() -> Callable[..., Any]:
    """`minv_verifiers.testing.assert_k_anonymous`."""
    from minv_verifiers import testing

    return testing.assert_k_anonymous


@pytest.fixture(scope="session")
def assert_withstands_attack() -> Callable[..., Any]:
    """`minv_verifiers.testing.assert_withstands_attack`."""
    from minv_verifiers import testing

    return testing.assert_withstands_attack
