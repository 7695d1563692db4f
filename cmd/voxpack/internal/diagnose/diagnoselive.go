package diagnose

import (
	"os"
	"path"
	"runtime"
	"strconv"
	"strings"
	"time"

	"voxpack/diagnosis"
	"voxpack/gpufeed/serve"
	"voxpack/store"
)

// liveFacts are this moment: who uses the machine, and whether a feeder serves the dataset.
type liveFacts struct {
	Load   *loadFacts       `json:"load"`   // while diagnose looked; null: not known
	GPUs   []gpuNow         `json:"gpus"`   // of which NVML tells
	Feeder diagnosis.Answer `json:"feeder"` // does one of this machine serve the dataset
}

// gpuNow is how a GPU is used.
type gpuNow struct {
	GPU  int    `json:"gpu"`
	Busy *int   `json:"busy"` // percent of the last moment; null: not known
	Used *int64 `json:"memory_used_bytes"`
}

// leastLook is how long a look at the machine's load has to be.
const leastLook = 100 * time.Millisecond

// live looks at this moment, which costs nothing: what NVML was asked for already,
// and a list of sockets. What a running feeder measures stays with it: the protocol
// has no question for that.
func (d *doctor) live(before look) {
	l := liveFacts{Load: lookNow().since(before), GPUs: []gpuNow{}, Feeder: diagnosis.NotKnown}
	for _, g := range d.devs.GPUs {
		now := gpuNow{GPU: g.Number}
		if g.Busy >= 0 {
			now.Busy = &g.Busy
		}
		if g.Used >= 0 {
			now.Used = &g.Used
		}
		if now.Busy != nil || now.Used != nil {
			l.GPUs = append(l.GPUs, now)
		}
	}
	if l.Load == nil {
		d.miss(livePart, "how busy the machine is: the system does not tell")
	}
	if d.snap != (store.Digest{}) {
		l.Feeder = listening("/proc/net/unix", serve.SocketName(d.snap))
	}
	switch l.Feeder {
	case diagnosis.Yes:
		d.miss(livePart, "a feeder serves this dataset: what it measures only its trainers see (voxpack feed leaves a record)")
	case diagnosis.NotKnown:
		if d.missing == nil {
			d.miss(livePart, "whether a feeder serves this dataset")
		}
	}
	d.out.Live = l
}

// listening reports whether a process of this machine listens on a socket of this
// name. It opens no connection, which the feeder would take for a consumer.
func listening(list, name string) diagnosis.Answer {
	if runtime.GOOS != "linux" {
		return diagnosis.NotKnown
	}
	content, err := os.ReadFile(list)
	if err != nil {
		return diagnosis.NotKnown
	}
	for line := range strings.Lines(string(content)) {
		// Num RefCount Protocol Flags Type St Inode Path
		const accepts, flags, place = 1 << 16, 3, 7
		fields := strings.Fields(line)
		if len(fields) <= place || path.Base(fields[len(fields)-1]) != name {
			continue
		}
		if f, err := strconv.ParseUint(fields[flags], 16, 64); err == nil && f&accepts != 0 {
			return diagnosis.Yes
		}
	}
	return diagnosis.No
}
