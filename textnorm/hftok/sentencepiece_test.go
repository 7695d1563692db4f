package hftok

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A message of a protocol buffer, made by hand.
type message []byte

func (m message) bytes(tag int, b []byte) message {
	m = binary.AppendUvarint(m, uint64(tag<<3|2))
	return append(binary.AppendUvarint(m, uint64(len(b))), b...)
}

func (m message) number(tag int, n uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(tag<<3)), n)
}

func (m message) piece(text string, score float32, kind uint64) message {
	p := message{}.bytes(1, []byte(text))
	p = binary.LittleEndian.AppendUint32(append(p, 2<<3|5), math.Float32bits(score))
	return m.bytes(1, p.number(3, kind))
}

// abc knows a, b, ab, and has an unused piece abc.
func abc() message {
	return message{}.piece("<unk>", 0, pieceUnknown).piece("<s>", 0, pieceControl).piece("\u2581", -2, pieceNormal).
		piece("a", -3, pieceNormal).piece("b", -4, pieceNormal).piece("c", -4, pieceNormal).piece("ab", -1, pieceNormal).
		piece("abc", -0.5, pieceUnused).piece("[en]", 0, pieceUserDefined)
}

// TestSentencePiece holds small cases whose ids the package sentencepiece 0.2.3
// gave; the golden files hold the large ones.
func TestSentencePiece(t *testing.T) {
	bpe := message{}.number(3, 2)
	plain := message{}.number(3, 0).number(4, 0)
	for _, tt := range []struct {
		name    string
		trainer message
		rules   message
		in      string
		want    []int32
	}{
		{"an unused piece is none", nil, nil, "abc", []int32{2, 6, 5}},
		{"nor for merges, whose parts stay", bpe, nil, "abc", []int32{2, 6, 5}},
		{"unknown ones in a row are one", nil, nil, "xyaz", []int32{2, 0, 3, 0}},
		{"a control piece is text", nil, nil, "a<s>", []int32{2, 3, 0}},
		{"a user-defined one is found", bpe, nil, "a[en]b", []int32{2, 3, 8, 4}},
		{"spaces are one, and none at the ends", nil, nil, "  a   b ", []int32{2, 3, 2, 4}},
		{"unless the model keeps them", nil, plain, " a  b ", []int32{2, 3, 2, 2, 4, 2}},
		{"the space may stand after a word", message{}.number(24, 1), nil, "a b", []int32{3, 2, 4, 2}},
		{"characters only", message{}.number(3, 4), nil, "ab", []int32{2, 3, 4}},
		{"nothing", nil, nil, "   ", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tok, err := Parse("m", abc().bytes(2, tt.trainer).bytes(3, tt.rules))
			if err != nil {
				t.Fatal(err)
			}
			if ids, _, _ := tok.Encode(nil, tt.in, true); !slices.Equal(ids, tt.want) {
				t.Errorf("Encode(%q) = %v, want %v", tt.in, ids, tt.want)
			}
		})
	}
}

func TestSentencePieceAnswers(t *testing.T) {
	tok, err := Parse("m", abc())
	if err != nil {
		t.Fatal(err)
	}
	ids, unknown, heard := tok.Encode(nil, "xya", false)
	if !slices.Equal(ids, []int32{2, 3}) || string(unknown) != "xy" || !heard {
		t.Errorf("ids %v, unknown %q, heard %v", ids, string(unknown), heard)
	}
	if _, _, heard := tok.Encode(nil, "[en] x", true); heard {
		t.Error("a mark and what is unknown say something")
	}
	if id, ok := tok.ID("<s>"); id != 1 || !ok {
		t.Errorf("ID(<s>) = %d, %v", id, ok)
	}
	if _, ok := tok.InText("<s>"); ok {
		t.Error("a control piece can be in a text")
	}
	if id, ok := tok.InText("[en]"); id != 8 || !ok {
		t.Errorf("InText([en]) = %d, %v", id, ok)
	}
}

func TestSentencePiecesThatAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		src        message
	}{
		{"a cut file", "is the file cut?", abc()[:len(abc())-3]},
		{"a model of words", "type word is not read; unigram, bpe and char are", abc().bytes(2, message{}.number(3, 3))},
		{"no unknown piece", "no unknown piece", message{}.piece("a", 0, pieceNormal)},
		{"two", "both unknown", abc().piece("<unk2>", 0, pieceUnknown)},
		{"a piece twice", `"a" is there twice`, abc().piece("a", -1, pieceNormal)},
		{"an empty one", "has 0 bytes", abc().piece("", -1, pieceNormal)},
		{"a kind that is not known", "kind 7 is not known", abc().piece("d", -1, 7)},
		{"bytes without pieces", "not all 256 bytes", abc().bytes(2, message{}.number(35, 1))},
		{"a score that is none", "NaN", abc().piece("d", float32(math.NaN()), pieceNormal)},
		{"a table that is cut", "precompiled_charsmap", abc().bytes(3, message{}.bytes(2, []byte{1, 2, 3, 4, 5}))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Parse("m.model", tt.src); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want one with %q", err, tt.want)
			}
		})
	}
}

// FuzzSentencePiece: any bytes are an error or a tokenizer whose ids are of its
// vocabulary and that is read from its canonical file again.
func FuzzSentencePiece(f *testing.F) {
	f.Add([]byte(abc()), "ab [en]x")
	f.Add([]byte(abc().bytes(2, message{}.number(3, 2).number(24, 1))), "abc  ab")
	files, err := filepath.Glob(filepath.Join("testdata", "*.model"))
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src, "Hello, wörld! سلام ۱۲۳ Ａ①")
	}
	f.Fuzz(func(t *testing.T, src []byte, text string) {
		if !isSentencePiece(src) {
			return
		}
		tok, err := Parse("f", src)
		if err != nil {
			return
		}
		ids, _, _ := tok.Encode(nil, text, true)
		for _, id := range ids {
			if id < 0 || int(id) >= len(tok.Tokens()) {
				t.Fatalf("id %d of %d", id, len(tok.Tokens()))
			}
		}
		again, err := Parse("canonical", []byte(tok.Canonical()))
		if err != nil {
			t.Fatalf("the canonical file is refused: %v", err)
		}
		if same, _, _ := again.Encode(nil, text, true); !slices.Equal(same, ids) || again.Canonical() != tok.Canonical() {
			t.Errorf("%q: %v by the file, %v by its canonical one", text, ids, same)
		}
	})
}
