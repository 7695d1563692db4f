"""Checks of batches that lie in a GPU's memory for another process: what it reads, and when its slots are filled again."""

import os
import signal
import socket
import time

from process import Process, ProcessError
from session import BATCH, MB, Findings, Skip

SMALL = 1  # sample of a batch, of which two rings have room in a block of 2 MiB


class Feeder:
    """A voxpack serve of its own, by with; a Skip where there is no consumer for it."""

    count = 0

    def __init__(self, s, *flags, env=None):
        s.consumer()
        Feeder.count += 1
        self.socket, self.s = os.path.join(s.sockets, f"s{Feeder.count}"), s
        command = [s.program, "serve", s.store, "--socket", self.socket, "-q", *flags]
        self.process = Process(command, env=dict(os.environ, **env) if env else None, stays=True)

    def __enter__(self):
        end = time.monotonic() + self.s.seconds(30)
        while not self.answers():
            if not self.process.running():
                raise ProcessError(f"the feeder ended early: {self.process.wait(1).last()}")
            if time.monotonic() > end:
                raise ProcessError("the feeder does not answer")
            time.sleep(0.01)
        return self

    def answers(self):
        with socket.socket(socket.AF_UNIX) as c:
            return c.connect_ex(self.socket) == 0

    def end(self, seconds=30, number=signal.SIGTERM):
        self.process.signal(number)
        return self.process.wait(self.s.seconds(seconds))

    def __exit__(self, *_):
        if self.process in Process.living:
            try:
                self.end()
            except (ProcessError, Skip):
                self.process.kill()


def check_ring(s):
    """every byte of a ring on the GPU, opened by another process, is the host ring's"""
    with Feeder(s) as f:
        for batch, tail in ((BATCH, "drop"), (BATCH, "pad"), (SMALL, "drop")):
            with s.part(f"batches of {batch}, {tail}"):
                found = s.consumer().ask(s.seconds(120), what="digest", socket=f.socket, batch=batch, epochs=s.quick(3, 2) if batch == BATCH else 1, tail=tail)
                wrong = Findings(found["wrong"])
                wrong.want(found["batches"], "no batch came")
                wrong.want(found["alone"], "a ring is a part of a block of 2 MiB: whoever opens it can read its neighbours")
                s.judge(f"batches of {batch}, {tail}", f"{found['batches']} batches of two rings of {found['bytes'] / MB:.1f} MB", wrong)


READERS = (
    ("default", "on the default stream, as torch works unless it is told otherwise"),
    ("side", "on the current stream, which does not wait for the default one"),
    ("prefetcher", "taken under a side stream, read on the default one"),
    ("was current", "taken under a side stream, read on one that was current as another batch was taken"),
    ("went back", "taken under a side stream, read on one that was current as another batch went back"),
    ("named", "read on a stream that only Batch.record_stream names"),
)


def check_readers(s):
    """a slot is not filled again under a kernel that still reads it, whichever stream that is on"""
    with Feeder(s) as f:
        for kind, text in READERS:
            reader(s, f, kind, text)
        try:  # in a process of its own: what a driver does of a stream that is gone is its own affair
            reader(s, f, "is gone", "read on a stream that was destroyed meanwhile: the loop waits for it", "reader")
        finally:
            if "reader" in s.pieces:
                s.end_piece("reader")
        with s.part("nobody names it"):
            found = s.consumer().ask(s.seconds(90), what="reader", socket=f.socket, kind="nobody", batch=BATCH)
            wrong = Findings()
            wrong.want(found["refilled"] and not found["right"], "a reader that nobody waits for was not overtaken: the rows above prove nothing")
            s.judge("nobody names it", "the negative control: the kernel reads the next batch's bytes", wrong)
    with s.part("no events"):
        if not s.fake:
            raise Skip("this GPU has events between processes; only the fake driver goes without")
        with Feeder(s, env={"FAKECUDA_IPC_EVENTS": "0"}) as f:
            reader(s, f, "no events", "where processes share no events the loop waits by itself")


