package hftok

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"voxpack/textnorm/forms"
)

// anyText draws text of many scripts, with controls, marks, unassigned and private
// code points, and runs of spaces.
func anyText(r *rand.Rand, most int) string {
	ranges := []pointRange{{' ', '~'}, {' ', '~'}, {0, 0x2FF}, {0x300, 0x36F}, {0x370, 0x6FF}, {0x900, 0x97F}, {0x1100, 0x11FF}, {0x2000, 0x206F},
		{0x3040, 0x30FF}, {0x4E00, 0x4EFF}, {0xAC00, 0xACFF}, {0xE000, 0xFFFF}, {0x1F300, 0x1F6FF}, {0x10000, 0x10FFFF}}
	var b strings.Builder
	for range r.IntN(most) {
		in := ranges[r.IntN(len(ranges))]
		for n := 1 + r.IntN(4); n > 0; n-- {
			b.WriteRune(in.from + r.Int32N(in.to-in.from+1))
		}
		b.WriteString([]string{"", " ", "  ", "\n", "'s"}[r.IntN(5)])
	}
	return b.String()
}

// TestBytesComeBack: vocabularies of bytes lose nothing that their normalizer
// leaves alone.
func TestBytesComeBack(t *testing.T) {
	for _, name := range []string{"gpt2", "gpt4", "llama"} {
		tok := read(t, name)
		d := NewDecoder(tok, "")
		r := random(7)
		lost := regexp.MustCompile(`<|NEW|hello|Straße|▁`) // added tokens, and a sign for a space
		for range 1500 {
			s := anyText(r, 12)
			if name == "gpt4" && forms.NFC(s) != s || lost.MatchString(s) {
				continue
			}
			ids, unknown, _ := tok.Encode(nil, s, true)
			if got := d.Decode(ids); got != s || len(unknown) > 0 {
				t.Fatalf("%s: %+q comes back as %+q by %v; unknown %+q", name, s, got, ids, string(unknown))
			}
		}
	}
}

// TestIDsAreOfTheVocabulary: for any text, and with or without unknown ones.
// Unknown ids stand only where something is reported, and no id where nothing is
// kept.
func TestIDsAreOfTheVocabulary(t *testing.T) {
	names, _ := golden(t)
	for _, name := range names {
		tok := read(t, name)
		r := random(11)
		for range 150 {
			s := anyText(r, 10)
			ids, unknown, _ := tok.Encode(nil, s, true)
			less, same, _ := tok.Encode([]int32{-7}, s, false)
			for _, id := range ids {
				if id < 0 || int(id) >= len(tok.Tokens()) || tok.Tokens()[id] == "" {
					t.Fatalf("%s: id %d of %d for %+q", name, id, len(tok.Tokens()), s)
				}
			}
			if less[0] != -7 || !slices.Equal(same, unknown) {
				t.Fatalf("%s: %+q: dst is %v, unknown %+q and %+q", name, s, less[0], string(unknown), string(same))
			}
			if n := len(ids) - len(less) + 1; n < 0 || n > len(unknown) || n > 0 && len(unknown) == 0 {
				t.Fatalf("%s: %+q: %d ids fewer for %d unknown characters", name, s, n, len(unknown))
			}
		}
	}
}

// TestGoroutinesAgree: one tokenizer, eight goroutines, each with the lines in an
// order of its own.
func TestGoroutinesAgree(t *testing.T) {
	names, lines := golden(t)
	for _, name := range names {
		tok := read(t, name)
		want := make([][]int32, len(lines))
		for i, line := range lines {
			want[i], _, _ = tok.Encode(nil, line, true)
		}
		var wait sync.WaitGroup
		for g := range uint64(8) {
			wait.Go(func() {
				for _, i := range random(g).Perm(len(lines))[:len(lines)/4] {
					if got, _, _ := tok.Encode(nil, lines[i], true); !slices.Equal(got, want[i]) {
						t.Errorf("%s: Encode(%+q) = %v, want %v", name, lines[i], got, want[i])
					}
				}
			})
		}
		wait.Wait()
	}
}

