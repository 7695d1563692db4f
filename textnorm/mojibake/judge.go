package mojibake

import (
	"slices"
	"strings"
)

// The bits of evidence that decide. A text in a thousand may be damaged, which
// is 10 bits; see the measures in the tests for what each bound costs.
const (
	sureAlone = 14 // a cluster is damaged whatever the rest of the text is
	sureText  = 9  // the whole text makes one page sure, and each cluster of it
	sureAll   = 30 // the whole text makes even the clusters sure that look genuine
	findAlone = 7  // worth telling

	mentioned  = 6       // in quotes or brackets, or all that there is: texts speak of damage too
	twicePrice = 3       // of a second layer
	endless    = 1 << 20 // more than any stretch costs
	tornPrice  = 8       // of a neighbour that the page does not explain
	lossPrice  = 2       // of a lossy unit, which fits more texts than a whole one
)

// cluster is a row of units without a gap.
type cluster struct {
	units    []unit
	which    int
	evidence int
	sure     bool
}

func (c *cluster) start() int { return c.units[0].start }
func (c *cluster) end() int   { return c.units[len(c.units)-1].end }

// known reports whether every unit has one reading. A word of which one letter is
// gone stays as it is, whole: its letters would meet what is left of that one.
// Control characters are what an older mistake made of bytes in the middle of a
// character, so that none of them is a cluster's first.
func (c *cluster) known() bool {
	return c.units[0].is >= 0xA0 && !slices.ContainsFunc(c.units, func(u unit) bool { return u.lost && !u.only })
}

// torn reports whether a character of another page touches the cluster.
func (c *cluster) torn(runes []rune) bool {
	touches := func(i int) bool { return i >= 0 && i < len(runes) && index[slot(runes[i])] != place{} }
	return touches(c.start()-1) || touches(c.end())
}

// clusters joins the units of a page and weighs each row.
func clusters(runes []rune, which int, mostlyASCII bool) (found []cluster, strays int) {
	all, strays := units(runes, which, mostlyASCII)
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j].start == all[j-1].end {
			j++
		}
		found = append(found, cluster{units: all[i:j], which: which})
		i = j
	}
	for i := range found {
		found[i].weigh(runes, mostlyASCII)
	}
	return found, strays
}

// weigh finds the evidence for c.
func (c *cluster) weigh(runes []rune, mostlyASCII bool) {
	raw, repaired := weighed(runes, c)
	c.evidence = costOf(raw, mostlyASCII) - min(costOf(repaired, mostlyASCII), deeper(repaired, mostlyASCII))
	if len(c.units) == 1 {
		c.evidence -= mention(raw)
	}
	if c.torn(runes) {
		c.evidence -= tornPrice
	}
	for _, u := range c.units {
		if u.lost {
			c.evidence -= lossPrice
		}
	}
}

// deeper is the least cost of a repaired stretch that was damaged twice, in which
// another layer of units is repaired as well.
func deeper(repaired []rune, mostlyASCII bool) int {
	least := endless
	var buffer [64]rune
	for which := range pages {
		again := buffer[:0]
		for i := 0; i < len(repaired); {
			if u, ok := unitAt(repaired, i, which); ok {
				again = append(again, u.is)
				i = u.end
			} else {
				again = append(again, repaired[i])
				i++
			}
		}
		if len(again) < len(repaired) {
			least = min(least, costOf(again, mostlyASCII)+twicePrice)
		}
	}
	return least
}

// weighed writes both readings of a cluster with two characters on each side.
func weighed(runes []rune, c *cluster) (raw, repaired []rune) {
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return ' '
		}
		return runes[i]
	}
	repaired = []rune{at(c.start() - 2), at(c.start() - 1)}
	raw = append(slices.Clone(repaired), runes[c.start():c.end()]...)
	for _, u := range c.units {
		if u.is != 0 {
			repaired = append(repaired, u.is)
		}
	}
	after := []rune{at(c.end()), at(c.end() + 1)}
	return append(raw, after...), append(repaired, after...)
}

// hypothesis is that a page explains a text.
type hypothesis struct {
	clusters []cluster
	total    int // evidence of all clusters
	best     int // the most that one has: what is genuine twice is no damage
	strays   int
}

