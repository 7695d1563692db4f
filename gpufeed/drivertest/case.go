package drivertest

import (
	"testing"

	"voxpack/gpufeed/driver"
)

// Case is one rule that a driver keeps.
type Case struct {
	Name  string // the rule
	check func(r *rig)
}

// Cases lists the rules.
func Cases() []Case {
	return []Case{
		{"devices are numbered from 0 and say what they are", checkDevices},
		{"two opens of a device share its memory, streams and events", checkTwoOpens},

		{"memory is aligned to 256 bytes and apart", checkAlignment},
		{"freed memory can be taken again", checkReuse},
		{"out of memory is told, and the device goes on", checkOutOfMemory},
		{"pinned memory serves all devices until it is unpinned", checkPin},
		{"memory that is pinned is not pinned again", checkPinTwice},
		{"memory is taken and given back beside work of other streams", checkBeside},

		{"copies in and out move exactly their bytes", checkInOut},
		{"copies within a device move exactly their pieces", checkPieces},
		{"clear writes zeros and nothing beside them", checkClear},
		{"memory that is not pinned is copied too", checkUnpinned},
		{"peer copies go both ways, with and without peer access", checkPeer},
		{"peer copies may stay on one device", checkPeerAlone},

		{"a stream does its work in order", checkOrder},
		{"a stream that is closed does what it was given", checkCloseStream},
		{"a stream waits for an event of another stream", checkWait},
		{"a stream waits for an event of another device", checkWaitAcross},
		{"streams that wait for what they need end where one stream would", checkOverlap},
		{"a wait is for the record before it", checkWaitOnce},
		{"an event is done when all before it is", checkEvents},
		{"an event says nothing of earlier records", checkRecordAgain},
		{"timed events measure, others refuse to", checkElapsed},

		{"many threads work at once", checkThreads},
		{"one thread submits while another waits", checkRing},
		{"what is refused is an error of the driver", checkRefusals},
		{"from Copy to Elapsed nothing is allocated", checkAllocations},
	}
}

// Run runs every case in a test of its own. open makes a driver, which the case
// closes; a driver with a method Live() map[string]int, which counts by kind
// what was taken and not given back, is asked after its end.
func Run(t *testing.T, open func(t *testing.T) driver.Driver) {
	t.Helper()
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) { c.Run(t, open) })
	}
}

// Run runs the case within t: for callers that have to wrap each of them, as
// with a bubble of testing/synctest, in which no further test can be started.
func (c Case) Run(t *testing.T, open func(t *testing.T) driver.Driver) {
	t.Helper()
	d := open(t)
	r := &rig{T: t, driver: d}
	defer r.finish()
	infos, err := d.Devices()
	if err != nil {
		t.Fatalf("Devices: %v", err)
	}
	if len(infos) == 0 {
		t.Fatal("Devices lists none: open has to give a driver with devices, or skip")
	}
	r.infos = infos
	c.check(r)
}
