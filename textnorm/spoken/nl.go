package spoken

// dutch: hours have "uur" after them, years below 2000 are counted in hundreds.
func dutch() *voice {
	return &voice{
		code: "nl", decimal: ",", groups: []string{".", "\u00a0", "\u202f"},
		letters: dutchLetters, part: dutchPart, agree: dutchAgree,
		date: dateWords{yearNext: func(before, next string) bool {
			return next == "" || before == "" && oneOf(next, "was werd is had kwam bracht begon") || oneOf(before, "in sinds jaar van tot rond uit voor na anno zomer winter januari februari maart april mei juni juli augustus september oktober november december")
		}},
		clock:  clockWords{dots: true, always: true},
		regnal: romanWords{upTo: 99},
	}
}

// dutchLetters writes the street out that is cut at the end of its name.
func dutchLetters(text string) string { return cutStreet(text, "straat") }

// dutchAgree: of the nouns that halves are counted of, these are neuter.
func dutchAgree(_, _, noun string) byte {
	if oneOf(noun, "uur jaar brood glas ei pak blik kwartier dozijn procent kopje pond kilogram huis boek land miljoen") || endsIn(noun, "tje pje") {
		return 0
	}
	return 'f'
}

// dutchPart: één vijfde, twee vijfde.
func dutchPart(_ int, ordinal func(form string) string) noun {
	return noun{0, []string{ordinal("")}}
}
