package compiler

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler/explain"
	"voxpack/store"
)

// explained is what explain.Snapshot says, in lines: counts of rows, and the causes.
func explained(t *testing.T, o Options) (rows string, causes []string) {
	t.Helper()
	st, err := store.Open(o.withDefaults().Store)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	e, err := explain.Snapshot(st, MainRef)
	if err != nil {
		t.Fatal(err)
	}
	var counts []string
	for _, what := range slices.Sorted(maps.Keys(e.Rows)) {
		if n := e.Rows[what]; n != 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, what))
		}
	}
	ran := map[string]int{}
	for _, s := range e.Stages {
		causes = append(causes, fmt.Sprintf("%d %s %d: %s", s.Rows, s.Stage, s.Ran, s.Outcome()))
		ran[s.Stage] += max(s.Ran, 0)
	}
	for stage, n := range e.Ran {
		if ran[stage] > n.Run {
			t.Errorf("%s: the causes name %d rows that ran, the build counted %d", stage, ran[stage], n.Run)
		}
	}
	return strings.Join(counts, ", "), causes
}

func fateOf(t *testing.T, o Options, id string) map[string]string {
	t.Helper()
	st, err := store.Open(o.withDefaults().Store)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	r, err := explain.Row(st, MainRef, id)
	if err != nil {
		t.Fatal(err)
	}
	fates := map[string]string{"": r.Rejected}
	for _, s := range r.Stages {
		fates[s.Stage] = s.Why
	}
	return fates
}

// TestExplainSaysWhatRanAndWhy: every cause with its rows and how many of them
// were computed, after one edit each.
func TestExplainSaysWhatRanAndWhy(t *testing.T) {
	t.Parallel()
	const memo = "; new key, taken over from the memo"
	const some = "; of the rows with a new key some ran, the others were taken over from the memo"
	f16 := func(c *Config) { c.MelDType = store.Float16 }
	for _, tt := range []struct {
		name   string
		first  func(*Config) // the config of the build before
		detour func(*Config) // of a build before that
		edit   func(*corpus, *Config)
		rows   string
		causes []string
		why    map[string]string // of row-003 or, where there is none, of the row that took its place
	}{
		{"a text and its sound", nil, nil, func(c *corpus, _ *Config) {
			c.rows[3].given, c.wavs["row-003"] = "quite another text", noiseWAV(99, 8000, 900)
		}, "1 audio changed, 1 text edited",
			[]string{"1 audio 1: audio file changed", "1 text 1: text edited", "1 tokens 1: spoken text changed", "1 mel 1: audio file changed"},
			map[string]string{"mel": "audio file changed", "text": "text edited"}},
		{"a renamed row", nil, nil, func(c *corpus, _ *Config) {
			c.rows[3].id, c.wavs["other"] = "other", c.wavs["row-003"]
			delete(c.wavs, "row-003")
		}, "1 renamed", nil, map[string]string{"mel": "same key as of row-003 in the snapshot before; taken over"}},
		{"a row renamed and edited", nil, nil, func(c *corpus, _ *Config) {
			c.rows[3].id, c.rows[3].given, c.wavs["other"] = "other", "quite another text", c.wavs["row-003"]
			delete(c.wavs, "row-003")
		}, "1 added, 1 removed", []string{"1 audio 0: new row" + memo, "1 text 1: new row", "1 tokens 1: new row", "1 mel 0: new row" + memo},
			map[string]string{"mel": "new row" + memo, "text": "new row"}},
		{"back to an old element type", f16, func(*Config) {}, func(_ *corpus, c *Config) {},
			"", []string{"12 mel 0: mel_dtype f16 → f32" + memo}, map[string]string{"mel": "mel_dtype f16 → f32" + memo, "text": "same key as in the snapshot before; taken over"}},
		{"to another element type", nil, nil, func(_ *corpus, c *Config) { f16(c) }, "", []string{"12 mel 12: mel_dtype f32 → f16"}, nil},
		{"rows that were too long", func(c *Config) { c.Shape.MaxMelFrames = 14 }, nil, func(*corpus, *Config) {}, "2 no longer rejected",
			[]string{"2 tokens 2: rejected before by max_mel_frames 14, kept with 36", "2 mel 2: rejected before by max_mel_frames 14, kept with 36"},
			map[string]string{"audio": "same key as in the snapshot before; taken over", "mel": "same key as in the snapshot before; taken over"}},
		{"rows that were cut off", func(c *Config) { c.Shape.MaxMelFrames, c.Shape.Overlong = 14, OverlongTruncate }, nil,
			func(_ *corpus, c *Config) { c.Shape.Overlong = OverlongTruncate }, "", []string{"2 mel 2: max_mel_frames 14 → 36, cut off before"}, nil},
		{"a row whose sound is empty", nil, nil, func(c *corpus, _ *Config) { c.wavs["row-003"] = nil }, "1 now rejected", nil, nil},
		{"another number of rows in a shard", nil, nil, func(_ *corpus, c *Config) { c.PerShard = 8 }, "", nil, nil},
		{"a copy of a row", nil, nil, func(c *corpus, _ *Config) {
			c.rows, c.wavs["copy"] = append(c.rows, line{id: "copy", text: c.rows[5].text, given: c.rows[5].given}), c.wavs["row-005"]
		}, "1 added", []string{"1 audio 0: new row" + memo, "1 text 0: new row" + memo, "1 tokens 0: new row" + memo, "1 mel 0: new row" + memo}, nil},
		{"another tokenizer for texts of which one is new", nil, nil, func(c *corpus, cfg *Config) {
			cfg.Tokens.AddBOS = true
			c.rows[3].given = "quite another text"
		}, "1 text edited", []string{"1 text 1: text edited", "11 tokens 11: add_bos false → true", "1 tokens 1: add_bos false → true, spoken text changed"}, nil},
		{"back to an old tokenizer, with a new text", func(*Config) {}, func(c *Config) { c.Tokens.AddBOS = true }, func(c *corpus, cfg *Config) {
			cfg.Tokens.AddBOS = true
			c.rows[3].given = "quite another text"
		}, "1 text edited", []string{"1 text 1: text edited", "11 tokens -1: add_bos false → true" + some, "1 tokens -1: add_bos false → true, spoken text changed" + some}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := smallCorpus(t, 12)
			o := Options{Dataset: c.dir, Config: smallConfig()}
			for _, change := range []func(*Config){tt.detour, tt.first} {
				if change != nil {
					before := Options{Dataset: c.dir, Config: smallConfig()}
					change(&before.Config)
					mustBuild(t, before)
				}
			}
			if tt.first == nil {
				mustBuild(t, o)
			}
			tt.edit(c, &o.Config)
			c.write(t)
			mustBuild(t, o)
			rows, causes := explained(t, o)
			if rows != tt.rows || !slices.Equal(causes, tt.causes) {
				t.Errorf("rows %q, causes\n%s\nwant %q and\n%s", rows, strings.Join(causes, "\n"), tt.rows, strings.Join(tt.causes, "\n"))
			}
			id := "row-003"
			if c.find(id) < 0 {
				id = "other"
			}
			fates := fateOf(t, o, id)
			for stage, want := range tt.why {
				if fates[stage] != want {
					t.Errorf("%s of %s: %q, want %q", stage, id, fates[stage], want)
				}
			}
		})
	}
}

