package mojibake

// costOf is how odd a stretch of text is, in bits: what its characters cost
// and what their places beside each other do. The first two are context, whose
// own rarity does not count. In a text that is mostly ASCII, words in other
// scripts are odd as well.
func costOf(runes []rune, mostlyASCII bool) int {
	total := 0
	var before, last kind
	for i, r := range runes {
		k := kindOf(r)
		if i >= 2 {
			total += tripleCost(before, last, k)
			if runes[i-1] == 'â' && !before.wordy() && k.bits > 0 && k.role != space {
				total += 5 // no word begins so, but what was U+2000 to U+2FFF does
			}
			if runes[i-2] == '‚' && last.wordy() && last.bits > 0 && k.bits > 0 && k.role != space {
				total += 5 // the same as MacRoman has it
			}
			if r != runes[i-1] || k.role == broken || k.wordy() {
				total += int(k.bits) // a line of dashes is one thought
			}
			if mostlyASCII && k.script > latin && k.wordy() && !last.wordy() {
				total += strangerCost(k.script)
			}
		}
		if i >= 1 {
			total += pairCost(last, k)
		}
		before, last = last, k
	}
	return total
}

// strangerCost is the cost of a word in another script in a text in Latin
// letters. A Greek letter alone is a sign of mathematics and medicine.
func strangerCost(s script) int {
	if s == greek {
		return 0
	}
	return 4
}

// tripleCost is what only three characters tell.
func tripleCost(a, b, c kind) int {
	if b.role == upper {
		return capitalCost(a, b, c)
	}
	sign := b.role == quote && a.script < han || b.role >= opening && b.role <= symbol && b.role != dash
	if sign && a.wordy() && c.wordy() {
		return 3 // a sign inside a word
	}
	return 0
}

// capitalCost is tripleCost around a large letter.
func capitalCost(a, b, c kind) int {
	switch {
	case a.role == upper && c.role == lower && c.bits > 0:
		return 3 // a word in capitals has no small letter with an accent
	case a.role == upper && c.role == upper:
		return -int(c.bits) / 2 // in capitals every accented letter is large
	case a.role == upper && c.role == lower && a.bits > 0 && b.bits > 0:
		return 5 // two large letters with accents and then small ones
	case (a.role == space || a.role == ascii) && b.bits > 0 && c.role == space && c.bits > 0:
		return 2 // few languages have words of one such letter
	// A rare large letter alone between a space and a sign.
	case a.role == space && b.bits >= 4 && (c.role == quote || c.role >= dash && c.role <= symbol):
		return 3
	}
	return 0
}

// wordy reports whether k may stand inside a word.
func (k kind) wordy() bool { return k.role >= lower && k.role <= mark }

// pairCost is how odd it is that b follows a.
func pairCost(a, b kind) int {
	switch {
	case a.role == broken || b.role == broken:
		return 0 // their own cost says it
	case a.wordy() && b.wordy():
		return lettersCost(a, b)
	case b.role == mark:
		return 5
	case a.role == space && b.role == space:
		return 4
	case a.role == space && b.role == closing && b.bits == 0:
		return 3 // a space before a comma
	case a.role == space || b.role == space:
		return 0
	case a.wordy():
		return afterLetter(b, a)
	case b.wordy():
		return beforeLetter(a, b)
	}
	return signsCost(a.role, b.role)
}

// signsCost is pairCost for two signs, neither of them a letter or a space.
func signsCost(a, b role) int {
	between := func(r, from, to role) bool { return r >= from && r <= to }
	switch {
	case (a == closing || a == quote) && b == opening:
		return 2
	case a == digit && b == symbol, a == symbol && b == digit:
		return 2
	case a == format && b == format:
		return 3
	case a == format || b == format:
		return 1
	case a == symbol && b >= quote, b == symbol && a >= quote:
		return 4
	case between(a, numeric, currency) && between(b, numeric, currency):
		return 2
	case (a == picture) != (b == picture) && a >= quote && b >= quote:
		return 2
	}
	return 0
}

// lettersCost is pairCost inside a word. The constants of the scripts han, kana and
// hangul follow each other: Japanese and Korean mix them within a word.
func lettersCost(a, b kind) int {
	switch {
	case b.role == mark && b.script == noScript:
		return 0
	case a.role == mark && a.script == noScript:
		return 0
	case a.script != b.script:
		if a.script >= han && a.script <= hangul && b.script >= han && b.script <= hangul {
			return 1
		}
		if a.script >= han && a.script <= hangul || b.script >= han && b.script <= hangul {
			return 4
		}
		return 9
	case a.role == lower && b.role == upper:
		// First bytes of UTF-8 are large accented letters in the Latin pages. A plain
		// large letter inside a word is a name of a product or a company more often.
		if b.bits > 0 && b.script == latin {
			return 9
		}
		return 4
	case a.script == latin && a.bits > 0 && b.bits > 0:
		return 3 // two accented letters
	}
	return 0
}

// afterLetter is the cost of b right after a letter. Where UTF-8 was read in a Latin
// page an accented letter stands for a first byte and a sign for the next one, so
// that signs after those letters cost most.
func afterLetter(b, a kind) int {
	switch b.role {
	case quote, dash, closing, ascii:
		return 0
	case digit:
		return 1
	case opening:
		return 5
	case symbol:
		return 4
	case trade, numeric, currency:
		if a.bits > 0 {
			return 7
		}
		return 2
	case picture:
		return 3
	case format:
		if b.script == a.script || a.script >= indic {
			return 0
		}
		return 2
	}
	return 0
}

// beforeLetter is the cost of a right before a letter. A format character belongs
// to the words of its own script, and to those of the Indic scripts and after them.
func beforeLetter(a, b kind) int {
	switch a.role {
	case quote, dash, opening, ascii:
		return 0
	case digit:
		return min(2, int(b.bits))
	case closing:
		return int(a.bits)
	case symbol, trade, numeric, picture:
		if b.bits > 0 {
			return 6
		}
		return 3
	case currency:
		return 2
	case format:
		if a.script == b.script || b.script >= indic {
			return 0
		}
		return 4
	}
	return 0
}
