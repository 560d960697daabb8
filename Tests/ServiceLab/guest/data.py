"""A data partition that is missing, comes late, or turns read-only. Its image file is on
the host."""

import os
import subprocess
import time

import bench
from service import Service, systemctl, wait

FOLDER = "/var/lib/godwit"
service = Service()


def unstored():
    """The records that wait in memory, and why."""
    store = service.commit().get("store", {})
    return store.get("waiting_records", 0), store.get("failure")


def required(findings, form):
    """As it is installed, godwit.service needs the partition of /etc/fstab."""
    findings.check("without its partition it does not start", service.ActiveState == "inactive",
                   service.ActiveState)
    findings.check("and nothing is written below the mount", os.listdir(FOLDER) == [])
    attach()
    code, said = systemctl("start", "godwit")
    findings.check("it starts as soon as there is one", code == 0 and os.path.ismount(FOLDER), said)


def missing(findings, form):
    """With data-partition.conf it tracks without one."""
    waited = wait(60, lambda: service.is_active)
    findings.check("it starts without its partition", waited is not None)
    waiting, failure = unstored()
    findings.check("keeps its records in memory and says so", waiting > 0 and failure is not None,
                   f"{waiting} records: {failure}")
    findings.check("writes nothing below the mount", os.listdir(FOLDER) == [])
    process = service.pid
    attach()
    code, said = systemctl("start", "var-lib-godwit.mount")
    stored = wait(20, lambda: unstored() == (0, None))
    findings.check("stores them once it is mounted", code == 0 and stored is not None
                   and service.pid == process, said or unstored())
    findings.check("on the partition", os.path.exists(f"{FOLDER}/godwit.gpkg")
                   and os.path.ismount(FOLDER))


def attach():
    bench.run("losetup", "/dev/loop0", "/results/data.img")
    bench.run("udevadm", "settle")


def turns_read_only(findings, form):
    """As with a worn-out card (errors=remount-ro)."""
    wait(30, lambda: service.is_active)
    findings.check("it stores", wait(10, lambda: unstored() == (0, None)) is not None)
    # ext4's own way to try errors=remount-ro (Documentation/admin-guide/ext4.rst).
    with open("/sys/fs/ext4/loop0/trigger_fs_error", "w") as file:
        file.write("tried on purpose")
    # Causes records: the receiver and its switch appear.
    line = bench.SupplyLine()
    receiver = bench.Receiver(line, float(open("/results/date").read()))
    receiver.plug_in()
    noticed = wait(60, lambda: "file system accepts no writes" in (unstored()[1] or ""))
    findings.check("it says that it cannot, and why", noticed is not None, unstored())
    before = service.fixes()
    findings.check("and goes on tracking", wait(20, lambda: service.fixes() > before) is not None)
    began = time.monotonic()
    systemctl("stop", "godwit")
    findings.check("it ends in time nevertheless", time.monotonic() - began < 30,
                   f"{time.monotonic() - began:.1f} s")
    # As in the next boot.
    bench.run("umount", FOLDER)
    subprocess.run(["e2fsck", "-p", "/dev/loop0"], capture_output=True)
    bench.run("mount", FOLDER)
    systemctl("start", "godwit")
    stored = wait(60, lambda: service.fixes() > 0 and unstored() == (0, None))
    findings.check("it stores again once the file system was checked", stored is not None,
                   unstored())
    done = subprocess.run(["godwit", "store", "check"], capture_output=True, text=True)
    findings.check("and its store is in order", done.returncode == 0, done.stdout + done.stderr)
