package perf

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// head names what the events of the tests stand on.
const head = `{"name":"process_name","ph":"M","pid":1,"args":{"name":"host"}},
{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"fill"}}`

func TestValidateFindsWhatIsWrong(t *testing.T) {
	tests := []struct {
		name   string
		events string // after head; an event is number 2, 3, ...
		want   string // in the error; empty: valid
	}{
		{"a complete event", `{"name":"a","ph":"X","pid":1,"tid":1,"ts":1,"dur":2}`, ""},
		{"an exponent is a number", `{"name":"a","ph":"X","pid":1,"tid":1,"ts":1e3,"dur":2.5E-1}`, ""},
		{"no name", `{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2}`, `event 2 at byte 153: no "name"`},
		{"no phase", `{"name":"a","pid":1,"tid":1,"ts":1,"dur":2}`, `event 2 at byte 153: no "ph"`},
		{"no process", `{"name":"a","ph":"X","tid":1,"ts":1,"dur":2}`, `no "pid"`},
		{"no thread", `{"name":"a","ph":"X","pid":1,"ts":1,"dur":2}`, `no "tid"`},
		{"no start", `{"name":"a","ph":"X","pid":1,"tid":1,"dur":2}`, `X "a": no "ts"`},
		{"no length", `{"name":"a","ph":"X","pid":1,"tid":1,"ts":1}`, `no "dur"`},
		{"the case of a key counts", `{"name":"a","ph":"X","pid":1,"tid":1,"TS":1,"dur":2}`, `no "ts"`},
		{"a start before the start", `{"name":"a","ph":"X","pid":1,"tid":1,"ts":-1,"dur":2}`, `"ts" is -1`},
		{"a negative length", `{"name":"a","ph":"X","pid":1,"tid":1,"ts":1,"dur":-0.001}`, `"dur" is -0.001`},
		{"a time in quotes", `{"name":"a","ph":"X","pid":1,"tid":1,"ts":"1","dur":2}`, `"ts" is "1"`},
		{"a time beyond any", `{"name":"a","ph":"X","pid":1,"tid":1,"ts":1e400,"dur":2}`, `"ts" is 1e400`},
		{"a time that fits no 63 bits of nanoseconds", `{"name":"a","ph":"X","pid":1,"tid":1,"ts":1e16,"dur":2}`, `"ts" is 1e16`},
		{"no time", `{"name":"a","ph":"X","pid":1,"tid":1,"ts":null,"dur":2}`, `"ts" is null`},
		{"a name that is none", `{"name":null,"ph":"X","pid":1,"tid":1,"ts":1,"dur":2}`, `"name" is null`},
		{"half a process", `{"name":"a","ph":"X","pid":1.5,"tid":1,"ts":1,"dur":2}`, `"pid" is 1.5`},
		{"arguments that are not an object", `{"name":"a","ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"args":[1]}`, `no object "args"`},
		{"a phase that we do not write", `{"name":"a","ph":"Q","pid":1,"tid":1,"ts":1}`, `phase "Q"`},
		{"no object", `7`, "event 2 at byte 153: no object"},
		{"a process without a name", `{"name":"a","ph":"X","pid":2,"tid":1,"ts":1,"dur":2}`, "event 2 at byte 153: process 2 has no process_name"},
		{"a row without a name", `{"name":"a","ph":"i","pid":1,"tid":9,"ts":1}`, "thread 9 of process 1 has no thread_name"},
		{"a process of two names", `{"name":"process_name","ph":"M","pid":1,"args":{"name":"guest"}}`, `called "guest", and "host" before`},
		{"the same name twice", `{"name":"process_name","ph":"M","pid":1,"args":{"name":"host"}}`, ""},
		{"a row of no thread", `{"name":"thread_name","ph":"M","pid":1,"args":{"name":"guest"}}`, `no "tid"`},
		{"a name without a name", `{"name":"process_name","ph":"M","pid":1,"args":{}}`, `M "process_name": no "name"`},
		{"an order without a number", `{"name":"process_sort_index","ph":"M","pid":1,"args":{"sort_index":"1"}}`, `"sort_index" is "1"`},
		{"an order of threads of none", `{"name":"thread_sort_index","ph":"M","pid":1,"args":{"sort_index":1}}`, `no "tid"`},
		{"metadata without arguments", `{"name":"process_labels","ph":"M","pid":1}`, `no object "args"`},
		{"an instant", `{"name":"a","ph":"i","pid":1,"tid":1,"ts":1,"s":"g"}`, ""},
		{"an instant of another scope", `{"name":"a","ph":"i","pid":1,"tid":1,"ts":1,"s":"x"}`, `"s" is "x"`},
		{"an instant at no time", `{"name":"a","ph":"i","pid":1,"tid":1}`, `no "ts"`},
		{"a counter of a process", `{"name":"a","ph":"C","pid":1,"ts":1,"args":{"n":-1.5}}`, ""},
		{"a counter of nothing", `{"name":"a","ph":"C","pid":1,"ts":1}`, `no object "args"`},
		{"a counter without figures", `{"name":"a","ph":"C","pid":1,"ts":1,"args":{}}`, "no figure"},
		{"a counter of words", `{"name":"a","ph":"C","pid":1,"ts":1,"args":{"n":"many"}}`, `figure "n" is "many"`},
		{"a counter of a process without a name", `{"name":"a","ph":"C","pid":3,"ts":1,"args":{"n":1}}`, "process 3 has no process_name"},
		{"no JSON", `{"name":"a",}`, "event 2: byte"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			trace := `{"traceEvents":[` + head + ",\n" + tt.events + `]}`
			expect(t, trace, tt.want)
		})
	}
}

