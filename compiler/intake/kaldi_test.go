package intake

import "testing"

func FuzzKaldi(f *testing.F) { fuzzFormat(f, "kaldi") }
