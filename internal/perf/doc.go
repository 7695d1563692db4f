// Package perf measures a run: a Recorder collects named spans of time, which
// people read under -v and machines in run records. A nil Recorder measures
// nothing, so that callers need not ask whether they are measured.
package perf
