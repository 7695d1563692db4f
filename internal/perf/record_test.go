package perf

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// feedRecord is a record as a feed leaves it.
func feedRecord(t testing.TB) RunRecord {
	t.Helper()
	stage := NewStage("fill")
	stage.Work(3*time.Millisecond, 1, 8<<20)
	r := RunRecord{
		Kind:        "feed",
		Version:     "1.2.3",
		Started:     time.Date(2026, 11, 1, 5, 6, 40, 123e6, time.FixedZone("IRST", 3.5*3600)),
		Seconds:     2.5,
		Host:        Host{OS: "linux", Arch: "amd64", Cores: 2, Go: "go1.26.8"},
		Settings:    map[string]any{"batch_size": 32, "device": "cuda", "digest": false, "seed": uint64(math.MaxUint64)},
		Stages:      []StageSummary{stage.Summary()},
		Calibration: map[string]float64{"memcpy_bytes_per_second": 21.5e9},
		Notes:       []string{"step variation > 30 %"},
	}
	if err := r.SetResults(map[string]any{"samples": 13100}); err != nil {
		t.Error(err)
	}
	return r
}

func TestARecordIsReadBackAsItWas(t *testing.T) {
	want := feedRecord(t)
	b, err := want.encode()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte("variation > 30 %")) {
		t.Errorf("the note cannot be read by people in %s", b)
	}
	got, err := ReadRecord(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	want.Format = 1
	want.Started = want.Started.UTC()
	want.Settings = map[string]any{"batch_size": json.Number("32"), "device": "cuda", "digest": false, "seed": json.Number("18446744073709551615")}
	var results struct{ Samples int }
	if err := json.Unmarshal(got.Results, &results); err != nil || results.Samples != 13100 {
		t.Errorf("results = %s, %v", got.Results, err)
	}
	got.Results, want.Results = nil, nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("ReadRecord() = %+v, want %+v", got, want)
	}
}

func TestARecordHasAllItsMembersAndNoNull(t *testing.T) {
	b, err := RunRecord{Kind: "build", Started: time.Unix(1.8e9, 0)}.encode()
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := json.Compact(&got, b); err != nil {
		t.Fatal(err)
	}
	const want = `{"format":1,"kind":"build","version":"","started":"2027-01-15T08:00:00Z","seconds":0,` +
		`"host":{"os":"","arch":"","cores":0,"go":""},"settings":{},"results":{},"stages":[],"calibration":{},"notes":[]}`
	if got.String() != want {
		t.Errorf("encode() = %s, want %s", got.String(), want)
	}
}

func TestARecordThatCouldNotBeReadBackIsRefused(t *testing.T) {
	set := func(key string, value any) func(*RunRecord) {
		return func(r *RunRecord) { r.Settings = map[string]any{key: value} }
	}
	tests := []struct {
		name  string
		spoil func(*RunRecord)
		want  string
	}{
		{"no kind", func(r *RunRecord) { r.Kind = "" }, `kind ""`},
		{"a kind that is a path", func(r *RunRecord) { r.Kind = "../x" }, `kind "../x"`},
		{"a kind with the separator of names", func(r *RunRecord) { r.Kind = "a-b" }, `kind "a-b"`},
		{"a long kind", func(r *RunRecord) { r.Kind = strings.Repeat("a", 33) }, "kind"},
		{"no start", func(r *RunRecord) { r.Started = time.Time{} }, "year 1"},
		{"a negative time", func(r *RunRecord) { r.Seconds = -1 }, "-1 seconds"},
		{"a time that is not a number", func(r *RunRecord) { r.Seconds = math.NaN() }, "NaN seconds"},
		{"results that are a list", func(r *RunRecord) { r.Results = []byte("[]") }, "not an object"},
		{"results that are blank", func(r *RunRecord) { r.Results = []byte(" ") }, "not an object"},
		{"results that are no JSON", func(r *RunRecord) { r.Results = []byte("{") }, "run record: json"},
		{"a setting that is a list", set("buckets", []int{1}), "setting buckets is a []int"},
		{"a setting of nothing", set("split", nil), "setting split"},
		{"a setting that is a path", set("store", "/data/corpus"), "setting store is the path"},
		{"a setting under a home", set("store", "~/corpus"), "setting store is the path"},
		{"a setting on a drive", set("store", `C:\corpus`), "setting store is the path"},
		{"a setting that is not a number", set("rate", math.Inf(1)), "unsupported value"},
		{"a calibration that is not a number", func(r *RunRecord) { r.Calibration = map[string]float64{"copy": math.Inf(1)} }, "calibration copy is +Inf"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := feedRecord(t)
			tt.spoil(&r)
			path, err := r.Write(t.TempDir(), strings.NewReader("abcd"), 0)
			if err == nil || !strings.Contains(err.Error(), tt.want) || path != "" {
				t.Errorf("Write() = %q, %v, want %q", path, err, tt.want)
			}
		})
	}
}

