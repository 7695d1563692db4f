package explain

import (
	"encoding/binary"
	"slices"
	"strings"

	"voxpack/compiler/frontend"
	"voxpack/textnorm"
)

// phonemes reads a kept row's phonemes back out of its tokens: no program has to
// say them again. "" where its tokens are of another kind.
func (v *version) phonemes(id string) string {
	if v.Root.Setting("tokenizer") != textnorm.KindPhoneme {
		return ""
	}
	d, err := v.st.DatasetAt(v.Digest, id)
	if err != nil {
		return ""
	}
	at, err := d.Find(id)
	if err != nil {
		return ""
	}
	row, err := d.Value(at, "tokens")
	if err != nil {
		return ""
	}
	c, _, err := frontend.FromRoot(d.Root, d.Store.Get)
	if err != nil {
		return ""
	}
	t := c.Tokens
	specials := []string{t.Pad, t.Unk, t.BOS, t.EOS, t.Blank}
	var b strings.Builder
	for ; len(row) >= 4; row = row[4:] {
		id := binary.LittleEndian.Uint32(row)
		if int(id) >= len(d.Root.Symbols) {
			continue
		}
		if s := d.Root.Symbols[id]; !slices.Contains(specials, s) {
			b.WriteString(s)
		}
	}
	return b.String()
}
