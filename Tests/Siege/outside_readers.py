#!/usr/bin/env python3
"""What libraries of others read. Debian's belong to Debian's Python, hence a program of its own.

outside_readers.py geojson FILE      prints what is wrong with it (python3-geojson)
outside_readers.py schedules COUNT   reads a JSON list of calendar texts from standard input, and
                                     prints for each its first occurrences as pairs of UTC seconds,
                                     or why it cannot be read (python3-icalendar, -dateutil)
"""

import datetime
import json
import sys
import zoneinfo

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def complaints(path):
    import geojson
    with open(path) as file:
        collection = geojson.load(file)
    wrong = [] if collection.is_valid else [str(collection.errors())]
    return wrong + [f"feature {number}: {feature.errors()}"
                    for number, feature in enumerate(collection["features"], 1)
                    if not feature.is_valid]


def utc(naive, zone):
    """Local times that do not exist count by the offset before the gap, those that are twice are
    the first (RFC 5545, section 3.3.5): as Python reads them with fold=0 (PEP 495)."""
    return naive.replace(tzinfo=zone, fold=0)


def occurrences(text, count, local):
    """The first ones, as (start, end) in seconds."""
    import icalendar
    from dateutil import rrule
    event = icalendar.Event.from_ical(f"BEGIN:VEVENT\n{text}\nEND:VEVENT\n")
    start = event["DTSTART"]
    zone = zoneinfo.ZoneInfo(start.params["TZID"]) if "TZID" in start.params else local
    first = start.dt
    if first.tzinfo is not None and "TZID" not in start.params:
        zone = datetime.timezone.utc
    first = first.replace(tzinfo=None)
    # The end makes a duration in exact time, days of a duration are those of the calendar
    # (RFC 5545, section 3.8.5.3).
    days, exact = datetime.timedelta(), datetime.timedelta()
    if "DTEND" in event:
        end = utc(event["DTEND"].dt.replace(tzinfo=None), zone)
        exact = (end - EPOCH) - (utc(first, zone) - EPOCH)
    else:
        lasts = event["DURATION"].dt
        days = datetime.timedelta(days=lasts.days)
        exact = lasts - days
    starts = [first]
    if "RRULE" in event:
        rule = event["RRULE"]
        if "UNTIL" in rule:
            rule["UNTIL"] = [until.astimezone(zone).replace(tzinfo=None)
                             if until.tzinfo else until for until in rule["UNTIL"]]
        every = rrule.rrulestr(rule.to_ical().decode(), dtstart=first)
        # A start that the rule does not have is undefined (RFC 5545, section 3.8.5.3); dateutil
        # leaves it out, and so does Godwit.
        starts = [one for one, _ in zip(every, range(count))]
    pairs = []
    for one in starts[:count]:
        begin = (utc(one, zone) - EPOCH).total_seconds()
        end = (utc(one + days, zone) - EPOCH + exact).total_seconds()
        pairs.append([begin, end])
    return pairs


def main():
    if sys.argv[1] == "geojson":
        answer = complaints(sys.argv[2])
    else:
        local = zoneinfo.ZoneInfo("Europe/Berlin")
        answer = []
        for text in json.load(sys.stdin):
            try:
                answer.append(occurrences(text, int(sys.argv[2]), local))
            except (ValueError, KeyError) as error:
                answer.append(f"{type(error).__name__}: {error}")
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
