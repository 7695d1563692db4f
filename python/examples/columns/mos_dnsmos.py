"""How good a clip sounds, by DNSMOS: the mean opinion scores overall, of the signal and of the background, from 1 to 5.
The package has the models (pip install speechmos onnxruntime librosa requests).

mos: {run: python3 mos_dnsmos.py, input: pcm@16000, shape: [3], version: speechmos-0.0.1.1, files: mos_dnsmos.py}
"""

import numpy as np
import voxpack
from speechmos import dnsmos


@voxpack.column
def mos(rows):
    scores = [dnsmos.run(np.clip(row.pcm, -1, 1), row.rate) for row in rows]
    return [[s["ovrl_mos"], s["sig_mos"], s["bak_mos"]] for s in scores]


if __name__ == "__main__":
    mos.run()
