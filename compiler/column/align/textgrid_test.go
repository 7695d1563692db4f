package align

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
)

// long is a TextGrid in the long form, of our own.
const long = `File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 1.5
tiers? <exists>
size = 3
item []:
    item [1]:
        class = "IntervalTier"
        name = "words"
        xmin = 0
        xmax = 1.5
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 0.5
            text = ""
        intervals [2]:
            xmin = 0.5
            xmax = 1.5
            text = "say ""yes"" 2
times"
    item [2]:
        class = "TextTier"
        name = "bell"
        xmin = 0
        xmax = 1.5
        points: size = 1
        points [1]:
            number = 0.75
            mark = "H*"
    item [3]:
        class = "IntervalTier"
        name = "سکوت"
        xmin = 0
        xmax = 1.5
        intervals: size = 0
`

const short = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n0\n1.5\n<exists>\n3\n\"IntervalTier\"\n\"words\"\n0\n1.5\n2\n0\n0.5\n\"\"\n0.5\n1.5\n\"say \"\"yes\"\" 2\ntimes\"\n" +
	"\"TextTier\"\n\"bell\"\n0\n1.5\n1\n0.75\n\"H*\"\n\"IntervalTier\"\n\"سکوت\"\n0\n1.5\n0\n"

// free has comments, units and words for people, and several things on a line.
const free = "File type = \"ooTextFile\"\n\"TextGrid\" 0s 1.5seconds <exists> ! 7 \"no\" <absent>\r\nwith 3tiers? no: 3 tiers\r\"IntervalTier\" named \"words\" from 0 to 1.5 2 of them 0 .5x 0.5 \"\" \n" +
	"+0.5 50e-1 ! cut\n\"x\" "

