package main

import (
	"flag"
	"math"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	kernels := flag.String("kernels", "mel", "which kernels to write: mel, int16, flac, md5, mp3, vorbis or resample")
	flag.Parse()
	ConstraintExpr("amd64")
	map[string]func(){"mel": mel, "int16": convert, "flac": flac, "md5": md5, "mp3": mp3, "vorbis": vorbis, "resample": resample}[*kernels]()
	Generate()
}

// mel writes the kernels of both widths.
func mel() {
	sqrtHalf = floats("sqrtHalf", math.Float32bits(float32(math.Sqrt2/2)))
	logTable = floats("logTable", logConstants()...)
	for _, lanes = range []int{8, 16} {
		load()
		radix(2)
		radix(4)
		radix(8)
		last8()
		power("both")
		power("single")
		bank()
		log()
		storeFrames()
	}
}

// resample writes the kernels of the resampler. Passes and sums with a fixed number of taps have loops
// of their own.
func resample() {
	forwardPass()
	inversePass()
	fold()
	unfold()
	spread()
	collect()
	for _, taps := range []int{8, 16, 0} {
		sumRows(taps)
		blendRows(taps)
	}
	planRows()
}
