package explain

import (
	"encoding/binary"
	"slices"
	"strings"

	"voxpack/compiler/frontend"
	"voxpack/store"
	"voxpack/textnorm"
)

// phonemesOf reads a kept row's phonemes back out of its tokens: no program has to
// say them again. "" where its tokens are of another kind.
func phonemesOf(d *store.Dataset, id string) string {
	blocks := d.Root.Schema.Blocks()
	column := blocks.Index("tokens")
	at, err := d.Find(id)
	if err != nil || column < 0 || d.Root.Setting("tokenizer") != textnorm.KindPhoneme {
		return ""
	}
	shard, err := d.Shard(at.Leaf)
	if err != nil {
		return ""
	}
	block, err := d.Store.View(store.KindBlock, shard.Blocks[column].Digest)
	size := blocks[column].SampleBytes()
	if err != nil || len(block) < (at.Row+1)*size {
		return ""
	}
	c, _, err := frontend.FromRoot(d.Root, d.Store.Get)
	if err != nil {
		return ""
	}
	t := c.Tokens
	specials := []string{t.Pad, t.Unk, t.BOS, t.EOS, t.Blank}
	var b strings.Builder
	for row := block[at.Row*size : (at.Row+1)*size]; len(row) >= 4; row = row[4:] {
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
