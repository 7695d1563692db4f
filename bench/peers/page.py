"""Markdown, medians, and what is said about the machine."""

import os
import platform
import statistics

median = statistics.median


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"] + ["| " + " | ".join(map(str, row)) + " |" for row in rows] + [""]


def verdict(met):
    return "met" if met else "**missed**"


def spread(values, form="{:.2f}"):
    """Median, min and max, as cells."""
    return [form.format(f(values)) for f in (median, min, max)]


def sections(text):
    """What stands before the first heading of the second level, and then each heading with what belongs to it."""
    parts = [[]]
    for line in text.split("\n"):
        if line.startswith("## "):
            parts.append([])
        parts[-1].append(line)
    return ["\n".join(part) for part in parts]


def merge(old, new):
    """The old page with the new sections in the place of those with the same heading; others come before the calibration, or last."""
    def heading(section):
        return section.partition("\n")[0]

    kept = sections(old)
    for section in sections(new)[1:]:
        headings = [heading(s) for s in kept]
        section = section.rstrip("\n") + "\n"
        if heading(section) in headings:
            kept[headings.index(heading(section))] = section
        else:
            kept.insert(headings.index("## Calibration") if "## Calibration" in headings else len(kept), section)
    return "\n".join(kept)


class Calibration:
    """How fast the machine was, a sample a round, in the same rounds."""

    LINES = (("touch", "first touch of memory, GB/s"), ("copy", "copy of memory, GB/s"), ("write", "plain write of 256 MiB, GB/s"),
             ("sync", "fsync after it, ms"), ("tiny", "fsync of 4 KiB, ms"), ("load", "load, one minute"))

    def __init__(self, source):
        self.source, self.samples, self.others = source, {}, {}

    def sample(self):
        found = self.source.ask("machine")
        found["load"] = os.getloadavg()[0]
        for key, value in found.items():
            self.samples.setdefault(key, []).append(value)

    def table(self):
        rows = [[title, *spread(self.samples[key])] for key, title in self.LINES if key in self.samples]
        rows += [[f"CPU taken by others during {what}, % of all cores", *spread([100 * share for share in shares], "{:.1f}")]
                 for what, shares in self.others.items() if shares]
        return table(("the machine in the same rounds", "median", "min", "max"), rows)


def machine():
    """Processor, cores, memory, system."""
    model = first_value("/proc/cpuinfo", "model name") or platform.processor() or platform.machine()
    memory = first_value("/proc/meminfo", "MemTotal")
    size = f"{int(memory.split()[0]) / (1 << 20):.0f} GiB" if memory else "unknown"
    vectors = [flag for flag in ("avx2", "avx512f") if flag in (first_value("/proc/cpuinfo", "flags") or "").split()]
    return f"{model} ({', '.join(vectors) or platform.machine()}), {os.cpu_count()} cores, {size} memory, {platform.system()} {platform.release()}"


def first_value(path, key):
    try:
        with open(path, encoding="utf-8") as f:
            return next((line.partition(":")[2].strip() for line in f if line.partition(":")[0].strip() == key), None)
    except OSError:
        return None
