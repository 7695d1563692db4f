package mojibake

// unit is a run of characters that is, in a page, one character of UTF-8.
type unit struct {
	start, end int // in runes
	is         rune
	lost       bool // a byte is gone
	only       bool // of a lossy unit: is is the only reading
}

// reader reads a text in a page.
type reader struct {
	runes        []rune
	which        int
	mostlyASCII  bool
	gone         []byte // what may be lost from this text
	arabicDigits bool   // the whole units have some
	tried        int    // places that lossy units were looked for at
}

// units reads the text. strays is how many characters above ASCII are in no unit,
// so that the page cannot be the whole story.
func units(runes []rune, which int, mostlyASCII bool) (found []unit, strays int) {
	rd := reader{runes: runes, which: which, mostlyASCII: mostlyASCII}
	rd.gone = missing(runes, which)
	for i := 0; i < len(runes); {
		if runes[i] < 0x80 {
			i++
			continue
		}
		u, ok := unitAt(runes, i, which)
		if ok {
			rd.arabicDigits = rd.arabicDigits || u.is >= '٠' && u.is <= '٩'
		} else {
			u, ok = rd.lossyAt(i, found)
		}
		if !ok {
			strays++
			i++
			continue
		}
		found = append(found, u)
		i = u.end
	}
	// Past the bound no lossy unit keeps its reading, not only those after it: what
	// is repaired must not depend on how much of the text was looked at.
	if rd.tried > maxTried {
		for i := range found {
			if found[i].lost {
				found[i].is, found[i].only = 0, false
			}
		}
	}
	return found, strays
}

// unitAt is the unit that begins at i.
func unitAt(runes []rune, i, which int) (unit, bool) {
	b := byteOf(runes[i], which)
	n := length(b)
	if n == 0 || i+n > len(runes) {
		return unit{}, false
	}
	bytes := [4]byte{b}
	for k := 1; k < n; k++ {
		bytes[k] = byteOf(runes[i+k], which)
	}
	is, ok := decode(bytes[:n])
	return unit{start: i, end: i + n, is: is}, ok
}

// wellFormed reports whether a character has n bytes in UTF-8 and is one that
// texts hold: of the unassigned and private ones no text is made. Those below
// U+00A0 are let pass, as a text that was read as Latin-1 twice has them after one
// repair.
func wellFormed(r rune, n int) bool {
	switch {
	case n == 2 && r < 0x80, n == 3 && r < 0x800, n == 4 && (r < 0x10000 || r > 0x10FFFF):
		return false
	}
	return r < 0xA0 || kindOf(r).role != broken
}
