#!/usr/bin/env python3
"""Makes the float64 reference of the processing tests (numpy only), or compares with other programs.

Usage: process_reference.py OUT_DIR [CORPORA]
       process_reference.py --compare [CORPORA]

OUT_DIR gets reference.tsv, one line for each clip and case: clip, case, samples cut at the start, at the end, gain in dB, by how much
full scale held it back, and a sum of the output with weights that tell its samples apart. The clips are the WAVs of ../mel beside
OUT_DIR and what CLIPS makes of them in integers. With CORPORA (the folder that holds ljspeech-32/) it also gets ljspeech-32.tsv.

Written from the definitions, in float64, with no table or shortcut of the Go code. K-weighting at other rates than 48 kHz: the
tables of ITU-R BS.1770-4 taken back to the analogue filter and forth again at its natural frequency, both computed here.

--compare prints the largest differences from librosa.effects.trim and from pyloudnorm (both must be installed).
"""
import os
import sys
import wave

import numpy as np

FRAME, HOP = 2048, 512
FULL_SCALE = 32767 / 32768
SHELF = ((1.53512485958697, -2.69169618940638, 1.19839281085285), (1, -1.69065929318241, 0.73248077421585))
HIGH_PASS = ((1, -2, 1), (1, -1.99004745483398, 0.99007225036621))

CASES = {
    "trim-20": dict(trim=20),
    "trim-40-margin": dict(trim=40, margin=0.1),
    "trim-60": dict(trim=60, margin=0.05),
    "peak": dict(normalize="peak"),
    "peak-12": dict(normalize="peak", peak=-12),
    "loudness": dict(normalize="loudness"),
    "loudness-held": dict(normalize="loudness", lufs=-9),
    "pre-emphasis": dict(emphasis=0.97),
    "all": dict(trim=35, margin=0.05, normalize="loudness", lufs=-27, emphasis=0.95),
}


def read_wav(path):
    with wave.open(path) as w:
        assert (w.getnchannels(), w.getsampwidth()) == (1, 2), path
        return np.frombuffer(w.readframes(w.getnframes()), "<i2").astype(np.int64), w.getframerate()


