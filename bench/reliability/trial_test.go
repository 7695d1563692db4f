package main

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

func TestHowAnEndIsJudged(t *testing.T) {
	for name, c := range map[string]struct {
		r       result
		foreign bool
		wrong   bool
	}{
		"killed":                       {result{code: -1}, false, false},
		"done":                         {result{code: 0}, false, false},
		"a sentence":                   {result{code: 3, said: "voxpack: /s/format: input/output error"}, false, false},
		"no sentence":                  {result{code: 3}, false, true},
		"nowhere to say it":            {result{code: 3, inject: "write:error=EIO:when=3"}, false, false},
		"findings of a build":          {result{code: 1, said: "voxpack: x"}, false, true},
		"findings of verify":           {result{code: 1, reads: true}, false, false},
		"text of Badger's":             {result{code: 3, said: "voxpack: while opening memtables err: x"}, false, true},
		"a panic":                      {result{code: 2, said: "panic: x\n\ngoroutine 1 [running]:"}, false, true},
		"no memory for the runtime":    {result{code: 2, said: "runtime: cannot allocate memory\ngoroutine 1"}, true, false},
		"no memory, and a fault of it": {result{code: 139, said: "fatal error: runtime: out of memory"}, true, false},
		"a fault of ours":              {result{code: 139, said: "panic: x"}, false, true},
		"the loader":                   {result{code: 127, said: "cannot read file data"}, true, false},
		"lost":                         {result{code: 0, lost: "the ref names x"}, false, true},
		"hung":                         {result{code: -1, hung: true}, false, true},
	} {
		if got := c.r.foreign(); got != c.foreign {
			t.Errorf("%s: foreign = %v", name, got)
		}
		if got := c.r.wrong(); len(got) > 0 != c.wrong {
			t.Errorf("%s: wrong = %q", name, got)
		}
	}
}

func TestPlacesAreSpread(t *testing.T) {
	l := &lab{rand: rand.New(rand.NewPCG(1, 1))}
	counts, seen := map[string]int{"openat": 100, "fsync": 2}, map[string]int{}
	for _, p := range l.spread([]string{"openat", "fsync", "never"}, counts, 9) {
		if seen[p.call]++; p.when < 1 || p.when > counts[p.call] {
			t.Errorf("%s at %d of %d", p.call, p.when, counts[p.call])
		}
	}
	if seen["openat"]+seen["fsync"] != 9 || seen["never"] != 0 {
		t.Errorf("places: %v", seen)
	}
}

func TestRowsOfASceneStandTogether(t *testing.T) {
	var tab table
	for _, r := range []result{{scene: "a", what: "x"}, {scene: "b", what: "x"}, {scene: "a", what: "y"}, {scene: "b", what: "x", lost: "all"}} {
		tab.add(r)
	}
	want := []string{"| a | x | 1 |", "| a | y | 1 |", "| b | x | 2 |", "| all | | 4 |"}
	at := 0
	for _, w := range want {
		i := strings.Index(tab.text()[at:], w)
		if i < 0 {
			t.Fatalf("no %q where it belongs in\n%s", w, tab.text())
		}
		at += i
	}
	if tab.failures() != 1 {
		t.Errorf("%d failures", tab.failures())
	}
}

func TestTheCureInAMessage(t *testing.T) {
	for said, want := range map[string]string{
		"voxpack: store s has lost its file format; its packs are not affected, and this command writes it again: echo x > 's t/format': damaged\n": "echo x > 's t/format'",
		"voxpack: /s/format: version; if it is a store, this command repairs it: echo x > /s/format":                                                "echo x > /s/format",
		"voxpack: no cure": "",
	} {
		if got := cureIn(said); got != want {
			t.Errorf("cureIn(%q) = %q, want %q", said, got, want)
		}
	}
}

// TestMemoryIsTheCommands: a command is not charged with the memory of the process that
// started it, which the kernel counts in what it says of a child.
func TestMemoryIsTheCommands(t *testing.T) {
	ours := make([]byte, 256<<20)
	for i := 0; i < len(ours); i += 4096 {
		ours[i] = 1
	}
	var r result
	if err := r.run(t.Context(), []string{"sleep", "0.3"}, 0); err != nil {
		t.Fatal(err)
	}
	if r.memory <= 0 || r.memory > 64<<20 {
		t.Errorf("sleep had %d bytes of memory", r.memory)
	}
	runtime.KeepAlive(ours)
}

// TestMemoryAndDutyAreJudged: what has to end well may not end otherwise.
func TestMemoryAndDutyAreJudged(t *testing.T) {
	for _, c := range []struct {
		r     result
		wrong bool
	}{
		{result{code: 0, must: true}, false},
		{result{code: 3, said: "voxpack: x", must: true}, true},
		{result{code: 0, must: true, wrongRoot: "2 bytes of memory, want at most 1"}, true},
	} {
		if got := c.r.wrong(); len(got) > 0 != c.wrong {
			t.Errorf("%+v: wrong = %q", c.r, got)
		}
	}
}
