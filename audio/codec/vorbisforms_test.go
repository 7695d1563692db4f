package codec

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// testModes: blocks of both sizes beside each other in every way.
var testModes = []int{1, 1, 0, 0, 1, 0, 1, 1, 0}

// TestVorbisStreamsByTheDefinition: streams that no encoder of today writes, in every form of codebook, lookup and residue, against
// sums of cosines in float64.
func TestVorbisStreamsByTheDefinition(t *testing.T) {
	seed := uint64(0)
	for residue := range 3 {
		for _, lookup := range []int{1, 2} {
			for _, form := range []string{"plain", "ordered", "sparse", "deep"} {
				for channels := 1; channels <= 3; channels++ {
					seed++
					coupled := channels > 1 && seed%3 > 0
					v := newTestVorbis(seed, channels, residue, lookup, form, coupled)
					v.blocks(testModes...)
					name := fmt.Sprintf("residue %d, lookup %d, %s books, %d channels, coupled %v", residue, lookup, form, channels, coupled)
					v.decodes(t, name)
				}
			}
		}
	}
}

// TestVorbisBookOfOneWord: 3.2.1 lets a book have one used entry of one bit, which either bit reads.
func TestVorbisBookOfOneWord(t *testing.T) {
	for _, bit := range []uint64{0, 1} {
		v := newTestVorbis(5, 1, 1, 1, "plain", false)
		v.books[bookFine] = newTestBook(v.random, 4, 1, 2, "sparse")
		v.packets[2] = v.setup()
		v.books[bookFine].words[slices.Max(v.books[bookFine].lengths[:1])] = 0
		for i := range v.books[bookFine].words {
			v.books[bookFine].words[i] = bit
		}
		v.blocks(testModes...)
		v.decodes(t, fmt.Sprintf("bit %d", bit))
	}
}

// TestVorbisFloorOfManyPosts: 7.2.2 allows 65 of them.
func TestVorbisFloorOfManyPosts(t *testing.T) {
	v := newTestVorbis(6, 1, 1, 1, "plain", false)
	v.floors[1] = newTestFloor(v.random, 8, append(make([]int, 30), 1)...)
	v.packets[2] = v.setup()
	v.blocks(testModes...)
	v.decodes(t, "65 posts")
}

// TestVorbisPacketsMayEndEarly: 4.3: what a packet does not hold any more is zero, and the stream keeps its length and all that other
// packets say.
func TestVorbisPacketsMayEndEarly(t *testing.T) {
	v, want := oggStream(t)
	const cut = 9 // this packet
	from, to := v.granules[cut-1]-int64(v.sizes[1]), v.granules[cut]+int64(v.sizes[1])
	for n := 1; n < len(v.packets[cut]); n++ {
		packets := slices.Clone(v.packets)
		packets[cut] = packets[cut][:n]
		got, _, err := Limits{}.DecodeBytes(nil, oggFile(packets, v.granules[len(v.granules)-1]))
		if err != nil || len(got) != len(want) || !slices.Equal(got[:from], want[:from]) || !slices.Equal(got[to:], want[to:]) {
			t.Fatalf("a packet of %d bytes cut to %d: %d samples, %v", len(v.packets[cut]), n, len(got), err)
		}
	}
	packets := slices.Clone(v.packets)
	packets[cut] = append(slices.Clone(packets[cut]), 0xff, 0xff, 0xff)
	decodesTo(t, "bytes that nothing reads at a packet's end", oggFile(packets, v.granules[len(v.granules)-1]), want)
}

// TestVorbisBeginsWhereItsFirstPageSays: A.2: the first position may be less than what the packets hold, which is cut off in front, or
// more, where the stream was cut from a longer one.
func TestVorbisBeginsWhereItsFirstPageSays(t *testing.T) {
	v, want := oggStream(t)
	for _, shift := range []int64{-100, -33, -1, 0, 1, 7, 22_050, 1 << 40} {
		granules := slices.Clone(v.granules)
		for i := 3; i < len(granules); i++ {
			granules[i] = max(granules[i]+shift, 0)
		}
		for _, segments := range []int{3, 6, 11} {
			name := fmt.Sprintf("positions %d later, %d segments a page", shift, segments)
			decodesTo(t, name, joinPages(pagesOf(v.packets, granules, segments)), want[max(0, -shift):])
		}
	}
}

// TestDamagedVorbisSetupIsRefused: what the tables of 3.2.1, 4.2.4, 7.2.2 and 8.6.1 do not allow.
func TestDamagedVorbisSetupIsRefused(t *testing.T) {
	for name, damage := range map[string]func(v *testVorbis){
		"a code with words left":             func(v *testVorbis) { v.books[bookCoarse].lengths[0]++ },
		"a code with too many words":         func(v *testVorbis) { v.books[bookClasses].lengths[4]-- },
		"a reserved lookup":                  func(v *testVorbis) { v.books[bookFine].lookup = 3 },
		"a residue's book without vectors":   func(v *testVorbis) { v.books[bookFine].lookup = 0 },
		"a residue of type 3":                func(v *testVorbis) { v.residue = 3 },
		"a residue that ends before it does": func(v *testVorbis) { v.begin, v.end = 9, 8 },
		"a submap that is not there":         func(v *testVorbis) { v.submaps = [][]int{{0}, {}, {}, {1}}[:3] },
		"two posts in one place":             func(v *testVorbis) { v.floors[1].posts[5] = v.floors[1].posts[3] },
		"a post at the end":                  func(v *testVorbis) { v.floors[1].posts[5] = 0 },
		"66 posts":                           func(v *testVorbis) { v.floors[1] = newTestFloor(v.random, 8, append(make([]int, 29), 1, 1)...) },
		"a channel coupled with itself":      func(v *testVorbis) { v.channels, v.coupled, v.submaps = 1, true, [][]int{{0}} },
	} {
		v := newTestVorbis(31, 2, 1, 2, "plain", false)
		damage(v)
		v.packets[0], v.packets[2] = v.identification(), v.setup()
		_, _, err := Limits{}.DecodeBytes(nil, oggFile(append(v.packets, []byte{0}, []byte{0}), 32))
		if !errors.Is(err, ErrHeader) {
			t.Errorf("%s: %v, want ErrHeader", name, err)
		}
	}
	// Each cut of a right header, and each that is a bit off in its mark.
	v := newTestVorbis(32, 2, 2, 1, "plain", true)
	setup := v.packets[2]
	for n := range len(setup) {
		v.packets[2] = setup[:n]
		if _, _, err := (Limits{}).DecodeBytes(nil, oggFile(append(v.packets, []byte{0}, []byte{0}), 32)); !errors.Is(err, ErrHeader) {
			t.Fatalf("%d bytes of a setup of %d: %v, want ErrHeader", n, len(setup), err)
		}
	}
	for bit := range 24 {
		v.packets[2] = slices.Clone(setup)
		v.packets[2][8+bit/8] ^= 1 << (bit % 8)
		if _, _, err := (Limits{}).DecodeBytes(nil, oggFile(append(v.packets, []byte{0}, []byte{0}), 32)); !errors.Is(err, ErrHeader) {
			t.Fatalf("bit %d of a codebook's mark: %v, want ErrHeader", bit, err)
		}
	}
}
