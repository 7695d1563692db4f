"""The whole compile by turns on two cores: voxpack build, and every peer's pipeline."""

import dataclasses
import os
import shutil

from page import median, table, verdict
from peer import KEEP_MEMORY, ONE_THREAD, Finished, Others, PeerError

HERE = os.path.dirname(os.path.abspath(__file__))

CORES = 2
PIPELINE_GOAL, FORMAT_GOAL, MEMORY_GOAL = 2.5, 10.0, 200e6
SMALL = 2000  # clips of a small corpus, where start-up weighs


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    mel: str = ""
    format: str = ""
    reader: str = "soundfile"
    parts: tuple = ("speech",)
    suffix: str = ""


OURS = Row("voxpack build")
ROWS = (
    OURS,
    Row("HiFi-GAN's function in torch, soundfile → .npy", "hifigan", "npy", parts=("speech", "torch")),
    Row("SciPy mel and WAV by hand → .npy", "scipy", "npy", "numpy"),
    Row("torch mel → WebDataset", "hifigan", "webdataset", parts=("speech", "torch", "formats")),
    Row("SciPy mel → WebDataset", "scipy", "webdataset", "numpy", ("speech", "formats")),
    Row("torch mel → ArrayRecord", "hifigan", "arrayrecord", parts=("speech", "torch", "formats")),
    Row("SciPy mel → ArrayRecord", "scipy", "arrayrecord", "numpy", ("speech", "formats")),
    Row("torch mel → MDS", "hifigan", "mds", parts=("streaming",), suffix="-older"),
    Row("SciPy mel → MDS", "scipy", "mds", "numpy", ("streaming",), "-older"),
)


@dataclasses.dataclass
class Run:
    """One run; steady and start add up to the wall time, seen from outside."""
    clips: int
    steady: float
    start: float
    cpu: float
    anonymous: int
    bytes: int

    def rate(self):
        return self.clips / self.steady

    def wall(self):
        return self.start + self.steady

    def whole(self, clips):
        """Seconds for so many clips, the start included."""
        return self.start + clips / self.rate()


