"""The image starts with U-Boot and tracks: processes, sandboxing, resources."""

import json
import time

import card as cards
from machine import Lines, Machine
from receiver import Receiver


def status(machine):
    return json.loads(machine.ssh("godwit status --json"))


def run(lab):
    lab.new_card()
    lab.check(lab.card.stat().st_size == 4 << 30, "the card has its size")
    with Machine(lab.folder) as machine:
        receiver = Receiver(machine, Lines(machine))
        receiver.start()
        lab.figure("kernel starts after", f"{machine.wait_log('Starting kernel', 60):.1f} s")
        machine.wait_ssh()
        lab.figure("ssh answers after", f"{time.monotonic() - machine.started:.1f} s")
        check_layout(lab, machine)
        check_locks(lab, machine)
        check_tracking(lab, machine, receiver)
        measure(lab, machine)
        machine.press_power()
        machine.wait_end(90)
    environment, right = cards.environment(lab.card)
    lab.check(right == 2, f"{right} of 2 copies of the environment are right")
    lab.check(environment["BOOT_A_LEFT"] == "3", f"slot A was not confirmed: {environment}")
    report = cards.read_boot(lab.card, "godwit-report.txt")
    lab.check(report and "SELF-TEST" in report, f"the report has no self-test:\n{report}")
    lab.check_file_system()


def check_layout(lab, machine):
    root = machine.ssh("findmnt -no FSTYPE / ; findmnt -no OPTIONS /run/godwit-image/root")
    lab.check(root.startswith("overlay") and "\nro," in root, f"the root is {root}")
    size = int(machine.ssh("df --output=size -m /data | tail -1"))
    lab.check(size > 2000, f"the data partition did not grow: {size} MB")
    lab.check("ro," in machine.ssh("findmnt -no OPTIONS /boot/firmware"),
              "the boot partition is writable")
    lab.check(machine.ssh("swapon --show").strip() == "", "there is swap")
    lab.check(len(machine.ssh("cat /etc/machine-id").strip()) == 32, "there is no machine-id")
    failed = machine.ssh("systemctl --failed --no-legend --plain | grep -v godwit-self-test",
                         check=False).strip()
    lab.check(failed == "", f"units failed: {failed}")
    lab.check("BOOT_ORDER=A\n" in machine.ssh("fw_printenv"), "fw_printenv reads the environment")
    lab.check("i2c_dev" in machine.ssh("lsmod"), "nothing would make /dev/i2c-1")
    archives = machine.ssh("cat /etc/apt/sources.list").splitlines()
    lab.check(archives and all(".debian.org/" in line for line in archives), f"{archives}")
    lab.check("Proxy" not in machine.ssh("cat /etc/apt/apt.conf.d/*"), "a proxy is left")
    lab.check("rootfs.0" in machine.ssh("rauc status --output-format=json"), "rauc knows its slots")


def check_locks(lab, machine):
    hashes = machine.ssh("grep -vE '^[^:]+:[!*]' /etc/shadow", check=False).strip()
    lab.check(hashes == "", f"accounts with passwords: {hashes}")
    config = machine.ssh("sshd -T")
    for line in ("passwordauthentication no", "kbdinteractiveauthentication no",
                 "permitrootlogin no"):
        lab.check(line in config, f"sshd: not '{line}'")
    lab.check("masked" in machine.ssh("systemctl is-enabled gpsd.socket", check=False),
              "gpsd is not masked")
    ports = machine.ssh("ss -Hltun | awk '{print $5}'").split()
    lab.check(all(p.endswith((":22", ":68", ":546")) for p in ports), f"open ports: {ports}")


def check_tracking(lab, machine, receiver):
    begin = time.monotonic()
    while time.monotonic() - begin < 120:
        report = status(machine)
        if report["fixes"]["accepted"] > 3:
            break
        time.sleep(2)
    lab.check(report["fixes"]["accepted"] > 3, f"no fixes: {report}")
    lab.check(receiver.switched and receiver.switched[0][0] == "on", "the line was not switched on")
    machine.ssh("godwit gnss off")
    time.sleep(4)
    lab.check(receiver.switched[-1][0] == "off", "the line was not switched off")
    machine.ssh("godwit gnss auto")
    time.sleep(4)
    lab.check(receiver.switched[-1][0] == "on", "the line was not switched on again")


def measure(lab, machine):
    resident, dirty = machine.daemon_memory()
    lab.figure("daemon resident / private dirty", f"{resident} / {dirty} kB")
    lab.figure("systemd-analyze", machine.ssh("systemd-analyze time | head -1").strip())
    lab.figure("used memory", machine.ssh("free -m | awk '/^Mem/ {print $3 \" of \" $2}'").strip()
               + " MB")
    lab.figure("watchdog", machine.ssh("systemctl show -P RuntimeWatchdogUSec").strip())
