package nvml

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"
)

// symbol is a function of the library.
type symbol int

// The functions.
const (
	fnInit symbol = iota
	fnShutdown
	fnDriver
	fnByBus
	fnName
	fnUUID
	fnUtilisation
	fnMemory
	fnGeneration
	fnWidth
	fnMaxGeneration
	fnMaxWidth
	fnThroughput
	fnAffinity
	fnTemperature
	fnPower
	fnAncestor
	fnP2P
	fnCount // how many
)

// symbolNames are what the library exports.
var symbolNames = [fnCount]string{
	fnInit:          "nvmlInit_v2",
	fnShutdown:      "nvmlShutdown",
	fnDriver:        "nvmlSystemGetDriverVersion",
	fnByBus:         "nvmlDeviceGetHandleByPciBusId_v2",
	fnName:          "nvmlDeviceGetName",
	fnUUID:          "nvmlDeviceGetUUID",
	fnUtilisation:   "nvmlDeviceGetUtilizationRates",
	fnMemory:        "nvmlDeviceGetMemoryInfo",
	fnGeneration:    "nvmlDeviceGetCurrPcieLinkGeneration",
	fnWidth:         "nvmlDeviceGetCurrPcieLinkWidth",
	fnMaxGeneration: "nvmlDeviceGetMaxPcieLinkGeneration",
	fnMaxWidth:      "nvmlDeviceGetMaxPcieLinkWidth",
	fnThroughput:    "nvmlDeviceGetPcieThroughput",
	fnAffinity:      "nvmlDeviceGetMemoryAffinity",
	fnTemperature:   "nvmlDeviceGetTemperature",
	fnPower:         "nvmlDeviceGetPowerUsage",
	fnAncestor:      "nvmlDeviceGetTopologyCommonAncestor",
	fnP2P:           "nvmlDeviceGetP2PStatus",
}

// library is where the functions are; 0 is one that an old driver lacks.
type library [fnCount]uintptr

// NVML is the library, loaded and initialised.
type NVML struct {
	lib   *library
	frame *frame
}

// Load finds and initialises NVML. path is for tests; "" is where drivers put
// it. Where there is none the error is ErrNone, and nothing but monitoring is
// missed.
//
// The library stays in the process after Close, because it may have threads and
// exit handlers of its own; a second Load takes the same one.
func Load(path string) (*NVML, error) {
	lib, err := open(path)
	if err != nil {
		return nil, err
	}
	for _, must := range []symbol{fnInit, fnShutdown, fnByBus} {
		if lib[must] == 0 {
			return nil, fmt.Errorf("%w: the library has no %s", ErrNone, symbolNames[must])
		}
	}
	n := &NVML{lib: lib, frame: new(frame)}
	if err := n.frame.call(lib, fnInit).err(symbolNames[fnInit], ""); err != nil {
		return nil, err
	}
	return n, nil
}

// Close ends the use of NVML. Nothing may be asked afterwards.
func (n *NVML) Close() error {
	n.frame.mu.Lock()
	defer n.frame.mu.Unlock()
	return n.frame.call(n.lib, fnShutdown).err(symbolNames[fnShutdown], "")
}

// Driver is the driver's version, "580.95.05"; "" is unknown.
func (n *NVML) Driver() (string, error) {
	n.frame.mu.Lock()
	defer n.frame.mu.Unlock()
	f := n.frame
	c := f.call(n.lib, fnDriver, uintptr(unsafe.Pointer(&f.text)), uintptr(len(f.text)))
	return f.string(c, symbolNames[fnDriver], "")
}

// frame is where one call at a time finds its arguments and leaves its results.
// C writes here through addresses that the collector does not see as pointers:
// that is safe because frames are on the heap, which does not move, and are
// kept until the call is back. With a frame a call allocates nothing; with its
// arguments on the stack each one would.
type frame struct {
	mu      sync.Mutex // held around a call and the use of its results
	args    [4]uintptr
	handle  uintptr
	numbers [2]uint32
	bytes   [3]uint64
	nodes   [maxNodes / 64]uint64
	text    [96]byte // the longest that NVML asks for (NVML_DEVICE_NAME_V2_BUFFER_SIZE)
}

// maxNodes is the largest number of NUMA nodes that kernels are built for.
const maxNodes = 1024

// call calls a function. Its addresses are of the frame itself.
func (f *frame) call(lib *library, s symbol, args ...uintptr) code {
	if lib[s] == 0 {
		return functionNotFound
	}
	n := copy(f.args[:], args)
	c := code(invoke(lib[s], f.args[:n]))
	runtime.KeepAlive(f)
	return c
}

// string reads the text that a call left, up to its NUL.
func (f *frame) string(c code, call, bus string) (string, error) {
	if c.unknown() {
		return "", nil
	}
	if err := c.err(call, bus); err != nil {
		return "", err
	}
	for i, b := range f.text {
		if b == 0 {
			return string(f.text[:i]), nil
		}
	}
	return string(f.text[:]), nil
}
