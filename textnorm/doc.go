// Package textnorm turns the text of a row into what is spoken and then into
// token ids, by pure functions.
//
// A text is what the metadata says. Spoken text is the same sentence in one
// spelling: composed (NFC), without control characters, with single spaces.
// A symbol is one entry of a tokenizer's table; its id is its position there.
// A special (pad, unk, bos, eos, blank) is a symbol that no text can spell.
// A note says what was removed or not understood, with its byte offset.
//
//	bytes ── CheckUTF8 ──▶ text ── Normalizer ──▶ spoken text ── Tokenizer ──▶ ids
//	                               + notes                       + notes
//
// Nothing here knows rows, files or a store. Every type is immutable after its
// constructor and safe for concurrent use; a result depends on the arguments
// and on the stage version ([TextVersion], [TokensVersion]) only.
package textnorm
