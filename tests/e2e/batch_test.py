#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many processes over one folder: GNU parallel, also after kills and over ssh, writes the bytes of one process.

    batch_test.py MARROW REPOSITORY
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

MARROW, REPOSITORY = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
SEEDS = REPOSITORY / "fuzz/seeds/packfile"


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Sshd:
    """A server of its own on this machine, with keys of its own that are thrown away."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (folder / "config").write_text(f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\n"
                                       f"AuthorizedKeysFile {folder}/user.pub\nPidFile {folder}/pid\nStrictModes no\n"
                                       "UsePAM no\nPasswordAuthentication no\n")
        self.server = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", folder / "config"], stderr=subprocess.DEVNULL)

    @property
    def login(self):
        return (f"ssh -p {self.port} -i {self.folder}/user -o BatchMode=yes -o StrictHostKeyChecking=no "
                f"-o UserKnownHostsFile={self.folder}/known -o LogLevel=ERROR localhost")

    def answers(self):
        for _ in range(50):
            if subprocess.run([*self.login.split(), "true"], capture_output=True).returncode == 0:
                return True
            if self.server.poll() is not None:
                return False
            time.sleep(0.2)
        return False

    def stop(self):
        self.server.terminate()
        self.server.wait()


def over_ssh(folder, source, expected):
    if not pathlib.Path("/usr/sbin/sshd").exists():
        print("there is no sshd: not tried over ssh")
        return
    server = Sshd(folder / "ssh")
    try:
        if not server.answers():
            print("sshd does not start here: not tried over ssh")
            return
        out = folder / "over ssh"
        subprocess.run([REPOSITORY / "examples/batch/parallel.sh", "3", folder / "ssh reports", MARROW, "convert", source, "-o",
                        out, "--to", "skyrim-se"], check=True, capture_output=True, env={**os.environ, "SSH": server.login})
        assert contents(out) == expected, "other files or bytes over ssh"
        print("over ssh: the same bytes")
    finally:
        server.stop()


def main():
    if not shutil.which("parallel"):
        print("GNU parallel is not installed: skipped")
        return 77
    folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-batch-"))
    try:
        source = folder / "in"
        for i in range(120):
            (source / f"mod {i % 3}").mkdir(parents=True, exist_ok=True)
            shutil.copy(SEEDS / ("clip-2010-32.hkx" if i % 2 else "behaviour-32.hkx"), source / f"mod {i % 3}" / f"f{i}.hkx")
        one, many = folder / "one", folder / "many"
        subprocess.run([MARROW, "convert", source, "-o", one, "--to", "skyrim-se"], check=True, capture_output=True)
        command = [REPOSITORY / "examples/batch/parallel.sh", "4", folder / "reports", MARROW, "convert", source, "-o", many,
                   "--to", "skyrim-se"]
        killed = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        # Finished files only: a temporary one may be renamed between being listed and being read.
        while killed.poll() is None and sum(1 for _ in many.rglob("*.hkx")) < 10:
            time.sleep(0.002)
        if killed.poll() is None:
            os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()
        subprocess.run(command, check=True, capture_output=True)
        assert contents(many) == contents(one), "other files or bytes than one process writes"
        lines = sum(path.read_text().count("\n") for path in (folder / "reports").iterdir())
        assert lines >= 120, lines
        over_ssh(folder, source, contents(one))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
