package compiler

import (
	"time"

	"voxpack/compiler/clip"
	"voxpack/store"
)

// A first build has nothing in which it could look a key up. So it reads a clip
// once, when its samples are wanted, and only then learns the digest and with it
// the row's keys: half the reading of a corpus that is larger than the memory.
// Such a row is late. One that is left out is hashed after all, since the next
// build must find its rejection by key.

// namer gives rows their audio digest and what follows from it. One goroutine,
// one namer.
type namer struct {
	cfg   *Config
	keys  *keyer
	memo  *memo
	stats *clip.StatTable

	since    time.Time // before the build opened any file
	decoders *clip.Decoders
}

// name makes a row that was late one that is not.
func (n *namer) name(it *item, digest store.Digest) {
	it.late = false
	it.made.Audio = digest
	key := n.keys.audio(it.made, n.decoders.Version(it.path))
	n.setKeys(it.made, key)
	n.memo.put(key, (&known{row: it.made}).result(atAudio, key))
	n.stats.Note(it.path, it.stamp, n.since, digest)
}

// setKeys are the keys of the audio stage and of all features, which hang on it.
func (n *namer) setKeys(r *store.OriginRow, key store.Key) {
	r.Keys[atAudio] = key
	for at := atMel; at < len(r.Keys); at++ {
		if n.cfg.uses(at) {
			r.Keys[at] = n.keys.featureOf(at, key)
		}
	}
}

// anyLate reports whether a leaf's keys cannot be made yet.
func anyLate(rows []*item) bool {
	for _, it := range rows {
		if it.late {
			return true
		}
	}
	return false
}
