package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// widen gives a folder 16 rows for each that it has, of the same clips under other names, so that parts of it
// have rows, and some lines that are rejected or stand twice.
func widen(dir string) error {
	b, err := os.ReadFile(filepath.Join(dir, "metadata.csv"))
	if err != nil {
		return err
	}
	var more bytes.Buffer
	for line := range bytes.Lines(b) {
		id, rest, _ := bytes.Cut(line, []byte("|"))
		for n := range 15 {
			other := fmt.Sprintf("%s-%02d", id, n)
			if err := os.Link(filepath.Join(dir, "wavs", string(id)+".wav"), filepath.Join(dir, "wavs", other+".wav")); err != nil {
				return err
			}
			fmt.Fprintf(&more, "%s|%s", other, rest)
		}
		more.Write(line)
	}
	if err := appendTo(filepath.Join(dir, "metadata.csv"), more.String()); err != nil {
		return err
	}
	return addRows(dir, 9)
}

// parts builds n parts of a dataset and gives their stores.
func (l *lab) parts(ctx context.Context, dataset string, n int) (stores []string, err error) {
	plan := l.place("plan.json")
	commands := [][]string{{"plan", dataset, "-o", plan}}
	for i := range n {
		stores = append(stores, l.place(fmt.Sprint("part", i)))
		commands = append(commands, []string{"build", dataset, "--plan", plan, "--part", fmt.Sprintf("%d/%d", i, n), "-o", stores[i], "-q"})
	}
	for _, args := range commands {
		if _, err := exec.CommandContext(ctx, l.program, args...).Output(); err != nil {
			return nil, fmt.Errorf("%s: %w", args[0], saidBy(err))
		}
	}
	return stores, nil
}

// whole is the store that a scene is about: of a part what a join makes of it and the others.
func (d *desk) whole(ctx context.Context, s *scene, store string) (string, error) {
	if s.joins == nil {
		return store, nil
	}
	joined, err := d.copyOf("", "joined")
	if err != nil {
		return "", err
	}
	args := append([]string{"join", store, "-o", joined, "-q"}, s.joins...)
	if _, err := exec.CommandContext(ctx, d.program, args...).Output(); err != nil {
		return "", fmt.Errorf("join: %w", saidBy(err))
	}
	return joined, nil
}
