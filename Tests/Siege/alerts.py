"""Alerts from outside: places, alerts, and the socket at which the command is run."""

import json
import os
import socket
import subprocess
import threading

from program import CLEAN, run

# As godwit-alert.socket has it.
MOST_CONNECTIONS = 8


class AlertSocket:
    """Stands in for godwit-alert.socket and godwit-alert@.service (Accept=yes): starts a `godwit
    alerts execute` for each connection, as its standard input."""

    def __init__(self, siege, config, folder):
        self.arguments = [siege.godwit, "alerts", "execute", "--config", config]
        self.path, self.log = os.path.join(folder, "alert"), os.path.join(folder, "alert-log")
        self.processes, self.count, self.most = [], 0, 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(64)
        self.thread = threading.Thread(target=self.accept, daemon=True)
        self.thread.start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.processes = [one for one in self.processes if one.poll() is None]
            if len(self.processes) < MOST_CONNECTIONS:
                with open(self.log, "ab") as log:
                    self.processes.append(subprocess.Popen(
                        self.arguments, stdin=connection, stdout=log, stderr=log, env=CLEAN,
                        start_new_session=True))
                self.count += 1
                self.most = max(self.most, len(self.processes))
            connection.close()

    def stop(self):
        # A listener that is closed under accept(2) keeps waiting; one that is shut down does not.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join()
        os.unlink(self.path)
        for process in self.processes:
            process.wait(30)


class Command:
    """The user's command: a shell script that records each notice, then acts as configured."""

    def __init__(self, folder, then=""):
        self.path, self.noted = os.path.join(folder, "on-alert"), os.path.join(folder, "noted")
        with open(self.path, "w") as file:
            # One write of one line: lines of concurrent commands do not mix with it.
            file.write("#!/bin/sh\n"
                       f"echo \"$GODWIT_NOTICE $GODWIT_EVENT $GODWIT_PLACE\" >>{self.noted}\n"
                       f"{then}\n")
        os.chmod(self.path, 0o755)

    def runs(self):
        """The recorded lines, each as (notice, event, place)."""
        if not os.path.exists(self.noted):
            return []
        with open(self.noted) as file:
            return [tuple(line.rstrip("\n").split(" ", 2)) for line in file]


def settings(daemon, command, folder, **more):
    """Writes the settings for the daemon and for the command's process, into one file, like
    root."""
    values = {"command": [command.path], "command_socket": os.path.join(folder, "alert"), **more}
    with open(daemon.config, "w") as file:
        file.write("[alerts]\n" + "".join(f"{name} = {json.dumps(value)}\n"
                                          for name, value in values.items()))


class Failed(Exception):
    """A command that should have succeeded."""


def do(siege, *arguments, data=None, limit_s=60):
    """The output of a command that has to succeed."""
    options = {"stdin": subprocess.PIPE} if data is not None else {}
    if data is None:
        result = run([siege.godwit, *arguments], limit_s)
    else:
        done = subprocess.run([siege.godwit, *arguments], input=data, env=CLEAN, timeout=limit_s,
                              capture_output=True)
        if done.returncode != 0:
            raise Failed(f"{' '.join(arguments)}: {done.stderr[-300:]!r}")
        return done.stdout.decode()
    if result.code != 0:
        raise Failed(f"{' '.join(arguments)}: {result}")
    return result.output.decode()


def listing(siege, store, *arguments):
    return json.loads(do(siege, *arguments, "--json", "--store", store))
