package resample

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"voxpack/audio/detmath"
	"voxpack/audio/internal/audiotest"
)

// testMargin is more than any filter is long to one side, in sample intervals of the lower rate.
const testMargin = 80

// inner cuts off the ends, where the filter reaches past the clip.
func inner(x []float32, from, to int) []float32 {
	margin := int(2*testMargin*max(1, float64(to)/float64(from))) + 1
	return x[margin : len(x)-margin]
}

// A quarter of a second is long enough for every filter and keeps the sums short.
func pairsOfRates() [][2]int {
	return [][2]int{{44100, 22050}, {48000, 22050}, {16000, 22050}, {22050, 24000}, {8000, 22050}, {24000, 22050}, {96000, 16000},
		{44056, 22050}, {22051, 22050}, {11025, 44099}, {22050, 16000}}
}

func TestResamplerPassesThePassBand(t *testing.T) {
	for _, p := range pairsOfRates() {
		from, to := p[0], p[1]
		r, err := New(from, to)
		if err != nil {
			t.Fatal(err)
		}
		lower := float64(min(from, to)) / 2
		var worst float64
		for _, part := range []float64{0.01, 0.1, 0.35, 0.6, 0.8, 0.85, 0.88, 0.9} {
			hz := part * lower
			y := inner(r.Resample(nil, audiotest.Tone(from/4, from, hz)), from, to)
			// Against the same tone at the times m / to, so that phase and delay are tested too.
			margin := int(2*testMargin*max(1, float64(to)/float64(from))) + 1
			var err2, ref2 float64
			for i, v := range y {
				want := 0.5 * math.Sin(2*math.Pi*math.Mod(hz*float64(i+margin)/float64(to), 1))
				err2, ref2 = err2+(float64(v)-want)*(float64(v)-want), ref2+want*want
			}
			worst = max(worst, math.Sqrt(err2/ref2))
		}
		ripple := 20 * math.Log10(1+worst)
		t.Logf("%d to %d Hz: %.6f dB", from, to, ripple)
		if !(ripple < 0.01) {
			t.Errorf("%d to %d Hz: deviation of %.4f dB up to 0.9 of the lower Nyquist frequency, want below 0.01", from, to, ripple)
		}
	}
}

func TestResamplerStopsTheStopBand(t *testing.T) {
	for _, p := range pairsOfRates() {
		from, to := p[0], p[1]
		r, err := New(from, to)
		if err != nil {
			t.Fatal(err)
		}
		worst := math.Inf(-1)
		if from > to { // what would fold back
			for _, part := range []float64{1.0, 1.003, 1.01, 1.02, 1.03, 1.05, 1.2, 1.5, 1.9, 0.9999 * float64(from) / float64(to)} {
				if part*float64(to) > float64(from) {
					continue
				}
				y := inner(r.Resample(nil, audiotest.Tone(from/4, from, part*float64(to)/2)), from, to)
				worst = max(worst, db(y, nil))
			}
		} else { // images: what is left beside the tone itself
			for _, part := range []float64{0.02, 0.5, 0.9} {
				hz := part * float64(from) / 2
				y := r.Resample(nil, audiotest.Tone(from/4, from, hz))
				ref := audiotest.Tone(len(y), to, hz)
				worst = max(worst, db(inner(y, from, to), inner(ref, from, to)))
			}
		}
		t.Logf("%d to %d Hz: %.1f dB", from, to, worst)
		if !(worst < -100) {
			t.Errorf("%d to %d Hz: %.1f dB in the stop band, want below -100", from, to, worst)
		}
	}
}

// db is the level of x - ref (ref nil: of x) against a sine of amplitude 0.5.
func db(x, ref []float32) float64 {
	var sum float64
	for i, v := range x {
		d := float64(v)
		if ref != nil {
			d -= float64(ref[i])
		}
		sum += d * d
	}
	return 10 * math.Log10(sum/float64(len(x))/0.125+1e-30)
}

