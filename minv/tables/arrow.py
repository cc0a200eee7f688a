"""Arrow's compute functions and arrays, as far as their type stubs describe them."""

from typing import Any, TypeAlias

import pyarrow.compute

compute: Any = pyarrow.compute  # its stubs refuse many calls that are right
ArrowArray: TypeAlias = Any  # pa.Array and pa.ChunkedArray, generic in the stubs but not when the code runs
