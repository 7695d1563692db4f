package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// corpus is the dataset that is measured and edited.
type corpus struct {
	dir   string
	lines []string // of the metadata
}

// config holds what a short clip needs: 8 frames, and as many ids as the texts have.
const config = "data:\n  max_mel_frames: 8\n  max_text_length: 200\n"

const sampleRate = 22050 // Hz

// newCorpus makes a dataset of n rows.
func newCorpus(dir string, n int) (*corpus, error) {
	c := &corpus{dir: dir}
	if err := os.MkdirAll(filepath.Join(dir, "wavs"), 0o777); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "voxpack.yaml"), []byte(config), 0o666); err != nil {
		return nil, err
	}
	return c, c.grow(n)
}

// grow appends n rows.
func (c *corpus) grow(n int) error {
	for range n {
		row := len(c.lines)
		if err := os.WriteFile(c.clip(row), clip(uint64(row)), 0o666); err != nil {
			return err
		}
		text := words(row)
		c.lines = append(c.lines, id(row)+"|"+text+"|"+text)
	}
	return c.write()
}

// write puts the metadata in its place.
func (c *corpus) write() error {
	path := filepath.Join(c.dir, "metadata.csv")
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, line := range c.lines {
		w.WriteString(line) // an error stays and comes out of Flush
		w.WriteByte('\n')
	}
	return errors.Join(w.Flush(), f.Close(), os.Rename(path+".new", path))
}

// editText lengthens a row's text.
func (c *corpus) editText(row int) error {
	c.lines[row] += " once more"
	return c.write()
}

// editClip gives a row a sound that no build has seen.
func (c *corpus) editClip(row int) error {
	return os.WriteFile(c.clip(row), clip(uint64(row)|1<<40), 0o666)
}

func id(row int) string { return fmt.Sprintf("S%09d", row) }

func (c *corpus) clip(row int) string { return filepath.Join(c.dir, "wavs", id(row)+".wav") }

// clip is a WAV file of 1,500 to 1,800 samples of noise.
func clip(seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 1))
	data := 2 * (1500 + rng.IntN(301))
	b := make([]byte, 0, 44+data+8)
	b = binary.LittleEndian.AppendUint32(append(b, "RIFF"...), uint32(36+data))
	b = binary.LittleEndian.AppendUint32(append(b, "WAVEfmt "...), 16)
	for _, v := range []uint16{1, 1, sampleRate, 0, 2 * sampleRate & 0xffff, 2 * sampleRate >> 16, 2, 16} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	b = binary.LittleEndian.AppendUint32(append(b, "data"...), uint32(data))
	for len(b) < 44+data {
		b = binary.LittleEndian.AppendUint64(b, rng.Uint64()&0x0fff0fff0fff0fff)
	}
	return b[:44+data]
}

// vocabulary is what texts are made of.
var vocabulary = strings.Fields(`the of and in was to that had his with by from were at which on for be as it
	this have been prison great many time made most first found years two city house before without letters king
	water people under general morning office against street evening country account printing forms several little`)

// words are a row's text: 6 to 20 words, and some that spell its number, so that no two rows say the same.
func words(row int) string {
	rng := rand.New(rand.NewPCG(uint64(row), 2))
	list := make([]string, 0, 32)
	for range 6 + rng.IntN(15) {
		list = append(list, vocabulary[rng.IntN(len(vocabulary))])
	}
	for n := row; n > 0; n /= len(vocabulary) {
		list = append(list, vocabulary[n%len(vocabulary)])
	}
	return strings.Join(list, " ")
}
