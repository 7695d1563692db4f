package top

import (
	"strings"
	"testing"
)

// TestPlainLines: one for each consumer, and what changed.
func TestPlainLines(t *testing.T) {
	h := &History{}
	for _, c := range []struct {
		name string
		look Look
		want string
	}{
		{"the first look has no rates", lookAt(25, 1), "14:03:25 3f2a91bc04de consumer 1 (48010 python3) rank 0/1 · step 31.2 ms · stall 21.6 % · P 4 R 0 T 1 of 6"},
		{"a finding arises", lookAt(26, 1), "14:03:26 3f2a91bc04de consumer 1 (48010 python3) rank 0/1 · 1,024 samples/s · step 31.2 ms · stall 21.6 % · P 4 R 0 T 1 of 6\n" +
			"14:03:26 consumer 1: computed, gain 22 %: 4 workers on 8 cores fill a batch in 125 ms each: the GPU that trains waits for them; give --workers 8 [workers-few]"},
		{"and is said once", lookAt(27, 1), "14:03:27 3f2a91bc04de consumer 1 (48010 python3) rank 0/1 · 1,024 samples/s · step 31.2 ms · stall 21.6 % · P 4 R 0 T 1 of 6"},
		{"and goes", func() Look { l := lookAt(28, 1); l.Feeders[0].Consumers[0].Findings = nil; return l }(),
			"14:03:28 3f2a91bc04de consumer 1 (48010 python3) rank 0/1 · 1,024 samples/s · step 31.2 ms · stall 21.6 % · P 4 R 0 T 1 of 6\n" +
				"14:03:28 consumer 1: no longer found: workers-few"},
		{"a consumer ends", lookAt(29, 0), "14:03:29 feeder 4711 serves 3f2a91bc04de: nobody takes batches\n14:03:29 consumer 1 of feeder 4711 ended, batches taken: 1,040"},
		{"a feeder ends", Look{At: lookAt(30, 0).At, Feeders: []Feeder{{Socket: "/x\x1b.sock", Error: "it has ended"}}}, `14:03:30 feeder at /x\u001b.sock: it has ended`},
	} {
		h.Add(c.look)
		if got := strings.Join(h.plain(), "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
