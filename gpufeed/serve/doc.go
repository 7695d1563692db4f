// Package serve hands the batches of a dataset to trainers in other processes,
// without a copy.
//
// Words: a consumer is the process that trains, or one of its ranks; a session
// is its connection; the arena is the memory of its batches, the ring the words
// by which both sides say whose a slot is; the step log is what a consumer
// notes of its last steps. docs/protocol.md has every byte of
// it, docs/design/0009-serve.md the reasons.
//
//	consumer ── hello, start ──▶ session ── Open ──▶ gpufeed.Feed
//	         ◀─ arena, ring ────    │ publisher: Next ─▶ record, published, wake
//	         ── taken, returned ─▶  │ releaser:  bell ─▶ Release
//
// Where the consumer asks for it, the arena is the memory of a GPU, which it opens
// in its own process.
//
// What a consumer does not say is as the dataset's config has it, never as
// somebody else told the feeder: see Told. Its memory is granted out of
// Options.MaxMemory before it is taken, and every number has a bound: see bounds.
//
// Who watches asks what the sessions do, and reads what their consumers note of
// each step. A Watcher is such a client; it can slow or harm no session:
//
//	consumer ── asked, waited, got; begin, end of marks ──▶ step log
//	watcher  ── sessions, steps ──▶ Server: Stats, ring, step log ──▶ Sessions, StepLog
//	Watch ── Look ──▶ Sessions with rates and logs ── Steps ──▶ waits, training, the rest
//
// A session ends when its socket closes, however the consumer ended; what it
// had is freed then.
package serve
