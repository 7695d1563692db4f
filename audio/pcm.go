package audio

// PCM is the feature that is the clip itself, which trainers of vocoders ask for: a frame is a sample.
// PutInt16 stores it in the two bytes that it came from.
type PCM struct{}

// NewPCM makes the computer. It reads nothing of the config: the clip is at its rate already.
func NewPCM(MelConfig) (*PCM, error) { return &PCM{}, nil }

// Width is 1.
func (*PCM) Width() int { return 1 }

// MinSamples is 1.
func (*PCM) MinSamples() int { return 1 }

// Frames is the number of samples.
func (*PCM) Frames(samples int64) int { return int(max(samples, 0)) }

// Compute copies the samples, as many as dst has room for.
func (*PCM) Compute(dst, pcm []float32) { copy(dst, pcm) }
