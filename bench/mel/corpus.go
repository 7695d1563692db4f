package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"voxpack/audio/codec"
)

// readClips decodes the first n clips of a corpus; all of them where n is 0.
func readClips(dir string, n int) ([][]float32, error) {
	metadata, err := os.ReadFile(filepath.Join(dir, "metadata.csv"))
	if err != nil {
		return nil, err
	}
	var clips [][]float32
	for line := range strings.Lines(string(metadata)) {
		if n > 0 && len(clips) == n {
			break
		}
		id, _, _ := strings.Cut(strings.TrimSpace(line), "|")
		pcm, err := readClip(filepath.Join(dir, "wavs", id+".wav"))
		if err != nil {
			return nil, err
		}
		clips = append(clips, pcm)
	}
	if len(clips) == 0 {
		return nil, fmt.Errorf("%s has no clips", dir)
	}
	return clips, nil
}

func readClip(path string) ([]float32, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	pcm, _, err := codec.Decode(nil, bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return pcm, nil
}
