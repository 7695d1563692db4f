package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"voxpack/bench/program"
)

// corpus is the dataset that is measured and edited.
type corpus struct {
	dir    string
	lines  []string // of the metadata
	edible []int    // lines that an edit leaves within the fixed shapes
}

// newCorpus generates a corpus in dir, or puts a copy of the given one there.
func newCorpus(ctx context.Context, o options, dir string, stderr io.Writer) (*corpus, error) {
	var err error
	if o.corpus != "" {
		err = copyCorpus(o.corpus, dir)
	} else {
		err = program.Corpus(ctx, stderr, dir, o.n)
	}
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	return readCorpus(dir)
}

// copyCorpus copies the metadata and links the clips.
func copyCorpus(from, to string) error {
	clips, err := os.ReadDir(filepath.Join(from, "wavs"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(to, "wavs"), 0o777); err != nil {
		return err
	}
	for _, c := range clips {
		if err := os.Link(filepath.Join(from, "wavs", c.Name()), filepath.Join(to, "wavs", c.Name())); err != nil {
			return err
		}
	}
	b, err := os.ReadFile(filepath.Join(from, "metadata.csv"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "metadata.csv"), b, 0o666)
}

// readCorpus finds the rows that may be edited: those of 20 to 120 characters,
// which stay below 200 tokens and 800 frames with some words more.
func readCorpus(dir string) (*corpus, error) {
	b, err := os.ReadFile(filepath.Join(dir, "metadata.csv"))
	if err != nil {
		return nil, err
	}
	c := &corpus{dir: dir, lines: strings.Split(strings.TrimRight(string(b), "\r\n"), "\n")}
	for i, line := range c.lines {
		if columns := strings.Split(line, "|"); len(columns) == 3 && len(columns[2]) >= 20 && len(columns[2]) <= 120 {
			c.edible = append(c.edible, i)
		}
	}
	if len(c.edible) < 3 {
		return nil, errors.New("metadata.csv has too few lines id|text|normalised of 20 to 120 characters to edit")
	}
	return c, nil
}

// at is the line that a round edits. The steps are primes, so that rounds
// wander over the whole corpus.
func (c *corpus) at(round, step int) int { return c.edible[(round*step+step)%len(c.edible)] }

// editText lengthens one row's text.
func (c *corpus) editText(round int) error {
	c.lines[c.at(round, 7919)] += fmt.Sprintf(" and edit %d", round)
	return c.replace("metadata.csv", []byte(strings.Join(c.lines, "\n")+"\n"))
}

// editAudio puts another row's samples, turned round by some, into one row's
// clip: a length and bytes that no build has seen.
func (c *corpus) editAudio(round int) error {
	at := c.at(round, 104729)
	donor := c.at(round+1, 15485863)
	if donor == at {
		donor = c.edible[round%2]
	}
	b, err := os.ReadFile(filepath.Join(c.dir, c.clip(donor)))
	if err != nil {
		return err
	}
	const header = 8 // of a RIFF chunk: name and length
	from := bytes.Index(b, []byte("data")) + header
	turn := 4 * (round + 1) * 997
	if from < header || from+turn >= len(b) {
		return fmt.Errorf("%s: no data to turn round", c.clip(donor))
	}
	turned := append([]byte(nil), b[:from]...)
	turned = append(turned, b[from+turn:]...)
	return c.replace(c.clip(at), append(turned, b[from:from+turn]...))
}

func (c *corpus) clip(line int) string {
	id, _, _ := strings.Cut(c.lines[line], "|")
	return filepath.Join("wavs", id+".wav")
}

// replace writes a file anew, as editors do; a link elsewhere keeps the old
// bytes. The pause lets the time stamp age, as it does under a person's hands:
// what is younger than a tick of the kernel's clock is hashed twice.
func (c *corpus) replace(name string, b []byte) error {
	path := filepath.Join(c.dir, name)
	if err := os.WriteFile(path+".new", b, 0o666); err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return err
	}
	time.Sleep(50 * time.Millisecond)
	return nil
}
