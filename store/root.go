package store

import "strings"

const rootMagic = "VXR1"

// Root is everything that defines a dataset's content. The digest of its
// encoding is the dataset's identity.
type Root struct {
	Schema    Schema
	Stages    []Named // stage → version, in the order in which they run
	Config    []Named // key → value, every key that a stage reads, in the order of names
	Symbols   []string
	Speakers  []string
	Languages string // version of the table that `language` values index
	PerShard  int    // K: the most rows of a shard
	Rows      int
	Shards    int
	Trie      Digest // first page of the trie of shard records
}

// Named is a name with its value.
type Named struct{ Name, Value string }

// Encode is the record's bytes; Sum of them is the root digest.
func (r *Root) Encode() []byte {
	e := newEncoder(rootMagic)
	r.Schema.encode(e)
	encodeNamed(e, r.Stages)
	encodeNamed(e, r.Config)
	e.strs(r.Symbols)
	e.strs(r.Speakers)
	e.str(r.Languages)
	e.u32(uint32(r.PerShard))
	e.u64(uint64(r.Rows))
	e.u64(uint64(r.Shards))
	e.name(r.Trie)
	return e.buf
}

// DecodeRoot reads a record.
func DecodeRoot(b []byte) (*Root, error) {
	d := newDecoder("root", rootMagic, b)
	r := &Root{Schema: decodeSchema(d)}
	r.Stages, r.Config = decodeNamed(d), decodeNamed(d)
	r.Symbols, r.Speakers, r.Languages = d.strs(), d.strs(), d.str()
	r.PerShard = int(d.u32())
	r.Rows, r.Shards = int(d.u64()), int(d.u64())
	r.Trie = d.name()
	r.nameLengths()
	return r, d.end()
}

// ColumnSetting and a column's name are the setting that a column of the user's own has:
// "length " and what its first axis counts, and then perhaps other things after a comma.
const ColumnSetting = "column_"

// nameLengths says of columns of the user's own which column counts their steps.
func (r *Root) nameLengths() {
	for i := range r.Schema {
		c := &r.Schema[i]
		setting, _, _ := strings.Cut(r.Setting(ColumnSetting+c.Name), ",")
		switch length := strings.TrimPrefix(setting, "length "); {
		case c.Inline():
		case length == "own":
			c.Along = c.Name + "_len"
		case strings.HasSuffix(length, "_len"): // tokens, frames, or the steps of another column
			c.Along = length
		}
	}
}

// Stage is the version of the named stage, "" where the root has none.
func (r *Root) Stage(name string) string { return valueOf(r.Stages, name) }

// Setting is the value of a config key that a stage read, "" where there is none.
func (r *Root) Setting(name string) string { return valueOf(r.Config, name) }

// LexiconSetting is the setting whose value is the digest, in hex, of the text of
// the lexicon that the dataset's texts were read with.
const LexiconSetting = "lexicon"

// TokenizerSetting is the setting whose value is the digest, in hex, of the file
// that the dataset's texts became tokens by.
const TokenizerSetting = "tokenizer_file"

// Lexicon is the digest of the lexicon's text; zero: none was used.
func (r *Root) Lexicon() Digest { return r.text(LexiconSetting) }

// Tokenizer is the digest of the tokenizer's file; zero: it had none.
func (r *Root) Tokenizer() Digest { return r.text(TokenizerSetting) }

// text is the digest that a setting names.
func (r *Root) text(setting string) Digest {
	d, err := ParseDigest(r.Setting(setting))
	if err != nil {
		return Digest{}
	}
	return d
}

func valueOf(list []Named, name string) string {
	for _, n := range list {
		if n.Name == name {
			return n.Value
		}
	}
	return ""
}

func encodeNamed(e *encoder, list []Named) {
	e.u32(uint32(len(list)))
	for _, n := range list {
		e.str(n.Name)
		e.str(n.Value)
	}
}

func decodeNamed(d *decoder) []Named {
	n := d.count(8)
	list := make([]Named, 0, n)
	for range n {
		list = append(list, Named{d.str(), d.str()})
	}
	return list
}
