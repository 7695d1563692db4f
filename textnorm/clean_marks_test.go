package textnorm

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestCleanMarksKeepTheirPlaces tries rows of marks of Hindi and Arabic on letters
// of both, on those of others and on none: what is called clean stays.
func TestCleanMarksKeepTheirPlaces(t *testing.T) {
	alphabet := []rune("कनऱड़ऴा िंँः्।१म\u064b\u064e\u0650\u0651\u0652\u0654\u0670ae\u0301\u200c\u200d가\u093c\u0945\u0951")
	stays := func(runes []rune) bool {
		text := string(runes)
		if !isClean(text) {
			return false
		}
		var book notebook
		if got := Compose(sweep(text, &book)); got != text || len(book.notes) > 0 {
			t.Fatalf("%+q is clean and becomes %+q, %v", text, got, book.notes)
		}
		return true
	}
	clean := 0
	for _, a := range alphabet {
		for _, b := range alphabet {
			for _, c := range alphabet {
				if stays([]rune{a, b, c}) {
					clean++
				}
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		text := make([]rune, 4+rng.IntN(60)) // over 30 marks on one letter are parted
		from := alphabet[:2+rng.IntN(len(alphabet)-1)]
		for i := range text {
			text[i] = from[rng.IntN(len(from))]
		}
		if stays(text) {
			clean++
		}
	}
	if clean < 10_000 {
		t.Errorf("%d texts are clean, want many more", clean)
	}
	for _, text := range []string{"में", "हैं, पढ़्\u200dना", "क्\u200cष", "شُكْرًا", "شَّ", strings.Repeat("हाँ", 40)} {
		if !isClean(Compose(text)) {
			t.Errorf("%+q is not clean", Compose(text))
		}
	}
	for _, text := range []string{"क््", "क" + strings.Repeat("्", 40), "म\u0651\u064e", "म\u064e" + strings.Repeat("\u064e", 40), "क\u064e्", "क्\u064e"} {
		if isClean(text) {
			t.Errorf("%+q is clean", text)
		}
	}
}
