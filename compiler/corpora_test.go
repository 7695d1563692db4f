package compiler

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler/intake"
	"voxpack/store"
	"voxpack/textnorm"
)

// twoFolders are an English corpus of LJSpeech's form and a Persian one with
// speakers and languages.
func twoFolders(t *testing.T) (en, fa *corpus, order func(names ...string) Options) {
	t.Helper()
	dir := t.TempDir()
	en, fa = newCorpus(filepath.Join(dir, "lj"), 3), newCorpus(filepath.Join(dir, "persian"), 5)
	for i := range 40 {
		id := fmt.Sprintf("LJ%03d", i)
		en.rows = append(en.rows, line{id: id, text: fmt.Sprint("row ", i), given: fmt.Sprint("row number ", i)})
		en.wavs[id] = noiseWAV(uint64(i), 8000, 1000+10*i)
		if i%2 == 0 {
			fa.rows = append(fa.rows, line{id, fmt.Sprint("متن ", i), fmt.Sprint("متن شماره ", i), []string{"sara", "omid"}[i/2%2], "fa"})
			fa.wavs[id] = noiseWAV(uint64(1000+i), 8000, 900+10*i)
		}
	}
	en.write(t)
	fa.write(t)
	all := map[string]intake.Corpus{"en": {Name: "en", Dir: en.dir, Speaker: "lj", Language: "en"}, "fa": {Name: "fa", Dir: fa.dir}}
	return en, fa, func(names ...string) Options {
		o := Options{Store: filepath.Join(dir, "store"), Config: smallConfig()}
		o.Config.Speakers = []string{"lj", "sara", "omid"}
		for _, name := range names {
			o.Corpora = append(o.Corpora, all[name])
		}
		return o
	}
}

// TestSeveralCorporaInOneStore: removing one corpus and adding it again runs
// nothing of the other, and in the end nothing at all; the same clip names in
// both do not meet.
func TestSeveralCorporaInOneStore(t *testing.T) {
	t.Parallel()
	en, _, order := twoFolders(t)
	both := mustBuild(t, order("en", "fa"))
	if both.Rows.Kept != 60 || both.Rows.Rejected != 0 {
		t.Fatalf("rows = %+v, rejections %v", both.Rows, both.Rejections)
	}
	if again := mustBuild(t, order("fa", "en")); again.Dataset != both.Dataset || !again.UpToDate {
		t.Errorf("with the corpora in another order the dataset is %s, up to date %v; want %s", again.Dataset, again.UpToDate, both.Dataset)
	}
	alone := mustBuild(t, order("en"))
	if alone.Rows.Kept != 40 {
		t.Errorf("without one corpus %+v rows, want 40 kept", alone.Rows)
	}
	for stage, n := range alone.Stages {
		if n.Run != 0 {
			t.Errorf("removing a corpus ran %s for %d rows of the other", stage, n.Run)
		}
	}
	back := mustBuild(t, order("en", "fa"))
	if back.Dataset != both.Dataset || back.Blocks.Written != 0 {
		t.Errorf("with the corpus added again the dataset is %s, %d blocks written; want %s and none", back.Dataset, back.Blocks.Written, both.Dataset)
	}
	for stage, n := range back.Stages {
		if n.Run != 0 {
			t.Errorf("adding a corpus again ran %s for %d rows", stage, n.Run)
		}
	}
	en.rows[3].given += " edited"
	en.write(t)
	if r := mustBuild(t, order("en", "fa")); r.Stages["mel"].Run != 0 || r.Stages["text"].Run != 1 || r.Shards.Written != 1 {
		t.Errorf("an edit of one row: stages %v, shards %+v", r.Stages, r.Shards)
	}
}

