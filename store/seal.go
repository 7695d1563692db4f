package store

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"voxpack/internal/atomicfile"
	"voxpack/internal/blake3"
)

// sealName is the file that makes a pack whole: it lists every other file.
const sealName = "SEAL"

// sealWords begin a SEAL, by version. Version 1 knows BLAKE3 sums only.
var sealWords = []string{"voxpack seal 1", "voxpack seal 2"}

// seal is the content of a SEAL file, which is text, one thing a line:
//
//	voxpack seal 2
//	entries 1234
//	replaces 18d2c0ffee123456-89abcdef     (any number; merged packs only)
//	file 000001.vlog 102472 <XXH64 in hex>
//	file MANIFEST 48 <BLAKE3 in hex>
//	sum <BLAKE3 of all lines before, in hex>
type seal struct {
	entries  int
	replaces []string // packs whose entries a merge took over
	files    []sealedFile
}

// sealedFile is a file of a pack as SEAL names it. Its sum has 64 hex digits (BLAKE3) or quickSum (XXH64).
type sealedFile struct {
	name string
	size int64
	sum  string // see fileSum
}

// encode writes version 2 only where a file needs it, so that older programs read every other SEAL.
func (s *seal) encode() []byte {
	var b bytes.Buffer
	word := sealWords[0]
	if slices.ContainsFunc(s.files, func(f sealedFile) bool { return len(f.sum) == quickSum }) {
		word = sealWords[1]
	}
	fmt.Fprintf(&b, "%s\nentries %d\n", word, s.entries)
	for _, id := range s.replaces {
		fmt.Fprintf(&b, "replaces %s\n", id)
	}
	for _, f := range s.files {
		fmt.Fprintf(&b, "file %s %d %s\n", f.name, f.size, f.sum)
	}
	fmt.Fprintf(&b, "sum %s\n", Sum(b.Bytes()))
	return b.Bytes()
}

// parseSeal reads a SEAL; every error is ErrDamaged with its line.
func parseSeal(b []byte) (*seal, error) {
	cut := bytes.LastIndex(b, []byte("\nsum ")) + 1
	if cut == 0 {
		return nil, fmt.Errorf("SEAL ends without its own checksum: %w", ErrDamaged)
	}
	if string(b[cut:]) != "sum "+Sum(b[:cut]).String()+"\n" {
		return nil, fmt.Errorf("SEAL does not fit its own checksum: %w", ErrDamaged)
	}
	lines := strings.Split(strings.TrimSuffix(string(b[:cut]), "\n"), "\n")
	s := &seal{entries: -1}
	for i, line := range lines {
		if i == 0 && slices.Contains(sealWords, line) {
			continue
		}
		if i == 0 || !s.parseLine(line, lines[0] == sealWords[1]) {
			return nil, fmt.Errorf("SEAL:%d: cannot read %q: %w", i+1, line, ErrDamaged)
		}
	}
	if s.entries < 0 {
		return nil, fmt.Errorf("SEAL counts no entries: %w", ErrDamaged)
	}
	return s, nil
}

// parseLine reads one line; false: it is not one of a SEAL. A name with a folder in it is refused, so that
// no SEAL leads out of its pack; quick allows the short sums of version 2.
func (s *seal) parseLine(line string, quick bool) bool {
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
		if n, err := fmt.Sscanf(rest, "%s %d %s", &f.name, &f.size, &f.sum); n != 3 || err != nil || f.size < 0 {
			return false
		}
		_, err := hex.DecodeString(f.sum)
		s.files = append(s.files, f)
		return err == nil && strings.ToLower(f.sum) == f.sum && f.name == filepath.Base(f.name) && (len(f.sum) == 64 || quick && len(f.sum) == quickSum)
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
// the SEAL, which is durable when writeSeal returns. Files of which the sum is known
// are not read again.
func writeSeal(dir string, entries int, replaces []string, summed map[string]sealedFile) error {
	names, err := packFiles(dir)
	if err != nil {
		return err
	}
	s := &seal{entries: entries, replaces: replaces, files: make([]sealedFile, len(names))}
	errs := make([]error, len(names))
	// 24 h of speech are 13 value logs: side by side, while the build has nothing
	// else to do.
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var hashing sync.WaitGroup
	for i, name := range names {
		slots <- struct{}{}
		hashing.Go(func() {
			if f, ok := summed[name]; ok {
				s.files[i], errs[i] = f, f.sync(dir)
			} else {
				s.files[i], errs[i] = fileSum(dir, name, strings.HasSuffix(name, ".vlog"), true)
			}
			<-slots
		})
	}
	hashing.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, sealName), s.encode())
}

// sync makes a file durable and checks that it still has its length.
func (f sealedFile) sync(dir string) error {
	file, err := os.Open(filepath.Join(dir, f.name))
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() != f.size {
		return errors.Join(fmt.Errorf("%s changed after its last byte was written: %w", file.Name(), ErrDamaged), err)
	}
	return file.Sync()
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

// quickSum is the length of an XXH64 in hex, as a BLAKE3 has 64 digits.
const quickSum = 16

// sumBuffer is how much of a file is hashed at a time: long enough for the hash's
// widest code, short enough for the L2 cache.
const sumBuffer = 1 << 20

// fileSum is a file's length and checksum, and syncs it where asked. Value logs
// get an XXH64 instead of a BLAKE3: each value in them has a BLAKE3 of its own,
// by which it is named and verified, so that the sum of the file has to find
// nothing but damage between the values. A second BLAKE3 was the fourth part of
// all hashing of a first build.
func fileSum(dir, name string, quick, sync bool) (sealedFile, error) {
	path := filepath.Join(dir, name)
	f, err := os.Open(path)
	if err != nil {
		return sealedFile{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return sealedFile{}, err
	}
	var h hash.Hash = blake3.New()
	if quick {
		h = xxhash.New()
	}
	buf := make([]byte, min(info.Size()+1, sumBuffer)) // the lists that every open checks have some tens of bytes
	n, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{f}, buf)
	if err == nil && sync {
		err = f.Sync()
	}
	if err != nil {
		return sealedFile{}, errors.Join(fmt.Errorf("hash %s", path), err)
	}
	return sealedFile{name, n, hex.EncodeToString(h.Sum(nil))}, nil
}