func TestReadRecordOfForeignBytes(t *testing.T) {
	const good = `{"format":1,"kind":"feed","started":"2026-11-01T00:00:00Z"`
	tests := []struct{ name, in, want string }{
		{"members left out", good + `}`, ""},
		{"members unknown to us", good + `,"gpu":{"name":"x"},"host":{"boost":true}}`, ""},
		{"nulls", good + `,"settings":null,"results":null,"stages":null,"notes":null}`, ""},
		{"a newer format", `{"format":2,"kind":7}`, "format 2, known is 1: of a newer format; use"},
		{"no format", `{"kind":"feed"}`, `no "format"`},
		{"a format of nothing", `{"format":0}`, `no "format"`},
		{"a format in words", `{"format":"one"}`, "run record: json"},
		{"nothing", ``, "unexpected end"},
		{"two records", good + `}` + good + `}`, "after top-level value"},
		{"a kind of another", `{"format":1,"kind":"Feed!","started":"2026-11-01T00:00:00Z"}`, "kind"},
		{"no start", `{"format":1,"kind":"feed"}`, "year 1"},
		{"results that are a number", good + `,"results":7}`, "not an object"},
		{"more than a record", good + `,"x":"` + strings.Repeat("x", maxRecord) + `"}`, "larger than 16 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := ReadRecord(strings.NewReader(tt.in))
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("ReadRecord(%.200s): %v", tt.in, err)
			case tt.want == "" && (r.Settings == nil || r.Stages == nil || string(r.Results) != "{}"):
				t.Errorf("ReadRecord(%.200s) = %+v, with holes", tt.in, r)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("ReadRecord(%.200s): %v, want %q", tt.in, err, tt.want)
			}
			if newer := strings.Contains(tt.in, `"format":2`); errors.Is(err, ErrNewerRecord) != newer {
				t.Errorf("ReadRecord(%.200s): %v is ErrNewerRecord: %v", tt.in, err, !newer)
			}
		})
	}
}

// FuzzReadRecord: no panic, and what is read is written and read the same.
func FuzzReadRecord(f *testing.F) {
	b, err := feedRecord(f).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"format":1,"kind":"feed","started":"2026-11-01T00:00:00+03:30","settings":{"a":1e3,"b":"<"},"results":{"a": [ ]}}`))
	f.Add([]byte(`{"format":2}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		r, err := ReadRecord(bytes.NewReader(in))
		if err != nil {
			return
		}
		first, err := r.encode()
		if err != nil {
			t.Fatalf("read, and not written: %v: %q", err, in)
		}
		r, err = ReadRecord(bytes.NewReader(first))
		if err != nil {
			t.Fatalf("written, and not read: %v: %q", err, first)
		}
		if second, err := r.encode(); err != nil || !bytes.Equal(first, second) {
			t.Fatalf("written twice: %v: %q and %q", err, first, second)
		}
	})
}
