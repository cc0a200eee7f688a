"""The evidence with what several rules derive from it, each derived once."""

from functools import cached_property

from minv_verifiers.arrays import IntArray
from minv_verifiers.careers import Careers
from minv_verifiers.folder import Folder
from minv_verifiers.model import Evidence, Release, Truth
from minv_verifiers.outcome import NotCheckable
from minv_verifiers.signatures import Signatures


class Dossier:
    """What a rule looks at.

    Parameters
    ----------
    evidence
        The material.
    """

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.claims = evidence.claims

    @property
    def releases(self) -> tuple[Release, ...]:
        """The releases; raises NotCheckable where they cannot be looked at."""
        return self.evidence.releases

    @cached_property
    def signatures(self) -> Signatures:
        """All signatures; raises NotCheckable without a sensitive column."""
        return Signatures(self.releases)

    @cached_property
    def careers(self) -> Careers:
        """All publications by person; raises NotCheckable without ids."""
        return Careers(self.releases, self.signatures)

    @property
    def folder(self) -> Folder:
        """The series folder; raises NotCheckable for other input."""
        if self.evidence.folder is None:
            raise NotCheckable("the input is not a series folder")
        return self.evidence.folder

    def require_folder(self) -> None:
        """Raise NotCheckable for input that is no series folder: only our format promises this."""
        _ = self.folder

    def truth(self, release: Release) -> Truth:
        """Return the custodian's side of a release; raises NotCheckable without it."""
        if release.truth is not None:
            return release.truth
        folder = self.evidence.folder
        if folder is None:
            raise NotCheckable("no original table was given (--table)")
        raise NotCheckable(
            folder.why_public or f"the private file of release {release.number} cannot be read"
        )

    def person(self, code: int) -> str:
        """Return the id behind a code."""
        return self.evidence.persons.text(int(code)) if self.evidence.persons is not None else ""

    def value(self, code: int) -> str:
        """Return the name of the sensitive value behind a code."""
        values = self.evidence.sensitive_values
        return values.name(code) if values is not None else ""

    def signature(self, signature: int) -> tuple[str, ...]:
        """Return the names of the values of a signature, sorted by value."""
        values = self.evidence.sensitive_values
        return values.names(self.signatures.members(signature)) if values is not None else ()

    def values(self, codes: IntArray) -> tuple[str, ...]:
        """Several sensitive values, sorted."""
        return (
            self.evidence.sensitive_values.names(codes) if self.evidence.sensitive_values is not None else ()
        )
