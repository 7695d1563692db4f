package top

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"voxpack/diagnosis"
	"voxpack/gpufeed/serve"
	"voxpack/internal/perf"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// socket is where the feeder of these tests answers.
const socket = "/run/user/1000/voxpack/9d1c0f7a5b3e2468.sock"

// training is a history of so many looks, a second apart, at a feeder with so many
// consumers, whose steps grow longer from the middle on.
func training(looks, consumers int) *History {
	h := &History{}
	for i := range looks {
		h.Add(lookAt(i, consumers))
	}
	return h
}

func lookAt(second, consumers int) Look {
	f := Feeder{Socket: socket, PID: 4711, Version: "v1.2.0", Dataset: "3f2a91bc04de" + strings.Repeat("0", 52)}
	for n := range consumers {
		f.Consumers = append(f.Consumers, consumerAt(second, n, consumers))
	}
	busy, used, all := 97+float64(second%3), int64(12_300_000_000), int64(85_000_000_000)
	if second > slowFrom {
		busy = 75 + float64(second%7)
	}
	return Look{At: time.Date(2026, 11, 23, 14, 3, second, 0, time.UTC), Feeders: []Feeder{f}, GPUs: []GPU{
		{Bus: "0000:65:00.0", Name: "NVIDIA H100 80GB HBM3", Busy: &busy, Used: &used, Memory: &all},
	}}
}

// slowFrom is the second after which the feeder is slower.
const slowFrom = 18

func consumerAt(second, n, world int) Consumer {
	// A step trains for 24.5 ms. Four workers that need 98 ms for a batch keep up with it;
	// when they need 125 ms, the trainer waits for 6.75 of 31.25 ms.
	const train, filled, slower = 24.5, 98, 125
	batches, step, ring := int64(40*second+n), 25.0, Ring{Slots: 6, Preparing: 1, Ready: 3, Training: 1}
	work := filled * float64(batches)
	if second > slowFrom {
		batches, step, ring = int64(40*slowFrom+32*(second-slowFrom)+n), slower/4., Ring{Slots: 6, Preparing: 4, Training: 1}
		work = filled*40*slowFrom + slower*float64(batches-40*slowFrom)
	}
	total := func(ms float64) perf.Summary { return perf.Summary{Count: batches, TotalMS: ms} }
	copied := 0.01
	load := 1 - train/step - copied
	c := Consumer{
		Number: n + 1, PID: 48010 + n, Name: "python3", Rank: n, World: world, Batch: 32 * world, Device: "host",
		Batches: batches, Samples: 32 * batches, Bytes: 8_200_000 * batches,
		Steps: &Steps{Count: 40, MeanMS: step, P99MS: 36.8, Load: &load, Copy: &copied},
		Ring:  ring,
		Stages: []perf.StageSummary{
			{Name: "fill", WaitIn: total(0), Work: total(work), WaitOut: total(2 * float64(min(batches, 40*slowFrom)))},
		},
	}
	if second > 25 {
		c.Findings = findingsOf(slowFeed(slower, step, train))
	}
	return c
}

// slowFeed is a session of four workers on eight cores, with the steps of its trainer.
func slowFeed(fill, step, train float64) (*serve.Look, serve.Session, serve.StepSummary) {
	l, s, steps := seen(fill)
	s.Fillers = slices.Repeat(s.Fillers[:1], 4)
	for of, ms := range map[*perf.Summary]float64{&steps.Period: step, &steps.Wait: step - train, &steps.Load: step - train, &steps.Train: train} {
		of.TotalMS, of.MeanMS = float64(of.Count)*ms, ms
	}
	return l, s, steps
}

