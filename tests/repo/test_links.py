"""Links between the Markdown files lead somewhere."""

import re
from pathlib import Path

import pytest

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def links(text: str) -> list[str]:
    """Targets of the links outside code."""
    without_code = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
    return LINK.findall(without_code)


def anchors(text: str) -> set[str]:
    """Anchors of the headings, in the manner of the usual renderers."""
    headings = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(root: Path, page: Path) -> list[str]:
    """The links of `page` that lead nowhere in the repository."""
    found = []
    for target in links((root / page).read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (root / page.parent / name).resolve() if name else root / page
        if not file.exists() or (anchor and anchor not in anchors(file.read_text(encoding="utf-8"))):
            found.append(f"{page}: {target}")
    return found


def test_links_resolve(root: Path, tracked: list[Path]) -> None:
    """A file that a link names exists, and has the heading that the link names."""
    pages = [path for path in tracked if path.suffix == ".md"]
    assert pages
    found = [target for page in pages for target in broken(root, page)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("link", ["absent.md", "page.md#absent", "#absent"])
def test_a_planted_broken_link_is_found(tmp_path: Path, link: str) -> None:
    """The check above can fail."""
    (tmp_path / "page.md").write_text(f"# Title\n\n[here](#title) and [there]({link})\n", encoding="utf-8")
    assert broken(tmp_path, Path("page.md")) == [f"page.md: {link}"]
