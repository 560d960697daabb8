"""Failures of the uplink: wrong settings, calls in quick succession, an absent broker or daemon,
and its own end by the watchdog or a signal."""

import json
import os
import signal
import time

import uplink_hand
from far import CREDENTIALS, HOME, rows
from service import SETTINGS, Unit, systemctl, wait
from uplink_board import GOOD, STORE, call, is_delivered, service, uplink, use


def told(words):
    """The number of journal lines that contain the words."""
    return sum(words in line for line in uplink.journal(f"--unit={uplink.name}").splitlines())


def is_told_once(findings, what, words):
    """A call that cannot be served is read and logged, and does not restart it again and again."""
    before = told(words)
    call()
    wait(20, lambda: told(words) > before)
    time.sleep(5)
    times = told(words) - before
    sockets = systemctl("is-active", "godwit-uplink.socket")[1]
    findings.check(f"{what} is told, once", times == 1 and sockets == "active"
                   and uplink.ActiveState in ("failed", "inactive"),
                   f"{times} times, {uplink.ActiveState}, the socket is {sockets}")
    # Whatever failed, the next check has its own calls.
    systemctl("reset-failed", uplink.name, "godwit-uplink.socket")
    systemctl("start", "godwit-uplink.socket")


def refuses(findings):
    good = SETTINGS.read_text()
    SETTINGS.write_text(good.replace("[uplink]\n", "[uplink]\nnme = 1\n"))
    is_told_once(findings, "a wrong setting", "uplink.nme")
    SETTINGS.write_text(GOOD)
    is_told_once(findings, "a configuration without a recipient", "no recipient is configured")
    SETTINGS.write_text(good.replace(f"{CREDENTIALS}/password", "/etc/godwit/missing"))
    is_told_once(findings, "a password that is missing", "/etc/godwit/missing")
    SETTINGS.write_text(good.replace("[uplink]\n", '[uplink]\npath = "/etc/outbox.db"\n'))
    is_told_once(findings, "an outbox that cannot be", "/etc/outbox.db")
    SETTINGS.write_text(good + '[store]\npath = "/var/lib/godwit/none.gpkg"\n')
    is_told_once(findings, "a store that is missing", "none.gpkg")
    SETTINGS.write_text(good)


def comes_back(findings):
    uplink.add("watchdog.conf", "[Service]\nWatchdogSec=10\n")
    systemctl("restart", uplink.name)
    wait(30, lambda: uplink.is_active)
    process, start = uplink.pid, time.monotonic()
    os.kill(process, signal.SIGSTOP)
    # Records continue to be stored, and the daemon to call.
    back = wait(120, lambda: service.commit() and uplink.pid not in (0, process)
                and uplink.is_active)
    findings.check("the watchdog ends a stopped one, and a call starts it again", back is not None,
                   f"after {round(time.monotonic() - start)} s, {uplink.ActiveState}")
    findings.check("and says so", "atchdog" in uplink.journal(f"--unit={uplink.name}"))
    uplink.remove("watchdog.conf")
    process = uplink.pid
    os.kill(process, signal.SIGKILL)
    back = wait(60, lambda: service.commit() and uplink.pid not in (0, process)
                and uplink.is_active)
    findings.check("a call starts a killed one, too", back is not None, back and f"{back:.1f} s")
    findings.check("with nothing lost", is_delivered(90) is not None,
                   f"{rows(HOME)} of {rows(STORE)}")


def is_timed(findings):
    """The timer of a quarter of an hour, reduced to seconds."""
    use(0)
    timer = Unit("godwit-uplink.timer")
    timer.add("short.conf", "[Timer]\nOnUnitInactiveSec=\nOnUnitInactiveSec=5\n"
              "RandomizedDelaySec=0\nAccuracySec=1\n")
    # There are no calls.
    systemctl("stop", "godwit")
    systemctl("restart", timer.name)
    systemctl("start", uplink.name)
    wait(20, lambda: uplink.is_active)
    process = uplink.pid
    os.kill(process, signal.SIGKILL)
    back = wait(60, lambda: uplink.pid not in (0, process) and uplink.is_active)
    findings.check("without a call the timer starts it", back is not None, back and f"{back:.1f} s")
    systemctl("stop", uplink.name)
    timer.remove("short.conf")
    systemctl("restart", timer.name)
    systemctl("start", "godwit")


