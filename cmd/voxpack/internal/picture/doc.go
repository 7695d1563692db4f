// Package picture draws one column of a row as a PNG: mels and spectrograms in
// colours, energy, pitch and samples as a curve, tokens as steps.
//
// New lays a Column out, Encode draws it. drawings is the table of what can be
// drawn. Nothing here reads a store: the values come as float32.
package picture
