"""The tool's version, from the installed package's metadata; the project file is its only source."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("separation")
except PackageNotFoundError:  # run from a source tree that was never installed
    VERSION = "0+source"
