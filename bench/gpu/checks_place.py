"""Checks of where it runs: the driver, its library, graphs, pinned memory, containers, other readers, room for a trainer."""

import os
import re
import resource
import shutil
import subprocess
import sys

from checks_ring import BATCH, SMALL, Feeder
from process import Piece, text
from session import MB, Findings, Skip

ATTRIBUTES = {"integrated": 18, "compute mode": 20, "copy engines": 40, "unified addressing": 41, "stream priorities": 78, "pageable access": 88,
              "compute capability": 75, "and": 76, "host memory can be registered": 99, "by the host's tables": 100, "read-only memory can": 113, "events between processes": 125}


def check_facts(s):
    """what the machine is: everything below depends on it"""
    if s.cuda is None:
        raise Skip(f"no driver to ask: {s.no_nvml}")
    device = s.cuda.integer("cuDeviceGet", 0)
    found = [f"{name} {s.cuda.integer('cuDeviceGetAttribute', number, device)}" for name, number in ATTRIBUTES.items()]
    s.measured("attributes", ", ".join(found))
    wrong, uuid = Findings(), s.cuda.uuid(device)
    listed = run("nvidia-smi", "-L")
    names = re.findall(r"UUID: (?:GPU|MIG)-([0-9a-f-]+)", listed or "")
    wrong.want(not names or uuid in names, f"nvidia-smi lists {', '.join(names)}")
    s.judge("uuid", f"{uuid}, {'also by nvidia-smi -L' if names else 'and no nvidia-smi'}{', MIG' if 'MIG-' in (listed or '') else ''}", wrong)
    module = read("/proc/driver/nvidia/version").partition("\n")[0] or "no /proc/driver/nvidia"
    places = [f"{kind} {os.readlink(f'/proc/self/ns/{kind}')[len(kind) + 1:]}" for kind in ("pid", "ipc", "mnt") if os.path.exists(f"/proc/self/ns/{kind}")]
    memlock = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
    s.measured("machine", f"{module}; kernel {os.uname().release}; namespaces {', '.join(places)}; memlock {'no limit' if memlock < 0 else memlock}; "
               f"cgroup limit {read('/sys/fs/cgroup/memory.max').strip() or 'none'}; user {os.getuid()}")


def run(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=30).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None


def read(path):
    try:
        with open(path) as f:
            return f.read()
    except OSError:
        return ""


def check_library(s):
    """the real library keeps every rule that the simulated and the fake driver keep: gpufeed/drivertest"""
    if s.cuda is None:
        raise Skip(f"no driver to ask: {s.no_nvml}")
    if not s.args.tests or not os.path.exists(s.args.tests):
        raise Skip(f"no test binary {s.args.tests or ''} (go test -c -o bin/cuda.test ./gpufeed/cuda)")
    s.end_pieces()
    done = subprocess.run([os.path.abspath(s.args.tests), "-test.v", "-test.run", "^TestReal(Library|IPC)", "-test.timeout", "110s"], cwd=s.work, capture_output=True, text=True,
                          timeout=s.seconds(120), env=dict(os.environ, VOXPACK_LIBCUDA="libcuda.so.1"))
    rows = re.findall(r"^ *--- (PASS|FAIL|SKIP): (\S+)", done.stdout, re.M)
    cases = [(how, name) for how, name in rows if not any(other.startswith(name + "/") for _, other in rows)]
    wrong = Findings(f"{name} fails" for how, name in cases if how == "FAIL")
    wrong.want(done.returncode == 0, f"it ended with {done.returncode}: {(done.stdout + done.stderr).strip().splitlines()[-1:]}")
    wrong.want(sum(how == "PASS" for how, _ in cases) >= 20, f"{len(cases)} cases ran")
    skipped = [name.rpartition("/")[2] for how, name in cases if how == "SKIP"]
    told = re.findall(r"real: (.+)", done.stdout)
    s.judge("", f"{sum(how == 'PASS' for how, _ in cases)} cases passed" + (f", {len(skipped)} skipped ({', '.join(skipped[:4])})" if skipped else "")
            + (f"; {'; '.join(told)}" if told else ""), wrong)