func TestLengthIsRoundedUp(t *testing.T) {
	for _, c := range []struct {
		n        int64
		from, to int
		want     int64
	}{{0, 44100, 22050, 0}, {1, 44100, 22050, 1}, {2, 44100, 22050, 1}, {3, 44100, 22050, 2}, {44100, 44100, 22050, 22050},
		{100, 16000, 22050, 138}, {16000, 16000, 22050, 22050}, {7, 22050, 22050, 7}, {1 << 32, 44056, 22050, 2149628402}} {
		if got := Len(c.n, c.from, c.to); got != c.want {
			t.Errorf("Len(%d, %d, %d) = %d, want %d", c.n, c.from, c.to, got, c.want)
		}
	}
	for _, p := range pairsOfRates() {
		r, err := New(p[0], p[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 2, 99, 1000} {
			if got, want := len(r.Resample(nil, make([]float32, n))), int(Len(int64(n), p[0], p[1])); got != want {
				t.Errorf("%v: %d samples become %d, want %d", p, n, got, want)
			}
		}
	}
}

func TestResamplerHasNoDelay(t *testing.T) {
	for _, p := range pairsOfRates() {
		r, err := New(p[0], p[1])
		if err != nil {
			t.Fatal(err)
		}
		// The centre of a click's energy must stay at its time.
		src := make([]float32, p[0]/4)
		at := p[0] / 8
		src[at] = 1
		var sum, moment float64
		for i, v := range r.Resample(nil, src) {
			e := float64(v) * float64(v)
			sum, moment = sum+e, moment+e*float64(i)
		}
		if got, want := moment/sum/float64(p[1]), float64(at)/float64(p[0]); math.Abs(got-want) > 0.01/float64(max(p[0], p[1])) {
			t.Errorf("%v: a click at %.9f s comes out at %.9f s", p, want, got)
		}
	}
}

func TestResamplerOfEqualRatesCopies(t *testing.T) {
	r, err := New(22050, 22050)
	if err != nil {
		t.Fatal(err)
	}
	src := audiotest.Tone(100, 22050, 440)
	for i, v := range r.Resample(nil, src) {
		if v != src[i] {
			t.Fatalf("sample %d = %g, want %g", i, v, src[i])
		}
	}
}

func TestResamplerMemoryIsBounded(t *testing.T) {
	for _, p := range append(pairsOfRates(), [][2]int{{767999, 22050}, {1009, 200003}, {768000, 3841}, {200003, 1009}, {22050, 44100}}...) {
		r, err := New(p[0], p[1])
		if err != nil {
			t.Fatal(err)
		}
		r.Resample(nil, audiotest.Tone(100_000, p[0], 300))
		if got := r.size(); got > 1<<20 {
			t.Errorf("%v: tables and scratch of %d bytes, want at most 1 MB", p, got)
		}
	}
}

// size is the memory that a Resampler holds, in bytes.
func (r *Resampler) size() int {
	n := cap(r.double) + cap(r.edge) + cap(r.last) + cap(r.sharp.response) + cap(r.sharp.atDouble) + cap(r.sharp.atLower)
	for _, t := range append(r.sharp.doubleTwiddles, r.sharp.lowerTwiddles...) {
		n += cap(t)
	}
	if r.broad != nil {
		n += cap(r.broad.at) + cap(r.broad.rows) + 3*chunkOutputs
	}
	return 4 * n
}

func TestResamplerRejectsAbsurdRates(t *testing.T) {
	for _, p := range [][2]int{{0, 22050}, {22050, 0}, {-1, 22050}, {999, 22050}, {768001, 22050}, {1000, 768000}, {768000, 1000}} {
		if _, err := New(p[0], p[1]); err == nil {
			t.Errorf("New(%d, %d) gives no error", p[0], p[1])
		}
	}
}

func TestResampleUsesTheCapacityOfItsDestination(t *testing.T) {
	r, err := New(44100, 22050)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float32, 0, 600)
	first := &dst[:1][0]
	if dst = r.Resample(dst, audiotest.Tone(1000, 44100, 300)); len(dst) != 500 || &dst[0] != first {
		t.Errorf("%d samples, in the same place: %v; want 500 there", len(dst), &dst[0] == first)
	}
}

func TestResamplerAllocatesNothingAfterItsFirstClip(t *testing.T) {
	for _, p := range append(pairsOfRates(), [2]int{22050, 44100}) {
		r, err := New(p[0], p[1])
		if err != nil {
			t.Fatal(err)
		}
		src := audiotest.Tone(50_000, p[0], 300)
		dst := r.Resample(nil, src)
		if n := testing.AllocsPerRun(3, func() { dst = r.Resample(dst, src) }); n != 0 {
			t.Errorf("%v: %v allocations a clip, want none", p, n)
		}
	}
}

// noise is n samples of white noise below 0.9, the same for the same seed.
func noise(n int, seed uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, 5))
	x := make([]float32, n)
	for i := range x {
		x[i] = 1.8*random.Float32() - 0.9
	}
	return x
}

