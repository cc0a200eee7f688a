"""The proved bounds of a run, in one place and in SSE."""

from dataclasses import dataclass

from minv.colgen.generation import LinearBound


@dataclass(slots=True)
class Bounds:
    """What is proved so far; 0 is always true.

    Attributes
    ----------
    linear
        Bound of the linear relaxation without cuts.
    best
        The best known, whatever proved it.
    certificate
        The duals that prove `certificate.value` by themselves, or None.
    """

    linear: float | None = None
    best: float | None = None
    certificate: LinearBound | None = None

    def learn(self, bound: LinearBound, *, root: bool) -> None:
        """Take in a bound of column generation, `root` if no cut was in it."""
        if bound.value <= 0:
            return
        if root:
            self.linear = max(self.linear or 0.0, bound.value)
        self.best = max(self.best or 0.0, bound.value)
        if self.certificate is None or bound.value > self.certificate.value:
            self.certificate = bound

    def learn_value(self, value: float) -> None:
        """Take in a bound that no certificate proves, as that of an integer program over listed columns."""
        self.best = max(self.best or 0.0, value)
