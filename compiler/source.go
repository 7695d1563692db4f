package compiler

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/audio/resample"
	"voxpack/compiler/action"
	"voxpack/compiler/clip"
	"voxpack/compiler/frontend"
	"voxpack/compiler/intake"
	"voxpack/compiler/kind"
	"voxpack/internal/perf"
	"voxpack/store"
)

// filler computes samples straight into their place in a block. One goroutine,
// one filler: it owns all scratch memory.
type filler struct {
	cfg      *Config
	prev     *previous // nil: samples are taken from nowhere, as verify --sources wants it
	text     *frontend.FrontEnd
	clips    *clip.Reader                    // made by prepare, with the features
	features map[action.Stage]audio.Computer // by stage
	sounds   map[int]audio.Computer          // of columns of the user's own, by number
	owing    []owing                         // rows whose clips owe their checksum
	rows     []*item                         // of the leaves that are worked one after the other
	clip     *item                           // whose samples the reader holds, since several columns are made of them
	pcm      []float32
	stored   []byte // the clip's samples as they lie in its file, instead of pcm; else nil
	namer    *namer // of unhashed rows; nil where there are none
	keyer    *leafKeyer
	decoders *clip.Decoders
	frames   []float32 // of columns that are not float32, before they are converted
	ids      []int32
	steps    *perf.Recorder // nil: nobody asks
	programs programs       // of computed columns
	pending  *pending       // rows that programs have; nil: each is waited for
	forms    map[int]*resample.Resampler
	wide     []float32 // samples of 16 bits for a program
	taken    taken     // of the sample that was filled last
}

// taken is where a sample was copied from as it is; zero: it was not.
type taken struct {
	store *store.Store
	block store.Digest
	from  int64 // in its bytes
}

// prepare makes the stages' engines, once.
func (f *filler) prepare() (err error) {
	if f.features != nil {
		return nil
	}
	if f.clips, err = clip.NewReader(f.cfg.clips(), f.decoders); err != nil {
		return err
	}
	f.features = map[action.Stage]audio.Computer{}
	for at := range f.cfg.stages().Computed() {
		if f.features[at], err = at.Feature().New(f.cfg.Mel); err != nil {
			return err
		}
	}
	f.sounds = map[int]audio.Computer{}
	for i, c := range f.cfg.Columns {
		if c.Sound == nil {
			continue
		}
		if f.sounds[i], err = c.Sound.Computer(); err != nil {
			return err
		}
	}
	return nil
}

// fill writes one sample of a block column into dst, all of it. It reports
// whether a stage ran; else the bytes were taken from the previous root.
func (f *filler) fill(ctx context.Context, dst []byte, column store.Column, it *item) (ran bool, err error) {
	f.taken = taken{}
	at, _ := f.cfg.stages().Filling(column.Name)
	if f.take(dst, column, it, at) {
		return false, nil
	}
	switch {
	case at == action.Tokens:
		return true, f.fillTokens(dst, it)
	case at.IsOwn() && f.cfg.Columns[at-action.End()].Run != nil:
		return f.fillComputed(ctx, dst, column, it, int(at-action.End()))
	case at.IsOwn() && f.cfg.Columns[at-action.End()].Sound != nil:
		return true, f.fillSound(ctx, dst, column, it, int(at-action.End()))
	case at.IsOwn():
		return true, f.fillOwn(dst, column, it, int(at-action.End()))
	}
	return true, f.fillFeature(ctx, dst, column, it, at.Name(), f.features[at])
}

// take copies a sample that the same action made before, wherever it stands in
// the previous root. Its checksum is verified: a damaged one is made anew.
func (f *filler) take(dst []byte, column store.Column, it *item, at action.Stage) bool {
	if it.unnamed() {
		return false
	}
	key := it.made.Keys[at]
	for _, w := range f.prev.where(column.Name, key) {
		if f.takeFrom(dst, column, it, at, w) {
			return true
		}
	}
	return false
}

