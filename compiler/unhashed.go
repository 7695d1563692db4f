package compiler

import (
	"voxpack/compiler/action"
	"voxpack/store"
)

// A first build has nothing in which it could look a key up. So it reads a clip
// once, when its samples are wanted, and only then learns the digest and with it
// the row's keys: half the reading of a corpus that is larger than the memory.
// Such a row is unhashed. One that is left out is hashed after all, since the next
// build must find its rejection by key.

// namer gives rows their audio digest and what follows from it. One goroutine,
// one namer.
type namer struct {
	*tools
	keys *leafKeyer
}

func (t *tools) newNamer() namer { return namer{tools: t, keys: t.cfg.newKeyer()} }

// name fills in the digest and the keys of an unhashed row.
func (n *namer) name(it *fate, digest store.Digest) {
	it.made.Audio = digest
	key := n.keys.Audio(it.made, n.decoders.Version(it.path))
	n.setKeys(it.made, key)
	n.memo.Put(key, (&known{row: it.made}).result(action.Audio, key))
	n.stats.Note(it.path, it.stamp, n.since, digest)
}

// setKeys are the keys of the audio stage and of all features, which hang on it.
func (n *namer) setKeys(r *store.OriginRow, key store.Key) {
	r.Keys[action.Audio] = key
	for at := range n.cfg.stages().Features() {
		r.Keys[at] = n.keys.Feature(at, key)
	}
}
