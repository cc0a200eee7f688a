"""What the search for k-anonymous classes reaches on the three reference tables of microaggregation.

`python -m benchmarks.kanon_levels --seconds 120 --table census --k 3` prints a line for each table and k asked for
(by default all nine): the loss of MDAV, ours, the lowest loss that this project knew before, our lower bound.
The tables are looked for in the folder `$MINV_DATA`.
"""

import argparse
import sys
import time
from collections.abc import Iterable

import numpy as np

from minv.compiled import FloatArray
from minv.kanonymity import mdav
from minv.loss import SquaredErrors, total_sum_of_squares
from minv.publish.microaggregation import microaggregate
from minv.stopping import Stop
from minv_datasets import load_casc
from minv_datasets.casc import EIA_COLUMNS

KNOWN = {
    "tarragona": {3: 14.558, 5: 20.151, 10: 30.110},
    "census": {3: 4.704, 5: 7.305, 10: 11.386},
    "eia": {3: 0.386, 5: 0.774, 10: 1.939},
}


def reference_points(name: str) -> FloatArray:
    """Return the z-scored attributes of a reference table that the literature uses."""
    frame = load_casc(name)
    columns = list(EIA_COLUMNS) if name == "eia" else list(frame.columns)
    points = frame[columns].to_numpy(np.float64)
    return np.asarray((points - points.mean(axis=0)) / points.std(axis=0))


def levels(names: Iterable[str], sizes: Iterable[int], seconds: float, seed: int) -> Iterable[str]:
    """Yield a line for each table and k."""
    for name in names:
        points = reference_points(name)
        loss = SquaredErrors(points)
        microaggregate(points[:50], 3, seed=0, stop=Stop(time_limit=5.0))  # load the kernels
        for k in sizes:
            published = 100 * loss.normalised(mdav(points, k))
            started = time.process_time()
            found = microaggregate(points, k, seed=seed, stop=Stop(time_limit=seconds))
            spent = time.process_time() - started
            il = 100 * loss.normalised(found.labels)
            bound = 100 * (found.bound or 0.0) / total_sum_of_squares(points)
            yield (
                f"{name:9} k={k:<2} MDAV {published:8.4f}  ours {il:8.4f}  known {KNOWN[name][k]:7.3f}  "
                f"bound {bound:8.4f}  gap {100 * (1 - bound / il):5.2f} %  {spent:.0f} s of processor time"
            )


def main() -> None:
    """Print the lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--table", nargs="*", choices=KNOWN, default=list(KNOWN))
    parser.add_argument("--k", nargs="*", type=int, choices=[3, 5, 10], default=[3, 5, 10])
    arguments = parser.parse_args()
    for line in levels(arguments.table, arguments.k, arguments.seconds, arguments.seed):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
