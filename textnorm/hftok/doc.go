// Package hftok reads tokenizer.json, the file in which Hugging Face's
// tokenizers keep a vocabulary and the way text is cut into it, and models of
// SentencePiece. It gives the same ids as the packages tokenizers and
// sentencepiece, or refuses the file with what it does not know.
//
// Words: a piece is a run of text on its way to the model; a component is one
// object of the file with a type; an added token is cut out of the text before
// anything else sees it.
//
// Flow:
//
//	text ── added tokens as written ── normalizer ── added tokens as normalised
//	     ── pre-tokenizer ── model ── post-processor ──▶ ids
//
// A SentencePiece model has one part that does all of it, from the text as it is
// written: its own replacements and spaces, then unigram or BPE. It is kept as a
// JSON file of the same form, whose model has a type of ours.
//
// Where to find what:
//
//	file.go            the file, its bounds, errors and canonical form
//	added.go           added tokens
//	normalizer.go      normalizers; charsmap.go, normalform.go the larger ones
//	cutter.go          pre-tokenizers; pattern.go, scan.go their expressions
//	model.go           models: bpe.go, unigram.go, words.go, sentencepiece.go
//	template.go        post-processors
//	encoder.go         the flow above, and what it remembers
//	decode.go          ids to text
//	class.go, tables.go  classes of code points
//	trie.go, pairs.go, lattice.go  what models search with
//
// Rules that hold throughout:
//
//   - Ids equal those of the original, or Parse refuses the file. Nothing is
//     approximated.
//   - Ids depend on the file and the text: not on what was encoded before, on the
//     goroutine, or on the edition of Unicode of the Go that built the program.
//   - An id that Encode returns is an index into Tokens.
//   - A file is foreign data. Its sizes are bounded before memory is taken, offsets in
//     it are checked before they are used, and no file ends the program.
//   - Time is the length of the text times a bound of the file, or times its logarithm
//     where long pieces are merged.
//
// What is done follows the behaviour of the packages tokenizers 0.23 and
// sentencepiece 0.2; a test outside this package compares the ids live. What
// class a code point has is asked of tokenizers itself: unicode.txt. Why:
// docs/design/0121-vocabularies.md.
package hftok
