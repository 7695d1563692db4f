package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Bounds on what is parsed. The parser takes time with the square of the
// tokens (0.5 s for 36,000 of them on two cores) and keeps a path for each
// level, so both are bounded before it starts.
const (
	MaxBytes  = 1 << 20 // of a file, which readers of files keep to
	maxTokens = 32_768
	maxFlow   = 64     // brackets and braces within each other
	maxColumn = 1_024  // of what opens a block level
	maxMerged = 4_096  // entries that merge keys may bring into a section
	maxParts  = 12_288 // entries of the sections within its values: more than maxTokens can spell out without an alias
)

type nodeKind int

const (
	nullNode   nodeKind = iota
	plainNode           // a scalar without quotes
	quotedNode          // a scalar that is a string by its quotes or its | or >
	listNode
	mapNode
	otherNode // a tag, an alias to nothing
)

// node is one value of the file. An alias is the node that it names, shared
// and not copied, so that no file can grow in memory.
type node struct {
	kind      nodeKind
	line, col int    // where it begins; an alias begins where its anchor does
	text      string // of scalars; what it is, for otherNode
	items     []*node
	entries   []entry
	flow      bool // a mapping in braces
}

// entry is one `key: value`.
type entry struct {
	key       string
	line, col int
	value     *node
	merge     bool // `<<: value`
}

// fault is why a file is no tree.
type fault struct {
	line, col int
	message   string
}

// parseTree turns YAML into nodes, or says what is wrong with it. The parser
// has panicked on odd input in the past; that is the file's fault too.
func parseTree(src string) (root *node, bad *fault) {
	defer func() {
		if r := recover(); r != nil {
			root, bad = nil, &fault{message: "the YAML parser cannot read this file"}
		}
	}()
	tokens := lexer.Tokenize(src)
	if bad := bound(tokens); bad != nil {
		return nil, bad
	}
	// Repeated keys are reported by the loader, with both lines.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, syntaxFault(err)
	}
	// Empty documents, such as one that ends in "---", are let pass.
	var body ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if body != nil {
			p := doc.Body.GetToken().Position
			return nil, &fault{p.Line, p.Column, "a second document begins here; a config is one"}
		}
		body = doc.Body
	}
	b := builder{anchors: map[string]*node{}}
	return b.node(body), nil
}

// bound refuses what would make the parser slow or deep.
func bound(tokens token.Tokens) *fault {
	// Outside brackets the column bounds how many levels there can be; inside
	// brackets the brackets are counted.
	flow := 0
	for i, t := range tokens {
		p := t.Position
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow = max(0, flow-1)
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType:
			if flow == 0 && p.Column > maxColumn {
				return &fault{p.Line, p.Column, fmt.Sprintf("nested too deeply: a level begins right of column %d", maxColumn)}
			}
		}
		if flow > maxFlow {
			return &fault{p.Line, p.Column, fmt.Sprintf("nested too deeply: more than %d brackets within each other", maxFlow)}
		}
		if i >= maxTokens {
			return &fault{p.Line, p.Column, fmt.Sprintf("too long: more than %d values and signs", maxTokens)}
		}
	}
	return nil
}

// syntaxFault takes the place and the message of a parser's error, without the lines
// of the file that its text quotes. Of any other error it takes the first line.
func syntaxFault(err error) *fault {
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil && at.GetToken().Position != nil {
		p := at.GetToken().Position
		return &fault{p.Line, p.Column, "not YAML: " + at.GetMessage()}
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return &fault{message: "not YAML: " + first}
}

// builder remembers the anchors seen so far; an alias can name only those, so
// there are no cycles.
type builder struct{ anchors map[string]*node }

func (b *builder) node(n ast.Node) *node {
	made := b.make(n)
	if made.line > 0 || n == nil {
		return made // an alias or an anchor: the node that it names
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		made.line, made.col = t.Position.Line, t.Position.Column
	}
	if len(made.entries) > 0 {
		made.line, made.col = made.entries[0].line, made.entries[0].col
	}
	return made
}

func (b *builder) make(n ast.Node) *node {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return &node{kind: nullNode}
	case *ast.AnchorNode:
		v := b.node(n.Value)
		b.anchors[n.Name.GetToken().Value] = v
		return v
	case *ast.AliasNode:
		if v, ok := b.anchors[n.Value.GetToken().Value]; ok {
			return v
		}
		return &node{kind: otherNode, text: "an alias to an anchor that does not stand above it"}
	case *ast.TagNode:
		return &node{kind: otherNode, text: "a YAML tag"}
	case *ast.LiteralNode:
		return &node{kind: quotedNode, text: n.Value.Value}
	case *ast.SequenceNode:
		list := &node{kind: listNode}
		for _, v := range n.Values {
			list.items = append(list.items, b.node(v))
		}
		return list
	case *ast.MappingNode:
		m := &node{kind: mapNode, flow: n.IsFlowStyle}
		for _, v := range n.Values {
			m.entries = append(m.entries, b.entry(v))
		}
		return m
	case *ast.MappingValueNode:
		return &node{kind: mapNode, entries: []entry{b.entry(n)}}
	}
	t := n.GetToken()
	if t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType {
		return &node{kind: quotedNode, text: t.Value}
	}
	return &node{kind: plainNode, text: strings.TrimSpace(t.Value)}
}

func (b *builder) entry(v *ast.MappingValueNode) entry {
	var key ast.Node = v.Key
	if k, ok := key.(*ast.MappingKeyNode); ok && k.Value != nil {
		key = k.Value // `? key`
	}
	t := key.GetToken()
	return entry{key: t.Value, line: t.Position.Line, col: t.Position.Column, value: b.node(v.Value), merge: v.Key.IsMergeKey()}
}

// budget is how many more entries merge keys may bring.
type budget int

var tooManyParts = fmt.Sprintf("merge keys and aliases bring more than %d keys", maxParts)

// take is merged for a mapping within a value, whose own entries count as well:
// an alias may repeat it many times over.
func (left *budget) take(m *node) (entries []entry, ok bool) {
	entries, ok = left.merged(m)
	if *left -= budget(len(entries)); !ok || *left < 0 {
		*left = -1
		return nil, false
	}
	return entries, true
}

// merged is the entries of a mapping with those of its merge keys after them,
// as far as the mapping does not have them itself; ok is false when they are
// more than the budget allows, which is more than anybody writes.
func (left *budget) merged(m *node) (entries []entry, ok bool) {
	have := map[string]bool{}
	var merges []*node
	for _, e := range m.entries {
		if e.merge {
			merges = append(merges, e.value)
			continue
		}
		have[e.key] = true
		entries = append(entries, e)
	}
	// Each visit is counted, since one anchor may be merged many times over.
	for ; len(merges) > 0; *left-- {
		from := merges[0]
		merges = merges[1:]
		if len(entries)+len(merges) > int(*left) {
			*left = -1
			return entries, false
		}
		if from.kind == listNode {
			merges = slices.Concat(from.items, merges)
			continue
		}
		var own []string
		for _, e := range from.entries {
			switch {
			case e.merge:
				merges = append(merges, e.value)
			case !have[e.key]:
				own = append(own, e.key)
				entries = append(entries, e)
			}
		}
		for _, k := range own {
			have[k] = true
		}
	}
	return entries, true
}
