package inventory

import (
	"voxpack/diagnosis"
	"voxpack/gpufeed/driver"
)

// askPeers asks the driver who may write to whom, where NVML did not tell. It
// takes a context on each GPU for a moment, which a full GPU may refuse.
func (inv *Inventory) askPeers(d driver.Driver) {
	unknown := false
	for _, p := range inv.Pairs {
		unknown = unknown || p.Peer == diagnosis.NotKnown
	}
	if !unknown {
		return
	}
	if d == nil {
		return // the missing driver says it
	}
	gpus := make([]driver.GPU, len(inv.GPUs))
	gap := Gap{What: NoPeers}
	for i, g := range inv.GPUs {
		gpu, err := d.Open(g.Number)
		if err != nil {
			gap.GPUs, gap.Why = append(gap.GPUs, g.Number), err
			continue
		}
		defer gpu.Close()
		gpus[i] = gpu
	}
	for i := range inv.Pairs {
		p := &inv.Pairs[i]
		if p.Peer != diagnosis.NotKnown || gpus[p.A] == nil || gpus[p.B] == nil {
			continue
		}
		may, err := enable(gpus[p.A], gpus[p.B])
		switch {
		case err != nil:
			gap.GPUs, gap.Why = append(gap.GPUs, inv.GPUs[p.A].Number, inv.GPUs[p.B].Number), err
		case may:
			p.Peer = diagnosis.Yes
		default:
			p.Peer = diagnosis.No
		}
	}
	if gap.Why != nil {
		inv.Unseen = append(inv.Unseen, gap)
	}
}

func enable(from, to driver.GPU) (bool, error) {
	t, err := from.Thread()
	if err != nil {
		return false, err
	}
	defer t.Leave()
	return t.EnablePeer(to)
}
