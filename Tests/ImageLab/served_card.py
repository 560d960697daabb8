"""A card that turns read-only, as worn ones do: nbdkit serves it and refuses writes."""

import subprocess

from machine import TOOLS, MachineError, connected


class ServedCard:
    """card.img of a folder, served on a socket; reads go on while writes are refused (EIO)."""

    address = "nbd+unix:///?socket=/work/card.socket"

    def __init__(self, folder):
        self.folder = folder
        self.switch = folder / "refuse"
        self.accept_writes()
        (folder / "card.socket").unlink(missing_ok=True)
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c",
             'mount --bind "$1" "$2/work" && mount --rbind /dev "$2/dev" && root=$2 && shift 2 && '
             'exec chroot "$root" "$@"', "sh", str(folder), str(TOOLS),
             "nbdkit", "-f", "-U", "/work/card.socket", "--filter=error", "file", "/work/card.img",
             *[part for kind in ("pwrite", "zero", "trim")
               for part in (f"error-{kind}=EIO", f"error-{kind}-rate=100%",
                            f"error-{kind}-file=/work/refuse")]],
            stdin=subprocess.DEVNULL, stderr=open(folder / "nbdkit.log", "ab"))
        connected(folder / "card.socket").close()

    def refuse_writes(self):
        self.switch.touch()

    def accept_writes(self):
        self.switch.unlink(missing_ok=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise MachineError("nbdkit does not end") from None
