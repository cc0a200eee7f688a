"""Put the libraries that asv's pages load from elsewhere beside the pages, so that they work offline."""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LIBRARIES = {
    "jquery-3.3.1.min.js": "jquery/dist/jquery.min.js",
    "jquery.flot.min.js": "flot/jquery.flot.js",
    "jquery.flot.time.min.js": "flot/jquery.flot.time.js",
    "jquery.flot.selection.min.js": "flot/jquery.flot.selection.js",
    "jquery.flot.categories.min.js": "flot/jquery.flot.categories.js",
    "jquery.flot.orderBars.js": "flot-orderbars/js/jquery.flot.orderBars.js",
    "stupidtable.min.js": "stupid-table-plugin/stupidtable.min.js",
    "md5.min.js": "blueimp-md5/js/md5.min.js",
    "bootstrap.min.js": "bootstrap/dist/js/bootstrap.min.js",
    "bootstrap.min.css": "bootstrap/dist/css/bootstrap.min.css",
}
"""Which installed file takes the place of a file that the pages load."""

FONTS = "bootstrap/dist/fonts"  # its style sheet looks for them in ../fonts

LOADED = re.compile(r'(src|href)="https://[^"]*/([^"/]+\.(?:js|css))"([^>]*)>')


def rewrite(page: str) -> str:
    """Make every script and style sheet of a page a local one.

    Raises
    ------
    KeyError
        The page loads a file that is not in `LIBRARIES`.
    """

    def local(match: re.Match[str]) -> str:
        attribute, name, rest = match.groups()
        if name not in LIBRARIES:
            raise KeyError(name)
        # Checksums are of the other server's copies, some of them minified.
        rest = re.sub(r'\s*(?:integrity|crossorigin|referrerpolicy)="[^"]*"', "", rest)
        return f'{attribute}="libraries/{name}"{rest}>'

    return LOADED.sub(local, page)


def make_self_contained(pages: Path, modules: Path) -> None:
    """Rewrite `pages`/index.html and copy the libraries from the folder `modules` of npm."""
    index = pages / "index.html"
    index.write_text(rewrite(index.read_text(encoding="utf-8")), encoding="utf-8")
    target = pages / "libraries"
    target.mkdir(exist_ok=True)
    for name, source in LIBRARIES.items():
        shutil.copyfile(modules / source, target / name)
    shutil.copytree(modules / FONTS, pages / "fonts", dirs_exist_ok=True)


def install_libraries(folder: Path) -> Path:
    """Let npm install what package.json lists below `folder`; return where."""
    shutil.copy(Path(__file__).with_name("package.json"), folder)
    command = ["npm", "install", "--loglevel=error", "--no-fund", "--no-audit", "--ignore-scripts"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "node_modules"


def main() -> None:
    """Read the folder of the pages from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=Path, help="the folder that `asv publish` wrote")
    pages = parser.parse_args().pages
    try:
        with tempfile.TemporaryDirectory() as folder:
            make_self_contained(pages, install_libraries(Path(folder)))
    except KeyError as error:
        sys.exit(f"the pages load {error}, which package.json does not list: add it there and in LIBRARIES")
    except subprocess.CalledProcessError:
        sys.exit("npm could not install the libraries that package.json lists")
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}; needed are npm and the pages of `asv publish`")


if __name__ == "__main__":
    main()
