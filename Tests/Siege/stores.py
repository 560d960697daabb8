"""SQLite's own check of a store."""

import contextlib
import sqlite3


def opened(path, mode):
    """The store within a with statement; without Python's own transactions."""
    return contextlib.closing(sqlite3.connect(
        f"file:{path}?mode={mode}", uri=True, timeout=5, isolation_level=None))


def query(path, sql, *values):
    with opened(path, "ro") as store:
        return store.execute(sql, values).fetchall()


def number(path, sql, *values):
    return query(path, sql, *values)[0][0] or 0


def integrity(path):
    """\"ok\", or the fault."""
    # Opened for writing: an interrupted transaction is first rolled back, as by the next daemon.
    try:
        with opened(path, "rw") as store:
            return "; ".join(row[0] for row in store.execute("PRAGMA integrity_check"))[:200]
    except sqlite3.Error as error:
        return str(error)


def points(path):
    """The number of stored track points; 0 for a file without the table."""
    try:
        return number(path, "SELECT count(*) FROM track_points")
    except sqlite3.Error:
        return 0


def change(path, sql, *values):
    with opened(path, "rw") as store:
        store.execute(sql, values)
