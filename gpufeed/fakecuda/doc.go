// Package fakecuda builds, for tests, a libcuda.so.1 in C that needs no GPU:
// the true ABI, threads for streams, simulated links, faults on demand.
//
// Words: a fault is what the environment asks the library to do wrong; a
// counter is a number that the library keeps, in a file that anybody can read
// while it runs; a child is the test binary started again, since a process
// initialises a driver once.
//
//	c/*.c ─ Build ─▶ dir/libcuda.so.1 ─ dlopen ─▶ the code under test
//	                 dir/counters.PID ─ Count ──▶ the test
//
// What can be asked for, and what is counted, is listed in c/fake.h. Peers map
// each other's device memory and events through /proc, so that they have to be
// of one user. The calls for virtual memory, memory pools and graphs are left
// out, and so is everything that runs on the device.
//
// The C files are in a folder of their own, because go build takes no C beside
// Go that does not use cgo, unless a constraint hides it, as in nvml.c.
package fakecuda
