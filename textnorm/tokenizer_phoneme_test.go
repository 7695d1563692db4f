package textnorm

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"voxpack/internal/steptest"
)

// The digest of ipa-1. It never changes: trained models depend on the ids.
const ipa1Digest = "36b5cffb88d22c131ef92f9dff57b07525bf4b820922ddaa73f637e68f49e4f1"

func TestIPA1IsFrozen(t *testing.T) {
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(ipa1(), "\n")))); got != ipa1Digest {
		t.Errorf("digest of ipa-1 = %s, want %s: make a new table instead", got, ipa1Digest)
	}
	c := TokenizerConfig{Kind: KindPhoneme}
	if errs := c.Check(); len(errs) > 0 {
		t.Errorf("Check of ipa-1 = %v", errs)
	}
	if got := c.Table(); got != "ipa-1" {
		t.Errorf("table %q", got)
	}
}

// What espeak-ng 1.51 writes for sentences of 18 languages and for words of all its voices.
func TestIPA1HasWhatIsSaid(t *testing.T) {
	const said = `"#-.124567:?ANSXZ[^` + "`" + `abcdefghijklmnopqrstuvwxyzäæçðøħŋœũɐɑɒɔɕɖəɚɛɜɟɡɣɨɪɫɬɭɯɲɳɴɵɸɹɻɽɾʀʁʂʃʈʉʊʋʌʎʐʑʒʔʕʝʦʰʲˈˌːˤ` +
		"\u0303\u030a\u031d\u031e\u0329\u032a\u032f\u033a\u033b\u0361Φβεθχᵝᵻ"
	tok := newTokenizer(t, TokenizerConfig{Kind: KindPhoneme, Unknown: UnknownReject})
	for _, text := range []string{said, "¡həlˈoʊ, wˈɜːld! «ɡutn tˈaːk»", "سلام، خوبی؟", "。，、；：？！「」…—।"} {
		text, _ = Phonemize(strings.ReplaceAll(strings.ReplaceAll(text, "سلام", "salˈɒm"), "خوبی", "xuːbˈiː"), func(s string) (string, error) { return s, nil })
		ids, _, err := tok.Encode(nil, text)
		if err != nil || tok.Decode(ids) != text {
			t.Errorf("Encode(%q): %v, decoded %q", text, err, tok.Decode(ids))
		}
	}
}

// Each clause comes back in corners, so that a test sees what was asked.
func corners(clause string) (string, error) { return "⟨" + clause + "⟩", nil }

func TestPhonemize(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"one clause", "hello world", "⟨hello world⟩"},
		{"punctuation stays in its place", `Hello, world! (Yes: "no".)`, `⟨Hello⟩, ⟨world⟩! (⟨Yes⟩: "⟨no⟩".)`},
		{"and so do spaces", "one — two -- three", "⟨one⟩ — ⟨two⟩ -- ⟨three⟩"},
		{"punctuation alone", "?! ...", "?! ..."},
		{"apostrophes in words", "don't l’eau 'tis dogs' 'q'", "⟨don't l’eau⟩ '⟨tis dogs⟩' '⟨q⟩'"},
		{"hyphens in words", "x-ray well-known co- -op a - b", "⟨x-ray well-known co⟩- -⟨op a⟩ - ⟨b⟩"},
		{"points in numbers", "3.14 is 1,000 at 12:30. end", "⟨3.14 is 1,000 at 12:30⟩. ⟨end⟩"},
		{"points in abbreviations", "the U.S.A. e.g. here", "⟨the U.S.A⟩. ⟨e.g⟩. ⟨here⟩"},
		{"a point without its space", "end.Next", "⟨end⟩.⟨Next⟩"},
		{"signs that are said", "20 % & $5 @home and/or", "⟨20 % & $5 @home and/or⟩"},
		{"Persian", "سلام، خوبی؟ می\u200cروم؛ بله.", "⟨سلام⟩، ⟨خوبی⟩؟ ⟨می\u200cروم⟩؛ ⟨بله⟩."},
		{"Persian numbers", "۳٫۱۴ و ۱٬۰۰۰", "⟨۳٫۱۴ و ۱٬۰۰۰⟩"},
		{"Hindi", "नमस्ते। ठीक है॥", "⟨नमस्ते⟩। ⟨ठीक है⟩॥"},
		{"Chinese", "你好，世界。「好」", "⟨你好⟩，⟨世界⟩。「⟨好⟩」"},
		{"Spanish", "¿Qué? ¡No!", "¿⟨Que\u0301⟩? ¡⟨No⟩!"},
		{"Catalan", "col·lecció", "⟨col·leccio\u0301⟩"},
		{"espeak's own notation is text", "a [[h@l'oU]] b", "⟨a⟩ [[⟨h@l'oU⟩]] ⟨b⟩"},
		{"marked phonemes are left alone", "say {həlˈoʊ} now", "⟨say⟩ həlˈoʊ ⟨now⟩"},
		{"with punctuation in them", "{a, b. 3!}", "a, b. 3!"},
		{"a whole text", "{ˈað, ˈus}.", "ˈað, ˈus."},
		{"inside a word", "un{ˈiː}ted", "⟨un⟩ˈiː⟨ted⟩"},
		{"braces that are no pair", "a } b {} c { d", "⟨a⟩ } ⟨b⟩ {} ⟨c⟩ { ⟨d⟩"},
		{"composed letters in phonemes", "{sɐ̃w̃ çã ä}", "sɐ\u0303w\u0303 ça\u0303 a\u0308"},
	} {
		got, err := Phonemize(tt.in, corners)
		if err != nil || got != tt.want {
			t.Errorf("%s: Phonemize(%q) = %q, %v, want %q", tt.name, tt.in, got, err, tt.want)
		}
	}
	failed := errors.New("failed")
	if got, err := Phonemize("a, b", func(string) (string, error) { return "", failed }); !errors.Is(err, failed) || got != "" {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := Phonemize("a ☃, b", func(s string) (string, error) { return strings.Trim(s, "☃ab"), nil }); err != nil || got != "," {
		t.Errorf("where nothing is said: %q, %v", got, err)
	}
}

