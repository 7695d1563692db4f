package cuda

import "voxpack/gpufeed/driver"

// code is what a call answers, a CUresult.
type code int32

// The codes that we look at ourselves.
const (
	success          code = 0
	invalidValue     code = 1
	deinitialized    code = 4
	invalidDevice    code = 101
	invalidContext   code = 201
	peerUnsupported  code = 217
	invalidHandle    code = 400
	notReady         code = 600
	peerAlreadyOn    code = 704
	contextActive    code = 708
	contextDestroyed code = 709
	tooManyPeers     code = 711
	notSupported     code = 801
)

// again ends the hint of an error after which a context is of no use. It does
// not say "this process": a feeder's consumer reads it too.
const again = "; only a new process can use the GPU again"

// codes are the answers that a feed can meet, with what to do. What follows
// from a mistake of ours says so.
var codes = []struct {
	code code
	name string
	kind error
	hint string
}{
	{invalidValue, "CUDA_ERROR_INVALID_VALUE", nil, "an address or a size is wrong"},
	{2, "CUDA_ERROR_OUT_OF_MEMORY", driver.ErrOutOfMemory, "lower the memory caps or the batch, or end what else uses the memory (nvidia-smi lists it)"},
	{3, "CUDA_ERROR_NOT_INITIALIZED", driver.ErrNoDriver, "the driver did not start: see whether nvidia-smi works"},
	{deinitialized, "CUDA_ERROR_DEINITIALIZED", driver.ErrLost, "the driver is shut down: the process ends, or the driver was closed"},
	{34, "CUDA_ERROR_STUB_LIBRARY", driver.ErrNoDriver, "libcuda.so.1 is the empty one of a CUDA toolkit: take its folder (stubs) out of LD_LIBRARY_PATH"},
	{46, "CUDA_ERROR_DEVICE_UNAVAILABLE", nil, "another process has the GPU for itself: end it, or set the compute mode to default (nvidia-smi -c 0)"},
	{100, "CUDA_ERROR_NO_DEVICE", driver.ErrNoDriver, "there is a driver but no GPU for it: see CUDA_VISIBLE_DEVICES and nvidia-smi; --device host needs none"},
	{invalidDevice, "CUDA_ERROR_INVALID_DEVICE", nil, "GPUs are numbered from 0, over those that CUDA_VISIBLE_DEVICES leaves"},
	{invalidContext, "CUDA_ERROR_INVALID_CONTEXT", nil, "the thread has no device, has left it, or the memory is this process's own"},
	{205, "CUDA_ERROR_MAP_FAILED", nil, "the memory of the other process could not be mapped"},
	{208, "CUDA_ERROR_ALREADY_MAPPED", nil, "the memory of the other process is mapped already"},
	{214, "CUDA_ERROR_ECC_UNCORRECTABLE", driver.ErrLost, "the GPU's memory is damaged: see nvidia-smi -q -d ECC, reset the GPU" + again},
	{peerUnsupported, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", nil, "these GPUs cannot reach each other's memory: copies go through the host"},
	{220, "CUDA_ERROR_NVLINK_UNCORRECTABLE", driver.ErrLost, "the NVLink between the GPUs fails: see nvidia-smi nvlink -e" + again},
	{226, "CUDA_ERROR_CONTAINED", driver.ErrLost, "the GPU lost some memory: reset it when it is idle" + again},
	{invalidHandle, "CUDA_ERROR_INVALID_HANDLE", nil, "the stream, event or handle is closed, of another GPU, or of a process that has ended"},
	{notReady, "CUDA_ERROR_NOT_READY", nil, "what was asked about is not done yet"},
	{700, "CUDA_ERROR_ILLEGAL_ADDRESS", driver.ErrLost, "the GPU was sent to memory that is not there" + again},
	{702, "CUDA_ERROR_LAUNCH_TIMEOUT", driver.ErrLost, "the GPU took too long, as on one that drives a screen" + again},
	{peerAlreadyOn, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", nil, "peer access is on"},
	{contextActive, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE", nil, "the GPU is in use by this process with other flags"},
	{contextDestroyed, "CUDA_ERROR_CONTEXT_IS_DESTROYED", driver.ErrLost, "the GPU was closed while it was in use"},
	{710, "CUDA_ERROR_ASSERT", driver.ErrLost, "a kernel of this process stopped" + again},
	{tooManyPeers, "CUDA_ERROR_TOO_MANY_PEERS", nil, "the GPU has peer access to as many others as it can: copies go through the host"},
	{712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", nil, "these pages are pinned already"},
	{713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", nil, "this memory was not pinned here"},
	{714, "CUDA_ERROR_HARDWARE_STACK_ERROR", driver.ErrLost, "the GPU failed" + again},
	{715, "CUDA_ERROR_ILLEGAL_INSTRUCTION", driver.ErrLost, "the GPU failed" + again},
	{716, "CUDA_ERROR_MISALIGNED_ADDRESS", driver.ErrLost, "the GPU was sent to a crooked address" + again},
	{717, "CUDA_ERROR_INVALID_ADDRESS_SPACE", driver.ErrLost, "the GPU failed" + again},
	{718, "CUDA_ERROR_INVALID_PC", driver.ErrLost, "the GPU failed" + again},
	{719, "CUDA_ERROR_LAUNCH_FAILED", driver.ErrLost, "the GPU failed, or is gone from the bus: see the kernel's log for Xid" + again},
	{800, "CUDA_ERROR_NOT_PERMITTED", nil, "the system does not allow it: see the container's and the driver's permissions"},
	{notSupported, "CUDA_ERROR_NOT_SUPPORTED", nil, "this GPU or its driver cannot do it"},
	{802, "CUDA_ERROR_SYSTEM_NOT_READY", driver.ErrNoDriver, "the GPUs are not ready: start nvidia-fabricmanager, wait, and see nvidia-smi"},
	{803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", driver.ErrNoDriver, "the driver's library and its kernel module are of different versions: restart the machine"},
	{804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", driver.ErrNoDriver, "the library of a newer CUDA was put before the driver's own, and this GPU does not allow that: take it out of LD_LIBRARY_PATH"},
	{805, "CUDA_ERROR_MPS_CONNECTION_FAILED", nil, "the MPS server does not answer: restart nvidia-cuda-mps-control, or unset CUDA_MPS_PIPE_DIRECTORY"},
	{999, "CUDA_ERROR_UNKNOWN", driver.ErrLost, "see the kernel's log for Xid and NVRM; after a suspend, reload nvidia_uvm" + again},
}

// refuse is the error of a call; device is -1 where it has none. A code that is
// not in the table has no name yet.
func (c code) refuse(s symbol, device int) *driver.Error {
	err := &driver.Error{Call: s.String(), Code: int(c), Device: device}
	for _, known := range codes {
		if known.code == c {
			err.Name, err.Kind, err.Hint = known.name, known.kind, known.hint
		}
	}
	return err
}
