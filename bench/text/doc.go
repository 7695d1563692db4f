// Command text measures the text side on one core, language by language, and
// over all rows of LJSpeech.
//
//	go run ./bench/text [-n 20000] [-rounds 5] [-lap 0.3] [-lang en,fa] [-profile FILE]
//	go run ./bench/text -serve
//
// The words. A lap reads every line of one language again and again for some time
// and says how many lines went through in a second of processor time. A round is
// one lap of every language, by turns, after one look at how fast the machine is
// by itself; medians of the rounds count.
//
// The flow.
//
//	lines of a language ── Normalizer ──▶ lap ──▶ table
//	texts of LJSpeech ── Normalizer, Tokenizer, -j goroutines ──▶ cold
//	a corpus of those texts ── compiler.Build, twice ──▶ from the memo
//
// English and Persian lines are made up: clauses of which about 63 % of the lines
// hold a number, a sum of money or an abbreviation, as long as lines of LJSpeech
// are. Lines of the other languages are rows of the sets in textnorm/spoken/testdata,
// as many to a line as make it as long, every second one as it is spoken; so eight lines
// in ten have something to read. LJSpeech's texts are found through
// VOXPACK_CORPORA; without it English lines stand in their place.
//
// With -serve it answers lines on stdin, as bench/peers asks: "lines LANG FILE"
// writes the lines of a language, "lap LANG SECONDS" measures one.
package main
