"""Codes of EnCodec at 24 kHz and 6 kbit/s: 8 of each 320 samples (pip install encodec; the weights are downloaded once).

codes: {run: python3 codes_encodec.py, input: pcm@24000, length: own, max: 750, shape: [8], dtype: i16, version: encodec-24khz-6, files: codes_encodec.py}
"""

import numpy as np
import torch
import voxpack
from encodec import EncodecModel

model = EncodecModel.encodec_model_24khz(pretrained=True)
model.set_target_bandwidth(6.0)


@voxpack.column
def codes(rows):
    with torch.no_grad():
        return [model.encode(torch.from_numpy(np.array(row.pcm))[None, None])[0][0][0].T.numpy() for row in rows]


if __name__ == "__main__":
    codes.run()
