"""Slurm for tests: its daemons on this machine, each a node."""

import os
import pathlib
import shutil
import subprocess
import time
import unittest


def program(name):
    """Its path, also where only root's PATH has it."""
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


class Nodes:
    """For a class of tests, whose setUpClass calls begin with a folder."""

    @classmethod
    def begin(cls, folder, nodes):
        if any(program(name) is None for name in ("slurmctld", "slurmd", "munged", "srun")) or os.geteuid() != 0:
            raise unittest.SkipTest("no Slurm, or not root")
        cls.folder, cls.daemons = os.path.join(folder, "slurm"), []
        cls.addClassCleanup(cls.end)
        host, port = os.uname().nodename.partition(".")[0], 20000 + 4 * (os.getpid() % 5000)
        at = lambda name: os.path.join(cls.folder, name)
        os.makedirs(at("state"))
        os.environ["SLURM_CONF"] = at("slurm.conf")
        cls.addClassCleanup(os.environ.pop, "SLURM_CONF")
        told = {"ClusterName": "tests", "SlurmctldHost": host + "(127.0.0.1)", "SlurmctldPort": port, "AuthInfo": "socket=" + at("munge.socket"), "SlurmUser": "root",
                "SlurmdUser": "root", "StateSaveLocation": at("state"), "SlurmdSpoolDir": at("spool.%n"), "SlurmctldPidFile": at("ctld.pid"), "SlurmdPidFile": at("%n.pid"),
                "ProctrackType": "proctrack/linuxproc", "TaskPlugin": "task/none", "MpiDefault": "none", "SlurmdParameters": "config_overrides"}
        with open(at("slurm.conf"), "w") as f:
            f.writelines("%s=%s\n" % one for one in told.items())
            f.writelines("NodeName=n%d NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=8 State=UNKNOWN\n" % (n, host, port + n) for n in range(1, nodes + 1))
            f.write("PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=YES\n")
        with open(os.open(at("munge.key"), os.O_WRONLY | os.O_CREAT, 0o400), "wb") as f:
            f.write(os.urandom(128))
        cls.start("munged", "--foreground", "--force", "--socket", at("munge.socket"), "--key-file", at("munge.key"), "--pid-file", at("munge.pid"), "--log-file", at("munge.log"),
                  "--seed-file", at("munge.seed"))
        cls.start("slurmctld", "-D")
        for n in range(1, nodes + 1):
            os.mkdir(at("spool.n%d" % n))
            cls.start("slurmd", "-D", "-N", "n%d" % n)
        for _ in range(60):
            if subprocess.run(["sinfo", "-h", "-o", "%T %D"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout == "idle %d\n" % nodes:
                return
            time.sleep(0.5)
        raise unittest.SkipTest("Slurm does not come up here: %s" % pathlib.Path(at("slurmctld.log")).read_text()[-1000:])

    @classmethod
    def start(cls, name, *args):
        with open(os.path.join(cls.folder, name + ".log"), "ab") as log:
            cls.daemons.append(subprocess.Popen([program(name), *args], stdout=log, stderr=log))

    @classmethod
    def end(cls):
        for p in reversed(cls.daemons):
            p.terminate()
            p.wait()