def check_captures(s):
    """captures of CUDA graphs stay valid beside a ring, and what would break them is refused in words"""
    with Feeder(s) as f:
        found = s.consumer().ask(s.seconds(90), what="captures", socket=f.socket, batch=SMALL)
        collected = s.consumer().ask(s.seconds(60), what="collect", socket=f.socket, batch=SMALL)
    wrong = Findings(f"{how}: the capture ends with {code}" for how, code in found["codes"].items() if code)
    wrong.want("a CUDA graph is being captured" in found["said"], f"a loop whose stream is captured says {found['said']!r}")
    s.judge("", f"{len(found['codes'])} captures, three modes, in the same and in another thread", wrong)
    wrong = Findings()
    wrong.want(not found["early"], "it went back in the capture: its event is a part of the graph")
    wrong.want(found["late"], "it did not go back after the capture")
    s.judge("slot", "a slot that waits for a stream under capture goes back after it", wrong)
    s.judge("garbage", "the collector waits for no work on the GPU", Findings(["it waited for a kernel"] if collected["waited"] else []))
    wrong = Findings()
    wrong.want(all(found["control"]), f"cuCtxSynchronize answers {found['control'][0]} and the capture ends with {found['control'][1]}: the row above proves nothing")
    s.judge("control", f"a wait for the context answers {found['control'][0]} and breaks the capture ({found['control'][1]})", wrong)


def check_pins(s):
    """host memory is pinned whatever ulimit says, and what is refused makes a ring smaller and ends no feed"""
    found = s.consumer().ask(s.seconds(60), what="pins")
    codes, wrong = found["codes"], Findings()
    for name, want in (("64 MB", 0), ("again", 712), ("unpinned", 0), ("unpinned again", 713), ("64 MB under a memlock of 64 kB", 0)):
        wrong.want(codes[name] == want, f"{name}: {codes[name]}, want {want}")
    s.judge("codes", ", ".join(f"{name} {code}" for name, code in codes.items()) + f"; memlock {found['memlock']}", wrong)
    with s.part("two processes"):
        mine = s.consumer().ask(s.seconds(60), what="pin_file")
        other = s.consumer("pins").ask(s.seconds(60), what="pin_file", pid=mine["pid"], fd=mine["fd"])
        s.end_piece("pins")
        s.judge("two processes", f"a file without a name that both have mapped: {mine['code']}, {other['code']}", Findings(["want 0, 0"] if mine["code"] or other["code"] else []))
    with s.part("a feed under memlock"):
        if shutil.which("prlimit") is None:
            raise Skip("no prlimit")
        command = ["prlimit", "--memlock=65536", *s.flags("--batch-size", BATCH, "--steps", 20, "--cache", "off")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=s.seconds(60))
        s.judge("a feed under memlock", "64 kB allowed", Findings() if done.returncode == 0 and "could pin" not in done.stderr else Findings([done.stderr.strip()[-200:]]))
    with s.part("refused"):
        if not s.fake:
            raise Skip("nothing refuses on purpose; only the fake driver shows what a feed does of it")
        for code in (1, 2, 304, 801):
            env = dict(os.environ, FAKECUDA_PIN_OOM_MB="20", FAKECUDA_PIN_CODE=str(code))
            done = subprocess.run(s.flags("--batch-size", BATCH, "--steps", 20, "--cache", "off"), capture_output=True, text=True, timeout=s.seconds(60), env=env)
            good = done.returncode == 0 and "could pin memory for" in done.stdout + done.stderr
            s.judge(f"refused by {code}", "the ring is smaller, and a note says so", Findings() if good else Findings([f"ended with {done.returncode}: {done.stderr.strip()[-200:]}"]))


