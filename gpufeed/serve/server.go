package serve

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"voxpack/gpufeed"
	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/stats"
	"voxpack/store"
)

// Options say what is served and how. What a consumer leaves out is as here.
type Options struct {
	Dataset   *store.Dataset
	Selection plan.Selection
	Config    gpufeed.Config // Depth 0: 4 to 8 batches ahead
	Languages []string       // codes, by their number
	Version   string         // of the program
	Socket    string         // "" is Address of the snapshot
	Words     Words          // answers that need more than the store
	Linger    time.Duration  // end when nobody was there for so long; 0: never
	MaxMemory uint64         // bytes that consumers get in all; 0: half of what there is

	// Driver opens "cuda", as gpufeed.OpenDriver does, when the first consumer
	// asks for the transport device; nil: there is no GPU.
	Driver func(name string) (driver.Driver, string, error)

	// Told is what of these the dataset's config, as it is now, does not say; nil:
	// nothing. It is called from several goroutines at once.
	Told func() ([]Told, error)
}

// Server answers consumers of one dataset.
type Server struct {
	options  Options
	address  string
	listener *net.UnixListener
	lock     *os.File
	work     sync.WaitGroup // sessions
	gpus     gpus
	memory   *memory

	mu       sync.Mutex // of the following
	sets     map[string]*plan.Set
	sessions int         // those of watchers apart
	started  int         // sessions so far: the id of the last one
	watched  []*watched  // by id
	leaving  *time.Timer // nil: it does not linger

	table sync.Mutex // of the following
	ids   int        // descriptor, once it is made
	bytes int

	library library // of questions

	counted sync.Mutex // of stats: who waits for them holds nobody else up
	stats   *stats.Stats
}

// Listen takes the address. Consumers wait there until Serve.
func Listen(o Options) (*Server, error) {
	s := &Server{options: o, gpus: gpus{open: o.Driver}, memory: newMemory(o.MaxMemory), address: o.Socket, sets: map[string]*plan.Set{}, ids: -1}
	var err error
	if s.address == "" {
		if s.address, err = Address(o.Dataset.Digest); err != nil {
			return nil, err
		}
		if err = makePrivate(filepath.Dir(s.address)); err != nil {
			return nil, err
		}
	}
	if s.listener, s.lock, err = listen(s.address); err != nil {
		return nil, err
	}
	return s, nil
}

// Address is the path of the socket.
func (s *Server) Address() string { return s.address }

// Serve answers until ctx is done or, with Options.Linger, nobody was there for
// so long. It then ends the sessions, and frees everything. If a GPU is lost it
// takes nobody any more, and ends when the last session has ended by itself.
func (s *Server) Serve(ctx context.Context) error {
	defer s.lock.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, func() { s.listener.Close() })()
	if s.options.Linger > 0 {
		s.mu.Lock()
		s.leaving = time.AfterFunc(s.options.Linger, func() { s.leave(cancel) })
		s.mu.Unlock()
	}
	var failed error
	for {
		c, err := s.listener.AcceptUnix()
		if err != nil && ctx.Err() == nil && passing(err) {
			time.Sleep(acceptAgain)
			continue
		}
		if err != nil {
			if ctx.Err() == nil && s.gpus.gone() == nil {
				failed = fmt.Errorf("socket %s: %w", s.address, err)
			}
			break
		}
		s.count(+1)
		s.work.Go(func() {
			x := &session{server: s, conn: c}
			x.run(ctx)
			if !x.watches {
				s.count(-1)
			}
		})
	}
	if s.gpus.gone() != nil {
		s.lock.Close() // after the listener: another feeder may have the address
		s.work.Wait()
	}
	cancel()
	s.listener.Close() // removes the socket; a second time it does nothing
	s.work.Wait()
	failed = errors.Join(failed, s.gpus.close())
	s.table.Lock()
	defer s.table.Unlock()
	if s.ids >= 0 {
		_ = unix.Close(s.ids)
		s.ids = -1
	}
	return failed
}