class CompilePart:
    def __init__(self, session):
        self.session, self.runs, self.small_runs, self.bare, self.others = session, {}, {}, [], Others()
        self.out = os.path.join(session.work, "out")
        self.rows, self.clips, self.report = [], 0, {}
        for row in ROWS:
            missing = next((part for part in row.parts if part in session.left_out), None) if row is not OURS else None
            if missing:
                session.leave_out(row.name, session.left_out[missing])
            else:
                self.rows.append(row)
        self.small = session.first_rows(session.corpus, SMALL, os.path.join(session.work, "small")) if session.args.clips > SMALL else None

    def measure(self):
        for n in range(self.session.args.rounds):
            self.session.calibration.sample()
            self.bare.append(self.others.measure(self.session.stages.lap))
            for row in self.rows[::-1 if n % 2 else 1]:
                self.session.say(f"compile: round {n + 1} of {self.session.args.rounds}, {row.name}")
                try:
                    self.both(row)
                except PeerError as why:
                    if row is OURS:
                        raise
                    self.session.leave_out(row.name, str(why))
                    self.rows = [r for r in self.rows if r is not row]
                    self.runs.pop(row, None)
                    self.small_runs.pop(row, None)
        self.session.calibration.others["compiles"] = self.others.shares

    def both(self, row):
        """One run over the whole corpus, one over the small one, where that is smaller."""
        for corpus, runs in ((self.session.corpus, self.runs), (self.small, self.small_runs)):
            if corpus:
                runs.setdefault(row, []).append(self.others.measure(lambda: self.run(row, corpus)))

    def run(self, row, corpus):
        """One run into a new folder. Its clips are in the page cache; what it wrote is removed and the rest is on the disk before the next one begins."""
        self.session.read_clips(corpus)
        try:
            done = Finished(row.name, self.command(row, corpus), CORES, {} if row is OURS else dict(ONE_THREAD, **KEEP_MEMORY))
            run = self.ours(done) if row is OURS else self.theirs(row, done)
        finally:
            shutil.rmtree(self.out, ignore_errors=True)
            os.sync()
        return run, done.cpu

    def command(self, row, corpus):
        args = self.session.args
        if row is OURS:
            return [self.session.program("voxpack"), "build", corpus, "-o", self.out, "-q", "--json", "-j", str(CORES)]
        return [self.session.python(row.suffix), os.path.join(HERE, "compile.py"), row.mel, row.format, corpus,
                str(SMALL if corpus is self.small else min(args.peer_clips, args.clips)), self.out, "--workers", str(CORES), "--reader", row.reader]

    def ours(self, done):
        report, seconds = done.json, done.json["seconds"]
        kept = report["rows"]["kept"]
        if kept >= self.clips:
            self.report, self.clips = report, kept
        return Run(kept, seconds, done.wall - seconds, done.cpu, done.anonymous, report["bytes_written"])

    def theirs(self, row, done):
        found = done.json
        self.session.versions(row.name, found["versions"])
        return Run(found["clips"], found["seconds"], done.wall - found["seconds"], done.cpu, done.anonymous, found["bytes"])

    def steady_over(self, row):
        return median(a.rate() / b.rate() for a, b in zip(self.runs[OURS], self.runs[row]))

    def whole_over(self, row, clips):
        return median(b.whole(clips) / a.whole(clips) for a, b in zip(self.runs[OURS], self.runs[row]))

    def small_over(self, row):
        return median(b.wall() / a.wall() for a, b in zip(self.small_runs[OURS], self.small_runs[row]))

    def cells(self, row):
        runs = self.runs[row]
        rates = [run.rate() for run in runs]
        cells = [row.name, runs[0].clips, f"{median(rates):.0f}", f"{min(rates):.0f}", f"{max(rates):.0f}", f"{median(r.start for r in runs):.2f}",
                 f"{median(r.whole(self.clips) for r in runs):.1f}", f"{median(1e3 * r.cpu / r.clips for r in runs):.2f}",
                 f"{max(r.anonymous for r in runs) / 1e6:.0f}", f"{runs[0].bytes / runs[0].clips / 1e3:.0f}"]
        return cells + (["", ""] if row is OURS else [f"{self.steady_over(row):.2f}", f"{self.whole_over(row, self.clips):.2f}"])

    def markdown(self):
        args, rows = self.session.args, self.report["rows"]
        theirs = "the same rows" if args.peer_clips >= self.clips else f"{args.peer_clips} of them"
        lines = ["## Whole compile on two cores", "",
                 "From metadata and WAVs in the page cache (all are read before each run) to samples on the file system: text cleaned and tokenised, WAV decoded, mel, written; "
                 f"rounds: {args.rounds}, by turns; medians. voxpack builds {rows['total']} rows ({rows['kept']} kept, {rows['rejected']} rejected) into a new store, "
                 f"with content hashes, Badger and its own fsyncs; peers have two worker processes, hash nothing and sync nothing, and take {theirs}. "
                 "Steady is from the first row to the last file closed. Start-up is the rest of the process's wall time: "
                 "imports (once, before the workers are forked), warming, the end. .npy files are unpadded, formats hold the padded sample of 257 kB, as the store does. "
                 "The English cleaners are a stand-in of equal work (`spoken.py`). Times for other numbers of clips than were run are start-up plus clips over the steady rate. "
                 "CPU contains the start, which weighs more on fewer clips; anonymous memory is added up over the processes.", ""]
        lines += table(("what", "clips", "clips/s, steady", "min", "max", "start-up, s", f"{self.clips} clips with start-up, s", "CPU ms a clip", "anonymous MB, most",
                        "kB a clip", "voxpack is faster by, steady", "with start-up"), [self.cells(row) for row in self.rows])
        bare = median(lap["clips"] / lap["seconds"] for lap in self.bare)
        lines += [f"voxpack's stages without the store (text, decoding, mel by {CORES} goroutines into one block each, nothing hashed or written): "
                  f"{bare:.0f} clips/s, steady, over {self.bare[0]['clips']} clips.", ""]
        return lines + self.small_table() + self.goals()

    def small_table(self):
        """Whole processes over the small corpus, as somebody with a clock sees them."""
        if not self.small:
            return []
        cells = []
        for row in self.rows:
            walls = [run.wall() for run in self.small_runs[row]]
            cells.append([row.name, f"{median(walls):.2f}", f"{min(walls):.2f}", f"{max(walls):.2f}", f"{median(SMALL / wall for wall in walls):.0f}",
                          "" if row is OURS else f"{self.small_over(row):.2f}"])
        return [f"The first {SMALL} clips, whole processes, in the same rounds:", "",
                *table(("what", "s", "min", "max", "clips/s", "voxpack is faster by"), cells)]

    def goals(self):
        ways = [("steady", self.steady_over)]
        ways += [(f"{self.clips} clips with start-up", lambda row: self.whole_over(row, self.clips))]
        ways += [(f"{SMALL} clips with start-up", self.small_over)] if self.small else []
        pipelines, writers = [r for r in self.rows if r.format == "npy"], [r for r in self.rows if r.format not in ("", "npy")]
        groups = (("the best Python pipeline", PIPELINE_GOAL, pipelines),
                  ("the best sharded-format writer with the customary mel", FORMAT_GOAL, [r for r in writers if r.mel == "hifigan"]),
                  ("the best sharded-format writer with the best mel", FORMAT_GOAL, [r for r in writers if r.mel == "scipy"]))
        goals = []
        for what, limit, chosen in groups:
            for how, over in ways if chosen else ():
                best = min(chosen, key=over)
                goals.append([f"voxpack over {what}, {how} ({best.name})", f"{over(best):.2f}", f"≥ {limit:g}", verdict(over(best) >= limit)])
        memory = max(r.anonymous for r in self.runs[OURS])
        goals.append(["anonymous memory of the build, MB", f"{memory / 1e6:.0f}", f"< {MEMORY_GOAL / 1e6:.0f}", verdict(memory < MEMORY_GOAL)])
        return table(("goal", "reached", "want", ""), goals)
