package compiler

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/compiler/action"
	"voxpack/compiler/clip"
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
	for at := range n.cfg.stages().Computed() {
		r.Keys[at] = n.keys.Feature(at, key)
	}
	for i, c := range n.cfg.Columns {
		if late(&c) {
			r.Keys[action.End()+action.Stage(i)] = n.keys.ownKey(n.cfg, i, store.Digest{}, r)
		}
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
	alone := make([]stretch, len(list))
	for i := range alone {
		alone[i] = stretch{from: i, to: i + 1}
	}
	begin := func(stretch) error { return nil } // what the snapshot knew of them was no help
	return true, b.eachRow(ctx, &b.Options, "reading again", alone, begin, b.st == nil, func(s *surveyor, i int) (err error) {
		it := list[i]
		it.work = work{}
		it.fate, err = s.proven(ctx, &it.input)
		return err
	})
}

// mayDoubt reports whether the work can find out that a row has no place in its leaf: by a
// claim that does not hold, or by a value that is made of its samples.
func (b *build) mayDoubt() bool {
	for i := range b.items {
		if b.items[i].claimed {
			return true
		}
	}
	return len(b.Config.Columns) > 0
}

// proven surveys a row whose file is not taken at its word.
func (s *surveyor) proven(ctx context.Context, in *input) (*fate, error) {
	claims := s.clips.Claims
	s.clips.Claims = false
	defer func() { s.clips.Claims = claims }()
	return s.survey(ctx, in)
}

// A survey need not know how long a clip is: it needs to know that the clip is long enough, and short enough. So of a
// clip that is to be trimmed, or in floats, it guesses, and the row gets its lengths and notes when it is decoded.

// settle decodes a clip that was guessed, also where its samples stand in a block that is known.
func (f *filler) settle(ctx context.Context, it *item) error {
	if !it.guessed {
		return nil
	}
	if err := f.samples(ctx, it); err != nil {
		return fmt.Errorf("%s: %s: %w", it.row.Pos, it.made.ID, err)
	}
	return nil
}

// adopt puts what a clip came to in place of what the survey guessed. false: the row may have no place in its leaf, or
// another key.
func (f *filler) adopt(it *item, info codec.Info, notes []store.Note) bool {
	r := *it.made
	channels, others := r.Channels, r.Notes[it.heard:]
	r.Rate, r.Channels, r.Bits = uint32(info.Rate), uint32(info.Channels), uint32(info.Bits)
	r.FileSamples, r.Samples, r.Notes = uint64(info.Samples), uint64(f.length()), notes
	mel, ok := f.features[action.Mel].(*audio.Mel)
	if !ok || !it.unnamed() && r.Channels != channels || f.cfg.hear(&r, mel, it.path) != nil || f.cfg.offPace(&r) != "" {
		return false
	}
	it.guessed, it.heard = false, uint8(len(r.Notes))
	r.Notes = append(r.Notes, others...)
	*it.made = r
	return true
}

// owing is a row whose clip owes the checksum of its samples: the sums of a leaf's clips are made together, when all of
// them are decoded.
type owing struct {
	*item
	claimed  bool // nobody had decoded it
	remember bool // its result, once it is proven
}

// proveSums holds the clips that were decoded against the checksums that they owe. A clip with another one was not
// decoded, for all that counts: nothing of it is remembered, and what is left to do is what samples does then.
func (f *filler) proveSums() (unproven error) {
	wrong := f.clips.Wrong()
	for i, o := range f.owing {
		switch {
		case slices.Contains(wrong, i) && o.claimed:
			o.unproven, unproven = true, errUnproven
		case slices.Contains(wrong, i):
			return fmt.Errorf("%s: %s: %s: %w", o.row.Pos, o.made.ID, o.path, clip.ErrChanged)
		case o.remember:
			f.namer.remember(o.fate)
		}
	}
	f.owing = f.owing[:0]
	return unproven
}

// lateRows are rows whose clips wait for ffmpeg, which decodes several in one process.
type lateRows struct {
	mu    sync.Mutex
	clips map[int]clip.Clip // by row
}

// hold takes a row for later if that is what its error says, which is no error then.
func (l *lateRows) hold(row int, err error) error {
	later := (*clip.Later)(nil)
	if !errors.As(err, &later) {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.clips == nil {
		l.clips = map[int]clip.Clip{}
	}
	l.clips[row] = later.Clip
	return nil
}

// lateRun is what one process decodes.
type lateRun struct {
	rows  []int
	clips []clip.Clip
}

// runs are the rows in their order.
func (l *lateRows) runs() (runs []lateRun) {
	for rows := range slices.Chunk(slices.Sorted(maps.Keys(l.clips)), clip.AtOnce) {
		r := lateRun{rows: rows}
		for _, i := range rows {
			r.clips = append(r.clips, l.clips[i])
		}
		runs = append(runs, r)
	}
	return runs
}
