#!/usr/bin/env python3
"""Tests of figures.py: that a stale row is found, and a right one is not."""

import contextlib
import unittest

from figures import differences, holds, numbers, printed, tables, verdict

DOCUMENT = """Some weeks:

<!-- figures: study 1; sample: study 1 hiker -->

| life | energy |
|---|---|
| the hiker | **1,058 J** |
| sailor | 52 J |

| other | table |
|---|---|
| a | b |
"""

OUTPUT = """seeds 1 to 2
| life | days | energy in all |
|---|---|---|
| sailor | 7 | 52 J |
| hiker | 7 | 1058 J |
"""


class FiguresTest(unittest.TestCase):
    def setUp(self):
        self.found = tables("docs/a.md", DOCUMENT)

    def stale(self, output, is_sample=False):
        return list(differences(self.found[0], printed(output), is_sample))

    def test_marks(self):
        self.assertEqual(len(self.found), 1)
        table = self.found[0]
        self.assertEqual((table.command, table.sample), ("study 1", "study 1 hiker"))
        self.assertEqual(table.rows, ["| the hiker | **1,058 J** |", "| sailor | 52 J |"])

    def test_figures(self):
        self.assertEqual(numbers("| a1 | -3.5 / 1,058 s, 2 of 3 (x 4) | M8Q 5-15 |"),
                         ["1", "-3.5", "1058", "2", "3", "4", "8", "5", "15"])
        self.assertTrue(holds("7 | 52 / 58 J", "52 | 58"))
        self.assertFalse(holds("7 | 52 / 58 J", "58 | 52"))

    def test_rows(self):
        self.assertEqual(self.stale(OUTPUT), [])
        stale = self.stale(OUTPUT.replace("1058 J", "1059 J"))
        self.assertEqual(len(stale), 1)
        self.assertIn("docs/a.md:3: | the hiker | **1,058 J** | is not printed", stale[0])

    def test_labels(self):
        swapped = OUTPUT.replace("1058 J", "x").replace("52 J", "1058 J").replace("x", "52 J")
        self.assertEqual(len(self.stale(swapped)), 2)
        own = tables("docs/a.md", DOCUMENT.replace("the hiker", "`Hiker`"))[0]
        self.assertEqual(list(differences(own, printed(OUTPUT), False)), [])
        self.assertEqual(len(list(differences(own, printed(swapped), False))), 2)
        self.assertEqual(len(list(differences(own, printed(swapped), True))), 2)

    def test_verdict(self):
        table = self.found[0]
        self.assertEqual(verdict([table, table], 2),
                         "figures: 1 commands print what 2 tables say")
        self.assertEqual(verdict([table], 3), "figures: 1 commands print what 1 tables say, "
                         "2 tables not compared")

    def test_sample(self):
        sample = OUTPUT.replace("| sailor | 7 | 52 J |\n", "")
        self.assertEqual(self.stale(sample, True), [])
        self.assertEqual(len(self.stale(sample.replace("58", "57"), True)), 1)
        self.assertEqual(len(self.stale("nothing\n", True)), 1)

    def test_no_table(self):
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(None):
            tables("docs/a.md", "<!-- figures: study -->\n\nNo table.\n")


if __name__ == "__main__":
    unittest.main(verbosity=0)
