package textnorm

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The digest of tacotron-1. It never changes: trained models depend on the ids.
const tacotron1Digest = "ec5c1790dbfe42e1ef0cea372ab3eb614cc4df326133b0e3f4ccd11103f0545b"

func TestTacotron1IsFrozen(t *testing.T) {
	table := tacotron1()
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(table, "\n")))); got != tacotron1Digest {
		t.Errorf("digest of tacotron-1 = %s, want %s: make a new table instead", got, tacotron1Digest)
	}
	if len(table) != 148 {
		t.Errorf("%d symbols, want 148", len(table))
	}
}

func tacotronOf(t testing.TB, c TokenizerConfig) *Tokenizer {
	c.Kind = KindTacotron
	return newTokenizer(t, c)
}

// The ids are those that text_to_sequence(text, []) of github.com/NVIDIA/tacotron2
// gave when it was run.
func TestTacotron(t *testing.T) {
	tok := tacotronOf(t, TokenizerConfig{})
	for _, tt := range tacotronIDs {
		ids, notes, err := tok.Encode(nil, tt.text)
		if err != nil && len(tt.ids) > 0 || !slices.Equal(ids, tt.ids) {
			t.Errorf("Encode(%q) = %v, %v, want %v", tt.text, ids, err, tt.ids)
		}
		if len(notes) != tt.notes {
			t.Errorf("Encode(%q) has notes %v, want %d", tt.text, notes, tt.notes)
		}
	}
}

func TestTacotronNotes(t *testing.T) {
	_, notes, err := tacotronOf(t, TokenizerConfig{}).Encode(nil, "a {HH9 HHX AH0 zz} {b")
	want := []Note{{NoteUnknown, 3, "{HH9}"}, {NoteUnknown, 15, "{zz}"}, {NoteUnknown, 19, "U+007B"}}
	if err != nil || !slices.Equal(notes, want) {
		t.Errorf("notes %v, %v, want %v", notes, err, want)
	}
	if _, _, err := tacotronOf(t, TokenizerConfig{Unknown: UnknownReject}).Encode(nil, "a {HH9}"); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "{HH9}") {
		t.Errorf("reject gives %v", err)
	}
	if _, _, err := tacotronOf(t, TokenizerConfig{}).Encode(nil, "{ } {HH9}"); !errors.Is(err, ErrAllUnknown) {
		t.Errorf("a text without a known symbol gives %v", err)
	}
}

func TestTacotronDecode(t *testing.T) {
	tok := tacotronOf(t, TokenizerConfig{})
	for _, text := range []string{"Turn left on {HH AW1 S S T AH0 N} Street.", "{B} {K}", "{B}", "ab{B}cd", "no phonemes"} {
		ids, _, err := tok.Encode(nil, text)
		if got := tok.Decode(ids); err != nil || got != text {
			t.Errorf("Decode(Encode(%q)) = %q, %v", text, got, err)
		}
	}
	if got := tok.Decode([]int32{0, 38, -1, 148, 64}); got != "a\ufffd\ufffd{AA}" {
		t.Errorf("Decode = %q", got)
	}
}

func TestTacotronSettings(t *testing.T) {
	for _, tt := range []struct {
		config TokenizerConfig
		want   string
	}{
		{TokenizerConfig{}, ""}, {TokenizerConfig{Pad: SpecialPad}, ""}, {TokenizerConfig{Pad: "_"}, ""}, {TokenizerConfig{AddBlank: true, Blank: "_"}, ""},
		{TokenizerConfig{Symbols: []string{"_", "a"}}, "has its own"}, {TokenizerConfig{Unknown: UnknownUnk}, "no unk"}, {TokenizerConfig{AddEOS: true}, "no eos"},
	} {
		tt.config.Kind = KindTacotron
		said := fmt.Sprint(errors.Join(tt.config.Check()...))
		if (tt.want == "") != (said == "<nil>") || !strings.Contains(said, tt.want) {
			t.Errorf("%+v: %s, want %q", tt.config, said, tt.want)
		}
	}
	if got := (TokenizerConfig{Kind: KindTacotron}).Table(); got != "tacotron-1" {
		t.Errorf("table %q", got)
	}
	if a, b := (TokenizerConfig{Kind: KindTacotron}).Canonical(), (TokenizerConfig{Kind: KindTacotron, Pad: "_", Symbols: tacotron1()}).Canonical(); a != b {
		t.Error("the table written out has another key")
	}
}

