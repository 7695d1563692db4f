package compiler

import (
	"fmt"
	"path/filepath"
	"testing"

	"voxpack/compiler/frontend"
	"voxpack/internal/steptest"
	"voxpack/textnorm"
)

// TestTheLanguageOfARow follows one row from build to build: its column comes before
// its speaker's language and before what the text says that is read. What was told
// of another text, or by a column that is gone, is not taken over.
func TestTheLanguageOfARow(t *testing.T) {
	t.Parallel()
	const english, persian = "there are ships in the harbour", "امروز هوا خوب است"
	c := newCorpus(filepath.Join(fastTemp(t), "data"), 3)
	c.wavs["a"] = noiseWAV(1, 8000, 900)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	o.Config.Language = frontend.LanguageAuto
	o.Config.SpeakerLanguages = map[string]string{"gerda": "de"}
	o.Config.Speakers = []string{"ada", "gerda"}
	for _, step := range []struct {
		what string
		row  line
		want string
	}{
		{"the text tells", line{"a", english, english, "", ""}, "en"},
		{"another text tells anew", line{"a", persian, persian, "", ""}, "fa"},
		{"the normalised text is what is read", line{"a", persian, english, "", ""}, "en"},
		{"which was edited alone", line{"a", persian, persian, "", ""}, "fa"},
		{"the column comes before the speaker", line{"a", persian, persian, "gerda", "ru"}, "ru"},
		{"and before the text", line{"a", persian, persian, "ada", "ru"}, "ru"},
		{"the column is gone again", line{"a", persian, persian, "", ""}, "fa"},
		{"the column says what the text told", line{"a", persian, persian, "ada", "fa"}, "fa"},
	} {
		if c.columns = 5; step.row.language == "" {
			c.columns = 3 // where there is a column it is not empty
		}
		c.rows = []line{step.row}
		c.write(t)
		r := mustBuild(t, o)
		if len(r.Rejections) > 0 {
			t.Fatalf("%s: %v", step.what, r.Rejections)
		}
		if _, _, _, _, origin := sample(t, c, "a"); origin.Language != step.want {
			t.Errorf("%s: the row is in %q, want %q", step.what, origin.Language, step.want)
		}
		wantRootOfAFreshBuild(t, o, r)
	}
}

// TestSumNotes: notes of one kind and detail are one, in the order in which they
// came.
func TestSumNotes(t *testing.T) {
	note := func(kind, detail string) textnorm.Note { return textnorm.Note{Kind: kind, Detail: detail} }
	got := sumNotes("text", []textnorm.Note{note("b", "x"), note("a", "x"), note("b", "x"), note("b", "y")})
	want := "[{text b x 2} {text a x 1} {text b y 1}]"
	if fmt.Sprint(got) != want {
		t.Errorf("sumNotes = %v, want %s", got, want)
	}
	if got := sumNotes("text", nil); got != nil {
		t.Errorf("sumNotes of none = %v, want none", got)
	}
}

// TestSumNotesIsLinear: a row of which each character has a note does not hold up a
// build.
func TestSumNotesIsLinear(t *testing.T) {
	steptest.Linear(t, "voxpack/compiler", 4000, []string{"notes"}, func(t *testing.T, _ string, n int) {
		many := make([]textnorm.Note, n)
		for i := range many {
			many[i] = textnorm.Note{Kind: "unknown-character", Detail: fmt.Sprint(i)}
		}
		if got := sumNotes("tokens", many); len(got) != n {
			t.Errorf("%d notes of %d", len(got), n)
		}
	})
}
