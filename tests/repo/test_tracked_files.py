"""The tracked files: nothing of the machine they were made on, modules of readable size, text as agreed."""

import re
from pathlib import Path

import pytest

LONGEST_MODULE = 350  # lines
LARGEST_FILE = 1_000_000  # bytes

TEXT_SUFFIXES = {
    ".cfg", ".csv", ".html", ".ini", ".j2", ".json", ".md", ".py", ".sh", ".toml", ".txt", ".yml",
}  # fmt: skip

# A folder of a developer's machine, or of a package index: spelled so that this file does not contain one.
MACHINE_PATH = re.compile(r"(?<![\w./<-])/(?:" + "|".join(["home", "root", "work", "Users", "opt"]) + r")/\w")
TEMPORARY_PATH = re.compile(r"(?<![\w./<-])/tmp" + r"/\w")
PACKAGE_INDEX = re.compile(r"(?i)index-url|find-links|files\.pythonhosted|/simple\b")


def text_files(root: Path, tracked: list[Path]) -> dict[Path, str]:
    """Contents of the tracked text files."""
    names = [path for path in tracked if path.suffix in TEXT_SUFFIXES or not path.suffix]
    return {path: (root / path).read_text(encoding="utf-8") for path in names}


@pytest.mark.parametrize(
    "pattern",
    [MACHINE_PATH, TEMPORARY_PATH, PACKAGE_INDEX],
    ids=["paths of a machine", "temporary folders", "package indices"],
)
def test_files_say_nothing_of_the_machine_they_were_made_on(
    root: Path, tracked: list[Path], pattern: re.Pattern[str]
) -> None:
    """A clone elsewhere must work, and nobody needs to know where the author worked."""
    found = [
        f"{path}:{number}: {line.strip()[:80]}"
        for path, text in text_files(root, tracked).items()
        if path != Path(__file__).relative_to(root)
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("line", ["open('/home/me/table.csv')", "cd /work/x", "DATA=/tmp/y"])
def test_the_patterns_catch_planted_paths(line: str) -> None:
    """The check above can fail."""
    assert MACHINE_PATH.search(line) or TEMPORARY_PATH.search(line)


def test_modules_are_short_enough_to_read(root: Path, tracked: list[Path]) -> None:
    """About 100 lines, split by about 300."""
    lengths = {
        path: len((root / path).read_text(encoding="utf-8").splitlines())
        for path in tracked
        if path.suffix == ".py" and path.parts[0] in {"minv", "verifiers", "datasets", "benchmarks"}
    }
    too_long = {str(path): length for path, length in lengths.items() if length > LONGEST_MODULE}
    assert lengths
    assert not too_long


def test_no_tracked_file_is_large(root: Path, tracked: list[Path]) -> None:
    """Data sets are downloaded or found through MINV_DATA; only the compressed Adult table is here."""
    too_large = [str(path) for path in tracked if (root / path).stat().st_size > LARGEST_FILE]
    assert not too_large


def test_text_files_end_their_lines_alike(root: Path, tracked: list[Path]) -> None:
    """LF line ends, a newline at the end, no byte-order mark."""
    wrong = [
        str(path)
        for path in text_files(root, tracked)
        if (content := (root / path).read_bytes())
        and (b"\r\n" in content or not content.endswith(b"\n") or content.startswith(b"\xef\xbb\xbf"))
    ]
    assert not wrong


def test_test_file_names_are_unique(tracked: list[Path]) -> None:
    """Two test modules of one name could shadow each other."""
    names = [path.name for path in tracked if path.parts[0] == "tests" and path.name.startswith("test_")]
    assert sorted(names) == sorted(set(names))
