"""`python -m separation.testing.harnesses`: where the task folders are."""

from __future__ import annotations

from separation.testing.harnesses import FOLDERS

for name, folder in FOLDERS.items():
    print(f"{name}: {folder}")
