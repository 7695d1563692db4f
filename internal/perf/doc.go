// Package perf measures a run: what it notes while running costs nanoseconds
// and no allocation, and what it hands out afterwards is for people under -v,
// for a timeline viewer, and for every later diagnosis.
//
// The words. A span is a named stretch of time of a Recorder. A Histogram
// counts durations. A Stage is one station of a pipeline, with a histogram each
// for waiting for input, working, and waiting for output. A Trace is a timeline
// in the Chrome and Perfetto trace-event format, made of tracks, the rows of
// the picture. A run record is the JSON that a measured run leaves behind.
//
// The flow.
//
//	durations  -> Histogram -> Summary
//	             Stage      -> StageSummary -> RunRecord
//	timestamps -> Track     -> Trace.WriteTo
//	RunRecord  -> Write     -> folder        -> Latest, ReadRecord
//
// Nil instruments measure nothing, so that callers need not ask whether they
// are measured. No clock, no randomness and no look at the machine in here:
// the caller passes times, random bytes and the file system of the machine.
package perf
