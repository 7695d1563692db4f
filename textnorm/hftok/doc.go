// Package hftok reads tokenizer.json, the file in which Hugging Face's
// tokenizers keep a vocabulary and the way text is cut into it, and gives the
// same ids as they do, or refuses the file with the component it does not know.
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
// What is done follows the behaviour of the package tokenizers 0.23; a test
// outside this package compares the ids live.
package hftok
