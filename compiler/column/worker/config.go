package worker

import (
	"cmp"
	"fmt"
	"time"

	"voxpack/store"
)

// Config is a column's program and what it has to give.
type Config struct {
	Column  string   // name, for messages and for the program
	Version string   // as declared; a program that names another is a Fault
	Command []string // program and arguments
	Dir     string   // working directory

	DType   store.DType
	Shape   []int
	Shorter bool // the first dimension may be less than Shape says
	Rate    int  // Hz of the samples; 0: none are sent

	Workers int           // programs at once; 0: 1
	Batch   int           // rows at once; 0: 16
	Limit   time.Duration // for a batch, and for a start; 0: 10 minutes

	limitOf func(rows []*Row) time.Duration // in tests, in place of Limit
}

const (
	defaultBatch = 16
	defaultLimit = 10 * time.Minute
	// A batch has no more samples than these after its first row: 6 minutes at 22,050 Hz. There is room for as many
	// of each worker, and of the queue.
	batchBytes = 32 << 20
	// killedInTurn rows that each ended two workers, with no answer in between, are the program's fault.
	killedInTurn = 5
)

func (c Config) withDefaults() Config {
	c.Workers, c.Batch = max(c.Workers, 1), cmp.Or(c.Batch, defaultBatch)
	c.Limit = cmp.Or(c.Limit, defaultLimit)
	return c
}

// shape is the shape as messages say it.
func (c *Config) shape() string {
	if c.Shorter {
		return fmt.Sprintf("%v or shorter", c.Shape)
	}
	return fmt.Sprint(c.Shape)
}

// arrayBytes are the most bytes of an array that may be right.
func (c *Config) arrayBytes() int {
	n := c.DType.Size()
	for _, s := range c.Shape {
		n *= s
	}
	return n
}

// Cause is why a row has no value.
type Cause string

// The causes of refusals.
const (
	Failed     Cause = "failed"      // the program says so: an exception
	WrongType  Cause = "wrong-type"  // an array of another dtype
	WrongShape Cause = "wrong-shape" // an array of another shape
	NotFinite  Cause = "not-finite"  // NaN or an infinity in it
	Ended      Cause = "ended"       // it ended the program, twice
	Hung       Cause = "hung"        // the program was not done in time, twice
	Stray      Cause = "stray"       // the program broke the protocol, twice
)

// Lasting reports whether the same program will say the same of the same row.
// What ended or hung may have been the machine's doing.
func (c Cause) Lasting() bool { return c != Ended && c != Hung && c != Stray }

// A Refusal is an error about one row.
type Refusal struct {
	Cause  Cause
	Reason string // of the row alone: no process number, no time
	Said   string // the last lines of the program's standard error; "" for none
}

// Error is the reason.
func (r *Refusal) Error() string { return r.Reason }

// A Fault is why no row can be computed: the program is missing, ends at its start, or the machine
// took it away.
type Fault struct {
	Column string
	Reason string
	Said   string // the last lines of the program's standard error; "" for none
}

// Error says which column it is and what the program said last.
func (f *Fault) Error() string {
	s := fmt.Sprintf("column %s: %s", f.Column, f.Reason)
	if f.Said != "" {
		s += "; its last words were:\n" + f.Said
	}
	return s
}