// TestMemoryChangesNoID: an encoder whose memory was emptied, and one that has a
// piece already, give what a new one gives.
func TestMemoryChangesNoID(t *testing.T) {
	tok := read(t, "llama")
	e := tok.pool.take(tok)
	piece := func(s string) []int32 {
		e.ids = e.ids[:0]
		e.piece(s)
		return slices.Clone(e.ids)
	}
	want := piece("▁the")
	for i := len(e.remembered); i < maxRemembered; i++ {
		e.remembered[fmt.Sprint(i)] = memory{}
	}
	if got := piece("▁the"); !slices.Equal(got, want) || len(e.remembered) != maxRemembered {
		t.Errorf("from memory: %v, want %v", got, want)
	}
	other := piece("▁and")
	if len(e.remembered) != 1 || !slices.Equal(piece("▁and"), other) || !slices.Equal(piece("▁the"), want) {
		t.Errorf("%d pieces after the memory was full; %v, want %v", len(e.remembered), piece("▁the"), want)
	}
}

// TestWordsAddUp: where the pre-tokenizer splits at a space, the ids of a line are
// those of what is before the space and what is after it. The space belongs to the
// word after it in the GPT family.
func TestWordsAddUp(t *testing.T) {
	_, lines := golden(t)
	for name, keeps := range map[string]bool{"gpt2": true, "gpt4": true, "bert": false, "words": false, "clip": false, "xlmr-small": false, "unigram": false, "sp-unigram": false, "sp-bpe": false} {
		tok := read(t, name)
		tok.post = nil
		added := regexp.MustCompile(`NEW|(?i:hello|straße)|<|\pM|▁`)
		n := 0
		for _, line := range lines {
			if added.MatchString(line) {
				continue // an added token may take the space, and a visible one is a space
			}
			whole, _, _ := tok.Encode(nil, line, true)
			for i := range line {
				before, _ := utf8.DecodeLastRuneInString(line[:i])
				after, _ := utf8.DecodeRuneInString(line[i+1:])
				if line[i] != ' ' || before == utf8.RuneError || after == utf8.RuneError || class(before)&classSpace != 0 || class(after)&(classWord|classPunct) == 0 {
					continue
				}
				rest := line[i+1:]
				if keeps {
					rest = line[i:]
				}
				ids, _, _ := tok.Encode(nil, line[:i], true)
				if ids, _, _ = tok.Encode(ids, rest, true); !slices.Equal(ids, whole) {
					t.Errorf("%s: %+q and %+q are %v, the line is %v", name, line[:i], rest, ids, whole)
				}
				n++
			}
		}
		if n < 500 {
			t.Errorf("%s: %d spaces only", name, n)
		}
	}
}

// TestAddedTokensByDefinition compares a matcher with what the flags say, in texts
// of letters, spaces, marks and tokens.
func TestAddedTokensByDefinition(t *testing.T) {
	fillOnce.Do(fillClasses)
	tokens := []addedToken{{ID: 0, Content: "<a>"}, {ID: 1, Content: "<a>b"}, {ID: 2, Content: "<l>", LStrip: true}, {ID: 3, Content: "<r>", RStrip: true},
		{ID: 4, Content: "<b>", LStrip: true, RStrip: true}, {ID: 5, Content: "w", SingleWord: true}, {ID: 6, Content: "ww", SingleWord: true, LStrip: true}}
	var patterns []string
	alphabet := []string{" ", "\t", "\u3000", "b", "w", "é", ".", "_"}
	for _, a := range tokens {
		patterns = append(patterns, a.Content)
		alphabet = append(alphabet, a.Content)
	}
	m, err := newMatcher(tokens, patterns)
	if err != nil {
		t.Fatal(err)
	}
	// The longest of the tokens that begin first; Go's package regexp is asked.
	find := regexp.MustCompile(`<a>b?|<l>|<r>|<b>|ww?`)
	find.Longest()
	isWord := regexp.MustCompile(`[bwé_]`).MatchString
	found := make([]int, len(tokens))
	for seed := range uint64(3000) {
		r := random(seed)
		var b strings.Builder
		for range r.IntN(9) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		s := b.String()
		var want []int32
		for _, at := range find.FindAllStringIndex(s, -1) {
			a := tokens[slices.Index(patterns, s[at[0]:at[1]])]
			before, _ := utf8.DecodeLastRuneInString(s[:at[0]])
			after, _ := utf8.DecodeRuneInString(s[at[1]:])
			if !a.SingleWord || !(at[0] > 0 && isWord(string(before))) && !(at[1] < len(s) && isWord(string(after))) {
				want = append(want, a.ID)
			}
		}
		var got []int32
		end := 0
		spans := m.find(nil, s)
		for i, sp := range spans {
			text := s[sp.start:sp.end]
			if sp.start != end || text == "" {
				t.Fatalf("%q: the span %q at %d, after %d", s, text, sp.start, end)
			}
			if end = sp.end; sp.id < 0 {
				continue
			}
			a := tokens[sp.id]
			got = append(got, sp.id)
			found[sp.id]++
			left, right := text[:strings.Index(text, a.Content)], text[strings.Index(text, a.Content)+len(a.Content):]
			if !a.LStrip && left != "" || !a.RStrip && right != "" || leadingSpace(left) != len(left) || leadingSpace(right) != len(right) {
				t.Fatalf("%q: the token %+v is %q", s, a, text)
			}
			if a.LStrip && i > 0 && spans[i-1].id < 0 && trailingSpace(s[:sp.start]) > 0 || a.RStrip && leadingSpace(s[end:]) > 0 {
				t.Fatalf("%q: spaces stand beside %q", s, text)
			}
		}
		if end != len(s) || !slices.Equal(got, want) {
			t.Fatalf("%q: tokens %v up to %d, want %v", s, got, end, want)
		}
	}
	for id, n := range found {
		if n < 50 {
			t.Errorf("%+v was found %d times", tokens[id], n)
		}
	}
}

