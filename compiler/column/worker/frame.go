package worker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Protocol is the version of what is spoken over the pipes.
const Protocol = 1

// magic begins each frame, so that a program that prints to its standard output is found out at once.
const magic = "VXW1"

// EnvWorker is set to 1 for workers: what a program does before it answers may depend on it.
const EnvWorker = "VOXPACK_WORKER"

const headerBytes = 16

// frameKind says what a frame holds.
type frameKind uint32

const (
	kindHello  frameKind = 1 // to the worker, first: JSON
	kindReady  frameKind = 2 // its answer: JSON
	kindBatch  frameKind = 3 // to the worker: rows
	kindResult frameKind = 4 // an answer to one row
	kindFault  frameKind = 5 // the worker cannot work: text
)

const (
	maxTextBytes = 64 << 10 // of a frame that holds no array
	maxDims      = 8
	// maxDiscard is how large a frame may be: of an array that is too large the bytes are
	// passed over, so that its shape can be told.
	maxDiscard = 1 << 30
)

// errStray says that a worker wrote something else than the protocol.
var errStray = errors.New("it broke the protocol")

func stray(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errStray, fmt.Sprintf(format, args...))
}

// putHeader writes the header of a frame: magic, u32 kind, u64 bytes that follow.
func putHeader(dst []byte, kind frameKind, size int) []byte {
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(kind))
	return binary.LittleEndian.AppendUint64(dst, uint64(size))
}

// readHeader reads the header of a frame. Where the bytes are none, the error quotes them.
func readHeader(r io.Reader) (kind frameKind, size uint64, err error) {
	var head [headerBytes]byte
	n, err := io.ReadFull(r, head[:])
	if n >= len(magic) && string(head[:len(magic)]) != magic || n > 0 && n < len(magic) {
		return 0, 0, stray("it wrote %s to its standard output, which is for frames; print to the standard error", strconv.QuoteToASCII(string(head[:n])))
	}
	if err != nil {
		return 0, 0, err
	}
	return frameKind(binary.LittleEndian.Uint32(head[4:])), binary.LittleEndian.Uint64(head[8:]), nil
}
