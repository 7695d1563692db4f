package hftok

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Version names the rules of this reader; results may change with it.
const Version = "hftok-2"

// Bounds on a file. The largest vocabularies in use have 256,000 entries in
// 35 MB of JSON.
const (
	MaxBytes      = 64 << 20
	maxVocabulary = 1 << 20
	maxComponent  = 8 << 20 // one normalizer, pre-tokenizer or post-processor with all it holds
	maxNesting    = 8       // sequences in sequences
	maxToken      = 4 << 10 // bytes of one token
	maxError      = 8 << 10 // bytes of an error
)

// file is the JSON as it stands, its components unread.
type file struct {
	Version       string          `json:"version"`
	Truncation    json.RawMessage `json:"truncation"`
	Padding       json.RawMessage `json:"padding"`
	Added         []addedToken    `json:"added_tokens"`
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Model         json.RawMessage `json:"model"`
}

// addedToken is one entry of added_tokens.
type addedToken struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`
}

// model turns a piece into ids, which it appends to e.ids, and reports what it does
// not know in e.unknown. A piece is not empty.
type model interface {
	encode(e *encoder, piece string)
	vocabulary() vocabulary
}

// vocabulary is what a model has tokens for.
type vocabulary struct {
	tokens []string // by id, "" where an id is nobody's
	find   func(string) (int32, bool)
	size   int // without those
}

// Tokenizer is a file that was read. It never changes, and any number of
// goroutines may use it at once.
type Tokenizer struct {
	tokens    []string // by id
	silent    []bool   // by id: the token says nothing, as a space does
	added     map[string]int32
	raw       *matcher // added tokens that stand in the text as written
	normal    *matcher // those that are looked for after normalising
	normalize []normalizer
	cut       []cutter
	model     model
	post      []template
	notes     []string
	strips    bool // the normalizer may take a text's first characters, and a cutter asks where it began
	canonical string
	pool      encoderPool
}

// Parse reads a tokenizer.json or a SentencePiece model; its first bytes tell which.
// An error begins with name and the component that it is about, such as
// "normalizer.normalizers[1]". Everything that is not known to give the same ids as
// the package that wrote the file is an error: another version, an unknown type of
// component, an unknown setting, random parts, regular expressions that Go's package
// regexp may read otherwise, added tokens with other ids than the package would give
// them, and sizes beyond the bounds above. Truncation and padding are no error and are
// not done; Notes says so.
func Parse(name string, src []byte) (*Tokenizer, error) {
	t, err := parse(src)
	if err != nil && len(err.Error()) > maxError { // it shows a number or a name of the file
		err = errors.New(strings.ToValidUTF8(err.Error()[:maxError], "") + "…")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

func parse(src []byte) (*Tokenizer, error) {
	if len(src) > MaxBytes {
		return nil, fmt.Errorf("%d bytes; at most %d are read", len(src), MaxBytes)
	}
	f, err := readFile(src)
	if err != nil {
		return nil, err
	}
	if err := f.refuse(); err != nil {
		return nil, err
	}
	fillOnce.Do(fillClasses)
	t := &Tokenizer{notes: f.left()}
	canonicalModel, err := t.readModel(f.Model)
	if err != nil {
		return nil, err
	}
	if t.normalize, err = readNormalizers(f.Normalizer, "normalizer", 0); err != nil {
		return nil, err
	}
	if t.cut, err = readCutters(f.PreTokenizer, "pre_tokenizer", 0); err != nil {
		return nil, err
	}
	if err := t.addTokens(f.Added); err != nil {
		return nil, err
	}
	t.strips = mentions(f.PreTokenizer, `"first"`) && mentions(f.Normalizer, `"Strip`, `"Nmt"`, `"BertNormalizer"`)
	if t.post, err = readTemplates(f.PostProcessor, "post_processor", len(t.tokens), 0); err != nil {
		return nil, err
	}
	t.markSilent()
	t.canonical, err = canonical(f, canonicalModel)
	return t, err
}

// readFile reads JSON, or a SentencePiece model as the JSON that stands for it.
func readFile(src []byte) (f file, err error) {
	if isSentencePiece(src) {
		return readModelFile(src)
	}
	if !utf8.Valid(src) {
		return f, errors.New("neither a tokenizer.json nor a SentencePiece model: not UTF-8")
	}
	if err := json.Unmarshal(src, &f); err != nil {
		return f, explainJSON(err)
	}
	return f, nil
}

// explainJSON adds where a file stops being JSON, or the key with a value of a wrong
// kind.
func explainJSON(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("no JSON at byte %d (is the file cut?): %w", syntax.Offset, err)
	case errors.As(err, &kind):
		return fmt.Errorf("%s: a %s stands there: %w", kind.Field, kind.Value, err)
	}
	return err
}

