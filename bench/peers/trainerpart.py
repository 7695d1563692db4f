"""How many samples a training loop gets, and how soon its first: voxpack's package beside other loaders, by turns."""

import dataclasses
import os
import shutil
import subprocess

from page import median, spread, table, verdict
from peer import Finished, Others, Peer, PeerError

HERE = os.path.dirname(os.path.abspath(__file__))

BATCH = 32
STARTS = 9  # of the goal's loop; the others, which import a framework, have one a round
FEED_GOAL, CPU_GOAL, FIRST_GOAL = 0.8, 50e-6, 0.3


def reason(why):
    """Why a loop is left out, without a path of this machine."""
    return "its environment is not there: venv.py makes it" if isinstance(why, FileNotFoundError) else str(why)


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    kind: str  # of loops.py; "feed" is bench/feed
    data: str  # what it reads, by the name of a folder
    parts: tuple = ()  # of the environments
    suffix: str = ""
    goal: float = 0.0  # how many times faster ours has to be


FEED = Row("the feed alone: `feed --device host`", "feed", "store")
TORCH = Row("voxpack `.torch()`", "voxpack-torch", "store", ("torch",))
NUMPY = Row("voxpack `.numpy()`", "voxpack-numpy", "store")
TENSORFLOW = Row("voxpack `.tensorflow()`", "voxpack-tensorflow", "store", ("tensorflow",), "-tf")
RECORDS = Row("tf.data over TFRecord", "tfrecord", "tfrecord", ("tensorflow",), "-tf", 5)
ROWS = (
    FEED, TORCH, NUMPY, TENSORFLOW,
    Row("voxpack `.tf_dataset()`", "voxpack-tfdata", "store", ("tensorflow",), "-tf"),
    Row("voxpack `.jax()`", "voxpack-jax", "store", ("tensorflow",), "-tf"),
    Row("DataLoader, two .npy files an utterance", "torch-files", "files", ("torch",), goal=10),
    Row("DataLoader, mapped .npy, sample by sample", "torch-mapped", "npy", ("torch",), goal=10),
    Row("DataLoader, mapped .npy, a batch at a time", "torch-batches", "npy", ("torch",), goal=10),
    Row("MosaicML Streaming", "streaming", "mds", ("streaming",), "-older", 10),
    RECORDS,
)


def rate(lap):
    return lap["samples"] / lap["seconds"]


def all_cpu(lap):
    return lap["all_cpu"] / lap["batches"]


