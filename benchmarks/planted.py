"""Does the gate see what it shall see? Plants faults in a clone and runs the gate on each.

`tox run -e gate-check`. Needs git and asv alone; the gate itself builds what it measures.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
BENCHMARKS = r"quality\.LocalSearch"  # what the planted faults are in
GATE = ("--factor", "1.000001", "--show-stderr", "--no-only-changed")
"""As in tox.ini."""


@dataclass(frozen=True, slots=True)
class Plant:
    """A change of one file, and how the gate must end.

    Attributes
    ----------
    old, new
        What is replaced by what; `old` stands in the file exactly once.
    passes
        Whether the gate lets it pass.
    told
        A regular expression that its output must match.
    """

    name: str
    file: str
    old: str
    new: str
    passes: bool
    told: str


_TWO_SWAP = "minv/localsearch/two_swap.py"
PLANTS = (
    Plant(
        "a comment",
        _TWO_SWAP,
        "NONE = -1  # in place",
        "NONE = -1  # instead",
        passes=True,
        told="NOT SIGNIFICANTLY CHANGED",
    ),
    Plant(
        "a two-swap that stops early",
        _TWO_SWAP,
        "deltas, SWAPS_A_CHUNK)",
        "deltas, SWAPS_A_CHUNK // 5)",
        passes=False,
        told="PERFORMANCE DECREASED",
    ),
    Plant(
        "an invalid partition: everyone alone in a class, without any loss",
        _TWO_SWAP,
        "return better_labels(points, labels, state.clusters.labels)",
        "return np.arange(len(labels))",
        passes=False,
        told=r"ViolationError[\s\S]*track_il\s+failed|track_il\s+failed[\s\S]*ViolationError",
    ),
)


def run(*words: str, cwd: Path) -> str:
    """Run a program that must succeed; return what it prints."""
    return subprocess.run(words, cwd=cwd, check=True, capture_output=True, text=True).stdout.strip()


def planted(text: str, plant: Plant) -> str:
    """Return the text with the plant in it.

    Raises
    ------
    ValueError
        What it replaces is not there exactly once.
    """
    if text.count(plant.old) != 1:
        raise ValueError(
            f"{plant.file}: {plant.old!r} does not stand there once; adapt {Path(__file__).name}"
        )
    return text.replace(plant.old, plant.new)


def commit(clone: Path, plant: Plant) -> None:
    """Make one commit with the plant on a branch of its own, on top of the clone's first commit."""
    run("git", "checkout", "--quiet", "-B", "main", "base", cwd=clone)
    file = clone / plant.file
    file.write_text(planted(file.read_text(encoding="utf-8"), plant), encoding="utf-8")
    author = ("-c", "user.name=planted", "-c", "user.email=planted@localhost")
    run("git", *author, "commit", "--quiet", "--all", "--message", f"Plant {plant.name}", cwd=clone)


def gate(clone: Path, benchmarks: str) -> tuple[bool, str]:
    """Run the gate as `tox run -e gate -- base` does; return whether it passes, and all it prints."""
    words = ["asv", "continuous", *GATE, "--bench", benchmarks, "base", "HEAD"]
    ended = subprocess.run(
        words, cwd=clone, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return ended.returncode == 0, ended.stdout


def main() -> None:
    """Plant everything, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", default=BENCHMARKS, help="regular expression of the benchmarks")
    benchmarks = parser.parse_args().bench
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        run("git", "clone", "--quiet", str(ROOT), str(clone), cwd=ROOT)
        run("git", "tag", "base", cwd=clone)
        run("asv", "machine", "--yes", cwd=clone)
        for plant in PLANTS:
            began = time.perf_counter()
            commit(clone, plant)
            passes, output = gate(clone, benchmarks)
            right = passes == plant.passes and re.search(plant.told, output) is not None
            wrong += not right
            verdict = "passes" if passes else "is stopped"
            tail = "" if right else f", which is WRONG; it said:\n{output}"
            print(f"{plant.name}: {verdict}, {time.perf_counter() - began:.0f} s{tail}", flush=True)  # noqa: T201
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
