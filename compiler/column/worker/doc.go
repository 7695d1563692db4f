// Package worker runs programs of the user that compute a column's values.
//
// Words: a worker is a running program; it gets batches of rows through its
// standard input and answers each row with an array, or says why it has none,
// through its standard output. A refusal is what is wrong with one row. A fault
// is what keeps workers from working at all; no row is to blame for it.
//
// Flow:
//
//	NewPool(Config) ─▶ Pool.Submit(row) ─▶ queue
//	queue ── as many rows as wait, at most a batch ──▶ a worker ── arrays ──▶ done(Result)
//	worker ended, hung, or broke the protocol ── rows without an answer, one by one ──▶ a new worker
//	the same row again ──▶ Refusal;  a program that cannot run ──▶ Fault
//
// docs/workers.md has the bytes. What a worker says is bounded before memory is
// taken for it, what it does is bounded in time, and its children end with it.
package worker