// in16 is a text in UTF-16.
func in16(s string, order binary.AppendByteOrder) []byte {
	b := order.AppendUint16(nil, 0xfeff)
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

// TestTextGrid: the long and the short form, in each encoding and with each end of lines,
// are one alignment.
func TestTextGrid(t *testing.T) {
	const want = `&{1.5 [{words false [{0 0.5 } {0.5 1.5 say "yes" 2` + "\n" + `times}]} {bell true [{0.75 0.75 H*}]} {سکوت false []}]}`
	for name, b := range map[string][]byte{
		"long": []byte(long), "short": []byte(short), "a byte order mark": []byte("\ufeff" + long), "UTF-16, lower end first": in16(long, binary.LittleEndian),
		"UTF-16, higher end first": in16(short, binary.BigEndian), "old short": []byte(strings.Replace(strings.Replace(short, "ooTextFile", "ooTextFile short", 1), "Object class = ", "", 1)),
		"indented": []byte("\t" + strings.ReplaceAll(long, "= ", " =\t\t")),
	} {
		a, err := ReadTextGrid(b)
		if err != nil || fmt.Sprint(a) != want {
			t.Errorf("%s: %v %v, want %s", name, a, err, want)
		}
	}
	for name, end := range map[string]string{"Windows": "\r\n", "old Macs": "\r"} {
		a, err := ReadTextGrid([]byte(strings.ReplaceAll(long, "\n", end)))
		if err != nil || fmt.Sprint(a) != strings.Replace(want, "\n", end, 1) {
			t.Errorf("lines as on %s: %v %v", name, a, err)
		}
	}
}

// TestFreeStanding: only what stands by itself counts, up to the third tier that is
// announced and not there.
func TestFreeStanding(t *testing.T) {
	g := &grid{rest: strings.Replace(free, "no: 3 tiers", "no: 1 tier", 1), line: 1}
	if a := g.alignment(); g.err == nil {
		t.Errorf("3tiers is no number: %v", a)
	}
	s := strings.NewReplacer("3tiers? ", "", "3 tiers", "1 tier", "0 .5x 0.5", "0 .x 0.5").Replace(free)
	a, err := ReadTextGrid([]byte(s))
	if err != nil || fmt.Sprint(a) != `&{1.5 [{words false [{0 0.5 } {0.5 5 x}]}]}` {
		t.Errorf("%v %v", a, err)
	}
	absent, err := ReadTextGrid([]byte("ooTextFile\n\"TextGrid\"\n0 1 <absent>"))
	if err != nil || len(absent.Tiers) != 0 || absent.End != 1 {
		t.Errorf("no tiers: %v %v", absent, err)
	}
	for word, want := range map[string]float64{"50%": 0.5, "0.9ms%": 0.9, "3/2": 1.5, "-300%/-2s": 1.5, "+ 7": 7, "1e1x": 10} {
		if a, err := ReadTextGrid([]byte("ooTextFile\n\"TextGrid\"\n0 " + word + " <absent>")); err != nil || a.End != want {
			t.Errorf("%s: %v %v", word, a, err)
		}
	}
}

// TestTextGridRefused: each error names its line.
func TestTextGridRefused(t *testing.T) {
	cut := func(at, by string) []byte { return []byte(strings.Replace(long, at, by, 1)) }
	for _, tt := range []struct {
		name string
		file []byte
		why  string
	}{
		{"nothing", nil, "line 1: it is no text file of Praat"},
		{"a binary file", []byte("ooBinaryFile\x08TextGrid"), "let Praat save it as a text file"},
		{"Latin-1", []byte(long + "caf\xe9"), "UTF-8"},
		{"half of UTF-16", in16(long, binary.BigEndian)[:201], "half a character"},
		{"chronological", []byte("\"Praat chronological TextGrid text file\"\n0 1"), "chronological"},
		{"another object", cut(`"TextGrid"`, `"PitchTier"`), `line 2: it is no TextGrid: its class is "PitchTier"`},
		{"another kind of tier", cut(`"IntervalTier"`, `"PointTier"`), `line 10: a tier is of class "PointTier"`},
		{"a text for a number", cut("xmax = 1.5", `xmax = "1.5"`), `line 5: "\"1.5\"" stands where a number should`},
		{"a number for a text", cut(`text = ""`, "text = 5 \"\""), `line 18: "5" stands where a text in quotes should`},
		{"no number", cut("xmax = 1.5", "xmax = --undefined--"), `"--undefined--" is no number`},
		{"a fraction of nothing", cut("xmax = 1.5", "xmax = 3/0"), `"3/0" is no number`},
		{"half a fraction", cut("xmax = 1.5", "xmax = 3/x"), `"3/x" is no number`},
		{"half an exponent", cut("xmax = 1.5", "xmax = 2E"), `"2E" is no number`},
		{"a quote within", cut(`""yes"" 2`, `"yes" 2`), `line 22: 'y' stands after the quote`},
		{"a text without end", []byte(long[:strings.Index(long, "times")]), "has no end"},
		{"intervals that are missing", cut("size = 0", "size = 999999999"), "it ends where a number should stand"},
		{"less than nothing", cut("size = 2", "size = -2"), `"-2" is no number of tiers`},
		{"from the end to the beginning", cut("xmin = 0.5", "xmin = 9"), "line 23: an interval of tier \"words\": it goes from 9 to 1.5 seconds"},
		{"a flag without end", cut("<exists>", "<exists"), "has no end"},
	} {
		if a, err := ReadTextGrid(tt.file); err == nil || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: %v %v, want %q in it", tt.name, a, err, tt.why)
		}
	}
}

// TestTier: by name, and with a speaker in front if only one has it.
func TestTier(t *testing.T) {
	a := &Alignment{Tiers: []Tier{{Name: "words"}, {Name: "anna - phones"}, {Name: "anna - words"}, {Name: "ben - words"}}}
	for name, want := range map[string]string{"words": "words", "phones": "anna - phones", "ben - words": "ben - words"} {
		if tier, err := a.Tier(name); err != nil || tier.Name != want {
			t.Errorf("%s: %v %v", name, tier, err)
		}
	}
	if _, err := a.Tier("tones"); err == nil || !strings.Contains(err.Error(), `its tiers are "words", "anna - phones"`) {
		t.Errorf("tones: %v", err)
	}
	a.Tiers = a.Tiers[2:]
	if _, err := a.Tier("words"); err == nil || !strings.Contains(err.Error(), "name one of them") {
		t.Errorf("words of two: %v", err)
	}
}

func FuzzTextGrid(f *testing.F) {
	for _, s := range []string{long, short, free, "ooTextFile\n\"TextGrid\"\n0 50% <absent>"} {
		f.Add([]byte(s))
	}
	f.Add(in16(short, binary.LittleEndian))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := ReadTextGrid(b)
		if err != nil {
			return
		}
		read := 0
		for i := range a.Tiers {
			read += len(a.Tiers[i].Intervals)
			fuzzDurations(t, &a.Tiers[i], a.End)
		}
		if 4*read > len(b) { // `1 2""` is the least that an interval takes, and a point `1""`
			t.Errorf("%d intervals from %d bytes", read, len(b))
		}
	})
}
