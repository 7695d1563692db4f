package array

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// literal reads the dict of Python that an npy file has for a header: text, True and
// False, integers, tuples of integers; nothing else occurs in one.
type literal struct {
	s string
}

// parseNPYHeader reads the three keys, which NumPy wants to be there and alone.
func parseNPYHeader(text []byte) (npyFront, error) {
	var h npyFront
	p := &literal{s: string(text)}
	if !p.take('{') {
		return h, errors.New("it is no dict")
	}
	seen := map[string]bool{}
	for !p.take('}') {
		key, err := p.text()
		if err != nil {
			return h, err
		}
		if seen[key] || !p.take(':') {
			return h, fmt.Errorf("at key %q", key)
		}
		seen[key] = true
		switch key {
		case "descr":
			err = p.descr(&h)
		case "fortran_order":
			h.fortran, err = p.truth()
		case "shape":
			h.shape, err = p.tuple()
		default:
			err = fmt.Errorf("key %q is unknown", key)
		}
		if err != nil {
			return h, err
		}
		if !p.take(',') && !p.sees('}') {
			return h, fmt.Errorf("a comma is missing before %.20q", p.s)
		}
	}
	if p.spaces(); p.s != "" {
		return h, fmt.Errorf("%.20q follows it", p.s)
	}
	if len(seen) != 3 {
		return h, errors.New("it needs descr, fortran_order and shape")
	}
	return h, nil
}

// spaces skips white space, of which Python allows any within a dict.
func (p *literal) spaces() { p.s = strings.TrimLeft(p.s, " \t\r\n\f") }

// sees reports whether a character is next.
func (p *literal) sees(c byte) bool {
	p.spaces()
	return p.s != "" && p.s[0] == c
}

// take is sees, and goes past the character.
func (p *literal) take(c byte) bool {
	ok := p.sees(c)
	if ok {
		p.s = p.s[1:]
	}
	return ok
}

// text is a string without escapes: none of the keys and types has any. A letter in
// front of the quote is Python 2's.
func (p *literal) text() (string, error) {
	p.spaces()
	s := strings.TrimLeft(p.s, "ub")
	if s == "" || s[0] != '\'' && s[0] != '"' {
		return "", fmt.Errorf("a text in quotes is missing at %.20q", p.s)
	}
	text, rest, closed := strings.Cut(s[1:], s[:1])
	if !closed || strings.ContainsAny(text, "\\\n") {
		return "", fmt.Errorf("a text in quotes is missing at %.20q", p.s)
	}
	p.s = rest
	return text, nil
}

// descr is the type of the elements.
func (p *literal) descr(h *npyFront) error {
	if p.sees('[') || p.sees('(') {
		return errors.New("it holds records of several fields (a structured type); save one array for each field")
	}
	text, err := p.text()
	if err != nil {
		return err
	}
	return h.setType(text)
}

func (p *literal) truth() (bool, error) {
	p.spaces()
	for word, value := range map[string]bool{"True": true, "False": false} {
		if rest, ok := strings.CutPrefix(p.s, word); ok {
			p.s = rest
			return value, nil
		}
	}
	return false, fmt.Errorf("neither True nor False stands at %.20q", p.s)
}

// tuple is a tuple of integers. Python 2 wrote an L after some.
func (p *literal) tuple() ([]int, error) {
	if !p.take('(') {
		return nil, fmt.Errorf("a tuple is missing at %.20q", p.s)
	}
	shape := []int{}
	for comma := true; !p.take(')'); {
		p.spaces()
		digits := len(p.s) - len(strings.TrimLeft(p.s, "-0123456789"))
		n, err := strconv.Atoi(p.s[:digits])
		if err != nil || !comma || len(shape) == maxAxes {
			return nil, fmt.Errorf("a shape is missing at %.20q", p.s)
		}
		shape = append(shape, n)
		p.s = strings.TrimPrefix(p.s[digits:], "L")
		if comma = p.take(','); !comma && len(shape) == 1 {
			return nil, errors.New("its shape is a number and no tuple")
		}
	}
	return shape, nil
}
