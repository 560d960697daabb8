"""What SQLite's own library says about a store."""

import contextlib
import sqlite3


def opened(path, mode):
    """The store until the end of a with statement; without transactions of Python's making."""
    return contextlib.closing(sqlite3.connect(
        f"file:{path}?mode={mode}", uri=True, timeout=5, isolation_level=None))


def query(path, sql, *values):
    with opened(path, "ro") as store:
        return store.execute(sql, values).fetchall()


def number(path, sql, *values):
    return query(path, sql, *values)[0][0] or 0


def integrity(path):
    """\"ok\", or what is wrong."""
    # May write: what an interrupted daemon left is first rolled back, as the next one would.
    try:
        with opened(path, "rw") as store:
            return "; ".join(row[0] for row in store.execute("PRAGMA integrity_check"))[:200]
    except sqlite3.Error as error:
        return str(error)


def points(path):
    """How many track points are stored; a file without the table has none."""
    try:
        return number(path, "SELECT count(*) FROM track_points")
    except sqlite3.Error:
        return 0


def change(path, sql, *values):
    with opened(path, "rw") as store:
        store.execute(sql, values)