// TestARowOfACorpusSaysWhereItIs: ids and positions begin with the corpus's name,
// and so do the files of its rejections.
func TestARowOfACorpusSaysWhereItIs(t *testing.T) {
	t.Parallel()
	_, fa, order := twoFolders(t)
	delete(fa.wavs, "LJ004")
	fa.rows[5].speaker = ""
	fa.write(t)
	r := mustBuild(t, order("en", "fa"))
	var got []string
	for _, x := range r.Rejections {
		got = append(got, x.String())
	}
	want := "fa/metadata.csv:3: fa/LJ004: audio: no audio: neither wavs/LJ004.wav nor LJ004.wav is there\nfa/metadata.csv:6: fa/LJ010: metadata: the speaker column is empty"
	if strings.Join(got, "\n") != want {
		t.Errorf("rejections\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	source, err := FindSource(order("en", "fa"), "fa/LJ002")
	if err != nil || source.Place.String() != "fa/metadata.csv:2" || source.Audio != "fa/wavs/LJ002.wav" {
		t.Errorf("the source of fa/LJ002 is %+v, %v", source, err)
	}
	inputs, err := Inputs(order("en", "fa"))
	if err != nil || len(inputs) != 40+18+2+2 {
		t.Errorf("%d inputs, %v; want 58 clips of rows that can be read, 2 tables and 2 folders", len(inputs), err)
	}
}

// TestFiltersAreCounted: every row that a filter leaves out is a rejection that
// names the key, and of one that is not wanted no file is read.
func TestFiltersAreCounted(t *testing.T) {
	t.Parallel()
	_, fa, order := twoFolders(t)
	fa.wavs["LJ000"] = []byte("no sound at all, and it is not looked at")
	fa.write(t)
	for _, c := range []struct {
		name   string
		filter Filter
		kept   int
		reason string // of every rejection but that of fa/LJ000
	}{
		{"nothing", Filter{}, 59, ""},
		{"ids to drop", Filter{DropIDs: []string{"fa/LJ000", "en/LJ001"}}, 58, "the id is in drop_ids"},
		{"ids to keep", Filter{KeepIDs: []string{"fa/LJ002", "en/LJ001"}}, 2, "the id is not in keep_ids"},
		{"no ids to keep", Filter{KeepIDs: []string{}}, 0, "the id is not in keep_ids"},
		{"a speaker", Filter{OnlySpeakers: []string{"omid"}}, 10, "is not in only_speakers"},
		{"not a speaker", Filter{NotSpeakers: []string{"sara"}}, 50, `speaker "sara" is in not_speakers`},
		{"a language", Filter{OnlyLanguages: []string{"en"}}, 40, "language fa is not in only_languages"},
		{"too slow", Filter{MinCharsPerSecond: 1000}, 0, "characters a second, min_chars_per_second is 1000"},
		{"too fast", Filter{MaxCharsPerSecond: 0.5}, 0, "characters a second, max_chars_per_second is 0.5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := order("en", "fa")
			o.Config.Filter, o.Store = c.filter, filepath.Join(t.TempDir(), "store")
			dry := o
			dry.DryRun = true
			foreseen := mustBuild(t, dry)
			r := mustBuild(t, o)
			if r.Rows.Kept != c.kept || r.Rows.Total != 60 {
				t.Errorf("rows = %+v, want %d kept of 60", r.Rows, c.kept)
			}
			for i, x := range r.Rejections {
				if x.ID != "fa/LJ000" && (x.Stage != "filter" || !strings.Contains(x.Reason, c.reason)) {
					t.Errorf("rejection %v, want %q", x, c.reason)
				}
				if foreseen.Rejections[i] != x {
					t.Errorf("the dry run said %v", foreseen.Rejections[i])
				}
			}
			if again := mustBuild(t, o); !again.UpToDate || again.Dataset != r.Dataset {
				t.Errorf("a second build is not up to date")
			}
		})
	}
	o := order("en", "fa")
	o.Config.Filter = Filter{DropIDs: []string{"fa/LJ000", "gone"}}
	if r := mustBuild(t, o); len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "drop_ids names 1 id that no row has (gone)") {
		t.Errorf("warnings = %q", r.Warnings)
	}
	o.Config.Filter = Filter{MinCharsPerSecond: 9, MaxCharsPerSecond: 1, OnlySpeakers: []string{"a"}, NotSpeakers: []string{"a"}, OnlyLanguages: []string{"klingon"}}
	if _, err := Build(t.Context(), o); !errors.Is(err, ErrConfig) || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("a filter that no row can pass: %v", err)
	}
}

