package main

import (
	"encoding/binary"
	"math/rand/v2"
)

const (
	headerBytes = 44
	indexBits   = 32 // samples whose lowest bit carries the clip's index
)

// appendClip appends the WAV file of one clip to dst: the canonical header of
// 44 bytes and samples of little-endian 16-bit PCM. The lowest bits of its
// first samples spell the index, so that no two clips of a corpus are equal.
func appendClip(dst []byte, p *pool, seed uint64, index, samples int) []byte {
	dst = appendHeader(dst, samples)
	rng := source(seed, clipStream, index)
	start := len(dst)
	for done := 0; done < samples; {
		n := min(samples-done, sampleRate*(90+rng.IntN(240))/1000) // syllables of 90 to 330 ms
		dst = appendSyllable(dst, p, rng, n)
		done += n
	}
	for bit := range min(indexBits, samples) {
		low := &dst[start+2*bit]
		*low = *low&^1 | byte(index>>bit&1)
	}
	return dst
}

// appendHeader writes the header of a WAV file of one channel of 16 bits: RIFF, fmt and data. The encoder of go-audio/wav would
// take 14 ms for a clip of 7 s, one binary.Write a sample and an fsync, against 2 ms (docs/design/0103).
func appendHeader(dst []byte, samples int) []byte {
	data := uint32(2 * samples)
	dst = append(dst, "RIFF"...)
	dst = binary.LittleEndian.AppendUint32(dst, headerBytes-8+data)
	dst = append(dst, "WAVEfmt "...)
	dst = binary.LittleEndian.AppendUint32(dst, 16)
	dst = binary.LittleEndian.AppendUint16(dst, 1) // integer PCM
	dst = binary.LittleEndian.AppendUint16(dst, 1) // channels
	dst = binary.LittleEndian.AppendUint32(dst, sampleRate)
	dst = binary.LittleEndian.AppendUint32(dst, 2*sampleRate)
	dst = binary.LittleEndian.AppendUint16(dst, 2)
	dst = binary.LittleEndian.AppendUint16(dst, 16)
	dst = append(dst, "data"...)
	return binary.LittleEndian.AppendUint32(dst, data)
}

// appendSyllable mixes one voice and one noise under a rise and fall. One in
// eight is a pause, where only the room is heard, 60 dB below full scale.
func appendSyllable(dst []byte, p *pool, rng *rand.Rand, n int) []byte {
	voiced := p.voiced[rng.IntN(voicedPieces)]
	noise := p.noise[rng.IntN(noisePieces)]
	v, w := rng.IntN(pieceSamples), rng.IntN(pieceSamples)
	loud := int32(6000 + rng.IntN(22000)) // of the voice, in 1/32768
	breath := int32(300 + rng.IntN(3000)) // of the noise under the envelope
	const room = 60                       // of the noise that never stops
	switch draw := rng.IntN(8); {
	case draw == 0:
		loud, breath = 0, 0
	case draw == 1:
		loud, breath = loud/20, 14000 // a fricative
	}
	for i := range n {
		edge := p.rise[min(i, n-1-i, riseSteps*4-1)/4] // 46 ms up, 46 ms down
		level := edge * loud >> 15
		hiss := (edge*breath)>>15 + room
		sample := (int32(voiced[v])*level + int32(noise[w])*hiss) >> 15
		dst = append(dst, byte(sample), byte(sample>>8))
		if v++; v == pieceSamples {
			v = 0
		}
		if w++; w == pieceSamples {
			w = 0
		}
	}
	return dst
}
