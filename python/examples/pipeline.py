"""Batches on their way to the model: one after the other, or the next ones while a step runs.

Three buffers are at work when overlapped: batch N trains, N + 1 is on its way to the model's device, and
N + 2 is being filled by the feeder or copied to the data GPU. On the processor nothing has to move,
since the tensors lie where the feeder wrote them; it fills the next ones in its own process.
"""

import collections

COLUMNS = ("tokens", "mel", "text_len", "mel_len", "valid")


class Source:
    """(tensors by name, number) of one batch after the other, through all epochs.

    epochs gives the batches of an epoch in each loop over it. ``lost`` counts samples that were left
    out since their bytes are corrupt; tf.data does not tell, then it is None.
    """

    def __init__(self, epochs):
        self._epochs, self.lost = epochs, 0

    def __iter__(self):
        while True:
            for batch in self._epochs:
                tensors = {name: batch[name] for name in COLUMNS}
                if isinstance(batch, dict):  # of tf.data
                    number, self.lost = batch["seq"], None
                else:
                    number = batch.seq
                    self.lost += batch.lost
                del batch
                yield tensors, number


def hopped(batches, send, take, overlap):
    """The batches in memory of the next device: send begins a copy, take gives the tensors when they
    may be used. Overlapped, a copy begins before the step on the batch in front of it.
    """
    under_way = collections.deque()
    for tensors, number in batches:
        under_way.append((send(tensors), number))
        del tensors
        if len(under_way) > overlap:
            sent, number = under_way.popleft()
            yield take(sent), number