// TestSplitsOfMetadataAreAColumn: rows of a pair of files have their side in the
// samples, and moving a row to the other side runs no stage.
func TestSplitsOfMetadataAreAColumn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 6 {
		writeFile(t, filepath.Join(dir, "wavs", fmt.Sprint("r", i, ".wav")), noiseWAV(uint64(i), 8000, 1000))
	}
	write := func(train, eval string) *Report {
		writeFile(t, filepath.Join(dir, "metadata_train.csv"), []byte(train))
		writeFile(t, filepath.Join(dir, "metadata_eval.csv"), []byte(eval))
		return mustBuild(t, Options{Dataset: dir, Config: smallConfig()})
	}
	first := write("r0|a\nr1|b\nr2|c\nr3|d\n", "r4|e\nr5|f\n")
	if first.Rows.Kept != 6 {
		t.Fatalf("rows = %+v %v", first.Rows, first.Rejections)
	}
	moved := write("r0|a\nr1|b\nr2|c\n", "r4|e\nr5|f\nr3|d\n")
	for stage, n := range moved.Stages {
		if n.Run != 0 {
			t.Errorf("a row's other side ran %s", stage)
		}
	}
	st, err := store.Open(filepath.Join(dir, StoreName))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	d, err := st.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]int32{"r0": 1, "r3": 2, "r5": 2} {
		at, err := d.Find(id)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := d.Scalar(at, "split"); got != want || err != nil {
			t.Errorf("split of %s = %d, %v; want %d", id, got, err, want)
		}
	}
}

// TestALexiconIsAppliedBeforeTheText: an edit of the lexicon runs the text of the
// rows that have the word, and tokens where the spoken text is another.
func TestALexiconIsAppliedBeforeTheText(t *testing.T) {
	t.Parallel()
	_, _, order := twoFolders(t)
	with := func(src string) *Report {
		o := order("en", "fa")
		var err error
		if o.Config.Lexicon, err = textnorm.ParseLexicon("lexicon", []byte(src)); err != nil {
			t.Fatal(err)
		}
		return mustBuild(t, o)
	}
	plain := mustBuild(t, order("en", "fa"))
	if r := with("# nothing\n"); !r.UpToDate || r.Dataset != plain.Dataset {
		t.Errorf("an empty lexicon makes another dataset")
	}
	one := with("7\tseven\n")
	if one.Dataset == plain.Dataset || one.Stages["text"].Run != 1 || one.Stages["tokens"].Run != 1 || one.Stages["mel"].Run != 0 || one.Shards.Written != 1 {
		t.Errorf("one word of one row: stages %v, shards %+v", one.Stages, one.Shards)
	}
	if n := one.Notes; len(n) != 1 || n[0].Stage != "lexicon" || n[0].Detail != "7 → seven" || n[0].Rows != 1 || n[0].Examples[0] != "en/LJ007" {
		t.Errorf("notes = %+v", n)
	}
	if again := with("7\tseven\n"); !again.UpToDate {
		t.Error("the same lexicon makes a build do something")
	}
	if more := with("7\tseven\tfa\n7\tseven\n# a comment\nnobody says this\tx\n"); more.Stages["text"].Run != 0 || more.Blocks.Written != 0 {
		t.Errorf("entries that no row has ran %v, %d blocks", more.Stages, more.Blocks.Written)
	}
	if back := mustBuild(t, order("en", "fa")); back.Dataset != plain.Dataset || back.Stages["text"].Run != 0 || back.Blocks.Written != 0 {
		t.Errorf("without the lexicon: dataset %s, want %s; stages %v", back.Dataset, plain.Dataset, back.Stages)
	}
	o := order("en", "fa")
	o.Config.Lexicon, _ = textnorm.ParseLexicon("lexicon", []byte("7\tseven\n"))
	mustBuild(t, o)
	counts, err := VerifySources(t.Context(), o, "main", func(f Finding) { t.Errorf("finding %v", f) })
	if err != nil || counts.Findings != 0 {
		t.Errorf("verify: %+v, %v", counts, err)
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
	if text, err := st.Get(store.KindText, d.Root.Lexicon()); string(text) != "7\tseven\t*\n" || err != nil {
		t.Errorf("the store's lexicon is %q, %v", text, err)
	}
}

// TestPartsOfARecordingAreRows: two parts of one file are clips of their own,
// which are those that a person would have cut; another part of it runs its own
// row alone.
func TestPartsOfARecordingAreRows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	long := noiseWAV(5, 8000, 40000)
	writeFile(t, filepath.Join(dir, "rec", "long.wav"), long)
	manifest := func(second string) {
		writeFile(t, filepath.Join(dir, "manifest.jsonl"), []byte(`{"audio_filepath": "rec/long.wav", "offset": 0.5, "duration": 0.25, "text": "one"}
{"audio_filepath": "rec/long.wav", "offset": `+second+`, "duration": 0.2, "text": "two"}
`))
	}
	manifest("4.8")
	o := Options{Dataset: dir, Config: smallConfig()}
	r := mustBuild(t, o)
	if r.Rows.Kept != 2 || len(r.Rejections) > 0 {
		t.Fatalf("rows %+v %v", r.Rows, r.Rejections)
	}
	cut := t.TempDir()
	frame := func(seconds float64) int { return 44 + 2*int(8000*seconds+0.5) }
	writeFile(t, filepath.Join(cut, "wavs", "a.wav"), wavFile(1, 1, 8000, 16, long[frame(0.5):frame(0.75)]))
	writeFile(t, filepath.Join(cut, "wavs", "b.wav"), wavFile(1, 1, 8000, 16, long[frame(4.8):frame(5)]))
	writeFile(t, filepath.Join(cut, "metadata.csv"), []byte("a|one\nb|two\n"))
	mustBuild(t, Options{Dataset: cut, Config: smallConfig()})
	for id, same := range map[string]string{"rec/long-00000500-00000750": "a", "rec/long-00004800-00005000": "b"} {
		if got, want := melOf(t, dir, id), melOf(t, cut, same); !slices.Equal(got, want) || len(got) == 0 {
			t.Errorf("the mel of %s is not that of its clip cut out", id)
		}
	}
	if again := mustBuild(t, o); !again.UpToDate {
		t.Error("a second build does something")
	}
	manifest("4.7")
	if r := mustBuild(t, o); r.Stages["audio"].Run != 1 || r.Stages["mel"].Run != 1 {
		t.Errorf("another part ran %v", r.Stages)
	}
	manifest("4.95")
	if r := mustBuild(t, o); r.Rows.Kept != 1 || !strings.Contains(r.Rejections[0].Reason, "rec/long.wav: the part ends at 5.15s, the file has 5s") {
		t.Errorf("a part that ends after the file: %v", r.Rejections)
	}
}

