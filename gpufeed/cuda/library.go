package cuda

import "strings"

// symbol is a function of the library.
type symbol int

// The functions.
const (
	fnInit symbol = iota
	fnVersion
	fnErrorName
	fnCount
	fnDevice
	fnName
	fnBus
	fnUUID
	fnTotal
	fnAttribute
	fnCanPeer
	fnFlags
	fnRetain
	fnRelease
	fnSetCurrent
	fnGetCurrent
	fnPriorities
	fnEnablePeer
	fnInfo
	fnAlloc
	fnFree
	fnRegister
	fnUnregister
	fnStream
	fnCloseStream
	fnWait
	fnEvent
	fnCloseEvent
	fnRecord
	fnQuery
	fnSynchronize
	fnElapsed
	fnElapsed2
	fnCopyIn
	fnCopyOut
	fnCopy
	fnCopyBatch
	fnCopyPeer
	fnClear
	fnExportMemory
	fnImportMemory
	fnCloseMemory
	fnExportEvent
	fnImportEvent
	symbols // how many
)

// symbolNames are what the library exports. A suffix is the version of the
// signature; the documentation leaves it out.
var symbolNames = [symbols]string{
	fnInit:         "cuInit",
	fnVersion:      "cuDriverGetVersion",
	fnErrorName:    "cuGetErrorName",
	fnCount:        "cuDeviceGetCount",
	fnDevice:       "cuDeviceGet",
	fnName:         "cuDeviceGetName",
	fnBus:          "cuDeviceGetPCIBusId",
	fnUUID:         "cuDeviceGetUuid_v2",
	fnTotal:        "cuDeviceTotalMem_v2",
	fnAttribute:    "cuDeviceGetAttribute",
	fnCanPeer:      "cuDeviceCanAccessPeer",
	fnFlags:        "cuDevicePrimaryCtxSetFlags_v2",
	fnRetain:       "cuDevicePrimaryCtxRetain",
	fnRelease:      "cuDevicePrimaryCtxRelease_v2",
	fnSetCurrent:   "cuCtxSetCurrent",
	fnGetCurrent:   "cuCtxGetCurrent",
	fnPriorities:   "cuCtxGetStreamPriorityRange",
	fnEnablePeer:   "cuCtxEnablePeerAccess",
	fnInfo:         "cuMemGetInfo_v2",
	fnAlloc:        "cuMemAlloc_v2",
	fnFree:         "cuMemFree_v2",
	fnRegister:     "cuMemHostRegister_v2",
	fnUnregister:   "cuMemHostUnregister",
	fnStream:       "cuStreamCreateWithPriority",
	fnCloseStream:  "cuStreamDestroy_v2",
	fnWait:         "cuStreamWaitEvent",
	fnEvent:        "cuEventCreate",
	fnCloseEvent:   "cuEventDestroy_v2",
	fnRecord:       "cuEventRecord",
	fnQuery:        "cuEventQuery",
	fnSynchronize:  "cuEventSynchronize",
	fnElapsed:      "cuEventElapsedTime",
	fnElapsed2:     "cuEventElapsedTime_v2",
	fnCopyIn:       "cuMemcpyHtoDAsync_v2",
	fnCopyOut:      "cuMemcpyDtoHAsync_v2",
	fnCopy:         "cuMemcpyDtoDAsync_v2",
	fnCopyBatch:    "cuMemcpyBatchAsync",
	fnCopyPeer:     "cuMemcpyPeerAsync",
	fnClear:        "cuMemsetD8Async",
	fnExportMemory: "cuIpcGetMemHandle",
	fnImportMemory: "cuIpcOpenMemHandle_v2",
	fnCloseMemory:  "cuIpcCloseMemHandle",
	fnExportEvent:  "cuIpcGetEventHandle",
	fnImportEvent:  "cuIpcOpenEventHandle",
}

// String is the function's name in the driver's documentation.
func (s symbol) String() string { return strings.TrimSuffix(symbolNames[s], "_v2") }

// library is where the functions are; 0 is one that the driver lacks.
type library [symbols]uintptr
