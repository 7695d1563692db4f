// Package gpufeed delivers the samples of a store to a trainer.
//
// Words: a row is a sample of a root by its number in the order of the trie; a
// set is the rows that a selection leaves; an order is the deliveries of one
// epoch; a global batch is B deliveries of one bucket, of which each rank takes
// its share; a cursor is the resumable position; a layout is the shape of a
// batch in a slot.
//
//	store.Dataset ─ Select ─▶ Set ─ Order ─▶ Order ─ Batches ─▶ Share (row numbers) ─ Reader.Fill ─▶ slot
//	                                              Cursor ⇄ Resume
//
// Memory for each row of the dataset: 8 B of places, 4 B in the set, 4 B in an
// order and 16 B more while it is drawn, and what the reader remembers
// (reader.go): 36 B in the steady state for LJSpeech, 56 B until all is
// checked. The leaves of store.Dataset take 10 B besides.
//
// What is here: selection, order, batches, cursor, the reader. What is not,
// yet: the ring and its fillers, devices, serving, the cache on the GPU,
// --reference and --segment, and leaving a corrupt sample out. A pack that is
// cut short while Select reads its records still ends the process.
package gpufeed
