# SPDX-License-Identifier: BSD-3-Clause
"""A plugin for pytest, loaded by run_tests.py: runs the tests that a file names, and writes down what becomes of each.

--tsb-list FILE     only collect: writes the ids of all tests into FILE, one on a line
--tsb-only FILE     run only the tests whose ids FILE has, one on a line: thousands do not fit on a command line
--tsb-journal FILE  append a line of JSON when a test begins ("id") and when it ends ("id", "outcome", "seconds",
                    "message"), written at once: what began and did not end was running when pytest died
"""

import json


def pytest_addoption(parser):
    group = parser.getgroup("tsb")
    for name in ("list", "only", "journal"):
        group.addoption("--tsb-" + name, metavar="FILE")


def pytest_configure(config):
    # With xdist the workers send their reports to the process that started them, which alone writes.
    if config.option.tsb_journal and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Journal(config.option.tsb_journal))


def pytest_collection_modifyitems(config, items):
    if config.option.tsb_list:
        with open(config.option.tsb_list, "w") as stream:
            stream.writelines(item.nodeid + "\n" for item in items)
    if config.option.tsb_only:
        with open(config.option.tsb_only) as stream:
            wanted = set(stream.read().splitlines())
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in wanted])
        items[:] = [item for item in items if item.nodeid in wanted]


class Journal:
    def __init__(self, path):
        self.stream = open(path, "a", buffering=1)
        self.tests = {}

    def write(self, **values):
        self.stream.write(json.dumps(values) + "\n")

    def pytest_runtest_logstart(self, nodeid, location):
        self.tests[nodeid] = {"outcome": "passed", "seconds": 0.0, "message": ""}
        self.write(id=nodeid)

    def pytest_runtest_logreport(self, report):
        # xdist does not report the end of one of its workers in another way.
        if report.when == "???":
            self.write(id=report.nodeid, outcome="crashed", seconds=0.0, message=str(report.longrepr))
            return
        test = self.tests[report.nodeid]
        test["seconds"] += report.duration
        if report.failed:
            test["outcome"] = "failed"
        elif report.skipped and test["outcome"] == "passed":
            test["outcome"] = "xfailed" if hasattr(report, "wasxfail") else "skipped"
        if not report.passed and not test["message"]:
            test["message"] = in_a_line(report)

    def pytest_runtest_logfinish(self, nodeid, location):
        test = self.tests.pop(nodeid)
        self.write(id=nodeid, outcome=test["outcome"], seconds=round(test["seconds"], 3), message=test["message"])


def in_a_line(report):
    """For a failure the line that names the exception, for a skipped test the reason."""
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2]
    lines = str(report.longrepr or "").splitlines()
    # After the last frame of the last traceback; what follows are differences, or PyTorch's hint on how to run one test.
    frames = [number for number, line in enumerate(lines) if line.startswith('  File "')]
    rest = lines[frames[-1] + 1 :] if frames else lines
    return next((line for line in rest if line and not line[0].isspace()), "")
