package hftok

import (
	"encoding/base64"
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// doubleArray writes replacements in the layout of Darts-clone, as the comment of
// charsmap has it, without any thrift: the children of each node begin at the first
// block of 256 units that is free of them all.
type doubleArray struct {
	units []uint32
	taken []bool
	bases map[int]bool // two nodes with one base would have each other's children
	keys  []string
	value map[string]uint32
}

func (d *doubleArray) grow(n int) {
	for len(d.units) < n {
		d.units, d.taken = append(d.units, 0), append(d.taken, false)
	}
}

// place writes what is below the unit at index at, to which the prefix of the keys
// from to to leads.
func (d *doubleArray) place(at, from, to, depth int) {
	var labels []byte
	bounds := []int{}
	for i := from; i < to; i++ {
		label := byte(0)
		if depth < len(d.keys[i]) {
			label = d.keys[i][depth]
		}
		if len(labels) == 0 || labels[len(labels)-1] != label {
			labels, bounds = append(labels, label), append(bounds, i)
		}
	}
	bounds = append(bounds, to)
	offset := 1
	for free := false; !free; {
		base := at ^ offset
		d.grow((base | 0xFF) + 1)
		free = !d.bases[base] && !slices.ContainsFunc(labels, func(c byte) bool { return d.taken[base^int(c)] })
		if !free {
			offset++
		}
	}
	base := at ^ offset
	d.bases[base] = true
	d.units[at] |= uint32(offset) << 10 // offsets below 2^21 need no bit 9
	for _, c := range labels {
		d.taken[base^int(c)] = true
	}
	for i, c := range labels {
		child := base ^ int(c)
		if c == 0 {
			d.units[at] |= 1 << 8
			d.units[child] = 1<<31 | d.value[d.keys[bounds[i]]]
			continue
		}
		d.units[child] = uint32(c)
		d.place(child, bounds[i], bounds[i+1], depth+1)
	}
}

// tableOf is a table of replacements in base64, as a file has it.
func tableOf(replace map[string]string) string {
	d := doubleArray{bases: map[int]bool{}, keys: slices.Sorted(maps.Keys(replace)), value: map[string]uint32{}}
	texts := []byte{0} // so that no value is 0 by accident
	for _, key := range d.keys {
		d.value[key] = uint32(len(texts))
		texts = append(append(texts, replace[key]...), 0)
	}
	d.grow(256)
	d.taken[0] = true
	d.place(0, 0, len(d.keys), 0)
	out := binary.LittleEndian.AppendUint32(nil, uint32(4*len(d.units)))
	for _, u := range d.units {
		out = binary.LittleEndian.AppendUint32(out, u)
	}
	return base64.StdEncoding.EncodeToString(append(out, texts...))
}

// randomTable is a table over a small alphabet, so that keys begin with one another.
func randomTable(r *rand.Rand) map[string]string {
	replace := map[string]string{}
	for range 1 + r.IntN(25) {
		key := word(r, []rune("abcé\u0301中"), 4)
		if key != "" {
			replace[key] = word(r, []rune("xyZ é"), 3)
		}
	}
	replace["q"] = "" // one that removes
	return replace
}

// TestTablesOfReplacements: a table finds what a map finds, the shortest entry that a text
// begins with and the longest one; where there is none it finds nothing.
func TestTablesOfReplacements(t *testing.T) {
	for seed := range uint64(200) {
		r := random(seed)
		replace := randomTable(r)
		m, err := newCharsmap(tableOf(replace), "here")
		if err != nil {
			t.Fatal(err)
		}
		for range 40 {
			s := word(r, []rune("abcéq\u0301中d"), 8)
			short, long := 0, 0
			for n := len(s); n > 0; n-- {
				if _, ok := replace[s[:n]]; ok {
					short, long = n, max(long, n)
				}
			}
			if text, ok := m.find(s); ok != (short > 0) || text != replace[s[:short]] {
				t.Fatalf("%q: find(%q) = %q, %v, want that of %q", replace, s, text, ok, s[:short])
			}
			if text, size := m.longest(s); size != long || text != replace[s[:long]] {
				t.Fatalf("%q: longest(%q) = %q of %d bytes, want that of %q", replace, s, text, size, s[:long])
			}
		}
	}
}

// TestReplacementsOfAModel: a SentencePiece model replaces the longest entry at each
// place, from the left, and looks at nothing twice; its pieces are what comes of that.
func TestReplacementsOfAModel(t *testing.T) {
	for seed := range uint64(100) {
		r := random(seed)
		replace := randomTable(r)
		src := message{}.piece("<unk>", 0, pieceUnknown)
		alphabet := "abcé\u0301中dxyZ "
		for _, letter := range alphabet {
			src = src.piece(string(letter), -1, pieceNormal)
		}
		table, err := base64.StdEncoding.DecodeString(tableOf(replace))
		if err != nil {
			t.Fatal(err)
		}
		rules := message{}.bytes(2, table).number(3, 0).number(4, 0).number(5, 0)
		tok, err := Parse("m", src.bytes(3, rules))
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			s := word(r, []rune("abcéq\u0301中d "), 8)
			var want strings.Builder
			for rest := s; rest != ""; {
				size := len(rest)
				for ; size > 0; size-- {
					if _, ok := replace[rest[:size]]; ok {
						break
					}
				}
				if size > 0 {
					want.WriteString(replace[rest[:size]])
				} else {
					_, size = utf8.DecodeRuneInString(rest)
					want.WriteString(rest[:size])
				}
				rest = rest[size:]
			}
			ids, unknown, _ := tok.Encode(nil, s, true)
			var got strings.Builder
			for _, id := range ids {
				if id != 0 {
					got.WriteString(tok.Tokens()[id])
				}
			}
			if known := strings.ReplaceAll(want.String(), "q", ""); got.String() != known || len(unknown) != strings.Count(want.String(), "q") {
				t.Fatalf("%q: %q becomes %q with %q unknown, want %q", replace, s, got.String(), string(unknown), want.String())
			}
		}
	}
}

// TestPrecompiled: the component of a tokenizer.json replaces a grapheme cluster as a
// whole or character by character.
func TestPrecompiled(t *testing.T) {
	m, err := newCharsmap(tableOf(map[string]string{"é": "e", "e\u0301": "E", "ﬁ": "fi", "\u0301": "´", "ab": "never"}), "here")
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"":               "",
		"café":           "cafe",
		"cafe\u0301":     "cafE",
		"ﬁn":             "fin",
		"x\u0301":        "x´",
		"e\u0301\u0301x": "Ex", // the cluster begins with an entry, which stands for all of it
		"ab":             "ab", // two clusters
	} {
		if got := m.normalize(in); got != want {
			t.Errorf("normalize(%+q) = %q, want %q", in, got, want)
		}
	}
}
