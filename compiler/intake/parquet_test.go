package intake

import "testing"

func FuzzParquet(f *testing.F) { fuzzFormat(f, "parquet") }
