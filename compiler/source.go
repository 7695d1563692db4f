package compiler

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/compiler/action"
	"voxpack/compiler/clip"
	"voxpack/compiler/frontend"
	"voxpack/compiler/intake"
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
	clip     *item                           // whose samples the reader holds, since several columns are made of them
	pcm      []float32
	stored   []byte // the clip's samples as they lie in its file, instead of pcm; else nil
	namer    *namer // of unhashed rows; nil where there are none
	decoders *clip.Decoders
	frames   []float32 // of columns that are not float32, before they are converted
	ids      []int32
	steps    *perf.Recorder // nil: nobody asks
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
	for at := range f.cfg.stages().Features() {
		if f.features[at], err = at.Feature().New(f.cfg.Mel); err != nil {
			return err
		}
	}
	return nil
}

// fill writes one sample of a block column into dst, all of it. It reports
// whether a stage ran; else the bytes were taken from the previous root.
func (f *filler) fill(ctx context.Context, dst []byte, column store.Column, it *item) (ran bool, err error) {
	at, _ := action.Filling(column.Name)
	if f.take(dst, column, it, at) {
		return false, nil
	}
	if at == action.Tokens {
		return true, f.fillTokens(dst, it)
	}
	return true, f.fillFeature(ctx, dst, column, it, at)
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
	if !fits(old, column, it, at) {
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
	block, err := p.Store.View(store.KindBlock, shard.Blocks[c].Digest)
	size := old.SampleBytes()
	if err != nil || len(block) != size*shard.Len() {
		return false
	}
	sample := block[int(w.row)*size : (int(w.row)+1)*size]
	if store.Checksum(sample) != shard.Blocks[c].Sums[w.row] {
		return false
	}
	clear(dst[copy(dst, sample[:min(len(sample), len(dst))]):]) // what a sample does not fill is zero in both
	return true
}

// fits reports whether a sample of a row that stands in a column of a previous
// root holds all that the column has room for now: it was not truncated shorter.
func fits(old, column store.Column, it *item, at action.Stage) bool {
	length := int(it.made.Tokens)
	if at >= action.Mel {
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
func (f *filler) fillFeature(ctx context.Context, dst []byte, column store.Column, it *item, at action.Stage) error {
	if err := f.samples(ctx, it); err != nil {
		return fmt.Errorf("%s: %s: %w", it.row.Pos, it.made.ID, err)
	}
	defer f.steps.Span(at.Name())()
	computer := f.features[at]
	n := min(computer.Frames(int64(f.length())), column.Shape[0]) * computer.Width()
	clear(dst[n*column.DType.Size():])
	if values, ok := audio.Float32View(dst); ok && column.DType == store.Float32 {
		f.compute(computer, values[:n])
		return nil
	}
	if cap(f.frames) < n {
		f.frames = make([]float32, n)
	}
	values := f.frames[:n]
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

// compute hands the clip to a feature. The vector code of a mel converts stored samples on its way,
// which saves a pass over the clip.
func (f *filler) compute(c audio.Computer, dst []float32) {
	if mel, ok := c.(*audio.Mel); ok && f.stored != nil {
		mel.ComputeStored(dst, f.stored)
		return
	}
	c.Compute(dst, f.pcm)
}

// length is the number of samples.
func (f *filler) length() int {
	if f.stored != nil {
		return len(f.stored) / 2
	}
	return len(f.pcm)
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
	var info codec.Info
	var err error
	if at := clipOf(&it.input, &it.fate); len(f.features) == 1 {
		f.stored, f.pcm, info, err = f.clips.ReadStored(ctx, at)
	} else {
		f.pcm, info, _, err = f.clips.Read(ctx, at)
	}
	if refused := (*clip.Refusal)(nil); errors.As(err, &refused) || err == nil &&
		(uint64(info.Samples) != it.made.FileSamples || uint32(info.Rate) != it.made.Rate || uint64(f.length()) != it.made.Samples) {
		if it.claimed {
			return errUnproven
		}
		err = clip.ErrChanged // it was another when it was surveyed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", it.path, intake.Machine(err))
	}
	if it.unnamed() {
		f.namer.name(&it.fate, f.clips.Sum())
		it.named = true
	} else if it.claimed {
		f.namer.remember(&it.fate)
	}
	it.claimed = false
	f.clip = it
	return nil
}
