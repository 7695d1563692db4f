package diagnosis

import "voxpack/gpufeed/topology"

// Place is where the devices of a training are, and how they hang together.
type Place struct {
	Machine     topology.Machine
	GPUs        []int          // their numbers, in the order of Machine.Devices
	Data, Model int            // places in Machine.Devices; equal when one does both
	Class       topology.Class // how far the two are apart; "": as Machine says
	Peer        Answer         // may the data GPU write to the model GPU?
	NVLink      Answer         // have they a link of their own?
	CPUs        []int          // on which the feed may run (ThreadCPUs before any pin); nil is unknown
}

// Answer is yes, no, or not known.
type Answer string

// The answers.
const (
	NotKnown Answer = "unknown"
	Yes      Answer = "yes"
	No       Answer = "no"
)

func (p *Place) dual() bool { return p.Data != p.Model }

// data and model are the devices themselves.
func (p *Place) data() topology.Device  { return p.Machine.Devices[p.Data] }
func (p *Place) model() topology.Device { return p.Machine.Devices[p.Model] }

// class of the two devices: the driver's word where it gave one.
func (p *Place) class() topology.Class {
	if p.Class != "" && p.Class != topology.UnknownClass {
		return p.Class
	}
	return p.Machine.Between(p.Data, p.Model)
}

// known reports whether there are devices to speak of.
func (p *Place) known() bool {
	return p != nil && min(p.Data, p.Model) >= 0 && max(p.Data, p.Model) < len(p.Machine.Devices) && len(p.GPUs) == len(p.Machine.Devices)
}

// placed is a check of rules that look at places: it knows that there are devices.
func placed(check func(*Place) (Verdict, bool)) check {
	return func(o Observation) (Verdict, bool) {
		p := o.Place
		if !p.known() {
			return Verdict{}, false
		}
		return check(p)
	}
}
