"""The life of the service on a board whose receiver is plugged in late, whose processes are stopped
and killed, and whose settings are changed."""

import os
import pathlib
import signal
import subprocess
import time

import bench
from service import RESULTS, SETTINGS, Service, refusals, systemctl, wait

service = Service()


def starts(findings):
    """Before any of its hardware exists."""
    waited = wait(30, lambda: service.is_active)
    findings.check("systemd was told that it is ready", waited is not None, service.StatusText)
    findings.check("it is the daemon that tells", service.NotifyAccess == "main")
    findings.check("it runs as godwit, without capabilities", *service.identity())
    userspace = int(systemctl("show", "--value", "--property=UserspaceTimestampMonotonic")[1])
    ready = (int(service.ActiveEnterTimestampMonotonic) - userspace) / 1e6
    findings.figure("s from systemd's start until it is ready", round(ready, 2))
    target = systemctl("show", "--value", "--property=ActiveEnterTimestampMonotonic",
                       "basic.target")[1]
    findings.figure("s of these after basic.target",
                    round(ready - (int(target) - userspace) / 1e6, 2))
    # The rules of every polkit are executed when it starts.
    systemctl("restart", "polkit")
    said = service.journal("--unit=polkit.service")
    # Debian 13's says of each of its folders that is not there that it is not there.
    wrong = [line for line in said.splitlines() if "rror" in line and "No such file" not in line]
    findings.check("polkit takes its rules", "rules" in said and not wrong, said[-200:])
    findings.figure("exposure", service.exposure)


def tracks(findings, closed):
    """Chip, monitor and receiver come while it runs; the receiver's driver too."""
    before = pathlib.Path("/proc/devices").read_text()
    line = bench.SupplyLine()
    monitor = bench.Monitor()
    receiver = bench.Receiver(line, float((RESULTS / "date").read_text()))
    receiver.plug_in()
    findings.check("the receiver's driver comes after the daemon", "ttyACM" not in before)
    waited = wait(20, lambda: os.path.exists("/dev/gnss-receiver"))
    findings.check("udev names the receiver", waited is not None)
    waited = wait(60, lambda: service.fixes() > 0)
    findings.check("a fix of the receiver that was plugged in", waited is not None,
                   f"{waited and round(waited, 1)} s, {service.at('receiver.failure')}")
    findings.check("it switches the supply", line.is_high, service.at("power_switch.failure"))
    shown = service.at("energy.reading")
    findings.check("it reads the monitor", shown is not None, service.at("energy.monitor_failure"))
    findings.check("the group may set the shunt",
                   service_may_write(monitor.shunt), monitor.shunt)
    network = os.readlink(f"/proc/{service.pid}/ns/net") != os.readlink("/proc/1/ns/net")
    findings.check("closed: a network of its own" if closed else "open: the board's network",
                   network == closed)
    return line, receiver


def service_may_write(path):
    """Runs as the daemon: its user and its mounts."""
    done = subprocess.run(
        ["nsenter", f"--mount=/proc/{service.pid}/ns/mnt", "setpriv", "--reuid=godwit",
         "--regid=godwit", "--init-groups", "sh", "-c", f"echo 100000 >{path.resolve()}"],
        capture_output=True, text=True)
    return done.returncode == 0


def replugs(findings, receiver):
    receiver.unplug()
    waited = wait(20, lambda: service.at("receiver.missing") is True)
    findings.check("it notices that the receiver is gone", waited is not None)
    before = service.fixes()
    receiver.plug_in()
    waited = wait(60, lambda: service.fixes() > before)
    findings.check("and has it again", waited is not None, f"{waited and round(waited, 1)} s")