// Any error means no: the sample is then computed, which is always right. The
// checksum is compared, so damage is never copied into a new block.
func (f *filler) takeFrom(dst []byte, column store.Column, it *item, at action.Stage, w rowAt) bool {
	p := f.prev
	old := p.Root.Schema[p.Root.Schema.Index(column.Name)]
	if !f.fits(old, column, it, at) {
		return false
	}
	o, err := p.originOf(int(w.leaf))
	if err != nil || int(w.row) >= len(o.Rows) || o.Rows[w.row].Keys[at] != it.made.Keys[at] {
		return false
	}
	shard, err := p.shardOf(int(w.leaf))
	if err != nil {
		return false
	}
	c := p.Root.Schema.Blocks().Index(column.Name)
	size := old.SampleBytes()
	samples, err := p.Store.Samples(shard.Blocks[c].Digest, shard.Len(), size)
	if err != nil {
		return false
	}
	sample := samples.Row(int(w.row))
	n, sound := 0, false
	err = store.Shielded(func() error { // dst may be longer, or shorter
		n, sound = copy(dst, sample), store.Checksum(sample) == shard.Blocks[c].Sums[w.row]
		return nil
	})
	if err != nil || !sound {
		return false
	}
	if at.IsOwn() && !f.stepsOf(shard, int(w.row), old, it, int(at-action.End())) {
		return false
	}
	if len(sample) == len(dst) {
		f.taken = taken{p.Store, shard.Blocks[c].Digest, int64(w.row) * int64(size)}
	}
	rest := dst[n:]
	if at.IsOwn() {
		return f.cfg.Columns[at-action.End()].PutPad(rest) == nil
	}
	clear(rest) // what a sample does not fill is zero in both
	return true
}

// fits reports whether a sample of a row that stands in a column of a previous
// root holds all that the column has room for now: it was not truncated shorter.
func (f *filler) fits(old, column store.Column, it *item, at action.Stage) bool {
	length := int(it.made.Tokens)
	if at.IsOwn() {
		length = f.cfg.ownLength(it, int(at-action.End()))
	} else if at >= action.Mel {
		length = int(it.made.Frames)
		if at.Feature().Samples {
			length = int(it.made.Samples)
		}
	}
	return old.DType == column.DType && old.RowBytes() == column.RowBytes() &&
		min(length, old.Shape[0]) >= min(length, column.Shape[0])
}

// Ids are little-endian int32; after the last comes zero.
func (f *filler) fillTokens(dst []byte, it *item) error {
	defer f.steps.Span(action.NameTokens)()
	text, err := f.text.Dress(it.made.Spoken, it.made.Language)
	if err == nil {
		f.ids, _, err = f.text.Tokenize(f.ids[:0], text)
	}
	if err != nil {
		return fmt.Errorf("%s: %s: tokens: %w", it.row.Pos, it.made.ID, err)
	}
	ids := f.ids[:min(len(f.ids), len(dst)/4)]
	for i, id := range ids {
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(id))
	}
	clear(dst[4*len(ids):])
	return nil
}

// A column of float32 is computed in place, where the machine can use its bytes as
// such; all others go through frames.
func (f *filler) fillFeature(ctx context.Context, dst []byte, column store.Column, it *item, name string, computer audio.Computer) error {
	if err := f.samples(ctx, it); err != nil {
		return fmt.Errorf("%s: %s: %w", it.row.Pos, it.made.ID, err)
	}
	defer f.steps.Span(name)()
	n := min(computer.Frames(int64(f.length())), column.Shape[0]) * computer.Width()
	clear(dst[n*column.DType.Size():])
	if values, ok := audio.Float32View(dst); ok && column.DType == store.Float32 {
		f.compute(computer, values[:n])
		return nil
	}
	values := f.room(n)
	f.compute(computer, values)
	switch column.DType {
	case store.Float16:
		audio.PutFloat16(dst, values)
	case store.BFloat16:
		audio.PutBFloat16(dst, values)
	case store.Int16:
		audio.PutInt16(dst, values)
	default:
		audio.PutFloat32(dst, values)
	}
	return nil
}

// room is scratch memory for values.
func (f *filler) room(n int) []float32 {
	f.frames = slices.Grow(f.frames[:0], n)[:n]
	return f.frames
}

