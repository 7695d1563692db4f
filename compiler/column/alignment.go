package column

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"voxpack/compiler/column/align"
	"voxpack/compiler/column/array"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// Unit says what becomes of the intervals of an alignment.
type Unit string

// The units.
const (
	UnitFrames  Unit = "frames"  // how many frames each takes; their sum is that of the row
	UnitSymbols Unit = "symbols" // the number of its text in Symbols
)

// alignments are the kinds of files that say when each phone is spoken. A version is of
// the reader and of the rule that makes frames of times.
var alignments = []decoder{
	{ends: ".textgrid", version: "textgrid/1", frames: true, decode: intervalsOf(align.ReadTextGrid)},
	{ends: ".json", version: "alignment-json/1", frames: true, decode: intervalsOf(align.ReadJSON)},
	{ends: ".ctm", version: "ctm/1", frames: true, many: true, decode: decodeMarks, open: openMarks, settle: settleMarks},
}

// checkAlignment lists what is wrong with the keys that are of alignments alone.
func (c Config) checkAlignment(bad func(part, format string, args ...any)) {
	if !c.ReadsFrames() {
		for _, key := range []struct {
			part string
			set  bool
		}{{"tier", c.Tier != ""}, {"unit", c.Unit != ""}, {"symbols", len(c.Symbols) > 0}, {"silence", c.Silence != ""}} {
			if key.set {
				bad(key.part, "is for alignments alone, files whose names end in .TextGrid, .json or .ctm")
			}
		}
		return
	}
	switch c.unit() {
	case UnitFrames:
		if len(c.Symbols) > 0 {
			bad("symbols", "are for unit: symbols alone")
		}
		if c.Silence != "" {
			bad("silence", "is for unit: symbols alone")
		}
	case UnitSymbols:
		if len(c.Symbols) == 0 {
			bad("symbols", "are missing: list the texts of intervals, the first gets number 0")
		}
		for i, s := range c.Symbols {
			if slices.Contains(c.Symbols[:i], s) {
				bad("symbols", "%q stands there twice", s)
			}
		}
	default:
		bad("unit", "%q: want frames or symbols", c.Unit)
	}
	if len(c.Shape) > 0 || c.Length == Whole || c.Length == Frames {
		bad("length", "an alignment has a number for each interval: want length: text_len or own, and no shape")
	}
}

func (c Config) unit() Unit {
	if c.Unit == "" {
		return UnitFrames
	}
	return c.Unit
}

func (c Config) tier() string {
	if c.Tier == "" {
		return "phones"
	}
	return c.Tier
}

// alignmentReads is what values depend on that are made of an alignment.
func (c Config) alignmentReads() string {
	s := fmt.Sprintf(" tier %q unit %s %d/%d", c.tier(), c.unit(), c.Rate, c.Hop)
	if len(c.Symbols) > 0 {
		s += fmt.Sprintf(" symbols %v silence %q", store.Sum([]byte(strings.Join(c.Symbols, "\n"))), c.Silence)
	}
	return s
}

// intervalsOf decodes a row's own alignment.
func intervalsOf(read func([]byte) (*align.Alignment, error)) func(Config, string, []byte, Row) (*array.Array, error) {
	return func(c Config, _ string, b []byte, r Row) (*array.Array, error) {
		a, err := read(b)
		if err != nil {
			return nil, err
		}
		t, err := a.Tier(c.tier())
		if err != nil {
			return nil, err
		}
		return c.intervals(t, a.End, r)
	}
}

// intervals are a number for each interval of a tier.
func (c Config) intervals(t *align.Tier, end float64, r Row) (*array.Array, error) {
	d, err := t.Durations(align.Frames{Rate: c.Rate, Hop: c.Hop, Count: r.Frames}, end)
	if mismatch := (*align.MismatchError)(nil); errors.As(err, &mismatch) {
		return nil, &Bad{kind.ValueLength, err}
	}
	if err != nil {
		return nil, err
	}
	out := &array.Array{DType: array.Int32, Shape: []int{len(d.Frames)}}
	for i, n := range d.Frames {
		if c.unit() == UnitSymbols {
			if n = c.symbol(d.Phones[i]); n < 0 {
				return nil, c.noSymbol(i, d.Phones[i])
			}
		}
		out.Data = binary.LittleEndian.AppendUint32(out.Data, uint32(n))
	}
	return out, nil
}

// symbol is the number of an interval's text, -1 where there is none. Tables that have
// letters too write phones with @ in front, as keithito's and so FastSpeech 2's: those
// come first.
func (c Config) symbol(text string) int {
	if text == "" {
		text = c.Silence
	}
	if i := slices.Index(c.Symbols, "@"+text); i >= 0 {
		return i
	}
	return slices.Index(c.Symbols, text)
}

func (c Config) noSymbol(i int, text string) error {
	switch {
	case text != "":
		return fmt.Errorf("interval %d is %.40q, which is none of the symbols", i, text)
	case c.Silence == "":
		return fmt.Errorf("interval %d has no text, and the column has no silence, which says what symbol that is", i)
	}
	return fmt.Errorf("interval %d has no text, and %s, the silence of the column, is none of the symbols", i, c.Silence)
}

// marks are the lines of a ctm file by recording: a value is the lines of one, as they
// stand there.
type marks struct {
	names []string
	lines map[string][]byte
}

func openMarks(_ Config, _ string, at io.ReaderAt, size int64) (members, error) {
	if size > maxFile {
		return nil, fmt.Errorf("it has %d MiB; %d are the most", size>>20, int64(maxFile)>>20)
	}
	b, err := io.ReadAll(io.NewSectionReader(at, 0, size))
	if err != nil {
		return nil, err
	}
	if _, err := align.ReadCTM(b); err != nil {
		return nil, err
	}
	m := &marks{lines: map[string][]byte{}}
	for line := range bytes.Lines(bytes.TrimPrefix(b, []byte("\ufeff"))) {
		f := bytes.Fields(line)
		if len(f) == 0 || bytes.HasPrefix(f[0], []byte(";;")) {
			continue
		}
		name := string(f[0])
		if m.lines[name] == nil {
			m.names = append(m.names, name)
		}
		m.lines[name] = append(append(m.lines[name], bytes.Join(f, []byte(" "))...), '\n')
	}
	return m, nil
}

func (m *marks) Names() []string { return m.names }

func (m *marks) Read(name string) (*array.Array, error) {
	b, there := m.lines[name]
	if !there {
		return nil, array.ErrAbsent
	}
	return &array.Array{DType: array.Uint8, Shape: []int{len(b)}, Data: b}, nil
}

// settleMarks makes numbers of a recording's lines.
func settleMarks(c Config, lines *array.Array, r Row) (*array.Array, error) {
	return decodeMarks(c, "", lines.Data, r)
}

// decodeMarks decodes a file of one recording, whatever that is called.
func decodeMarks(c Config, _ string, b []byte, r Row) (*array.Array, error) {
	all, err := align.ReadCTM(b)
	if err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, fmt.Errorf("it has %d recordings, and one is wanted", len(all))
	}
	for _, a := range all {
		return c.intervals(&a.Tiers[0], a.End, r)
	}
	panic("a map of one has one")
}
