"""The table that the checks fill, and the page that is kept of it."""

import datetime

# What a row may say. A figure without a goal is "measured".
PASSED, FAILED, SKIPPED, MEASURED = "passed", "FAILED", "skipped", "measured"

CANNOT_SHOW = (
    "the rate of copies from one GPU to another, with and without peer access",
    "memory or events of one process opened by another on a second GPU",
    "whether what sysfs says of two GPUs (PIX to SYS) is what NVML says",
    "the memory limits of two GPUs at the same time",
    "a GPU that is lost to the feeder, memory that the driver refuses to pin or to open, an exclusive compute mode, a divided GPU, no events between "
    "processes, no peer access left: a sound machine does none of it on purpose",
    "what a data GPU gains a trainer on another one: here it is a copy more, or a cache beside the model",
)
ONLY_THE_FAKE = "an ECC error, a copy that hangs, memory that runs out in the middle of a run, a link that becomes slow, the order of driver calls"


class Row:
    """One line: what was checked, what came out, and whether that is right."""

    def __init__(self, check, proves, figure, result, why=""):
        self.check, self.proves, self.figure, self.result, self.why = check, proves, figure, result, why

    def cells(self):
        result = f"{self.result}: {self.why}" if self.why else self.result
        return [text.replace("|", "/").replace("\n", " ") for text in (self.check, self.proves, self.figure, result)]


class Table:
    """The rows so far; every new one is told at once."""

    def __init__(self, tell):
        self.rows, self.tell = [], tell

    def add(self, row):
        self.rows.append(row)
        check, _, figure, _ = row.cells()
        self.tell(f"{row.result:<8}  {check}" + (f": {figure}" if figure else "") + (f" ({row.why})" if row.why else ""))

    def failed(self):
        return [row for row in self.rows if row.result == FAILED]

    def markdown(self):
        lines = ["| check | what it proves | figure | result |", "|---|---|---|---|"]
        lines += ["| " + " | ".join(row.cells()) + " |" for row in self.rows]
        return "\n".join(lines)

    def summary(self):
        counts = [(sum(row.result == result for row in self.rows), result) for result in (PASSED, FAILED, MEASURED, SKIPPED)]
        return ", ".join(f"{n} {result}" for n, result in counts if n)


REAL = "# What a real GPU showed", "The last run of `make test-gpu`; `bench/gpu/README.md` says how to repeat it and what each check does."
TRIED = "# What was tried without a GPU", "No GPU was there: this says that the checks run, and no figure here is one of a GPU."


def page(table, machine, partly, real):
    """The content of RESULTS-gpu.md. machine is pairs of a name and a value; partly says what was left out on purpose; real,
    that there was a GPU."""
    title, about = REAL if real else TRIED
    lines = [
        title, "", about, "",
        "| | |", "|---|---|",
        f"| date | {datetime.date.today().isoformat()} |",
    ]
    lines += [f"| {name} | {value} |" for name, value in machine]
    lines += [f"| rows | {table.summary()} |"]
    if partly:
        lines += [f"| not the whole run | {partly} |"]
    lines += ["", table.markdown(), "", "## What was not shown", ""]
    lines += [f"- {row.check}: {row.why}" for row in table.rows if row.result == SKIPPED] or ["Nothing was skipped."]
    lines += ["", "One GPU cannot show:", ""]
    lines += [f"- {text}" for text in CANNOT_SHOW]
    lines += ["", f"Only the fake driver of the tests can show: {ONLY_THE_FAKE}.", ""]
    return "\n".join(lines)
