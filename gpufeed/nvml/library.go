package nvml

import (
	"fmt"
	"runtime"
	"sync"
)

// symbol is a function of the library.
type symbol int

// The functions.
const (
	fnInit symbol = iota
	fnShutdown
	fnByBus
	fnUtilisation
	fnMemory
	fnAncestor
	fnP2P
	fnCount // how many
)

// symbolNames are what the library exports.
var symbolNames = [fnCount]string{
	fnInit:        "nvmlInit_v2",
	fnShutdown:    "nvmlShutdown",
	fnByBus:       "nvmlDeviceGetHandleByPciBusId_v2",
	fnUtilisation: "nvmlDeviceGetUtilizationRates",
	fnMemory:      "nvmlDeviceGetMemoryInfo",
	fnAncestor:    "nvmlDeviceGetTopologyCommonAncestor",
	fnP2P:         "nvmlDeviceGetP2PStatus",
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
	text    [32]byte // a bus id and its NUL (NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE)
}

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
