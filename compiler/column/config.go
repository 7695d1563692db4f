package column

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"voxpack/compiler/kind"
	"voxpack/store"
)

// Config describes a column of the user's own.
type Config struct {
	Name  string // of the column and of its stage
	From  string // where values are, below each corpus: a path with {id}, one file a row, or a file of all rows
	Field string // of a file with several values a row: which one
	Run   *Run   // computes values instead; nil: they are imported
	Sound *Sound // what values are made of instead
	DType store.DType

	Length Length // what the first axis counts
	Steps  int    // of the first axis: of Fixed all, of Own the most
	Shape  []int  // of further axes; of Whole all axes
	Pad    float64

	Tier      string   // of an alignment; "": phones
	Unit      Unit     // what its intervals become; "": frames
	Symbols   []string // of UnitSymbols: the texts of intervals in the order of their numbers
	Silence   string   // of UnitSymbols: what an interval without a text counts as
	Rate, Hop int      // of the mel, whose frames they are: samples a second, and from a frame to the next
}

// Length says what the first axis of a column counts.
type Length string

// The lengths of columns.
const (
	Whole  Length = ""         // nothing: the value has Shape; without one it is a number
	Fixed  Length = "fixed"    // Steps of each row
	Own    Length = "own"      // each row has its own number of steps, in a column of its own
	Tokens Length = "text_len" // the row's tokens
	Frames Length = "mel_len"  // the row's frames
)

// Limits are the shapes of a dataset that columns follow.
type Limits struct{ Tokens, Frames int }

// taken are names that columns, stages and fields of batches have already.
var taken = []string{"audio", "text", "tokens", "mel", "text_len", "mel_len", "speaker", "language", "split", "linear", "energy", "f0", "pcm",
	"pcm_len", "metadata", "filter", "lexicon", "id", "ids", "row", "rows", "epoch", "mel_start", "reference_mel", "reference_mel_len",
	"normalised", "offset", "duration", "given", "spoken", "source", "seconds", "notes", "place", "columns", "valid"}

// CheckName says what is wrong with the name of a column, "" for nothing.
func CheckName(name string) string {
	for i, r := range name {
		if letter := r >= 'a' && r <= 'z' || r == '_'; !letter && (i == 0 || r < '0' || r > '9') {
			return "is not a name of a column: a to z, 0 to 9 and _, a letter first"
		}
	}
	switch {
	case name == "" || name[0] == '_' || len(name) > 40:
		return "is not a name of a column: 1 to 40 letters, a letter first"
	case slices.Contains(taken, name):
		return "is a name that voxpack uses itself"
	}
	return ""
}

// Check lists what is wrong with a column, each problem with the part of it that it is
// about.
func (c Config) Check() (errs []error) {
	bad := func(part, format string, args ...any) {
		errs = append(errs, &PartError{Column: c.Name, Part: part, What: fmt.Sprintf(format, args...)})
	}
	if why := CheckName(c.Name); why != "" {
		bad("", "%s", why)
	}
	c.checkFrom(bad)
	c.checkAlignment(bad)
	if c.DType.Size() == 0 {
		bad("dtype", "want i32, i16, f32, f16 or bf16")
	}
	switch c.Length {
	case Whole, Tokens, Frames, c.byLength():
		if c.Steps != 0 && c.Sound == nil {
			bad("max", "is for length: own alone")
		}
	case Own, Fixed:
		if c.Steps < 1 || c.Steps > 1<<24 {
			bad(map[Length]string{Own: "max", Fixed: "length"}[c.Length], "%d: want 1 to %d steps", c.Steps, 1<<24)
		}
	default:
		bad("length", "%q: want text_len, mel_len, own or a number", c.Length)
	}
	n := 1
	for _, axis := range c.Shape {
		if axis < 1 || axis > 1<<24 {
			bad("shape", "an axis of %d: want 1 to %d", axis, 1<<24)
			axis = 1
		}
		if n *= axis; n > 1<<24 {
			bad("shape", "over %d values a step", 1<<24)
			break
		}
	}
	if len(c.Shape) > 4 {
		bad("shape", "%d axes; 4 are the most", len(c.Shape))
	}
	if c.DType.Size() > 0 {
		if _, err := c.pad(); err != nil {
			bad("pad", "%v", err)
		}
	}
	return errs
}

func (c Config) checkFrom(bad func(part, format string, args ...any)) {
	switch {
	case c.Sound != nil:
		c.checkSound(bad)
		return
	case c.Run != nil:
		c.checkRun(bad)
		return
	}
	from := c.From
	if from == "" {
		bad("from", "is missing: name a file, as in durations/{id}.npy")
		return
	}
	if wrong := wrongPlaceholder(from); wrong != "" {
		bad("from", "{%s} is no placeholder; there are {%s}", wrong, strings.Join(placeholders, "}, {"))
		return
	}
	if clean := path.Clean(from); clean != from || path.IsAbs(from) || strings.HasPrefix(from, "..") || strings.ContainsAny(from, "\\\x00") {
		bad("from", "%q is not a path below the dataset: write it relative, with /, without . and ..", from)
		return
	}
	d, ok := decoderOf(from)
	switch {
	case !ok:
		bad("from", "%q: values are read from files whose names end in %s", from, strings.Join(endings(), ", "))
	case !c.perRow() && !d.many:
		bad("from", "%q is one file for all rows, and a %s file has the values of one: write {id} where the id of a row stands", from, d.ends)
	case c.perRow() && d.source != nil:
		bad("from", "%q: a list of Kaldi has places for all rows: name one file, without {id}", from)
	case c.perRow() && d.lines:
		bad("from", "a %s file has the values of many rows: take the braces out", d.ends)
	case d.lines && c.Field == "":
		bad("field", "a row of a %s file has several things: say which one is the value", d.ends)
	case c.Field != "" && (!d.field || !c.perRow() && !d.lines):
		bad("field", "a %s file has the value itself, and no fields", d.ends)
	case c.perRow() && d.field && c.Field == "":
		bad("field", "a %s file has several values: say which one is meant, or take {id} out of from if one file has all rows", d.ends)
	}
}

