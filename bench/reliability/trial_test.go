package main

import (
	"math/rand/v2"
	"testing"
)

func TestHowAnEndIsJudged(t *testing.T) {
	for name, c := range map[string]struct {
		r       result
		foreign bool
		wrong   bool
	}{
		"killed":                    {result{code: -1}, false, false},
		"done":                      {result{code: 0}, false, false},
		"a sentence":                {result{code: 3, said: "voxpack: /s/format: input/output error"}, false, false},
		"no sentence":               {result{code: 3}, false, true},
		"nowhere to say it":         {result{code: 3, inject: "write:error=EIO:when=3"}, false, false},
		"findings of a build":       {result{code: 1, said: "voxpack: x"}, false, true},
		"findings of verify":        {result{code: 1, reads: true}, false, false},
		"text of Badger's":          {result{code: 3, said: "voxpack: while opening memtables err: x"}, false, true},
		"a panic":                   {result{code: 2, said: "panic: x\n\ngoroutine 1 [running]:"}, false, true},
		"no memory for the runtime": {result{code: 2, said: "runtime: cannot allocate memory\ngoroutine 1"}, true, false},
		"the loader":                {result{code: 127, said: "cannot read file data"}, true, false},
		"lost":                      {result{code: 0, lost: "the ref names x"}, false, true},
		"hung":                      {result{code: -1, hung: true}, false, true},
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
