"""Level 5: how often each value truly occurs in a release, which unmasks counterfeits."""

from collections import Counter
from collections.abc import Mapping, Sequence

from minv_verifiers.attacks.inference import Inference, Posterior, gather, uniform
from minv_verifiers.attacks.intersection import worst_epoch
from minv_verifiers.attacks.observations import Host, Observations
from minv_verifiers.dossier import Dossier
from minv_verifiers.outcome import NotCheckable
from minv_verifiers.rules.counterfeits import declared_by_class
from minv_verifiers.signatures import sensitive_of
from minv_verifiers.wording import counted

ASSUMPTION = (
    "the attacker knows the target's classes and how many real people have each value in each release"
)
_REMARK = "counterfeits are found by elimination within a release only, so joint reasoning may tell more"

Histogram = Mapping[int, int]


def true_histograms(dossier: Dossier) -> list[Histogram]:
    """Return the histogram of the real tuples of each release, which the custodian's side tells."""
    histograms: list[Histogram] = []
    for release in dossier.releases:
        truth = dossier.truth(release)
        histograms.append(Counter(truth.sensitive[truth.link[truth.real]].tolist()))
    return histograms


def compare_histograms(observations: Observations, histograms: Sequence[Histogram]) -> Inference:
    """Attack everybody: values that must be counterfeits leave the candidates of their class."""
    dossier = observations.dossier
    if len(histograms) != len(dossier.releases):
        raise NotCheckable(
            f"{counted(len(histograms), 'histogram')} for {counted(len(dossier.releases), 'release')}"
        )
    unmasked = [_unmask(observations, index, histogram) for index, histogram in enumerate(histograms)]
    posteriors: list[Posterior] = []
    for place in range(len(observations.persons)):
        base = dict(worst_epoch(observations, place))
        fakes = {
            value for host in observations.hosts(place) for value in unmasked[host.release].get(host, ())
        }
        left = [value for value in base if value not in fakes]
        posteriors.append(uniform(left) if fakes & set(base) and left else base)
    return gather(5, ASSUMPTION, observations.persons.tolist(), posteriors, exact=False, remark=_REMARK)


def _unmask(observations: Observations, index: int, histogram: Histogram) -> dict[Host, set[int]]:
    """Return the values that must be counterfeits in each class of a release."""
    release = observations.dossier.releases[index]
    published = Counter(sensitive_of(release).tolist())
    excess = {value: count - histogram.get(value, 0) for value, count in published.items()}
    left = {int(c): int(n) for c, n in enumerate(declared_by_class(release)) if n}
    found: dict[Host, set[int]] = {}
    settled = True
    while settled:
        settled = False
        for class_index, number in list(left.items()):
            host = Host(index, class_index)
            values = observations.counts(host)
            possible = [value for value in values if excess.get(value, 0) > 0]
            if len(possible) == number:
                found[host] = set(possible)
                for value in possible:
                    excess[value] -= 1
                del left[class_index]
                settled = True
    return found
