package compiler

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"voxpack/audio"
	"voxpack/compiler/frontend"
	"voxpack/textnorm"
)

// corpus is a small dataset that tests edit: metadata and real, short WAVs. The
// folder follows it by write, which touches only files that differ.
type corpus struct {
	dir     string
	columns int // 2, 3 or 5
	rows    []line
	wavs    map[string][]byte // by id
	written map[string][]byte
}

// line is one row of the metadata.
type line struct{ id, text, given, speaker, language string }

func newCorpus(dir string, columns int) *corpus {
	return &corpus{dir: dir, columns: columns, wavs: map[string][]byte{}, written: map[string][]byte{}}
}

// write brings the folder to what the corpus says.
func (c *corpus) write(t testing.TB) {
	t.Helper()
	var b strings.Builder
	for _, l := range c.rows {
		cols := []string{l.id, l.text, l.given, l.speaker, l.language}
		b.WriteString(strings.Join(cols[:c.columns], "|") + "\n")
	}
	c.writeFile(t, "metadata.csv", []byte(b.String()))
	for id, wav := range c.wavs {
		c.writeFile(t, filepath.Join("wavs", id+".wav"), wav)
	}
	for name := range maps.Clone(c.written) {
		id := strings.TrimSuffix(filepath.Base(name), ".wav")
		if _, there := c.wavs[id]; name != "metadata.csv" && !there {
			if err := os.Remove(filepath.Join(c.dir, name)); err != nil {
				t.Fatal(err)
			}
			delete(c.written, name)
		}
	}
}

func (c *corpus) writeFile(t testing.TB, name string, b []byte) {
	t.Helper()
	if old, there := c.written[name]; there && bytes.Equal(old, b) {
		return
	}
	writeFile(t, filepath.Join(c.dir, name), b)
	c.written[name] = b
}

// find is the index of the first row with an id, -1 where there is none.
func (c *corpus) find(id string) int {
	for i := range c.rows {
		if c.rows[i].id == id {
			return i
		}
	}
	return -1
}

func writeFile(t testing.TB, path string, b []byte) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// noiseWAV is n samples of 16-bit noise, mono, the same for the same seed.
func noiseWAV(seed uint64, rate, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 7))
	pcm := make([]byte, 0, 2*n)
	for range n {
		pcm = binary.LittleEndian.AppendUint16(pcm, uint16(r.IntN(1<<14)-1<<13))
	}
	return wavFile(1, 1, rate, 16, pcm)
}

// wavFile is a RIFF file with a fmt chunk of 16 bytes and a data chunk.
func wavFile(tag, channels, rate, bits int, pcm []byte) []byte {
	frame := channels * bits / 8
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00")
	for _, v := range []int{tag, channels} {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	for _, v := range []int{rate, rate * frame} {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	for _, v := range []int{frame, bits} {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(pcm)))
	b = append(b, pcm...)
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	return b
}

// withComment is a WAV file with one more chunk, which no sample is in.
func withComment(wav []byte, text string) []byte {
	text += strings.Repeat(" ", len(text)%2)
	b := append(bytes.Clone(wav), "note"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	b = append(b, text...)
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	return b
}

// smallConfig is a config under which a build of short clips takes milliseconds.
func smallConfig() Config {
	return Config{
		Config:     frontend.Config{Language: "und", Tokens: textnorm.TokenizerConfig{Unknown: "drop"}},
		SampleRate: 8000, PerShard: 4,
		Mel:   audio.MelConfig{NFFT: 256, HopLength: 64, WinLength: 256, NMels: 20, FMax: 4000},
		Shape: Shape{MaxTextLength: 40, MaxMelFrames: 36},
	}
}

// fastTemp is a temporary folder in shared memory where there is some: a build
// on it does not wait for a disk.
func fastTemp(t testing.TB) string {
	t.Helper()
	if info, err := os.Stat("/dev/shm"); err != nil || !info.IsDir() {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp("/dev/shm", "voxpack-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// smallCorpus is n rows in three columns with a clip each, written.
func smallCorpus(t testing.TB, n int) *corpus {
	t.Helper()
	c := newCorpus(filepath.Join(fastTemp(t), "data"), 3)
	for i := range n {
		id := fmt.Sprintf("row-%03d", i)
		text := fmt.Sprintf("this is row %d of them", i)
		c.rows = append(c.rows, line{id: id, text: text, given: text})
		c.wavs[id] = noiseWAV(uint64(i), 8000, 600+i*37%1500)
	}
	c.write(t)
	return c
}

// makeOld sets the time stamps of all files back, so that the stat table trusts
// them at once. It waits until the change itself is past the clock's grain.
func makeOld(t testing.TB, dir string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			err = os.Chtimes(path, old, old)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(40 * time.Millisecond)
}

// listing is every file and folder with its size and modification time in ns.
func listing(t testing.TB, dir string) map[string]string {
	t.Helper()
	list := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			list[path] = fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