// expect compares what validate says with a part of it, none for valid.
func expect(t *testing.T, trace, want string) {
	t.Helper()
	err := validate(strings.NewReader(trace))
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("validate(%s) = %v, want %q", trace, err, want)
	}
}

func TestValidateFindsOverlaps(t *testing.T) {
	event := func(tid, ts, dur string) string {
		return `{"name":"a","ph":"X","pid":1,"tid":` + tid + `,"ts":` + ts + `,"dur":` + dur + `}`
	}
	tests := []struct {
		name   string
		events []string
		want   string
	}{
		{"one after the other", []string{event("1", "0", "5"), event("1", "5", "5")}, ""},
		{"one in the other, the inner first", []string{event("1", "1", "2"), event("1", "0", "5")}, ""},
		{"the same twice", []string{event("1", "1", "2"), event("1", "1", "2")}, ""},
		{"with one end in common", []string{event("1", "0", "5"), event("1", "3", "2"), event("1", "0", "2")}, ""},
		{"on two rows", []string{event("1", "0", "5"), event("2", "3", "5")}, ""},
		{"by a nanosecond", []string{event("1", "0", "5"), event("1", "4.999", "5")}, "event 4 at byte 276: neither inside nor apart from event 3"},
		{"by a nanosecond at the end", []string{event("1", "0", "5"), event("1", "1", "4.001")}, "event 4"},
		{"not by rounding", []string{event("1", "0", "8999999999999.999"), event("1", "8999999999999.999", "5")}, ""},
		{"by a nanosecond after a year", []string{event("1", "0", "31536000000000.001"), event("1", "31536000000000.000", "5")}, "event 4"},
		{"with one further back than the last", []string{event("1", "0", "10"), event("1", "1", "1"), event("1", "9", "2")}, "event 5 at byte 330: neither inside nor apart from event 3"},
		{"written in any order", []string{event("1", "9", "2"), event("1", "0", "10")}, "event 3"},
		{"the first of two", []string{event("1", "0", "5"), event("1", "3", "5"), event("2", "0", "5"), event("2", "3", "5")}, "event 4"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			second := `{"name":"thread_name","ph":"M","pid":1,"tid":2,"args":{"name":"copy"}}`
			all := append([]string{head, second}, tt.events...)
			expect(t, `{"traceEvents":[`+strings.Join(all, ",")+`]}`, tt.want)
		})
	}
}