def reloads(findings):
    process, good = service.pid, SETTINGS.read_text()
    SETTINGS.write_text("policy.nme = 1\n" + good)
    code, said = systemctl("reload", "godwit")
    findings.check("wrong settings are not reloaded", code != 0 and service.is_active
                   and service.at("state") == "running", said)
    SETTINGS.write_text('device.name = "renamed"\n' + good)
    code, said = systemctl("reload", "godwit")
    renamed = wait(10, lambda: service.at("device_name") == "renamed")
    findings.check("right ones are", code == 0 and renamed is not None
                   and service.pid == process, said)
    SETTINGS.write_text(good)
    systemctl("reload", "godwit")


def refuses(findings):
    """Invalid settings at the start."""
    good = SETTINGS.read_text()
    SETTINGS.write_text("policy.nme = 1\n" + good)
    systemctl("restart", "godwit")
    waited = wait(10, lambda: service.ActiveState == "failed")
    restarts = service.NRestarts
    time.sleep(8)
    findings.check("wrong settings end with 2, once", waited is not None
                   and service.ExecMainStatus == "2" and service.NRestarts == restarts
                   and service.ActiveState == "failed",
                   f"{service.ExecMainStatus}, {service.NRestarts} restarts")
    SETTINGS.write_text(good)
    systemctl("start", "godwit")
    findings.check("and it starts with right ones", service.is_active)


def comes_back(findings, kills):
    """A stopped daemon is ended by the watchdog; a killed one restarts after growing pauses."""
    process, start = service.pid, time.monotonic()
    os.kill(process, signal.SIGSTOP)
    back = wait(120, lambda: service.pid not in (0, process) and service.is_active)
    findings.check("the watchdog restarts a stopped one", back is not None,
                   f"after {round(time.monotonic() - start)} s")
    findings.check("and says so", "atchdog" in service.journal("--unit=godwit.service"))
    pauses = []
    for _ in range(kills):
        process = service.pid
        os.kill(process, signal.SIGKILL)
        back = wait(200, lambda: service.pid not in (0, process) and service.is_active)
        pauses.append(back)
        if back is None:
            break
    seconds = [pause and round(pause, 1) for pause in pauses]
    findings.check("a killed one comes back", None not in pauses, seconds)
    version = int(systemctl("--version")[1].split()[1])
    if version >= 254:
        findings.check("after longer and longer pauses", seconds == sorted(seconds)
                       and seconds[-1] > seconds[0] + 2, seconds)


def needs_no_more_calls(findings):
    """Every refused system call now kills the daemon, and the kernel logs it."""
    service.add("kill.conf", "[Service]\nSystemCallErrorNumber=kill\n")
    systemctl("restart", "godwit")
    waited = wait(60, lambda: service.fixes() > 0)
    systemctl("reload", "godwit")
    service.commit()
    time.sleep(2)
    findings.check("no system call of its work is refused", waited is not None
                   and service.is_active and not refusals(), refusals()[:3])
    service.add("kill.conf", "[Service]\nSystemCallErrorNumber=kill\n"
                "SystemCallFilter=~adjtimex clock_adjtime\n")
    systemctl("restart", "--no-block", "godwit")
    told = wait(20, lambda: refusals() and service.ActiveState != "active")
    findings.check("one that is refused would be seen", told is not None, refusals()[:1])
    service.remove("kill.conf")
    systemctl("restart", "godwit")


def stops(findings):
    start = time.monotonic()
    systemctl("stop", "godwit")
    findings.check("it ends in time, and in order", service.Result == "success"
                   and time.monotonic() - start < 30, f"{time.monotonic() - start:.1f} s")
    done = subprocess.run(["godwit", "store", "check"], capture_output=True, text=True)
    findings.check("its store is in order", done.returncode == 0,
                   (done.stdout + done.stderr).strip())
    findings.figure("journal lines of godwit", service.journal("--unit=godwit").count("\n"))
    systemctl("start", "godwit")
    findings.check("it runs when the board is switched off", service.is_active)


def life(findings, form):
    starts(findings)
    _, receiver = tracks(findings, form == "closed")
    replugs(findings, receiver)
    reloads(findings)
    refuses(findings)
    comes_back(findings, 3)
    needs_no_more_calls(findings)
    stops(findings)
