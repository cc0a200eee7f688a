"""`minv-verify rules`."""

import typer

from minv_verifiers.rules import RULES


def list_rules() -> None:
    """List every rule with its definition and source."""
    for rule in RULES.values():
        typer.echo(f"{rule.name} ({rule.group.value}{', warning' if rule.advisory else ''})")
        typer.echo(f"    {rule.definition}")
        typer.echo(f"    Source: {rule.source}")