// wrongPlaceholder is the first one in braces that there is not, "" for none.
func wrongPlaceholder(from string) string {
	for {
		_, after, found := strings.Cut(from, "{")
		if !found {
			return ""
		}
		name, rest, closed := strings.Cut(after, "}")
		if !closed || !slices.Contains(placeholders, name) {
			return cmp.Or(name, " ")
		}
		from = rest
	}
}

// PartError is what is wrong with a part of a column's description.
type PartError struct {
	Column, Part string // Part: a key of the column, "" for the name
	What         string
}

// Error is "columns: durations: length: …".
func (e *PartError) Error() string {
	if e.Part == "" {
		return fmt.Sprintf("columns: %s: %s", e.Column, e.What)
	}
	return fmt.Sprintf("columns: %s: %s: %s", e.Column, e.Part, e.What)
}

// perRow reports whether each row has a file of its own.
func (c Config) perRow() bool { return strings.Contains(c.From, "{") }

// Scalar reports whether the value is a number that stands in the shard record.
func (c Config) Scalar() bool {
	return c.Length == Whole && len(c.Shape) == 0 && c.DType == store.Int32
}

// LengthName is the column that counts the steps of a value, "" for none.
func (c Config) LengthName() string {
	switch c.Length {
	case Own:
		return c.Name + "_len"
	case Tokens, Frames, c.byLength():
		return string(c.Length)
	}
	return ""
}

// byLength is the length of a column that is averaged by another one, where that has its own; else Whole.
func (c Config) byLength() Length {
	if c.Sound == nil || c.Sound.By == "" || string(c.Length) != c.Sound.By+"_len" {
		return Whole
	}
	return c.Length
}

// Schema are the columns that it adds to a dataset.
func (c Config) Schema(l Limits) store.Schema {
	if c.Scalar() {
		return store.Schema{{Name: c.Name, DType: c.DType}}
	}
	s := store.Schema{{Name: c.Name, DType: c.DType, Shape: c.axes(l)}}
	if c.Length == Own {
		s = append(s, store.Column{Name: c.LengthName(), DType: store.Int32})
	}
	return s
}

// axes are the shape of a sample.
func (c Config) axes(l Limits) []int {
	switch c.Length {
	case Whole:
		if len(c.Shape) == 0 {
			return []int{1}
		}
		return c.Shape
	case Tokens:
		return append([]int{l.Tokens}, c.Shape...)
	case Frames:
		return append([]int{l.Frames}, c.Shape...)
	}
	return append([]int{c.Steps}, c.Shape...)
}

// Setting is what a root says of the column beside its type and shape: what its first
// axis counts, and what stands after the steps in use. No path: where values lay is no
// content.
func (c Config) Setting() string {
	s := "length " + string(c.Length)
	switch c.Length {
	case Whole:
		s = "length " + string(Fixed)
	case Own: // said here, so that a build knows that rows have to be looked at again
		s += ", max " + strconv.Itoa(c.Steps)
	}
	if c.Sound != nil {
		s += c.Sound.setting()
	}
	return s + c.padding()
}

func (c Config) padding() string {
	if c.Pad == 0 {
		return ""
	}
	return ", pad " + strconv.FormatFloat(c.Pad, 'g', -1, 64)
}

// Reads is what the samples of the column depend on beside the values' bytes: how they
// are decoded, their type and shape, the padding. How many steps a row may have is not
// in it: that only pads again.
func (c Config) Reads() string {
	d, _ := decoderOf(c.From)
	how := d.version
	switch {
	case c.Run != nil:
		how = c.Run.reads()
	case c.Sound != nil:
		how = c.Sound.reads()
	}
	s := fmt.Sprintf("%s %v %s %v", how, c.DType, cmp.Or(c.Length, Fixed), c.Shape)
	if c.Length == Fixed {
		s += fmt.Sprintf(" of %d", c.Steps)
	}
	if c.perRow() && c.Field != "" {
		s += " field " + strconv.Quote(c.Field)
	}
	if d.frames {
		s += c.alignmentReads()
	}
	return s + c.padding()
}

// Version is that of the stage: another one whenever samples of equal values may differ.
const Version = "column/1"

// pad are the bytes of one element of padding.
func (c Config) pad() ([]byte, error) {
	if math.IsNaN(c.Pad) || math.IsInf(c.Pad, 0) {
		return nil, fmt.Errorf("%v is no number", c.Pad)
	}
	return element(c.DType, c.Pad)
}

// A Bad is a value that cannot be used: its row is left out.
type Bad struct {
	Kind kind.Rejection
	Err  error
}

// Error is what is wrong with the value.
func (b *Bad) Error() string { return b.Err.Error() }

// Unwrap gives the cause.
func (b *Bad) Unwrap() error { return b.Err }

func badf(why kind.Rejection, format string, args ...any) error {
	return &Bad{why, fmt.Errorf(format, args...)}
}
