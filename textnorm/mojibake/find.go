package mojibake

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Found is a stretch of a text that looks damaged.
type Found struct {
	// Start and End are byte offsets in the text.
	Start, End int
	// Text is what the stretch was; empty where that is not sure.
	Text string
	// As is the page that the text was read with, "windows-1256", or several with
	// a comma, the last mistake first.
	As string
	// Sure says that nothing but damage explains the stretch, and that Text is
	// the only reading of it.
	Sure bool
	// Lost says that bytes are gone.
	Lost bool
}

// maxLayers is how many mistakes are taken back. Two happen; more are here for a
// repaired text to have nothing left that could be repaired.
const maxLayers = 6

// Find tells what looks damaged in a text, in order and without overlaps: nil
// for a clean text.
func Find(text string) []Found {
	if !suspicious(text) {
		return nil
	}
	_, found := repair(text)
	return found
}

// Repair returns text with the sure stretches as they were, and all that was
// found, by offsets in text. Repair(Repair(x)) = Repair(x). A text that is not
// valid UTF-8 stays as it is.
func Repair(text string) (string, []Found) {
	if !suspicious(text) {
		return text, nil
	}
	return repair(text)
}

func repair(text string) (string, []Found) {
	if !utf8.ValidString(text) {
		return text, nil
	}
	now, sure := text, []Found(nil)
	for range maxLayers {
		layer := findLayer(now)
		next, changed := apply(now, layer)
		if !changed {
			return now, compose(sure, layer)
		}
		sure = compose(sure, slices.DeleteFunc(layer, func(f Found) bool { return !f.Sure }))
		now = next
	}
	// More layers than mistakes happen. Nothing is repaired then, so that a second
	// Repair finds the same text and returns it too.
	layer := findLayer(text)
	for i := range layer {
		layer[i].Sure, layer[i].Text = false, ""
	}
	return text, layer
}

// findLayer finds the mistakes of one layer.
func findLayer(text string) []Found {
	runes := []rune(text)
	kept := judge(runes)
	if len(kept) == 0 {
		return nil
	}
	found := make([]Found, 0, len(kept))
	at, byteAt := 0, 0
	offset := func(i int) int {
		for ; at < i; at++ {
			byteAt += utf8.RuneLen(runes[at])
		}
		return byteAt
	}
	for _, c := range kept {
		found = split(found, c, offset)
	}
	return found
}

// split writes a cluster as stretches that are alike in what is known of them.
func split(found []Found, c cluster, offset func(int) int) []Found {
	var text strings.Builder
	for i, u := range c.units {
		sure := c.sure
		start := offset(u.start)
		if i == 0 || found[len(found)-1].Sure != sure || found[len(found)-1].Lost != u.lost {
			text.Reset()
			found = append(found, Found{Start: start, As: pages[c.which].name, Sure: sure, Lost: u.lost})
		}
		last := &found[len(found)-1]
		last.End = offset(u.end)
		if sure {
			text.WriteRune(u.is)
			last.Text = text.String()
		}
	}
	return found
}

// apply replaces what is sure.
func apply(text string, layer []Found) (string, bool) {
	var b strings.Builder
	at, changed := 0, false
	for _, f := range layer {
		if f.Sure {
			b.WriteString(text[at:f.Start])
			b.WriteString(f.Text)
			at, changed = f.End, true
		}
	}
	if !changed {
		return text, false
	}
	b.WriteString(text[at:])
	return b.String(), true
}

// compose says a layer, whose offsets are those of the text that older leave, by
// the offsets of the text before them. What a newer one touches becomes one with
// it.
func compose(older, newer []Found) []Found {
	if len(older) == 0 {
		return newer
	}
	var all []Found
	shift := 0 // what an offset in the repaired text lacks
	i := 0
	for _, f := range newer {
		// Those that end before f.
		for i < len(older) && older[i].Start-shift+len(older[i].Text) <= f.Start {
			shift += older[i].End - older[i].Start - len(older[i].Text)
			all = append(all, older[i])
			i++
		}
		if !f.Sure && i < len(older) && older[i].Start-shift < f.End {
			continue // what is repaired stays so, and only that is told
		}
		f, i, shift = engulf(f, older, i, shift)
		all = append(all, f)
	}
	return append(all, older[i:]...)
}

// engulf moves f and takes in the older stretches that it touches.
func engulf(f Found, older []Found, i, shift int) (Found, int, int) {
	out := Found{Start: f.Start + shift, As: f.As, Sure: f.Sure, Lost: f.Lost}
	head, tail := "", ""
	end := f.End
	pages := ""
	for i < len(older) && older[i].Start-shift < end {
		o := older[i]
		from, to := o.Start-shift, o.Start-shift+len(o.Text)
		if from < f.Start {
			head, out.Start = o.Text[:f.Start-from], o.Start
		}
		if to > end {
			tail, end = o.Text[end-from:], to
		}
		out.Lost = out.Lost || o.Lost
		if !strings.Contains(pages, o.As) {
			pages += o.As + ", "
		}
		shift += o.End - o.Start - len(o.Text)
		i++
	}
	out.End = end + shift
	out.As = pages + f.As
	if f.Sure {
		out.Text = head + f.Text + tail
	}
	return out, i, shift
}