class TrainerPart:
    def __init__(self, session):
        self.session, self.peers, self.laps, self.sums, self.starts, self.running = session, {}, {}, {}, {}, []
        self.laps_others, self.starts_others = Others(), Others()
        self.clips = min(session.args.trainer_clips, session.args.clips) // BATCH * BATCH

    # What they read.

    def folder(self, name):
        return os.path.join(self.session.work, "trainers", name)

    def program(self, *command):
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise PeerError(f"{os.path.basename(command[0])}: ended with {done.returncode}: {done.stderr.strip()[-300:]}")

    def prepare(self):
        """A store of the corpus's first rows, and its samples in every other form."""
        session = self.session
        if self.clips < 20 * BATCH:
            raise PeerError(f"{self.clips} clips are too few for the training loops: they want {20 * BATCH}")
        os.mkdir(self.folder(""))
        session.say(f"trainers: writing {self.clips} samples in every form")
        corpus = session.first_rows(session.corpus, self.clips, self.folder("corpus"))
        self.program(session.program("voxpack"), "build", corpus, "-o", self.folder("store"), "-q")
        self.program(session.program("feed"), "-store", self.folder("store"), "-export", self.folder("npy"))
        for row in ROWS:
            missing = next((part for part in row.parts if part in session.left_out), None)
            try:
                if missing is not None:
                    raise PeerError(session.left_out[missing])
                if not os.path.exists(self.folder(row.data)):
                    self.program(session.python(row.suffix), os.path.join(HERE, "samples.py"), row.data, self.folder("npy"), self.folder(row.data))
            except (PeerError, OSError) as why:
                session.leave_out(row.name, reason(why))
                continue
            self.laps[row], self.sums[row] = [], []
        os.sync()

    def environment(self, place):
        """Of a peer. Ours look for a feeder in a place of their own, so that none joins another's."""
        runtime = self.folder(place)
        os.makedirs(runtime, mode=0o700, exist_ok=True)
        python = os.path.join(self.session.module, "python")
        # A package that is installed has its bytecode beside it, ours too behind its first import.
        return {"PYTHONPATH": python, "PYTHONDONTWRITEBYTECODE": "", "VOXPACK": self.session.program("voxpack"), "XDG_RUNTIME_DIR": runtime,
                "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore"}

    def command(self, row):
        return [self.session.python(row.suffix), os.path.join(HERE, "loops.py"), row.kind, self.folder(row.data), str(BATCH)]

    # The loops.

    def start(self):
        """All peers, each with the bytes of an epoch compared, which brings the files into the page cache too."""
        from loops import checksum
        from samples import arrays
        columns = arrays(self.folder("npy"))
        want = {"samples": self.clips, "sum": checksum(columns.values())}
        if len(columns["mel"]) != self.clips:
            raise PeerError(f"{self.clips - len(columns['mel'])} rows of the corpus were rejected: the training loops want none")
        for i, row in enumerate(list(self.laps)):
            self.session.say(f"trainers: starting {row.name}")
            try:
                if row is FEED:
                    fillers = str(min(4, os.cpu_count()))  # as the feeder does
                    self.peers[row] = Peer(row.name, [self.session.program("feed"), "-piece", "laps", "-store", self.folder("store"), "-batch", str(BATCH), "-fillers", fillers])
                    continue
                self.peers[row] = Peer(row.name, self.command(row), env=self.environment(f"r{i}"))
                self.session.versions(row.name, self.peers[row].ask("versions"))
                got = self.peers[row].ask("check")
            except (PeerError, OSError) as why:
                self.drop(row, why)
                continue
            if got != want:
                raise PeerError(f"{row.name} brings other bytes than the store has: {got}, want {want}")

    def drop(self, row, why):
        """A peer that fails is left out; ours may not."""
        if row in (FEED, NUMPY):
            raise why
        self.session.leave_out(row.name, reason(why))
        for kept in (self.peers, self.laps, self.sums, self.starts):
            kept.pop(row, None)

    def lap(self, row, verb):
        seconds = self.session.args.lap_seconds
        if row is not FEED:
            return self.peers[row].lap(f"{verb} {seconds}")
        laps = []
        while sum(lap["seconds"] for lap in laps) < seconds:
            laps.append(self.peers[row].ask("lap"))
        whole = {key: sum(lap[key] for lap in laps) for key in laps[0]}
        return dict(whole, batches=whole["samples"] // BATCH, all_cpu=whole["cpu_seconds"]), whole["cpu_seconds"]

    def measure(self):
        self.prepare()
        self.start()
        rounds = self.session.args.rounds
        for n in range(rounds):
            self.session.say(f"trainers: round {n + 1} of {rounds}")
            self.session.calibration.sample()
            for row in list(self.laps)[::-1 if n % 2 else 1]:
                try:
                    self.laps[row].append(self.laps_others.measure(lambda row=row: self.lap(row, "lap")))
                    if row is not FEED:
                        self.sums[row].append(self.laps_others.measure(lambda row=row: self.lap(row, "sum")))
                except PeerError as why:
                    self.drop(row, why)
        for peer in self.peers.values():
            try:
                peer.close()
            except PeerError as why:  # it has said all that is wanted of it
                self.session.say(f"NOTICE: {why}")
        self.session.calibration.others["training loops"] = self.laps_others.shares
        self.measure_starts(rounds)
        shutil.rmtree(self.folder(""))

    # The first batch.

    def measure_starts(self, rounds):
        """The first batches of new processes. One start of each is not counted: it brings the imports into the page cache."""
        place = self.environment("served")
        served = subprocess.Popen([self.session.program("voxpack"), "serve", self.folder("store"), "--linger", "10m"], stdout=subprocess.PIPE, text=True, env={**os.environ, **place})
        try:
            served.stdout.readline()
            for n in range(-1, max(STARTS, rounds)):
                for row in [row for row in self.laps if row is not FEED]:
                    if row is not NUMPY and n >= rounds:
                        continue
                    self.session.say(f"trainers: start {n + 1}, {row.name}")
                    try:
                        self.one_start(row, self.environment(f"s{n}-{row.kind}"), self.starts, n)
                    except PeerError as why:
                        self.drop(row, why)
                self.one_start(NUMPY, place, self.running, n)
        finally:
            served.terminate()
            served.wait()

    def one_start(self, row, env, kept, n):
        def work():
            done = Finished(row.name, self.command(row) + ["first"], env=env)
            return done.json, done.cpu
        found = self.starts_others.measure(work)
        if n < 0:
            return
        if kept is self.running:
            kept.append(found)
        else:
            kept.setdefault(row, []).append(found)

    # What is said about them.

    def ours(self):
        """The loop whose tensors most people take."""
        return TORCH if TORCH in self.laps else NUMPY

    def over(self, row, laps=None, ours=None):
        """How many times faster ours is, round by round."""
        laps = self.laps if laps is None else laps
        return [rate(a) / rate(b) for a, b in zip(laps[ours or self.ours()], laps[row])]

    def over_by_cpu(self, row):
        return [all_cpu(b) / all_cpu(a) for a, b in zip(self.laps[self.ours()], self.laps[row])]

    def of_feed(self, row):
        return [rate(a) / rate(b) for a, b in zip(self.laps[row], self.laps[FEED])]

    def own_cpu(self, row):
        return median(lap["own_cpu"] / lap["batches"] for lap in self.laps[row])

    def cells(self, row):
        laps, sums = self.laps[row], self.sums[row]
        ours = row is FEED or row.kind.startswith("voxpack")
        cells = [row.name, *spread([rate(lap) for lap in laps], "{:.0f}"), "" if row is FEED or not ours else f"{median(self.of_feed(row)):.2f}",
                 "" if ours else f"{median(self.over(row)):.1f}", f"{1e3 * median(map(all_cpu, laps)):.2f}", "" if ours else f"{median(self.over_by_cpu(row)):.1f}"]
        if row is FEED:
            return cells + [""] * 4
        least = min(lap["own_cpu"] / lap["batches"] for lap in laps)
        return cells + [f"{1e6 * self.own_cpu(row):.0f}", f"{1e6 * least:.0f}", f"{median(map(rate, sums)):.0f}", "" if ours else f"{median(self.over(row, self.sums)):.1f}"]

    def start_rows(self):
        """Name and starts: the running feeder's stands below the cold one's."""
        rows = [(row.name, starts) for row, starts in self.starts.items()]
        at = [name for name, _ in rows].index(NUMPY.name)
        return rows[:at + 1] + [(NUMPY.name + ", its feeder runs", self.running)] + rows[at + 1:]

    def markdown(self):
        args = self.session.args
        lines = ["## Into a training loop", "",
                 f"The same {self.clips} samples from the page cache, in batches of {BATCH}, mel in f32, on the host; one process a loop, with the processes that it starts; "
                 "no core is kept for anybody. A loop takes the four tensors of each batch and does nothing with them, or sums up the mel. "
                 f"Rounds: {args.rounds} of at least {args.lap_seconds:g} s, by turns; medians; ratios are taken within a round. What happens between epochs, and an epoch's first "
                 "16 batches, are not timed. Every loop brought the same bytes before. DataLoader and Streaming have two workers, which stay; TFRecord is read in order, the others shuffle. "
                 "CPU is user and system; the loop's own is that of its Python process, threads included. Where others use the machine, a loop of several processes "
                 "gets more of it than the feed alone, which is one: CPU time tells more then.", ""]
        lines += table(("loop", "samples/s", "min", "max", "of the feed alone", f"{self.ours().name} is faster by", "CPU ms a batch", "less of it by", "the loop's own, µs", "least",
                        "samples/s, mel summed", "faster by"), [self.cells(row) for row in self.laps])
        lines += [f"The first batch of a new process, which has NumPy: from the beginning of its import of the framework and of the loader, and of the loader alone, the framework being there. "
                  "The feeder starts within it unless it says otherwise. Files are in the page cache.", ""]
        rows = [[name, len(found), *spread([s["seconds"] for s in found], "{:.3f}"), f"{median(s['imported'] for s in found):.3f}"] for name, found in self.start_rows()]
        lines += table(("loop", "starts", "first batch, s", "min", "max", "behind the framework's import, s"), rows)
        busy = [100 * share for share in self.starts_others.shares]
        lines += [f"CPU taken by others during the starts, feeders among them: {median(busy):.0f} % of all cores." if busy else "", ""]
        return lines + self.goals()

    def goals(self):
        ours = self.ours()
        feed = median(self.of_feed(ours))
        goals = [[f"{ours.name} of the feed alone", f"{feed:.2f}", f"≥ {FEED_GOAL:g}", verdict(feed >= FEED_GOAL)]]
        pairs = [(ours, row) for row in self.laps if row.goal] + [(TENSORFLOW, RECORDS)]
        for a, b in pairs:
            if a in self.laps and b in self.laps:
                over = median(self.over(b, ours=a))
                goals.append([f"{a.name} over {b.name}", f"{over:.1f}", f"≥ {b.goal:g}", verdict(over >= b.goal)])
        cpu, soon = self.own_cpu(ours), median(s["seconds"] for s in self.starts[NUMPY])
        goals.append([f"{ours.name}, CPU of Python a batch, µs", f"{1e6 * cpu:.0f}", f"< {1e6 * CPU_GOAL:.0f}", verdict(cpu < CPU_GOAL)])
        goals.append([f"{NUMPY.name}, first batch, ms", f"{1e3 * soon:.0f}", f"< {1e3 * FIRST_GOAL:.0f}", verdict(soon < FIRST_GOAL)])
        return table(("goal", "reached", "want", ""), goals)
