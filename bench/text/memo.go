package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"voxpack/compiler"
	"voxpack/compiler/frontend"
	"voxpack/internal/perf"
	"voxpack/textnorm"
)

// memoed is a corpus that was built once: its rows have the texts and one short
// clip under many names, so that building takes little.
type memoed struct {
	dir    string
	rows   int
	config compiler.Config
}

func newMemoed(dir string, texts []string) (*memoed, error) {
	m := &memoed{dir: dir, rows: len(texts), config: compiler.Config{Config: frontend.Config{Language: "en", Text: textnorm.Config{Verbalise: true}},
		Shape: compiler.Shape{MaxTextLength: 1000, MaxMelFrames: 16}}}
	wavs := filepath.Join(dir, "wavs")
	if err := os.MkdirAll(wavs, 0o777); err != nil {
		return nil, err
	}
	clip := filepath.Join(dir, "clip.wav")
	if err := os.WriteFile(clip, shortClip(), 0o666); err != nil {
		return nil, err
	}
	var metadata bytes.Buffer
	for i, text := range texts {
		fmt.Fprintf(&metadata, "t%05d|%s\n", i, text)
		if err := os.Link(clip, filepath.Join(wavs, fmt.Sprintf("t%05d.wav", i))); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "metadata.csv"), metadata.Bytes(), 0o666); err != nil {
		return nil, err
	}
	time.Sleep(50 * time.Millisecond) // a clip younger than a tick of the kernel's clock would be read every time
	report, err := m.build(2, m.config, nil)
	if err != nil {
		return nil, err
	}
	if ran := report.Stages["text"].Run; ran != m.rows || report.Rows.Kept != m.rows {
		return nil, fmt.Errorf("the first build kept %d and read %d of %d rows", report.Rows.Kept, ran, m.rows)
	}
	return m, nil
}

func (m *memoed) build(j int, config compiler.Config, spans *perf.Recorder) (*compiler.Report, error) {
	return compiler.Build(context.Background(), compiler.Options{Dataset: m.dir, Config: config, Workers: j, DryRun: spans != nil, Spans: spans, Tool: "bench/text"})
}

// survey is how long a dry run looks at the rows, which all come from the memo.
// Where the settings are the last build's, it compares what a row was made from; where
// one differs that the text does not depend on, it hashes every key.
func (m *memoed) survey(j int, same bool) (time.Duration, error) {
	config := m.config
	if !same {
		config.Shape.MaxTextLength++
	}
	started := time.Now()
	spans := perf.NewRecorder(time.Now)
	report, err := m.build(j, config, spans)
	if err != nil {
		return 0, err
	}
	for _, stage := range []string{"text", "tokens"} {
		if got := report.Stages[stage]; got.Run != 0 || got.Hit != m.rows {
			return 0, fmt.Errorf("stage %s ran for %d rows and hit %d, want %d hits", stage, got.Run, got.Hit, m.rows)
		}
	}
	for _, s := range spans.Spans() {
		if s.Name == "survey rows" {
			return s.End - s.Start, nil
		}
	}
	return 0, fmt.Errorf("a build of %v has no survey", time.Since(started))
}

// shortClip is 0.1 s of a quiet tone.
func shortClip() []byte {
	const rate, samples = 22050, 2205
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00")
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint32(b, 2*rate)
	b = append(b, "\x02\x00\x10\x00data"...)
	b = binary.LittleEndian.AppendUint32(b, 2*samples)
	for i := range samples {
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(2000*((i/50)%2)-1000)))
	}
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	return b
}
