package perf

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"voxpack/internal/atomicfile"
)

// DefaultKeep is how many records of a kind a folder keeps unless told
// otherwise. A record with four stages takes 3.4 kB and what its results take.
const DefaultKeep = 100

// The name of a record's file is the UTC time at which the run ended, to the
// millisecond, its kind, and four random bytes, since two runs may end at once:
//
//	20261101T013640.123Z-feed-1a2b3c4d.json
//
// Names sort by time.
const (
	recordTime   = "20060102T150405.000Z"
	recordSuffix = ".json"
)

// Write puts the record into a folder, which it makes, and returns the path of
// the file. The file appears whole or not at all. Of the records of this kind
// only the newest are kept, 0 for DefaultKeep; this one always is, and nothing
// is ever removed that is not named like a record. Where only the removal does
// not succeed, the path comes with an error.
func (r RunRecord) Write(dir string, random io.Reader, keep int) (string, error) {
	content, err := r.encode()
	if err != nil {
		return "", err
	}
	var tail [4]byte
	if _, err := io.ReadFull(random, tail[:]); err != nil {
		return "", fmt.Errorf("name a run record: %w", err)
	}
	name := r.ended().Format(recordTime) + "-" + r.Kind + "-" + hex.EncodeToString(tail[:]) + recordSuffix
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("keep a run record: %w", err)
	}
	path := filepath.Join(dir, name)
	if err := atomicfile.Write(path, content); err != nil {
		return "", fmt.Errorf("keep a run record: %w", err)
	}
	if keep <= 0 {
		keep = DefaultKeep
	}
	if err := prune(dir, r.Kind, name, keep); err != nil {
		return path, fmt.Errorf("remove old run records: %w", err)
	}
	return path, nil
}

// WriteFile puts the record into a file of any name. It appears whole or not at
// all.
func (r RunRecord) WriteFile(path string) error {
	content, err := r.encode()
	if err != nil {
		return err
	}
	return atomicfile.Write(path, content)
}

// prune removes the oldest records of a kind beyond those to keep. Another
// process may do the same.
func prune(dir, kind, mine string, keep int) error {
	names, err := recordNames(dir, kind)
	if err != nil {
		return err
	}
	var failed error
	for _, name := range names[:max(len(names)-keep, 0)] {
		if name == mine {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// Latest reads the record of the run of a kind that ended last. Where there is
// none the error is fs.ErrNotExist.
func Latest(dir, kind string) (RunRecord, error) {
	names, err := recordNames(dir, kind)
	if err != nil {
		return RunRecord{}, fmt.Errorf("find a run record: %w", err)
	}
	if len(names) == 0 {
		return RunRecord{}, fmt.Errorf("%s: no run record of kind %q: %w", dir, kind, fs.ErrNotExist)
	}
	path := filepath.Join(dir, names[len(names)-1])
	f, err := os.Open(path)
	if err != nil {
		return RunRecord{}, fmt.Errorf("read a run record: %w", err)
	}
	defer f.Close()
	r, err := ReadRecord(f)
	if err != nil {
		return RunRecord{}, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// recordNames lists the records of a kind, the oldest first.
func recordNames(dir, kind string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && isRecordName(e.Name(), kind) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// isRecordName tells whether a file has the name of a record of a kind, to the
// letter.
func isRecordName(name, kind string) bool {
	stamp, rest, _ := strings.Cut(name, "-")
	got, rest, _ := strings.Cut(rest, "-")
	tail, ok := strings.CutSuffix(rest, recordSuffix)
	if !ok || got != kind || len(tail) != 8 || strings.Trim(tail, "0123456789abcdef") != "" {
		return false
	}
	// As written: 8 digits, T, 6 digits, a point, 3 digits, Z. Whether there was
	// such a second does not matter.
	digits := func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		return r
	}
	return strings.Map(digits, stamp) == strings.Map(digits, recordTime)
}
