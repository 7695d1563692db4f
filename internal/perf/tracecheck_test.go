package perf

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// validate checks a timeline against the trace-event format, in its JSON
// object form, with the phases that Trace writes: complete (X), instant (i),
// counter (C) and metadata (M). It wants the keys of each phase with the right
// kinds of values, times that are not negative, a name for every process and
// every row, and on each row events that are nested or disjoint. The error says
// which event is wrong, counted from 0, and at which byte of the input it begins.
func validate(r io.Reader) error {
	c := &traceCheck{
		dec:       json.NewDecoder(r),
		processes: map[int64]*seenRow{},
		threads:   map[[2]int64]*seenRow{},
		spans:     map[[2]int64][]checkedSpan{},
	}
	if err := c.object(); err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	if err := c.whole(); err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	return nil
}

// traceCheck reads a trace event by event.
type traceCheck struct {
	dec       *json.Decoder
	processes map[int64]*seenRow
	threads   map[[2]int64]*seenRow
	spans     map[[2]int64][]checkedSpan // by pid and tid
}

// place is where an event stands.
type place struct {
	index int
	byte  int64
}

func (p place) String() string { return fmt.Sprintf("event %d at byte %d", p.index, p.byte) }

// seenRow is a process or a row: its name, once metadata gave it one, and the
// first event on it.
type seenRow struct {
	name  *string
	first *place
}

// object reads the outermost object.
func (c *traceCheck) object() error {
	if err := c.delimiter('{'); err != nil {
		return err
	}
	seen := map[string]bool{}
	for c.dec.More() {
		token, err := c.dec.Token()
		if err != nil {
			return c.broken(err)
		}
		key := token.(string) // the decoder lets nothing else be a key
		if seen[key] {
			return fmt.Errorf("byte %d: a second %q", c.dec.InputOffset(), key)
		}
		seen[key] = true
		if err := c.member(key); err != nil {
			return err
		}
	}
	if err := c.delimiter('}'); err != nil {
		return err
	}
	if !seen["traceEvents"] {
		return errors.New(`no "traceEvents"`)
	}
	if _, err := c.dec.Token(); err != io.EOF {
		return fmt.Errorf("byte %d: something after the end", c.dec.InputOffset())
	}
	return nil
}

// member reads the value of a key of the outermost object.
func (c *traceCheck) member(key string) error {
	if key == "traceEvents" {
		return c.events()
	}
	var raw json.RawMessage
	if err := c.dec.Decode(&raw); err != nil {
		return c.broken(err)
	}
	at := c.dec.InputOffset() - int64(len(raw))
	switch {
	case key == "displayTimeUnit" && string(raw) != `"ms"` && string(raw) != `"ns"`:
		return fmt.Errorf(`byte %d: displayTimeUnit is %s, want "ms" or "ns"`, at, raw)
	case key == "otherData" && raw[0] != '{':
		return fmt.Errorf("byte %d: otherData is not an object", at)
	}
	return nil
}

// events reads the list of events.
func (c *traceCheck) events() error {
	if err := c.delimiter('['); err != nil {
		return err
	}
	for i := 0; c.dec.More(); i++ {
		var raw json.RawMessage
		if err := c.dec.Decode(&raw); err != nil {
			return fmt.Errorf("event %d: %w", i, c.broken(err))
		}
		at := place{i, c.dec.InputOffset() - int64(len(raw))}
		if err := c.event(at, raw); err != nil {
			return fmt.Errorf("%v: %w", at, err)
		}
	}
	return c.delimiter(']')
}

// delimiter reads a bracket.
func (c *traceCheck) delimiter(want json.Delim) error {
	token, err := c.dec.Token()
	if err != nil {
		return c.broken(err)
	}
	if token != want {
		return fmt.Errorf("byte %d: %v where %v belongs", c.dec.InputOffset(), token, want)
	}
	return nil
}

// broken tells where the input is no JSON or ends too early.
func (c *traceCheck) broken(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("byte %d: %w", c.dec.InputOffset(), err)
}

// checkedSpan is a complete event on its row, in nanoseconds.
type checkedSpan struct {
	start, end int64
	at         place
}

// whole checks what only all events together tell: names, and overlaps.
func (c *traceCheck) whole() error {
	var wrong []wrongPlace
	for pid, p := range c.processes {
		if p.name == nil {
			wrong = append(wrong, wrongPlace{*p.first, fmt.Sprintf("process %d has no process_name", pid)})
		}
	}
	for id, t := range c.threads {
		if t.name == nil {
			wrong = append(wrong, wrongPlace{*t.first, fmt.Sprintf("thread %d of process %d has no thread_name", id[1], id[0])})
		}
	}
	for _, spans := range c.spans {
		if w, ok := overlap(spans); ok {
			wrong = append(wrong, w)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	first := slices.MinFunc(wrong, func(a, b wrongPlace) int { return a.at.index - b.at.index })
	return fmt.Errorf("%v: %s", first.at, first.what)
}

// wrongPlace is a finding of whole.
type wrongPlace struct {
	at   place
	what string
}

// overlap finds an event of a row that begins inside another and ends after it.
func overlap(spans []checkedSpan) (wrongPlace, bool) {
	slices.SortStableFunc(spans, func(a, b checkedSpan) int {
		if a.start != b.start {
			return cmp.Compare(a.start, b.start)
		}
		return cmp.Compare(b.end, a.end)
	})
	var around []checkedSpan
	for _, s := range spans {
		for len(around) > 0 && around[len(around)-1].end <= s.start {
			around = around[:len(around)-1]
		}
		if n := len(around); n > 0 && around[n-1].end < s.end {
			return wrongPlace{s.at, fmt.Sprintf("neither inside nor apart from %v on the same row", around[n-1].at)}, true
		}
		around = append(around, s)
	}
	return wrongPlace{}, false
}
