#!/usr/bin/env python3
"""Tests of manual.py: that a wrong command, option or output of a page is found."""

import json
import os
import stat
import tempfile
import unittest

from manual import Page, Program, is_command, is_printed

# A program with one command that prints its arguments, and one that asks the daemon.
DESCRIPTION = {"command": {"commandName": "godwit", "subcommands": [
    {"commandName": "visits", "arguments": [
        {"names": [{"kind": "long", "name": "config"}]}, {"names": [{"kind": "short", "name": "o"}]}]},
    {"commandName": "gnss", "subcommands": [{"commandName": "on"}]},
    {"commandName": "config", "subcommands": [{"commandName": "check"}]}]}}
SCRIPT = """#!/bin/sh
[ "$1" != --experimental-dump-help ] || { echo '%s'; exit; }
[ "$2" != fail ] || exit 3
echo "$1 $2"
"""


class PrintedTests(unittest.TestCase):
    def test_same(self):
        self.assertTrue(is_printed(["a  b"], "a  b  \n"))
        self.assertFalse(is_printed(["a  b"], "a  c\n"))
        self.assertFalse(is_printed(["a"], "a\nb\n"))

    def test_elisions(self):
        self.assertTrue(is_printed(["a", "[...]", "d"], "a\nb\nc\nd\n"))
        self.assertTrue(is_printed(["made by …: a"], "made by 0.1: a\n"))
        self.assertFalse(is_printed(["a", "[...]"], "b\n"))


class PageTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        path = os.path.join(self.folder.name, "program")
        with open(path, "w") as script:
            script.write(SCRIPT % json.dumps(DESCRIPTION))
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        self.program = Program(path)

    def tearDown(self):
        self.folder.cleanup()

    def check(self, *lines, before=""):
        path = os.path.join(self.folder.name, "page.md")
        with open(path, "w") as page:
            page.write("\n".join([before, "```console", *lines, "```", ""]))
        page = Page(self.program, path)
        page.check()
        return page

    def test_right(self):
        page = self.check("$ godwit visits a", "visits a", "$ godwit visits fail   # exit status 3",
                          "$ godwit gnss on", "$ sudo systemctl restart godwit")
        self.assertEqual(page.faults, [])
        self.assertEqual(page.counts["commands"], 2)
        self.assertEqual(sum(page.not_run.values()), 2)

    def test_wrong_output_and_status(self):
        self.assertIn("prints something else", self.check("$ godwit visits a", "visits b").faults[0])
        self.assertIn("exit status 3", self.check("$ godwit visits fail").faults[0])

    def test_preparation(self):
        page = self.check("$ godwit visits a", before="<!-- before: godwit visits b -->")
        self.assertEqual((page.faults, page.counts["commands"]), ([], 2))
        page = self.check("$ godwit visits a", before="<!-- before: godwit visits fail -->")
        self.assertIn("page.md:1: godwit visits fail: exit status 3", page.faults[0])

    def test_what_does_not_exist(self):
        self.assertIn("no option --from", self.check("$ godwit visits --from today").faults[0])
        self.assertIn("no subcommand gnss of", self.check("$ godwit gnss of").faults[0])
        self.assertIn("no option -x", self.check("$ sudo godwit gnss on -x").faults[0])
        self.assertIn("in no list", self.check("$ unknown thing").faults[0])

    def test_default_settings(self):
        self.assertEqual(self.program.resolve(["visits", "a"])[0], ["visits"])
        page = self.check("$ godwit visits", "visits --config")
        self.assertEqual(page.faults, [])


class CommandTests(unittest.TestCase):
    def test_position(self):
        for text, number in (("godwit visits", 0), ("sudo -u godwit godwit doctor", 3)):
            self.assertTrue(is_command(text.split(), number), text)
        for text, number in (("sudo -u godwit godwit doctor", 2), ("sudo systemctl stop godwit", 3)):
            self.assertFalse(is_command(text.split(), number), text)


if __name__ == "__main__":
    unittest.main()
