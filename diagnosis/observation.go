package diagnosis

// Observation is what is known of one training. A part that nobody observed is
// nil, and the rules that look at it find nothing. It holds plain values, so
// that a report, a run record, a table of flags and a trainer's marks can fill it.
type Observation struct {
	Setup       *Setup       // what was asked for, known before anything runs
	Steps       *Steps       // what a run measured
	Place       *Place       // where the devices are
	Work        *Work        // how long each stage takes for a batch
	Phases      *Phases      // what steps were spent on
	Host        *Host        // what a run took of the machine
	GPUs        []GPUUse     // before the run
	Config      *Config      // a trainer's config, and what it is held against
	Compilation *Compilation // how long the steps of a build take for a row
	Supply      *Supply      // how batches come to a trainer that only holds them
	Store       *Store       // whether what was built can be read
	Driver      *Driver      // of GPUs, where it does not serve
	Targets     Targets
}

// Setup is what can be known of a run before anything is measured.
type Setup struct {
	Batch, Share   int // samples: over all ranks, of this one
	Rows           int // of the selection
	Buckets        int
	Tail, Shuffle  string
	Epochs         int // 0: without end
	Fillers, Cores int
	Depth, Usual   int // batches ahead: asked for, by the rule of thumb
	Checks         string
	BatchBytes     uint64 // of a rank's batch in the largest shape
	Device         bool   // batches go to a GPU
	GPUs           int
	TwoAsked       bool // two GPUs are asked for
	Dual, Same     bool // batches go over a data GPU; which is the model GPU
	DataCap        uint64
	ModelCap       uint64
	DataMemory     uint64 // of the GPU; 0: not known
	ModelMemory    uint64
	DeviceDepth    int
}

// Steps is what tells why steps differ. Times are milliseconds.
type Steps struct {
	Variation float64 // percent
	Stall     float64 // part of the steps' time
	Mean      float64
	Fill      float64 // that the fillers together need for a batch, mean
	Copying   float64 // of the slowest copy, mean
	Depth     int
	Fillers   int
	Cores     int
	Jitter    bool // the simulated trainer was told to vary
	Running   bool // the trainer is a real one

	FillRate float64 // bytes a second that one worker fills; 0: not known, as all that follows
	CopyRate float64 // that come over the link from the host
	PeerRate float64 // that go from the data GPU to the model GPU
	Slowest  float64 // ms that the slowest worker needs for a batch, mean
	Typical  float64 // that the worker in the middle of all needs
	Kept     float64 // ms that the trainer keeps a batch, mean
	Slots    int     // that its batches lie in
	MaxDepth int     // batches that the ring may grow to
	Real     float64 // the part of the frames that is not padding
	Halved   float64 // the part of a batch's bytes that an f16 mel takes away
	Staged   bool    // copies between the GPUs go through the host

	Disk, Filled uint64  // bytes of the run: that a disk gave to the process, that workers filled
	Data, Memory uint64  // bytes: of all samples that are delivered, of the machine
	Checking     float64 // ms of a worker's time for a batch in which it compares checksums
}

// asked is a check of rules that look at what was asked for.
func asked(check func(*Setup) (Verdict, bool)) check {
	return func(o Observation) (Verdict, bool) {
		if o.Setup == nil {
			return Verdict{}, false
		}
		return check(o.Setup)
	}
}

// Host is what a run took of the machine beside what it trained. 0 is also what
// nobody knows.
type Host struct {
	FeederCPU float64 // percent of all cores that this process used
	CPU       float64 // percent of all cores that worked, for any process
	Swapping  float64 // MB a second that the machine moved to swap and from it
	GrowthMB  float64 // of the process's own memory in 1,000 steps
	Steps     int64
	Trained   bool // somebody kept the batches, so that the feed had to wait
}

// Store is what a check of a dataset's store found.
type Store struct {
	Rows   int
	Damage int    // places
	First  string // the first of them
}

// Driver is one that is there, and does not serve, or that GPUs lack.
type Driver struct {
	GPUs int    // that the system shows
	Why  string // the driver's own words, with what to do
}
