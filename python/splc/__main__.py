"""The ``splc`` command: ``python -m splc``, or the script that the wheel installs."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import sysconfig

from . import _splc


def main() -> int:
    """Runs the command line with the arguments of this process, and returns its exit code."""
    # Python's own handler would wait until the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    program = sys.argv[0]
    if os.path.basename(program) in ("-c", "__main__.py") or not os.path.exists(program):
        program = "splc"
    script = program if os.path.exists(program) else shutil.which("splc", path=sysconfig.get_path("scripts"))
    return _splc.main([program, *sys.argv[1:]], script)


if __name__ == "__main__":
    sys.exit(main())
