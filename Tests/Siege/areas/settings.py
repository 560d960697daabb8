"""The settings: damaged ones, and those that a user might really write."""

import os
from concurrent.futures import ThreadPoolExecutor

from field import area
from mutation import flip, pick, splice
from program import Memory, least_work, run

WORDS = [b"", b"-1", b"0", b"1e999", b"nan", b"[", b"]", b"{", b"}", b"=", b'"', b"'''", b'"""',
         b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r", b"#", b"inf", b"9" * 50, b"true", b"[[a]]",
         b"2026-13-45", b"0x", b"0b2", b"1_", b"\\u0000", b"a.b.c = 1\n", b"[store]\n", b"1979"]


def damaged_settings(text, chance):
    lines = text.splitlines(keepends=True)
    for _ in range(1 + int(chance.random() * 4)):
        at = int(chance.random() * len(lines))
        kind = chance.random()
        if kind < 0.3:
            lines[at] = flip(lines[at], chance, None) if lines[at] else b""
        elif kind < 0.5:
            lines[at] = splice(lines[at], chance, lines) if lines[at] else b""
        elif kind < 0.7:
            key, equals, _ = lines[at].partition(b"=")
            lines[at] = key + equals + b" " + pick(chance, WORDS) + b"\n"
        elif kind < 0.8:
            lines.insert(at, pick(chance, lines))
        elif kind < 0.9:
            del lines[at]
        else:
            lines.insert(at, pick(chance, WORDS))
        lines = lines or [b"\n"]
    return b"".join(lines)


@area("settings", minutes=4)
def settings(siege):
    """Settings, mutation fuzzing through config check"""
    default = run([siege.godwit, "config", "default"]).output
    values = [line for line in default.splitlines(keepends=True) if not line.startswith(b"#")]
    count = siege.size(24_000, 600)
    found = siege.found

    def check(number):
        chance = siege.chance(number)
        text = damaged_settings(default if number % 4 == 0 else b"".join(values), chance)
        path = siege.path(f"{number}.toml")
        with open(path, "wb") as file:
            file.write(text)
        result = run([siege.godwit, "config", "check", "--config", path])
        os.unlink(path)
        is_silent = not (result.errors if result.code else result.output)
        return number, result, is_silent

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, range(count)))
    found.tried(f"{count:,} mutations of config default")
    for code in (0, 2):
        found.says(f"rc {code}: {sum(result.code == code for _, result, _ in results):,}")
    found.none("other ends", [f"mutation {number}: {result}" for number, result, _ in results
                              if result.code not in (0, 2)])
    found.none("silent", [f"mutation {number}" for number, _, silent in results if silent])
    found.at_most("slowest", max(result.seconds for _, result, _ in results), 2, "s")


