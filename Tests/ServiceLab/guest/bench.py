"""The hardware of the laboratory, made by the kernel: a GPIO line that switches the receiver's supply, an
INA226 with its driver, and a u-blox receiver on USB that sends while its line is high."""

import os
import pathlib
import subprocess
import threading
import time

CONFIG = pathlib.Path("/sys/kernel/config")
LABEL, LINE = "lab-chip", 3


def run(*command):
    """The output of a command; an error if it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.returncode}: {done.stderr.strip()}")
    return done.stdout.strip()


class SupplyLine:
    """A chip of gpio-sim (Documentation/admin-guide/gpio/gpio-sim.rst)."""

    def __init__(self):
        self.folder = CONFIG / "gpio-sim" / "lab"
        bank = self.folder / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text("8")
        (bank / "label").write_text(LABEL)
        (self.folder / "live").write_text("1")
        device = (self.folder / "dev_name").read_text().strip()
        chip = (bank / "chip_name").read_text().strip()
        self.value = pathlib.Path(
            f"/sys/devices/platform/{device}/{chip}/sim_gpio{LINE}/value")

    @property
    def is_high(self):
        return self.value.read_text().strip() == "1"


class Monitor:
    """An INA226 that is a table of registers (Documentation/i2c/i2c-stub.rst), under its driver."""

    ADDRESS = "0x40"
    # SBOS547B, table 4: configuration, manufacturer and die. SMBus sends the low byte first.
    REGISTERS = {"0x00": "0x2741", "0x01": "0xe803", "0x02": "0x500a", "0xfe": "0x4954",
                 "0xff": "0x6022"}

    def __init__(self):
        run("modprobe", "i2c-stub", f"chip_addr={self.ADDRESS}")
        bus = next(adapter for adapter in pathlib.Path("/sys/bus/i2c/devices").glob("i2c-*")
                   if "stub" in (adapter / "name").read_text())
        number = bus.name.removeprefix("i2c-")
        for register, word in self.REGISTERS.items():
            run("i2cset", "-y", number, self.ADDRESS, register, word, "w")
        run("modprobe", "ina2xx")
        (bus / "new_device").write_text(f"ina226 {self.ADDRESS}")
        self.bus = f"/dev/{bus.name}"
        run("udevadm", "settle")
        device = bus / f"{number}-0040"
        self.shunt = next((device / "hwmon").glob("hwmon*")) / "shunt_resistor"


class Receiver:
    """A u-blox 8 on USB: a serial gadget plugged into the kernel's loopback controller."""

    def __init__(self, line, now, knots=0):
        """Due north, from the start of the system on."""
        self.line, self.offset, self.knots = line, now - time.monotonic(), knots
        self.folder = CONFIG / "usb_gadget" / "receiver"
        (self.folder / "configs/c.1").mkdir(parents=True)
        (self.folder / "functions/acm.usb0").mkdir()
        (self.folder / "idVendor").write_text("0x1546")
        (self.folder / "idProduct").write_text("0x01a8")
        (self.folder / "configs/c.1/acm.usb0").symlink_to(self.folder / "functions/acm.usb0")
        threading.Thread(target=self.send, daemon=True).start()

    def plug_in(self):
        (self.folder / "UDC").write_text("dummy_udc.0")

    def unplug(self):
        (self.folder / "UDC").write_text("\n")

    def send(self):
        """Sends a fix every second while there is a supply; unread data is lost."""
        while True:
            time.sleep(1)
            try:
                port = os.open("/dev/ttyGS0", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            except OSError:
                continue
            try:
                while True:
                    if self.line.is_high:
                        os.write(port, self.epoch())
                    time.sleep(1)
            except BlockingIOError:
                pass
            except OSError:
                pass
            finally:
                os.close(port)

    def epoch(self):
        at = time.gmtime(time.monotonic() + self.offset)
        clock, date = time.strftime("%H%M%S.00", at), time.strftime("%d%m%y", at)
        # A knot is a minute of latitude an hour.
        north = self.knots * time.monotonic() / 3600
        place = f"53{12.072 + north:08.5f},N,00633.60000,E"
        course = "0.0" if self.knots else ""
        return b"".join(map(sentence, [
            f"GNRMC,{clock},A,{place},{self.knots or 0.05},{course},{date},,,A",
            f"GNGGA,{clock},{place},1,09,0.9,12.0,M,40.0,M,,",
            "GNGSA,A,3,01,02,03,04,05,06,07,08,09,,,,1.6,0.9,1.3",
        ]))


def sentence(body):
    check = 0
    for character in body:
        check ^= ord(character)
    return f"${body}*{check:02X}\r\n".encode()
