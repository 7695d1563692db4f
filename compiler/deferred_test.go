package compiler

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"voxpack/compiler/intake"
)

// encodedNames are the compressed clips of testdata/audio that are long enough for a mel.
var encodedNames = []string{"mono16.flac", "stereo16.flac", "mono24.flac", "mono.mp3", "vbr.mp3", "untagged.mp3", "mono.ogg", "stereo.opus"}

// encodedCorpus is a dataset of rows with compressed audio, and what each row's speaker is.
func encodedCorpus(t testing.TB, rows int) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "clips"), 0o777); err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	list.WriteString("id;Audio Path;text;speaker\n")
	for i := range rows {
		name := encodedNames[i%len(encodedNames)]
		file, err := os.ReadFile(filepath.Join("..", "testdata", "audio", name))
		if err != nil {
			t.Fatal(err)
		}
		path := fmt.Sprintf("clips/%02d%s", i, filepath.Ext(name))
		if err := os.WriteFile(filepath.Join(dir, path), file, 0o666); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&list, "row-%02d;%s;Row %d is read.;voice-%d\n", i, path, i, i%(rows-1)) // the last row has the first one's voice
	}
	if err := os.WriteFile(filepath.Join(dir, "metadata.csv"), []byte(list.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

func encodedOptions(dir string) Options {
	return Options{Dataset: dir, Config: Config{PerShard: 4}, RenumberSpeakers: true}
}

// damages are what can become of a file whose header goes on claiming what it did.
var damages = map[string]func(r *rand.Rand, b []byte) []byte{
	"cut":             func(r *rand.Rand, b []byte) []byte { return b[:len(b)/2+r.IntN(len(b)/4)] },
	"a flipped bit":   func(r *rand.Rand, b []byte) []byte { b[len(b)/2+r.IntN(len(b)/4)] ^= 1 << r.IntN(8); return b },
	"another sum":     func(r *rand.Rand, b []byte) []byte { b[26+r.IntN(16)] ^= 1 << r.IntN(8); return b }, // of FLAC's samples
	"a hole of zeros": func(r *rand.Rand, b []byte) []byte { clear(b[len(b)/2:][:64]); return b },
	"another length": func(r *rand.Rand, b []byte) []byte { // of FLAC; in the others it is some bit
		v := binary.BigEndian.Uint64(b[18:])
		binary.BigEndian.PutUint64(b[18:], v&^(1<<36-1)|uint64(20000+r.IntN(2000)))
		return b
	},
}

// TestDamageThatTheHeaderHidesChangesNothingElse: a build takes files at their word for
// their lengths, and comes to the rejections that a dry run comes to, which decodes them
// first, and to the root of the corpus without these rows. Some rows are left out for their
// text, and get one later; some shapes are too small for some rows.
func TestDamageThatTheHeaderHidesChangesNothingElse(t *testing.T) {
	t.Parallel()
	seeds := uint64(6)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		rows := 12 + r.IntN(14)
		damaged, clean := encodedCorpus(t, rows), encodedCorpus(t, rows)
		hurt := damage(t, damaged, r, 1+r.IntN(rows/2))
		flipFLAC(t, damaged, "00", "02", "08")
		hurt["row-00"], hurt["row-02"], hurt["row-08"] = true, true, true
		replaceText(t, damaged, "Row 2 is read.", "")
		replaceText(t, damaged, "Row 3 is read.", "")
		o := encodedOptions(damaged)
		if seed%2 == 1 {
			o.Config.Shape.MaxMelFrames = 60 // below what some files claim, above what any holds
		}
		o.Workers, o.DryRun = 1+r.IntN(2), true
		dry := mustBuild(t, o)
		o.DryRun = false
		got := mustBuild(t, o)
		if !slices.Equal(got.Rejections, dry.Rejections) {
			t.Errorf("seed %d: rejected are %v, a dry run foresees %v", seed, got.Rejections, dry.Rejections)
		}
		left := map[string]bool{}
		for _, x := range got.Rejections {
			left[x.ID] = true
			if !hurt[x.ID] && x.ID != "row-03" {
				t.Errorf("seed %d: %v, which is sound", seed, x)
			}
		}
		dropRows(t, clean, left)
		for id := range hurt {
			if !left[id] { // a flipped bit may leave a file sound: then its bytes are what counts
				copyClip(t, damaged, clean, id)
			}
		}
		sound := o
		sound.Dataset = clean
		if want := mustBuild(t, sound); got.Dataset != want.Dataset || got.Rows.Kept != want.Rows.Kept {
			t.Errorf("seed %d: %d rows of %d rejected: root %s of %d rows, without them it is %s of %d",
				seed, len(left), rows, got.Dataset, got.Rows.Kept, want.Dataset, want.Rows.Kept)
		}
		again := mustBuild(t, o)
		if !again.UpToDate || again.BytesWritten != 0 {
			t.Errorf("seed %d: a second build = %+v, want nothing to do", seed, again)
		}
		wantNothingRun(t, "a second build", again)
		replaceText(t, damaged, ";;voice-2", ";Row 2 is read.;voice-2")
		replaceText(t, damaged, "row-02;", "row-2b;") // so that the snapshot knows nothing of it, and the memo all
		replaceText(t, damaged, ";;voice-3", ";Row 3 is read.;voice-3")
		anew := o
		anew.Store = filepath.Join(t.TempDir(), "store")
		got, want := mustBuild(t, o), mustBuild(t, anew)
		if got.Dataset != want.Dataset || !slices.Equal(got.Rejections, want.Rejections) {
			t.Errorf("seed %d: with texts: root %s, %v; in a new store %s, %v", seed, got.Dataset, got.Rejections, want.Dataset, want.Rejections)
		}
		if _, err := VerifySources(t.Context(), o, MainRef, func(f Finding) { t.Errorf("seed %d: %v", seed, f) }); err != nil {
			t.Error(err)
		}
	}
}

// replaceText changes the metadata in one place.
func replaceText(t testing.TB, dir, from, to string) {
	t.Helper()
	path := filepath.Join(dir, "metadata.csv")
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(strings.Replace(string(b), from, to, 1)), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// damage hurts some rows' files and says which.
func damage(t testing.TB, dir string, r *rand.Rand, n int) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "clips", "*"))
	if err != nil {
		t.Fatal(err)
	}
	kinds := slices.Sorted(func(yield func(string) bool) {
		for k := range damages {
			if !yield(k) {
				return
			}
		}
	})
	hurt := map[string]bool{}
	for _, i := range r.Perm(len(files))[:n] {
		b, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files[i], damages[kinds[r.IntN(len(kinds))]](r, b), 0o666); err != nil {
			t.Fatal(err)
		}
		hurt[fmt.Sprintf("row-%02d", i)] = true
	}
	return hurt
}

