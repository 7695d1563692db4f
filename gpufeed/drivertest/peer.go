package drivertest

import "voxpack/gpufeed/driver"

// checkPeer: first as it comes, which is staged, then with peer access where
// the platform has it. To ask for it twice is no error.
func checkPeer(r *rig) {
	gpus := []driver.GPU{r.open(0), r.open(r.second())}
	for round, enable := range []bool{false, true, true} {
		for from := range gpus {
			to := gpus[1-from]
			if enable {
				r.together(1, gpus[from:from+1], func(_ int, h *hands) {
					_, err := h.EnablePeer(to)
					h.must("EnablePeer", err)
				})
			}
			checkPush(r, gpus[from], to, uint64(30+2*round+from))
		}
	}
}

func checkPeerAlone(r *rig) {
	g := r.open(0)
	checkPush(r, g, g, 40)
}

// checkPush pushes a batch to an odd place on the other device, in two parts,
// and reads there what arrived; what is beside it stays.
func checkPush(r *rig, g, other driver.GPU, seed uint64) {
	r.Helper()
	const room, at, part = batch + 4096, 777, 12_345
	var far driver.Ptr
	r.together(1, []driver.GPU{other}, func(_ int, h *hands) {
		p, err := h.Alloc(room)
		h.must("Alloc", err)
		far = p
		h.write(p, h.pattern(room, seed+100))
	})
	r.together(1, []driver.GPU{g}, func(_ int, h *hands) {
		near, s := h.alloc(batch), h.stream()
		h.in(near, h.pattern(batch, seed), s)
		h.must("CopyPeer", h.CopyPeer(far+at, other, near, part, s))
		h.must("CopyPeer", h.CopyPeer(far+at+part, other, near+part, batch-part, s))
		h.settle(s)
	})
	r.together(1, []driver.GPU{other}, func(_ int, h *hands) {
		want := filled(room, seed+100)
		copy(want[at:], filled(batch, seed))
		same(h.t, "a batch on the other device", h.read(far, room), want)
		h.must("Free", h.Free(far))
	})
}
