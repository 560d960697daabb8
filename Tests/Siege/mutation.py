"""Damage as by receivers, lines and attackers, to recordings and to JSON."""

import functools
import itertools
import operator
import re

UNIT = re.compile(rb"[$!][^\r\n]{1,400}\r?\n|\{[^\r\n]{1,4000}\r?\n", re.DOTALL)
FIELDS = [b"", b"-", b"-0", b"nan", b"inf", b"1e308", b"-1e-308", b"99999999999", b"9" * 60,
          b"0000.0000", b"9000.00001", b"18000.00001", b"-5", b"1e9", b"\xff", b"A", b"V", b"0",
          b"310299", b"010100", b"311299", b"235960.00", b"250000.00", b"4807.038.1", b"\x00"]
VALUES = [b"null", b"true", b"-1", b"1e999", b"9" * 400, b'""', b"[]", b"{}", b'"\\u001b[31m"',
          b'"9999-99-99T99:99:99Z"', b'"\\ud800"', b"-90.0000001", b"180.0000001", b"1e-400",
          b'"\\nfix accepted"', b"[[[[[[[[[[[[]]]]]]]]]]]]", b"0", b"-0.0"]
LENGTHS = [0, 1, 2, 91, 92, 93, 255, 256, 1023, 4095, 8191, 32768, 65534, 65535]


def units(recording):
    """Sentences, frames and the bytes between them."""
    found, position = [], 0
    while position < len(recording):
        if recording.startswith(b"\xb5\x62", position):
            length = int.from_bytes(recording[position + 4:position + 6], "little")
            end = min(position + 8 + length, len(recording))
        elif match := UNIT.match(recording, position):
            end = match.end()
        else:
            ends = [at for at in (recording.find(mark, position + 1)
                                  for mark in (b"$", b"\xb5\x62", b"\n{")) if at > 0]
            end = min(ends + [position + 512, len(recording)])
        found.append(recording[position:end])
        position = end
    return found


def mended(unit):
    """The same with a correct checksum."""
    if unit[:2] == b"\xb5\x62" and len(unit) >= 8:
        body = unit[2:-2]
        sums = list(itertools.accumulate(body))
        return unit[:-2] + bytes((sums[-1] & 255, sum(sums) & 255))
    star = unit.rfind(b"*")
    if unit[:1] in (b"$", b"!") and star > 0:
        body = unit[1:star]
        return unit[:star] + b"*%02X\r\n" % functools.reduce(operator.xor, body, 0)
    return unit


def pick(chance, things):
    return things[int(chance.random() * len(things))]


def flip(unit, chance, _):
    data = bytearray(unit)
    for _ in range(1 + int(chance.random() * 4)):
        data[int(chance.random() * len(data))] ^= 1 << int(chance.random() * 8)
    return bytes(data)


def splice(unit, chance, others):
    """Cut out, doubled, or replaced by a piece of another one."""
    a = int(chance.random() * len(unit))
    b = a + int(chance.random() * (len(unit) - a + 1))
    kind = chance.random()
    if kind < 0.3:
        return unit[:a] + unit[b:]
    if kind < 0.5:
        return unit[:b] + unit[a:b] * (1 + int(chance.random() * 8)) + unit[b:]
    other = pick(chance, others)
    c = int(chance.random() * len(other))
    return unit[:a] + other[c:c + 1 + int(chance.random() * 200)] + unit[b:]


def field(unit, chance, _):
    """Another value in a field of a sentence, a number of JSON, or some bytes of a frame."""
    if unit[:1] in (b"$", b"!"):
        head, star, tail = unit.rpartition(b"*")
        parts = (head or tail).split(b",")
        parts[int(chance.random() * len(parts))] = pick(chance, FIELDS)
        return b",".join(parts) + star + (tail if head else b"")
    if unit[:1] == b"{":
        return json_value(unit, chance)
    data = bytearray(unit)
    at = int(chance.random() * len(data))
    width = min(1 << int(chance.random() * 4), len(data) - at)
    data[at:at + width] = pick(chance, (b"\x00", b"\xff", b"\x80", b"\x7f")) * width
    return bytes(data)


def length(unit, chance, others):
    """A wrong length in a frame; a sentence far too long."""
    if unit[:2] == b"\xb5\x62" and len(unit) >= 8:
        wrong = pick(chance, LENGTHS) if chance.random() < 0.7 else int(chance.random() * 65536)
        return unit[:4] + wrong.to_bytes(2, "little") + unit[6:]
    return unit.rstrip() + b"," * int(chance.random() * 300) + pick(chance, others)


def json_value(line, chance):
    places = [match.span(1) for match in re.finditer(rb":\s*([^,}\[\]{]+)", line)]
    if not places:
        return line
    a, b = pick(chance, places)
    return line[:a] + pick(chance, VALUES) + line[b:]


FAMILIES = (flip, splice, field, length)


def damaged(unit, chance, others):
    """One unit with one damage; its checksum is corrected in three of five cases."""
    if not unit:
        return unit
    changed = pick(chance, FAMILIES)(unit, chance, others)
    return mended(changed) if chance.random() < 0.6 else changed


def stretch(parts, chance, others, most=110):
    """A part of a recording with one to eight of its units damaged."""
    start = int(chance.random() * len(parts))
    chosen = parts[start:start + most]
    for _ in range(1 + int(chance.random() * 8)):
        at = int(chance.random() * len(chosen))
        chosen[at] = damaged(chosen[at], chance, others)
    return b"".join(chosen)


def damaged_line(line, chance, others):
    """A line of text or JSON, damaged; still one line."""
    kind = chance.random()
    if kind < 0.5:
        line = json_value(line, chance)
    elif kind < 0.75:
        line = flip(line, chance, others)
    else:
        line = splice(line, chance, others)
    return line.replace(b"\n", b" ") + b"\n"
