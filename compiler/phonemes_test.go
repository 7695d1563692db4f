package compiler

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler/action"
	"voxpack/compiler/explain"
	"voxpack/compiler/frontend"
	"voxpack/internal/espeak"
	"voxpack/internal/exectest"
	"voxpack/store"
	"voxpack/textnorm"
)

// phonemeCorpus is a corpus in several languages whose tokens are phonemes.
func phonemeCorpus(t *testing.T) (*corpus, Options) {
	t.Helper()
	if _, err := espeak.Find(t.Context()); errors.Is(err, espeak.ErrMissing) {
		t.Skip("espeak-ng is not installed: nothing says phonemes")
	}
	c := newCorpus(t.TempDir(), 5)
	texts := []line{{text: "The old stone bridge, %d times.", language: "en"}, {text: "پل سنگی قدیمی، %d بار؟", language: "fa"},
		{text: "Die alte Brücke; %d Mal!", language: "de"}, {text: "{ˈað, tʃa} %d", language: "en"}}
	for i := range 24 {
		l := texts[i%len(texts)]
		l.id, l.text, l.speaker = fmt.Sprintf("r%02d", i), fmt.Sprintf(l.text, i), "a"
		c.rows = append(c.rows, l)
		c.wavs[l.id] = noiseWAV(uint64(i), 22050, 6000)
	}
	c.write(t)
	return c, Options{Dataset: c.dir, Store: filepath.Join(t.TempDir(), "store"), Config: Config{Config: frontend.Config{Tokens: textnorm.TokenizerConfig{Kind: textnorm.KindPhoneme}}}}
}

func TestPhonemesOfManyWorkersAreThoseOfOne(t *testing.T) {
	t.Parallel()
	c, o := phonemeCorpus(t)
	o.Workers = 1
	first := mustBuild(t, o)
	if first.Rows.Kept != len(c.rows) {
		t.Fatalf("%+v", first.Rejections)
	}
	for _, workers := range []int{2, 4} {
		o.Workers, o.Store = workers, filepath.Join(t.TempDir(), "store")
		slices.Reverse(c.rows)
		c.write(t)
		if again := mustBuild(t, o); again.Dataset != first.Dataset {
			t.Errorf("-j %d: dataset %s, want %s", workers, again.Dataset, first.Dataset)
		}
	}
}

func TestPhonemesAreKept(t *testing.T) {
	c, o := phonemeCorpus(t)
	makeOld(t, c.dir)
	first := mustBuild(t, o)
	before := listing(t, o.Store)
	again := mustBuild(t, o)
	wantNothingRun(t, "second build", again)
	if after := listing(t, o.Store); !maps.Equal(after, before) || again.Dataset != first.Dataset {
		t.Errorf("a build with nothing to do wrote %v, before it %v", after, before)
	}
	st, err := store.Open(o.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for id, want := range map[string]string{"r00": "ðɪ ˈoʊld stˈoʊn bɹˈɪdʒ, zˈiəɹoʊ tˈaɪmz.", "r03": "ˈað, tʃa θɹˈiː"} {
		e, err := explain.Row(st, MainRef, id)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Stages[action.Tokens].Result; !strings.HasSuffix(got, " tokens: "+want) {
			t.Errorf("explain %s: %q, want %q", id, got, want)
		}
	}
	if _, err := VerifySources(t.Context(), o, MainRef, func(f Finding) { t.Errorf("verify: %v", f) }); err != nil {
		t.Fatal(err)
	}
	c.rows[0].text = "A new stone bridge."
	c.write(t)
	edited := mustBuild(t, o)
	if s := edited.Stages[action.NameTokens]; s.Run != 1 || s.Hit != len(c.rows)-1 {
		t.Errorf("an edit of one row: tokens %+v", s)
	}
	clean := o
	clean.Store = filepath.Join(t.TempDir(), "clean")
	if again := mustBuild(t, clean); again.Dataset != edited.Dataset {
		t.Errorf("after the edit %s, a clean build gives %s", edited.Dataset, again.Dataset)
	}
}

func TestALanguageWithoutAVoiceIsARejection(t *testing.T) {
	t.Parallel()
	c, o := phonemeCorpus(t)
	c.rows[0].language, c.rows[1].language, c.rows[2].text = "und", "zu", "?!"
	c.write(t)
	r := mustBuild(t, o)
	want := map[string]string{"r00": "phonemes need the row's language", "r01": "has no voice for language zu"}
	for _, x := range r.Rejections {
		if x.Stage != action.NameTokens || !strings.Contains(x.Reason, want[x.ID]) || want[x.ID] == "" {
			t.Errorf("%s: %s: %s", x.ID, x.Stage, x.Reason)
		}
	}
	if len(r.Rejections) != 2 {
		t.Errorf("%d rejections, want 2", len(r.Rejections))
	}
}

// fakeEspeak speaks the command line of espeak-ng, says the line itself and has the version it is told.
func fakeEspeak(t *testing.T, version, body string) {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\ncase $1 in\n--version) echo 'eSpeak NG text-to-speech: " + version + "  Data at: /nowhere'; exit ;;\n" +
		"--voices) echo ' 5 en-us --/M English gmw/en'; echo ' 5 fa --/M Persian ira/fa'; echo ' 5 de --/M German gmw/de'; exit ;;\nesac\n" +
		"while IFS= read -r line; do case $line in '[[ptktptkt]]') echo ptktptkt ;; " + body + " *) echo \"$line\" ;; esac; done\n"
	exectest.Write(t, filepath.Join(dir, "espeak-ng"), script)
	t.Setenv("PATH", dir+":/usr/bin:/bin")
}

