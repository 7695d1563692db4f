// Package gpufeed delivers the samples of a store to a trainer.
//
// Words: a row is a sample of a root by its number in the order of the trie; a
// set is the rows that a selection leaves; an order is the deliveries of one
// epoch; a turn is one of them; a global batch is B deliveries of one bucket, of
// which each rank takes its share; a cursor is the resumable position; a form is
// how a row comes: cut to a bucket, cropped to a segment, beside a reference; a
// layout is the shape of a batch in a slot; a slot is memory for one batch; a
// place is where slots are, the host or a GPU, with a ring of them; a hop is the
// copy from one place to the next; the tier is what stays on the first GPU.
//
//	store.Dataset ─ Select ─▶ Set ─ Order ─▶ course ─ shares ─▶ fillers ─ Reader.Fill ─▶ host slots
//	                                Cursor ⇄ Resume                                       │ hop
//	             consumer ◀─ Next ─ line ◀─ waiter ◀─ [hop to the model GPU ◀─] data or model GPU's slots
//	                └─ Release ─▶ free slot
//
// Open allocates everything; from then on a batch allocates nothing. Each slot
// belongs to one goroutine at a time and passes FREE, PREPARING, FILLED, COPYING,
// READY, TRAINING, DRAINING; docs/design/0005-ring.md says why it is this way.
//
// Memory for each row, measured on 13,100 rows in shards of 11: 21 B for the
// open store.Dataset, 13 B for places and set, 8 B for the orders of two epochs,
// 16 B to draw the next one, 20 B for the reader (16 B more for what is not
// checked yet): 78 B. References, where they are asked for, take 8 B, the tier
// 4 B.
package gpufeed
