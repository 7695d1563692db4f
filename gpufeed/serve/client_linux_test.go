package serve

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// client is a consumer that knows docs/protocol.md alone: no constant of the
// ring's is used, so that a moved word is seen.
type client struct {
	conn    *net.UnixConn
	started struct {
		Arena   int `json:"arena_bytes"`
		Slot    int `json:"slot_bytes"`
		Ring    int `json:"ring_bytes"`
		Slots   int
		Samples int
		Batches int `json:"batches_per_epoch"`
		Layouts []struct {
			Fields []struct {
				Name, DType string
				Shape       []int
				Offset      int
			}
		}
		Cursor json.RawMessage
		Steps  int `json:"steps_bytes"`
	}
	arena, ring []byte
	log         []byte // nil: there is none
	taken       uint64
	bell        uint32
}

// dial connects and greets.
func dial(address string) (*client, error) {
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: address, Net: "unix"})
	if err != nil {
		return nil, err
	}
	x := &client{conn: c}
	if err := x.say(map[string]any{"type": "hello", "protocol": 3}); err != nil {
		return nil, err
	}
	var welcome struct{ Type string }
	if _, err := x.hear(&welcome); err != nil || welcome.Type != "welcome" {
		return nil, fmt.Errorf("welcome: %q, %v", welcome.Type, err)
	}
	return x, nil
}

// start asks for batches and maps what comes.
func (x *client) start(request map[string]any) error {
	request["type"] = "start"
	if err := x.say(request); err != nil {
		return err
	}
	files, err := x.hear(&x.started)
	if err != nil {
		return err
	}
	parts, sizes := []*[]byte{&x.arena, &x.ring}, []int{x.started.Arena, x.started.Ring}
	if x.started.Steps > 0 {
		parts, sizes = append(parts, &x.log), append(sizes, x.started.Steps)
	}
	if len(files) != len(parts) {
		return fmt.Errorf("%d descriptors came, want %d", len(files), len(parts))
	}
	for i, into := range parts {
		size := sizes[i]
		const portable = populate == 0 // as where there are no seals
		if seals, err := unix.FcntlInt(uintptr(files[i]), unix.F_GET_SEALS, 0); !portable && (err != nil || seals != unix.F_SEAL_SEAL|unix.F_SEAL_SHRINK|unix.F_SEAL_GROW) {
			return fmt.Errorf("file %d has seals %#x, %v", i, seals, err)
		}
		if *into, err = unix.Mmap(files[i], 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
			return err
		}
		unix.Close(files[i])
	}
	if string(x.ring[:8]) != "VXPRING1" {
		return fmt.Errorf("the ring begins with %q", x.ring[:8])
	}
	return nil
}

func (x *client) say(m any) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = x.conn.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...))
	return err
}

// hear takes one message with its descriptors. An error message is an error.
func (x *client) hear(into any) (files []int, err error) {
	var length [4]byte
	rights := make([]byte, unix.CmsgSpace(12))
	n, rn, _, _, err := x.conn.ReadMsgUnix(length[:], rights)
	if err != nil || n == 0 {
		return nil, fmt.Errorf("the feeder is gone: %w", io.EOF)
	}
	if _, err := io.ReadFull(x.conn, length[n:]); err != nil {
		return nil, err
	}
	messages, err := unix.ParseSocketControlMessage(rights[:rn])
	if err != nil {
		return nil, err
	}
	for _, m := range messages {
		if files, err = unix.ParseUnixRights(&m); err != nil {
			return nil, err
		}
	}
	b := make([]byte, binary.LittleEndian.Uint32(length[:]))
	if _, err := io.ReadFull(x.conn, b); err != nil {
		return nil, err
	}
	var failure struct{ Type, Kind, Text string }
	if err := json.Unmarshal(b, &failure); err == nil && failure.Type == "error" {
		return nil, fmt.Errorf("%s: %s", failure.Kind, failure.Text)
	}
	return files, json.Unmarshal(b, into)
}

func (x *client) u32(at int) *atomic.Uint32 { return (*atomic.Uint32)(unsafe.Pointer(&x.ring[at])) }
func (x *client) u64(at int) *atomic.Uint64 { return (*atomic.Uint64)(unsafe.Pointer(&x.ring[at])) }