// whole reports whether the page explains all of the text.
func (h *hypothesis) whole() bool { return h.strays == 0 && h.total >= sureText && h.best >= findAlone }

// judge finds the clusters of one layer, in order and without overlaps.
func judge(runes []rune) []cluster {
	var of [pageCount]hypothesis
	order := make([]int, 0, pageCount)
	mostlyASCII := isMostlyASCII(runes)
	for which := range pages {
		h := &of[which]
		h.clusters, h.strays = clusters(runes, which, mostlyASCII)
		for _, c := range h.clusters {
			h.total += c.evidence
			h.best = max(h.best, c.evidence)
		}
		if len(h.clusters) > 0 {
			order = append(order, which)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return of[b].total - of[a].total })
	var kept []cluster
	for place, which := range order {
		h := &of[which]
		for _, c := range h.clusters {
			// Only the page with the most evidence makes clusters sure by the whole text.
			c.sure = c.evidence >= sureAlone || place == 0 && h.whole() && (c.evidence > 0 || h.total >= sureAll)
			c.sure = c.sure && c.known()
			if c.evidence >= findAlone || c.sure {
				kept = append(kept, c)
			}
		}
		// One page explains all, and no other reading comes near.
		if place == 0 && h.whole() && !rivalled(of[:], order) {
			break
		}
	}
	return apart(kept)
}

// rivalled reports whether another page explains the text nearly as well as the
// best in another way.
func rivalled(of []hypothesis, order []int) bool {
	best := &of[order[0]]
	for _, which := range order[1:] {
		h := &of[which]
		if h.whole() && best.total-h.total < 6 && !slices.EqualFunc(best.clusters, h.clusters, func(a, b cluster) bool { return slices.EqualFunc(a.units, b.units, same) }) {
			return true
		}
	}
	return false
}

// isMostlyASCII tells texts in Latin letters from others, damaged or not.
func isMostlyASCII(runes []rune) bool {
	letters, others := 0, 0
	for _, r := range runes {
		switch {
		case r >= 0x80:
			others++
		case r|0x20 >= 'a' && r|0x20 <= 'z':
			letters++
		}
	}
	return letters > 2*others
}

// apart keeps, of clusters that overlap, the one with most evidence; of equal
// ones the first. It is unsure if another reading of the place comes near.
func apart(all []cluster) []cluster {
	slices.SortStableFunc(all, func(a, b cluster) int { return a.start() - b.start() })
	var kept []cluster
	for _, c := range all {
		if len(kept) == 0 || kept[len(kept)-1].end() <= c.start() {
			kept = append(kept, c)
			continue
		}
		last := &kept[len(kept)-1]
		near := max(last.evidence, c.evidence)-min(last.evidence, c.evidence) < 4 && differ(last.units, c.units)
		if c.evidence > last.evidence {
			*last = c
		}
		if near {
			last.sure = false
		}
	}
	return kept
}

// same reports whether two units read a place alike.
func same(a, b unit) bool { return a.start == b.start && a.end == b.end && a.is == b.is }

// differ reports whether two rows of units read a place differently.
func differ(a, b []unit) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].end <= b[0].start:
			a = a[1:]
		case b[0].end <= a[0].start:
			b = b[1:]
		case !same(a[0], b[0]):
			return true
		default:
			a, b = a[1:], b[1:]
		}
	}
	return false
}

// mention is what is to be taken off the evidence for a unit that, with two
// characters on each side, stands alone between quotes or brackets or is the
// whole text. One of three characters is seldom meant so without a fence.
func mention(around []rune) int {
	left, right := around[1], around[len(around)-2]
	switch {
	case isFence(left) && isFence(right):
		return mentioned
	case left != ' ' || right != ' ' || around[0] != ' ' || around[len(around)-1] != ' ':
		return 0
	case len(around) > 6:
		return mentioned / 3
	}
	return mentioned
}

// isFence reports whether r is a quote or a bracket.
func isFence(r rune) bool {
	role := kindOf(r).role
	return role == quote || role == opening || strings.ContainsRune("\"'`‘’()[]{}<>", r)
}
