package textnorm

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"voxpack/textnorm/hftok"
)

// What a tokenizer does with a character that it has no symbol for.
const (
	UnknownDrop   = "drop"   // leave it out, with a note
	UnknownUnk    = "unk"    // write the unk symbol, with a note
	UnknownReject = "reject" // refuse the text
)

// The names of the specials in the built-in tables, and their defaults elsewhere.
const (
	SpecialPad   = "<pad>"
	SpecialUnk   = "<unk>"
	SpecialBOS   = "<bos>"
	SpecialEOS   = "<eos>"
	SpecialBlank = "<blank>"
)

// FileVersion is the version of the reader of tokenizer.json, which is part of
// the key of what it made.
const FileVersion = hftok.Version

// KindJSON is the kind of a tokenizer.json.
const KindJSON = "json"

// maxSymbols bounds a table; no language needs as many characters.
const maxSymbols = 1 << 16

var (
	// ErrUnknown: a character has no symbol and the tokenizer rejects such texts.
	ErrUnknown = errors.New("unknown character")
	// ErrEmpty: the text has nothing but white space.
	ErrEmpty = errors.New("empty text")
	// ErrAllUnknown: no character of the text but white space has a symbol.
	ErrAllUnknown = errors.New("no known character in the text")
)

// tokenizerKind is one row of the table of tokenizers.
type tokenizerKind struct {
	name    string
	symbols string              // the name of the built-in table; "": it has none
	table   func() []string     // the symbols of that table, used where the config names none
	pad     string              // its symbol 0; "": SpecialPad
	braces  bool                // texts write its symbols that begin with @ in braces
	fixed   bool                // it has no other symbols
	form    func(string) string // the form in which texts come to it; nil: NFC
}

var tokenizerKinds = []tokenizerKind{
	{name: "char", symbols: "chars-1", table: chars1},
	{name: KindJSON},
	{name: KindTacotron, symbols: "tacotron-1", table: tacotron1, pad: tacotronPad, braces: true, fixed: true},
	{name: KindPhoneme, symbols: "ipa-1", table: ipa1, form: ipaForm},
}

// TokenizerConfig is all that the tokens stage reads. The zero value is the
// default: characters, chars-1, unknown characters dropped, no blanks or ends.
type TokenizerConfig struct {
	// Kind is the tokenizer; "" is "char".
	Kind string
	// Symbols is the table, a symbol's id being its position, the last one of a symbol
	// that is there again; nil is chars-1.
	Symbols []string
	// Pad, Unk, BOS, EOS and Blank name the specials among Symbols; "" is the
	// Special constant of that name. Only Pad must be there, at position 0,
	// because shards are padded with 0; the others when something asks for them.
	// Blank may be Pad, as in VITS. Texts never match a special.
	Pad, Unk, BOS, EOS, Blank string
	// Unknown is one of the Unknown constants; "" is UnknownDrop.
	Unknown string
	// AddBlank puts the blank between all symbols and at both ends: 2n + 1 ids.
	AddBlank bool
	// AddBOS and AddEOS put the bos in front of and the eos after all that.
	AddBOS, AddEOS bool
	// File is the vocabulary of KindJSON and how text is cut into it. Symbols are
	// its tokens then, and its own unk stands for what is unknown; "" for Unknown
	// is UnknownUnk. BOS and EOS may name tokens of it.
	File *hftok.Tokenizer
	// LanguageTag puts the token of the row's language in front of a text, as in
	// [en], and SpaceSymbol stands for each space, as XTTS does; for KindJSON.
	LanguageTag bool
	SpaceSymbol string
	// Phonemes is, for KindPhoneme, what Phonemize makes of a text in a language;
	// nil: Dress can do nothing. Who says them is no part of the config's
	// canonical text, since tokens are made of phonemes, whoever said them.
	Phonemes func(text, language string) (string, error) `json:"-"`
}

// full returns c with every default filled in. A kind that does not exist
// leaves Symbols as they are.
func (c TokenizerConfig) full() TokenizerConfig {
	c.Kind = cmp.Or(c.Kind, "char")
	k, ok := c.kind()
	if k.pad != "" && c.Pad == SpecialPad {
		c.Pad = k.pad // that name is nobody's choice there
	}
	c.Pad = cmp.Or(c.Pad, k.pad, SpecialPad)
	c.Unk, c.Blank = cmp.Or(c.Unk, SpecialUnk), cmp.Or(c.Blank, SpecialBlank)
	c.BOS, c.EOS = cmp.Or(c.BOS, SpecialBOS), cmp.Or(c.EOS, SpecialEOS)
	if c.File != nil {
		c.Symbols = c.File.Tokens()
		c.Unknown = cmp.Or(c.Unknown, UnknownUnk)
	}
	c.Unknown = cmp.Or(c.Unknown, UnknownDrop)
	if ok && c.Symbols == nil && k.table != nil {
		c.Symbols = k.table()
	}
	return c
}

// PadSymbol is the symbol 0 that c needs.
func (c TokenizerConfig) PadSymbol() string { return c.full().Pad }

// Table is the name of the built-in symbols of c's kind, "" where it has none.
func (c TokenizerConfig) Table() string {
	k, _ := c.full().kind()
	return k.symbols
}

func (c TokenizerConfig) kind() (tokenizerKind, bool) {
	i := slices.IndexFunc(tokenizerKinds, func(k tokenizerKind) bool { return k.name == c.Kind })
	if i < 0 {
		return tokenizerKind{}, false
	}
	return tokenizerKinds[i], true
}

// Canonical is every field with its label, defaults filled in and strings
// quoted, one a line. A table that is written out and equals the built-in one
// has the same canonical text.
func (c TokenizerConfig) Canonical() string {
	c = c.full()
	var b strings.Builder
	if c.File != nil {
		c.Symbols = nil
		fmt.Fprintf(&b, "reader=%q\nlanguage_tag=%t\nspace_symbol=%q\n", FileVersion, c.LanguageTag, c.SpaceSymbol)
	}
	fmt.Fprintf(&b, "kind=%q\npad=%q\nunk=%q\nbos=%q\neos=%q\nblank=%q\n", c.Kind, c.Pad, c.Unk, c.BOS, c.EOS, c.Blank)
	fmt.Fprintf(&b, "unknown=%q\nadd_blank=%t\nadd_bos=%t\nadd_eos=%t\n", c.Unknown, c.AddBlank, c.AddBOS, c.AddEOS)
	fmt.Fprintf(&b, "symbols=%d\n", len(c.Symbols))
	for _, s := range c.Symbols {
		fmt.Fprintf(&b, "%q\n", s)
	}
	if c.File != nil {
		b.WriteString(c.File.Canonical())
	}
	return b.String()
}
