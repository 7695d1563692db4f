"""Reference values of what trainers prepare: averages over phones as FastSpeech 2 does it, and alignment priors by scipy.

    python3 testdata/trainer_reference.py averages > compiler/column/testdata/averages.json
    python3 testdata/trainer_reference.py priors > gpufeed/extra/testdata/priors.json

An average is the mean of a phone's frames, 0 where it has none; f0 is first interpolated (scipy's interp1d) over the frames without a
voice, with the first and the last voiced value at the ends: preprocessor.py of ming024/FastSpeech2 for pitch and energy of phoneme_level.
A prior is betabinom(n, s i, s (M + 1 - i)).pmf(0 … P - 1) for frame i of M and P tokens; n is P in NVIDIA's FastPitch, and P - 1 in
its RADTTS and in NeMo since it has its own function for it.
"""

import json
import sys

import numpy as np
from scipy.interpolate import interp1d
from scipy.stats import betabinom


def averages():
    random = np.random.default_rng(1)
    cases = []
    for n, share in (40, 0.5), (100, 0.2), (30, 0.0), (60, 1.0), (25, 0.96), (1, 0.0):
        f0 = np.where(random.random(n) < share, 0, random.uniform(80, 400, n)).astype(np.float32)
        energy = random.uniform(0, 60, n).astype(np.float32)
        durations = random.multinomial(n, np.ones(max(1, n // 7)) / max(1, n // 7))
        voiced = np.flatnonzero(f0)
        filled = f0.astype(float)
        if len(voiced) > 1:
            filled = interp1d(voiced, f0[voiced], fill_value=(f0[voiced[0]], f0[voiced[-1]]), bounds_error=False)(np.arange(n))
        elif len(voiced) == 1:
            filled[:] = f0[voiced[0]]
        ends = np.cumsum(durations)
        mean = lambda x: [float(x[e - d:e].mean()) if d else 0.0 for d, e in zip(durations, ends)]
        cases.append({"durations": durations.tolist(), "f0": f0.tolist(), "energy": energy.tolist(), "pitch_of_phones": mean(filled),
                      "energy_of_phones": mean(energy.astype(float))})
    return cases


def priors():
    cases = []
    for tokens, frames, scale in (1, 1, 1.0), (7, 30, 1.0), (7, 30, 0.05), (60, 1, 0.5), (1, 9, 1.0), (120, 43, 1.0), (200, 5, 0.05), (30, 800, 1.0), (150, 12, 10.0):
        for name, n in ("fastpitch", tokens), ("nemo", tokens - 1):
            rows = sorted({1, 2, frames // 3 + 1, frames // 2 + 1, frames}, key=int)
            rows = [i for i in rows if i <= frames]
            cases.append({"of": name, "tokens": tokens, "frames": frames, "scale": scale, "rows": rows,
                          "pmf": [betabinom(n, scale * i, scale * (frames + 1 - i)).pmf(np.arange(tokens)).tolist() for i in rows]})
    return cases


print(json.dumps({"averages": averages, "priors": priors}[sys.argv[1]]()))
