package serve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
)

// Protocol is the version of the messages; the ring has its own.
const Protocol = 3

// Request is what a consumer says.
type Request struct {
	Type     string `json:"type"`               // hello, start, ids, bye, or a question: see Question
	Protocol int    `json:"protocol,omitempty"` // hello: what the consumer speaks
	Start
	Question
}

// Start says what a consumer wants. What it leaves out is as the dataset's
// config has it; what the feeder's flags say otherwise it has to say itself.
type Start struct {
	AsTold bool `json:"as_told,omitempty"` // what is left out is as the feeder's flags have it

	Batch   *int            `json:"batch,omitempty"` // of all ranks
	Rank    int             `json:"rank,omitempty"`
	World   int             `json:"world,omitempty"` // 0: 1
	Seed    *uint64         `json:"seed,omitempty"`
	Split   *plan.Split     `json:"split,omitempty"`
	Val     *float64        `json:"val,omitempty"`   // part of the rows that the split val has
	Train   *float64        `json:"train,omitempty"` // part that train has; 0: all that val leaves
	Shuffle *plan.Shuffle   `json:"shuffle,omitempty"`
	Tail    *plan.Tail      `json:"tail,omitempty"`
	Epochs  *int            `json:"epochs,omitempty"` // 0: without end
	Ahead   *int            `json:"ahead,omitempty"`  // batches prepared besides the one in use
	Cursor  json.RawMessage `json:"cursor,omitempty"` // go on after it

	Languages *[]int32  `json:"languages,omitempty"` // numbers in the dataset; an empty list is all
	Speakers  *[]int32  `json:"speakers,omitempty"`
	Weights   *[]Weight `json:"weights,omitempty"`   // an empty list: every row once
	Buckets   *[]int    `json:"buckets,omitempty"`   // frames; an empty list is the full shape alone
	Segment   *int      `json:"segment,omitempty"`   // frames of a crop; 0: none
	Reference *string   `json:"reference,omitempty"` // same-speaker, or "" for none
	MelNorm   *string   `json:"mel_norm,omitempty"`  // stats or bands, or "" for none
	Extra     *[]string `json:"extra,omitempty"`     // further fields, see package extra; an empty list is none
	Columns   *[]string `json:"columns,omitempty"`   // fields of the batches; an empty list is all
	Chosen    *[]byte   `json:"chosen,omitempty"`    // a bit for each row of the dataset, see plan.Choose; no bytes are all rows

	Transport  string `json:"transport,omitempty"`   // "" is host
	GPU        *GPU   `json:"gpu,omitempty"`         // device: where batches go
	DataGPU    *GPU   `json:"data_gpu,omitempty"`    // and by way of which other one; none: straight
	GPUBatches *int   `json:"gpu_batches,omitempty"` // slots there; none: 3
	GPUMemory  *int   `json:"gpu_memory,omitempty"`  // MB that the feeder takes on each GPU at most; none: its batches, and half of what is free for a cache
	Cache      string `json:"cache,omitempty"`       // auto, on or off; "" is auto

	Steps bool `json:"steps,omitempty"` // it notes its steps where the feeder and watchers can read them
}

