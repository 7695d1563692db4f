package espeak

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"voxpack/internal/exectest"
)

func tool(t *testing.T) Tool {
	t.Helper()
	found, err := Find(t.Context())
	if errors.Is(err, ErrMissing) {
		t.Skip("espeak-ng is not installed: nothing to run")
	}
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func newPool(t *testing.T, tool Tool, limit time.Duration) *Pool {
	p := NewPool(tool, limit)
	t.Cleanup(p.Close)
	return p
}

// Texts of each language without punctuation; a few hold a word or a sign of another one.
var clauses = map[string][]string{
	"en": {"the old stone bridge", "don't stop", "it costs 5 dollars and 20 %", "über alles", "a"},
	"es": {"el viejo puente de piedra", "años"}, "fr": {"le vieux pont de pierre", "l'eau", "un bon vin blanc"},
	"de": {"die alte Brücke", "ich auch nicht", "das Meeting"}, "it": {"il vecchio ponte di pietra", "gli gnocchi"}, "pt": {"a velha ponte de pedra", "não"},
	"pl": {"stary kamienny most", "święto"}, "tr": {"eski taş köprü", "ışık"}, "ru": {"старый каменный мост", "слово net тут"},
	"nl": {"de oude stenen brug", "goed"}, "cs": {"starý kamenný most", "řeka"}, "ar": {"الجسر الحجري القديم"}, "zh": {"你好 世界", "古老的石桥"},
	"hu": {"a régi kőhíd", "gyönyörű"}, "ko": {"오래된 돌다리"}, "ja": {"ふるい いしの はし"}, "hi": {"पुराना पत्थर का पुल"},
	"fa": {"پل سنگی قدیمی", "می\u200cروم"},
}

// alone is what a process of its own, with all settings at their defaults, says.
func alone(t *testing.T, tool Tool, voice, clause string) string {
	t.Helper()
	cmd := exec.Command(tool.Path, "-q", "--ipa", "-v", voice)
	cmd.Stdin, cmd.Env = strings.NewReader(clause+"\n"), environment
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return tidy(strings.Split(string(out), "\n"))
}

// TestAWorkerSaysWhatAProcessOfItsOwnSays: whatever it said before, and though
// it makes its sound faster and higher.
func TestAWorkerSaysWhatAProcessOfItsOwnSays(t *testing.T) {
	espeak := tool(t)
	p := newPool(t, espeak, 0)
	for language, list := range clauses {
		voice, err := espeak.Voice(language)
		if err != nil {
			t.Errorf("no voice for %s: %v", language, err)
			continue
		}
		for range 2 {
			for _, clause := range list {
				got, err := p.Say(t.Context(), clause, language)
				if want := alone(t, espeak, voice, clause); err != nil || got != want || got == "" {
					t.Errorf("%s: Say(%q) = %q, %v, want %q", language, clause, got, err, want)
				}
			}
			slices.Reverse(list)
		}
	}
	if n := len(p.idle); n != len(clauses) {
		t.Errorf("%d workers for %d languages", n, len(clauses))
	}
}

// TestLinesKeepApart: an answer is of its own line, also where it has none or several.
func TestLinesKeepApart(t *testing.T) {
	p := newPool(t, tool(t), 0)
	long := strings.TrimSpace(strings.Repeat("stone ", 700))
	stone, err := p.Say(t.Context(), "stone", "en")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for _, tt := range []struct{ clause, want string }{
			{"", ""}, {"   ", ""}, {"\n\n", ""}, {"stone", stone}, {"stone\nstone", stone + " " + stone}, {"\x00stone\x1b", stone}, {"stone", stone},
			{long, strings.TrimSpace(strings.Repeat(stone+" ", 700))}, {"stone", stone},
			{"\xff", ""}, {"stone", stone}, {"☃", ""}, {"stone", stone},
		} {
			got, err := p.Say(t.Context(), tt.clause, "en")
			if err != nil || got != tt.want && tt.clause != "☃" {
				t.Errorf("Say(%.20q) = %.60q, %v, want %.60q", tt.clause, got, err, tt.want)
			}
		}
	}
	// Its own notation of phonemes, a mark of ours among them, is text like any other.
	for _, clause := range []string{"[[h@l'oU]]", mark, "a " + mark + " b", "one\n" + mark + "\ntwo"} {
		if got, err := p.Say(t.Context(), clause, "en"); err != nil || got == "" || got == marked {
			t.Errorf("Say(%q) = %q, %v", clause, got, err)
		}
		if got, err := p.Say(t.Context(), "stone", "en"); err != nil || got != stone {
			t.Errorf("after %q: Say = %q, %v, want %q", clause, got, err, stone)
		}
	}
}

