package serve

import (
	"errors"
	"fmt"
	"math"

	"voxpack/gpufeed"
	"voxpack/gpufeed/extra"
	"voxpack/gpufeed/stats"
)

// Bounds on messages and on one question. A consumer that has more asks several
// times.
const (
	mostHello = 4 << 10   // bytes of a message from a peer that was not greeted yet
	mostBytes = 64 << 20  // of any other: far above a cursor that an edit has made long
	mostShort = 1 << 20   // bytes of a message for which no memory is reserved
	mostTexts = 4 << 10   // texts, or lists of ids
	mostText  = 1 << 20   // bytes of all texts: of Persian 0.3 s of work
	mostIDs   = 256 << 10 // ids of all lists
	mostRows  = 4 << 10   // rows of a list
)

// mostExact is the largest whole number that every reader of JSON holds.
const mostExact = 1 << 53

// bound is what a number of a request may be. docs/protocol.md has the same
// table.
type bound struct {
	key         string
	least, most int64
	of          func(*Request) (n int64, given bool)
}

var bounds = []bound{
	{"batch", 1, math.MaxInt32, func(r *Request) (int64, bool) { return given(r.Batch) }},
	{"rank", 0, math.MaxInt32 - 1, func(r *Request) (int64, bool) { return int64(r.Rank), true }},
	{"world", 0, math.MaxInt32, func(r *Request) (int64, bool) { return int64(r.World), true }},
	{"epochs", 0, math.MaxInt32, func(r *Request) (int64, bool) { return given(r.Epochs) }},
	{"ahead", 0, gpufeed.MaxDepth, func(r *Request) (int64, bool) { return given(r.Ahead) }},
	{"gpu_batches", 0, gpufeed.MaxDepth, func(r *Request) (int64, bool) { return given(r.GPUBatches) }},
	{"gpu_memory", 0, 1 << 30, func(r *Request) (int64, bool) { return given(r.GPUMemory) }},
	{"segment", 0, math.MaxInt32, func(r *Request) (int64, bool) { return given(r.Segment) }},
	{"languages", 0, 256, func(r *Request) (int64, bool) { return many(r.Languages) }},
	{"speakers", 0, 65536, func(r *Request) (int64, bool) { return many(r.Speakers) }},
	{"weights", 0, 65536, func(r *Request) (int64, bool) { return many(r.Weights) }},
	{"buckets", 0, 256, func(r *Request) (int64, bool) { return many(r.Buckets) }},
	{"extra", 0, mostExtra, func(r *Request) (int64, bool) { return many(r.Extra) }},
	{"columns", 0, 256, func(r *Request) (int64, bool) { return many(r.Columns) }},
	{"from", 0, math.MaxUint32, func(r *Request) (int64, bool) { return int64(r.From), true }},
	{"count", 0, mostRows, func(r *Request) (int64, bool) { return int64(r.Count), true }},
	{"epoch", 0, mostExact, func(r *Request) (int64, bool) { return int64(min(r.Epoch, math.MaxInt64)), true }},
	{"session", 0, math.MaxInt32, func(r *Request) (int64, bool) { return int64(r.Session), true }},
	{"last", 0, StepsKept, func(r *Request) (int64, bool) { return int64(r.Last), true }},
	{"index", 0, mostExact, func(r *Request) (int64, bool) { return int64(r.Index), true }},
}

func given(n *int) (int64, bool) {
	if n == nil {
		return 0, false
	}
	return int64(*n), true
}

const mostExtra = 64

// many is the length of a list.
func many[T any](list *[]T) (int64, bool) {
	if list == nil {
		return 0, false
	}
	return int64(len(*list)), true
}

// check lists the numbers of a request that are out of their bounds, before
// anything is made of one. Seeds have none; what else a request has of rows, splits
// and shapes is looked at where it is used.
func (r *Request) check() error {
	var errs []error
	for _, b := range bounds {
		if n, given := b.of(r); given && (n < b.least || n > b.most) {
			errs = append(errs, fmt.Errorf("%s %d: want %d to %d", b.key, n, b.least, b.most))
		}
	}
	if r.Reference != nil && *r.Reference != "" && *r.Reference != sameSpeaker {
		errs = append(errs, fmt.Errorf("reference %q: want %s, or nothing", *r.Reference, sameSpeaker))
	}
	if r.MelNorm != nil && *r.MelNorm != "" && *r.MelNorm != stats.ByColumn && *r.MelNorm != stats.ByBand {
		errs = append(errs, fmt.Errorf("mel_norm %q: want %s or %s, or nothing", *r.MelNorm, stats.ByColumn, stats.ByBand))
	}
	if r.Extra != nil && len(*r.Extra) <= mostExtra {
		if err := extra.Check(*r.Extra); err != nil {
			errs = append(errs, fmt.Errorf("extra: %w", err))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return askedError{errors.Join(errs...)}
}
