package nvml

import (
	"errors"
	"fmt"
)

// What a caller may want to tell apart.
var (
	// ErrNone says that this machine, or this build, has no NVML.
	ErrNone = errors.New("no NVML")
	// ErrLost says that a device does not answer until it is reset or the
	// machine restarted.
	ErrLost = errors.New("device lost")
)

// Error is a call that NVML refused.
type Error struct {
	Call string // as NVML's documentation spells it
	Code int
	Name string // of the code, "NVML_ERROR_GPU_IS_LOST"
	Bus  string // of the device; "" where the call has none
	Hint string // what to do; may be ""
	Kind error  // ErrNone, ErrLost or nil
}

// Error names the call, the device, the code and what to do.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s: %s (%d)", e.Call, e.Name, e.Code)
	if e.Bus != "" {
		text = "GPU " + e.Bus + ": " + text
	}
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Unwrap lets errors.Is find the kind.
func (e *Error) Unwrap() error { return e.Kind }

// code is an nvmlReturn_t.
type code int32

// Codes that are not only reported.
const (
	success          code = 0
	notSupported     code = 3
	functionNotFound code = 13
)

// codes has the names of nvml.h (CUDA 13) and what to do about those that
// users can do something about.
var codes = []struct {
	code code
	name string
	hint string
	kind error
}{
	{1, "UNINITIALIZED", "NVML was closed before", nil},
	{2, "INVALID_ARGUMENT", "", nil},
	{notSupported, "NOT_SUPPORTED", "", nil},
	{4, "NO_PERMISSION", "this user or container may not read the device; a container needs the driver's utility capability", nil},
	{6, "NOT_FOUND", "NVML sees no such device; a container must be given it", nil},
	{7, "INSUFFICIENT_SIZE", "", nil},
	{8, "INSUFFICIENT_POWER", "check the device's power cables", nil},
	{9, "DRIVER_NOT_LOADED", "load the kernel module: modprobe nvidia", ErrNone},
	{10, "TIMEOUT", "", nil},
	{11, "IRQ_ISSUE", "the kernel has trouble with the device's interrupts: see dmesg", nil},
	{12, "LIBRARY_NOT_FOUND", "the driver's installation is incomplete", ErrNone},
	{functionNotFound, "FUNCTION_NOT_FOUND", "the driver is too old for this call", nil},
	{14, "CORRUPTED_INFOROM", "", nil},
	{15, "GPU_IS_LOST", "the device fell off the bus: see dmesg for Xid, then restart the machine", ErrLost},
	{16, "RESET_REQUIRED", "nvidia-smi --gpu-reset, or restart the machine", ErrLost},
	{17, "OPERATING_SYSTEM", "the control group does not let this process open the device", nil},
	{18, "LIB_RM_VERSION_MISMATCH", "library and kernel module are of two versions, as after an update: restart the machine", nil},
	{19, "IN_USE", "", nil},
	{20, "MEMORY", "", nil},
	{21, "NO_DATA", "", nil},
	{23, "INSUFFICIENT_RESOURCES", "", nil},
	{25, "ARGUMENT_VERSION_MISMATCH", "", nil},
	{26, "DEPRECATED", "", nil},
	{27, "NOT_READY", "", nil},
	{28, "GPU_NOT_FOUND", "", nil},
	{29, "INVALID_STATE", "", nil},
	{999, "UNKNOWN", "see dmesg for Xid", nil},
}

// err makes an error of a refusal, nil of a success.
func (c code) err(call, bus string) error {
	if c == success {
		return nil
	}
	e := &Error{Call: call, Code: int(c), Name: "unnamed code", Bus: bus}
	for _, known := range codes {
		if known.code == c {
			e.Name, e.Hint, e.Kind = "NVML_ERROR_"+known.name, known.hint, known.kind
		}
	}
	return e
}

// unknown: the device or the driver does not have what was asked for, as with
// MIG, on a virtual GPU or with an old driver.
func (c code) unknown() bool { return c == notSupported || c == functionNotFound }
