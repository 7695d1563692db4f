package diagnosis

import "testing"

func TestGPUMemorySmall(t *testing.T) {
	wantOnly(t, "gpu-memory-small", []setupCase{
		{"a limit below three batches of the data GPU", soundGPUs, func(s *Setup) { s.DataCap = 20e6 }, true, "give --data-gpu-memory 24,"},
		{"and of the model GPU", soundGPUs, func(s *Setup) { s.ModelCap = 23_999_999 }, true, "hold 2 of 3 batches of 8.0 MB; give --model-gpu-memory 24,"},
		{"one that just holds them", soundGPUs, func(s *Setup) { s.ModelCap = 24e6 }, false, ""},
		{"limits on the host are nobody's", soundSetup, func(s *Setup) { s.ModelCap = 1e6 }, false, ""},
	})
}

func TestGPUMemoryLarge(t *testing.T) {
	wantOnly(t, "gpu-memory-large", []setupCase{
		{"more than the GPU has", soundGPUs, func(s *Setup) { s.DataCap = 25e9 }, true, "--data-gpu-memory allows 25.00 GB, the GPU has 24.00 GB"},
		{"all that it has", soundGPUs, func(s *Setup) { s.DataCap = 24e9 }, false, ""},
		{"a GPU that does not tell", soundGPUs, func(s *Setup) { s.ModelCap, s.ModelMemory = 25e9, 0 }, false, ""},
	})
}
