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
// Memory for each row, measured on 13,100 rows in shards of 11: 21 B for the
// open store.Dataset, 13 B for places and set, 4 B for an order, 20 B for the
// reader (16 B more for what is not checked yet): 58 B. The draw of a next
// order, with this one still in use, adds 20 B for its time.
//
// What is here: selection, order, batches, cursor, the reader. What is not,
// yet: the ring and its fillers, devices, serving, the cache on the GPU,
// --reference and --segment, and leaving a corrupt sample out. A pack that is
// cut short while Select reads its records still ends the process. A row whose
// length moved it to another bucket between stop and resume may be lost or
// doubled in that epoch.
package gpufeed
