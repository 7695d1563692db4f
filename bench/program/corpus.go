package program

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// Go runs the go command as the Makefile does.
func Go(ctx context.Context, stderr io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stdout, cmd.Stderr = stderr, stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go %s: %w", args[0], err)
	}
	return nil
}

// Corpus generates a corpus of n clips in dir, with the texts of LJSpeech where
// they are at hand and enough. flags are further ones of gencorpus.
func Corpus(ctx context.Context, stderr io.Writer, dir string, n int, flags ...string) error {
	args := append([]string{"run", "voxpack/bench/gencorpus", "-n", strconv.Itoa(n)}, flags...)
	if path := Transcripts(); path != "" {
		if b, err := os.ReadFile(path); err == nil && bytes.Count(b, []byte("\n")) >= n {
			args = append(args, "-texts", path)
		}
	}
	return Go(ctx, stderr, append(args, dir)...)
}

// Transcripts is the file of LJSpeech's texts; "" where no corpora are at hand.
func Transcripts() string {
	root := os.Getenv("VOXPACK_CORPORA")
	if root == "" {
		return ""
	}
	return filepath.Join(root, "ljspeech-32", "transcripts-13100.csv")
}
