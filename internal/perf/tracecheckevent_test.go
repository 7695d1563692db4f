package perf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// fields are the members of an event, with their exact names.
type fields map[string]json.RawMessage

// event checks one event by its phase.
func (c *traceCheck) event(at place, raw json.RawMessage) error {
	var f fields
	if raw[0] != '{' {
		return errors.New("no object")
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		return err
	}
	ph, err := f.text("ph")
	if err != nil {
		return err
	}
	name, err := f.text("name")
	if err != nil {
		return err
	}
	pid, err := f.integer("pid")
	if err != nil {
		return err
	}
	var check func(pid int64, name string, f fields, at place) error
	switch ph {
	case "X":
		check = c.complete
	case "i":
		check = c.instant
	case "C":
		check = c.counter
	case "M":
		check = c.metadata
	default:
		return fmt.Errorf(`phase %q is not one of X, i, C, M`, ph)
	}
	if err := check(pid, name, f, at); err != nil {
		return fmt.Errorf("%s %q: %w", ph, name, err)
	}
	return nil
}

func (c *traceCheck) complete(pid int64, _ string, f fields, at place) error {
	start, err := f.time("ts")
	if err != nil {
		return err
	}
	length, err := f.time("dur")
	if err != nil {
		return err
	}
	id, err := c.on(pid, f, at)
	if err != nil {
		return err
	}
	c.spans[id] = append(c.spans[id], checkedSpan{start, start + length, at})
	return f.args(false)
}

func (c *traceCheck) instant(pid int64, _ string, f fields, at place) error {
	if _, err := f.time("ts"); err != nil {
		return err
	}
	if _, ok := f["s"]; ok {
		if s, err := f.text("s"); err != nil || s != "g" && s != "p" && s != "t" {
			return fmt.Errorf(`"s" is %s, want "g", "p" or "t"`, f["s"])
		}
	}
	if _, err := c.on(pid, f, at); err != nil {
		return err
	}
	return f.args(false)
}

// counter: it belongs to the process; a thread is allowed, and named then.
func (c *traceCheck) counter(pid int64, _ string, f fields, at place) error {
	if _, err := f.time("ts"); err != nil {
		return err
	}
	if err := f.args(true); err != nil {
		return err
	}
	if _, ok := f["tid"]; ok {
		_, err := c.on(pid, f, at)
		return err
	}
	met(c.processes, pid, at)
	return nil
}

// metadata: the kinds that name or order something are checked, others pass.
func (c *traceCheck) metadata(pid int64, name string, f fields, at place) error {
	var args fields
	if err := json.Unmarshal(f["args"], &args); err != nil || args == nil {
		return errors.New(`no object "args"`)
	}
	switch name {
	case "process_sort_index":
		_, err := args.integer("sort_index")
		return err
	case "thread_sort_index":
		if _, err := f.integer("tid"); err != nil {
			return err
		}
		_, err := args.integer("sort_index")
		return err
	case "process_name":
		return called(c.processes, pid, args)
	case "thread_name":
		tid, err := f.integer("tid")
		if err != nil {
			return err
		}
		return called(c.threads, [2]int64{pid, tid}, args)
	}
	return nil
}

// on notes that an event stands on a row, and which.
func (c *traceCheck) on(pid int64, f fields, at place) ([2]int64, error) {
	tid, err := f.integer("tid")
	if err != nil {
		return [2]int64{}, err
	}
	met(c.processes, pid, at)
	met(c.threads, [2]int64{pid, tid}, at)
	return [2]int64{pid, tid}, nil
}

// met notes the first event of a process or a row.
func met[K comparable](rows map[K]*seenRow, id K, at place) {
	row := rows[id]
	if row == nil {
		row = new(seenRow)
		rows[id] = row
	}
	if row.first == nil {
		row.first = &at
	}
}

// called notes the name of a process or a row; it has one.
func called[K comparable](rows map[K]*seenRow, id K, args fields) error {
	name, err := args.text("name")
	if err != nil {
		return err
	}
	row := rows[id]
	if row == nil {
		row = new(seenRow)
		rows[id] = row
	}
	if row.name != nil && *row.name != name {
		return fmt.Errorf("called %q, and %q before", name, *row.name)
	}
	row.name = &name
	return nil
}

// text is a member that is a string.
func (f fields) text(key string) (string, error) {
	raw, ok := f[key]
	if !ok {
		return "", fmt.Errorf("no %q", key)
	}
	var s *string
	if err := json.Unmarshal(raw, &s); err != nil || s == nil {
		return "", fmt.Errorf("%q is %.40s, want a string", key, raw)
	}
	return *s, nil
}

// integer is a member that is a whole number.
func (f fields) integer(key string) (int64, error) {
	raw, ok := f[key]
	if !ok {
		return 0, fmt.Errorf("no %q", key)
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is %.40s, want a whole number", key, raw)
	}
	return n, nil
}

// time is a member that is a number of microseconds, not negative and less than
// 126 years; the answer is in nanoseconds. Up to three decimals are read without
// rounding, since a rounded end would overlap what begins there.
func (f fields) time(key string) (int64, error) {
	raw, ok := f[key]
	if !ok {
		return 0, fmt.Errorf("no %q", key)
	}
	us, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !(us >= 0 && us <= 4e15) {
		return 0, fmt.Errorf("%q is %.40s, want microseconds from 0 to 4e15", key, raw)
	}
	whole, decimals, _ := strings.Cut(string(raw), ".")
	if n, err := strconv.ParseInt(whole+(decimals + "000")[:max(3, len(decimals))], 10, 64); err == nil && len(decimals) <= 3 {
		return n, nil
	}
	return int64(us*1000 + 0.5), nil
}

// args checks the arguments: an object where there is one, and for a counter
// at least one figure and nothing else.
func (f fields) args(figures bool) error {
	raw, ok := f["args"]
	if !ok && !figures {
		return nil
	}
	var args fields
	if err := json.Unmarshal(raw, &args); err != nil || args == nil {
		return errors.New(`no object "args"`)
	}
	if !figures {
		return nil
	}
	if len(args) == 0 {
		return errors.New(`no figure in "args"`)
	}
	for key, raw := range args {
		if !bytes.ContainsAny(raw[:1], "-0123456789") {
			return fmt.Errorf("figure %q is %.40s, want a number", key, raw)
		}
	}
	return nil
}