// TestNormalizedTokens: a token is looked for in the text as written, or as
// normalised where it says so, in which case it is normalised too.
func TestNormalizedTokens(t *testing.T) {
	tok, err := Parse("f", []byte(`{"added_tokens": [{"id": 2, "content": "YES", "normalized": true}, {"id": 3, "content": "NO"}],
		"normalizer": {"type": "Lowercase"}, "model": {"type": "BPE", "unk_token": "?", "fuse_unk": true, "vocab": {"?": 0, "a": 1}, "merges": []}}`))
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{"YES": "[2]", "yes": "[2]", "aYeSA": "[1 2 1]", "NO": "[3]", "aNOa": "[1 3 1]", "no": "[0]", "NOyes": "[3 2]"} {
		if ids, _, _ := tok.Encode(nil, in, true); fmt.Sprint(ids) != want {
			t.Errorf("Encode(%q) = %v, want %s", in, ids, want)
		}
	}
}

// expression draws one that Go's package regexp and Oniguruma read alike, and that
// needs at least one character.
func expression(r *rand.Rand, depth int) string {
	atoms := []string{"a", "b", "c", " ", "[ab]", "[^a]", `\.`, `[a-c\-]`, `\n`, "é"}
	s := atoms[r.IntN(len(atoms))]
	if depth > 0 {
		switch r.IntN(4) {
		case 0:
			s = "(" + expression(r, depth-1) + "|" + expression(r, depth-1) + ")"
		case 1:
			s = "(?:" + expression(r, depth-1) + ")"
		case 2:
			return expression(r, depth-1) + s + []string{"*", "?", "{2}", "{0,2}"}[r.IntN(4)]
		}
	}
	return s + []string{"", "", "+", "{1,2}", "{2,}"}[r.IntN(5)] + "|"[:r.IntN(40)/39]
}

// TestExpressionsAreThoseOfGo: for what both dialects know.
func TestExpressionsAreThoseOfGo(t *testing.T) {
	read := 0
	for seed := range uint64(3000) {
		r := random(seed)
		expr := expression(r, 3)
		find, err := readRegex(expr, "here")
		if err != nil {
			continue
		}
		read++
		its := regexp.MustCompile(expr)
		s := word(r, []rune("aabbc .-é\n"), 12)
		for at := 0; at < len(s); {
			from, to := find(s, at)
			want := its.FindStringIndex(s[at:])
			if want == nil && from < 0 {
				break
			}
			if want == nil || from != at+want[0] || to != at+want[1] {
				t.Fatalf("%q finds %d to %d in %q from %d, Go finds %v", expr, from, to, s, at, want)
			}
			at = to
		}
	}
	if read < 2500 {
		t.Errorf("%d of 3000 expressions are read", read)
	}
}

