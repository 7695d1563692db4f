"""The mel of all peers by turns on one core, and how far each is from float64."""

import dataclasses
import os
import tempfile

import numpy as np

import mel
import reference as ref
from page import median, table, verdict
from peer import KEEP_MEMORY, ONE_THREAD, Others, Peer, PeerError

HERE = os.path.dirname(os.path.abspath(__file__))

SPEED_GOAL, PORTABLE_GOAL = 5.0, 0.3e6  # times the best peer; frames/s


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    kind: str        # of mel.py; for voxpack the flags of bench/mel
    part: str = ""   # of the environments
    suffix: str = ""
    ours: bool = False
    keep: bool = True  # glibc is told to keep memory


VECTOR, PORTABLE, EXACT = (Row("voxpack", "-precision f32", ours=True), Row("voxpack, portable code", "-precision f32 -portable", ours=True),
                           Row("voxpack, `precision: f64`", "-precision f64", ours=True))
CUSTOMARY = Row("HiFi-GAN's function, torch", "hifigan", "torch")
ROWS = (
    VECTOR, PORTABLE, EXACT, CUSTOMARY,
    Row("HiFi-GAN's function, glibc as it comes", "hifigan", "torch", keep=False),
    Row("torch, written with care", "torch-careful", "torch"),
    Row("torchaudio MelSpectrogram", "torchaudio", "torchaudio", "-older"),
    Row("librosa.feature.melspectrogram", "librosa", "speech"),
    Row("librosa.stft, filter bank made once", "librosa-stft", "speech"),
    Row("NumPy and SciPy by hand, float32", "scipy", "speech"),
)