func TestLines(t *testing.T) {
	for _, clause := range []string{strings.Repeat("a", 1000), strings.Repeat("世", 500), strings.Repeat("ab cd ", 300), "x", strings.Repeat("\u0301", 700)} {
		var all []string
		for line := range lines(clause) {
			if len(line) > maxLine || line == "" || strings.ToValidUTF8(line, "") != line {
				t.Errorf("a line of %d bytes: %.20q", len(line), line)
			}
			all = append(all, line)
		}
		if got, want := strings.ReplaceAll(strings.Join(all, ""), " ", ""), strings.ReplaceAll(clause, " ", ""); got != want {
			t.Errorf("lines of %.20q lose text: %.20q", clause, got)
		}
	}
}

func TestTidy(t *testing.T) {
	for _, tt := range []struct {
		said []string
		want string
	}{
		{[]string{" həlˈoʊ  wˈɜːld "}, "həlˈoʊ wˈɜːld"}, {[]string{"a", "", "b"}, "a b"}, {[]string{"slˈovʌ (en)nˈɛt(ru) tˈut"}, "slˈovʌ nˈɛt tˈut"},
		{[]string{"(hi)sˈiːtaː(en-us)"}, "sˈiːtaː"}, {nil, ""}, {[]string{"a(b"}, "a"},
	} {
		if got := tidy(tt.said); got != tt.want {
			t.Errorf("tidy(%q) = %q, want %q", tt.said, got, tt.want)
		}
	}
}

// TestAKilledWorkerIsReplaced: nobody notices, in whatever moment it happens.
func TestAKilledWorkerIsReplaced(t *testing.T) {
	p := newPool(t, tool(t), 0)
	want, err := p.Say(t.Context(), "the old stone bridge", "en")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		p.mu.Lock()
		pid := p.idle[0].cmd.Process.Pid
		p.mu.Unlock()
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if got, err := p.Say(t.Context(), "the old stone bridge", "en"); err != nil || got != want {
			t.Fatalf("after kill -9: %q, %v, want %q", got, err, want)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	espeak := tool(t)
	p := newPool(t, espeak, 0)
	want := map[string]string{}
	for language, list := range clauses {
		want[language], _ = p.Say(t.Context(), list[0], language)
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for language, list := range clauses {
				if got, err := p.Say(t.Context(), list[0], language); err != nil || got != want[language] {
					t.Errorf("goroutine %d: %s: %q, %v, want %q", g, language, got, err, want[language])
				}
			}
		})
	}
	wg.Wait()
	if n := len(p.idle); n > mostIdle {
		t.Errorf("%d workers wait, want at most %d", n, mostIdle)
	}
	p.Close()
	if _, err := p.Say(t.Context(), "a", "en"); err == nil || errors.Is(err, ErrText) {
		t.Errorf("a closed pool gives %v", err)
	}
}

func TestNoVoice(t *testing.T) {
	p := newPool(t, tool(t), 0)
	_, err := p.Say(t.Context(), "a", "und")
	if !errors.Is(err, ErrText) || !strings.Contains(err.Error(), "has no voice for language und") {
		t.Errorf("got %v", err)
	}
}