REFUSAL = "refused: %.90s…; batches come by the host"
TOGETHER = "both need the same PID and IPC namespace"
REFUSED = (  # how the fake driver refuses, to the feeder and to the consumer, and what has to be said
    *((f"opening answered by {code}", {}, {"FAKECUDA_IPC_CODE": str(code)}, TOGETHER) for code in (1, 201, 205, 304, 400)),
    ("opening answered by 801", {}, {"FAKECUDA_IPC_CODE": "801"}, "its driver or its virtual machine cannot do it"),
    ("naming answered by 801", {"FAKECUDA_EXPORT_CODE": "801"}, {}, "cuIpcGetMemHandle: CUDA_ERROR_NOT_SUPPORTED"),
    ("pinning answered by 801", {"FAKECUDA_PIN_OOM_MB": "0.1", "FAKECUDA_PIN_CODE": "801"}, {}, "of pinned host memory: .*cannot do it"),
    ("exclusive process", {"FAKECUDA_COMPUTE_MODE": "3"}, {}, 'compute mode "exclusive process".*nvidia-smi -c 0'),
    ("prohibited", {"FAKECUDA_COMPUTE_MODE": "2"}, {}, 'compute mode "prohibited".*nvidia-smi -c 0'),
)


def asked(s, env, before=(), **question):
    """The answer of a consumer that lives for one question."""
    s.consumer()  # a Skip where there can be none
    piece = Piece("consumer.py", before=before, env=env)
    try:
        return piece.ask(s.seconds(60), **question)
    finally:
        piece.close()


def address(s):
    Feeder.count += 1
    return os.path.join(s.sockets, f"s{Feeder.count}")


def check_places(s):
    """a feeder serves all ranks whatever the first one sees, and processes that cannot share a GPU say why"""
    for visible, mig in ((None, False), ("", False), ("7", False), ("0", False), (None, True)):
        name = "by a MIG name" if mig else "CUDA_VISIBLE_DEVICES " + ("unset" if visible is None else repr(visible))
        with s.part(name):
            found = s.consumer().ask(s.seconds(60), what="started", store=s.store, socket=address(s), visible=visible, mig=mig)
            s.judge(name, "the feeder that a Dataset starts has the consumer's GPU", Findings() if found["uuid"] == found["own"] else Findings([f"it is on {found['uuid']}"]))
    for part, how in (("namespaces of its own", apart), ("a MIG device", divided), ("peers", peers)):
        with s.part(part):
            how(s, part)
    for part, feeder, consumer, says in REFUSED:
        with s.part(part):
            if not s.fake:
                raise Skip("a sound machine refuses nothing on purpose; only the fake driver does")
            with Feeder(s, env=feeder) as f:
                found = asked(s, dict(s.consumer_env, **consumer), what="either", socket=f.socket, batch=BATCH)
            wrong = Findings()
            wrong.want(re.search(says, found["said"]), f"it says {found['said']!r}")
            wrong.want(found["host"], "its batches do not come by the host")
            s.judge(part, REFUSAL % found["said"].rpartition(": ")[2], wrong)


def divided(s, part):
    """A device of a divided GPU, as CUDA_VISIBLE_DEVICES names it; a process without that sees the first one."""
    if not s.fake:
        raise Skip("a GPU is not divided on purpose; only the fake driver has its devices")
    uuid = "MIG-" + s.cuda.uuid(s.cuda.integer("cuDeviceGet", 0))[:-2] + "01"
    env = dict(s.consumer_env, FAKECUDA_MIG="1", CUDA_VISIBLE_DEVICES=uuid)
    found = asked(s, env, what="started", store=s.store, socket=address(s), visible=None, mig=False)
    wrong = Findings()
    wrong.want(found["own"][4:] == uuid[4:] and found["uuid"] == found["own"], f"the consumer has {found['own']}, the ring is on {found['uuid']}")
    s.judge(part, "the feeder that a Dataset starts has the one that the variable names", wrong)


def peers(s, part):
    if not s.fake:
        raise Skip("one GPU has no peers; only the fake driver refuses them")
    env = dict(os.environ, FAKECUDA_PEER_CODE="711")
    command = s.flags("--batch-size", BATCH, "--steps", 4, mode="dual", model_gpu=1)
    done = subprocess.run(command, capture_output=True, text=True, timeout=s.seconds(60), env=env)
    s.judge(part, "two GPUs with no peer access left: copies go through the host", Findings() if done.returncode == 0 else Findings([done.stderr.strip()[-200:]]))


