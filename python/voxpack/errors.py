"""What can go wrong between a trainer and its feeder."""


class FeederError(RuntimeError):
    """The feeder refused, or ended with an error.

    ``kind`` is for programs: protocol, request, cursor, corrupt, held, address or other.
    ``of`` is the question that was refused, None where batches or the connection ended.
    """

    of = None

    def __init__(self, text, kind="other"):
        super().__init__(text)
        self.kind = kind


def older(version, lacks):
    """The error of a feeder of an older version, which lacks something."""
    return FeederError("this feeder, voxpack %s, %s: end it, so that this package starts its own, or install the same version" % (version, lacks), "request")


class FeederDied(FeederError):
    """The feeder is gone. ``Dataset.state_dict`` still says where to go on."""

    def __init__(self, text):
        super().__init__(text, "died")
