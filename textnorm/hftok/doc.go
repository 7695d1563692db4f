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
// What is done follows the behaviour of the packages tokenizers 0.23 and
// sentencepiece 0.2; a test outside this package compares the ids live. What
// class a code point has is asked of tokenizers itself: unicode.txt. Why:
// docs/design/0121-vocabularies.md.
package hftok
