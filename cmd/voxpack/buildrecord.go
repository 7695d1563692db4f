package main

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/compiler"
	"voxpack/compiler/action"
	"voxpack/internal/perf"
)

// writeBuildTrace writes the file of build --trace: the build's stages on one row,
// in rows below it those that ran beside each other.
func writeBuildTrace(path string, spans []perf.Span) error {
	trace := perf.NewTrace(len(spans) + 1)
	trace.Note("version", toolVersion())
	row := trace.NewTrack("build", "stages")
	for _, s := range spans {
		row.Complete(trace.Name(s.Name), s.Start, s.End-s.Start, 0, 0)
	}
	return feedrun.WriteTrace(path, trace)
}

// buildResults is what the record of a build keeps of its report: counts, and no
// name of a file, an id or a path.
type buildResults struct {
	Dataset      string                  `json:"dataset"`
	Snapshot     string                  `json:"snapshot"`
	Rows         compiler.RowCounts      `json:"rows"`
	Shards       compiler.ShardCounts    `json:"shards"`
	Blocks       compiler.BlockCounts    `json:"blocks"`
	Stages       map[string]action.Count `json:"stages"` // rows that a stage computed or took over
	BytesWritten int64                   `json:"bytes_written"`
	Spans        []spanResult            `json:"spans"` // stretches of time, in the order of their ends
}

// spanResult is a stretch of a build, in seconds from its begin.
type spanResult struct {
	Name    string  `json:"name"`
	Start   float64 `json:"start"`
	Seconds float64 `json:"seconds"`
}

// keepBuildRecord leaves the record of a build that wrote something, for later
// diagnosis. One with nothing to do writes nothing, and a record is something:
// callers do not ask for that one's. The build is done, so that a record that
// cannot be written is a warning.
func keepBuildRecord(report *compiler.Report, opts compiler.Options, started time.Time, spans []perf.Span, stderr io.Writer) {
	r := buildResults{Dataset: report.Dataset, Snapshot: report.Snapshot, Rows: report.Rows, Shards: report.Shards, Blocks: report.Blocks,
		Stages: report.Stages, BytesWritten: report.BytesWritten}
	for _, s := range spans {
		r.Spans = append(r.Spans, spanResult{s.Name, s.Start.Seconds(), (s.End - s.Start).Seconds()})
	}
	record := perf.RunRecord{Kind: "build", Version: toolVersion(), Started: started, Seconds: report.Seconds,
		Host: perf.ReadHost(os.DirFS("/"), runtime.GOMAXPROCS(0)), Settings: buildSettings(opts)}
	err := record.SetResults(r)
	if err == nil {
		_, err = record.Write(filepath.Join(opts.Store, feedrun.RecordsName), rand.Reader, 0)
	}
	if err != nil {
		fmt.Fprintf(stderr, "warning: no run record was kept: %v\n", err)
	}
}

// buildSettings are the settings that a build's speed depends on, by the names
// that the config has for them.
func buildSettings(opts compiler.Options) map[string]any {
	c := opts.Config
	return map[string]any{
		"num_workers": cmp.Or(opts.Workers, runtime.GOMAXPROCS(0)), "rehash": opts.Rehash, "sample_rate": c.SampleRate, "mel_variant": c.Mel.Variant, "n_fft": c.Mel.NFFT,
		"hop_length": c.Mel.HopLength, "n_mels": c.Mel.NMels, "precision": c.Mel.Precision, "mel_dtype": c.MelDType.String(),
		"max_mel_frames": c.Shape.MaxMelFrames, "max_text_length": c.Shape.MaxTextLength, "rows_per_shard": c.PerShard,
		"features": strings.Join(c.Features, " "), "tokenizer": string(c.Tokens.Kind), "verbalise": c.Text.Verbalise, "language": c.Language,
		"corpora": len(opts.Corpora),
	}
}
