package hftok

import (
	"encoding/json"
	"fmt"
)

// template is what a post-processor makes of a text: ids, and wholeText for those of
// the text, once. BERT's [CLS] text [SEP] is {101, wholeText, 102}.
type template struct {
	ids []int32
	// apart says that the package tokenizers hands each part to the next processor as
	// a text of its own, as TemplateProcessing does.
	apart bool
}

const wholeText = -1

// readTemplates reads a post-processor, in the order in which they are applied, against
// a vocabulary of that number of tokens. An error begins with the path of the component.
func readTemplates(raw json.RawMessage, path string, tokens, depth int) ([]template, error) {
	kind, err := typeOf(raw, path, depth)
	if err != nil || kind == "" {
		return nil, err
	}
	switch kind {
	case "ByteLevel": // about offsets only
		return nil, nil
	case "BertProcessing", "RobertaProcessing":
		return readEnds(raw, path, tokens)
	case "TemplateProcessing":
		return readTemplate(raw, path, tokens)
	case "Sequence":
		var c struct {
			Type       string
			Processors []json.RawMessage
		}
		if err := settings(raw, path, &c); err != nil {
			return nil, err
		}
		list, err := readSequence(c.Processors, path+".processors", depth, func(raw json.RawMessage, path string, depth int) ([]template, error) {
			return readTemplates(raw, path, tokens, depth)
		})
		for i := range list {
			if list[i].apart && i < len(list)-1 && err == nil {
				err = fmt.Errorf("%s.processors: a processor that adds tokens comes after TemplateProcessing and would get each of its parts as a text", path)
			}
		}
		return list, err
	}
	return nil, unknownType(path, kind, "BertProcessing", "ByteLevel", "RobertaProcessing", "Sequence", "TemplateProcessing")
}

// namedID is ["[SEP]", 102].
type namedID struct {
	name string
	id   int32
}

// UnmarshalJSON reads the pair.
func (n *namedID) UnmarshalJSON(src []byte) error {
	pair := [2]any{&n.name, &n.id}
	return json.Unmarshal(src, &pair)
}

// readEnds is BertProcessing and RobertaProcessing, which differ in offsets only.
func readEnds(raw json.RawMessage, path string, tokens int) ([]template, error) {
	var c struct {
		Type        string
		Sep, Cls    *namedID
		TrimOffsets bool `json:"trim_offsets"`
		PrefixSpace bool `json:"add_prefix_space"`
	}
	if err := settings(raw, path, &c); err != nil {
		return nil, err
	}
	if c.Sep == nil || c.Cls == nil {
		return nil, fmt.Errorf("%s: sep and cls have to be there", path)
	}
	return checked(template{ids: []int32{c.Cls.id, wholeText, c.Sep.id}}, path, tokens)
}

// templatePart is a special token or a sequence. Types tell two texts of a pair apart,
// and are left out here.
type templatePart struct {
	SpecialToken *struct {
		ID   string
		Type int `json:"type_id"`
	}
	Sequence *struct {
		ID   string
		Type int `json:"type_id"`
	}
}

// readTemplate is TemplateProcessing for one text; its template for two is not read.
// A special token may be several ids.
func readTemplate(raw json.RawMessage, path string, tokens int) ([]template, error) {
	var c struct {
		Type     string
		Single   []templatePart
		Pair     json.RawMessage // for two texts, which nothing here has
		Specials map[string]struct {
			ID     string
			IDs    []int32
			Tokens []string
		} `json:"special_tokens"`
	}
	if err := settings(raw, path, &c); err != nil {
		return nil, err
	}
	list := template{apart: len(c.Single) > 1}
	for i, part := range c.Single {
		switch {
		case part.Sequence != nil && part.Sequence.ID == "A":
			list.ids = append(list.ids, wholeText)
		case part.SpecialToken != nil:
			special, ok := c.Specials[part.SpecialToken.ID]
			if !ok {
				return nil, fmt.Errorf("%s.single[%d]: %q is not among special_tokens", path, i, part.SpecialToken.ID)
			}
			for _, id := range special.IDs {
				list.ids = append(list.ids, max(id, wholeText-1))
			}
		default:
			return nil, fmt.Errorf("%s.single[%d]: it is neither a special token nor the sequence A", path, i)
		}
	}
	return checked(list, path, tokens)
}

// maxTemplate bounds a template; those in use have two or three parts.
const maxTemplate = 64

// checked refuses ids beyond the vocabulary and a template with no text or several.
func checked(list template, path string, tokens int) ([]template, error) {
	texts := 0
	for _, id := range list.ids {
		if id == wholeText {
			texts++
		} else if id < 0 || int(id) >= tokens {
			return nil, fmt.Errorf("%s: id %d is not in the vocabulary of %d", path, id, tokens)
		}
	}
	if texts != 1 || len(list.ids) > maxTemplate {
		return nil, fmt.Errorf("%s: %d parts with the text %d times; want it once among at most %d", path, len(list.ids), texts, maxTemplate)
	}
	return []template{list}, nil
}

// wrap appends ids to dst inside the templates, the last of which is outermost: what
// is before the text in each, from the last one to the first, the ids, and what is
// after it in each, from the first to the last.
func (t *Tokenizer) wrap(dst, ids []int32) []int32 {
	for i := len(t.post) - 1; i >= 0; i-- {
		for _, id := range t.post[i].ids {
			if id == wholeText {
				break
			}
			dst = append(dst, id)
		}
	}
	dst = append(dst, ids...)
	for _, list := range t.post {
		after := false
		for _, id := range list.ids {
			if after {
				dst = append(dst, id)
			}
			after = after || id == wholeText
		}
	}
	return dst
}