func TestResamplerMeetsItsFormulaAtTheEdges(t *testing.T) {
	t.Parallel()
	for _, p := range append(pairsOfRates(), [][2]int{{22050, 44100}, {48000, 16000}, {192000, 1000}, {1000, 192000}}...) {
		r, err := New(p[0], p[1])
		if err != nil {
			t.Fatal(err)
		}
		batch := batchLower * p[0] / min(p[0], p[1])
		for _, n := range []int{1, 2, 7, 40, 300, batch - 1, batch, batch + 1} {
			src := noise(n, uint64(n))
			got := r.Resample(nil, src)
			step := max(1, len(got)/20)
			for m := 0; m < len(got); m++ {
				if m > 8 && m < len(got)-8 && m%step != 0 {
					continue
				}
				if want := convolved(src, p[0], p[1], m); math.Abs(float64(got[m])-want) > 2e-5 {
					t.Fatalf("%v, %d samples: output %d = %g, want %g", p, n, m, got[m], want)
				}
			}
		}
	}
}

// convolved is output m by one direct filter in float64: the sharp one, in time. It knows nothing of blocks, phases or transforms,
// so that it shows what is lost at their borders; the broad filter adds its own error, which is below -105 dB.
func convolved(src []float32, from, to, m int) float64 {
	intervals := float64(min(from, to)) / float64(from)
	up, down := lowestTerms(from, to)
	at := float64(m) * float64(from) / float64(to)
	half := (sharpHalf/2 + 3) / intervals
	var sum float64
	for i := max(0, int(math.Ceil(at-half))); i <= min(len(src)-1, int(at+half)); i++ {
		if src[i] == 0 {
			continue
		}
		d := (at - float64(i)) * intervals // in intervals of the lower rate
		h := windowedSinc(d)
		if up < down && rollsOff(up, down) {
			// sin¹⁰(π f) = ((2 - z - 1/z) / 4)⁵, where z is a step of half an interval.
			for j, binomial := range []float64{252, -210, 120, -45, 10, -1} {
				part := halvingRolled.rollOff * binomial / 1024
				h -= part * windowedSinc(d+float64(j)/2)
				if j > 0 {
					h -= part * windowedSinc(d-float64(j)/2)
				}
			}
		}
		sum += float64(src[i]) * intervals * h
	}
	return sum
}

func windowedSinc(d float64) float64 {
	x := d / (sharpHalf / 2)
	if math.Abs(x) > 1 {
		return 0
	}
	sinc := 0.95
	if d != 0 {
		sinc = math.Sin(math.Pi*0.95*d) / (math.Pi * d)
	}
	return sinc * detmath.BesselI0(sharpBeta*math.Sqrt(1-x*x)) / detmath.BesselI0(sharpBeta)
}

func TestResamplerKeepsNothingOfTheClipBefore(t *testing.T) {
	for _, p := range append(pairsOfRates(), [2]int{22050, 44100}) {
		used, err := New(p[0], p[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{60_000, 100, 9000, 1} {
			fresh, err := New(p[0], p[1])
			if err != nil {
				t.Fatal(err)
			}
			src := noise(n, 9)
			if i := differsAt(used.Resample(nil, src), fresh.Resample(nil, src)); i >= 0 {
				t.Fatalf("%v, %d samples: output %d depends on an earlier clip", p, n, i)
			}
		}
	}
}

// differsAt is where bits differ, or below 0.
func differsAt(a, b []float32) int {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return i
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b))
	}
	return -1
}

// FuzzResampler looks for rates and clips that a Resampler cannot take, and for a difference between its kernels.
func FuzzResampler(f *testing.F) {
	f.Add(44100, 22050, 1000, uint64(1))
	f.Add(48000, 22050, 1, uint64(2))
	f.Add(22051, 22050, 30_000, uint64(3))
	f.Add(1000, 200_000, 70, uint64(4))
	f.Add(768_000, 3841, 20_000, uint64(5))
	f.Fuzz(func(t *testing.T, from, to, n int, seed uint64) {
		r, err := New(from, to)
		if err != nil {
			return
		}
		src := noise(int(uint(n)%(1<<15)), seed)
		if int64(len(src))*r.up/r.down > 1<<18 {
			src = src[:(1<<18)*r.down/r.up]
		}
		got := r.Resample(nil, src)
		if int64(len(got)) != Len(int64(len(src)), from, to) {
			t.Fatalf("%d samples, %d announced", len(got), Len(int64(len(src)), from, to))
		}
		for i, v := range got {
			if !(math.Abs(float64(v)) < 20) { // the filters' absolute sums are below 10
				t.Fatalf("output %d = %g", i, v)
			}
		}
		compareKernels(t, r, src)
	})
}

func BenchmarkResample(b *testing.B) {
	for _, from := range []int{44100, 48000, 24000, 16000, 44056} {
		b.Run(fmt.Sprint(from), func(b *testing.B) {
			r, err := New(from, 22050)
			if err != nil {
				b.Fatal(err)
			}
			src, dst := audiotest.Tone(from, from, 440), []float32(nil)
			for b.Loop() {
				dst = r.Resample(dst, src)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "audio-s/s")
		})
	}
}
