"""What the published algorithms would have made of the same release, for comparison."""

from dataclasses import replace
from typing import Any

from minv.errors import InfeasibleError
from minv.heuristics.halving import split_by_halving
from minv.heuristics.perimeter import split_by_perimeter
from minv.heuristics.published_stages import staged_as_published
from minv.heuristics.staged import StagedRelease
from minv.instance import Instance
from minv.loss import information_loss, sum_of_squared_errors, total_sum_of_squares
from minv.publish.partition import normalised

_SPLITS = {"classic": split_by_perimeter, "tau": split_by_halving}


def staged_baselines(instance: Instance, seed: int) -> dict[str, StagedRelease | None]:
    """Return the release of each published algorithm, or None where it has no answer.

    Parameters
    ----------
    instance
        The release as a problem.
    seed
        That of the engine.
    """
    scaled = replace(instance, points=normalised(instance.points))
    return {name: _attempt(scaled, seed, name) for name in _SPLITS}


def _attempt(instance: Instance, seed: int, name: str) -> StagedRelease | None:
    try:
        return staged_as_published(instance, seed, _SPLITS[name])
    except InfeasibleError:
        return None


def comparison_figures(instance: Instance, seed: int) -> dict[str, Any]:
    """Return counterfeits and loss of each published algorithm, as `minv publish --compare-staged` prints them."""
    sst = total_sum_of_squares(instance.points)
    figures: dict[str, Any] = {}
    for name, found in staged_baselines(instance, seed).items():
        figures[name] = None
        if found is not None:
            sse = sum_of_squared_errors(instance.points, found.labels)
            figures[name] = {
                "classes": len(found.signature_of_class),
                "counterfeits": found.counterfeits,
                "sse": sse,
                "il": information_loss(sse, sst),
            }
    return figures
