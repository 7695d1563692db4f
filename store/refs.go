package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"voxpack/internal/atomicfile"

	"golang.org/x/sys/unix"
)

// Ref returns the snapshot that a ref names, such as "heads/main" or "tags/x".
// It is read from disk at each call. No such ref: ErrNotFound; one whose file
// holds no digest: ErrDamaged.
func (s *Store) Ref(name string) (Digest, error) { return readRef(s.dir, name) }

// Refs lists the names of all refs, sorted.
func (s *Store) Refs() ([]string, error) { return listRefs(s.dir) }

// checkRefName accepts heads/… and tags/…, each part of it a plain file name. No part begins with a dot, so
// neither ".." nor the temporary file of a ref being written can be one.
func checkRefName(name string) error {
	parts := strings.Split(name, "/")
	if len(parts) < 2 || parts[0] != "heads" && parts[0] != "tags" {
		return fmt.Errorf("ref %q: a ref begins with heads/ or tags/", name)
	}
	for _, p := range parts[1:] {
		if p == "" || p[0] == '.' || len(p) > 200 || strings.ContainsFunc(p, func(r rune) bool {
			return r < ' ' || r == 0x7f || strings.ContainsRune(`\:*?"<>|@`, r)
		}) {
			return fmt.Errorf("ref %q: %q cannot be part of the name of a ref", name, p)
		}
	}
	return nil
}

func readRef(dir, name string) (Digest, error) {
	if err := checkRefName(name); err != nil {
		return Digest{}, err
	}
	b, err := os.ReadFile(filepath.Join(dir, refsName, filepath.FromSlash(name)))
	// EISDIR: heads/a, where heads/a/b is a ref; ENOTDIR: heads/a/b, where heads/a is one.
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.EISDIR) || errors.Is(err, unix.ENOTDIR) {
		return Digest{}, fmt.Errorf("ref %s: %w", name, ErrNotFound)
	}
	if err != nil {
		return Digest{}, fmt.Errorf("ref %s: %w", name, err)
	}
	d, err := ParseDigest(strings.TrimSuffix(string(b), "\n"))
	if err == nil && string(b) != d.String()+"\n" { // a turned bit makes a large letter of a small one
		err = errors.New("is not as a build writes it")
	}
	if err != nil {
		path := refsName + "/" + name
		advice := "delete " + path + " or restore it"
		if strings.HasPrefix(name, "heads/") {
			advice += "; the next voxpack build writes it anew"
		}
		return Digest{}, fmt.Errorf("ref %s: %w; %s: %w", name, err, advice, ErrDamaged)
	}
	return d, nil
}

// writeRef replaces the file as a whole: a reader finds the old snapshot or the new one.
func writeRef(dir, name string, snapshot Digest) error {
	if err := checkRefName(name); err != nil {
		return err
	}
	path := filepath.Join(dir, refsName, filepath.FromSlash(name))
	err := makeFolder(filepath.Dir(path))
	if err == nil {
		err = atomicfile.Write(path, []byte(snapshot.String()+"\n"))
	}
	if err != nil {
		return fmt.Errorf("ref %s: %w", name, err)
	}
	return nil
}

// listRefs lists the names of refs, sorted. It passes over files whose names no ref can have, since no
// command could ask for them.
func listRefs(dir string) ([]string, error) {
	root := filepath.Join(dir, refsName)
	var names []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		name, err := filepath.Rel(root, path)
		if name = filepath.ToSlash(name); checkRefName(name) == nil {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("refs: %w", err)
	}
	slices.Sort(names)
	return names, nil
}

// readRefs returns all refs with what they name. One that is damaged: ErrDamaged.
func readRefs(dir string) (map[string]Digest, error) {
	names, err := listRefs(dir)
	if err != nil {
		return nil, err
	}
	refs := make(map[string]Digest, len(names))
	for _, name := range names {
		d, err := readRef(dir, name)
		if errors.Is(err, ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		refs[name] = d
	}
	return refs, nil
}
