"""How long each package takes to import, in a fresh process."""


class Import:
    """Seconds of `import`, the interpreter's own start-up not counted."""

    version = "1"

    def timeraw_minv(self) -> str:
        return "import minv"

    def timeraw_minv_cli(self) -> str:
        return "import minv.cli.app"

    def timeraw_minv_verifiers(self) -> str:
        return "import minv_verifiers"

    def timeraw_minv_datasets(self) -> str:
        return "import minv_datasets"