// refuse finds what cannot be obeyed outside the components.
func (f *file) refuse() error {
	if f.Version != "" && f.Version != "1.0" {
		return fmt.Errorf("version %q: this reader knows \"1.0\"", f.Version)
	}
	for part, raw := range map[string]json.RawMessage{"normalizer": f.Normalizer, "pre_tokenizer": f.PreTokenizer, "post_processor": f.PostProcessor} {
		if len(raw) > maxComponent {
			return fmt.Errorf("%s: %d bytes; at most %d are read", part, len(raw), maxComponent)
		}
	}
	if !isSet(f.Model) {
		return errors.New("model: there is none")
	}
	return nil
}

// left lists what the file asks for and a training set has its own rules for.
func (f *file) left() (notes []string) {
	if isSet(f.Truncation) {
		notes = append(notes, "truncation is not done: how long a text may be is said by max_text_length and overlong")
	}
	if isSet(f.Padding) {
		notes = append(notes, "padding is not done: samples are padded to max_text_length with 0")
	}
	return notes
}

// isSet reports whether a key is there and not null.
func isSet(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// mentions reports whether one of some texts is anywhere in a component.
func mentions(raw json.RawMessage, any ...string) bool {
	return slices.ContainsFunc(any, func(s string) bool { return bytes.Contains(raw, []byte(s)) })
}

// component is what all of them have.
type component struct {
	Type string `json:"type"`
}

// typeOf is the type of the component at path; "" where there is none.
func typeOf(raw json.RawMessage, path string, depth int) (string, error) {
	if !isSet(raw) {
		return "", nil
	}
	if depth > maxNesting {
		return "", fmt.Errorf("%s: sequences nest deeper than %d", path, maxNesting)
	}
	var c component
	if err := json.Unmarshal(raw, &c); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if c.Type == "" {
		return "", fmt.Errorf("%s: it has no type", path)
	}
	return c.Type, nil
}

// settings decodes a component into v, a struct with the fields that are known.
// An unknown one is an error: what it does is not known either.
func settings(raw json.RawMessage, path string, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil && err != io.EOF {
		return fmt.Errorf("%s: %s", path, strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// readSequence reads the components that stand in the list at path.
func readSequence[T any](list []json.RawMessage, path string, depth int, read func(json.RawMessage, string, int) ([]T, error)) (all []T, err error) {
	for i, raw := range list {
		some, err := read(raw, fmt.Sprintf("%s[%d]", path, i), depth+1)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func unknownType(path, kind string, known ...string) error {
	slices.Sort(known)
	return fmt.Errorf("%s: type %q is not known to this version; it knows %s", path, kind, strings.Join(known, ", "))
}

// canonical is the file with nothing but what encoding reads, so that two files
// that differ in layout, decoder or notes are one.
func canonical(f file, model any) (string, error) {
	plain := func(raw json.RawMessage) any {
		var v any
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber() // numbers keep their digits
		if !isSet(raw) || d.Decode(&v) != nil {
			return nil
		}
		return v
	}
	added := f.Added
	if added == nil {
		added = []addedToken{}
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(struct {
		Version       string       `json:"version"`
		Added         []addedToken `json:"added_tokens"`
		Normalizer    any          `json:"normalizer"`
		PreTokenizer  any          `json:"pre_tokenizer"`
		PostProcessor any          `json:"post_processor"`
		Model         any          `json:"model"`
	}{"1.0", added, plain(f.Normalizer), plain(f.PreTokenizer), plain(f.PostProcessor), model})
	return b.String(), err
}

// Canonical is a tokenizer.json that Parse reads to the same tokenizer: the
// same text for two files that give the same ids by the same components. It is what a
// dataset keeps.
func (t *Tokenizer) Canonical() string { return t.canonical }

// Notes say what the file asks for and is not done.
func (t *Tokenizer) Notes() []string { return t.notes }

// Tokens lists the vocabulary with the added tokens by id, "" for an id that
// nothing has. It is shared.
func (t *Tokenizer) Tokens() []string { return t.tokens }

// IsSentencePiece reports whether this was a SentencePiece model. It has its own
// sign for a space, and a text matches no control piece of it.
func (t *Tokenizer) IsSentencePiece() bool {
	_, ok := t.model.(*sentencePiece)
	return ok
}

// InText is the number of a token that a text can hold as it is written; false where
// there is none. Control pieces of a SentencePiece model have an ID and no InText.
func (t *Tokenizer) InText(token string) (int32, bool) {
	if m, ok := t.model.(*sentencePiece); ok {
		id, ok := m.pieces[token]
		return id, ok && m.Pieces[id].kind == pieceUserDefined
	}
	return t.ID(token)
}

// ID is the number of a token, added ones included; false where there is none.
func (t *Tokenizer) ID(token string) (int32, bool) {
	if id, ok := t.added[token]; ok {
		return id, true
	}
	return t.model.vocabulary().find(token)
}
