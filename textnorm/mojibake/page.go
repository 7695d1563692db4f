package mojibake

// The pages, in the order in which they are preferred where several say the same.
const (
	cp1252 = iota
	latin1
	cp1254
	cp1256
	macRoman
	pageCount
)

// page is a code page whose lower half is ASCII.
type page struct {
	name string
	high [128]rune // the characters of the bytes 0x80 to 0xFF
	// gone are the bytes that editors lose: no-break space, soft hyphen and what
	// the page reads as a control character.
	gone []byte
}

// Browsers read the holes of a page as the control characters of Latin-1, and
// so do most programs that refuse nothing (Encoding Standard, index tables).
const (
	head1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"
	head1254 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008d\u008e\u008f\u0090‘’“”•–—˜™š›œ\u009d\u009eŸ"
	all1256  = "€پ‚ƒ„…†‡ˆ‰ٹ‹Œچژڈگ‘’“”•–—ک™ڑ›œ\u200c\u200dں\u00a0،¢£¤¥¦§¨©ھ«¬\u00ad®¯°±²³´µ¶·¸¹؛»¼½¾؟" +
		"ہءآأؤإئابةتثجحخدذرزسشصض×طظعغـفقكàلâمنهوçèéêëىيîïًٌٍَôُِ÷ّùْûü\u200e\u200fے"
	allMac = "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø" +
		"¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ"
)

// pages are the tables of all pages.
var pages = func() (p [pageCount]page) {
	p[cp1252] = newPage("windows-1252", head1252, nil)
	p[latin1] = newPage("iso-8859-1", "", nil)
	p[cp1254] = newPage("windows-1254", head1254, map[byte]rune{0xD0: 'Ğ', 0xDD: 'İ', 0xDE: 'Ş', 0xF0: 'ğ', 0xFD: 'ı', 0xFE: 'ş'})
	p[cp1256] = newPage("windows-1256", all1256, nil)
	p[macRoman] = newPage("macintosh", allMac, nil)
	return p
}()

// newPage is Latin-1 with its first characters replaced and then some more.
func newPage(name, head string, more map[byte]rune) page {
	p := page{name: name}
	for i := range p.high {
		p.high[i] = rune(0x80 + i)
	}
	for i, r := range []rune(head) {
		p.high[i] = r
	}
	for b, r := range more {
		p.high[b-0x80] = r
	}
	// A first byte that is lost leaves nothing to begin from, so only the bytes
	// that may follow one, 0x80 to 0xBF, are looked at.
	for i, r := range p.high {
		if i < 0x40 && (r <= 0xA0 || r == 0xAD || r == 0x200C || r == 0x200D) {
			p.gone = append(p.gone, byte(0x80+i))
		}
	}
	return p
}

// place says which byte a character is in each page; 0: in none.
type place [pageCount]byte

// The characters of all pages lie in two blocks and four strays, so that a table
// finds their places without a hash.
const (
	lowBlock, lowEnd   = 0x80, 0x700
	highBlock, highEnd = 0x2000, 0x2300
)

// index holds the place of every character, and mayLead and mayFollow the pages,
// a bit each, in which it may begin a character of UTF-8 and go on with one.
var index, mayLead, mayFollow = func() (of [lowEnd - lowBlock + highEnd - highBlock + 5]place, lead, follow [lowEnd - lowBlock + highEnd - highBlock + 5]uint8) {
	put := func(r rune, which int, b byte) {
		i := slot(r)
		of[i][which] = b
		switch {
		case b < 0xC0:
			follow[i] |= 1 << which
		case length(b) > 0:
			lead[i] |= 1 << which
		}
	}
	for which := range pages {
		for i, r := range pages[which].high {
			put(r, which, byte(0x80+i))
		}
	}
	// Older tables of MacRoman have the currency sign where the euro is now, and
	// the sign of the ohm for the letter.
	put('¤', macRoman, 0xDB)
	put('\u2126', macRoman, 0xBD)
	return of, lead, follow
}()

// slot is the index of r in the tables; characters that are in no code page share the last one.
func slot(r rune) int {
	const strays = lowEnd - lowBlock + highEnd - highBlock
	switch {
	case r >= lowBlock && r < lowEnd:
		return int(r) - lowBlock
	case r >= highBlock && r < highEnd:
		return int(r) - highBlock + lowEnd - lowBlock
	// The strays are MacRoman's.
	case r == '◊':
		return strays
	case r == '\uf8ff':
		return strays + 1
	case r == 'ﬁ':
		return strays + 2
	case r == 'ﬂ':
		return strays + 3
	}
	return strays + 4
}

// byteOf is the byte of r in a page, or 0; ASCII is itself.
func byteOf(r rune, which int) byte {
	if r < 0x80 {
		return byte(r)
	}
	return index[slot(r)][which]
}

// length is how many bytes a character has that begins with b, or 0 where none
// does (RFC 3629): C0 and C1 would begin forms longer than needed, F5 and above
// characters past U+10FFFF.
func length(b byte) int {
	switch {
	case b >= 0xC2 && b < 0xE0:
		return 2
	case b >= 0xE0 && b < 0xF0:
		return 3
	case b >= 0xF0 && b < 0xF5:
		return 4
	}
	return 0
}
