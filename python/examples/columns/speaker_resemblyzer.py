"""A speaker embedding of each clip, by Resemblyzer, whose package has the weights (pip install resemblyzer).

voice: {run: python3 speaker_resemblyzer.py, input: pcm@16000, shape: [256], version: resemblyzer-0.1.4, files: speaker_resemblyzer.py}
"""

import resemblyzer
import voxpack

model = resemblyzer.VoiceEncoder("cpu", verbose=False)


@voxpack.column
def voice(rows):
    return [model.embed_utterance(resemblyzer.preprocess_wav(row.pcm)) for row in rows]


if __name__ == "__main__":
    voice.run()
