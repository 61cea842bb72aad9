"""Runs a program on a terminal of its own and prints what it wrote there.

    terminal.py COLUMNS INPUT PROGRAM [ARGUMENT...]

Lines of INPUT (with \\n, \\004 and the like) are typed one by one, each when the
program has been silent for a moment.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

SILENCE, PATIENCE = 0.3, 30


def main():
    columns, typed = int(sys.argv[1]), sys.argv[2].encode().decode("unicode_escape").encode()
    lines = typed.splitlines(keepends=True)
    try:
        child, terminal = pty.fork()
    except OSError:
        sys.exit(77)  # no terminal can be had: a root without /dev/pts
    if child == 0:
        os.execvp(sys.argv[3], sys.argv[3:])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    written = b""
    began = time.monotonic()
    while True:
        if time.monotonic() - began > PATIENCE:
            os.kill(child, signal.SIGKILL)
        if select.select([terminal], [], [], SILENCE)[0]:
            try:
                part = os.read(terminal, 65536)
            except OSError:
                break
            if not part:
                break
            written += part
        elif lines:
            os.write(terminal, lines.pop(0))
    _, status = os.waitpid(child, 0)
    sys.stdout.buffer.write(written.replace(b"\r\n", b"\n"))
    sys.exit(os.waitstatus_to_exitcode(status))


main()
