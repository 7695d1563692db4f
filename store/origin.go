package store

import (
	"bytes"
	"slices"
)

// originMagic begins a record. If any of its rows has a split or is a part of a file, the record begins
// with partsMagic instead and has these fields after those of each row. Records without such rows keep the
// bytes, and so the digests, that they had before there were parts.
const (
	originMagic = "VXO1"
	partsMagic  = "VXO2"
)

// Origin is what a shard was made from: for each of its rows the texts, the
// audio's digest and the key of every action, for each block the key of the
// whole. It belongs to the snapshot, not to the root: a comment added to a WAV
// changes a key and must not change the dataset's identity.
type Origin struct {
	Rows   []OriginRow // in the order of the shard's samples
	Blocks []Key       // one for each block column, in schema order
}

// OriginRow is one row as the build read it and what its stages found.
type OriginRow struct {
	ID       string
	Text     string // first text column, as written
	Given    string // normalised text column, where the metadata has one
	HasGiven bool
	Language string // code, "und" where nothing tells
	Told     bool   // by the text: neither metadata nor config name the language
	Speaker  string
	Split    string // "train", "val", "test"; "" where the metadata puts the row on no side

	Audio       Digest // of the file's bytes
	From        uint64 // ns; where in the file the clip begins
	Length      uint64 // ns; 0: to the end of the file
	Rate        uint32 // Hz, of the file
	Channels    uint32 // of the file
	Bits        uint32 // of a sample in the file
	FileSamples uint64 // per channel, in the file
	Samples     uint64 // at the configured rate
	Frames      uint32 // of the whole clip, before any truncation

	Spoken string // what the text stage made of it
	Tokens uint32 // of the whole text, before any truncation

	Keys  []Key // one for each stage, in the order of the root's stages
	Notes []Note
}

// Note is something that a stage did to a row and that must not go unsaid. A
// row that comes from the memo carries the notes of the action that made it.
type Note struct {
	Stage  string
	Kind   string // "unknown-character", "resampled", …
	Detail string // "U+00A9", "48000 Hz → 22050 Hz"
	Count  uint32
}

// Encode is the record's bytes; Sum of them is its digest.
func (o *Origin) Encode() []byte { return o.AppendTo(nil) }

// AppendTo is Encode into dst, whose capacity is reused.
func (o *Origin) AppendTo(dst []byte) []byte {
	magic := originMagic
	if slices.ContainsFunc(o.Rows, func(r OriginRow) bool { return r.hasPart() }) {
		magic = partsMagic
	}
	e := &encoder{buf: append(dst[:0], magic...)}
	e.u32(uint32(len(o.Rows)))
	e.u8(uint8(len(o.Blocks)))
	for _, k := range o.Blocks {
		e.name(k)
	}
	for i := range o.Rows {
		o.Rows[i].encode(e)
		if magic == partsMagic {
			o.Rows[i].encodePart(e)
		}
	}
	return e.buf
}

// DecodeOrigin reads a record.
func DecodeOrigin(b []byte) (*Origin, error) {
	magic := originMagic
	if bytes.HasPrefix(b, []byte(partsMagic)) {
		magic = partsMagic
	}
	d := newDecoder("origin record", magic, b)
	n := d.count(64) // a row with empty texts takes 98 bytes
	o := &Origin{}
	for range d.u8() {
		o.Blocks = append(o.Blocks, d.name())
	}
	o.Rows = make([]OriginRow, n)
	for i := range o.Rows {
		o.Rows[i].decode(d)
		if magic == partsMagic {
			o.Rows[i].decodePart(d)
		}
	}
	return o, d.end()
}

func (r *OriginRow) hasPart() bool { return r.Split != "" || r.From != 0 || r.Length != 0 }

func (r *OriginRow) encodePart(e *encoder) {
	e.str(r.Split)
	e.u64(r.From)
	e.u64(r.Length)
}

func (r *OriginRow) decodePart(d *decoder) {
	r.Split = d.str()
	r.From, r.Length = d.u64(), d.u64()
}

// encode appends the row's fields. Their order is that of the format and not that of the struct: texts, two
// flags in one byte, the audio, counts, keys, notes.
func (r *OriginRow) encode(e *encoder) {
	for _, s := range []string{r.ID, r.Text, r.Given, r.Language, r.Speaker, r.Spoken} {
		e.str(s)
	}
	e.u8(flag(r.HasGiven) | flag(r.Told)<<1)
	e.name(r.Audio)
	e.u32(r.Rate)
	e.u32(r.Channels)
	e.u32(r.Bits)
	e.u64(r.FileSamples)
	e.u64(r.Samples)
	e.u32(r.Frames)
	e.u32(r.Tokens)
	e.u8(uint8(len(r.Keys)))
	for _, k := range r.Keys {
		e.name(k)
	}
	encodeNotes(e, r.Notes)
}

func (r *OriginRow) decode(d *decoder) {
	for _, s := range []*string{&r.ID, &r.Text, &r.Given, &r.Language, &r.Speaker, &r.Spoken} {
		*s = d.str()
	}
	flags := d.u8()
	r.HasGiven, r.Told = flags&1 != 0, flags&2 != 0
	r.Audio = d.name()
	r.Rate, r.Channels, r.Bits = d.u32(), d.u32(), d.u32()
	r.FileSamples, r.Samples = d.u64(), d.u64()
	r.Frames, r.Tokens = d.u32(), d.u32()
	r.Keys = make([]Key, d.u8())
	for i := range r.Keys {
		r.Keys[i] = d.name()
	}
	r.Notes = decodeNotes(d)
}

// encodeNotes appends a list of notes.
func encodeNotes(e *encoder, notes []Note) {
	e.u32(uint32(len(notes)))
	for _, n := range notes {
		e.str(n.Stage)
		e.str(n.Kind)
		e.str(n.Detail)
		e.u32(n.Count)
	}
}

func decodeNotes(d *decoder) []Note {
	n := d.count(16) // three lengths and the count
	if n == 0 {
		return nil
	}
	notes := make([]Note, n)
	for i := range notes {
		notes[i] = Note{Stage: d.str(), Kind: d.str(), Detail: d.str(), Count: d.u32()}
	}
	return notes
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
