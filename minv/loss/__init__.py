"""What a partition loses."""

from minv.loss.class_sizes import AverageClassSize, Discernibility
from minv.loss.interface import Loss
from minv.loss.penalty import CertaintyPenalty
from minv.loss.records import Categories, Leaves, MixedRecords, Numbers, QuasiIdentifier
from minv.loss.squares import (
    SquaredErrors,
    information_loss,
    squared_distances,
    sum_of_squared_errors,
    total_sum_of_squares,
)

__all__ = [
    "AverageClassSize",
    "Categories",
    "CertaintyPenalty",
    "Discernibility",
    "Leaves",
    "Loss",
    "MixedRecords",
    "Numbers",
    "QuasiIdentifier",
    "SquaredErrors",
    "information_loss",
    "squared_distances",
    "sum_of_squared_errors",
    "total_sum_of_squares",
]