// TestScreens holds drawn screens to files, which people look at when they change.
func TestScreens(t *testing.T) {
	gone := training(30, 2)
	for i := 30; i < 33; i++ {
		gone.Add(lookAt(i, 1))
	}
	dead := training(30, 2)
	down := Look{At: time.Date(2026, 11, 23, 14, 3, 31, 0, time.UTC), Feeders: []Feeder{{Socket: socket, Error: "nobody answers: it has ended, or was killed"}}}
	dead.Add(down)
	back := training(30, 2)
	back.Add(down)
	for i := range 4 {
		l := lookAt(i+1, 1)
		l.At, l.Feeders[0].PID = time.Date(2026, 11, 23, 14, 3, 32+i, 0, time.UTC), 4999
		back.Add(l)
	}
	several := training(30, 1)
	c := &several.looks[len(several.looks)-1].Feeders[0].Consumers[0]
	c.Findings = append(c.Findings, diagnosis.Verdict{Rule: "tail", Basis: diagnosis.Computed, Cause: "each epoch leaves out 2 of 10 rows (--tail drop)"})
	idle := &History{}
	idle.Add(lookAt(0, 0))
	second := UI{chosen: consumerID{socket, 4711, 2}}
	for _, c := range []struct {
		name          string
		h             *History
		u             UI
		width, height int
		colour        bool
	}{
		{"60", training(30, 1), UI{}, 60, 24, false},
		{"page", training(30, 1), UI{}, 60, 23, false},
		{"200", training(60, 2), second, 200, 24, false},
		{"80-colour", training(30, 2), second, 80, 24, true},
		{"many", training(30, 24), UI{chosen: consumerID{socket, 4711, 12}}, 80, 30, false},
		{"a consumer that ended", gone, second, 60, 24, false},
		{"a feeder that died", dead, UI{}, 60, 24, false},
		{"a feeder that returned", back, UI{}, 60, 30, false},
		{"nobody takes batches", idle, UI{}, 60, 12, false},
		{"several findings", several, UI{}, 60, 24, false},
		{"several findings, wide", several, UI{}, 200, 18, false},
		{"one look", training(1, 1), UI{}, 60, 20, false},
		{"no look yet", &History{}, UI{}, 60, 10, false},
		{"paused", training(50, 1), UI{frozen: training(30, 1)}, 60, 16, false},
		{"help", training(30, 1), UI{help: true}, 60, 24, false},
		{"short", training(30, 3), UI{}, 80, 10, false},
		{"tiny", training(30, 2), UI{}, 18, 4, false},
		{"one cell", training(30, 2), UI{}, 1, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Screen(c.h, c.u, c.width, c.height, c.colour)
			file := filepath.Join("testdata", strings.ReplaceAll(strings.ReplaceAll(c.name, ",", ""), " ", "_")+".screen")
			if *update {
				if err := os.WriteFile(file, []byte(got+"\n"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got+"\n" != string(want) {
				t.Errorf("the screen is\n%s\nwant\n%s", got, want)
			}
			fits(t, got, c.width, c.height)
		})
	}
}

// TestThePagesShowAScreen: what diagnosis.md shows is drawn by this program.
func TestThePagesShowAScreen(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("testdata", "page.screen"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages(t) {
		if !strings.Contains(page, "```text\n"+string(want)+"```\n") {
			t.Errorf("%.40q … does not show the screen\n%s", page, want)
		}
	}
}

// pages are diagnosis.md in its languages.
func pages(t *testing.T) (list []string) {
	t.Helper()
	for _, language := range []string{"en", "fa"} {
		page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", language, "diagnosis.md"))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(page))
	}
	return list
}

// fits holds a screen to its size.
func fits(t *testing.T, screen string, columns, lines int) {
	t.Helper()
	all := strings.Split(screen, "\n")
	if len(all) > lines {
		t.Errorf("%d lines, want at most %d", len(all), lines)
	}
	for _, l := range all {
		if width(l) > columns {
			t.Errorf("%q has %d columns, want at most %d", l, width(l), columns)
		}
	}
}

// TestEverySizeFits: no size of a terminal gives a longer or a wider screen, nor
// the end of the program.
func TestEverySizeFits(t *testing.T) {
	h := training(30, 12)
	for columns := 0; columns < 210; columns += 7 {
		for lines := 0; lines < 50; lines += 3 {
			for _, colour := range []bool{false, true} {
				fits(t, Screen(h, UI{}, columns, lines, colour), max(1, columns), max(1, lines))
			}
		}
	}
}

// TestNothingOnTheScreenIsObeyed: names, errors and findings come from outside.
func TestNothingOnTheScreenIsObeyed(t *testing.T) {
	const hostile = "\x1b[2J\x1b]0;owned\a\r\u202e\u009b31m\x7f\nnew line\t"
	l := lookAt(1, 1)
	f := &l.Feeders[0]
	f.Dataset, f.Socket, f.Version = hostile, hostile, hostile
	c := &f.Consumers[0]
	c.Name, c.Device, c.Stages[0].Name = hostile, hostile, hostile
	c.Findings = []diagnosis.Verdict{{Cause: hostile, Cure: hostile, Basis: diagnosis.Basis(hostile)}}
	l.GPUs[0].Name = hostile
	l.Feeders = append(l.Feeders, Feeder{Socket: hostile, Error: hostile})
	h := &History{}
	h.Add(l)
	for _, columns := range []int{40, 80, 200} {
		got := Screen(h, UI{}, columns, 40, false)
		fits(t, got, columns, 40)
		if at := strings.IndexFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\n' || r == '\u202e' }); at >= 0 {
			t.Errorf("%d columns: %q", columns, got[at:])
		}
		if strings.Contains(got, "\nnew line") {
			t.Errorf("%d columns: a name made a line of its own", columns)
		}
	}
}

// TestWithoutColourThereAreNoCodes: NO_COLOR means none, and the same words.
func TestWithoutColourThereAreNoCodes(t *testing.T) {
	h := training(30, 2)
	plain, coloured := Screen(h, UI{}, 80, 30, false), Screen(h, UI{}, 80, 30, true)
	if strings.Contains(plain, "\x1b") {
		t.Errorf("codes without colour: %q", plain)
	}
	if !strings.Contains(coloured, chosen) {
		t.Error("with colour the chosen consumer is not marked")
	}
}

// TestKeys: what each key does to what is shown.
func TestKeys(t *testing.T) {
	h := training(30, 3)
	number := func(u UI) int { return u.place(u.shows(h).shown()) + 1 }
	for _, c := range []struct {
		keys   string
		chosen int
		paused bool
		help   bool
		end    bool
	}{
		{"", 1, false, false, false},
		{"down", 2, false, false, false},
		{"down down down down", 3, false, false, false},
		{"down up up", 1, false, false, false},
		{"3", 3, false, false, false},
		{"9", 3, false, false, false},
		{"end home", 1, false, false, false},
		{"p", 1, true, false, false},
		{"p 2 p", 2, false, false, false},
		{"?", 1, false, true, false},
		{"? ?", 1, false, false, false},
		{"? esc", 1, false, false, false},
		{"? 2", 2, false, false, false},
		{"q", 1, false, false, true},
		{"x", 1, false, false, false},
	} {
		u, end := UI{}, false
		for _, key := range strings.Fields(c.keys) {
			u, end = u.press(key, h)
		}
		if number(u) != c.chosen || (u.frozen != nil) != c.paused || u.help != c.help || end != c.end {
			t.Errorf("keys %q: consumer %d, paused %t, help %t, end %t; want %d, %t, %t, %t", c.keys, number(u), u.frozen != nil, u.help, end, c.chosen, c.paused, c.help, c.end)
		}
	}
	if u, end := (UI{}).press("down", &History{}); end || u.chosen != (consumerID{}) {
		t.Errorf("a key without a consumer: %+v, %t", u, end)
	}
}

// TestAPausedScreenStands while looks go on.
func TestAPausedScreenStands(t *testing.T) {
	h := training(30, 1)
	u, _ := UI{}.press("p", h)
	before := Screen(h, u, 80, 24, false)
	for i := 30; i < 55; i++ {
		h.Add(lookAt(i, 1))
	}
	if after := Screen(h, u, 80, 24, false); after != before {
		t.Errorf("the paused screen changed:\n%s\nfrom\n%s", after, before)
	}
}
