package textnorm

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
)

func newTokenizer(t testing.TB, c TokenizerConfig) *Tokenizer {
	t.Helper()
	tok, err := NewTokenizer(c)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// small is a table whose ids can be read in a test: a=5, b=6, space=7, ch=8, c=9, chi=10.
var small = []string{"<pad>", "<unk>", "<bos>", "<eos>", "<blank>", "a", "b", " ", "ch", "c", "chi"}

func TestEncode(t *testing.T) {
	unknownZ := []Note{{NoteUnknown, 1, "U+007A"}}
	tests := []struct {
		name   string
		config TokenizerConfig
		in     string
		want   []int32
		notes  []Note
		err    error
	}{
		{"ids are positions", TokenizerConfig{}, "ab a", []int32{5, 6, 7, 5}, nil, nil},
		{"the longest symbol wins", TokenizerConfig{}, "chichc", []int32{10, 8, 9}, nil, nil},
		{"an unknown character is dropped with a note", TokenizerConfig{}, "azb", []int32{5, 6}, unknownZ, nil},
		{"or becomes unk with a note", TokenizerConfig{Unknown: "unk"}, "azb", []int32{5, 1, 6}, unknownZ, nil},
		{"or rejects the text", TokenizerConfig{Unknown: "reject"}, "azb", nil, unknownZ, ErrUnknown},
		{"one note for each unknown character", TokenizerConfig{}, "azzyza", []int32{5, 5},
			[]Note{{NoteUnknown, 1, "U+007A"}, {NoteUnknown, 3, "U+0079"}}, nil},
		{"a raw byte is unknown", TokenizerConfig{}, "a\xff", []int32{5}, []Note{{NoteUnknown, 1, "0xFF"}}, nil},
		{"blanks give 2n + 1", TokenizerConfig{AddBlank: true}, "ab", []int32{4, 5, 4, 6, 4}, nil, nil},
		{"ends stand outside the blanks", TokenizerConfig{AddBlank: true, AddBOS: true, AddEOS: true}, "a",
			[]int32{2, 4, 5, 4, 3}, nil, nil},
		{"ends without blanks", TokenizerConfig{AddBOS: true, AddEOS: true}, "ab", []int32{2, 5, 6, 3}, nil, nil},
		{"an empty text is an error", TokenizerConfig{AddBlank: true}, "", nil, nil, ErrEmpty},
		{"so is white space alone", TokenizerConfig{}, "  ", nil, nil, ErrEmpty},
		{"a wholly unknown text is an error, even with its spaces known (M9)", TokenizerConfig{}, "zz z", nil,
			[]Note{{NoteUnknown, 0, "U+007A"}}, ErrAllUnknown},
		{"and under unk too", TokenizerConfig{Unknown: "unk"}, "z", nil, []Note{{NoteUnknown, 0, "U+007A"}}, ErrAllUnknown},
		{"a text cannot spell a special", TokenizerConfig{Unknown: "reject"}, "a<pad>", nil, []Note{
			{NoteUnknown, 1, "U+003C"}, {NoteUnknown, 2, "U+0070"}, {NoteUnknown, 4, "U+0064"}, {NoteUnknown, 5, "U+003E"}}, ErrUnknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.config.Symbols = small
			tok := newTokenizer(t, tt.config)
			dst := []int32{-7}
			got, notes, err := tok.Encode(dst, tt.in)
			if want := append([]int32{-7}, tt.want...); !slices.Equal(got, want) {
				t.Errorf("Encode(%q) = %v, want %v", tt.in, got, want)
			}
			if !reflect.DeepEqual(notes, tt.notes) {
				t.Errorf("Encode(%q) notes = %v, want %v", tt.in, notes, tt.notes)
			}
			if !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
				t.Errorf("Encode(%q) error = %v, want %v", tt.in, err, tt.err)
			}
		})
	}
}

