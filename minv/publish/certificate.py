"""The proof of a bound, in the units of the points that were given, and as a file (docs/certificate.md)."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from minv import __version__
from minv.colgen.covering import covering_of
from minv.colgen.generation import LinearBound
from minv.compiled import FloatArray, IntArray
from minv.hierarchy import Hierarchy
from minv.instance import Instance
from minv.pricing.cuts import CutPenalties, chosen_cuts
from minv.tables.microdata import Attribute, Microdata

_ROUNDING = 1e-9  # of the largest dual: what double precision may lose in one reduced cost


@dataclass(frozen=True, eq=False)
class Remembered:
    """What a release after the first has to keep to.

    Attributes
    ----------
    required
        (n,) index of the signature that each point requires, or FREE.
    signatures
        Their colours.
    counterfeits
        Most counterfeits.
    price
        What each of them pays in a reduced cost.
    """

    required: IntArray
    signatures: tuple[tuple[int, ...], ...]
    counterfeits: int
    price: float


@dataclass(frozen=True, eq=False)
class Certificate:
    """Duals, cuts and slack that prove `bound` for n points of r types.

    Attributes
    ----------
    types
        (n,) type of each point: equal coordinates and colour.
    duals
        (r,) dual of each type.
    cuts
        Rank-one cuts over types, with their penalties.
    slack
        No feasible cluster has a reduced cost below minus this.
    bound
        On the SSE of every feasible partition.
    remembered
        Of a release after the first.
    """

    types: IntArray
    duals: FloatArray
    cuts: CutPenalties
    slack: float
    bound: float
    m: int
    max_size: int
    remembered: Remembered | None = None

    def reordered(self, order: IntArray) -> "Certificate":
        """Return the certificate for points of which `order[k]` is the new place of point k."""
        types = np.empty_like(self.types)
        types[order] = self.types
        remembered = self.remembered
        if remembered is not None:
            required = np.empty_like(remembered.required)
            required[order] = remembered.required
            remembered = replace(remembered, required=required)
        return replace(self, types=types, remembered=remembered)


def certify(instance: Instance, proof: LinearBound, scale: float) -> Certificate:
    """Express a proof over an instance's rows in units in which squared distances are `scale` times as large."""
    used = np.flatnonzero(proof.cuts.penalties > 0)
    cuts = CutPenalties(chosen_cuts(proof.cuts.cuts, used), proof.cuts.penalties[used] * scale)
    duals = proof.duals * scale
    slack = proof.slack * scale + _ROUNDING * float(np.abs(duals).max(initial=0.0))
    covering = covering_of(instance)
    multiplicity = covering.multiplicity
    bound = float(multiplicity @ duals) - covering.clusters * slack
    bound -= float(cuts.cuts.right @ cuts.penalties)
    types = instance.rows.row_of_point
    remembered = None
    if instance.continues:
        assert instance.required is not None
        price = max(0.0, -float(duals[-1]))
        remembered = Remembered(instance.required, instance.signatures, instance.counterfeits, price)
        duals = duals[:-1]
    return Certificate(types, duals, cuts, slack, bound, instance.m, instance.max_size, remembered)


def document(
    certificate: Certificate,
    microdata: Microdata,
    sst: float,
    *,
    values: tuple[str | None, ...] = (),
    left_out: IntArray | None = None,
) -> str:
    """Return the text of the certificate's file; its points are the rows of `microdata`, in order.

    Parameters
    ----------
    sst
        Of these rows.
    values
        What each colour of a remembered signature means.
    left_out
        Rows of the table that take no part.
    """
    content: dict[str, object] = {
        "format": 1,
        "kind": "minv-bound",
        "software": f"minv {__version__}",
        "table": {"rows": microdata.size, "checksum": checksum(microdata)},
        "quasi_identifiers": [_describe(attribute) for attribute in microdata.attributes],
        "sensitive": microdata.sensitive,
        "m": certificate.m,
        "max_size": certificate.max_size,
        "types": certificate.types.tolist(),
        "duals": certificate.duals.tolist(),
        "cuts": _describe_cuts(certificate.cuts),
        "slack": certificate.slack,
        "bound_sse": certificate.bound,
        "bound_il": 100 * certificate.bound / sst if sst > 0 else 0.0,
    }
    if certificate.remembered is not None:
        content["remembered"] = _describe_remembered(certificate.remembered, values)
    if left_out is not None and len(left_out):
        content["left_out"] = left_out.tolist()
    return json.dumps(content, ensure_ascii=False) + "\n"


def _describe_cuts(cuts: CutPenalties) -> list[Mapping[str, object]]:
    used = cuts.cuts.numerators > 0
    lines = zip(
        cuts.cuts.rows,
        cuts.cuts.numerators,
        used,
        cuts.cuts.denominators.tolist(),
        cuts.penalties.tolist(),
        strict=True,
    )
    return [
        {
            "types": rows[held].tolist(),
            "numerators": numerators[held].tolist(),
            "denominator": denominator,
            "penalty": penalty,
        }
        for rows, numerators, held, denominator, penalty in lines
    ]


def _describe_remembered(remembered: Remembered, values: tuple[str | None, ...]) -> Mapping[str, object]:
    return {
        "signatures": [[values[colour] for colour in signature] for signature in remembered.signatures],
        "required": remembered.required.tolist(),
        "counterfeits": remembered.counterfeits,
        "price": remembered.price,
    }


def checksum(microdata: Microdata) -> str:
    """Return the SHA-256 of the rows' texts as docs/certificate.md defines it."""
    columns = [attribute.texts() for attribute in microdata.attributes]
    columns.append(microdata.sensitive_texts())
    digest = hashlib.sha256()
    for row in zip(*(column.tolist() for column in columns), strict=True):
        texts = (r"\N" if text is None else text.replace("\\", "\\\\") for text in row)
        digest.update(("\x1f".join(texts) + "\n").encode())
    return f"sha256:{digest.hexdigest()}"


def _describe(attribute: Attribute) -> Mapping[str, object]:
    described: dict[str, object] = {"name": attribute.name, "kind": str(attribute.kind.value)}
    if attribute.levels and described["kind"] == "ordinal":
        described["levels"] = list(attribute.levels)
    if attribute.weight != 1:
        described["weight"] = attribute.weight
    if attribute.hierarchy is not None:
        described["tree"] = {level: _path(attribute.hierarchy, level) for level in attribute.levels}
    return described


def _path(hierarchy: Hierarchy, leaf: str) -> list[str]:
    return [hierarchy.labels[node] for node in hierarchy.path(hierarchy.code_of_leaf[leaf])]