def reader(s, f, kind, text, piece="consumer"):
    with s.part(kind):
        found = s.consumer(piece).ask(s.seconds(90), what="reader", socket=f.socket, kind=kind, batch=BATCH)
        wrong = Findings()
        wrong.want(found["launched"] == 0, f"the kernel was refused by {found['launched']}")
        wrong.want(not (found["waits"] and found["held"]), "the slot went back while the kernel was held")
        wrong.want(not found["refilled"], "the slot was filled again under the kernel")
        wrong.want(found["right"], "the kernel read other bytes than the batch's")
        wrong.want(found["goes_on"], "no further batch came")
        s.judge(kind, text + ("" if found["held"] or found["waits"] else "; the gate had to be opened early, which shows less"), wrong)


def check_busy(s):
    """a trainer whose kernels fill the GPU does not wait for its batches, and is not slowed down by them"""
    step, steps = s.quick(20, 4), s.quick(150, 8)
    with Feeder(s) as f:
        found = s.consumer().ask(s.seconds(120), what="busy", socket=f.socket, batch=BATCH, step_ms=step, steps=steps)
    slower = found["fed_ms"] / found["alone_ms"] - 1
    price = "" if found["record_us"] is None else f"; the consumed event is recorded in {found['record_us']:.1f} µs and asked in {found['query_us']:.1f} µs"
    s.goal("steps", f"{found['alone_ms']:.2f} ms alone, {found['fed_ms']:.2f} ms beside the feed ({100 * slower:+.2f} %){price}", slower <= 0.01, "1 %")
    share = found["wait_p99_us"] / 1000 / step
    s.goal("waits", f"p50 {found['wait_p50_us']:.0f} µs, p99 {found['wait_p99_us']:.0f} µs, {100 * share:.2f} % of a step", share <= 0.01, "1 %")
    with s.part("rates"):
        rates(s)


def rates(s):
    """A feed that nothing holds up, alone and beside kernels of another process that fill the GPU."""
    def rate(cache):
        report = s.feed("--batch-size", BATCH, "--steps", s.quick(1000, 100), "--cache", cache, "--workers", s.workers)
        return f"{report.copy_rate() / 1e9:.2f} by the copies' own times, {report.clock_rate() / 1e9:.2f} by the clock"
    alone = rate("off")
    s.consumer().ask(s.seconds(60), what="burn")
    try:
        beside = rate("off")
        gathered = s.feed("--batch-size", BATCH, "--steps", s.quick(1000, 100), "--cache", "on").json["step"]["mean_ms"]
    finally:
        s.consumer().ask(s.seconds(60), what="cool")
    s.measured("rates", f"GB/s from the host: alone {alone}; beside the kernels {beside}; a batch from the cache beside them takes {1000 * gathered:.0f} µs")


def check_deaths(s):
    """whoever dies, the other goes on or says why, and the GPU's memory comes back"""
    s.consumer()
    before = s.used() if s.nvml else 0
    for part, how in (("consumer killed", consumer_killed), ("feeder killed", feeder_killed), ("feeder told to end", feeder_ends),
                      ("kernel fails", kernel_fails), ("fork", forked), ("GPU lost to the feeder", lost)):
        with s.part(part):
            try:
                how(s, part)
            finally:
                for name in [n for n in s.pieces if n.startswith("death")]:
                    s.end_piece(name)
    with s.part("memory"):
        if s.nvml is None:
            raise Skip(s.no_nvml)
        wrong = Findings()
        s.judge("memory", back(s, before, wrong) + ", when all of them are gone", wrong)


def sound(s, f, wrong):
    """The feeder serves the next consumer as it served the first."""
    found = s.consumer().ask(s.seconds(60), what="digest", socket=f.socket, batch=BATCH, epochs=1, tail="drop")
    wrong.extend(f"afterwards {w}" for w in found["wrong"])
    wrong.want(found["batches"], "afterwards no batch comes")


def back(s, before, wrong):
    """Memory of the GPU that was in use before, once all that died is gone."""
    if s.nvml is None:
        return "whether memory came back is not seen: " + s.no_nvml
    used = s.used()
    wrong.want(used <= before + 16 * MB, f"{used / MB:.0f} MB are in use, {before / MB:.0f} MB before")
    return f"{before / MB:.0f} MB in use before, {used / MB:.0f} MB after"


