package intake

import "testing"

func FuzzVCTK(f *testing.F) { fuzzFormat(f, "vctk") }
