// Package cuda speaks to NVIDIA's driver. It loads libcuda.so.1 at run time,
// needs no cgo and no toolkit, and implements package driver.
//
// Words: a symbol is a function of the library; a frame is where one call finds
// its arguments and leaves its results; a code is what a call answers; an
// export is memory or an event that another process may import.
//
//	Load ─▶ Driver ─ Open ─▶ GPU ─ Thread ─▶ Thread ─ frame ─▶ invoke ─▶ libcuda.so.1
//
// All but invoke_purego.go is plain Go that builds everywhere. Without Linux on
// amd64 or arm64, or with the tag nogpu, invoke_none.go stands in, and Load says
// why there is no driver.
//
// Signatures, numbers and names are those of cuda.h 12.9 and 13.5.
package cuda