def files_by_hand(siege):
    """Name and path of settings files, and whether they must be refused."""
    def made(name, data):
        path = siege.path(name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    good = b'[policy]\nname = "continuous"\n'
    os.mkdir(siege.path("folder"))
    os.symlink(siege.path("loop-b"), siege.path("loop-a"))
    os.symlink(siege.path("loop-a"), siege.path("loop-b"))
    big = siege.path("big.toml")
    with open(big, "wb") as file:
        for _ in range(100):
            file.write(b"# nothing\n" * 100_000)
    return [
        ("BOM", made("bom.toml", b"\xef\xbb\xbf" + good), None),
        ("CRLF", made("crlf.toml", good.replace(b"\n", b"\r\n")), False),
        ("lone CR", made("cr.toml", b"a = 1\rb = 2\n"), True),
        ("100 MB", big, None), ("/dev/urandom", "/dev/urandom", True),
        ("/dev/zero", "/dev/zero", True), ("folder", siege.path("folder"), True),
        ("20,000 levels", made("deep.toml", b"a = " + b"[" * 20_000 + b"]" * 20_000), True),
        ("20,000 tables", made("tables.toml", b"a = " + b"{b=" * 20_000), True),
        ("dotted", made("dotted.toml", b"a" + b".a" * 20_000 + b" = 1"), True),
        ("NULs", made("nul.toml", b"\0" * 4096), True), ("empty", made("empty.toml", b""), False),
        ("link loop", siege.path("loop-a"), True), ("missing", siege.path("missing.toml"), True),
        ("UTF-16", made("utf16.toml", good.decode().encode("utf-16")), True),
        ("long line", made("line.toml", b"a = \"" + b"x" * 1_000_000 + b"\""), True),
        ("repeated", made("repeated.toml", good + good), True),
    ]


def boards_by_hand(siege):
    """Boards that include themselves, each other, and five thousand at once."""
    def board(name, others):
        with open(siege.path(name), "w") as file:
            file.write(f"boards = [{', '.join(repr(siege.path(one)) for one in others)}]\n"
                       .replace("'", '"'))
        return siege.path(name)

    for number in range(50):
        board(f"chain-{number}.toml", [f"chain-{(number + 1) % 50}.toml"])
    return [("board naming itself", board("self.toml", ["self.toml"])),
            ("boards in a cycle", siege.path("chain-0.toml")),
            ("5,000 boards", board("many.toml", [f"none-{n}.toml" for n in range(5_000)]))]


MOST_WORK_S = 0.03


@area("settings-by-hand", minutes=0.3)
def settings_by_hand(siege):
    """Settings by hand: odd files, deep nesting, boards in cycles, every maximum"""
    found, refusals, memory, slowest = siege.found, [], Memory(), 0
    cases = [(name, ["--config", path], refused) for name, path, refused in files_by_hand(siege)]
    cases += [(name, ["--config", path], None) for name, path in boards_by_hand(siege)]
    cases += [(f"{name} as a board", ["--board", path], None)
              for name, path in boards_by_hand(siege)]
    cases.append(("--set of 2,000 levels", ["--set", "a" + ".a" * 2_000 + "=1"], True))
    cases.append(("--set of brackets", ["--set", "boards=" + "[" * 2_000], True))
    odd = []
    for name, options, refused in cases:
        result = least_work([siege.godwit, "config", "check", *options], MOST_WORK_S)
        memory.merge(result.memory)
        slowest = max(slowest, result.worked_s)
        if result.code not in (0, 2) or (refused is not None and refused != (result.code == 2)):
            odd.append(f"{name}: {result}")
        if result.code == 2 and not result.errors:
            odd.append(f"{name}: refused without a word")
        refusals.append(result.code == 2)
    found.tried(f"{len(cases)} cases, {sum(refusals)} refused")
    found.none("surprises", odd)
    found.at_most("most work", slowest, MOST_WORK_S, "s")
    memory.report(found, 6)
    simulate_maxima(siege)


# The settings whose largest values determine the memory and the arithmetic of a run.
MAXIMA = [
    "gate.max_error_m=100000", "gate.max_speed_mps=10000",
    "gate.max_acceleration_mps2=1000", "gate.max_time_jump_s=86400",
    "gate.fixes_to_recover=1000", "gate.settling_fixes=1000", "gate.settling_time_s=3600",
    "gate.fixes_until_frozen=10000", "dwell.min_dwell_s=86400", "dwell.rest_radius_m=1000",
    "dwell.leave_radius_m=10000", "dwell.radius_growth=10", "dwell.min_absence_s=86400",
    "dwell.merge_window_s=86400", "dwell.max_gap_s=86400", "trajectory.sed_bound_m=10000",
    "trajectory.max_interval_s=86400", "acquisition.timeout_s=3600",
    "policy.hybrid.swap_after_s=86400", "store.commit_interval_s=86400",
    "store.retention_days=36500"]


def simulate_maxima(siege):
    found, odd = siege.found, []
    for policy in ("adaptive", "hybrid", "periodic", "continuous"):
        for number, setting in enumerate(MAXIMA):
            store = siege.path(f"{policy}-{number}.gpkg")
            result = run([siege.godwit, "simulate", "--policy", policy, "--store", store,
                          "--set", setting])
            if result.code != 0 and not (result.code == 2 and result.errors):
                odd.append(f"{setting}, {policy}: {result}")
    found.tried(f"{len(MAXIMA)} maxima x 3 policies simulated")
    found.none("failed simulations", odd)