def clips(folder):
    """Name, PCM and rate of each clip: the two WAVs, and cuts of them between zeros and beside a quiet stretch."""
    for name in ("mixed", "short-window"):
        ints, rate = read_wav(os.path.join(folder, name + ".wav"))
        yield name, ints / 32768, rate
        voice = ints[:16000]
        yield name + "-padded", np.concatenate([np.zeros(9001), voice, np.zeros(7777)]) / 32768, rate
        yield name + "-quiet", np.concatenate([voice[:6000] // 256, voice // 8, voice[:5000] // 1024]) / 32768, rate
        yield name + "-short", ints[5000:5700] / 32768, rate


def trim(x, db, margin, rate):
    padded = np.pad(x, FRAME // 2)
    power = np.array([np.sum(padded[at:at + FRAME] ** 2) for at in range(0, len(padded) - FRAME + 1, HOP)])
    loud = np.flatnonzero(power > power.max() * 10 ** (-db / 10))
    keep = int(np.ceil(margin * rate / HOP)) * HOP
    return max(0, loud[0] * HOP - keep), min(len(x), (loud[-1] + 1) * HOP + keep)


def rewarped(filt, rate):
    """An analogue polynomial in s has its coefficients in powers of s; z⁻¹ = (1 - s) / (1 + s) at 48 kHz, and back at rate."""
    (b, a), up = filt, np.array([[1, 1, 1], [2, 0, -2], [1, -1, 1]])
    nums, dens = up @ np.array(b), up @ np.array(a)
    hz = np.arctan(np.sqrt(dens[0] / dens[2])) * 48000 / np.pi
    r = (np.tan(np.pi * hz / 48000) / np.tan(np.pi * hz / rate)) ** np.arange(3)
    b, a = up @ (nums * r), up @ (dens * r)
    return b / a[0], a / a[0]


def run(filt, x):
    (b, a), y = filt, []
    s1 = s2 = 0.0
    b0, b1, b2, a1, a2 = map(float, (*b, a[1], a[2]))
    for v in map(float, x):
        out = b0 * v + s1
        s1 = b1 * v - a1 * out + s2
        s2 = b2 * v - a2 * out
        y.append(out)
    return np.array(y)


def blocks(x, rate):
    y = run(rewarped(HIGH_PASS, rate), run(rewarped(SHELF, rate), x))
    steps = len(x) * 10 // rate
    if steps < 4:
        return np.array([np.mean(y ** 2)])
    return np.array([np.mean(y[i * rate // 10:(i + 4) * rate // 10] ** 2) for i in range(steps - 3)])


def gated(z):
    """Loudness of blocks; the gates of the recommendation, in LUFS as it has them."""
    with np.errstate(divide="ignore"):
        lufs = -0.691 + 10 * np.log10(z)
    over = lufs > -70
    relative = -0.691 + 10 * np.log10(np.mean(z[over])) - 10
    return -0.691 + 10 * np.log10(np.mean(z[over & (lufs > relative)]))


def process(x, rate, trim_db=0, margin=0, normalize="", peak=-0.45, lufs=-23, emphasis=0):
    start, end = trim(x, trim_db, margin, rate) if trim_db else (0, len(x))
    y, gain, held = x[start:end], 0.0, 0.0
    if normalize:
        top = 20 * np.log10(np.max(np.abs(y)))
        wanted = peak - top
        if normalize == "loudness":
            z, wanted = blocks(y, rate), 0.0
            for _ in range(100):  # until the clip reads the target behind its gain
                wanted += lufs - gated(z * 10 ** (wanted / 10))
        gain = min(wanted, 20 * np.log10(FULL_SCALE) - top)
        held = wanted - gain
        y = y * 10 ** (gain / 20)
    if emphasis:
        y = y - emphasis * np.concatenate([[0], y[:-1]])
    return start, len(x) - end, gain, held, y


def line(name, case, x, rate):
    options = dict(CASES[case])
    options["trim_db"] = options.pop("trim", 0)
    start, end, gain, held, y = process(x, rate, **options)
    weights = np.arange(len(y)) * 7919 % 1009 / 1009 - 0.5
    return "%s\t%s\t%d\t%d\t%.9f\t%.9f\t%.9f\n" % (name, case, start, end, gain, held, np.sum(y * weights))


def real_clips(corpora):
    folder = os.path.join(corpora, "ljspeech-32", "wavs")
    for name in sorted(os.listdir(folder)):
        ints, rate = read_wav(os.path.join(folder, name))
        yield name[:-4], ints / 32768, rate


def compare(corpora):
    import librosa
    import pyloudnorm
    found = list(clips(os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden", "mel")))
    if corpora:
        found += real_clips(corpora)
    cuts, differ = 0, []
    meters = {"pyloudnorm, its default": "K-weighting", "pyloudnorm, DeMan": "DeMan"}
    worst = dict.fromkeys(meters, (0, ""))
    for name, x, rate in found:
        for db in (15, 20, 30, 40, 50, 60):
            cuts += 1
            got, want = trim(x, db, 0, rate), tuple(librosa.effects.trim(x, top_db=db)[1].tolist())
            if got != want:
                differ.append("%s at %d dB: %s, librosa %s" % (name, db, got, want))
        if len(x) < 0.4 * rate:
            continue  # pyloudnorm refuses them
        ours = gated(blocks(x, rate))
        for label, kind in meters.items():
            theirs = pyloudnorm.Meter(rate, filter_class=kind).integrated_loudness(x)
            worst[label] = max(worst[label], (abs(ours - theirs), "%s: %.4f, %.4f" % (name, ours, theirs)))
    print("librosa %s: %d of %d cuts differ" % (librosa.__version__, len(differ), cuts))
    print("\n".join(differ))
    for label, (lu, where) in worst.items():
        print("%s: at most %.4f LU (%s)" % (label, lu, where))


def main(out, corpora=None):
    if out == "--compare":
        return compare(corpora)
    with open(os.path.join(out, "reference.tsv"), "w") as f:
        for name, x, rate in clips(os.path.join(out, "..", "mel")):
            f.writelines(line(name, case, x, rate) for case in CASES)
    if corpora:
        with open(os.path.join(out, "ljspeech-32.tsv"), "w") as f:
            for name, x, rate in real_clips(corpora):
                f.writelines(line(name, case, x, rate) for case in ("trim-40-margin", "peak", "loudness", "loudness-held", "all"))


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
