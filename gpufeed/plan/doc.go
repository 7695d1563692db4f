// Package plan decides what an epoch is: which rows it has, in which order, in
// which batches, and where a stopped run goes on. Everything follows from the
// dataset, the selection, the seed and the epoch; nothing depends on time, on
// goroutines or on devices.
//
// Words: a row is a sample of a root by its number in the order of the trie; a
// set is the rows that a selection leaves, in buckets of one static shape; an
// order is the deliveries of one epoch; a turn is one of them; a global batch is
// B deliveries of one bucket, of which each rank takes its share; a cursor is the
// position where a run goes on, in ids; a course is the batches of epoch after
// epoch.
//
//	store.Dataset ─ Select ─▶ Set ─ Order ─▶ Batches ─ Course ─▶ row numbers
//	                                  Cursor ⇄ Resume
//
// The order and the cursor are part of the format: docs/format.md has every byte
// of them, and another draw is another version.
package plan
