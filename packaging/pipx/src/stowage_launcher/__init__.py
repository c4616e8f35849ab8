"""Starts the launcher of the unpacked release that is in this package, or that STOWAGE_HOME names."""

import os
import sys
from pathlib import Path


def main() -> None:
    home = Path(os.environ.get("STOWAGE_HOME") or Path(__file__).parent / "home")
    launcher = home / "bin" / "stowage"
    if not launcher.is_file():
        sys.exit(f"stowage: {launcher} is missing; unpack a release and name its folder in STOWAGE_HOME")
    # A wheel does not keep which files may be executed.
    for program in [launcher, *(home / "runtime").glob("bin/*"), home / "runtime/lib/jspawnhelper"]:
        if program.is_file() and not os.access(program, os.X_OK):
            program.chmod(0o755)
    os.execv(launcher, [str(launcher), *sys.argv[1:]])
