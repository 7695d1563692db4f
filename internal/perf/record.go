package perf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// RecordFormat is the version of the JSON of a RunRecord. Members may be added
// without a new version, readers pass over those that they do not know; what
// changes or takes away a member raises it.
const RecordFormat = 1

// maxRecord is the largest record that is read, in bytes: thousands of times
// what a run leaves.
const maxRecord = 16 << 20

// RunRecord is what a measured run (a build, a feed, a trainer's) leaves for
// later diagnosis. It holds no name of a host or a user and no path: an absolute
// path among the settings is refused, the rest is with the caller.
type RunRecord struct {
	Format      int                `json:"format"`
	Kind        string             `json:"kind"`    // "build", "feed", ...: lower-case letters and digits
	Version     string             `json:"version"` // of the tool
	Started     time.Time          `json:"started"` // in UTC
	Seconds     float64            `json:"seconds"`
	Host        Host               `json:"host"`
	Settings    map[string]any     `json:"settings"` // strings, truth values and numbers; numbers read are json.Number
	Results     json.RawMessage    `json:"results"`  // an object; each kind has its own
	Stages      []StageSummary     `json:"stages"`   // from the source to the consumer
	Calibration map[string]float64 `json:"calibration"`
	Notes       []string           `json:"notes"`
}

// SetResults keeps a value, such as what --json prints, as the results.
func (r *RunRecord) SetResults(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("results of a run record: %w", err)
	}
	r.Results = raw
	return nil
}

// ended is when the run was over.
func (r RunRecord) ended() time.Time {
	return r.Started.Add(time.Duration(r.Seconds * float64(time.Second))).UTC()
}

// encode is the record as it is kept: of this format, in UTC, without nulls.
func (r RunRecord) encode() ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("run record: %w", err)
	}
	r = r.complete()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return nil, fmt.Errorf("run record: %w", err)
	}
	return b.Bytes(), nil
}

// complete puts something in the place of everything left out.
func (r RunRecord) complete() RunRecord {
	r.Format = RecordFormat
	r.Started = r.Started.UTC()
	if r.Settings == nil {
		r.Settings = map[string]any{}
	}
	if len(r.Results) == 0 {
		r.Results = json.RawMessage("{}")
	}
	if r.Stages == nil {
		r.Stages = []StageSummary{}
	}
	if r.Calibration == nil {
		r.Calibration = map[string]float64{}
	}
	if r.Notes == nil {
		r.Notes = []string{}
	}
	return r
}

// check refuses what could not be read back or told apart.
func (r RunRecord) check() error {
	if !isKind(r.Kind) {
		return fmt.Errorf("kind %q is not 1 to 32 lower-case letters and digits", r.Kind)
	}
	// The year makes the names of the files sort; the seconds fit a Duration.
	if year := r.Started.UTC().Year(); year < 1970 || year > 9000 {
		return fmt.Errorf("started in the year %d", year)
	}
	if !(r.Seconds >= 0 && r.Seconds <= 1e9) {
		return fmt.Errorf("%v seconds", r.Seconds)
	}
	if len(r.Results) > 0 && !bytes.HasPrefix(bytes.TrimSpace(r.Results), []byte("{")) {
		return errors.New("results are not an object")
	}
	for key, value := range r.Settings {
		switch value := value.(type) {
		case bool, int, int64, uint64, float64, json.Number:
		case string:
			if strings.HasPrefix(value, "/") || strings.HasPrefix(value, "~") || strings.HasPrefix(value, `\\`) || strings.Contains(value, `:\`) {
				return fmt.Errorf("setting %s is the path %q, which does not belong here", key, value)
			}
		default:
			return fmt.Errorf("setting %s is a %T, want a string, a truth value or a number", key, value)
		}
	}
	for name, figure := range r.Calibration {
		if math.IsNaN(figure) || math.IsInf(figure, 0) {
			return fmt.Errorf("calibration %s is %v", name, figure)
		}
	}
	return nil
}

// isKind tells whether a name can stand in the name of a file.
func isKind(kind string) bool {
	odd := func(c byte) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') }
	return len(kind) > 0 && len(kind) <= 32 && !slices.ContainsFunc([]byte(kind), odd)
}

// ReadRecord reads a record of this format or an older one. Of a newer one the
// error is ErrNewerRecord.
func ReadRecord(from io.Reader) (RunRecord, error) {
	r, err := readRecord(from)
	if err != nil {
		return RunRecord{}, fmt.Errorf("run record: %w", err)
	}
	return r, nil
}

// ErrNewerRecord is the error about a record in a format of the future.
var ErrNewerRecord = errors.New("of a newer format; use the version of voxpack that wrote it or a later one")

func readRecord(from io.Reader) (RunRecord, error) {
	content, err := io.ReadAll(io.LimitReader(from, maxRecord+1))
	if err != nil {
		return RunRecord{}, err
	}
	if len(content) > maxRecord {
		return RunRecord{}, fmt.Errorf("larger than %d MiB", maxRecord>>20)
	}
	// The format alone first: the rest of a newer one may have changed its kind.
	var head struct {
		Format *int `json:"format"`
	}
	if err := json.Unmarshal(content, &head); err != nil {
		return RunRecord{}, err
	}
	switch {
	case head.Format == nil || *head.Format < 1:
		return RunRecord{}, errors.New(`no "format" of at least 1`)
	case *head.Format > RecordFormat:
		return RunRecord{}, fmt.Errorf("format %d, known is %d: %w", *head.Format, RecordFormat, ErrNewerRecord)
	}
	var r RunRecord
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber() // a seed has 64 bits, a float64 keeps 53 of them
	if err := d.Decode(&r); err != nil {
		return RunRecord{}, err
	}
	if bytes.Equal(r.Results, []byte("null")) {
		r.Results = nil
	}
	if err := r.check(); err != nil {
		return RunRecord{}, err
	}
	return r.complete(), nil
}
