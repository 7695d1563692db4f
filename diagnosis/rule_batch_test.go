package diagnosis

import "testing"

func TestBatchOverRows(t *testing.T) {
	wantOnly(t, "batch-over-rows", []setupCase{
		{"filled up", soundSetup, func(s *Setup) { s.Rows, s.Tail = 10, "wrap" }, true,
			"the selection 10 rows, so that rows come several times in each; take --batch-size 10 or less"},
		{"padded", soundSetup, func(s *Setup) { s.Rows, s.Tail = 10, "pad" }, true, "the selection 10 rows: the rest of it is empty; take"},
		{"as many as rows", soundSetup, func(s *Setup) { s.Rows = 32 }, false, ""},
	})
}

func TestTail(t *testing.T) {
	wantOnly(t, "tail", []setupCase{
		{"a third", soundSetup, func(s *Setup) { s.Rows = 48 }, true, "leaves out 16 of 48 rows (--tail drop); --tail pad"},
		{"that is delivered", soundSetup, func(s *Setup) { s.Rows, s.Tail = 48, "pad" }, false, ""},
		{"a twentieth", soundSetup, func(s *Setup) { s.Rows = 32*19 + 32 - 1 }, false, ""},
		{"of buckets nobody knows", soundSetup, func(s *Setup) { s.Rows, s.Buckets = 48, 2 }, false, ""},
	})
}
