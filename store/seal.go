package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/zeebo/blake3"
)

// sealName is the file that makes a pack whole: it lists every other file.
const sealName = "SEAL"

const sealWord = "voxpack seal 1"

// seal is the content of a SEAL file, which is text, one thing a line:
//
//	voxpack seal 1
//	entries 1234
//	replaces 18d2c0ffee123456-89abcdef     (any number; merged packs only)
//	file 000001.vlog 102472 <BLAKE3 in hex>
//	sum <BLAKE3 of all lines before, in hex>
type seal struct {
	entries  int
	replaces []string // packs whose entries a merge took over
	files    []sealedFile
}

type sealedFile struct {
	name   string
	size   int64
	digest Digest
}

func (s *seal) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\nentries %d\n", sealWord, s.entries)
	for _, id := range s.replaces {
		fmt.Fprintf(&b, "replaces %s\n", id)
	}
	for _, f := range s.files {
		fmt.Fprintf(&b, "file %s %d %s\n", f.name, f.size, f.digest)
	}
	fmt.Fprintf(&b, "sum %s\n", Sum(b.Bytes()))
	return b.Bytes()
}

// parseSeal reads a SEAL; every error is ErrDamaged with its line.
func parseSeal(b []byte) (*seal, error) {
	cut := bytes.LastIndex(b, []byte("\nsum ")) + 1
	var sum string
	if n, err := fmt.Sscanf(string(b[cut:]), "sum %64s\n", &sum); cut == 0 || n != 1 || err != nil {
		return nil, fmt.Errorf("SEAL ends without its own checksum: %w", ErrDamaged)
	}
	if want := Sum(b[:cut]).String(); sum != want || string(b[cut:]) != "sum "+want+"\n" {
		return nil, fmt.Errorf("SEAL does not fit its own checksum: %w", ErrDamaged)
	}
	lines := strings.Split(strings.TrimSuffix(string(b[:cut]), "\n"), "\n")
	s := &seal{entries: -1}
	for i, line := range lines {
		if i == 0 && line == sealWord {
			continue
		}
		if i == 0 || !s.parseLine(line) {
			return nil, fmt.Errorf("SEAL:%d: cannot read %q: %w", i+1, line, ErrDamaged)
		}
	}
	if s.entries < 0 {
		return nil, fmt.Errorf("SEAL counts no entries: %w", ErrDamaged)
	}
	return s, nil
}

func (s *seal) parseLine(line string) bool {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "entries":
		n, err := fmt.Sscanf(rest, "%d", &s.entries)
		return n == 1 && err == nil && s.entries >= 0
	case "replaces":
		s.replaces = append(s.replaces, rest)
		return rest != ""
	case "file":
		var f sealedFile
		var hex string
		if n, err := fmt.Sscanf(rest, "%s %d %s", &f.name, &f.size, &hex); n != 3 || err != nil || f.size < 0 {
			return false
		}
		d, err := ParseDigest(hex)
		f.digest = d
		s.files = append(s.files, f)
		return err == nil && f.name == filepath.Base(f.name)
	}
	return false
}

func readSeal(dir string) (*seal, error) {
	b, err := os.ReadFile(filepath.Join(dir, sealName))
	if err != nil {
		return nil, err
	}
	return parseSeal(b)
}

// writeSeal hashes every file of a closed pack, makes it durable, and writes
// the SEAL, which is durable when writeSeal returns.
func writeSeal(dir string, entries int, replaces []string) error {
	names, err := packFiles(dir)
	if err != nil {
		return err
	}
	s := &seal{entries: entries, replaces: replaces, files: make([]sealedFile, len(names))}
	errs := make([]error, len(names))
	// 24 h of speech are 13 value logs, 0.9 s of hashing on one core, while the
	// build has nothing else to do.
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var hashing sync.WaitGroup
	for i, name := range names {
		slots <- struct{}{}
		hashing.Go(func() {
			size, digest, err := hashFile(filepath.Join(dir, name), true)
			s.files[i], errs[i] = sealedFile{name, size, digest}, err
			<-slots
		})
	}
	hashing.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return writeFile(dir, sealName, s.encode())
}

// packFiles lists the files of a pack but SEAL, sorted.
func packFiles(dir string) ([]string, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range list {
		if e.Name() != sealName {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// hashFile returns a file's length and BLAKE3, and syncs it where asked.
func hashFile(path string, sync bool) (int64, Digest, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, Digest{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, Digest{}, err
	}
	h := blake3.New()
	// At most 1 MiB: long enough for the hash's widest code, short enough for the
	// L2 cache. The lists that every open checks have some tens of bytes.
	buf := make([]byte, min(info.Size()+1, 1<<20))
	size, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{f}, buf)
	if err == nil && sync {
		err = f.Sync()
	}
	if err != nil {
		return 0, Digest{}, errors.Join(fmt.Errorf("hash %s", path), err)
	}
	return size, Digest(h.Sum(nil)), nil
}
