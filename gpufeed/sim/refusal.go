package sim

import "voxpack/gpufeed/driver"

// code is one of CUDA's results; its number and name are those of cuda.h.
type code struct {
	number int
	name   string
	hint   string
	kind   error
}

var (
	invalidValue     = code{1, "CUDA_ERROR_INVALID_VALUE", "", nil}
	outOfMemory      = code{2, "CUDA_ERROR_OUT_OF_MEMORY", "ask for a smaller ring or a higher cap", driver.ErrOutOfMemory}
	deinitialized    = code{4, "CUDA_ERROR_DEINITIALIZED", "", nil}
	invalidDevice    = code{101, "CUDA_ERROR_INVALID_DEVICE", "", nil}
	invalidContext   = code{201, "CUDA_ERROR_INVALID_CONTEXT", "", nil}
	eccUncorrectable = code{214, "CUDA_ERROR_ECC_UNCORRECTABLE", "the device lost data; only a new process can use it again", driver.ErrLost}
	invalidHandle    = code{400, "CUDA_ERROR_INVALID_HANDLE", "", nil}
	notReady         = code{600, "CUDA_ERROR_NOT_READY", "", nil}
	contextDestroyed = code{709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "", driver.ErrLost}
	alreadyPinned    = code{712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "", nil}
	notPinned        = code{713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "", nil}
)

// refuse makes the error of a call; device is -1 where it has none.
func (c code) refuse(call string, device int) error {
	return &driver.Error{Call: call, Code: c.number, Name: c.name, Device: device, Hint: c.hint, Kind: c.kind}
}