func FuzzTacotron(f *testing.F) {
	for _, tt := range tacotronIDs {
		f.Add(tt.text)
	}
	tok := tacotronOf(f, TokenizerConfig{})
	f.Fuzz(func(t *testing.T, text string) {
		ids, _, _ := tok.Encode(nil, text)
		again, _, _ := tok.Encode(nil, tok.Decode(ids))
		if len(ids) > 0 && !slices.Equal(again, ids) {
			t.Errorf("%q: %v, decoded and encoded again %v", text, ids, again)
		}
	})
}

// tacotronIDs are texts with what text_to_sequence(text, []) gives, and how many
// notes we have of what it passes over. It means to pass over the pad, "_", too,
// and does so with the versions of Python that it was written for.
var tacotronIDs = []struct {
	text  string
	ids   []int32
	notes int
}{
	{"Hello, world!", []int32{19, 42, 49, 49, 52, 6, 11, 60, 52, 55, 49, 41, 2}, 0},
	{"printing, in the only sense with which we are at present concerned.", []int32{53, 55, 46, 51, 57, 46, 51, 44, 6, 11, 46, 51, 11, 57, 45, 42, 11, 52, 51, 49, 62, 11, 56, 42, 51, 56, 42, 11, 60, 46, 57, 45, 11, 60, 45, 46, 40, 45, 11, 60, 42, 11, 38, 55, 42, 11, 38, 57, 11, 53, 55, 42, 56, 42, 51, 57, 11, 40, 52, 51, 40, 42, 55, 51, 42, 41, 7}, 0},
	{"Turn left on {HH AW1 S S T AH0 N} Street.", []int32{31, 58, 55, 51, 11, 49, 42, 43, 57, 11, 52, 51, 11, 106, 82, 131, 131, 133, 73, 119, 11, 30, 57, 55, 42, 42, 57, 7}, 0},
	{"{HH AH0 L OW1} {W ER1 L D}", []int32{106, 73, 117, 123, 11, 144, 98, 117, 90}, 0},
	{"{HH AH0 L OW1}{W ER1 L D}", []int32{106, 73, 117, 123, 144, 98, 117, 90}, 0},
	{"a-b: 'c' (d); e? f.", []int32{38, 1, 39, 8, 11, 3, 40, 3, 11, 4, 41, 5, 9, 11, 42, 10, 11, 43, 7}, 0},
	{"digits 12 go", []int32{41, 46, 44, 46, 57, 56, 11, 11, 44, 52}, 2},
	{"A_b~c", []int32{12, 39, 40}, 2},
	{"{}", []int32{}, 2},
	{"{}}", []int32{}, 1},
	{"{ }", []int32{}, 0},
	{"a {", []int32{38, 11}, 1},
	{"a } b", []int32{38, 11, 11, 39}, 1},
	{"{hh ah0}", []int32{}, 2},
	{"{HH9 AH0}", []int32{73}, 1},
	{"{  HH   AH0  }", []int32{106, 73}, 0},
	{"@AA", []int32{12, 12}, 1},
	{"{@AA}", []int32{}, 1},
	{"x{{HH AH0}}y", []int32{61, 73, 62}, 2},
	{"{HH} and {AH0", []int32{106, 11, 38, 51, 41, 11, 12, 19}, 2},
	{"caf\u00e9 \u201cq\u201d", []int32{40, 38, 43, 11, 54}, 3},
	{"{HH\u00a0AH0}", []int32{106, 73}, 0},
	{"{\u00e9} {HH}", []int32{11, 106}, 1},
}