// TestARepeatedSymbolIsThatOfADict: as in {s: i for i, s in enumerate(symbols)} the last
// number counts, of symbols of one character and of several; ids of both mean it.
func TestARepeatedSymbolIsThatOfADict(t *testing.T) {
	symbols := []string{"_", "a", "'", "ch", "é", "'", "\u0329", "ch", "é", "b", "'"}
	dict := map[string]int32{}
	for i, s := range symbols {
		dict[s] = int32(i)
	}
	c := TokenizerConfig{Symbols: symbols, Pad: "_"}
	tok := newTokenizer(t, c)
	var want []int32
	for _, s := range []string{"ch", "'", "a", "é", "b", "\u0329", "ch"} {
		want = append(want, dict[s])
	}
	got, notes, err := tok.Encode(nil, "ch'aéb\u0329ch")
	if err != nil || len(notes) > 0 || !slices.Equal(got, want) {
		t.Errorf("Encode = %v, %v, %v, want %v", got, notes, err, want)
	}
	if got := tok.Decode([]int32{2, 5, 10, 3, 7}); got != "'''chch" {
		t.Errorf("Decode = %q", got)
	}
	said := c.Repeated()
	if len(said) != 4 || !strings.HasPrefix(said[0], `symbol 5 "'" is there before, as symbol 2: texts get the last number, as from {s: i`) ||
		!strings.HasPrefix(said[3], `symbol 10 "'" is there before, as symbol 2`) {
		t.Errorf("Repeated = %q", said)
	}
	if said := (TokenizerConfig{}).Repeated(); said != nil {
		t.Errorf("Repeated of the built-in table = %q", said)
	}
}

func TestDecode(t *testing.T) {
	tok := newTokenizer(t, TokenizerConfig{Symbols: small})
	got := tok.Decode([]int32{2, 4, 5, 4, 10, 1, 99, -1, 3, 0, 0})
	if want := "achi\ufffd\ufffd\ufffd"; got != want {
		t.Errorf("Decode = %q, want %q", got, want)
	}
	if !slices.Equal(tok.Symbols(), small) {
		t.Errorf("Symbols %q do not describe the table", tok.Symbols())
	}
}

func TestPadMayBeBlank(t *testing.T) {
	tok := newTokenizer(t, TokenizerConfig{Symbols: []string{"_", "a"}, Pad: "_", Blank: "_", AddBlank: true})
	got, _, err := tok.Encode(nil, "aa")
	if want := []int32{0, 1, 0, 1, 0}; err != nil || !slices.Equal(got, want) {
		t.Errorf("Encode = %v, %v, want %v", got, err, want)
	}
}

func TestCheck(t *testing.T) {
	table := func(s ...string) TokenizerConfig { return TokenizerConfig{Symbols: append([]string{"<pad>"}, s...)} }
	with := func(c TokenizerConfig, edit func(*TokenizerConfig)) TokenizerConfig { edit(&c); return c }
	tests := []struct {
		name   string
		config TokenizerConfig
		want   []string // a part of each error, in order
	}{
		{"the zero config is right", TokenizerConfig{}, nil},
		{"a pad is all that a table needs", table("a"), nil},
		{"a symbol that is there twice", table("a", "_", "b", "_"), nil},
		{"a pad that is there twice", table("a", "<pad>"), []string{`pad "<pad>" is symbol 0 and symbol 2: one number has to be its own`}},
		{"a special that nothing asks for, twice", table("<unk>", "a", "<unk>"), []string{`unk "<unk>" is symbol 1 and symbol 3`}},
		{"a pad that is not 0 (M4)", with(table("_"), func(c *TokenizerConfig) { c.Pad = "_" }), []string{`pad "_" is symbol 1`}},
		{"a table without a pad", TokenizerConfig{Symbols: []string{"a"}}, []string{`no pad "<pad>"`}},
		{"an empty table has no pad", TokenizerConfig{Symbols: []string{}}, []string{`no pad`}},
		{"an empty symbol", table("a", ""), []string{"symbol 2 is empty"}},
		{"a symbol that is not UTF-8", table("\xff"), []string{"symbol 1 \"\\xff\" is not UTF-8"}},
		{"a symbol that composed text cannot hold", table("e\u0301"), []string{`write "é"`}},
		{"an unknown tokenizer", TokenizerConfig{Kind: "bpe"}, []string{`tokenizer "bpe"`, "no pad"}},
		{"a file's kind without a file", TokenizerConfig{Kind: "json"}, []string{"a tokenizer.json has to be there"}},
		{"what only files have", TokenizerConfig{LanguageTag: true}, []string{"language_tag and space_symbol"}},
		{"an unknown policy", TokenizerConfig{Unknown: "ignore"}, []string{`unknown "ignore"`}},
		{"specials that are asked for and missing", with(table("a"), func(c *TokenizerConfig) {
			c.Unknown, c.AddBlank, c.AddBOS, c.AddEOS = "unk", true, true, true
		}), []string{"no unk", "no bos", "no eos", "no blank"}},
		{"one symbol with two meanings", with(table("x"), func(c *TokenizerConfig) { c.BOS, c.EOS, c.AddBOS = "x", "x", true }),
			[]string{`"x" is both bos and eos`}},
		{"all at once", with(table("a", "a", ""), func(c *TokenizerConfig) { c.Unknown = "?" }),
			[]string{`unknown "?"`, "empty"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			errs := tt.config.Check()
			if len(errs) != len(tt.want) {
				t.Fatalf("Check() = %v, want %d errors", errs, len(tt.want))
			}
			for i, want := range tt.want {
				if !strings.Contains(errs[i].Error(), want) {
					t.Errorf("error %d = %q, want it to say %q", i, errs[i], want)
				}
			}
			if _, err := NewTokenizer(tt.config); (err == nil) != (len(errs) == 0) {
				t.Errorf("NewTokenizer error = %v beside Check() = %v", err, errs)
			}
		})
	}
}