// melOf is a row's mel in the store of a folder.
func melOf(t *testing.T, dir, id string) []byte {
	t.Helper()
	st, err := store.Open(filepath.Join(dir, StoreName))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	d, err := st.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	at, err := d.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	shard, err := d.Shard(at.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	c := d.Root.Schema.Blocks().Index("mel")
	block, err := st.View(store.KindBlock, shard.Blocks[c].Digest)
	if err != nil {
		t.Fatal(err)
	}
	size := len(block) / shard.Len()
	return slices.Clone(block[at.Row*size : (at.Row+1)*size])
}

// TestAllCorporaThatAreNotThere are named at once, with the other corpora's faults.
func TestAllCorporaThatAreNotThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := Options{Store: filepath.Join(dir, "store"), Config: smallConfig()}
	for _, name := range []string{"gone", "empty", "lost"} {
		o.Corpora = append(o.Corpora, intake.Corpus{Name: name, Dir: filepath.Join(dir, name)})
	}
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := Build(t.Context(), o)
	if !errors.Is(err, intake.ErrNoMetadata) {
		t.Fatalf("a build of nothing: %v, want %v", err, intake.ErrNoMetadata)
	}
	for _, want := range []string{"gone is not a folder", "lost is not a folder", "empty has no metadata.csv"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
}

// TestACorpusWithoutARow among others is said: its rows may have been there before.
func TestACorpusWithoutARow(t *testing.T) {
	t.Parallel()
	_, fa, order := twoFolders(t)
	if r := mustBuild(t, order("en", "fa")); len(r.Warnings) != 0 {
		t.Fatalf("warnings %q of two corpora with rows", r.Warnings)
	}
	fa.rows = nil
	fa.write(t)
	const want = "the metadata of corpus fa has no row"
	if r := mustBuild(t, order("en", "fa")); !slices.Contains(r.Warnings, want) {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
}

// TestEqualRowsOfARejectedRowAreCounted: a row that stands three times and has no
// audio says so, also where a filter leaves it out.
func TestEqualRowsOfARejectedRowAreCounted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "wavs", "b.wav"), noiseWAV(1, 8000, 1000))
	writeFile(t, filepath.Join(dir, "metadata.csv"), []byte("a|x\na|x\nb|y\na|x\nb|y\n"))
	for _, drop := range [][]string{nil, {"a"}} {
		o := Options{Dataset: dir, Config: smallConfig(), DryRun: true}
		o.Config.Filter.DropIDs = drop
		r := mustBuild(t, o)
		if len(r.Rejections) != 1 || !strings.HasSuffix(r.Rejections[0].Reason, "; the row stands here 3 times") {
			t.Errorf("rejections %v", r.Rejections)
		}
	}
}
