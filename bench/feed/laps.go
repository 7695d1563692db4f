package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"voxpack/bench/program"
	"voxpack/gpufeed"
)

// digests name what a batch holds, so that another program can say whether it
// has the same for these rows.
type digests struct {
	Rows   []uint32          `json:"rows"`
	SHA256 map[string]string `json:"sha256"` // by column
	Slots  int               `json:"slots"`  // that the feed goes round by now
}

// serveLaps is the piece laps: "check" on stdin takes a batch and answers with
// its digests, "lap" with the time of an epoch of batches. One line of JSON
// answers each, and an epoch goes untimed before the first.
func serveLaps(ctx context.Context, o options, d *dataset, stdin io.Reader, stdout io.Writer) (err error) {
	f, err := gpufeed.Open(ctx, d.set, config(o, o.fillers))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := take(ctx, f, d.batches()); err != nil {
		return err
	}
	return program.Answer(stdin, stdout, func(line string) (any, error) {
		switch line {
		case "check":
			return checkBatch(ctx, f, d)
		case "lap":
			return feedLap(ctx, f, d.layout, d.batches())
		}
		return nil, fmt.Errorf("%q on stdin: want check or lap", line)
	})
}

func checkBatch(ctx context.Context, f *gpufeed.Feed, d *dataset) (digests, error) {
	b, err := f.Next(ctx)
	if err != nil {
		return digests{}, err
	}
	defer b.Release()
	c := digests{Rows: append([]uint32(nil), b.Rows...), SHA256: map[string]string{}, Slots: f.Stats().Depth + 1}
	for _, field := range d.layout.Fields {
		sum := sha256.Sum256(b.Host[field.Offset : field.Offset+len(b.Rows)*field.Size])
		c.SHA256[field.Column.Name] = hex.EncodeToString(sum[:])
	}
	return c, nil
}