// TestScannersAreTheirExpressions: each expression of the GPT family that has a
// scanner, against its translation, which brackets keep it from being known by.
func TestScannersAreTheirExpressions(t *testing.T) {
	fillOnce.Do(fillClasses)
	for expr, scan := range wholePatterns {
		slow, err := readRegex("(?:"+strings.TrimSuffix(expr, whiteTail)+")"+whiteTail, "here")
		if err != nil {
			t.Fatal(err)
		}
		r := random(3)
		for range 1200 {
			s := anyText(r, 8)
			if r.IntN(2) == 0 {
				s = word(r, []rune("aZß1٢ '\u017fsSlLdt\r\n\t\u00a0\u2028.!é\u0301"), 20)
			}
			for at := 0; at < len(s); {
				from, to := scan(s, at)
				if a, b := slow(s, at); a != from || b != to || from != at {
					t.Fatalf("%.40s: %d to %d of %+q from %d, by its translation %d to %d", expr, from, to, s, at, a, b)
				}
				at = to
			}
		}
	}
}

// TestClassesAreTheSets: the table of classes, the search beyond it, and the
// complement of each set say the same of a code point.
func TestClassesAreTheSets(t *testing.T) {
	fillOnce.Do(fillClasses)
	for r := rune(0); r < 1<<17; r++ {
		if r%7 == 0 && class(r) != slowClass(r) {
			t.Fatalf("%U: class %#x by the table, %#x by the sets", r, class(r), slowClass(r))
		}
	}
	for name, set := range tables().sets {
		if !slices.IsSortedFunc(set, func(a, b pointRange) int { return int(a.to - b.from) }) {
			t.Errorf("%s is not in order", name)
		}
		rest := set.complement()
		for _, in := range set {
			for _, r := range []rune{in.from - 1, in.from, in.to, in.to + 1} {
				if r >= 0 && r <= utf8.MaxRune && set.has(r) == rest.has(r) {
					t.Fatalf("%s: %U is in both it and its complement: %v", name, r, set.has(r))
				}
			}
			if !set.has(in.from) || !set.has(in.to) {
				t.Fatalf("%s has not %U or %U", name, in.from, in.to)
			}
		}
	}
}

// TestNormalFormsByDefinition: the form that is worked out here is that of package
// forms wherever no edition of Unicode and no crowd of marks stands between them.
func TestNormalFormsByDefinition(t *testing.T) {
	fillOnce.Do(fillClasses)
	r := random(5)
	// Letters and marks that compose, block each other and change places; 0338 has class
	// 1, 0327 202, 0323 220, 0301 and 0302 230, 0345 240.
	crowded := []rune("aeA\u03b1\u1f82ﬁ\u1100\u1161\u11a8\u0338\u0338\u0327\u0323\u0323\u0301\u0301\u0302\u0344\u0345")
	for i := range 3000 {
		s := anyText(r, 6)
		if i%2 == 0 {
			s = word(r, crowded, 24)
		} else if i%3 == 0 {
			s = "a" + word(r, []rune("\u0323\u0301\u0302\u0327"), 24) // more than a sort by insertion takes
		}
		late := strings.ContainsFunc(s, func(r rune) bool { return class(r)&classLate != 0 })
		for name, f := range normalForms {
			got := f.normalize(s)
			if again := f.normalize(got); again != got {
				t.Fatalf("%s of %+q is %+q, and of that %+q", name, s, got, again)
			}
			if whole := f.whole(s); !late && (got != whole || f.ordered(s) != whole) {
				t.Fatalf("%s of %+q is %+q, by its definition %+q, want %+q", name, s, got, f.ordered(s), whole)
			}
		}
	}
}

// TestClusters: the rules of UAX 29 for clusters that are short enough to be looked up.
func TestClusters(t *testing.T) {
	fillOnce.Do(fillClasses)
	for _, tt := range []struct{ rule, cluster, rest string }{
		{"GB3: CR and LF are one", "\r\n", "a"}, {"GB4: a control is alone", "\r", "\u0301"}, {"GB5", "a", "\n"},
		{"GB9: marks belong to what is before them", "a\u0301\u0323", "b"}, {"GB9: so does the joiner", "a\u200d", "a"},
		{"GB9a: so do spacing marks", "\u0915\u093e", "a"}, {"GB9b: what is prepended", "\u0600a", "b"}, {"GB9b", "\u0600", "\n"},
		{"GB11: joined pictures", "\u00a9\u200d\u00ae", "a"}, {"GB999: nothing else", "a", "b"}, {"GB999", "\u00a9", "\u00ae"},
	} {
		if got := clusterSize(tt.cluster + tt.rest); got != len(tt.cluster) {
			t.Errorf("%s: %+q begins with a cluster of %d bytes, want %+q", tt.rule, tt.cluster+tt.rest, got, tt.cluster)
		}
	}
}