// compute hands the clip to a feature. The vector code of a mel converts stored samples on its way,
// which saves a pass over the clip.
func (f *filler) compute(c audio.Computer, dst []float32) {
	if mel, ok := c.(*audio.Mel); ok && f.stored != nil {
		mel.ComputeStored(dst, f.stored)
		return
	}
	c.Compute(dst, f.pcm)
}

// keys is the filler's keyer, made when it is first needed.
func (f *filler) keys() *leafKeyer {
	if f.keyer == nil {
		f.keyer = f.cfg.newKeyer()
	}
	return f.keyer
}

// length is the number of samples.
func (f *filler) length() int {
	if f.stored != nil {
		return len(f.stored) / 2
	}
	return len(f.pcm)
}

// lookAhead decodes the clips that come next together with that of it, if all of them are ffmpeg's and
// nothing is known of their features.
func (f *filler) lookAhead(ctx context.Context, it *item) {
	if !byFFmpeg(it) || f.clips.HasAhead(clipOf(&it.input, it.fate)) {
		return
	}
	var next []clip.Clip
	samples := uint64(0)
	for _, row := range f.rows[max(0, slices.Index(f.rows, it)):] {
		if !byFFmpeg(row) || row != it && f.known(row) {
			continue
		}
		if samples += row.made.FileSamples; len(next) == clip.AtOnce || samples > clip.SamplesAtOnce {
			break
		}
		next = append(next, clipOf(&row.input, row.fate))
	}
	if len(next) > 1 {
		f.clips.Ahead(ctx, next)
	}
}

// known reports whether a feature of a row may stand in the previous root.
func (f *filler) known(it *item) bool {
	if it.unnamed() {
		return false
	}
	for at := range f.cfg.stages().Computed() {
		if len(f.prev.where(at.Name(), it.made.Keys[at])) > 0 {
			return true
		}
	}
	return false
}

// byFFmpeg reports whether the survey had ffmpeg decode a row's clip.
func byFFmpeg(it *item) bool {
	return (it.made != nil || it.remains != nil) && slices.ContainsFunc(it.end().notes, func(n store.Note) bool { return n.Kind == kind.ByFFmpeg })
}

// samples does the audio stage in full: it leaves the clip's samples, as features
// see them, in stored or pcm until those of another row are asked for.
// The mel alone, which is all that most datasets have, takes them as they lie in the
// file. A clip that gives other figures than the survey's was changed meanwhile, and Build
// begins again; but of one that was taken at its word the word was wrong: errUnproven.
func (f *filler) samples(ctx context.Context, it *item) error {
	if f.clip == it {
		return nil
	}
	f.clip, f.stored = nil, nil
	f.lookAhead(ctx, it)
	var info codec.Info
	var notes []store.Note
	var err error
	if at := clipOf(&it.input, it.fate); len(f.features)+len(f.sounds) == 1 && !it.guessed {
		f.stored, f.pcm, info, err = f.clips.ReadStored(ctx, at)
	} else {
		f.pcm, info, notes, err = f.clips.Read(ctx, at)
	}
	owes := f.clips.Owing() > len(f.owing)
	if owes {
		f.owing = append(f.owing, owing{item: it, claimed: it.claimed})
	}
	refused := (*clip.Refusal)(nil)
	other := errors.As(err, &refused)
	switch {
	case err != nil:
	case it.guessed:
		other = !f.adopt(it, info, notes)
	default:
		other = uint64(info.Samples) != it.made.FileSamples || uint32(info.Rate) != it.made.Rate || uint32(info.Channels) != it.made.Channels || uint64(f.length()) != it.made.Samples
	}
	if other {
		if it.claimed {
			return errUnproven
		}
		err = clip.ErrChanged // it was another when it was surveyed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", it.path, intake.Machine(err))
	}
	fresh := it.claimed || it.unnamed()
	if it.unnamed() {
		f.namer.name(it.fate, f.clips.Sum())
		it.named = true
	}
	switch {
	case fresh && owes:
		f.owing[len(f.owing)-1].remember = true
	case fresh:
		f.namer.remember(it.fate)
	}
	it.claimed = false
	f.clip = it
	return nil
}
