package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestARecipeHasTheBytesOfTheDocument: the first line, then for each field its
// label, a space, the length of its value in LEB128, a space, the value, a line feed.
func TestARecipeHasTheBytesOfTheDocument(t *testing.T) {
	long := strings.Repeat("x", 300) // two bytes of LEB128: 300 = 0b10_0101100
	var r Recipe
	for range 2 { // a recipe that is started again has nothing of before
		r.Start("mel", "mel/1").Text("settings", long).Name("samples", filled('k')).Text("empty", "")
		want := "voxpack action 1\naction \x03 mel\nversion \x05 mel/1\nsettings \xac\x02 " + long + "\nsamples \x20 " + strings.Repeat("k", 32) + "\nempty \x00 \n"
		if got := r.Key(); got != Key(Sum([]byte(want))) {
			t.Errorf("Key = %v, want the digest of %q; it is of %s", got, want, r.String())
		}
		if r.String() != fmt.Sprintf("%q", want) {
			t.Errorf("the recipe is %s, want %q", r.String(), want)
		}
	}
}

// TestTwoInputsNeverHaveOneRecipe: bytes that move from a field to the one after
// it, or look like a field, make another key.
func TestTwoInputsNeverHaveOneRecipe(t *testing.T) {
	seen := map[Key]int{}
	for i, fields := range [][]string{
		{"a", "b", "c", "d"}, {"a", "bc", "", "d"}, {"a", "b\nc \x01 d", "", ""}, {"a", "", "bc", "d"}, {"a", "b", "c", "d\n"}, {"a", "b", "cd", ""},
	} {
		var r Recipe
		r.Start("x", "1")
		for at := 0; at < len(fields); at += 2 {
			r.Text(fields[at], fields[at+1])
		}
		if other, twice := seen[r.Key()]; twice {
			t.Errorf("inputs %d and %d have one key", other, i)
		}
		seen[r.Key()] = i
	}
}

// TestPlacesAreThoseOfXXHash64: the numbers are of the reference implementation,
// seed 0.
func TestPlacesAreThoseOfXXHash64(t *testing.T) {
	for id, want := range map[string]uint64{"": 0xef46db3751d8e999, "a": 0xd24ec4f1a98c6e5b, "abc": 0x44bc2cf5ad770999} {
		if got := Place(id); got != want {
			t.Errorf("Place(%q) = %#x, want %#x", id, got, want)
		}
	}
	composed, decomposed := "caf\u00e9", "cafe\u0301"
	if Place(composed) == Place(decomposed) {
		t.Error("ids are normalised before they get their place")
	}
}

// TestRowsAreInOneOrder by place as an unsigned number and then by id as bytes,
// whichever way they came.
func TestRowsAreInOneOrder(t *testing.T) {
	type row struct {
		place uint64
		id    string
	}
	want := []row{{0, ""}, {0, "B"}, {0, "a"}, {0, "aa"}, {1, "a"}, {1 << 63, ""}, {1 << 63, "\xff"}}
	for i, a := range want {
		for j, b := range want {
			if got := Less(a.place, a.id, b.place, b.id); got != (i < j) {
				t.Errorf("Less(%d %q, %d %q) = %v", a.place, a.id, b.place, b.id, got)
			}
		}
	}
}

// TestADigestIsReadAsItIsShown, and nothing else is one.
func TestADigestIsReadAsItIsShown(t *testing.T) {
	d := Sum([]byte("x"))
	if got, err := ParseDigest(d.String()); got != d || err != nil {
		t.Errorf("ParseDigest(%s) = %v, %v", d, got, err)
	}
	for _, s := range []string{"", d.Short(), d.String()[1:], d.String() + "0", " " + d.String()[1:], "0x" + d.String()[2:], strings.Repeat("g", 64), d.String() + "\n"} {
		if _, err := ParseDigest(s); err == nil {
			t.Errorf("%q was taken for a digest", s)
		}
	}
	if (Digest{}).IsZero() == d.IsZero() || (Key{}).IsZero() == Key(d).IsZero() || Key(d).String() != d.String() {
		t.Error("zero names something, or a key is shown in another way than a digest")
	}
}

// TestADigestDoesNotDependOnHowBytesCome from a reader, nor on the buffer.
func TestADigestDoesNotDependOnHowBytesCome(t *testing.T) {
	b := noise(1, 10_000)
	for _, size := range []int{1, 7, 4096, 20_000} {
		for what, r := range map[string]*strings.Reader{"whole": strings.NewReader(string(b)), "byte by byte": strings.NewReader(string(b))} {
			read := iotest.HalfReader(r)
			if what != "whole" {
				read = iotest.OneByteReader(r)
			}
			if d, n, err := SumFrom(read, make([]byte, size)); d != Sum(b) || n != int64(len(b)) || err != nil {
				t.Errorf("%s through %d bytes: %v, %d, %v", what, size, d.Short(), n, err)
			}
		}
	}
}

// TestAColumnSaysItsShapeAndSize: element size times all axes; one step of the
// first axis; a scalar is its element.
func TestAColumnSaysItsShapeAndSize(t *testing.T) {
	schema := Schema{{Name: "mel", DType: BFloat16, Shape: []int{800, 80}}, {Name: "tokens", DType: Int32, Shape: []int{200}}, {Name: "text_len", DType: Int32}, {Name: "pcm", DType: Int16, Shape: []int{9}}}
	for i, want := range []struct {
		text        string
		sample, row int
	}{{"mel bf16[800,80]", 128_000, 160}, {"tokens i32[200]", 800, 4}, {"text_len i32", 4, 4}, {"pcm i16[9]", 18, 2}} {
		c := schema[i]
		if c.String() != want.text || c.SampleBytes() != want.sample || c.RowBytes() != want.row || schema.Index(c.Name) != i {
			t.Errorf("%v is of %d bytes, %d a step, column %d; want %+v", c, c.SampleBytes(), c.RowBytes(), schema.Index(c.Name), want)
		}
	}
	if schema.Index("pitch") != -1 || DType(6).Size() != 0 || DType(0).Size() != 0 || DType(255).Size() != 0 {
		t.Error("an unknown column or element type is one")
	}
	names := func(s Schema) (list []string) {
		for _, c := range s {
			list = append(list, c.Name)
		}
		return list
	}
	if got := names(schema.Blocks()); !slices.Equal(got, []string{"mel", "tokens", "pcm"}) || !slices.Equal(names(schema.Inline()), []string{"text_len"}) {
		t.Errorf("blocks are %v, inline are %v", got, names(schema.Inline()))
	}
}
