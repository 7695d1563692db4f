package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"
)

// A testPage is an Ogg page (RFC 3533, 6) before it is written.
type testPage struct {
	version, flags byte // 1: goes on with a packet, 2: the first page, 4: the last
	granule        int64
	serial, number uint32
	lacing, body   []byte
}

func (p testPage) bytes() []byte {
	b := append([]byte("OggS"), p.version, p.flags)
	b = binary.LittleEndian.AppendUint64(b, uint64(p.granule))
	b = binary.LittleEndian.AppendUint32(b, p.serial)
	b = binary.LittleEndian.AppendUint32(b, p.number)
	b = append(b, 0, 0, 0, 0, byte(len(p.lacing)))
	b = append(append(b, p.lacing...), p.body...)
	binary.LittleEndian.PutUint32(b[22:], oggCRC(b))
	return b
}

// pagesOf lays packets out on pages of at most so many lacing values. As Vorbis I, A.2, wants it the first packet has a page of its
// own, and so begins the fourth.
func pagesOf(packets [][]byte, granules []int64, segments int) []testPage {
	var pages []testPage
	page := testPage{flags: 2, granule: -1, serial: 7}
	flush := func(goesOn bool) {
		pages = append(pages, page)
		page = testPage{granule: -1, serial: 7, number: page.number + 1}
		if goesOn {
			page.flags = 1
		}
	}
	for i, p := range packets {
		for begun, more := false, true; more; begun = true {
			if len(page.lacing) == segments {
				flush(begun)
			}
			n := min(len(p), 255)
			page.lacing, page.body = append(page.lacing, byte(n)), append(page.body, p[:n]...)
			more, p = n == 255, p[n:]
		}
		page.granule = granules[i]
		if i == 0 || i == 2 || i == len(packets)-1 {
			flush(false)
		}
	}
	pages[len(pages)-1].flags |= 4
	return pages
}

func joinPages(pages []testPage) (file []byte) {
	for _, p := range pages {
		file = append(file, p.bytes()...)
	}
	return file
}

// oggStream is a Vorbis stream of 23 blocks, and what it decodes to.
func oggStream(t *testing.T) (v *testVorbis, want []float32) {
	t.Helper()
	v = newTestVorbis(77, 2, 1, 1, "plain", true)
	v.blocks(slices.Concat(testModes, testModes, []int{1, 1, 1, 0, 1})...)
	want, _, err := Limits{}.DecodeBytes(nil, oggFile(v.packets, v.granules[len(v.granules)-1]))
	if err != nil || len(want) == 0 {
		t.Fatal(err)
	}
	return v, want
}

// TestOggPagesMakeNoDifference: packets cut over pages in every way are the same packets.
func TestOggPagesMakeNoDifference(t *testing.T) {
	v, want := oggStream(t)
	for _, segments := range []int{1, 2, 3, 5, 254, 255} {
		for _, extra := range []int{0, 255 - 16, 2*255 - 16, 2*255 - 17, 255*255 - 16, 70_000} { // -16: a packet of whole pieces
			packets := slices.Clone(v.packets)
			packets[1] = v.comment(extra)
			name := fmt.Sprintf("%d segments a page, a comment of %d bytes", segments, len(packets[1]))
			pages := pagesOf(packets, v.granules, segments)
			decodesTo(t, name, joinPages(pages), want)
			// Pages without a packet may stand anywhere but at the start, in a packet too.
			for _, at := range []int{1, len(pages) / 2, len(pages) - 1} {
				with := slices.Insert(slices.Clone(pages), at, testPage{granule: -1, serial: 7, flags: pages[at].flags & 1})
				for i := range with {
					with[i].number = uint32(i)
				}
				decodesTo(t, fmt.Sprintf("%s, page %d empty", name, at), joinPages(with), want)
			}
		}
	}
}

// TestOggEndsWhereItsLastPageSays: Vorbis I, A.2: the last position may lie within the last block, which is cut off there.
func TestOggEndsWhereItsLastPageSays(t *testing.T) {
	v, want := oggStream(t)
	last := len(v.granules) - 1
	for n := v.granules[last-1]; n <= v.granules[last]; n += 13 {
		granules := slices.Clone(v.granules)
		granules[last] = n
		for _, segments := range []int{1, 4, 255} {
			if segments == 255 && n == v.granules[last-1] {
				continue
			}
			decodesTo(t, fmt.Sprintf("%d samples, %d segments a page", n, segments), joinPages(pagesOf(v.packets, granules, segments)), want[:n])
		}
	}
	// The flag of the end may have a page of its own.
	pages := pagesOf(v.packets, v.granules, 6)
	pages[len(pages)-1].flags = 0
	end := testPage{flags: 4, granule: v.granules[last], serial: 7, number: uint32(len(pages))}
	decodesTo(t, "an empty last page", joinPages(append(pages, end)), want)
}

