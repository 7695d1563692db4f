package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/compiler"
	"voxpack/internal/corpustest"
	"voxpack/store"
)

// spoilt is a dataset with one bit of a value of each of some columns flipped, in rows
// that are not the same. It returns its folder and the ids of those rows by column.
func spoilt(t *testing.T, columns ...string) (dir string, ids map[string]string) {
	t.Helper()
	dir = corpustest.Copy(t, "en")
	opts := compiler.Options{Dataset: dir, Now: time.Now}
	opts.Config.Features = []string{"energy", "pcm"}
	if _, err := compiler.Build(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	ids = map[string]string{}
	for i, column := range columns {
		value, id := valueOf(t, dir, column, i)
		ids[column] = id
		flip(t, dir, value)
	}
	return dir, ids
}

// valueOf is a value of the n-th row, and the id of that row.
func valueOf(t *testing.T, dir, column string, n int) (value []byte, id string) {
	t.Helper()
	d := opened(t, dir)
	defer d.Store.Close()
	s, err := d.Shard(0)
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.Value(store.At{Leaf: 0, Row: n}, column)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(v), s.IDs[n]
}

// opened is the dataset of a folder.
func opened(t *testing.T, dir string) *store.Dataset {
	t.Helper()
	p, err := locate.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	d, err := p.OpenDataset()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// flip changes a bit where bytes stand in a value log.
func flip(t *testing.T, dir string, value []byte) {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(dir, ".voxpack", "packs", "*", "*.vlog"))
	if err != nil {
		t.Fatal(err)
	}
	for _, log := range logs {
		b, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		if at := bytes.Index(b, value); at >= 0 {
			b[at+len(value)/8] ^= 1
			if err := os.Chmod(log, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(log, b, 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatal("no value log has the value")
}

// TestADamagedSampleStopsNoPage: rows whose mel, samples or energy are damaged are
// counted and named, and the others are all on the page.
func TestADamagedSampleStopsNoPage(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a page of each damage")
	}
	dir, ids := spoilt(t, "mel", "pcm", "energy")
	for _, lang := range []string{"en", "fa"} {
		path := filepath.Join(dir, lang+".html")
		var said bytes.Buffer
		o := &Options{Where: dir, out: path, lang: lang, media: 10, outSet: func() bool { return true }}
		if err := Run(t.Context(), o, &said, &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(said.String(), "3 rows damaged (voxpack verify --full says all)") {
			t.Errorf("it says %s", &said)
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		page, words := string(src), mustTongue(t, lang).words
		for column, id := range ids {
			if !strings.Contains(page, id) {
				t.Errorf("%s: %s, whose %s is damaged, is not on the page", lang, id, column)
			}
			why := strings.Replace(words["damaged"], "%s", column, 1)
			if has := strings.Contains(page, why); has != (column != "energy") { // of which nothing is shown
				t.Errorf("%s: the page says %q: %v", lang, why, has)
			}
		}
		if n := strings.Count(page, "<img "); n != 9 {
			t.Errorf("%s: %d pictures, want those of 9 rows", lang, n)
		}
		if n := strings.Count(page, "<audio "); n != 8 {
			t.Errorf("%s: %d sounds, want those of 8 rows", lang, n)
		}
	}
	var out bytes.Buffer
	if err := Run(t.Context(), &Options{Where: dir, lang: "en", json: true, outSet: func() bool { return false }}, &out, &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	var f Figures
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	if d := f.Damage; d.Read != 10 || d.Rows != 2 || d.Unknown != 0 || len(d.First) != 2 {
		t.Errorf("figures alone read energy and pcm: %+v", d)
	}
}

// TestADamagedRecordStopsNoPage: nothing is known of its rows but how many there are.
func TestADamagedRecordStopsNoPage(t *testing.T) {
	dir, _ := spoilt(t)
	d := opened(t, dir)
	record, err := d.Store.View(store.KindOrigin, d.Origins[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	value, rows := bytes.Clone(record), d.Origins[0].Rows
	d.Store.Close()
	flip(t, dir, value)
	var out bytes.Buffer
	if err := Run(t.Context(), &Options{Where: dir, lang: "en", json: true, outSet: func() bool { return false }}, &out, &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	var f Figures
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	if f.Damage.Unknown != rows || f.Damage.Rows != 0 {
		t.Errorf("%+v, want %d rows of which nothing is known", f.Damage, rows)
	}
}
