"""What both trainers learn: the sizes of the model, and the scale of the mel."""

MEAN, SPREAD = -6.0, 3.0  # of a mel of speech in natural logarithms, roughly: the loss is counted in these units
WIDTH = 32  # channels; few, for a processor
DROPOUT = 0.05
TAPS = 5  # of each convolution
MIXERS = {"encoder": (1,), "decoder": (1, 4)}  # dilations of the convolutions; each costs seconds of compiling