func TestPhonemeSettings(t *testing.T) {
	c := TokenizerConfig{Kind: KindPhoneme}
	if _, err := c.Dress("a", "en"); !errors.Is(err, ErrNoPhonemes) {
		t.Errorf("without anybody who knows them: %v", err)
	}
	was := c.Canonical()
	c.Phonemes = func(text, language string) (string, error) { return language + text, nil }
	if got, err := c.Dress("a", "en"); got != "ena" || err != nil {
		t.Errorf("Dress = %q, %v", got, err)
	}
	if c.Canonical() != was {
		t.Error("who says phonemes is in the canonical text")
	}
	for _, tt := range []struct {
		symbols []string
		want    string
	}{
		{[]string{"<pad>", "a", "tʃ", "ç", "o\u0303"}, "<nil>"},
		{[]string{"<pad>", "õ"}, `write "o` + "\u0303"},
	} {
		c.Symbols = tt.symbols
		if said := fmt.Sprint(errors.Join(c.Check()...)); !strings.Contains(said, tt.want) {
			t.Errorf("%q: %s, want %q", tt.symbols, said, tt.want)
		}
	}
	tok := newTokenizer(t, TokenizerConfig{Kind: KindPhoneme, Symbols: []string{"<pad>", "a", "tʃ", "t", "ʃ"}})
	if ids, _, err := tok.Encode(nil, "tʃatʃt"); err != nil || fmt.Sprint(ids) != "[2 1 2 3]" {
		t.Errorf("the longest symbol wins: %v, %v", ids, err)
	}
}

func FuzzPhonemize(f *testing.F) {
	for _, s := range []string{`Hello, "world"! {x y} don't 3.14 U.S.A.`, "سلام، {خوبی}؟", "{}}{", "a'b-c.d:e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		asked := 0
		got, err := Phonemize(text, func(clause string) (string, error) {
			asked += len(clause)
			if clause == "" || strings.TrimSpace(clause) != clause || strings.ContainsAny(clause, "[]()!?;\"") {
				t.Errorf("%q: asked for %q", text, clause)
			}
			return clause, nil
		})
		if err != nil || asked > len(text) || utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("Phonemize(%q) = %q, %v", text, got, err)
		}
	})
}

// TestLongLines: no line makes the phonemizer or the tokenizer look at the rest of
// it again and again.
func TestLongLines(t *testing.T) {
	taco := tacotronOf(t, TokenizerConfig{})
	units := []string{"{", "}", "{{}", ".", "a'", "a. ", "{a ", " "}
	steptest.Linear(t, "voxpack/textnorm", 8<<10, units, func(t *testing.T, unit string, size int) {
		text := strings.Repeat(unit, size/len(unit))
		if _, err := Phonemize(text, corners); err != nil {
			t.Error(err)
		}
		taco.Encode(nil, text)
	})
}
