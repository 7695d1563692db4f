package show

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/explain"
	"voxpack/store"
	"voxpack/textnorm"
)

// Row is all that show has to say of a row; its fields are the JSON.
type Row struct {
	ID        string              `json:"id"`
	Place     string              `json:"place"` // file:line, where the dataset is there
	Rejected  string              `json:"rejected"`
	Text      string              `json:"text"`
	Given     *string             `json:"given"` // null where the metadata has no such column
	Spoken    string              `json:"spoken"`
	Language  string              `json:"language"`
	Speaker   string              `json:"speaker"`
	Columns   map[string]int32    `json:"columns"` // the scalars
	Own       []ownPage           `json:"own"`     // columns of the user's own, in the order of the schema
	Tokens    []int32             `json:"tokens"`
	Symbols   []string            `json:"symbols"`
	Frames    uint32              `json:"frames"`  // of the whole clip
	Seconds   float64             `json:"seconds"` // of the whole clip
	Audio     audioPage           `json:"audio"`
	Stages    []explain.StageFact `json:"stages"`
	Stored    *storedPage         `json:"stored"` // null for a rejected row
	Notes     []string            `json:"notes"`
	maxTokens int
	maxFrames string
}

// audioPage is the source file as the build saw it. State says whether the file
// that is there now has the same bytes; the figures are those of the build.
type audioPage struct {
	File     string `json:"file"`  // relative to the dataset; "" where it was not found
	State    string `json:"state"` // "as built", "changed since the build", "not found"
	Digest   string `json:"digest"`
	Rate     uint32 `json:"rate"` // Hz, of the file
	Bits     uint32 `json:"bits"`
	Channels uint32 `json:"channels"`
	Samples  uint64 `json:"samples"` // per channel, in the file
}

// storedPage says where a kept row lies in the store: Leaf is the number of its
// shard, Row the place in it, both from 0. Blocks and Packs are by column name;
// a block outside the sealed packs has no entry in Packs.
type storedPage struct {
	Leaf   int               `json:"leaf"`
	Row    int               `json:"row"`
	Rows   int               `json:"rows"` // of the shard
	Shard  string            `json:"shard"`
	Blocks map[string]string `json:"blocks"`
	Packs  map[string]string `json:"packs"` // of the blocks, by column
}

// showRow prints a row, a rejected one too: why it was left out is what one asks
// of those.
func showRow(d *store.Dataset, p locate.Place, e *explain.RowExplanation, o Options) error {
	page, err := newRow(d, p, e)
	if err != nil {
		return err
	}
	return o.print(page, func(w *bufio.Writer) { page.print(w) })
}

// newRow makes the page from the origin record. Of a rejected row there is nothing
// else, since no sample was stored.
func newRow(d *store.Dataset, p locate.Place, e *explain.RowExplanation) (*Row, error) {
	r := e.Row
	// Columns, Tokens and Symbols begin empty, not nil, so that the JSON of a
	// rejected row has {} and [] and never null.
	page := &Row{ID: e.ID, Rejected: e.Rejected, Text: r.Text, Spoken: r.Spoken, Language: r.Language, Speaker: r.Speaker,
		Columns: map[string]int32{}, Own: []ownPage{}, Tokens: []int32{}, Symbols: []string{}, Frames: r.Frames, Stages: e.Stages, Notes: e.Notes,
		Audio:     audioPage{State: "not found", Rate: r.Rate, Bits: r.Bits, Channels: r.Channels, Samples: r.FileSamples},
		maxFrames: d.Root.Setting("max_mel_frames")}
	if r.HasGiven {
		page.Given = &r.Given
	}
	if r.Rate > 0 {
		// Both are of the file, before resampling: samples at the configured rate
		// would not fit this rate.
		page.Seconds = float64(r.FileSamples) / float64(r.Rate)
	}
	if !r.Audio.IsZero() {
		page.Audio.Digest = r.Audio.String()
	}
	page.FindSource(p.Dataset, r.Audio)
	if e.Rejected != "" {
		return page, nil
	}
	return page, page.addStored(d)
}

// FindSource looks for the row in the dataset's folder, as far as that is there
// and its own config tells how to read it.
func (p *Row) FindSource(dataset string, built store.Digest) {
	if dataset == "" {
		return
	}
	// A config that cannot be read does not hide the row: the defaults may find
	// it. Problems are not printed, as this command is not about the config.
	opts, _, err := settings.Flags{Dataset: dataset}.Options(io.Discard)
	if err != nil {
		opts = compiler.Options{Dataset: dataset}
	}
	source, err := compiler.FindSource(opts, p.ID)
	// A dataset that has moved or lost the row costs the place and the state of
	// the audio; all else comes from the store.
	if err != nil || source.Place.Line == 0 {
		return
	}
	p.Place = source.Place.String()
	if source.Audio == "" {
		return
	}
	p.Audio.File, p.Audio.State = source.Audio, "changed since the build"
	// A file that cannot be read counts as changed: nothing shows that it is the
	// one of the build.
	if digest, err := source.Digest(); err == nil && digest == built {
		p.Audio.State = "as built"
	}
}