def failures():
    said = uplink_hand.godwit("uplink", "log", "--json")[1]
    return sum(entry["what"] == "failed" for entry in json.loads(said))


def backs_off(findings, far):
    use(3)
    process, fixes, before = service.pid, service.fixes(), failures()
    far.stop("broker")
    told = wait(60, lambda: service.commit() and service.at("uplink.failures"))
    findings.check("that the broker is away is in the daemon's status", told is not None,
                   service.at("uplink"))
    code, said = uplink_hand.godwit("status")
    findings.check("and in godwit status", "uplink" in said and "failed" in said,
                   [line for line in said.splitlines() if "uplink" in line] or said)
    time.sleep(3)
    first = failures()
    call()
    wait(20, lambda: uplink.ActiveState in ("inactive", "failed"))
    findings.check("it is left alone for a time, however often it is called",
                   before < first == failures(), f"{before}, {first}, {failures()}")
    findings.check("the daemon goes on", service.pid == process and service.fixes() > fixes)
    far.open()
    back = wait(120, lambda: service.commit() and service.at("uplink.failures") == [])
    findings.check("once it is back everything goes out", back is not None
                   and is_delivered(90) is not None, f"{rows(HOME)} of {rows(STORE)}")


def most_starts(since, seconds):
    """The largest number of runs that were started within so many seconds."""
    lines = uplink.journal(f"--unit={uplink.name}", "--output=short-monotonic").splitlines()
    times = [float(line[1:line.index("]")]) for line in lines if ": Starting " in line]
    times = [at for at in times if at >= since]
    return max((sum(at <= other < at + seconds for other in times) for at in times), default=0)


def is_called_often(findings, count=20):
    """More often than systemd's own limit allows (5 starts in 10 s), and more often than the
    socket's. On a busy host this kernel may start too few runs in that time: then the check is
    reported as not shown."""
    socket = Unit("godwit-uplink.socket")
    # Runs as short as this kernel allows: they wait for no requests, and have nothing to send.
    use(604_800, requests="none", interval=3600)
    # Earlier calls count, too.
    time.sleep(60)
    begun = time.monotonic()
    call(count=count, pause=0.4)
    time.sleep(5)
    starts = most_starts(begun, 10)
    what = "more than 5 starts in 10 s leave the socket up"
    if findings.check(f"{count} calls in {count * 0.4:.0f} s leave the socket up",
                      socket.is_active and starts > 1, f"{socket.ActiveState}, {starts} in 10 s"):
        findings.figure(what if starts > 5 else f"NOT SHOWN, the host is too busy: {what}", starts)
    call(count=200, pause=0.2)
    # The earlier ones count, too.
    starts, what = most_starts(begun, 60), "30 in a minute close the socket"
    if starts < 30:
        findings.check("fewer than 30 in a minute leave it up", socket.is_active, starts)
        findings.figure(f"NOT SHOWN, the host is too busy: {what}", starts)
    else:
        closed = wait(10, lambda: socket.ActiveState == "failed")
        findings.check(what, closed is not None, f"{socket.ActiveState}, {starts}")
    systemctl("start", uplink.name)
    findings.check("and the next run of the timer opens it", socket.is_active, socket.ActiveState)
    time.sleep(60)


def is_alone(findings):
    """The daemon is stopped, and has left its store in order: nothing may be written to it."""
    use(0)
    service.commit()
    systemctl("stop", "godwit")
    code, said = systemctl("start", uplink.name)
    wait(30, lambda: rows(HOME) == rows(STORE))
    findings.check("it brings what is stored when the daemon is stopped", uplink.is_active
                   and rows(HOME) == rows(STORE), f"{rows(HOME)} of {rows(STORE)}")
    process, before = uplink.pid, rows(STORE)
    systemctl("start", "godwit")
    wait(60, lambda: service.commit() and rows(STORE) > before)
    findings.check("and goes on when it runs again", is_delivered(60) is not None
                   and uplink.pid == process, f"{rows(HOME)} of {rows(STORE)}")