// lose looks whether an error means that this process cannot use a GPU any more:
// contexts with such an error stay as they are until the process ends. Then the
// address is left to another feeder, which has the GPU anew. It gives the error
// as consumers are told it.
func (s *Server) lose(err error) error {
	if !errors.Is(err, driver.ErrLost) {
		return err
	}
	if s.gpus.lose(err) {
		s.listener.Close()
	}
	return ends(err)
}

// acceptAgain is how long a consumer waits while there is no descriptor for it.
const acceptAgain = 20 * time.Millisecond

// passing reports whether a connection could not be had for want of what others
// give back: those that are there have to go on.
func passing(err error) bool {
	for _, e := range []error{unix.EMFILE, unix.ENFILE, unix.ENOBUFS, unix.ENOMEM, unix.ECONNABORTED} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// leave ends the server unless somebody came while the timer went off.
func (s *Server) leave(end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sessions == 0 {
		end()
	}
}

func (s *Server) count(change int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sessions += change; s.leaving == nil {
		return
	}
	s.leaving.Stop()
	if s.sessions == 0 {
		s.leaving.Reset(s.options.Linger)
	}
}

// set chooses rows, or has chosen them for another consumer.
func (s *Server) set(selection plan.Selection) (*plan.Set, error) {
	key, err := json.Marshal(selection)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	set := s.sets[string(key)]
	s.mu.Unlock()
	if set != nil {
		return set, nil
	}
	if set, err = plan.Select(s.options.Dataset, selection); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	const most = 8 // of 4 B a row each; sessions keep those that they use
	if len(s.sets) >= most {
		clear(s.sets)
	}
	s.sets[string(key)] = set
	return set, nil
}

// idTable is the file of all ids: the offsets of the first, the second, …, and
// of the end, 8 bytes each and counted from their own end, then the ids.
func (s *Server) idTable() (file, bytes int, err error) {
	s.table.Lock()
	defer s.table.Unlock()
	if s.ids >= 0 {
		return s.ids, s.bytes, nil
	}
	rows := s.options.Dataset.Root.Rows
	offsets, text := make([]byte, 0, 8*(rows+1)), []byte{}
	err = s.options.Dataset.IDs(func(_ store.At, id string) bool {
		offsets = binary.LittleEndian.AppendUint64(offsets, uint64(len(text)))
		text = append(text, id...)
		return true
	})
	if err != nil {
		return -1, 0, err
	}
	offsets = binary.LittleEndian.AppendUint64(offsets, uint64(len(text)))
	file, mem, err := sharedFile("voxpack-ids", len(offsets)+len(text))
	if err != nil {
		return -1, 0, fmt.Errorf("shared memory of ids: %w", err)
	}
	copy(mem[copy(mem, offsets):], text)
	s.ids, s.bytes = file, len(mem)
	return s.ids, s.bytes, unix.Munmap(mem)
}

// describe is what a consumer has to know of the dataset.
func (s *Server) describe() Dataset {
	d := s.options.Dataset
	about := Dataset{
		Root: d.Snapshot.Root.String(), Snapshot: d.Digest.String(), Rows: d.Root.Rows,
		Symbols: d.Root.Symbols, Speakers: d.Root.Speakers, Languages: s.options.Languages,
		Settings: named(d.Root.Config), Stages: named(d.Root.Stages),
	}
	for _, c := range d.Root.Schema {
		about.Columns = append(about.Columns, Tensor{Name: c.Name, DType: c.DType.String(), Shape: c.Shape, Along: plan.LengthOf(d.Root.Schema, c)})
	}
	return about
}

func named(list []store.Named) map[string]string {
	m := make(map[string]string, len(list))
	for _, n := range list {
		m[n.Name] = n.Value
	}
	return m
}

// kind is the class of an error, for programs that decide by it.
func kind(err error) string {
	switch {
	case errors.Is(err, plan.ErrCursor):
		return "cursor"
	case errors.Is(err, plan.ErrCorrupt), errors.Is(err, store.ErrDamaged):
		return "corrupt"
	case errors.Is(err, plan.ErrConfig):
		return "request"
	case errors.Is(err, errNoGPU), errors.As(err, new(*driver.Error)):
		return "gpu"
	}
	return "other"
}
