// Package driver says what a feed asks of GPUs. cuda answers with the driver of
// a machine, sim with goroutines and sleeping.
//
// Words: a device is a GPU by its ordinal; a thread is an OS thread on which a
// device is current; a stream is a queue of work of a device, done in order; an
// event is a mark in a stream; a pointer is an address in a device's memory.
//
//	Driver ─ Open(ordinal) ─▶ GPU ─ Thread() ─▶ Thread ─ CopyIn, Record ─▶ stream … Synchronize(event)
//
// Every goroutine that talks to a device has a Thread of its own and keeps it:
// handing calls to an owner goroutine costs 33 µs each, a call 69 ns
// (purego v0.11.3, two cores, a driver that does nothing).
package driver
