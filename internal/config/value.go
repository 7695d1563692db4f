package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// complaint is what is wrong with a value; its zero value is nothing.
type complaint struct {
	message, hint string
	part          string // of the value, as in "[1].weight"; "": all of it
	line, col     int    // of the part; 0: those of the key
	warning       bool
}

func (c complaint) isError() bool { return c.message != "" && !c.warning }

// wrong is the list of one complaint, nil of none.
func wrong(c complaint) []complaint {
	if c.message == "" {
		return nil
	}
	return []complaint{c}
}

// readValue turns a node into the value of a key: int, float64, bool, string,
// []string, []int, map[string]string, Columns or []Corpus, nil for null. left bounds what
// values that hold sections may bring by merge keys and aliases.
func readValue(k Key, n *node, left *budget) (any, []complaint) {
	if n.kind == nullNode {
		return nil, nil
	}
	switch k.Kind {
	case Table, Names:
		return readTable(k, n, left)
	case Sources:
		return readColumns(k, n, left)
	case Corpora:
		return readCorpora(k, n, left)
	}
	v, bad := readPlain(k, n)
	if bad.message == "" && k.OnlyDefault && !isDefault(k, v) {
		bad = complaint{message: fmt.Sprintf("%s is not in this version", show(v)), hint: neutralHint(k)}
	}
	return v, wrong(bad)
}

// readPlain reads a scalar or a list of them.
func readPlain(k Key, n *node) (any, complaint) {
	switch k.Kind {
	case Int:
		return readInt(k, n)
	case Float:
		return readFloat(k, n)
	case Bool:
		return readBool(n)
	case Enum:
		return readEnum(k, n)
	case List:
		return readList(n)
	case Ints:
		return readInts(k, n)
	case Symbols:
		return readSymbols(n)
	}
	return readString(n) // String, Path
}

// readInt refuses what YAML readers disagree on, which is a 0 in front. 1e3 and
// 22050.0 mean the same to all of them and are taken.
func readInt(k Key, n *node) (any, complaint) {
	if n.kind != plainNode {
		return nil, wrongKind(n, "a whole number")
	}
	if digits := strings.TrimLeft(n.text, "+-"); len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
		return nil, complaint{message: fmt.Sprintf("%s begins with 0, which YAML readers take for octal", n.text), hint: "write it without the 0"}
	}
	f, err := strconv.ParseFloat(n.text, 64)
	if err != nil || f != math.Trunc(f) || math.IsInf(f, 0) {
		return nil, wrongKind(n, "a whole number")
	}
	if bad := inRange(k, f, n.text); bad.message != "" {
		return nil, bad
	}
	return int(f), complaint{}
}

func readFloat(k Key, n *node) (any, complaint) {
	if n.kind != plainNode {
		return nil, wrongKind(n, "a number")
	}
	f, err := strconv.ParseFloat(n.text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, wrongKind(n, "a number")
	}
	return f, inRange(k, f, n.text)
}

func inRange(k Key, f float64, text string) complaint {
	if f >= k.Min && f <= k.Max {
		return complaint{}
	}
	return complaint{message: fmt.Sprintf("%s is outside %s to %s", clip(text), number(k.Min), number(k.Max)), hint: ""}
}

// readBool takes yes, no, on and off too, as the trainer's YAML 1.1 does.
func readBool(n *node) (any, complaint) {
	if n.kind == plainNode {
		switch strings.ToLower(n.text) {
		case "true", "yes", "on":
			return true, complaint{}
		case "false", "no", "off":
			return false, complaint{}
		}
	}
	return nil, wrongKind(n, "true or false")
}

// readString takes any scalar by its letters: a name may look like a number,
// and the language code no is not false.
func readString(n *node) (any, complaint) {
	if n.kind != plainNode && n.kind != quotedNode {
		return nil, wrongKind(n, "a text")
	}
	return n.text, complaint{}
}

func readEnum(k Key, n *node) (any, complaint) {
	v, bad := readString(n)
	if bad.message != "" {
		return nil, bad
	}
	s := v.(string)
	have := strings.Join(k.Enum, ", ")
	switch {
	case slices.Contains(k.Enum, s):
		return s, complaint{}
	case slices.Contains(k.Later, s):
		return nil, complaint{message: fmt.Sprintf("%q is not in this version", s), hint: "it has " + have}
	}
	bad = complaint{message: fmt.Sprintf("%q is not one of %s", clip(s), have), hint: ""}
	if near := nearest(s, k.Enum); near != "" {
		bad.hint = fmt.Sprintf("did you mean %s?", near)
	}
	return nil, bad
}

func readList(n *node) (any, complaint) {
	if n.kind == plainNode || n.kind == quotedNode {
		return []string{n.text}, complaint{}
	}
	if n.kind != listNode {
		return nil, wrongKind(n, "a list")
	}
	list := make([]string, 0, len(n.items))
	for i, item := range n.items {
		v, bad := readString(item)
		if bad.message != "" {
			return nil, complaint{message: fmt.Sprintf("item %d: %s", i+1, bad.message), hint: bad.hint}
		}
		list = append(list, v.(string))
	}
	return list, complaint{}
}

// readSymbols takes a list as it stands. A text is its characters after the
// five specials, as nobody can write those as one character each.
func readSymbols(n *node) (any, complaint) {
	if n.kind == listNode {
		return readList(n)
	}
	v, bad := readString(n)
	if bad.message != "" {
		return nil, wrongKind(n, "a list or a text of characters")
	}
	list := slices.Clone(specialNames)
	for _, r := range v.(string) {
		list = append(list, string(r))
	}
	return list, complaint{}
}

// wrongKind says what stands where want should.
func wrongKind(n *node, want string) complaint {
	var is, hint string
	switch n.kind {
	case plainNode:
		is = fmt.Sprintf("%q", clip(n.text))
	case quotedNode:
		is = fmt.Sprintf("%q in quotes", clip(n.text))
		hint = "take the quotes away"
	case listNode:
		is = "a list"
	case mapNode:
		is = "a section"
	case nullNode:
		is = "an empty value"
	default:
		is = n.text
	}
	if want == "a text" {
		hint = ""
	}
	return complaint{message: is + " is not " + want, hint: hint}
}

func isDefault(k Key, v any) bool {
	switch v := v.(type) {
	case []string:
		return len(v) == 0
	case string:
		return v == "" || v == k.Default
	}
	return v == k.Default
}

func neutralHint(k Key) string {
	if b, ok := k.Default.(bool); ok {
		return fmt.Sprintf("set it to %t or take it away", b)
	}
	return "take it away"
}

// show is a value for a message.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(clip(v))
	case []string:
		return fmt.Sprintf("a list of %d", len(v))
	case float64:
		return number(v)
	}
	return fmt.Sprint(v)
}

// number writes a float without an exponent.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// clip keeps a message on one line of a terminal.
func clip(s string) string {
	const limit = 60
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit]) + "…"
}
