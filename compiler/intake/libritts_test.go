package intake

import "testing"

func FuzzLibriTTS(f *testing.F) { fuzzFormat(f, "libritts") }