// TestDamagedOggIsRefused: each page has its right checksum; what is wrong is told by numbers, flags and lengths alone.
func TestDamagedOggIsRefused(t *testing.T) {
	v, _ := oggStream(t)
	for _, segments := range []int{2, 5} {
		for name, damage := range map[string]func(p []testPage) []testPage{
			"a number is left out":            func(p []testPage) []testPage { return renumber(p, 6, 1) },
			"numbers jump by 2^31":            func(p []testPage) []testPage { return renumber(p, 6, 1<<31) },
			"a number comes twice":            func(p []testPage) []testPage { return renumber(p, 6, 1<<32-1) },
			"a page is missing":               func(p []testPage) []testPage { return slices.Delete(p, 6, 7) },
			"the second page is missing":      func(p []testPage) []testPage { return slices.Delete(p, 1, 2) },
			"the last page is missing":        func(p []testPage) []testPage { return p[:len(p)-1] },
			"a page comes twice":              func(p []testPage) []testPage { return slices.Insert(p, 6, p[6]) },
			"two pages have changed places":   func(p []testPage) []testPage { p[6], p[7] = p[7], p[6]; return p },
			"the first page does not say so":  func(p []testPage) []testPage { p[0].flags = 0; return p },
			"two first pages":                 func(p []testPage) []testPage { p[6].flags |= 2; return p },
			"a page of another stream":        func(p []testPage) []testPage { p[6].serial++; return p },
			"a page of another version":       func(p []testPage) []testPage { p[6].version = 1; return p },
			"no page ends the stream":         func(p []testPage) []testPage { p[len(p)-1].flags &^= 4; return p },
			"the stream ends before its end":  func(p []testPage) []testPage { p[6].flags |= 4; return p },
			"a packet goes on from nowhere":   func(p []testPage) []testPage { p[whole(p)].flags |= 1; return p },
			"a packet is not told to go on":   func(p []testPage) []testPage { p[cut(p)].flags &^= 1; return p },
			"the last packet does not end":    func(p []testPage) []testPage { return endless255(p) },
			"a body is shorter than it says":  func(p []testPage) []testPage { p[6].body = p[6].body[1:]; return p },
			"a body is longer than it says":   func(p []testPage) []testPage { p[6].body = append(slices.Clone(p[6].body), 0); return p },
			"a byte too little of the packet": func(p []testPage) []testPage { p[1].lacing = slices.Clone(p[1].lacing); p[1].lacing[0]--; return p },
		} {
			packets := slices.Clone(v.packets)
			packets[1] = v.comment(3000)
			pages := damage(pagesOf(packets, v.granules, segments))
			pcm, _, err := Limits{}.DecodeBytes(nil, joinPages(pages))
			if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrLength) && !errors.Is(err, ErrUnsupported) && !errors.Is(err, ErrHeader) {
				t.Errorf("%d segments a page, %s: %d samples, %v; want it refused", segments, name, len(pcm), err)
			}
		}
	}
}

// renumber adds n to the numbers of the pages from one on.
func renumber(p []testPage, from int, n uint32) []testPage {
	for i := from; i < len(p); i++ {
		p[i].number += n
	}
	return p
}

// whole is a page after the headers that begins with a packet, cut one that goes on with a packet.
func whole(p []testPage) int {
	return 6 + slices.IndexFunc(p[6:], func(p testPage) bool { return p.flags&1 == 0 })
}

func cut(p []testPage) int {
	return slices.IndexFunc(p, func(p testPage) bool { return p.flags&1 == 1 })
}

// endless255 makes the last packet one of 255 bytes, which a value of 0 would have to end.
func endless255(p []testPage) []testPage {
	last := &p[len(p)-1]
	last.lacing = append(slices.Clone(last.lacing[:len(last.lacing)-1]), 255)
	last.body = append(slices.Clone(last.body), make([]byte, 255)...)
	n := 0
	for _, v := range last.lacing {
		n += int(v)
	}
	last.body = last.body[:n]
	return p
}