// taken is a batch that a client has.
type taken struct {
	seq, epoch uint64
	slot       int
	rows       []uint32
	cursor     string
	bytes      []byte
	record     int
}

// next is the next batch, io.EOF after the last.
func (x *client) next() (taken, error) {
	for {
		ready := x.u32(64).Load()
		if x.u64(72).Load() > x.taken {
			break
		}
		switch x.u32(68).Load() {
		case 1:
			return taken{}, io.EOF
		case 2:
			_, err := x.hear(new(struct{}))
			return taken{}, err
		}
		t := unix.NsecToTimespec(int64(100 * time.Millisecond))
		_, _, errno := unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&x.ring[64])), 0, uintptr(ready), uintptr(unsafe.Pointer(&t)), 0, 0)
		if errno == unix.ETIMEDOUT {
			if n, _, _, _, err := x.peek(); n == 0 && err == nil {
				return taken{}, fmt.Errorf("the feeder is gone")
			}
		}
	}
	slots := int(binary.LittleEndian.Uint32(x.ring[12:]))
	records, stride := int(binary.LittleEndian.Uint32(x.ring[16:])), int(binary.LittleEndian.Uint32(x.ring[20:]))
	samples := int(binary.LittleEndian.Uint32(x.ring[24:]))
	slot := int(binary.LittleEndian.Uint32(x.ring[256+4*(int(x.taken)%slots):]))
	at := records + slot*stride
	r := x.ring[at : at+stride]
	t := taken{seq: binary.LittleEndian.Uint64(r), epoch: binary.LittleEndian.Uint64(r[8:]), slot: slot, record: at}
	if t.seq != x.taken {
		return t, fmt.Errorf("slot %d has batch %d, want %d", slot, t.seq, x.taken)
	}
	x.u64(at + 64).Store(t.seq + 1)
	x.taken++
	for i := range binary.LittleEndian.Uint32(r[24:]) {
		t.rows = append(t.rows, binary.LittleEndian.Uint32(r[128+4*i:]))
	}
	from := (128 + 4*samples + 7) / 8 * 8
	t.cursor = string(r[from : from+int(binary.LittleEndian.Uint32(r[28:]))])
	t.bytes = x.arena[slot*x.started.Slot : (slot+1)*x.started.Slot]
	return t, nil
}

// peek looks at the socket without taking anything.
func (x *client) peek() (n, oobn, flags int, from *net.UnixAddr, err error) {
	raw, err := x.conn.SyscallConn()
	if err != nil {
		return 0, 0, 0, nil, err
	}
	var b [1]byte
	cerr := raw.Control(func(fd uintptr) { n, _, err = unix.Recvfrom(int(fd), b[:], unix.MSG_PEEK|unix.MSG_DONTWAIT) })
	if err == nil {
		err = cerr
	}
	return n, 0, 0, nil, err
}

// giveBack returns a batch.
func (x *client) giveBack(t taken) {
	x.u64(t.record + 72).Store(t.seq + 1)
	x.bell++
	x.u32(128).Store(x.bell)
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&x.ring[128])), 1, 1<<30, 0, 0, 0)
}

// ids is the table of all ids.
func (x *client) ids() ([]string, error) {
	if err := x.say(map[string]any{"type": "ids"}); err != nil {
		return nil, err
	}
	var answer struct{ Rows, Bytes int }
	files, err := x.hear(&answer)
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("ids: %d descriptors, %w", len(files), err)
	}
	mem, err := unix.Mmap(files[0], 0, answer.Bytes, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	text := mem[8*(answer.Rows+1):]
	var list []string
	for i := range answer.Rows {
		list = append(list, string(text[binary.LittleEndian.Uint64(mem[8*i:]):binary.LittleEndian.Uint64(mem[8*i+8:])]))
	}
	return list, nil
}

// close hangs up.
func (x *client) close() { x.conn.Close() }

// rawDial connects and says nothing.
func rawDial(address string) (*client, error) {
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: address, Net: "unix"})
	if err != nil {
		return nil, err
	}
	return &client{conn: c}, nil
}
