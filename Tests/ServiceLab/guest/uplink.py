"""The uplink as its own service: called by the daemon, in its sandbox, to a broker with TLS whose
password comes only from systemd; uplink_trouble.py has its failures."""

import os
import pathlib
import pwd
import subprocess
import time

import bench
import uplink_hand
import uplink_trouble as trouble
from far import FOLDER, HOME, SECRETS, Far, rows
from service import RESULTS, SETTINGS, refusals, systemctl, wait
from uplink_board import SOCKET, STORE, call, is_delivered, maps, service, settings, uplink, use

LIBRARIES = ["libmosquitto.so", "libcurl.so", "libsodium.so"]


def enables(findings, form):
    if form == "closed":
        # The root is read-only there: the outbox is on the data partition (docs/manual/store.md).
        bench.run("install", "-d", "-o", "godwit-uplink", "-g", "godwit-uplink", "-m", "700",
                  "/var/lib/godwit/uplink")
        bench.run("mount", "--bind", "/var/lib/godwit/uplink", "/var/lib/godwit-uplink")
    code, said = systemctl("enable", "--now", *(["--runtime"] if form == "closed" else []),
                           "godwit-uplink.socket", "godwit-uplink.timer")
    findings.check("socket and timer are enabled as the README says", code == 0, said)
    state = pathlib.Path(SOCKET).stat()
    findings.check("the socket is the daemon's alone", state.st_mode & 0o777 == 0o600
                   and pwd.getpwuid(state.st_uid).pw_name == "godwit", oct(state.st_mode))
    said = call("godwit-alert")
    findings.check("nobody else reaches it", "PermissionError" in said, said[-200:])
    due = systemctl("show", "--value", "--property=NextElapseUSecMonotonic",
                    "godwit-uplink.timer")[1]
    findings.check("the timer has a next time", due not in ("", "0", "infinity"), due)
    findings.figure("exposure of godwit-uplink.service", uplink.exposure)
    findings.figure("exposure of godwit.service", service.exposure)


def brings_up(far):
    """The settings of a user, and a moving receiver."""
    uplink.add("credentials.conf", f"""[Service]
LoadCredential=password:{SECRETS}/password
LoadCredential=phrase:{SECRETS}/phrase
""")
    far.open()
    far.gather()
    line = bench.SupplyLine()
    receiver = bench.Receiver(line, float((RESULTS / "date").read_text()), knots=18)
    return receiver


def delivers(findings, far, receiver, delay=8):
    use(delay)
    receiver.plug_in()
    first = None
    def is_stored():
        nonlocal first
        if first is None and rows(STORE) > 0:
            first = time.monotonic()
        return first is not None
    wait(90, lambda: service.commit() and is_stored())
    waited = wait(60, lambda: int(uplink.ExecMainStartTimestampMonotonic or 0) / 1e6 > (first or 1e9))
    began = int(uplink.ExecMainStartTimestampMonotonic or 0) / 1e6 - (first or 0)
    findings.check(f"the daemon has it run {delay} s after the first record", waited is not None
                   and delay - 2 <= began <= delay + 10, f"{began:.1f} s")
    arrived = wait(60, lambda: rows(HOME) > 0)
    findings.check("the collector has records", arrived is not None, rows(HOME))
    ended = wait(60, lambda: uplink.ActiveState == "inactive" and uplink.Result == "success")
    findings.check("it ends, in order", ended is not None, f"{uplink.ActiveState}, {uplink.Result}")
    findings.check("and what comes later is brought by the next run",
                   is_delivered(90) is not None, f"{rows(HOME)} of {rows(STORE)}")
    kinds = {message.get("_type") for message in far.web.messages}
    findings.check("a receiver of web requests has locations, encrypted", kinds == {"encrypted"},
                   f"{len(far.web.messages)}, {kinds}")


def stays(findings):
    """Its process is available for inspection."""
    use(0)
    call()
    waited = wait(30, lambda: uplink.is_active and "libmosquitto" in maps(uplink.pid))
    findings.check("with delay_s = 0 it stays", waited is not None, uplink.ActiveState)
    process = uplink.pid
    findings.check("it runs without capabilities, filtered", *uplink.identity())
    user = pwd.getpwuid(os.stat(f"/proc/{process}").st_uid).pw_name
    findings.check("as a user of its own", user == "godwit-uplink", user)
    before = rows(HOME)
    wait(60, lambda: service.commit() and rows(STORE) > before)
    delivered = is_delivered(60)
    findings.check("new records go out by the same process", delivered is not None
                   and delivered > before and uplink.pid == process, f"{delivered}, {before} before")
    missing = [name for name in LIBRARIES if name not in maps(process)]
    findings.check("its libraries are loaded there", not missing, missing)
    there = [name for name in LIBRARIES if name in maps(service.pid)]
    findings.check("and not in the daemon", not there, there)
    findings.check("it may write its outbox alone", *writes(process))