// TestExplainRowNamesTheSettingThatLetARowIn: and finds a row under the name
// that its metadata may have it by.
func TestExplainRowNamesTheSettingThatLetARowIn(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 12)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	o.Config.Shape.MaxMelFrames = 14
	r := mustBuild(t, o)
	id := r.Rejections[0].ID
	if fates := fateOf(t, o, id); fates["mel"] != "did not run: the row is rejected" || !strings.Contains(fates[""], "max_mel_frames is 14") {
		t.Errorf("%s is explained by %q", id, fates)
	}
	o.Config.Shape.MaxMelFrames = 36
	mustBuild(t, o)
	want := map[string]string{"": "", "audio": "same key as in the snapshot before; taken over", "text": "same key as in the snapshot before; taken over",
		"tokens": "rejected before by max_mel_frames 14, kept with 36", "mel": "rejected before by max_mel_frames 14, kept with 36"}
	for _, name := range []string{id, "wavs/" + id + ".WAV", "./" + id + ".wav"} {
		if fates := fateOf(t, o, name); !maps.Equal(fates, want) {
			t.Errorf("%s is explained by %q, want %q", name, fates, want)
		}
	}
}

// TestExplainOfAFirstBuild counts what ran, which is not always everything.
func TestExplainOfAFirstBuild(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 12)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	o.Config.Shape.MaxMelFrames = 14
	mustBuild(t, o)
	rows, causes := explained(t, o)
	if want := []string{"12 audio 12: first build", "12 text 12: first build", "12 tokens 12: first build", "10 mel 10: first build"}; rows != "10 added" || !slices.Equal(causes, want) {
		t.Errorf("rows %q, causes %q; want 10 added, %q", rows, causes, want)
	}
	st, err := store.Open(o.withDefaults().Store)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if _, err := explain.Row(st, MainRef, "nobody"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("ExplainRow of an unknown id: %v, want ErrNotFound", err)
	}
	if _, err := explain.Row(st, MainRef, "wavs/../row-003"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("ExplainRow of no id: %v, want ErrNotFound", err)
	}
}

// TestARefusedRowIsToldNoFigures: a recording that cannot be read has no samples, rate or
// frames to tell, and a text without tokens has no number of them; what refused it is
// told instead.
func TestARefusedRowIsToldNoFigures(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 3)
	c.wavs["row-001"] = []byte("this is no recording")
	c.rows[2].given = "\u2603"
	c.write(t)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	mustBuild(t, o)
	st, err := store.Open(o.withDefaults().Store)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for id, stages := range map[string][]string{"row-001": {"audio", "mel"}, "row-002": {"tokens"}} {
		e, err := explain.Row(st, MainRef, id)
		if err != nil {
			t.Fatal(err)
		}
		refusing := ""
		for _, f := range e.Stages {
			if slices.Contains(stages, f.Stage) && f.Result != "nothing" && !strings.HasPrefix(f.Result, "refused: ") {
				t.Errorf("%s of %s made %q; it made nothing", f.Stage, id, f.Result)
			}
			if f.Stage == stages[0] {
				refusing = f.Result
			}
		}
		if !strings.HasPrefix(refusing, "refused: ") || !strings.HasSuffix(e.Rejected, strings.TrimPrefix(refusing, "refused: ")) {
			t.Errorf("%s of %s made %q, want the refusal of %q", stages[0], id, refusing, e.Rejected)
		}
	}
}
