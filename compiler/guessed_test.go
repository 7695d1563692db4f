package compiler

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"voxpack/store"
)

// guessedCorpus has the clips of encodedCorpus, and WAV of integers, of floats, some of them beyond full scale, and of
// ADPCM.
func guessedCorpus(t *testing.T, rows int) string {
	t.Helper()
	dir := encodedCorpus(t, rows)
	stored, err := os.ReadFile(filepath.Join("..", "testdata", "audio", "mono16.wav"))
	if err != nil {
		t.Fatal(err)
	}
	var floats []byte
	for at := 44; at+1 < len(stored); at += 2 {
		v := float32(int16(binary.LittleEndian.Uint16(stored[at:]))) / 9000
		floats = binary.LittleEndian.AppendUint32(floats, math.Float32bits(v))
	}
	adpcm := make([]byte, 256*40)
	for i := range adpcm {
		adpcm[i] = byte(i * 7)
	}
	for at := 0; at < len(adpcm); at += 256 {
		copy(adpcm[at:], []byte{0, 0, 20, 0})
	}
	files := map[string][]byte{"integers": stored, "floats": wavFile(3, 1, 22050, 32, floats), "adpcm": adpcmFile(adpcm)}
	list, err := os.ReadFile(filepath.Join(dir, "metadata.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range files {
		writeFile(t, filepath.Join(dir, "clips", name+".wav"), file)
		list = fmt.Appendf(list, "%s;clips/%s.wav;A row of %s.;voice-0\n", name, name, name)
	}
	writeFile(t, filepath.Join(dir, "metadata.csv"), list)
	return dir
}

// adpcmFile is a WAV file of IMA ADPCM in blocks of 256 bytes.
func adpcmFile(blocks []byte) []byte {
	b := wavFile(0x11, 1, 22050, 4, blocks)
	binary.LittleEndian.PutUint16(b[32:], 256)
	return b
}

// surveyed are the records of all rows as a survey finds them that decodes every clip.
func surveyed(t *testing.T, o Options) map[string]store.OriginRow {
	t.Helper()
	o, tool, err := o.ready(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := &build{Options: o}
	b.tools = newTools(&b.Config, time.Now(), tool)
	b.remember(nil, true, true, o.Now)
	if b.corpora, err = b.openCorpora(); err == nil {
		err = b.read(t.Context(), &o)
	}
	b.openColumns(&b.tools)
	b.speak(t.Context())
	if err = errors.Join(err, b.survey(t.Context(), &b.Options, b.items, nil, nil, false), b.close()); err != nil {
		t.Fatal(err)
	}
	rows := map[string]store.OriginRow{}
	for i := range b.items {
		if it := &b.items[i]; it.kept() {
			rows[it.made.ID] = *it.made
		}
	}
	return rows
}

// stored are the records of all rows as the store's snapshot has them.
func storedRows(t *testing.T, o Options) map[string]store.OriginRow {
	t.Helper()
	o = o.withDefaults()
	st, err := store.Open(o.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	head, err := st.Ref(MainRef)
	if err != nil {
		t.Fatal(err)
	}
	p, err := openPrevious(t.Context(), st, head, o.Config.stages())
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]store.OriginRow{}
	for leaf := range p.Origins {
		origin, err := p.originOf(leaf)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range origin.Rows {
			rows[r.ID] = r
		}
	}
	return rows
}

// TestWhatIsGuessedIsDecodedOnce: clips that are trimmed and levelled, and WAV in floats and ADPCM, are decoded once, in
// the work, whether there is a store or not. What the snapshot says of each row is what a survey finds that decodes first.
func TestWhatIsGuessedIsDecodedOnce(t *testing.T) {
	t.Parallel()
	const rows = 21
	for name, set := range map[string]func(c *Config){
		"as they are":       func(*Config) {},
		"trimmed":           func(c *Config) { c.Process.TrimDB, c.Process.Normalize = 20, "peak" },
		"pre-emphasised":    func(c *Config) { c.Process.PreEmphasis, c.SampleRate = 0.97, 16000 },
		"trimmed and cut":   func(c *Config) { c.Process.TrimDB, c.Shape.MaxMelFrames, c.Shape.Overlong = 20, 30, OverlongTruncate },
		"trimmed, all kept": func(c *Config) { c.Process.TrimDB, c.Features = 20, []string{"energy", "pcm"} },
	} {
		dir := guessedCorpus(t, rows)
		o := encodedOptions(dir)
		set(&o.Config)
		r, decoded := buildCounting(t, o)
		if r.Rows.Kept != rows+3 || decoded != rows+3 && name != "as they are" || decoded != rows+2 && name == "as they are" {
			t.Errorf("%s: %d of %d rows kept, %d clips decoded", name, r.Rows.Kept, rows+3, decoded)
		}
		want, got := surveyed(t, o), storedRows(t, o)
		for id, row := range want {
			if !reflect.DeepEqual(got[id], row) {
				t.Errorf("%s: the snapshot has\n%+v\nwant\n%+v", name, got[id], row)
			}
		}
		if again, decoded := buildCounting(t, o); !again.UpToDate || decoded != 0 {
			t.Errorf("%s: a second build decodes %d clips: %+v", name, decoded, again)
		}
		if _, err := VerifySources(t.Context(), o, MainRef, func(f Finding) { t.Errorf("%s: %v", name, f) }); err != nil {
			t.Error(err)
		}
		copyClip(t, dir, dir, "row-05")
		other, err := os.ReadFile(filepath.Join("..", "testdata", "audio", "high.mp3"))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, "clips", "05.mp3"), other)
		edited, decoded := buildCounting(t, o)
		anew := o
		anew.Store = filepath.Join(t.TempDir(), "store")
		if want := mustBuild(t, anew); edited.Dataset != want.Dataset || decoded != 1 {
			t.Errorf("%s: another recording: root %s, %d decoded; in a new store %s", name, edited.Dataset, decoded, want.Dataset)
		}
	}
}

