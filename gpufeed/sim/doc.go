// Package sim implements package driver with goroutines and sleeping: devices
// that do not exist, links of a given speed, and faults on demand.
//
// Words: a context is what the opens of one device share; an op is a piece of
// work in a stream; an engine moves bytes in one direction of one device, one
// copy at a time; memory is a device allocation or a pinned piece of the host.
//
//	Thread.CopyIn ─▶ stream (a ring of ops, one worker) ─▶ engine (a time line) ─▶ bytes, events
//
// A copy takes its link's latency and its bytes at the link's rate. Half of its
// bytes move when it begins and half when it ends, so a source that is filled
// again too early, or a destination that is read too early, is seen to be
// wrong. Copies of different streams take turns on an engine; in, out, peer and
// within the device overlap. Priorities of streams change nothing.
//
// Time comes from package time alone, and whoever waits does so on channels and
// condition variables: a driver made inside a bubble of testing/synctest runs in
// virtual time, to the nanosecond. In real time a timer's lateness, some
// 1 ms where the process is idle, is not charged to the link: the next copy
// begins when the one before should have ended, and events carry that time; but
// who waits for one hears of it that much later.
//
// What is refused, with CUDA's codes: memory that is not the device's, was freed
// or is too small (1: found always, addresses are never used again, and bounds
// hold to the byte); what a closed or foreign handle is given to (400); a call
// after Leave (201) or after Close (709); a device that was lost by a fault
// (214), and one whose stream waits for an event of such a device. What would
// damage data on real hardware without a word is a broken invariant of the
// caller and panics: Free and Unpin under a copy, and two goroutines in one
// Thread at the same time. New memory is zero, which CUDA does not promise.
package sim
