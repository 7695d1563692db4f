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
	n.setKeys(it.made, n.keys.Audio(it.made, n.decoders.Version(it.path)))
	n.remember(it)
	n.stats.Note(it.path, it.stamp, n.since, digest)
}

// remember keeps the row's result of the audio action for later builds.
func (n *namer) remember(it *fate) {
	key := it.made.Keys[action.Audio]
	n.memo.Put(key, (&known{row: it.made}).result(action.Audio, key))
}

// setKeys are the keys of the audio stage and of all features, which hang on it.
func (n *namer) setKeys(r *store.OriginRow, key store.Key) {
	r.Keys[action.Audio] = key
	for at := range n.cfg.stages().Features() {
		r.Keys[at] = n.keys.Feature(at, key)
	}
}
