package compiler

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/compiler/column"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// arkOf is an archive of Kaldi with a vector of two numbers for each key, and the places
// of the vectors.
func arkOf(keys []string, values map[string]float32) (ark []byte, at map[string]int) {
	at = map[string]int{}
	for _, k := range keys {
		ark = append(ark, k+" "...)
		at[k] = len(ark)
		ark = append(ark, "\x00BFV \x04\x02\x00\x00\x00"...)
		for _, v := range []float32{values[k], -values[k]} {
			ark = binary.LittleEndian.AppendUint32(ark, math.Float32bits(v))
		}
	}
	return ark, at
}

// TestAListOfKaldiNamesPlacesInArchives: below the dataset, beside the list, or by a whole
// path; an edit of one value costs its row, whichever archive it is in.
func TestAListOfKaldiNamesPlacesInArchives(t *testing.T) {
	t.Parallel()
	c := newCorpus(filepath.Join(fastTemp(t), "data"), 3)
	values := map[string]float32{}
	var keys []string
	for i := range 9 {
		id := fmt.Sprintf("row-%03d", i)
		c.rows, keys = append(c.rows, line{id: id, text: "abc", given: "abc"}), append(keys, id)
		c.wavs[id], values[id] = noiseWAV(uint64(i), 8000, 640), float32(i)
	}
	c.write(t)
	parts := []string{"exp/a.ark", "b.ark", filepath.Join(c.dir, "exp/c d.ark")} // as the list has them
	files := []string{"exp/a.ark", "exp/b.ark", "exp/c d.ark"}
	write := func() {
		var list strings.Builder
		for n, part := range parts {
			ark, at := arkOf(keys[3*n:3*n+3], values)
			writeFile(t, filepath.Join(c.dir, files[n]), ark)
			for _, k := range keys[3*n : 3*n+3] {
				fmt.Fprintf(&list, "%s %s:%d\n", k, part, at[k])
			}
		}
		writeFile(t, filepath.Join(c.dir, "exp/x.scp"), []byte(list.String()))
	}
	write()
	cfg := smallConfig()
	cfg.Columns = []column.Config{{Name: "xvector", From: "exp/x.scp", DType: store.Float32, Shape: []int{2}}}
	o := Options{Dataset: c.dir, Store: filepath.Join(filepath.Dir(c.dir), "store"), Config: cfg, Workers: 1}
	good := mustBuild(t, o)
	if good.Rows.Kept != 9 {
		t.Fatalf("%+v %v", good.Rows, good.Rejections)
	}
	st, err := store.Open(o.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	d, err := st.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		at, err := d.Find(k)
		if err != nil {
			t.Fatal(err)
		}
		b, err := d.Value(at, "xvector")
		if err != nil || math.Float32frombits(binary.LittleEndian.Uint32(b)) != values[k] || math.Float32frombits(binary.LittleEndian.Uint32(b[4:])) != -values[k] {
			t.Errorf("%s: %v %v, want %v", k, b, err, values[k])
		}
	}
	values["row-004"] = 99
	write()
	if r := mustBuild(t, o); r.Stages["xvector"].Run != 1 || r.Stages["mel"].Run != 0 {
		t.Errorf("after an edit xvector ran for %d rows, mel for %d", r.Stages["xvector"].Run, r.Stages["mel"].Run)
	}
	if r := mustBuild(t, o); !r.UpToDate {
		t.Errorf("with nothing to do: %+v", r.Stages)
	}
	list, err := os.ReadFile(filepath.Join(c.dir, "exp/x.scp"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []struct {
		name, list string
		rejected   int
		kind       kind.Rejection
		reason     string
	}{
		{"an archive that is not there", strings.ReplaceAll(string(list), " b.ark", " gone.ark"), 3, kind.NoValue, "gone.ark is not there"},
		{"an archive elsewhere", strings.ReplaceAll(string(list), " b.ark", " ../../b.ark"), 3, kind.NoValue, "not below the dataset"},
		{"a row that is not there", strings.Replace(string(list), "row-002", "row-xxx", 1), 1, kind.NoValue, "exp/x.scp has no value for row-002"},
		{"another place", strings.Replace(string(list), "b.ark:8", "b.ark:1", 1), 1, kind.BadValue, "byte 1: "},
		{"a command", strings.Replace(string(list), "b.ark:8", "cat b.ark |", 1), 9, kind.BadValue, "a command, which is not run here"},
		{"a name twice", string(list) + "row-001 b.ark:8\n", 9, kind.BadValue, "row-001 stands there twice"},
	} {
		writeFile(t, filepath.Join(c.dir, "exp/x.scp"), []byte(e.list))
		r := mustBuild(t, o)
		if len(r.Rejections) != e.rejected || r.Rejections[0].Kind != string(e.kind) || !strings.Contains(r.Rejections[0].Reason, e.reason) {
			t.Errorf("%s: %d rejections %v, want %d of %s: %s", e.name, len(r.Rejections), r.Rejections, e.rejected, e.kind, e.reason)
		}
	}
}

// TestAListOfKaldiMayNameAnyNumberOfFiles: none of them is open but while a value of it is read.
func TestAListOfKaldiMayNameAnyNumberOfFiles(t *testing.T) {
	t.Parallel()
	c := newCorpus(filepath.Join(fastTemp(t), "data"), 3)
	var list strings.Builder
	for i := range 600 {
		id := fmt.Sprintf("row-%03d", i)
		if i < 5 {
			c.rows, c.wavs[id] = append(c.rows, line{id: id, text: "abc", given: "abc"}), noiseWAV(uint64(i), 8000, 640)
		}
		ark, at := arkOf([]string{id}, map[string]float32{id: float32(i)})
		writeFile(t, filepath.Join(c.dir, "arks", id+".ark"), ark)
		fmt.Fprintf(&list, "%s arks/%s.ark:%d\n", id, id, at[id])
	}
	writeFile(t, filepath.Join(c.dir, "x.scp"), []byte(list.String()))
	c.write(t)
	cfg := smallConfig()
	cfg.Columns = []column.Config{{Name: "xvector", From: "x.scp", DType: store.Float32, Shape: []int{2}}}
	open := 0
	o := Options{Dataset: c.dir, Store: filepath.Join(filepath.Dir(c.dir), "store"), Config: cfg, Workers: 1, Progress: func(Progress) {
		entries, _ := os.ReadDir("/proc/self/fd") // where there is none nothing is counted
		for _, e := range entries {
			if to, _ := os.Readlink("/proc/self/fd/" + e.Name()); strings.HasPrefix(to, c.dir) && strings.HasSuffix(to, ".ark") {
				open++
			}
		}
	}}
	if r := mustBuild(t, o); r.Rows.Kept != 5 || open > 1 {
		t.Errorf("%+v %v, %d archives were open", r.Rows, r.Rejections, open)
	}
}
