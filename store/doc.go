// Package store keeps datasets by content and gives them back as mapped
// tensors. It knows nothing of how samples are made.
//
// Words: a column is a fixed-shape tensor per sample; a block is the bytes of
// one column of one shard; a shard is up to K samples; a root is everything
// that defines a dataset's content and its digest is the dataset's identity; an
// origin is what a shard was made from; a snapshot is a root with what does not
// define content; a ref is a name for a snapshot; a trace leads from the key of
// an action to the block that it made; a pack is one sealed Badger database
// that holds all of these.
//
// Everything but traces and refs is named by the BLAKE3-256 of its bytes.
// Rows are placed by xxhash64 of their id in a binary trie whose leaves are the
// shards (trie.go), so the layout depends on the set of ids and on nothing else.
//
//	ref ─▶ snapshot ─▶ root ────▶ pages ─▶ shard records ─▶ blocks
//	          └──────▶ origin pages ─▶ origin records (texts, keys, notes)
//	                                     block keys ─ traces ─▶ blocks
//
// A Writer puts entries into a pack of its own, seals it and moves the ref; a
// Store reads all sealed packs and never sees a pack being written. Merge folds
// small packs into one. Nobody waits for anybody but builds for each other.
//
// More than 30 files: each holds one noun (seal, trie, ref, merge plan), and few
// of them use what stands above them, so that a cut would add doors only.
package store