def apart(s, part):
    """A consumer in another container, as far as namespaces make one."""
    if run("unshare", "--pid", "--ipc", "--fork", "true") is None or subprocess.run(["unshare", "--pid", "--ipc", "--fork", "true"], capture_output=True).returncode:
        raise Skip("unshare is not there or not allowed")
    with Feeder(s) as f:
        found = asked(s, s.consumer_env, before=("unshare", "--pid", "--ipc", "--fork"), what="either", socket=f.socket, batch=BATCH)
    wrong = Findings()
    wrong.want(not found["said"] or TOGETHER in found["said"] and found["host"], f"it says {found['said']!r}")
    s.judge(part, REFUSAL % found["said"].rpartition(": ")[2] if found["said"] else "it is allowed here", wrong)


def check_lifetimes(s):
    """other libraries read the ring in place, and a slot goes back when their last tensor is gone"""
    for name in ("torch", "cupy", "jax", "tvm_ffi"):
        with s.part(name):
            with Feeder(s) as f:
                found = s.consumer("lifetimes").ask(s.seconds(120), what="lifetimes", socket=f.socket, batch=SMALL, consumer=name)
                s.end_piece("lifetimes")
            if "skip" in found:
                raise Skip(found["skip"])
            values = "shapes" if name == "tvm_ffi" else "shapes, values"
            as_host = ", with the memory declared the host's" if found["host"] else ""
            s.judge(name, f"{name} {found['version']}{as_host}: {values} and the end of its tensors, also in another thread; capsules that nobody took", Findings(found["wrong"]))
            ended(s, name, f"{name}, at the end", "a process ends while it has a tensor")
    with s.part("after Python's end"):
        ended(s, "static", "after Python's end", "a tensor that C has dies after Python's end")


def ended(s, name, part, how):
    """A tensor that is alive when Python ends: its deleter may run no code of Python's."""
    with Feeder(s) as f:
        s.consumer("lifetimes").ask(s.seconds(120), what="keep", socket=f.socket, batch=SMALL, consumer=name)
        piece = s.pieces.pop("lifetimes")
        piece.close()
    said, wrong = text(piece.err).strip(), Findings()
    wrong.want(piece.popen.returncode == 0, f"it ends with {piece.popen.returncode}: {said[-200:]}")
    wrong.want("Traceback" not in said and "Exception ignored" not in said, said[-200:])
    s.judge(part, how, wrong)


def check_room(s):
    """a feeder that caches on a GPU leaves a trainer room to grow, and gives the cache back when told"""
    with Feeder(s) as f:
        freed, wrong, figure = room(s, f, BATCH, 2)
    s.judge("given back", f"{freed / MB:.0f} MB of cache when asked for, and batches go on from the host; {figure}", wrong)
    with s.part("share"):
        if not s.fake:
            raise Skip("the share is held against a GPU that is nearly full, by the fake driver alone")
        with Feeder(s, env={"FAKECUDA_FREE_MB": "528"}) as f:
            freed, wrong, _ = room(s, f, SMALL, 1)
        wrong.want(freed <= 8 << 20, f"of 16 MiB it took {freed / MB:.1f} MB")
        s.judge("share", f"{freed / MB:.1f} MB of 16 MiB that are free beside half a GiB for others", wrong)


def room(s, f, batch, epochs):
    """A ring with a cache, which is told to go: how much it was, and what is wrong."""
    consumer, wrong, figure = s.consumer("room"), Findings(), "NVML does not tell"
    consumer.ask(s.seconds(90), what="cached", socket=f.socket, batch=batch, epochs=epochs)
    before = s.used() if s.nvml else 0
    found = consumer.ask(s.seconds(60), what="uncached")
    after = s.used() if s.nvml else 0
    s.end_piece("room")
    wrong.want(found["freed"] > 0, "there was no cache to give back")
    wrong.want(found["batches"], "no batch came after it")
    if s.nvml:
        figure = f"{before / MB:.0f} MB in use before, {after / MB:.0f} MB after"
        wrong.want(before - after >= 0.9 * found["freed"], f"{found['freed'] / MB:.1f} MB were said to be free, {(before - after) / MB:.1f} MB are")
    return found["freed"], wrong, figure
