package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"unicode/utf8"
)

// LJSpeech 1.1, from the statistics on its page: 13,100 clips of 1.11 to
// 10.10 s, mean 6.57 s; 1.31 million characters in 23.9 h, 15.2 a second.
const (
	defaultClips = 13100
	sampleRate   = 22050
	shortest     = 1.11  // seconds
	longest      = 10.10 // seconds
	meanSeconds  = 6.57
	charsASecond = 15.2
)

// longestFitting is the longest clip in seconds that has 800 mel frames at a
// hop of 256 samples with one frame more than whole hops: 799 hops are 9.276 s,
// and 9.28 s is less than one hop over that.
const longestFitting = 9.28

// row is one clip to be made.
type row struct {
	id, text, spoken string
	samples          int
}

// plan lists the rows: of the texts file where there is one, else made up.
func plan(o options) ([]row, error) {
	if o.texts == "" {
		return madeUp(o), nil
	}
	f, err := os.Open(o.texts)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := readTexts(f, o.texts, o.maxSeconds)
	if err != nil {
		return nil, err
	}
	if o.n > len(rows) {
		return nil, fmt.Errorf("-n %d: %s has %d lines", o.n, o.texts, len(rows))
	}
	if o.n > 0 {
		rows = rows[:o.n]
	}
	return rows, nil
}

// readTexts parses lines of id|text|normalised; name stands in errors. Ids
// become file names, so one with a path in it is refused, and so is a repeated
// one: its clip would overwrite the other.
func readTexts(r io.Reader, name string, maxSeconds float64) ([]row, error) {
	var rows []row
	seen := map[string]int{} // id -> line
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		n++
		line := strings.TrimSuffix(lines.Text(), "\r")
		if line == "" {
			continue
		}
		columns := strings.Split(line, "|")
		if len(columns) != 3 {
			return nil, fmt.Errorf("%s:%d: %d columns, want id|text|normalised", name, n, len(columns))
		}
		id := columns[0]
		if id == "" || id == "." || id == ".." || strings.ContainsAny(id, "/\\\x00") {
			return nil, fmt.Errorf("%s:%d: id %q is not a file name", name, n, id)
		}
		if first, twice := seen[id]; twice {
			return nil, fmt.Errorf("%s:%d: id %s stands in line %d as well", name, n, id, first)
		}
		seen[id] = n
		seconds := float64(utf8.RuneCountInString(columns[2])) / charsASecond
		rows = append(rows, row{id, columns[1], columns[2], samplesOf(seconds, maxSeconds)})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: no lines", name)
	}
	return rows, nil
}

// samplesOf clamps a length and gives it in samples.
func samplesOf(seconds, maxSeconds float64) int {
	return int(math.Round(min(max(seconds, shortest), maxSeconds) * sampleRate))
}

// madeUp draws lengths from a triangular distribution over LJSpeech's range
// whose peak gives LJSpeech's mean: (shortest + longest + peak) / 3 = mean.
// Its deviation is 1.96 s, LJSpeech's about 2.2 s.
func madeUp(o options) []row {
	const peak = 3*meanSeconds - shortest - longest
	const knee = (peak - shortest) / (longest - shortest) // share of clips shorter than the peak
	rows := make([]row, o.n)
	for i := range rows {
		rng := source(o.seed, textStream, i)
		u := rng.Float64()
		seconds := shortest + math.Sqrt(u*(longest-shortest)*(peak-shortest))
		if u > knee {
			seconds = longest - math.Sqrt((1-u)*(longest-shortest)*(longest-peak))
		}
		text := sentence(rng, int(seconds*charsASecond))
		rows[i] = row{fmt.Sprintf("GEN-%05d", i+1), text, text, samplesOf(seconds, o.maxSeconds)}
	}
	return rows
}

// words is what made-up clips say.
var words = strings.Fields(`a an the old new small tall river harbour window letter
	garden captain morning winter summer market bridge lantern carries opened
	follows remembered between beneath without toward slowly early often never
	seven twelve stone paper silver copper engine weather company question`)

// sentence strings words together to about the wanted number of characters.
func sentence(rng *rand.Rand, chars int) string {
	var b strings.Builder
	for b.Len() < chars-4 || b.Len() == 0 {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(words[rng.IntN(len(words))])
	}
	text := b.String()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// The streams of random numbers; equal numbers in two of them mean nothing.
const (
	textStream = iota + 1
	clipStream
	pieceStream
)

// source gives the random numbers of one thing: they depend on seed, stream
// and index only, whoever asks and when.
func source(seed uint64, stream, index int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(stream)<<48|uint64(index)))
}
