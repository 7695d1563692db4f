"""Where the feeder of a store is found."""

import os
import stat

from .errors import FeederError


def resolve(store):
    """The folder of the store and the name of the ref that DATASET, STORE or either@REF means."""
    path, ref = os.fspath(store), "main"
    if not os.path.isdir(path) and "@" in path:
        path, _, ref = path.rpartition("@")
    for folder in (path, os.path.join(path, ".voxpack")):
        if os.path.isfile(os.path.join(folder, "format")):
            return os.path.abspath(folder), ref
    raise FeederError("%s holds no store; make one with voxpack build" % path, "address")


def snapshot(folder, ref):
    """The digest of the snapshot that a ref names, in hex."""
    if len(ref) == 64 and not set(ref) - set("0123456789abcdef"):
        return ref
    names = [ref] if "/" in ref else ["heads/" + ref, "tags/" + ref]
    for name in names:
        try:
            with open(os.path.join(folder, "refs", *name.split("/")), encoding="ascii") as f:
                return f.read().strip()
        except FileNotFoundError:
            continue
    raise FeederError("%s has no ref %r; run voxpack build" % (folder, ref), "address")


def default_socket(digest):
    """The path of the socket, in a folder of this user alone."""
    run = os.environ.get("XDG_RUNTIME_DIR")
    if run and os.path.isdir(run):  # after su and in containers it may be another's, or gone
        folder = os.path.join(run, "voxpack")
    else:
        folder = os.path.join(os.environ.get("TMPDIR") or "/tmp", "voxpack-%d" % os.geteuid())
    try:
        info = os.lstat(folder)
    except FileNotFoundError:
        info = None  # no feeder was ever here; it makes the folder
    if info is not None and (not stat.S_ISDIR(info.st_mode) or info.st_mode & 0o077 or info.st_uid != os.geteuid()):
        raise FeederError("%s has to be a folder of this user alone (mode 0700); remove it, set XDG_RUNTIME_DIR, or give socket=" % folder, "address")
    return os.path.join(folder, digest[:32] + ".sock")