class MelPart:
    def __init__(self, session):
        self.session, self.peers, self.others = session, {}, Others()
        self.errors, self.accuracy_corpus, self.synthetic = {}, session.speech or session.corpus, session.speech is None

    def start(self):
        for row in ROWS:
            if row.part in self.session.left_out:
                self.session.leave_out(row.name, self.session.left_out[row.part])
                continue
            self.session.say(f"mel: starting {row.name}")
            try:
                peer = Peer(row.name, self.command(row), 1, dict(ONE_THREAD, **(KEEP_MEMORY if row.keep else {})))
                self.session.versions(row.name, peer.ask("versions"))
            except PeerError as why:
                if row.ours:
                    raise
                self.session.leave_out(row.name, str(why))
                continue
            self.peers[row] = peer

    def command(self, row):
        clips = str(self.session.args.mel_clips)
        if row.ours:
            return [self.session.program("mel"), "-corpus", self.session.corpus, "-clips", clips, *row.kind.split()]
        return [self.session.python(row.suffix), os.path.join(HERE, "mel.py"), row.kind, self.session.corpus, clips]

    def measure(self):
        """All peers stay, and wait while one computes."""
        self.start()
        for n in range(self.session.args.rounds):
            self.session.say(f"mel: round {n + 1} of {self.session.args.rounds}")
            self.session.calibration.sample()
            for peer in list(self.peers.values())[::-1 if n % 2 else 1]:
                self.others.measure(lambda: peer.lap(f"lap {self.session.args.lap_seconds}"))
        self.session.calibration.others["mel"] = self.others.shares
        self.compare()
        for peer in self.peers.values():
            peer.close()

    def compare(self):
        """How far every peer's frames are from the definition with its own epsilon."""
        clips = [ref.clip(self.accuracy_corpus, name) for name, _ in ref.rows(self.accuracy_corpus, self.session.args.accuracy_clips)]
        want = {epsilon: np.concatenate([ref.log_mel(pcm, epsilon) for pcm in clips]) for epsilon in (0.0, 1e-9)}
        with tempfile.TemporaryDirectory() as folder:
            corpus = self.session.first_rows(self.accuracy_corpus, len(clips), os.path.join(folder, "corpus"))
            for row, peer in self.peers.items():
                if not row.keep:
                    continue  # the same values
                path = os.path.join(folder, "frames")
                peer.ask(f"write {corpus} {path}")
                epsilon = 1e-9 if row.ours else mel.MELS[row.kind][1]
                got = np.fromfile(path, "<f4").astype(np.float64).reshape(-1, ref.BANDS)
                if got.shape != want[epsilon].shape:
                    raise PeerError(f"{row.name}: {len(got)} frames, want {len(want[epsilon])}")
                self.errors[row] = Errors(np.abs(got - want[epsilon]), want[epsilon], epsilon)
        self.compared = f"{len(clips)} clips, {len(want[0.0])} frames"

    def speed(self, row):
        return [lap["frames"] / lap["seconds"] for lap in self.peers[row].laps]

    def over(self, ours, row):
        """How many times faster ours is, round by round."""
        return [a / b for a, b in zip(self.speed(ours), self.speed(row))]

    def best(self):
        rivals = [row for row in self.peers if not row.ours]
        return max(rivals, key=lambda row: median(self.speed(row))) if rivals else None

    def markdown(self):
        args = self.session.args
        lines = ["## Mel on one core", "",
                 f"From decoded PCM in memory to log-mel, variant `hifigan`, a call a clip; {args.mel_clips} clips of the corpus again and again for "
                 f"{args.lap_seconds:g} s a lap; rounds: {args.rounds}, by turns on the same core; medians. voxpack writes frames by bands into a "
                 "block that is there; a peer is done with the array that it returns, so that transposing and copying it are not counted. "
                 "glibc is told to keep freed memory (`MALLOC_MMAP_THRESHOLD_`) unless a row says otherwise, which helps the peers. "
                 "Only HiFi-GAN's function and voxpack add an epsilon to the power.", ""]
        rows = [[row.name, f"{median(self.speed(row)) / 1e3:.0f}", f"{min(self.speed(row)) / 1e3:.0f}", f"{max(self.speed(row)) / 1e3:.0f}",
                 f"{median(self.speed(row)) * ref.HOP / ref.RATE:.0f}",
                 "" if row is VECTOR else f"{median(self.over(VECTOR, row)):.2f}"] for row in self.peers]
        lines += table(("peer", "1000 frames/s", "min", "max", "× real time", "voxpack is faster by"), rows)
        goals = [["portable code, frames/s", f"{median(self.speed(PORTABLE)):.0f}", f"≥ {PORTABLE_GOAL:.0f}",
                  verdict(median(self.speed(PORTABLE)) >= PORTABLE_GOAL)]]
        if best := self.best():
            ratio = median(self.over(VECTOR, best))
            goals.insert(0, [f"voxpack over the best peer ({best.name})", f"{ratio:.2f}", f"≥ {SPEED_GOAL:g}", verdict(ratio >= SPEED_GOAL)])
        return lines + table(("goal", "reached", "want", ""), goals) + self.accuracy()

    def accuracy(self):
        heading = (f"Against the definition in float64 (NumPy, `reference.py`), {self.compared} of "
                   f"{'the generated corpus' if self.synthetic else 'real speech'}; |difference| of ln mel, each with its own epsilon.")
        rows = [[row.name, f"{e.epsilon:g}", *(f"{v:.2e}" for v in (e.max, e.most, e.mean, e.over_8, e.over_6))] for row, e in self.errors.items()]
        lines = ["## Accuracy", "", heading, ""]
        lines += table(("peer", "epsilon", "max", "99.99 %", "mean", "max where ln mel > -8", "max where > -6"), rows)
        ours, exact, torch = self.errors[VECTOR], self.errors[EXACT], self.errors.get(CUSTOMARY)
        goals = [["mean", ours.mean, 9.5e-7], ["max where ln mel > -8", ours.over_8, 1e-4], ["max where ln mel > -6", ours.over_6, 2.5e-5],
                 ["max with `precision: f64`", exact.max, 2e-6]]
        if torch:
            goals += [["max, 1.1 × torch's", ours.max, 1.1 * torch.max], ["99.99 %, no worse than torch's", ours.most, torch.most],
                      ["mean, no worse than torch's", ours.mean, torch.mean]]
        return lines + table(("goal", "reached", "want at most", ""), [[name, f"{got:.2e}", f"{want:.2e}", verdict(got <= want)] for name, got, want in goals])


class Errors:
    def __init__(self, off, want, epsilon):
        self.epsilon, self.max, self.mean, self.most = epsilon, off.max(), off.mean(), np.quantile(off, 0.9999)
        self.over_8, self.over_6 = (off[want > level].max(initial=0) for level in (-8, -6))