def writes(process):
    """What can be written from within its sandbox, as its user."""
    places = ["/var/lib/godwit-uplink", "/var/lib/godwit", "/etc/godwit", "/run/godwit", "/run",
              "/dev/shm", "/home", "/usr/bin", "/sys/class/gpio"]
    script = "; ".join(f"(: >{place}/try) 2>/dev/null && echo {place}" for place in places)
    said = subprocess.run(
        ["nsenter", f"--mount=/proc/{process}/ns/mnt", "setpriv", "--reuid=godwit-uplink",
         "--regid=godwit-uplink", "--init-groups", "sh", "-c", script],
        capture_output=True, text=True).stdout.split()
    pathlib.Path("/var/lib/godwit-uplink/try").unlink(missing_ok=True)
    return said == ["/var/lib/godwit-uplink"], said


def answers(findings, far):
    sent = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    said = far.ask({"id": "1", "do": "status"}, 30)
    findings.check("asked from afar, it says how the board is", said.get("ok") is True, said)
    said = far.ask({"id": "2", "do": "fix", "sent": sent, "within_s": 60}, 90)
    findings.check("a fix is asked from afar of the daemon", said.get("ok") is True
                   and "lat" in str(said.get("fix")), said)


def needs_no_more_calls(findings, far):
    """Every refused system call now kills it, and the kernel logs it."""
    uplink.add("kill.conf", "[Service]\nSystemCallErrorNumber=kill\n")
    use(0)
    call()
    wait(30, lambda: uplink.is_active and "libmosquitto" in maps(uplink.pid))
    process, web = uplink.pid, len(far.web.messages)
    sent = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    said = far.ask({"id": "3", "do": "fix", "sent": sent}, 90)
    delivered = is_delivered(60)
    wait(30, lambda: len(far.web.messages) > web)
    worked = said.get("ok") is True and delivered is not None and len(far.web.messages) > web
    same = uplink.pid == process
    systemctl("stop", uplink.name)
    findings.check("no system call of its work is refused", worked and same and not refusals(),
                   f"{said}, {delivered}, {refusals()[:3]}")
    uplink.add("kill.conf", "[Service]\nSystemCallErrorNumber=kill\nSystemCallFilter=~connect\n")
    call()
    told = wait(20, lambda: refusals())
    findings.check("one that is refused would be seen", told is not None, refusals()[:1])
    uplink.remove("kill.conf")
    systemctl("stop", uplink.name)


def stops(findings, far):
    systemctl("start", uplink.name)
    wait(30, lambda: "libmosquitto" in maps(uplink.pid))
    time.sleep(3)
    start, log = time.monotonic(), len(far.broker_log())
    systemctl("stop", uplink.name)
    said = far.broker_log()[log:]
    findings.check("it ends in time, and in order", uplink.Result == "success"
                   and time.monotonic() - start < 15 and "Client godwit-lab-lab disconnected." in said,
                   f"{time.monotonic() - start:.1f} s, {uplink.Result}: {said[-200:]}")


def uplink_scenario(findings, form):
    wait(30, lambda: service.is_active)
    enables(findings, form)
    far = Far()
    SETTINGS.write_text(settings(8))
    trouble.refuses(findings)
    receiver = brings_up(far)
    delivers(findings, far, receiver)
    stays(findings)
    answers(findings, far)
    trouble.comes_back(findings)
    trouble.is_timed(findings)
    trouble.backs_off(findings, far)
    trouble.is_called_often(findings)
    trouble.is_alone(findings)
    needs_no_more_calls(findings, far)
    stops(findings, far)
    uplink_hand.by_hand(findings, uplink)
    said = far.broker_log()
    (RESULTS / "broker.log").write_text(said)
    for name in ("collector", "broker"):
        (RESULTS / f"{name}.output").write_text((FOLDER / f"{name}.output").read_text())
    findings.check("the daemon has not been restarted by itself", service.NRestarts == "0",
                   service.NRestarts)