func TestTokenizerCanonicalShowsEveryField(t *testing.T) {
	base := TokenizerConfig{}
	if got := (TokenizerConfig{Kind: "char", Symbols: chars1(), Unknown: "drop"}).Canonical(); got != base.Canonical() {
		t.Error("Canonical of the written-out defaults differs from that of the zero config")
	}
	v := reflect.ValueOf(&base).Elem()
	for i := range v.NumField() {
		changed := base
		switch f := reflect.ValueOf(&changed).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{"x"}))
		case reflect.Pointer:
			changed.Kind, changed.File = KindJSON, xtts(t)
		}
		if name := v.Type().Field(i).Name; name == "LanguageTag" || name == "SpaceSymbol" || name == "Phonemes" {
			continue // of a file; see TestAFileIsInTheCanonicalText and TestPhonemeSettings
		}
		if changed.Canonical() == base.Canonical() {
			t.Errorf("Canonical does not show a change of %s", v.Type().Field(i).Name)
		}
	}
}

func TestPersianKeepsItsLetters(t *testing.T) {
	// M9: this sentence once became seven spaces.
	const in = "سلام، این یک آزمایش است ۱۲۳"
	tok := newTokenizer(t, TokenizerConfig{Unknown: UnknownReject})
	ids, notes, err := tok.Encode(nil, in)
	if err != nil || len(notes) > 0 || tok.Decode(ids) != in {
		t.Errorf("Encode(%q) = %d ids, %v, %v; decoded %q", in, len(ids), notes, err, tok.Decode(ids))
	}
}

func FuzzEncode(f *testing.F) {
	for _, line := range corpus(f) {
		f.Add(line)
	}
	f.Add("chichc\u2603\xff <pad>")
	var toks []*Tokenizer
	for _, unknown := range []string{UnknownDrop, UnknownUnk, UnknownReject} {
		toks = append(toks,
			newTokenizer(f, TokenizerConfig{Unknown: unknown}),
			newTokenizer(f, TokenizerConfig{Unknown: unknown, Symbols: small, AddBlank: true, AddBOS: true, AddEOS: true}))
	}
	f.Fuzz(func(t *testing.T, in string) {
		for _, tok := range toks {
			checkEncode(t, tok, in)
		}
	})
}

// checkEncode holds Encode to its promises on any text.
func checkEncode(t *testing.T, tok *Tokenizer, in string) {
	t.Helper()
	ids, notes, err := tok.Encode(nil, in)
	for _, id := range ids {
		if id < 0 || int(id) >= len(tok.config.Symbols) {
			t.Fatalf("Encode(%q) gives id %d of %d", in, id, len(tok.Symbols()))
		}
	}
	if err != nil {
		if !errors.Is(err, ErrUnknown) && !errors.Is(err, ErrEmpty) && !errors.Is(err, ErrAllUnknown) {
			t.Errorf("Encode(%q) error = %v", in, err)
		}
		return
	}
	if out := tok.Decode(ids); len(notes) == 0 && out != in {
		t.Errorf("Decode(Encode(%q)) = %q without a note", in, out)
	}
	// What is missing in the output stands in the notes.
	noted := map[string]bool{}
	for _, n := range notes {
		noted[n.Detail] = true
	}
	out := tok.Decode(ids)
	for i, r := range in {
		if unicode.IsLetter(r) && !strings.ContainsRune(out, r) {
			var book notebook
			noteUnknown(&book, i, in[i:])
			if !noted[book.notes[0].Detail] {
				t.Errorf("Encode(%q) lost %q without a note", in, r)
			}
		}
	}
}
