package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// Damage is one thing wrong in a pack.
type Damage struct {
	Pack    string
	File    string // "" when it is not of one file
	Key     string // kind and name of an entry, or ""
	Problem string
}

// String is the damage in one line.
func (d Damage) String() string {
	at := "pack " + d.Pack
	for _, part := range []string{d.File, d.Key, d.Problem} {
		if part != "" {
			at += ": " + part
		}
	}
	return at
}

// Verify checks every pack against its SEAL: that each file is there with its
// length and no other is; in full also every byte of them and every value
// against its name. What is wrong goes to report, from one goroutine; the error
// is for what kept Verify from looking.
func (s *Store) Verify(ctx context.Context, full bool, report func(Damage)) error {
	packs, _ := s.hands()
	for _, p := range packs {
		if err := p.verify(ctx, full, report); err != nil {
			return fmt.Errorf("verify pack %s: %w", p.id, err)
		}
	}
	return nil
}

func (p *pack) verify(ctx context.Context, full bool, report func(Damage)) error {
	seal, err := readSeal(p.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		report(Damage{Pack: p.id, File: sealName, Problem: "is missing: this pack was never sealed, or was changed since"})
		return nil
	case errors.Is(err, ErrDamaged):
		report(Damage{Pack: p.id, File: sealName, Problem: err.Error()})
		return nil
	case err != nil:
		return err
	}
	sound := true
	note := func(d Damage) { sound = false; d.Pack = p.id; report(d) }
	if err := p.verifyFiles(ctx, seal, full, note); err != nil || !full || !sound {
		return err // damaged files are not opened: Badger need not survive them
	}
	return p.verifyValues(ctx, seal, note)
}

// verifyFiles compares the folder with SEAL in both directions: a file that SEAL does not name is damage
// too, since Badger might open it.
func (p *pack) verifyFiles(ctx context.Context, seal *seal, full bool, note func(Damage)) error {
	names, err := packFiles(p.dir)
	if err != nil {
		return err
	}
	for _, f := range seal.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		problem, err := f.check(p.dir, full)
		if err != nil {
			return err
		}
		if problem != "" {
			note(Damage{File: f.name, Problem: problem})
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(seal.files, func(f sealedFile) bool { return f.name == name }) {
			note(Damage{File: name, Problem: "is not in SEAL"})
		}
	}
	return nil
}

// check returns what is wrong with a file, "" for nothing. An error is of the machine, such as missing
// permissions or descriptors, and says nothing about the file; only EIO, which the disk reports for the
// file's own blocks, counts as damage.
func (f sealedFile) check(dir string, full bool) (string, error) {
	path := filepath.Join(dir, f.name)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "is missing", nil
	}
	if err != nil {
		return "", err
	}
	if info.Size() != f.size {
		return fmt.Sprintf("has %d bytes, sealed with %d", info.Size(), f.size), nil
	}
	if !full {
		return "", nil
	}
	now, err := fileSum(dir, f.name, len(f.sum) == quickSum, false)
	var errno syscall.Errno
	if errors.As(err, &errno) && errno != unix.EIO {
		return "", err
	}
	if err != nil {
		return "cannot be read: " + err.Error(), nil
	}
	if now.sum != f.sum {
		return fmt.Sprintf("has digest %.12s, sealed with %.12s", now.sum, f.sum), nil
	}
	return "", nil
}

// verifyValues holds every value against its name and counts the entries: an entry that the tables no
// longer list can only be found missing by its number.
func (p *pack) verifyValues(ctx context.Context, seal *seal, note func(Damage)) error {
	eng, err := p.engine()
	if errors.Is(err, ErrDamaged) {
		note(Damage{Problem: err.Error()})
		return nil
	}
	if err != nil {
		return err
	}
	found := 0
	err = eng.scan(nil, true, func(key, value []byte, _ int64) error {
		found++
		if !genuine(key, value) {
			note(Damage{Key: keyText(key), Problem: "the value does not fit its name"})
		}
		return ctx.Err()
	})
	if err != nil && ctx.Err() == nil {
		note(Damage{Problem: err.Error()})
		return nil
	}
	if err == nil && found != seal.entries {
		note(Damage{Problem: fmt.Sprintf("holds %d entries, sealed with %d", found, seal.entries)})
	}
	return err
}