// dropRows takes rows out of the metadata.
func dropRows(t testing.TB, dir string, left map[string]bool) {
	t.Helper()
	path := filepath.Join(dir, "metadata.csv")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	for line := range strings.Lines(string(b)) {
		if id, _, _ := strings.Cut(line, ";"); !left[id] {
			list.WriteString(line)
		}
	}
	if err := os.WriteFile(path, []byte(list.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

func copyClip(t testing.TB, from, to, id string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(from, "clips", strings.TrimPrefix(id, "row-")+".*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	b, err := os.ReadFile(files[0])
	if err == nil {
		err = os.WriteFile(filepath.Join(to, "clips", filepath.Base(files[0])), b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// buildCounting is Build, with the number of clips that were decoded.
func buildCounting(t *testing.T, o Options) (r *Report, decoded int64) {
	t.Helper()
	o, tool, err := o.ready(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := &build{Options: o}
	b.tools = newTools(&b.Config, time.Now(), tool)
	r, err = b.run(t.Context())
	if err := errors.Join(err, b.close()); err != nil {
		t.Fatal(err)
	}
	return r, b.decoders.Decoded()
}

// TestEachCompressedClipIsDecodedOnce, whether there is a store or not, and none without
// need.
func TestEachCompressedClipIsDecodedOnce(t *testing.T) {
	t.Parallel()
	const rows = 24
	dir := encodedCorpus(t, rows)
	expect := func(what string, want int64) {
		t.Helper()
		r, decoded := buildCounting(t, encodedOptions(dir))
		if r.Rows.Kept != rows || decoded != want {
			t.Errorf("%s: %d of %d rows kept, %d clips decoded, want %d", what, r.Rows.Kept, rows, decoded, want)
		}
	}
	expect("a first build", rows)
	expect("a second one", 0)
	replaceText(t, dir, "row-03;", "row-3b;")
	expect("a row has another id", 0)
	copyClip(t, dir, dir, "row-05")
	hurry := filepath.Join(dir, "clips", "05.mp3")
	mono, err := os.ReadFile(filepath.Join("..", "testdata", "audio", "high.mp3"))
	if err == nil {
		err = os.WriteFile(hurry, mono, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	expect("a row has another recording", 1)
	if err := os.RemoveAll(filepath.Join(dir, StoreName, "refs")); err != nil {
		t.Fatal(err)
	}
	expect("the snapshot is gone, its blocks are not", 0)
}

// TestADamagedClipIsDecodedAgainAndNoOther: a claim that is wrong costs the clips of its
// leaf, not those of the dataset, and the next build knows the verdict.
func TestADamagedClipIsDecodedAgainAndNoOther(t *testing.T) {
	t.Parallel()
	const rows, shard = 24, 4
	dir := encodedCorpus(t, rows)
	flipFLAC(t, dir, "00")
	r, decoded := buildCounting(t, encodedOptions(dir))
	if r.Rows.Rejected != 1 || decoded < rows+1 || decoded > rows+1+2*shard {
		t.Errorf("%d rows rejected, %d clips decoded of %d; want one more, and those of at most two leaves", r.Rows.Rejected, decoded, rows)
	}
	if r, decoded := buildCounting(t, encodedOptions(dir)); r.Rows.Rejected != 1 || decoded != 0 {
		t.Errorf("a second build: %d rows rejected, %d clips decoded", r.Rows.Rejected, decoded)
	}
}

// TestAFLACWithAnotherSumIsRejected: the sums of a leaf's clips are made together, when all are decoded. Each of the
// wrong ones is a rejection that says so, which the next build remembers, and the dataset is that of the other rows.
func TestAFLACWithAnotherSumIsRejected(t *testing.T) {
	t.Parallel()
	const rows = 24
	damaged, clean := encodedCorpus(t, rows), encodedCorpus(t, rows)
	left := map[string]bool{}
	for _, id := range []string{"00", "01", "08", "16"} {
		path := filepath.Join(damaged, "clips", id+".flac")
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file[26] ^= 0x40
		writeFile(t, path, file)
		left["row-"+id] = true
	}
	dropRows(t, clean, left)
	got, want := mustBuild(t, encodedOptions(damaged)), mustBuild(t, encodedOptions(clean))
	if got.Dataset != want.Dataset || got.Rows.Rejected != len(left) {
		t.Errorf("root %s, %d rejected; want %s, %d", got.Dataset, got.Rows.Rejected, want.Dataset, len(left))
	}
	for _, x := range got.Rejections {
		if !left[x.ID] || !strings.Contains(x.Reason, "FLAC samples have the MD5") {
			t.Errorf("%s: %s", x.ID, x.Reason)
		}
	}
	if r, decoded := buildCounting(t, encodedOptions(damaged)); r.Rows.Rejected != len(left) || decoded != 0 {
		t.Errorf("a second build: %d rows rejected, %d clips decoded", r.Rows.Rejected, decoded)
	}
}

// TestALossThatOnlyDecodingShowsStopsTheBuild: the loss guard asks again after the work.
func TestALossThatOnlyDecodingShowsStopsTheBuild(t *testing.T) {
	t.Parallel()
	dir := encodedCorpus(t, 16)
	o := encodedOptions(dir)
	mustBuild(t, o)
	o.MinKept = 0.8
	flipFLAC(t, dir, "00", "01", "02", "08", "09", "10")
	for _, what := range []string{"found in the work", "found before it"} {
		r, err := Build(t.Context(), o)
		if !errors.Is(err, ErrLoss) || r == nil || r.Loss == nil || r.Loss.Rejected != r.Rows.Rejected || r.Loss.Rejected < 6 {
			t.Errorf("%s: %+v, %v, want %v", what, r, err, ErrLoss)
		}
		for _, name := range []string{"03.mp3", "04.mp3", "05.mp3", "11.mp3"} {
			if err := os.Truncate(filepath.Join(dir, "clips", name), 1000); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// flipFLAC changes a bit in the middle of FLAC clips.
func flipFLAC(t testing.TB, dir string, clips ...string) {
	t.Helper()
	for _, name := range clips {
		path := filepath.Join(dir, "clips", name+".flac")
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b[len(b)/2] ^= 4
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAFaultOfTheMachineIsNoWrongClaim: a clip that changes while it is read is read
// again, one that cannot be read stops the build.
func TestAFaultOfTheMachineIsNoWrongClaim(t *testing.T) {
	t.Parallel()
	dir := encodedCorpus(t, 12)
	o, tool, err := encodedOptions(dir).ready(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "clips", "00.flac")
	b := &build{Options: o}
	b.tools = newTools(&b.Config, time.Now(), tool)
	b.Progress = func(p Progress) {
		if p.Phase == "computing" {
			os.Remove(file) // it was there when the rows were surveyed
		}
	}
	_, err = b.run(t.Context())
	if closed := b.close(); err == nil || closed != nil || intake.IsMachine(err) {
		t.Errorf("%v, %v; want that the file changed", err, closed)
	}
}

// TestAFirstBuildOfDamageAloneSaysWhatIsWrong: every file goes on claiming what it did.
func TestAFirstBuildOfDamageAloneSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	dir := encodedCorpus(t, 3)
	flipFLAC(t, dir, "00", "01", "02")
	o := encodedOptions(dir)
	o.MinKept = 0.8
	r, err := Build(t.Context(), o)
	if !errors.Is(err, ErrLoss) || r == nil || r.Rows.Rejected != 3 || len(r.Rejections) != 3 || r.Blocks.Written != 0 {
		t.Errorf("%+v, %v, want %v with 3 rejections", r, err, ErrLoss)
	}
}

// TestASecondRoundNeedsNoRoomForTheFirst: what is written already is not asked for again,
// and no count of rows falls: the second round has a name of its own.
func TestASecondRoundNeedsNoRoomForTheFirst(t *testing.T) {
	t.Parallel()
	dir := encodedCorpus(t, 24)
	flipFLAC(t, dir, "00")
	o, tool, err := encodedOptions(dir).ready(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := &build{Options: o}
	b.tools = newTools(&b.Config, time.Now(), tool)
	var needs []int64
	done := map[string]int{}
	b.Progress = func(p Progress) {
		if !strings.HasPrefix(p.Phase, "computing") {
			return
		}
		if p.Done < done[p.Phase] {
			t.Errorf("%s %d rows after %d", p.Phase, p.Done, done[p.Phase])
		}
		if done[p.Phase] = p.Done; p.Done > 0 {
			return
		}
		var dirty []*task
		for i := range b.layout.tasks {
			if t := &b.layout.tasks[i]; t.dirty {
				dirty = append(dirty, t)
			}
		}
		need, err := b.estimate(dirty)
		if err != nil {
			t.Error(err)
		}
		needs = append(needs, need)
	}
	_, err = b.run(t.Context())
	if err := errors.Join(err, b.close()); err != nil {
		t.Fatal(err)
	}
	if len(done) != 2 || len(needs) != 2 || needs[1] > needs[0]/2 {
		t.Errorf("rounds need %v bytes; want a second one that needs what its new leaves take", needs)
	}
}
