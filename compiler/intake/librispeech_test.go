package intake

import "testing"

func FuzzLibriSpeech(f *testing.F) { fuzzFormat(f, "librispeech") }