def consumer_killed(s, part):
    with Feeder(s) as f:
        wrong = Findings()
        sound(s, f, wrong)  # the contexts of both are there
        before = s.used() if s.nvml else 0
        dying = s.consumer("death")
        dying.ask(s.seconds(60), what="hold", socket=f.socket, batch=BATCH, spin_ms=s.quick(2000, 200))
        dying.kill()
        s.pieces.pop("death")
        sound(s, f, wrong)
        s.judge(part, "kill -9 with work queued on a batch; " + back(s, before, wrong), wrong)


def feeder_killed(s, part):
    with Feeder(s) as f:
        wrong, living = Findings(), s.consumer("death")
        living.ask(s.seconds(60), what="hold", socket=f.socket, batch=BATCH)
        f.end(10, signal.SIGKILL)
        seen = living.ask(s.seconds(30), what="look")
        said = living.ask(s.seconds(60), what="after_death")["said"]
        wrong.want(said.startswith("FeederDied"), f"the loop says {said!r}")
        s.judge(part, f"the loop says {said[:60]}…; a live view then reads {'the same' if seen['same'] else 'other bytes'}, code {seen['code']}", wrong)


def feeder_ends(s, part):
    with Feeder(s) as f:
        wrong, living = Findings(), s.consumer("death")
        living.ask(s.seconds(60), what="hold", socket=f.socket, batch=BATCH)
        f.process.signal(signal.SIGTERM)
        time.sleep(0.3)
        wrong.want(f.process.running(), "it did not wait for its consumer's hands")
        seen = living.ask(s.seconds(30), what="look")
        wrong.want(seen["same"], f"while it waits a view reads other bytes, code {seen['code']}")
        living.ask(s.seconds(30), what="let_go")
        report = f.process.wait(s.seconds(15))
        wrong.want(report.code == 0, f"it ended with {report.code}: {report.last()}")
        figure = "it waits until its consumer lets go, and ends with 0"
        if not s.args.quick:
            figure += "; " + late_bye(s)
        s.judge(part, figure, wrong)


def late_bye(s):
    """Nobody can hold a feeder up for ever: after 10 s it frees its memory. What a read gives then is undefined, and told."""
    with Feeder(s) as f:
        living = s.consumer("death late")
        living.ask(s.seconds(60), what="hold", socket=f.socket, batch=BATCH)
        report = f.end(25)
        seen = living.ask(s.seconds(30), what="look")
        return f"of a consumer that keeps its batch it ends with {report.code} all the same, and a view then reads {'the same' if seen['same'] else 'other bytes'}, code {seen['code']}"


def kernel_fails(s, part):
    with Feeder(s) as f:
        wrong, failing = Findings(), s.consumer("death")
        failing.ask(s.seconds(60), what="hold", socket=f.socket, batch=BATCH)
        found = failing.ask(s.seconds(60), what="trap")
        wrong.want(found["launched"] == 0 and found["code"] != 0, f"the kernel was answered by {found['launched']} and {found['code']}")
        s.end_piece("death")
        sound(s, f, wrong)
        s.judge(part, f"the consumer's context ends with {found['code']}, and the feeder and its next consumer do not notice", wrong)


def forked(s, part):
    found = s.consumer("death").ask(s.seconds(60), what="fork")
    s.judge(part, f"a forked child's first call is answered by {found['code']}", Findings() if found["code"] == 3 else Findings(["want 3"]))


def lost(s, part):
    if not s.fake:
        raise Skip("a sound GPU is not lost on purpose; only the fake driver shows it")
    with Feeder(s, env={"FAKECUDA_ECC_COPY": "8"}) as f:
        wrong = Findings()
        try:
            found = s.consumer("death").ask(s.seconds(60), what="digest", socket=f.socket, batch=BATCH, epochs=3, tail="drop")
            said = f"nothing, after {found['batches']} batches"
        except ProcessError as err:
            said = str(err)
        wrong.want("ECC" in said and f"process {f.process.pid}" in said, f"the consumer hears {said}")
        wrong.want(not f.answers(), "the feeder takes new consumers")
        s.end_piece("death")
        report = f.process.wait(s.seconds(20))
        wrong.want(report.code == 3, f"it ended with {report.code}: {report.last()}")
        s.judge(part, "its consumers hear which process it is, it takes no new ones, and ends with 3", wrong)
