package compiler

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"voxpack/audio"
	"voxpack/store"
	"voxpack/textnorm"
)

// filler computes samples straight into their place in a block. One goroutine,
// one filler: it owns all scratch memory.
type filler struct {
	cfg      *Config
	find     *finder
	prev     *previous
	tokens   *textnorm.Tokenizer
	mel      *audio.Mel
	file     []byte
	pcm      []float32
	resample map[int]*audio.Resampler // by the file's rate
	atRate   []float32
	frames   []float32
	ids      []int32
}

// prepare makes the stages' engines, once.
func (f *filler) prepare() (err error) {
	if f.mel != nil {
		return nil
	}
	f.resample = map[int]*audio.Resampler{}
	if f.tokens, err = textnorm.NewTokenizer(f.cfg.Tokens); err != nil {
		return err
	}
	f.mel, err = audio.NewMel(f.cfg.Mel)
	return err
}

// fill writes one sample of a block column into dst, which is zero. It reports
// whether a stage ran; else the bytes were taken from the previous root.
func (f *filler) fill(dst []byte, column store.Column, it *item) (ran bool, err error) {
	at := blockStages[column.Name]
	if f.take(dst, column, it, at) {
		return false, nil
	}
	switch at {
	case atTokens:
		return true, f.fillTokens(dst, it)
	case atMel:
		return true, f.fillMel(dst, it)
	}
	return false, fmt.Errorf("no stage fills column %s", column.Name)
}

// take copies a sample that the same action made before, wherever it stands in
// the previous root. Its checksum is verified: a damaged one is made anew.
func (f *filler) take(dst []byte, column store.Column, it *item, at int) bool {
	key := it.made.Keys[at]
	for _, w := range f.prev.where(column.Name, key) {
		if f.takeFrom(dst, column, it, at, w) {
			return true
		}
	}
	return false
}

func (f *filler) takeFrom(dst []byte, column store.Column, it *item, at int, w rowAt) bool {
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
	copy(dst, sample[:min(len(sample), len(dst))]) // what a sample does not fill is zero in both
	return true
}

// fits reports whether a sample of a row that stands in a column of a previous
// root holds all that the column has room for now: it was not truncated shorter.
func fits(old, column store.Column, it *item, at int) bool {
	length := int(it.made.Tokens)
	if at == atMel {
		length = int(it.made.Frames)
	}
	return old.DType == column.DType && old.RowBytes() == column.RowBytes() &&
		min(length, old.Shape[0]) >= min(length, column.Shape[0])
}

func (f *filler) fillTokens(dst []byte, it *item) error {
	var err error
	f.ids, _, err = f.tokens.Encode(f.ids[:0], it.made.Spoken)
	if err != nil {
		return fmt.Errorf("%s: %s: tokens: %w", it.row.Pos, it.made.ID, err)
	}
	for i, id := range f.ids[:min(len(f.ids), len(dst)/4)] {
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(id))
	}
	return nil
}

func (f *filler) fillMel(dst []byte, it *item) error {
	pcm, err := f.samples(it)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", it.row.Pos, it.made.ID, err)
	}
	bands := f.cfg.Mel.NMels
	frames := min(int(it.made.Frames), len(dst)/(bands*f.cfg.MelDType.Size()))
	if n := frames * bands; cap(f.frames) < n {
		f.frames = make([]float32, n)
	}
	keep := f.frames[:frames*bands]
	f.mel.Compute(keep, pcm)
	switch f.cfg.MelDType {
	case store.Float16:
		audio.PutFloat16(dst, keep)
	case store.BFloat16:
		audio.PutBFloat16(dst, keep)
	default:
		audio.PutFloat32(dst, keep)
	}
	return nil
}

// samples is the audio stage in full: the clip's samples at the configured rate.
func (f *filler) samples(it *item) ([]float32, error) {
	var err error
	if f.file, err = readWhole(f.find.path(it.path), it.stamp, f.file); err != nil {
		return nil, fmt.Errorf("%s: %w", it.path, err)
	}
	var info audio.Info
	f.pcm, info, err = audio.Decode(f.pcm[:0], bytes.NewReader(f.file), int64(len(f.file)))
	if err != nil || uint64(info.Samples) != it.made.FileSamples || uint32(info.Rate) != it.made.Rate {
		return nil, fmt.Errorf("%s: %w", it.path, errChanged) // it decoded when it was surveyed
	}
	if info.Rate == f.cfg.SampleRate {
		return f.pcm, nil
	}
	r := f.resample[info.Rate]
	if r == nil {
		if r, err = audio.NewResampler(info.Rate, f.cfg.SampleRate); err != nil {
			return nil, fmt.Errorf("%s: %w", it.path, err)
		}
		f.resample[info.Rate] = r
	}
	f.atRate = r.Resample(f.atRate[:0], f.pcm)
	if uint64(len(f.atRate)) != it.made.Samples {
		return nil, fmt.Errorf("%s: resampling made %d samples, %d were announced", it.path, len(f.atRate), it.made.Samples)
	}
	return f.atRate, nil
}