// addStored reads the sample's tokens and says where everything lies.
func (p *Row) addStored(d *store.Dataset) error {
	at, err := d.Find(p.ID)
	if err != nil {
		return err
	}
	shard, err := d.Shard(at.Leaf)
	if err != nil {
		return err
	}
	p.Stored = &storedPage{Leaf: at.Leaf, Row: at.Row, Rows: shard.Len(), Shard: d.Shards[at.Leaf].Digest.String(), Blocks: map[string]string{}, Packs: map[string]string{}}
	// Shards keep blocks and scalars apart, each in the order of the schema's
	// columns of that sort.
	for c, column := range d.Root.Schema.Blocks() {
		block := shard.Blocks[c].Digest
		p.Stored.Blocks[column.Name] = block.String()
		if pack, ok := d.Store.PackOf(store.KindBlock, block); ok {
			p.Stored.Packs[column.Name] = pack
		}
	}
	for c, column := range d.Root.Schema.Inline() {
		p.Columns[column.Name] = shard.Scalars[c][at.Row]
	}
	if err := p.addOwn(d); err != nil {
		return err
	}
	tokens, err := readSample(d, p.ID, "tokens")
	var usage term.Usage
	if errors.As(err, &usage) {
		return nil // a dataset without tokens
	}
	if err != nil {
		return err
	}
	p.maxTokens = tokens.column.Shape[0]
	// Tokens are int32, little-endian. An id outside the table of symbols is shown
	// as "?": this command is for looking at such rows, so it does not refuse them.
	for i := range tokens.length {
		id := int32(binary.LittleEndian.Uint32(tokens.bytes[4*i:]))
		symbol := "?"
		if id >= 0 && int(id) < len(d.Root.Symbols) {
			symbol = d.Root.Symbols[id]
		}
		p.Tokens, p.Symbols = append(p.Tokens, id), append(p.Symbols, symbol)
	}
	return nil
}

// print writes the page for people: one field a line. Texts are quoted, so that
// spaces at an end, line ends and control characters can be seen.
func (p *Row) print(w io.Writer) {
	field := term.Fields(w, 10)
	field("id", "%s", p.ID)
	if p.Rejected != "" {
		field("rejected", "%s", p.Rejected)
	} else if p.Place != "" {
		field("place", "%s", p.Place)
	}
	field("text", "%s", strconv.QuoteToGraphic(p.Text))
	if p.Given != nil {
		field("given", "%s", strconv.QuoteToGraphic(*p.Given))
	}
	field("spoken", "%s", strconv.QuoteToGraphic(p.Spoken))
	number, _ := textnorm.LanguageIndex(p.Language)
	field("language", "%s (%d)", p.Language, number)
	if speaker, ok := p.Columns["speaker"]; ok {
		field("speaker", "%s (%d)", p.Speaker, speaker)
	}
	p.printAudio(field)
	if p.Stored != nil {
		field("tokens", "%d of %d: %s", len(p.Tokens), p.maxTokens, strings.Trim(fmt.Sprint(p.Tokens), "[]"))
		field("symbols", "%s", term.SymbolText(p.Symbols))
	}
	for i, c := range p.Own {
		field(term.First(i, "columns"), "%s", c)
	}
	for i, s := range p.Stages {
		field(term.First(i, "keys"), "%-7s %s", s.Stage, s.Key)
	}
	if s := p.Stored; s != nil {
		field("stored", "shard %s, row %d of %d", term.Short(s.Shard), s.Row, s.Rows)
		for _, name := range sortedKeys(s.Blocks) {
			where := ""
			if pack := s.Packs[name]; pack != "" {
				where = " in pack " + pack
			}
			field("", "%-7s block %s%s", name, s.Blocks[name], where)
		}
	}
	for i, n := range p.Notes {
		field(term.First(i, "notes"), "%s", n)
	}
}

// printAudio writes what is known of the file. A row that was rejected before its
// file was read has no digest, and then no line.
func (p *Row) printAudio(field func(string, string, ...any)) {
	if p.Audio.Digest == "" {
		return
	}
	field("audio", "%s, %s", cmp.Or(p.Audio.File, "file"), p.Audio.State)
	if p.Audio.Rate > 0 {
		bits := ""
		if p.Audio.Bits > 0 { // a lossy stream has none
			bits = fmt.Sprintf("%d bit, ", p.Audio.Bits)
		}
		field("", "%s Hz, %s%s, %s, %.2f s", term.Commas(p.Audio.Rate), bits, term.Count(p.Audio.Channels, "channel"), term.Count(p.Audio.Samples, "sample"), p.Seconds)
	}
	field("", "digest %s", p.Audio.Digest)
	if p.Frames > 0 {
		field("frames", "%d, max_mel_frames is %s", p.Frames, p.maxFrames)
	}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
