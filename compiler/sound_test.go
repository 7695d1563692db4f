package compiler

import (
	"encoding/binary"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler/column"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// soundCorpus has durations from alignments, a second mel, and averages over the durations of each kind.
func soundCorpus(t *testing.T, rows int) (*corpus, Options) {
	c, o := alignedCorpus(t, rows)
	fmax := 2000.0
	o.Config.Features = []string{"energy"}
	for name, s := range map[string]column.Sound{"low": {Feature: "mel", NMels: 10, FMax: &fmax}, "bands": {Feature: "mel", By: "durations"},
		"loud": {Feature: "energy", By: "marks"}, "amount": {Feature: "energy", By: "durations"}} { // before and after their durations by name
		o.Config.Columns = append(o.Config.Columns, column.Config{Name: name, DType: store.Float32, Sound: &s})
	}
	return c, o
}

func floatsOf(b []byte) (list []float32) {
	for i := 0; i < len(b); i += 4 {
		list = append(list, math.Float32frombits(binary.LittleEndian.Uint32(b[i:])))
	}
	return list
}

// TestAColumnOfAFeatureIsTheFeature: a mel of other bands is that of a dataset with those bands, and an average is the mean of
// the frames that a duration covers, band by band.
func TestAColumnOfAFeatureIsTheFeature(t *testing.T) {
	t.Parallel()
	_, o := soundCorpus(t, 9)
	mustBuild(t, o)
	other := o
	other.Store, other.Config.Columns = filepath.Join(filepath.Dir(o.Store), "other"), nil
	other.Config.Mel.NMels, other.Config.Mel.FMax = 10, 2000
	mustBuild(t, other)
	low, want := columnOf(t, o.Store, "low"), columnOf(t, other.Store, "mel")
	for id := range want {
		if !slices.Equal(low[id], want[id]) {
			t.Errorf("%s: the second mel is not that of a dataset with its bands", id)
		}
	}
	mels, energy := columnOf(t, o.Store, "mel"), columnOf(t, o.Store, "energy")
	for _, c := range []struct {
		name, by string
		frames   map[string][]byte
		width    int
	}{{"bands", "durations", mels, 20}, {"loud", "marks", energy, 1}, {"amount", "durations", energy, 1}} {
		got, durations := columnOf(t, o.Store, c.name), columnOf(t, o.Store, c.by)
		for id := range got {
			values, frames, from := floatsOf(got[id]), floatsOf(c.frames[id]), 0
			for i := range len(durations[id]) / 4 {
				d := int(binary.LittleEndian.Uint32(durations[id][4*i:]))
				for band := range c.width {
					mean := 0.0
					for at := from; at < from+d; at++ {
						mean += float64(frames[at*c.width+band]) / float64(d)
					}
					if v := float64(values[i*c.width+band]); math.Abs(v-mean) > 1e-6*max(1, math.Abs(mean)) {
						t.Fatalf("%s: %s[%d] band %d = %v, want %v", id, c.name, i, band, v, mean)
					}
				}
				from += d
			}
		}
	}
	if _, err := VerifySources(t.Context(), o, "main", func(f Finding) { t.Errorf("verify --sources: %v", f) }); err != nil {
		t.Error(err)
	}
}

// TestAnEditOfWhatSoundColumnsAreMadeOf: of the sound, of durations, and of a setting; each costs its rows of its columns.
func TestAnEditOfWhatSoundColumnsAreMadeOf(t *testing.T) {
	t.Parallel()
	c, o := soundCorpus(t, 9)
	if r := mustBuild(t, o); r.Stages["low"].Run != 9 || r.Stages["amount"].Run != 9 || r.Stages["bands"].Run != 9 || r.Stages["loud"].Run != 9 {
		t.Errorf("the first build: %+v", r.Stages)
	}
	setting := func(change func(s *column.Sound)) {
		o.Config.Columns = slices.Clone(o.Config.Columns)
		i := column.IndexOf(o.Config.Columns, "low")
		s := *o.Config.Columns[i].Sound
		change(&s)
		o.Config.Columns[i].Sound = &s
	}
	for _, e := range []struct {
		name string
		edit func()
		want map[string]int
	}{
		{"nothing", func() {}, map[string]int{}},
		{"a boundary", func() {
			writeFile(t, filepath.Join(c.dir, "aligned", "row-003.TextGrid"), gridOf("", 0.02, "a", 0.06, "b", 832/8000.))
		}, map[string]int{"durations": 1, "phones": 1, "bands": 1, "amount": 1}},
		{"a clip", func() { c.wavs["row-004"] = noiseWAV(44, 8000, 640+64*4); c.write(t) },
			map[string]int{"audio": 1, "mel": 1, "energy": 1, "low": 1, "bands": 1, "amount": 1, "loud": 1}},
		{"a text", func() { c.rows[5].given = "acb"; c.write(t) }, map[string]int{"text": 1, "tokens": 1}},
		{"fmax", func() { fmax := 3000.0; setting(func(s *column.Sound) { s.FMax = &fmax }) }, map[string]int{"low": 9}},
		{"the bands of the dataset's mel", func() { o.Config.Mel.NMels = 24 }, map[string]int{"mel": 9, "bands": 9}},
	} {
		e.edit()
		dry := o
		dry.DryRun = true
		foreseen := mustBuild(t, dry)
		r := mustBuild(t, o)
		for name := range r.Stages {
			if r.Stages[name].Run != e.want[name] || foreseen.Stages[name].Run != e.want[name] {
				t.Errorf("%s: %s ran for %d rows, a dry run says %d, want %d", e.name, name, r.Stages[name].Run, foreseen.Stages[name].Run, e.want[name])
			}
		}
		wantRootOfAFreshBuild(t, o, r)
	}
}

// TestDurationsThatDoNotSuitTheSound are a rejection that later builds remember, until the durations change.
func TestDurationsThatDoNotSuitTheSound(t *testing.T) {
	t.Parallel()
	c, o := alignedCorpus(t, 9)
	for i := range 9 {
		writeFile(t, filepath.Join(c.dir, "durations", c.rows[i].id+".npy"), npyOf("<i8", []int{2}, 4, float64(6+i)))
	}
	at := func(id string) string { return filepath.Join(c.dir, "durations", id+".npy") }
	writeFile(t, at("row-002"), npyOf("<i8", []int{2}, 4, 11))
	writeFile(t, at("row-003"), npyOf("<i8", []int{2}, -1, 14))
	writeFile(t, at("row-005"), npyOf("<i8", []int{3}, 4, 0, 13)) // two frames more than the mel, which are the end's
	o.Config.Columns = []column.Config{{Name: "frames", From: "durations/{id}.npy", DType: store.Int32, Length: column.Own, Steps: 6},
		{Name: "amount", DType: store.Float32, Sound: &column.Sound{Feature: "energy", By: "frames"}}}
	for _, again := range []bool{false, true} {
		r := mustBuild(t, o)
		said := ""
		for _, j := range r.Rejections {
			said += j.ID + " " + string(j.Kind) + " " + j.Reason + "; "
		}
		if r.Rows.Kept != 7 || !strings.Contains(said, "row-002 value-length durations add up to 15 frames, the row has 12") ||
			!strings.Contains(said, "row-003 "+string(kind.BadValue)+" the duration 0 is -1 frames") || again && r.Stages["amount"].Run != 0 {
			t.Errorf("again %v: %+v %s", again, r.Rows, said)
		}
	}
	writeFile(t, at("row-002"), npyOf("<i8", []int{2}, 4, 8))
	if r := mustBuild(t, o); r.Rows.Kept != 8 || r.Stages["amount"].Run != 1 {
		t.Errorf("mended: %+v %+v", r.Rows, r.Stages)
	} else {
		wantRootOfAFreshBuild(t, o, r)
	}
}
