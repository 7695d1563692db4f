package compiler

import (
	"context"
	"errors"
	"sync/atomic"

	"voxpack/compiler/action"
	"voxpack/store"
)

// The survey defers to the work what a clip is read and decoded for anyway: the digest of
// unhashed rows, and the proof of claimed ones.

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

// The survey takes a compressed file at its word for how long it is (codec's Claim), so
// that a build decodes it once, in the work, which proves the word. A row is refused
// only for what was decoded, and nothing is remembered of a claim. Where one turns out to
// be wrong, the leaf of that row is not written; when all leaves are worked, such rows are
// surveyed again with decoding, and the rows that are left are laid out again. The work
// then finds what it did by the traces in the pack that is being written. A dry run and
// verify decode first, so that they say what a build comes to.

// errUnproven: the samples of a clip are not what its file claimed, or there are none.
var errUnproven = errors.New("a file does not hold what it claims")

// prove finds out the fate of rows that are doubted, and reports whether there were any.
func (b *build) prove(ctx context.Context, doubted func(*item) bool) (again bool, err error) {
	var list []*item
	for i := range b.items {
		if it := &b.items[i]; doubted(it) {
			list = append(list, it)
		}
	}
	if len(list) == 0 {
		return false, nil
	}
	b.proved = true
	surveyors := make([]*surveyor, b.Workers)
	filter := newRowFilter(b.cfg)
	for w := range surveyors {
		if surveyors[w], err = b.newSurveyor(filter); err != nil {
			return false, err
		}
		surveyors[w].firstBuild = b.st == nil
	}
	var done atomic.Int64
	return true, parallel(ctx, b.Workers, len(list), func(w, i int) (err error) {
		it := list[i]
		defer func() { b.Progress(Progress{"reading again", int(done.Add(1)), len(list)}) }()
		it.work = work{}
		if it.fate, err = surveyors[w].proven(ctx, &it.input); err != nil {
			return err
		}
		return b.fault()
	})
}

// proven surveys a row whose file is not taken at its word.
func (s *surveyor) proven(ctx context.Context, in *input) (fate, error) {
	claims := s.clips.Claims
	s.clips.Claims = false
	defer func() { s.clips.Claims = claims }()
	return s.survey(ctx, in)
}
