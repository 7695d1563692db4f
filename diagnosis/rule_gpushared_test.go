package diagnosis

import "testing"

func TestGPUShared(t *testing.T) {
	on := func(busy ...float64) Observation {
		var o Observation
		for i, b := range busy {
			o.GPUs = append(o.GPUs, GPUUse{i, []string{"data", "model"}[i], b})
		}
		return o
	}
	wantVerdict(t, "nobody looked", "gpu-shared", false, "", on())
	wantVerdict(t, "not known", "gpu-shared", false, "", on(-1, -1))
	wantVerdict(t, "a desktop", "gpu-shared", false, "", on(10, 0))
	wantVerdict(t, "just more", "gpu-shared", true, "GPU 0 (data) was 11 % busy", on(11, 0))
	wantVerdict(t, "the busier one is named", "gpu-shared", true, "GPU 1 (model) was 90 % busy in the second before the first copy: another process computes there, or did until then", on(30, 90))
}
