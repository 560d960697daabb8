"""Recordings with odd dates, positions and numbers."""

import datetime
import json

from exports import read_all
from field import area
from program import run
from receiver import checked, epoch, moment
from stores import integrity

SECOND = datetime.timedelta(seconds=1)


def raw(clock="020000.00", date="221126", place="5300.00000,N,00600.00000,E", more="09,0.9"):
    """One epoch as text, with arbitrary values."""
    return (checked(f"GPGGA,{clock},{place},1,{more},10,M,0,M,,")
            + checked(f"GPRMC,{clock},A,{place},0,0,{date},,,A"))


def at(start, places, step_s=1):
    """Epochs at these positions one after the other."""
    when, text = moment(start), b""
    for latitude, longitude in places:
        text += epoch(when, latitude, longitude)
        when += datetime.timedelta(seconds=step_s)
    return text


def stay(latitude, longitude, count=900):
    return [(latitude, longitude)] * count


def on_the_line(*longitudes):
    """A stay on the date line, where the longitude changes its sign, and a walk away from it."""
    places = [(10.0, longitudes[n % len(longitudes)]) for n in range(900)]
    return at("2026-11-22T02:00:00", places + [(10 + n * 2e-5, longitudes[0]) for n in range(900)])


def numbers(*values):
    """CSV with these times, one position."""
    return ("time,lat,lon\n" + "".join(f"{value},53.0,6.0\n" for value in values)).encode()


def recordings():
    day = "2026-11-22T02:00:00"
    return {
        "1970.csv": numbers(*range(0, 600, 10)),
        "negative.csv": numbers(*range(-600, 0, 10)),
        "99999999999.csv": numbers(99999999999, 99999999999 + 10),
        "huge.csv": numbers("9" * 30, "1e300", "-1e300"),
        "milliseconds.csv": numbers(*range(1793671200000, 1793671260000, 1000)),
        "leap.nmea": b"".join(raw(clock=f"2359{s}.00") for s in (58, 59, 60)) + raw("000000.00"),
        "25h.nmea": raw("250000.00") + raw("246000.00") + raw("999999.99"),
        "31feb.nmea": raw(date="310226") + raw(date="000026") + raw(date="321326"),
        "1980.nmea": raw(date="060180") * 5, "2000.nmea": raw(date="010100") * 5,
        "2079.nmea": raw(date="311279") * 5,
        "back.nmea": at(day, stay(53, 6, 60)) + at("2026-11-22T01:00:00", stay(53, 6, 60)),
        "repeat.nmea": raw() * 500,
        "plus180.nmea": on_the_line(180.0), "minus180.nmea": on_the_line(-180.0),
        "line.nmea": on_the_line(179.99999, -179.99999),
        "across.nmea": at(day, [(10, ((179 + n / 500 + 180) % 360) - 180) for n in range(1_000)]),
        "north.nmea": at(day, stay(90.0, 0)), "south.nmea": at(day, stay(-90.0, 0)),
        "over-pole.nmea": at(day, [(89.99 + n / 1e5, 0) for n in range(1000)]
                             + [(90 - n / 1e5, 179.9) for n in range(1000)]),
        "null-island.nmea": at(day, stay(0, 0)),
        "beyond.nmea": raw(place="9100.00000,N,00600.00000,E") * 9
        + raw(place="5300.00000,N,18100.00000,E") * 9,
        "minutes.nmea": raw(place="5399.99999,N,00699.99999,E") * 9,
        "hdop-5.nmea": raw(more="09,-5") * 60, "hdop1e9.nmea": raw(more="09,1e9") * 60,
        "satellites.nmea": raw(more="99999999999,0.9") * 60 + raw(more="-3,0.9") * 60,
        "two.nmea": b"".join(epoch(moment(day) + n * SECOND, 53 + n % 2, 6) for n in range(600)),
        "jumps.nmea": at(day, [(n * 37 % 180 - 90, n * 91 % 360 - 180) for n in range(600)]),
        "year-apart.nmea": b"".join(at(f"{year}-11-22T02:00:00", stay(53, 6, 30))
                                    for year in range(2026, 2099, 8)),
        "empty.nmea": b"",
    }


@area("recordings", minutes=0.2)
def odd_recordings(siege):
    """Dates, positions, numbers: recordings through replay, listings and exports"""
    found, wrong, refused = siege.found, [], 0
    made = recordings()
    for name, data in made.items():
        path, store = siege.path(name), siege.path(name + ".gpkg")
        with open(path, "wb") as file:
            file.write(data)
        result = run([siege.godwit, "replay", path, "--store", store, "--json"])
        if result.code == 0:
            wrong += [f"{name}: {why}" for why in read_all(siege, store)]
            if (state := integrity(store)) != "ok":
                wrong.append(f"{name}: integrity {state}")
        elif result.code in (1, 2) and result.errors:
            refused += 1
        else:
            wrong.append(f"{name}: {result}")
    found.tried(f"{len(made)} recordings, {refused} refused with a reason")
    found.none("crashes, or listings and exports that do not parse", wrong)
    for name in ("line.nmea", "plus180.nmea", "minus180.nmea"):
        for kind in ("visits", "destinations"):
            listing = run([siege.godwit, kind, "--store", siege.path(name + ".gpkg"), "--json"])
            count = len(json.loads(listing.output or b"[]"))
            found.check(count == 1, f"{name}: {count} {kind} of one stay on the date line")
    found.says("a stay on 180° is one visit and one destination")