// script is a program that speaks the command line of espeak-ng and misbehaves.
// body answers what it reads into $line.
func script(t *testing.T, body string) Tool {
	t.Helper()
	dir := t.TempDir()
	text := `#!/bin/sh
case $1 in
--version) echo "eSpeak NG text-to-speech: 9.9  Data at: nowhere"; exit ;;
--voices) echo "Pty Language Age/Gender VoiceName File Other"; echo " 5 en-us --/M English gmw/en"; exit ;;
esac
while IFS= read -r line; do
` + body + `
done
`
	exectest.Write(t, filepath.Join(dir, "espeak-ng"), text)
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	found, err := Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

const answers = `case $line in "` + mark + `") echo ` + marked + ` ;; hang) /bin/sleep 100 ;; die) exit 1 ;; flood) while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done ;; none) ;; *) echo "<$line>"; echo "(en)more(xx)" ;; esac`

// soon is a limit that only what hangs is held to: a busy machine takes longer to
// start a program.
const soon = 50 * time.Millisecond

// ready starts so many workers of an English voice, that wait then.
func ready(t *testing.T, p *Pool, n int) {
	t.Helper()
	var workers []*worker
	for range n {
		w, err := p.take(t.Context(), "en-us")
		if err != nil {
			t.Fatal(err)
		}
		workers = append(workers, w)
	}
	for _, w := range workers {
		p.put(w)
	}
}

func TestAWorkerThatMisbehaves(t *testing.T) {
	espeak := script(t, answers)
	if got := espeak.StageVersion(); got != "espeak/1 9.9" {
		t.Errorf("version %q", got)
	}
	p := newPool(t, espeak, time.Hour)
	for _, tt := range []struct{ clause, want, fault string }{
		{"hello", "<hello> more", ""}, {"none", "", ""},
		{"hang", "", "it was not done after 50ms, twice"}, {"hello", "<hello> more", ""},
		{"die", "", "it ended, twice"}, {"hello", "<hello> more", ""},
		{"flood", "", "it said over 65536 bytes, twice"}, {"hello", "<hello> more", ""},
	} {
		if p.limit = time.Hour; tt.clause == "hang" {
			ready(t, p, 2)
			p.limit = soon
		}
		got, err := p.Say(t.Context(), tt.clause, "en")
		if got != tt.want || (err != nil) != (tt.fault != "") || err != nil && (!errors.Is(err, ErrText) || !strings.Contains(err.Error(), tt.fault)) {
			t.Errorf("Say(%q) = %q, %v, want %q, %q", tt.clause, got, err, tt.want, tt.fault)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := newPool(t, espeak, time.Hour).Say(ctx, "hang", "en"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestAProgramThatCannotWork is no matter of one text.
func TestAProgramThatCannotWork(t *testing.T) {
	for _, tt := range []struct {
		body, fault string
		limit       time.Duration
	}{{"exit 3", "it ended", time.Hour}, {"echo what", "it was not done", soon}} {
		_, err := newPool(t, script(t, tt.body), tt.limit).Say(t.Context(), "hello", "en")
		if err == nil || errors.Is(err, ErrText) || !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("%s: %v, want %q", tt.body, err, tt.fault)
		}
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if _, err := Find(t.Context()); !errors.Is(err, ErrMissing) {
		t.Errorf("got %v, want ErrMissing", err)
	}
	exectest.Write(t, filepath.Join(dir, "espeak-ng"), "#!/bin/sh\necho something else\n")
	if _, err := Find(t.Context()); err == nil || !strings.Contains(err.Error(), "is not a version of espeak-ng") {
		t.Errorf("got %v", err)
	}
}

// TestNoWorkerIsLeftBehind asks the system for children.
func TestNoWorkerIsLeftBehind(t *testing.T) {
	espeak := tool(t)
	p := NewPool(espeak, 0)
	if _, err := p.Say(t.Context(), "a", "en"); err != nil {
		t.Fatal(err)
	}
	pid := p.idle[0].cmd.Process.Pid
	p.Close()
	if err := syscall.Kill(pid, 0); err == nil {
		t.Errorf("process %d is still there", pid)
	}
}

// BenchmarkSay: clauses of a text as LJSpeech has them, 36 letters in the mean.
func BenchmarkSay(b *testing.B) {
	espeak, err := Find(b.Context())
	if err != nil {
		b.Skip(err)
	}
	p := NewPool(espeak, 0)
	defer p.Close()
	list := []string{"in being comparatively modern", "For although the Chinese took impressions from wood blocks", "the invention of movable metal letters"}
	for i := 0; b.Loop(); i++ {
		if _, err := p.Say(b.Context(), list[i%len(list)], "en"); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "clauses/s")
}
