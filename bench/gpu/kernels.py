"""Kernels that need no compiler: PTX, which the driver translates for its GPU.

    spin(ns)                         keeps the GPU busy
    late(ns, source, target, bytes)  the same, then reads source into target, 4 bytes at a time
    trap()                           fails, and with it the process's context

All arguments are of 8 bytes. The fake driver of the tests knows these three by name.
"""

import ctypes
from ctypes import byref, c_uint64, c_void_p

_WAIT = """
    .reg .u64 %begin, %now;
    .reg .pred %early;
    ld.param.u64 %ns, [ns];
    mov.u64 %begin, %globaltimer;
again:
    mov.u64 %now, %globaltimer;
    sub.u64 %now, %now, %begin;
    setp.lt.u64 %early, %now, %ns;
    @%early bra again;
"""

# The two %s are PTX's version and the oldest GPUs that it is for. A driver takes PTX for older GPUs than its own, but not for all.
PTX = """
.version %s
.target %s
.address_size 64

.visible .entry spin(.param .u64 ns)
{
    .reg .u64 %%ns;
""" + _WAIT.replace("%", "%%") + """
    ret;
}

.visible .entry late(.param .u64 ns, .param .u64 source, .param .u64 target, .param .u64 bytes)
{
    .reg .u64 %%ns, %%from, %%to, %%end, %%at, %%step, %%a, %%b;
    .reg .u32 %%block, %%size, %%thread, %%blocks, %%first, %%all, %%word;
    .reg .pred %%over;
""" + _WAIT.replace("%", "%%") + """
    ld.param.u64 %%from, [source];
    ld.param.u64 %%to, [target];
    ld.param.u64 %%end, [bytes];
    cvta.to.global.u64 %%from, %%from;
    cvta.to.global.u64 %%to, %%to;
    mov.u32 %%block, %%ctaid.x;
    mov.u32 %%size, %%ntid.x;
    mov.u32 %%thread, %%tid.x;
    mov.u32 %%blocks, %%nctaid.x;
    mad.lo.u32 %%first, %%block, %%size, %%thread;
    mul.lo.u32 %%all, %%blocks, %%size;
    mul.wide.u32 %%at, %%first, 4;
    mul.wide.u32 %%step, %%all, 4;
more:
    setp.ge.u64 %%over, %%at, %%end;
    @%%over bra done;
    add.u64 %%a, %%from, %%at;
    add.u64 %%b, %%to, %%at;
    ld.volatile.global.u32 %%word, [%%a];
    st.global.u32 [%%b], %%word;
    add.u64 %%at, %%at, %%step;
    bra more;
done:
    ret;
}

.visible .entry trap()
{
    trap;
    ret;
}
"""
TARGETS = (("6.0", "sm_52"), ("6.3", "sm_75"), ("7.8", "sm_90"))


class Kernels:
    """The kernels in the current context. library is libcuda by ctypes; OSError where none of the targets loads."""

    def __init__(self, library):
        self.library, module, codes = library, c_void_p(), []
        for target in TARGETS:
            code = library.cuModuleLoadData(byref(module), ctypes.c_char_p((PTX % target).encode()))
            codes.append(f"{target[1]}: code {code}")
            if code == 0:
                break
        else:
            raise OSError("the driver takes none of the kernels: " + ", ".join(codes))
        self.functions = {}
        for name in ("spin", "late", "trap"):
            function = c_void_p()
            code = library.cuModuleGetFunction(byref(function), module, name.encode())
            if code:
                raise OSError(f"the module has no {name}: code {code}")
            self.functions[name] = function

    def launch(self, name, stream, *arguments, blocks=1, threads=1):
        """Queues a kernel; the code that the driver answers."""
        values = [c_uint64(a) for a in arguments]
        pointers = (c_void_p * max(1, len(values)))(*(ctypes.cast(ctypes.pointer(v), c_void_p) for v in values))
        return self.library.cuLaunchKernel(self.functions[name], blocks, 1, 1, threads, 1, 1, 0, c_void_p(stream), pointers, None)
