package hftok

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// random is the source of a test; each run draws the same.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x68667465)) }

// word draws 1 to most letters of an alphabet.
func word(r *rand.Rand, alphabet []rune, most int) string {
	var b strings.Builder
	for range 1 + r.IntN(most) {
		b.WriteRune(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

func parseModel(t testing.TB, model any) *Tokenizer {
	t.Helper()
	src, err := json.Marshal(map[string]any{"model": model})
	if err != nil {
		t.Fatal(err)
	}
	tok, err := Parse("f", src)
	if err != nil {
		t.Fatalf("%v of %s", err, src)
	}
	return tok
}

// mergedNaively is byte-pair encoding by its definition: while any two neighbours
// merge, the pair of the lowest rank does, and of equal ones the first.
func mergedNaively(symbols []string, ranks map[[2]string]int) []string {
	for {
		best, at := math.MaxInt, -1
		for i := range len(symbols) - 1 {
			if rank, ok := ranks[[2]string{symbols[i], symbols[i+1]}]; ok && rank < best {
				best, at = rank, i
			}
		}
		if at < 0 {
			return symbols
		}
		symbols = slices.Replace(symbols, at, at+2, symbols[at]+symbols[at+1])
	}
}

// TestBPEIsTheNaiveLoop: for words on both sides of longWord, from which on a
// heap finds the pairs. The vocabulary with a visible space is cut at it first.
func TestBPEIsTheNaiveLoop(t *testing.T) {
	for _, alphabet := range []string{"ab", "abcé", "▁ab"} {
		for seed := range uint64(16) {
			r := random(seed)
			letters := []rune(alphabet)
			vocab := map[string]int32{}
			var all []string
			add := func(s string) {
				if _, ok := vocab[s]; !ok {
					vocab[s] = int32(len(vocab))
					all = append(all, s)
				}
			}
			for _, c := range letters {
				add(string(c))
			}
			var merges [][2]string
			ranks := map[[2]string]int{}
			for range 25 {
				pair := [2]string{all[r.IntN(len(all))], all[r.IntN(len(all))]}
				if _, twice := ranks[pair]; twice || seed%2 == 0 && strings.Contains(strings.TrimLeft(pair[0]+pair[1], "▁"), "▁") {
					continue // even seeds keep to words, so that findMark finds them
				}
				ranks[pair] = len(merges)
				merges = append(merges, pair)
				add(pair[0] + pair[1])
			}
			tok := parseModel(t, map[string]any{"type": "BPE", "vocab": vocab, "merges": merges})
			if cut := tok.model.(*bpe).mark != ""; seed%2 == 0 && cut != (alphabet == "▁ab") {
				t.Fatalf("seed %d: cut at words: %v", seed, cut)
			}
			for _, most := range []int{6, longWord, 4 * longWord} {
				for range 12 {
					s := word(r, letters, most)
					var want []int32
					for _, symbol := range mergedNaively(strings.Split(s, ""), ranks) {
						want = append(want, vocab[symbol])
					}
					if got, _, _ := tok.Encode(nil, s, true); !slices.Equal(got, want) {
						t.Fatalf("seed %d: Encode(%q) = %v, want %v by merges %q", seed, s, got, want, merges)
					}
				}
			}
		}
	}
}

// bestOfAll is the highest sum over every segmentation of s: into tokens, or a
// single character that is no token at the price of an unknown one.
func bestOfAll[F float32 | float64](s string, scores map[string]F, unk F) F {
	if s == "" {
		return 0
	}
	best := F(math.Inf(-1))
	_, first := utf8.DecodeRuneInString(s)
	for end := first; ; {
		score, ok := scores[s[:end]]
		if !ok && end == first {
			score, ok = unk, true
		}
		if ok {
			best = max(best, score+bestOfAll(s[end:], scores, unk))
		}
		if end == len(s) {
			return best
		}
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
}

// checkLattice compares a search with all segmentations, by parts that cover the
// text and are what they are called.
func checkLattice[F float32 | float64](t *testing.T, l *lattice[F], s string, texts []string, scores map[string]F) {
	t.Helper()
	var sum F
	var at int32
	var scratch []way[F]
	for _, p := range l.search(nil, &scratch, s) {
		piece := s[p.from:p.to]
		if p.from != at || p.id != l.unk && texts[p.id] != piece {
			t.Fatalf("%q: the part %q at %d, after %d, has token %q", s, piece, p.from, at, texts[p.id])
		}
		at = p.to
		if p.id == l.unk {
			sum += l.unkScore
			if utf8.RuneCountInString(piece) != 1 {
				t.Fatalf("%q: %q is unknown as a whole", s, piece)
			}
			continue
		}
		sum += scores[piece]
	}
	if want := bestOfAll(s, scores, l.unkScore); int(at) != len(s) || sum != want {
		t.Fatalf("%q: a way of %v to %d, and the best of all is %v", s, sum, at, want)
	}
}

// TestUnigramIsTheBestOfAllCuts: scores are multiples of 1/64, so that sums are
// exact in 32 bits too.
func TestUnigramIsTheBestOfAllCuts(t *testing.T) {
	letters := []rune("abcé")
	for seed := range uint64(60) {
		r := random(seed)
		type entry = [2]any
		vocab := []entry{{"<unk>", 0}}
		model := message{}.piece("<unk>", 0, pieceUnknown)
		texts := []string{"<unk>"}
		double, single := map[string]float64{}, map[string]float32{}
		for range 14 {
			s := word(r, letters[:3], 4)
			if _, twice := double[s]; twice {
				continue
			}
			score := -float64(r.IntN(600)) / 64
			double[s], single[s] = score, float32(score)
			texts = append(texts, s)
			vocab = append(vocab, entry{s, score})
			model = model.piece(s, float32(score), pieceNormal)
		}
		tok := parseModel(t, map[string]any{"type": "Unigram", "unk_id": 0, "vocab": vocab})
		sp, err := Parse("m", model)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			s := word(r, letters, 11)
			checkLattice(t, &tok.model.(*unigram).lattice, s, texts, double)
			checkLattice(t, &sp.model.(*sentencePiece).lattice, s, texts, single)
		}
	}
}

// TestUserDefinedPiecesWin: whatever their own score is, by the formula of the
// package sentencepiece, length * best - 0.1.
func TestUserDefinedPiecesWin(t *testing.T) {
	tok, err := Parse("m", message{}.piece("<unk>", 0, pieceUnknown).piece("a", -1, pieceNormal).piece("b", -2, pieceNormal).
		piece("ab", 3, pieceNormal).piece("ba", -900, pieceUserDefined).bytes(3, message{}.number(3, 0)))
	if err != nil {
		t.Fatal(err)
	}
	m := tok.model.(*sentencePiece)
	best, length := float32(3), float32(2)
	if want := float32(float64(length*best) - 0.1); m.scores[4] != want || m.unkScore != -2-unkPenalty {
		t.Errorf("score %v, want %v; unknown %v", m.scores[4], want, m.unkScore)
	}
	if ids, _, _ := tok.Encode(nil, "aba", true); !slices.Equal(ids, []int32{1, 4}) {
		t.Errorf("ids %v, want a and ba", ids)
	}
}

// TestWordPieceIsTheLongestMatch: the longest token at each place, by trying all
// lengths; a word with a place that has none is unknown as a whole, and so is one
// of too many characters.
func TestWordPieceIsTheLongestMatch(t *testing.T) {
	letters := []rune("abé")
	for seed := range uint64(60) {
		r := random(seed)
		vocab := map[string]int32{"[UNK]": 0}
		for range 16 {
			s := word(r, letters, 3)
			if r.IntN(3) > 0 {
				s = "##" + s
			}
			if _, ok := vocab[s]; !ok {
				vocab[s] = int32(len(vocab))
			}
		}
		tok := parseModel(t, map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 9, "vocab": vocab})
		for range 60 {
			s := word(r, letters, 11)
			var want []int32
			for at := 0; at < len(s); {
				size := 0
				for end := at + 1; end <= len(s); end++ {
					if _, ok := vocab[strings.Repeat("##", min(at, 1))+s[at:end]]; ok {
						size = end - at
					}
				}
				if size == 0 || utf8.RuneCountInString(s) > 9 {
					want = []int32{0}
					break
				}
				want = append(want, vocab[strings.Repeat("##", min(at, 1))+s[at:at+size]])
				at += size
			}
			if got, _, _ := tok.Encode(nil, s, true); !slices.Equal(got, want) {
				t.Fatalf("seed %d: Encode(%q) = %v, want %v of %v", seed, s, got, want, vocab)
			}
		}
	}
}

// TestTablesAreMaps: a trie and a table of pairs find what a map of the same
// words finds, and nothing else.
func TestTablesAreMaps(t *testing.T) {
	for seed := range uint64(20) {
		r := random(seed)
		letters := []rune("ab\x00\u00ff\U0001f600")
		words := map[string]int32{}
		for range r.IntN(300) {
			words[word(r, letters, 6)] = r.Int32()
		}
		tr := newTrie(words)
		for range 500 {
			s := word(r, letters, 7)
			want, ok := words[s]
			if got, found := tr.exact(s); found != ok || ok && got != want {
				t.Fatalf("seed %d: exact(%q) = %d, %v, want %d, %v", seed, s, got, found, want, ok)
			}
			size := 0
			for end := range len(s) + 1 {
				if v, ok := words[s[:end]]; ok {
					size, want = end, v
				}
			}
			if got, n := tr.longest(s); n != size || n > 0 && got != want {
				t.Fatalf("seed %d: longest(%q) = %d of %d bytes, want %d of %d", seed, s, got, n, want, size)
			}
		}
		n := r.IntN(200)
		table, pairs := newPairTable(n), map[[2]int32][2]int32{}
		for i := range int32(n) {
			pair := [2]int32{r.Int32N(30), r.Int32N(30)}
			pairs[pair] = [2]int32{i, i + 1}
			table.put(pair[0], pair[1], i, i+1)
		}
		for i := range int32(900) {
			want, ok := pairs[[2]int32{i / 30, i % 30}]
			if !ok {
				want = [2]int32{noRank, -1}
			}
			if rank, made := table.get(i/30, i%30); rank != want[0] || made != want[1] {
				t.Fatalf("seed %d: get(%d, %d) = %d, %d, want %v", seed, i/30, i%30, rank, made, want)
			}
		}
	}
}

// TestHeapGivesTheLeast: keys come out in their order.
func TestHeapGivesTheLeast(t *testing.T) {
	r := random(1)
	var heap, got []uint64
	keys := make([]uint64, 500)
	for i := range keys {
		keys[i] = r.Uint64N(300)
		heap = rise(append(heap, keys[i]))
	}
	for len(heap) > 0 {
		got = append(got, heap[0])
		heap = pop(heap)
	}
	if slices.Sort(keys); !slices.Equal(got, keys) {
		t.Errorf("%v out of %v", got, keys)
	}
}

// TestFieldsOfAMessage: fields come back as they were written, and a message that
// is cut anywhere gives those before the cut, then an error unless it fell between
// two fields.
func TestFieldsOfAMessage(t *testing.T) {
	whole := message{}.number(1, 0).number(2, math.MaxUint64).bytes(3, []byte("text")).bytes(1<<29-1, nil)
	whole = append(whole, 4<<3|5, 1, 2, 3, 4, 5<<3|1, 1, 0, 0, 0, 0, 0, 0, 0x80)
	read := func(m message) (got []string, err error) {
		err = eachField(m, func(f field) error {
			got = append(got, fmt.Sprintf("%d:%x:%s", f.tag, f.number, f.bytes))
			return nil
		})
		return got, err
	}
	want := []string{"1:0:", "2:ffffffffffffffff:", "3:0:text", "536870911:0:", "4:4030201:", "5:8000000000000001:"}
	if got, err := read(whole); err != nil || !slices.Equal(got, want) {
		t.Fatalf("fields %q, %v, want %q", got, err, want)
	}
	clean := 0
	for n := range whole {
		got, err := read(whole[:n])
		if len(got) >= len(want) || !slices.Equal(got, want[:len(got)]) {
			t.Fatalf("%d bytes: fields %q", n, got)
		}
		if err == nil {
			clean++
		}
	}
	if clean != len(want) { // before each field
		t.Errorf("%d cuts are no error, want %d", clean, len(want))
	}
	for _, wrong := range []message{{0}, {3}, {4}, {1<<3 | 3}, {1<<3 | 6}, {1 << 3, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1}} {
		if got, err := read(wrong); err == nil {
			t.Errorf("% x is read as %q", []byte(wrong), got)
		}
	}
}
