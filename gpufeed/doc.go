// Package gpufeed delivers the samples of a store to a trainer.
//
// Words: a row is a sample of a root by its number in the order of the trie; a
// set is the rows that a selection leaves; an order is the deliveries of one
// epoch; a global batch is B deliveries of one bucket, of which each rank takes
// its share; a cursor is the resumable position.
//
//	store.Dataset ─ Select ─▶ Set ─ Order ─▶ Order ─ Batches ─▶ Share (row numbers)
//	                                              Cursor ⇄ Resume
//
// What is here: selection, order, batches, cursor. What is not, yet: the reader that
// gathers samples, slots and the ring, devices, serving, the cache on the GPU.
package gpufeed