// TestAGuessThatIsWrongIsARejection, as a dry run foresees it: a clip that is too short when it is trimmed, one whose
// text is too long for what is left, one without a sound, and floats that are no numbers.
func TestAGuessThatIsWrongIsARejection(t *testing.T) {
	t.Parallel()
	const rows = 21
	damaged, clean := guessedCorpus(t, rows), guessedCorpus(t, rows)
	loud, err := os.ReadFile(filepath.Join("..", "testdata", "audio", "mono16.wav"))
	if err != nil {
		t.Fatal(err)
	}
	short := slices.Clone(loud)
	clear(short[44 : len(short)-3000])
	voice := loud[44 : len(loud)/2*2]
	end := wavFile(1, 1, 22050, 16, slices.Concat(make([]byte, 3*len(voice)), voice))
	nan := wavFile(3, 1, 22050, 32, append(make([]byte, 4*20000), 0, 0, 0xc0, 0x7f))
	for name, file := range map[string][]byte{"short": short, "silent": wavFile(1, 1, 22050, 16, make([]byte, 2*20000)), "nan": nan, "hasty": end} {
		writeFile(t, filepath.Join(damaged, "clips", name+".wav"), file)
		text := "A row."
		if name == "hasty" {
			text = "A longer row that is read in no time at all here."
		}
		replaceText(t, damaged, "row-00;", fmt.Sprintf("%s;clips/%s.wav;%s;voice-0\nrow-00;", name, name, text))
	}
	o, sound := encodedOptions(damaged), encodedOptions(clean)
	o.Config.Process.TrimDB, o.Config.Length.MinSeconds, o.Config.Filter.MaxCharsPerSecond = 20, 0.15, 70
	sound.Config = o.Config
	dry := o
	dry.DryRun = true
	foreseen := mustBuild(t, dry)
	got, first := buildCounting(t, o)
	if most := int64(rows + 3 + 4 + 2 + 4*o.Config.PerShard); first > most {
		t.Errorf("%d clips decoded, want at most %d: those of two rows twice for what was foreseen, of two leaves for what was not", first, most)
	}
	want := mustBuild(t, sound)
	if got.Dataset != want.Dataset || got.Rows.Rejected != 4 || !slices.Equal(got.Rejections, foreseen.Rejections) {
		t.Errorf("root %s, rejected %v; want %s, %v", got.Dataset, got.Rejections, want.Dataset, foreseen.Rejections)
	}
	if r, decoded := buildCounting(t, o); !r.UpToDate || decoded != 0 {
		t.Errorf("a second build: %d clips decoded, %+v", decoded, r.Rows)
	}
}

// TestAGuessIsSettledWhereItsBlockIsKnown: a lost cache forgets what a clip came to, and traces still name its block. The
// row that comes out is the one of a new store.
func TestAGuessIsSettledWhereItsBlockIsKnown(t *testing.T) {
	t.Parallel()
	dir := guessedCorpus(t, 21)
	o := encodedOptions(dir)
	o.Config.Process.TrimDB = 20
	want := mustBuild(t, o)
	for _, gone := range []string{"refs", "cache"} {
		if err := os.RemoveAll(filepath.Join(dir, StoreName, gone)); err != nil {
			t.Fatal(err)
		}
	}
	if got := mustBuild(t, o); got.Dataset != want.Dataset || got.Blocks.Written != 0 {
		t.Errorf("root %s, %d blocks written; want %s of known blocks", got.Dataset, got.Blocks.Written, want.Dataset)
	}
	if rows, want := storedRows(t, o), surveyed(t, o); !reflect.DeepEqual(rows, want) {
		t.Errorf("the snapshot has\n%+v\nwant\n%+v", rows, want)
	}
}

// TestAGuessOfAPart: parts of one file are trimmed by themselves.
func TestAGuessOfAPart(t *testing.T) {
	t.Parallel()
	dir := guessedCorpus(t, 8)
	writeFile(t, filepath.Join(dir, "metadata.csv"), []byte("id;Audio Path;text;speaker;offset;duration\n"+
		"a;clips/integers.wav;A row.;v;0;0.2\nb;clips/integers.wav;A row.;v;0.2;0.2\nc;clips/floats.wav;A row.;v;0.1;0.2\nd;clips/00.flac;A row.;v;0.1;0.25\n"))
	o := encodedOptions(dir)
	o.Config.Process.TrimDB = 20
	r, decoded := buildCounting(t, o)
	if r.Rows.Kept != 4 || decoded != 4 {
		t.Errorf("%d rows kept, %d decoded, want 4: %v", r.Rows.Kept, decoded, r.Rejections)
	}
	if rows, want := storedRows(t, o), surveyed(t, o); !reflect.DeepEqual(rows, want) {
		t.Errorf("the snapshot has\n%+v\nwant\n%+v", rows, want)
	}
}
