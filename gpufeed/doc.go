// Package gpufeed delivers the samples of a store to a trainer.
//
// Which rows come, and in which order, is the work of package plan; its words are
// used here too. Further words: a form is how a row comes: cut to a bucket, cropped
// to a segment, beside a reference; a slot is memory for one batch; a layout is the
// shape of a batch in a slot; a station is the host or a GPU with a ring of slots; a
// hop is the copy from one station to the next; the tier is the samples that stay on
// the first GPU.
//
//	plan.Course ─ row numbers ─▶ fillers ─ Reader.Fill ─▶ host slots
//	                                                       │ hop
//	             consumer ◀─ Next ─ line ◀─ waiter ◀─ [hop to the model GPU ◀─] data or model GPU's slots
//	                └─ Release ─▶ free slot
//
// A Feed is four objects: its content (what is delivered), its route (the slots, the
// lines between them, the devices), its run (the goroutines, and the error that ends
// them) and its gauges (what is measured). What the goroutine that calls Next keeps
// for itself is its taker; what the consumer has are its loans.
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
//
// More than 30 files: each holds one noun of these, and some are for one system alone.
package gpufeed
