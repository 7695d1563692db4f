// Decode decodes the audio files whose paths stand on its standard input, a line each, the way that a build does. For each it
// writes a line of JSON, after which the samples follow as float32, little-endian, n of them.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"voxpack/audio/codec"
)

// A result is what the line of JSON says.
type result struct {
	Path     string `json:"path"`
	Format   string `json:"format"` // by the first bytes; "": none that is known
	Error    string `json:"error"`
	Kind     string `json:"kind"` // of the error
	Rate     int    `json:"rate"`
	Channels int    `json:"channels"`
	Samples  int    `json:"samples"`
}

// kinds are the names of the kinds of errors in audio_reasons.tsv.
var kinds = map[string]error{
	"not audio": codec.ErrNotWAV, "header": codec.ErrHeader, "length": codec.ErrLength, "damage": codec.ErrCorrupt, "empty": codec.ErrEmpty,
	"too long": codec.ErrTooLong, "unsupported": codec.ErrUnsupported, "foreign": codec.ErrForeign,
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "decode:", err)
		os.Exit(1)
	}
}

func run() error {
	paths := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	var pcm []float32
	for paths.Scan() {
		r := result{Path: paths.Text()}
		file, err := os.ReadFile(r.Path)
		if err != nil {
			return err
		}
		head := bytes.NewReader(file)
		if f, ok, err := codec.FormatOf(head, int64(len(file))); err == nil && ok {
			r.Format = f.Name
		}
		var info codec.Info
		pcm, info, err = codec.Limits{}.DecodeBytes(pcm[:0], file)
		if probed, probeErr := codec.Probe(head, int64(len(file))); (err == nil) != (probeErr == nil) || probed != info {
			return fmt.Errorf("%s: decoding gives %+v, %w; probing %+v, %w", r.Path, info, err, probed, probeErr)
		}
		if claim, told, _ := (codec.Limits{}).Claim(head, int64(len(file)), codec.Part{}); err == nil && told && claim != info {
			return fmt.Errorf("%s: decoding gives %+v; it claims %+v", r.Path, info, claim)
		}
		if err != nil {
			r.Error = err.Error()
			for name, kind := range kinds {
				if errors.Is(err, kind) {
					r.Kind = name
				}
			}
			pcm = pcm[:0]
		}
		r.Rate, r.Channels, r.Samples = info.Rate, info.Channels, len(pcm)
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		out.Write(append(line, '\n'))
		if err := binary.Write(out, binary.LittleEndian, pcm); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return paths.Err()
}
