package textnorm

import "strings"

// KindTacotron is the kind of the symbols of Tacotron 2.
const KindTacotron = "tacotron"

// tacotronPad is symbol 0 of tacotron-1. Texts never match it.
const tacotronPad = "_"

// arpabet are the phonemes of American English as the CMU dictionary writes
// them. Those that follow a digit-less vowel are the same vowel without
// stress, with the first and with the second.
var arpabet = strings.Fields(`
	AA AA0 AA1 AA2 AE AE0 AE1 AE2 AH AH0 AH1 AH2 AO AO0 AO1 AO2 AW AW0 AW1 AW2 AY AY0 AY1 AY2
	B CH D DH EH EH0 EH1 EH2 ER ER0 ER1 ER2 EY EY0 EY1 EY2 F G HH IH IH0 IH1 IH2 IY IY0 IY1 IY2
	JH K L M N NG OW OW0 OW1 OW2 OY OY0 OY1 OY2 P R S SH T TH UH UH0 UH1 UH2 UW UW0 UW1 UW2 V W Y Z ZH`)

// tacotron1 is the table tacotron-1, 148 symbols in the order that models of
// Tacotron 2 and those that took over its front-end were trained with: pad,
// hyphen, punctuation, letters, and the phonemes with an @ before each. It is
// FROZEN, as chars-1 is. Order: text/symbols.py and text/cmudict.py of
// github.com/NVIDIA/tacotron2 (185cd24); the phonemes stand in the same order in
// text/cmudict.py of github.com/keithito/tacotron (479976b), whose other symbols
// stand in another one.
func tacotron1() []string {
	symbols := strings.Split(tacotronPad+"-!'(),.:;? ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "")
	for _, phoneme := range arpabet {
		symbols = append(symbols, "@"+phoneme)
	}
	return symbols
}
