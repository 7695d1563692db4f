package intake

import "testing"

func FuzzMLS(f *testing.F) { fuzzFormat(f, "mls") }