func TestAnotherVersionSaysAllAgain(t *testing.T) {
	_, o := phonemeCorpus(t)
	fakeEspeak(t, "1.98", "")
	first := mustBuild(t, o)
	fakeEspeak(t, "1.99", "The*) echo other ;;")
	second := mustBuild(t, o)
	if second.Dataset == first.Dataset || second.Stages[action.NameTokens].Run != 6 {
		t.Errorf("another version: tokens %+v; what it says otherwise is 6 rows", second.Stages[action.NameTokens])
	}
	st, err := store.Open(o.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	e, err := explain.Snapshot(st, MainRef)
	if err != nil || len(e.Config) != 1 || e.Config[0].Key != "phonemes" || !strings.HasSuffix(e.Config[0].Now, " espeak/1 1.99") {
		t.Errorf("explain: %+v, %v", e.Config, err)
	}
}

func TestWithoutEspeakNothingIsDone(t *testing.T) {
	_, o := phonemeCorpus(t)
	t.Setenv("PATH", t.TempDir())
	_, err := Build(t.Context(), o)
	if !errors.Is(err, ErrConfig) || !errors.Is(err, frontend.ErrNoEspeak) || !strings.Contains(err.Error(), "apt-get install espeak-ng") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(o.Store); err == nil {
		t.Error("a store was made")
	}
}

// TestAnEspeakThatCannotWorkStopsTheBuild: it says nothing about the rows.
func TestAnEspeakThatCannotWorkStopsTheBuild(t *testing.T) {
	_, o := phonemeCorpus(t)
	fakeEspeak(t, "1.98", "")
	broken := strings.Split(os.Getenv("PATH"), ":")[0] + "/espeak-ng"
	text, err := os.ReadFile(broken)
	if err != nil {
		t.Fatal(err)
	}
	exectest.Write(t, broken, strings.Replace(string(text), "while", "exit 3; while", 1))
	if _, err := Build(t.Context(), o); err == nil || errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "espeak-ng -v") {
		t.Errorf("got %v", err)
	}
}

func TestATextThatEndsEspeakIsARejection(t *testing.T) {
	_, o := phonemeCorpus(t)
	fakeEspeak(t, "1.98", "*bridge*) exit 1 ;;")
	r := mustBuild(t, o)
	if len(r.Rejections) != 6 || !strings.Contains(r.Rejections[0].Reason, "it ended, twice") {
		t.Errorf("%+v", r.Rejections)
	}
}