func TestValidateReadsTheWholeObject(t *testing.T) {
	tests := []struct{ name, trace, want string }{
		{"nothing", ``, "byte 0: unexpected EOF"},
		{"an empty list", `{"traceEvents":[]}`, ""},
		{"other members", `{"otherData":{"a":[1,{}]},"x":null,"displayTimeUnit":"ns","traceEvents":[]}`, ""},
		{"the list form", `[]`, "[ where { belongs"},
		{"no list", `{}`, `no "traceEvents"`},
		{"something else for the list", `{"traceEvents":{}}`, "{ where [ belongs"},
		{"two lists", `{"traceEvents":[],"traceEvents":[]}`, `a second "traceEvents"`},
		{"a unit that is none", `{"traceEvents":[],"displayTimeUnit":"s"}`, `byte 36: displayTimeUnit is "s"`},
		{"other data that is a list", `{"traceEvents":[],"otherData":[]}`, "byte 30: otherData is not an object"},
		{"a cut list", `{"traceEvents":[{}`, "event 0"},
		{"a cut object", `{"traceEvents":[]`, "unexpected EOF"},
		{"more after the end", `{"traceEvents":[]} x`, "something after the end"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { expect(t, tt.trace, tt.want) })
	}
}

// TestEveryMutationOfARequiredKeyIsFound takes each event of a trace, and
// each of its keys in turn is left out, renamed, and given a value of another
// kind.
func TestEveryMutationOfARequiredKeyIsFound(t *testing.T) {
	var file map[string]any
	if err := json.Unmarshal([]byte(smallTrace), &file); err != nil {
		t.Fatal(err)
	}
	events := file["traceEvents"].([]any)
	mutations := 0
	for _, e := range events {
		e := e.(map[string]any)
		for key, value := range e {
			if key == "args" && (e["ph"] == "X" || e["ph"] == "i") || key == "s" || key == "tid" && e["tid"] == 0.0 {
				continue // may be left out
			}
			for _, mutate := range []func(){
				func() { delete(e, key) },
				func() { delete(e, key); e["z"+key] = value },
				func() { e[key] = []any{value} },
				func() { e[key] = nil },
			} {
				if key == "tid" && e["ph"] == "C" {
					continue
				}
				mutate()
				mutations++
				b, _ := json.Marshal(file)
				if err := validate(bytes.NewReader(b)); err == nil {
					t.Errorf("valid with a mutated %q: %v", key, e)
				}
				delete(e, "z"+key)
				e[key] = value
			}
		}
	}
	if mutations < 150 {
		t.Errorf("only %d mutations", mutations)
	}
	b, _ := json.Marshal(file)
	expect(t, string(b), "")
}

// FuzzTraceCheck: no panic, and what is valid is JSON whose pieces are not.
func FuzzTraceCheck(f *testing.F) {
	f.Add([]byte(smallTrace))
	f.Add([]byte(`{"traceEvents":[` + head + `,{"name":"a","ph":"X","pid":1,"tid":1,"ts":1e3,"dur":2.5}],"otherData":{}}`))
	f.Add([]byte(`{"traceEvents":[{"name":"a","ph":"C","pid":-1,"tid":null,"ts":0,"args":{"a":0}}]}`))
	f.Fuzz(func(t *testing.T, trace []byte) {
		if validate(bytes.NewReader(trace)) != nil {
			return
		}
		if !json.Valid(trace) {
			t.Fatalf("valid, and no JSON: %q", trace)
		}
		cut := bytes.TrimRight(trace, " \t\r\n")
		if validate(bytes.NewReader(cut[:len(cut)-1])) == nil {
			t.Fatalf("valid without its last byte: %q", trace)
		}
	})
}
