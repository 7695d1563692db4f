package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"voxpack/internal/atomicfile"
	"voxpack/store"
)

// ErrPlan ends what does not fit its plan: another config, other metadata, parts of different plans.
var ErrPlan = errors.New("plan")

// Format names the form of the files of plans and results.
const Format = "voxpack plan 1"

// Plan is what all parts of a dataset have to have in common, so that what they make can be joined.
type Plan struct {
	Format  string `json:"format"`
	Dataset string `json:"dataset"` // folder, as whoever made the plan sees it; parts may see it elsewhere
	Tool    string `json:"tool"`    // name and version of the program

	Order    string `json:"order"`    // digest of the settings and the versions of all stages
	Metadata string `json:"metadata"` // digest of all rows and refused lines, in any order
	Rows     int    `json:"rows"`

	HasSpeaker  bool     `json:"has_speaker"` // columns that the metadata of any corpus has
	HasLanguage bool     `json:"has_language"`
	HasSplit    bool     `json:"has_split"`
	Speakers    []string `json:"speakers"` // their numbers are their places

	// Bits is how many bits of place a stretch consists of whole prefixes of. Every part splits its
	// trie to that depth, as one build would.
	Bits int `json:"bits"`
}

// mostBits: 4,096 prefixes, and as many parts at most that have rows.
const mostBits = 12

// BitsFor is the depth to which a trie over so many rows is split for certain, unless most of them are
// rejected: at least 8 times the rows of a shard below each prefix.
func BitsFor(rows, perShard int) (bits int) {
	for bits < mostBits && rows>>(bits+1) >= 8*perShard {
		bits++
	}
	return bits
}

// Digest names a plan: what parts have to share of it.
func (p Plan) Digest() string {
	p.Dataset = "" // where it is seen
	b, _ := json.Marshal(p)
	return store.Sum(b).String()
}

// Write makes the file of a plan.
func (p Plan) Write(path string) error {
	b, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(b, '\n'))
}

// Read reads the file of a plan. What is none, or one of another version: ErrPlan.
func Read(path string) (p Plan, err error) { return p, read(path, &p, &p.Format) }

// read decodes a file of this package's.
func read(path string, into any, named *string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%w %s: %w", ErrPlan, path, err)
	}
	if *named != Format {
		return fmt.Errorf("%w %s: its format is %q, this program knows %q", ErrPlan, path, *named, Format)
	}
	return nil
}

// Part is one stretch of a plan.
type Part struct {
	Plan
	Index, Of int // from 0; Of is 1 or more
}

// ParsePart reads "3/16": part 3, from 0, of 16.
func ParsePart(s string) (index, of int, err error) {
	a, b, ok := strings.Cut(s, "/")
	if ok {
		index, err = strconv.Atoi(a)
	}
	if ok && err == nil {
		of, err = strconv.Atoi(b)
	}
	if !ok || err != nil || of < 1 || index < 0 || index >= of {
		return 0, 0, fmt.Errorf("part %q: want I/N, as in 0/4, with I from 0 and below N", s)
	}
	return index, of, nil
}

// Has reports whether the rows at a place are the part's. A nil Part is all of them.
func (p *Part) Has(place uint64) bool {
	if p == nil {
		return true
	}
	prefixes := 1 << p.Bits
	at := int(place >> 1 >> (63 - p.Bits)) // in two steps, since a shift by 64 is none
	return p.Index*prefixes/p.Of <= at && at < (p.Index+1)*prefixes/p.Of
}

// First reports whether lines that have no place are the part's: those that gave no row.
func (p *Part) First() bool { return p == nil || p.Index == 0 }

// Result is a part that has been built. It lies in the part's store.
type Result struct {
	Format   string   `json:"format"`
	Plan     Plan     `json:"plan"`
	Part     int      `json:"part"` // from 0
	Parts    int      `json:"parts"`
	Snapshot string   `json:"snapshot"`
	Speakers []string `json:"speakers"` // of the rows that were kept, sorted; null where the config lists them
}

// resultName is the file of a result in the folder of a store.
const resultName = "part.json"

// Write puts a result beside a part's store.
func (r Result) Write(dir string) error {
	r.Format = Format
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, resultName), append(b, '\n'))
}

// Forget takes the result away before a part is built anew: what lies there then is not finished.
func Forget(dir string) error {
	err := os.Remove(dir + "/" + resultName)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// ReadResult reads the result of the part whose store is dir. A store without one is not finished: ErrPlan.
func ReadResult(dir string) (r Result, err error) {
	err = read(filepath.Join(dir, resultName), &r, &r.Format)
	if errors.Is(err, os.ErrNotExist) {
		return r, fmt.Errorf("%w: %s holds no finished part; build it with voxpack build DATASET --plan PLAN --part I/N -o %s", ErrPlan, dir, dir)
	}
	return r, err
}
