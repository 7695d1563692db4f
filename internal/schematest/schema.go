package schematest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Check lists what is wrong with a document by a schema, with the place of each.
func Check(schema, document []byte) ([]string, error) {
	var s, d any
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, fmt.Errorf("document: %w", err)
	}
	c := &checker{top: s}
	c.check("", s, d)
	return c.wrong, nil
}

type checker struct {
	top   any
	wrong []string
}

func (c *checker) add(at, format string, args ...any) {
	c.wrong = append(c.wrong, cmp.Or(at, "/")+": "+fmt.Sprintf(format, args...))
}

// check holds a value to a schema.
func (c *checker) check(at string, schema, v any) {
	s, ok := schema.(map[string]any)
	if !ok {
		c.add(at, "the schema is %T", schema)
		return
	}
	for _, word := range slices.Sorted(maps.Keys(s)) {
		rule := s[word]
		switch word {
		case "$schema", "title", "description", "$defs":
		case "$ref":
			c.check(at, c.find(at, rule), v)
		case "type":
			c.kind(at, rule, v)
		case "enum":
			if list, _ := rule.([]any); !slices.ContainsFunc(list, func(x any) bool { return reflect.DeepEqual(x, v) }) {
				c.add(at, "%v is none of %v", v, rule)
			}
		case "minimum", "maximum", "minLength":
			c.bound(at, word, rule, v)
		case "items":
			list, _ := v.([]any)
			for i, item := range list {
				c.check(fmt.Sprintf("%s/%d", at, i), rule, item)
			}
		case "properties", "required", "additionalProperties":
			c.object(at, word, s, v)
		default:
			c.add(at, "the schema says %q, which is not checked here", word)
		}
	}
}

// find is the schema that a reference within the same one names.
func (c *checker) find(at string, ref any) any {
	path, _ := ref.(string)
	found := c.top
	for name := range strings.SplitSeq(strings.TrimPrefix(path, "#/"), "/") {
		m, _ := found.(map[string]any)
		if found = m[name]; found == nil {
			c.add(at, "the schema refers to %v, which is not there", ref)
			return map[string]any{}
		}
	}
	return found
}

func (c *checker) kind(at string, rule, v any) {
	kinds, several := rule.([]any)
	if !several {
		kinds = []any{rule}
	}
	if !slices.ContainsFunc(kinds, func(kind any) bool { return isOf(kind, v) }) {
		c.add(at, "%v is no %v", v, rule)
	}
}

// isOf tells whether a value is of a kind.
func isOf(kind, v any) bool {
	switch v := v.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string"
	case float64:
		return kind == "number" || kind == "integer" && v == math.Trunc(v)
	case []any:
		return kind == "array"
	}
	return kind == "object"
}

func (c *checker) bound(at, word string, rule, v any) {
	limit, _ := rule.(float64)
	switch v := v.(type) {
	case float64:
		if word == "minimum" && v < limit || word == "maximum" && v > limit {
			c.add(at, "%v breaks the %s of %v", v, word, limit)
		}
	case string:
		if word == "minLength" && float64(len(v)) < limit {
			c.add(at, "%q is shorter than %v", v, limit)
		}
	}
}

func (c *checker) object(at, word string, s map[string]any, v any) {
	o, isObject := v.(map[string]any)
	if !isObject {
		return
	}
	known, _ := s["properties"].(map[string]any)
	switch word {
	case "required":
		names, _ := s[word].([]any)
		for _, name := range names {
			if _, there := o[name.(string)]; !there {
				c.add(at, "%v is missing", name)
			}
		}
	case "properties":
		for _, name := range slices.Sorted(maps.Keys(known)) {
			if value, there := o[name]; there {
				c.check(at+"/"+name, known[name], value)
			}
		}
	case "additionalProperties":
		for _, name := range slices.Sorted(maps.Keys(o)) {
			if _, there := known[name]; !there && s[word] == false {
				c.add(at, "%q is not in the schema", name)
			}
		}
	}
}
