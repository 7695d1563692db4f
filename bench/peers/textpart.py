"""How many lines a second text front-ends read, by turns on one core."""

import dataclasses
import os

from page import median, table, verdict
from peer import ONE_THREAD, Others, Peer, PeerError

HERE = os.path.dirname(os.path.abspath(__file__))

GOALS = {"en": 150e3, "fa": 100e3}  # lines/s


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    lang: str
    kind: str = ""  # of cleaners.py; none: ours
    part: str = "text"


ENGLISH, PERSIAN = Row("voxpack, full rules", "en"), Row("voxpack, full rules", "fa")
ROWS = (
    ENGLISH,
    Row("tacotron2's `english_cleaners`", "en", "tacotron"),
    Row("NeMo text processing", "en", "nemo"),
    PERSIAN,
    Row("hazm's `Normalizer`, which says no number", "fa", "hazm"),
)


class TextPart:
    titles = ("Text on one core, beside its peers",)

    def __init__(self, session):
        self.session, self.peers, self.others, self.laps, self.left = session, {}, Others(), {}, {}

    def start(self):
        self.ours = Peer("voxpack", [self.session.program("text"), "-serve", "-sets", os.path.join(self.session.module, "textnorm/spoken/testdata")], 1)
        self.session.versions("voxpack", self.ours.ask("versions"))
        for row in ROWS:
            path = os.path.join(self.session.work, "lines-" + row.lang)
            if not row.kind:
                self.ours.ask(f"lines {row.lang} {path}")
                self.laps[row] = []
                continue
            if row.part in self.session.left_out:
                self.session.leave_out(row.name, self.session.left_out[row.part])
                continue
            self.session.say(f"text: starting {row.name}")
            try:
                command = [self.session.python("-text"), os.path.join(HERE, "cleaners.py"), row.kind, path]
                peer = Peer(row.name, command, 1, ONE_THREAD)
                self.session.versions(row.name, peer.ask("versions"))
            except (PeerError, OSError) as why:
                self.session.leave_out(row.name, str(why))
                continue
            self.peers[row], self.laps[row] = peer, []

    def measure(self):
        """All peers stay, and wait while one reads."""
        self.start()
        for n in range(self.session.args.rounds):
            self.session.say(f"text: round {n + 1} of {self.session.args.rounds}")
            self.session.calibration.sample()
            for row in list(self.laps)[::-1 if n % 2 else 1]:
                self.laps[row].append(self.others.measure(lambda row=row: self.lap(row)))
        for row, peer in self.peers.items():
            self.left[row] = peer.ask("left 50")
        self.session.calibration.others["text"] = self.others.shares
        for peer in [self.ours, *self.peers.values()]:
            peer.close()

    def lap(self, row):
        seconds = self.session.args.lap_seconds
        if row.kind:
            return self.peers[row].lap(f"lap {2 * seconds if row.kind == 'nemo' else seconds}")
        return self.ours.lap(f"lap {row.lang} {seconds}")

    def rate(self, row):
        return [lap["lines"] / lap["cpu_seconds"] for lap in self.laps[row]]

    def over(self, row):
        """How many times faster ours is, round by round."""
        ours = ENGLISH if row.lang == "en" else PERSIAN
        return [a / b for a, b in zip(self.rate(ours), self.rate(row))]

    def markdown(self):
        lines = [f"## {self.titles[0]}", "",
                 "Lines of LJSpeech's length, of which six to seven in ten hold a number, money or an abbreviation (`bench/text`), the same for all; "
                 f"lines a second of processor time, a call a line, one process each, pinned to one core; rounds: {self.session.args.rounds} of "
                 f"{self.session.args.lap_seconds:g} s, by turns; medians. Start-up is left out: NeMo's grammars take longest. "
                 "A digit left is a number that was not said.", ""]
        rows = [[row.lang, row.name, f"{median(self.rate(row)):.0f}", f"{min(self.rate(row)):.0f}", f"{max(self.rate(row)):.0f}",
                 f"{median(self.over(row)):.1f}" if row.kind else "",
                 f"{self.left[row]['left']} of {self.left[row]['of']}" if row.kind else ""] for row in self.laps]
        lines += table(("language", "peer", "lines/s", "min", "max", "voxpack is faster by", "lines with a digit left"), rows)
        goals = [[f"{row.lang}, lines/s", f"{median(self.rate(row)):.0f}", f"≥ {GOALS[row.lang]:.0f}", verdict(median(self.rate(row)) >= GOALS[row.lang])]
                 for row in (ENGLISH, PERSIAN)]
        return lines + table(("goal", "reached", "want", ""), goals)
