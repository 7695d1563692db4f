// Package extra computes fields that are made of others when a slot is filled: they would take more bytes in a store than
// they cost to compute, or hang on what is drawn.
//
// A word asks for a field (field.go): piece_NAME is the mel of a crop's samples (piece.go), attn_prior a prior of
// alignments (prior.go).
package extra