// take has a setting as a start says it, if it does.
func take[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// Welcome answers hello.
type Welcome struct {
	Type     string   `json:"type"`
	Protocol int      `json:"protocol"`
	Version  string   `json:"version"` // of the program
	PID      int      `json:"pid"`
	Dataset  Dataset  `json:"dataset"`
	Knows    []string `json:"knows"` // what came to this protocol without a new number
}

// knows are keys and questions that older feeders of the same protocol pass over or
// refuse.
var knows = []string{"columns", "chosen", "rows", "stats", "mel_norm", "extra"}

// Dataset is what a trainer has to know of the root.
type Dataset struct {
	Root      string            `json:"root"`
	Snapshot  string            `json:"snapshot"`
	Rows      int               `json:"rows"`
	Columns   []Tensor          `json:"columns"` // of one sample
	Symbols   []string          `json:"symbols"`
	Speakers  []string          `json:"speakers"`
	Languages []string          `json:"languages"` // by number
	Settings  map[string]string `json:"settings"`  // every key that a stage read
	Stages    map[string]string `json:"stages"`    // versions
}

// Tensor is a named array; its bytes are little-endian and without gaps.
type Tensor struct {
	Name   string `json:"name"`
	DType  string `json:"dtype"` // i16, i32, f16, bf16 or f32
	Shape  []int  `json:"shape"`
	Offset int    `json:"offset"`          // in the slot, a multiple of 256
	Along  string `json:"along,omitempty"` // the name of the one that has the lengths of its first axis, samples apart
}

// Started answers start; the descriptors of arena and ring come with it, and that of
// the step log, if there is one.
type Started struct {
	Type       string          `json:"type"`
	ArenaBytes int             `json:"arena_bytes"`
	SlotBytes  int             `json:"slot_bytes"`
	RingBytes  int             `json:"ring_bytes"`
	Slots      int             `json:"slots"`
	Samples    int             `json:"samples"` // of this rank's batch
	Rank       int             `json:"rank"`
	World      int             `json:"world"`
	Batch      int             `json:"batch"`
	Selected   int             `json:"selected"`          // rows of the set
	Batches    int             `json:"batches_per_epoch"` // of the epoch that it begins with
	Epoch      uint64          `json:"epoch"`
	Segment    int             `json:"segment"`
	Reference  string          `json:"reference"` // same-speaker, or ""
	MelNorm    string          `json:"mel_norm"`  // stats or bands, or ""
	Extra      []string        `json:"extra"`
	Layouts    []Layout        `json:"layouts"` // by bucket
	Cursor     json.RawMessage `json:"cursor"`  // before the first batch
	Notes      []string        `json:"notes"`
	Device     *Device         `json:"device,omitempty"`      // in place of the arena's descriptor
	StepsBytes int             `json:"steps_bytes,omitempty"` // of the step log; 0: there is none
}

// Layout is the shape of a bucket's batches.
type Layout struct {
	Frames int      `json:"frames"`
	Bytes  int      `json:"bytes"`
	Fields []Tensor `json:"fields"`
}

// IDs answers ids; the descriptor of the table comes with it.
type IDs struct {
	Type  string `json:"type"`
	Rows  int    `json:"rows"`
	Bytes int    `json:"bytes"` // of the file
}

// Freed answers free_cache.
type Freed struct {
	Type  string `json:"type"`
	Bytes uint64 `json:"bytes"` // of the cache, free now or as soon as batches are on their way that rely on it
}

// Failure is sent before a session ends for a reason.
type Failure struct {
	Type string `json:"type"`
	Kind string `json:"kind"` // protocol, request, cursor, corrupt, gpu or other
	Text string `json:"text"`
}

// read takes one message: its length in 4 bytes, little-endian, and its JSON, of
// at most so many bytes, if who gives memory grants them; nil grants all. Memory
// is taken as they come, and not as they are claimed.
func read(r io.Reader, most uint32, grant func(bytes uint64) error, into any) error {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return err
	}
	n := binary.LittleEndian.Uint32(length[:])
	if n > most {
		return asked("message of %d bytes: at most %d", n, most)
	}
	if grant != nil {
		if err := grant(uint64(n)); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, int64(n)); err != nil {
		return err
	}
	if err := json.Unmarshal(b.Bytes(), into); err != nil {
		return fmt.Errorf("message: %w", err)
	}
	return nil
}

// encode is a message with its length.
func encode(m any) ([]byte, error) {
	b, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...), nil
}

// layouts describes the shapes of a feed's batches.
func layouts(list []*gpufeed.Layout) []Layout {
	all := make([]Layout, 0, len(list))
	for _, l := range list {
		one := Layout{Frames: l.Form.Frames, Bytes: l.Bytes}
		for _, f := range l.Fields {
			shape := append([]int{l.Samples}, f.Column.Shape...)
			one.Fields = append(one.Fields, Tensor{f.Column.Name, f.Column.DType.String(), shape, f.Offset, f.Along})
		}
		all = append(all, one)
	}
	return all
}
