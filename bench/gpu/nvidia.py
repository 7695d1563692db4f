"""The few calls of NVIDIA's driver and of NVML that the checks need, by ctypes.

They are asked beside voxpack, so that what it says of a GPU is compared with
somebody else, and so that the ceiling of a link needs no torch.
"""

import ctypes
import shutil
import subprocess
from ctypes import POINTER, byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p

SIGNATURES = {
    "cuInit": (c_uint,),
    "cuDriverGetVersion": (POINTER(c_int),),
    "cuDeviceGetCount": (POINTER(c_int),),
    "cuDeviceGet": (POINTER(c_int), c_int),
    "cuDeviceGetName": (c_char_p, c_int, c_int),
    "cuDeviceGetPCIBusId": (c_char_p, c_int, c_int),
    "cuDeviceTotalMem_v2": (POINTER(c_size_t), c_int),
    "cuDeviceGetAttribute": (POINTER(c_int), c_int, c_int),
    "cuDeviceGetUuid_v2": (c_char_p, c_int),
    "cuDevicePrimaryCtxRetain": (POINTER(c_void_p), c_int),
    "cuDevicePrimaryCtxRelease_v2": (c_int,),
    "cuCtxSetCurrent": (c_void_p,),
    "cuMemGetInfo_v2": (POINTER(c_size_t), POINTER(c_size_t)),
    "cuMemHostAlloc": (POINTER(c_void_p), c_size_t, c_uint),
    "cuMemFreeHost": (c_void_p,),
    "cuMemHostRegister_v2": (c_void_p, c_size_t, c_uint),
    "cuMemHostUnregister": (c_void_p,),
    "cuMemAlloc_v2": (POINTER(c_uint64), c_size_t),
    "cuMemFree_v2": (c_uint64,),
    "cuMemcpyHtoDAsync_v2": (c_uint64, c_void_p, c_size_t, c_void_p),
    "cuStreamCreateWithPriority": (POINTER(c_void_p), c_uint, c_int),
    "cuStreamDestroy_v2": (c_void_p,),
    "cuEventCreate": (POINTER(c_void_p), c_uint),
    "cuEventDestroy_v2": (c_void_p,),
    "cuEventRecord": (c_void_p, c_void_p),
    "cuEventSynchronize": (c_void_p,),
    "cuEventElapsedTime": (POINTER(c_float), c_void_p, c_void_p),
}


class NoGPU(Exception):
    """There is nothing to check here; the text says why."""


class CallError(Exception):
    """A call that the driver or NVML refused."""

    def __init__(self, call, code):
        super().__init__(f"{call}: code {code}")
        self.code = code


class Driver:
    """libcuda.so.1, initialised. It makes no context by itself."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError as err:
            raise NoGPU(f"no NVIDIA driver: {err}") from None
        for name, types in SIGNATURES.items():
            function = getattr(self.library, name, None)
            if function is None:
                raise NoGPU(f"libcuda.so.1 has no {name}")
            function.argtypes, function.restype = types, c_int
        try:
            self.call("cuInit", 0)
            self.count = self.integer("cuDeviceGetCount")
        except CallError as err:
            raise NoGPU(f"no GPU: {err}") from None
        if self.count == 0:
            raise NoGPU("the driver has no GPU for this process")

    def call(self, name, *args):
        code = getattr(self.library, name)(*args)
        if code != 0:
            raise CallError(name, code)

    def integer(self, name, *args):
        value = c_int()
        self.call(name, byref(value), *args)
        return value.value

    def pointer(self, name, *args):
        value = c_void_p()
        self.call(name, byref(value), *args)
        return value.value

    def version(self):
        """13000 as 13.0."""
        v = self.integer("cuDriverGetVersion")
        return f"{v // 1000}.{v % 1000 // 10}"

    def uuid(self, device):
        """Without the word before it, which depends on who prints it."""
        text = ctypes.create_string_buffer(16)
        self.call("cuDeviceGetUuid_v2", text, device)
        u = text.raw.hex()
        return "-".join((u[:8], u[8:12], u[12:16], u[16:20], u[20:]))

    def device(self, ordinal):
        handle = self.integer("cuDeviceGet", ordinal)
        name, bus, memory = ctypes.create_string_buffer(256), ctypes.create_string_buffer(64), c_size_t()
        self.call("cuDeviceGetName", name, len(name), handle)
        self.call("cuDeviceGetPCIBusId", bus, len(bus), handle)
        self.call("cuDeviceTotalMem_v2", byref(memory), handle)
        return {"name": name.value.decode(), "bus": plain_bus(bus.value.decode()), "memory": memory.value}


def plain_bus(bus):
    """"00000000:65:00.0" and "0000:65:00.0" are the same address: as sysfs spells it."""
    domain, _, rest = bus.strip().lower().partition(":")
    return f"{int(domain, 16):04x}:{rest}"


class Memory(ctypes.Structure):
    """nvmlMemory_t, in bytes."""

    _fields_ = [("total", c_uint64), ("free", c_uint64), ("used", c_uint64)]


class NVML:
    """libnvidia-ml.so.1, for one device."""

    def __init__(self, bus):
        self.library = ctypes.CDLL("libnvidia-ml.so.1")
        self.call("nvmlInit_v2")
        self.device = c_void_p()
        self.call("nvmlDeviceGetHandleByPciBusId_v2", bus.encode(), byref(self.device))

    def call(self, name, *args):
        code = getattr(self.library, name)(*args)
        if code != 0:
            raise CallError(name, code)

    def text(self, name, *args):
        value = ctypes.create_string_buffer(96)
        self.call(name, *args, value, c_uint(len(value)))
        return value.value.decode()

    def name(self):
        return self.text("nvmlDeviceGetName", self.device)

    def driver(self):
        return self.text("nvmlSystemGetDriverVersion")

    def memory(self):
        m = Memory()
        self.call("nvmlDeviceGetMemoryInfo", self.device, byref(m))
        return m

    def used(self):
        """Bytes of device memory in use, by all processes."""
        return self.memory().used

    def link(self):
        """"PCIe 5 x16", at most; an idle GPU may show less for now. None where the platform does not say."""
        generation, width = c_uint(), c_uint()
        try:
            self.call("nvmlDeviceGetMaxPcieLinkGeneration", self.device, byref(generation))
            self.call("nvmlDeviceGetMaxPcieLinkWidth", self.device, byref(width))
        except (CallError, AttributeError):
            return None
        return f"PCIe {generation.value} x{width.value}"

    def received(self):
        """Bytes a second that came over the link in the last 20 ms, which it takes to count. None: not supported."""
        value = c_uint()
        try:
            self.call("nvmlDeviceGetPcieThroughput", self.device, c_int(1), byref(value))
        except (CallError, AttributeError):
            return None
        return 1000 * value.value


def nvidia_smi(bus):
    """Name, MiB and driver as nvidia-smi prints them for an address; None without it."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return None
    command = [program, "--query-gpu=pci.bus_id,name,memory.total,driver_version", "--format=csv,noheader,nounits"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    for line in done.stdout.splitlines():
        found, name, memory, driver = (part.strip() for part in line.split(","))
        if plain_bus(found) == bus:
            return {"name": name, "mib": int(memory), "driver": driver}
    return None
