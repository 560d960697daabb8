"""Manual use of the uplink as root, and its effect on the service afterwards."""

import pathlib
import pwd
import shutil
import subprocess

from far import HOME, rows
from service import Service, journal, systemctl, wait

OUTBOX = pathlib.Path("/var/lib/godwit-uplink")
service = Service()


def godwit(*words):
    """The exit code and the output."""
    done = subprocess.run(["godwit", *words], capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).strip()


def strangers():
    """Files of the outbox that are not the service's."""
    return [f"{path}: {pwd.getpwuid(path.stat().st_uid).pw_name}"
            for path in [OUTBOX, *OUTBOX.iterdir()]
            if pwd.getpwuid(path.stat().st_uid).pw_name != "godwit-uplink"]


def runs(uplink):
    """Whether the service can use its outbox, and sends more; its output."""
    systemctl("stop", uplink.name)
    before = rows(HOME)
    code, said = systemctl("start", uplink.name)
    brought = wait(60, lambda: service.commit() and rows(HOME) > before)
    alright = code == 0 and brought is not None and uplink.ActiveState == "active"
    run = uplink.InvocationID
    systemctl("stop", uplink.name)
    return alright, said or journal(f"_SYSTEMD_INVOCATION_ID={run}")[-400:]


def by_hand(findings, uplink):
    code, said = godwit("uplink", "queue", "--from", "2020-01-01T00:00:00Z")
    findings.check("as root, what needs a secret of the service's says when it is there",
                   code == 1 and "while its service runs" in said, said)
    systemctl("start", uplink.name)
    wait(30, lambda: uplink.ActiveState == "active")
    for words in (["status"], ["log"], ["pause", "1"], ["status"], ["resume"],
                  ["queue", "--from", "2020-01-01T00:00:00Z"], ["status", "--json"]):
        code, said = godwit("uplink", *words)
        findings.check(f"as root: godwit uplink {' '.join(words)}", code == 0 and not strangers(),
                       strangers() or said[:200])
    findings.check("the service goes on after that", *runs(uplink))

    for path in OUTBOX.iterdir():
        path.unlink()
    code, said = godwit("uplink", "pause", "1")
    findings.check("a pause before the first run", code == 0 and not strangers(),
                   strangers() or said)
    godwit("uplink", "resume")
    # Its secrets are the service's, but only the outbox matters here.
    code, said = godwit("uplink", "run")
    findings.check("a run by hand leaves nothing that is root's", not strangers(),
                   strangers() or said)
    findings.check("and the service goes on", *runs(uplink))

    if OUTBOX.is_mount():
        return
    shutil.rmtree(OUTBOX)
    code, said = godwit("uplink", "pause", "1")
    findings.check("a pause before there is its folder", code == 0, said)
    godwit("uplink", "resume")
    alright, said = runs(uplink)
    findings.check("whose files are the service's when it runs", alright and not strangers(),
                   strangers() or said)
