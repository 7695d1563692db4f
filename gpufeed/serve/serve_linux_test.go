package serve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// TestMain is a consumer to be killed where the environment says so.
func TestMain(m *testing.M) {
	if address := os.Getenv("VOXPACK_TEST_CONSUMER"); address != "" {
		hang(address)
		return
	}
	os.Exit(m.Run())
}

// hang takes all batches that there are room for and never returns one.
func hang(address string) {
	x, err := dial(address)
	if err == nil {
		err = x.start(map[string]any{})
	}
	for i := 0; err == nil && i < x.started.Slots; i++ {
		_, err = x.next()
	}
	fmt.Println("holding", err)
	time.Sleep(time.Hour)
}

// connect is a client that has started, until the test ends.
func connect(t *testing.T, s *Server, request map[string]any) *client {
	t.Helper()
	x, err := dial(s.Address())
	if err == nil {
		err = x.start(request)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.close)
	return x
}

// inProcess opens the feed that a session should be like.
func inProcess(t *testing.T, d *store.Dataset, c gpufeed.Config, s plan.Selection) *gpufeed.Feed {
	t.Helper()
	set, err := plan.Select(d, s)
	if err != nil {
		t.Fatal(err)
	}
	f, err := gpufeed.Open(t.Context(), set, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// same compares a client's batch with a feed's, field by field.
func same(t *testing.T, x *client, got taken, f *gpufeed.Feed, want gpufeed.Batch) {
	t.Helper()
	if got.seq != want.Seq || got.epoch != want.Epoch || !slices.Equal(got.rows, want.Rows) {
		t.Fatalf("batch %d of epoch %d with rows %v, want %d of %d with %v", got.seq, got.epoch, got.rows, want.Seq, want.Epoch, want.Rows)
	}
	layout := x.started.Layouts[want.Bucket]
	for i, field := range want.Layout.Fields {
		n := want.Layout.Samples * field.Size
		told := layout.Fields[i]
		if told.Name != field.Column.Name || told.Offset%256 != 0 || told.Shape[0] != x.started.Samples {
			t.Errorf("field %+v, want %s at a multiple of 256", told, field.Column.Name)
		}
		if !bytes.Equal(got.bytes[told.Offset:told.Offset+n], want.Host[field.Offset:field.Offset+n]) {
			t.Errorf("batch %d: %s has other bytes", got.seq, told.Name)
		}
	}
	cursor, err := f.Cursor()
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := json.Marshal(cursor); string(b) != got.cursor {
		t.Errorf("batch %d: cursor %s, want %s", got.seq, got.cursor, b)
	}
}

func TestAConsumerGetsWhatAFeedGives(t *testing.T) {
	d := dataset(t, 42)
	s := serving(t, d, nil)
	for _, tail := range []plan.Tail{plan.Drop, plan.Pad, plan.Wrap} {
		x := connect(t, s, map[string]any{"epochs": 3, "tail": tail, "seed": 9})
		f := inProcess(t, d, gpufeed.Config{Plan: plan.Options{Batch: 4, Tail: tail, Seed: 9, Epochs: 3}}, plan.Selection{})
		all, err := x.ids()
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; ; n++ {
			want, wantErr := f.Next(t.Context())
			got, gotErr := x.next()
			if wantErr == io.EOF && gotErr == io.EOF {
				if n != 3*x.started.Batches {
					t.Errorf("tail %s: %d batches came in 3 epochs of %d", tail, n, x.started.Batches)
				}
				break
			}
			if wantErr != nil || gotErr != nil {
				t.Fatalf("tail %s: next = %v, the feed's %v", tail, gotErr, wantErr)
			}
			same(t, x, got, f, want)
			for _, row := range got.rows {
				set, _ := plan.Select(d, plan.Selection{})
				if id, err := set.ID(row); err != nil || id != all[row] {
					t.Errorf("row %d is %q in the table, want %q, %v", row, all[row], id, err)
				}
			}
			want.Release()
			x.giveBack(got)
		}
		x.close()
	}
}

// TestRanksShareTheBatch: four at once, each at its own pace.
func TestRanksShareTheBatch(t *testing.T) {
	d := dataset(t, 90)
	s := serving(t, d, nil)
	const world, epochs = 4, 2
	got := make([][][]uint32, world)
	var work sync.WaitGroup
	for rank := range world {
		x := connect(t, s, map[string]any{"batch": 8, "rank": rank, "world": world, "epochs": epochs})
		work.Go(func() {
			for {
				b, err := x.next()
				if err != nil {
					if err != io.EOF {
						t.Error(err)
					}
					return
				}
				got[rank] = append(got[rank], b.rows)
				time.Sleep(time.Duration(rank) * time.Millisecond)
				x.giveBack(b)
			}
		})
	}
	work.Wait()
	f := inProcess(t, d, gpufeed.Config{Plan: plan.Options{Batch: 8, Seed: 5, Epochs: epochs}}, plan.Selection{})
	for n := 0; ; n++ {
		want, err := f.Next(t.Context())
		if err == io.EOF {
			if n != len(got[0]) || n != epochs*11 {
				t.Errorf("rank 0 got %d batches, want %d", len(got[0]), n)
			}
			return
		}
		var all []uint32
		for rank := range world {
			all = append(all, got[rank][n]...)
		}
		if !slices.Equal(all, want.Rows) {
			t.Fatalf("batch %d: the ranks have %v, want %v", n, all, want.Rows)
		}
		want.Release()
	}
}

// memories counts the files in memory that this process has open.
func memories(t *testing.T) (n int) {
	t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range links {
		if to, _ := os.Readlink(l); strings.Contains(to, "voxpack-") && strings.HasSuffix(to, " (deleted)") {
			n++
		}
	}
	return n
}

func TestAKilledConsumerFreesItsSlots(t *testing.T) {
	s := serving(t, dataset(t, 60), nil)
	before := memories(t)
	for range 5 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "VOXPACK_TEST_CONSUMER="+s.Address())
		out, err := child.StdoutPipe()
		if err == nil {
			err = child.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = child.Process.Kill() }) // where the test fails
		line := make([]byte, 64)
		n, _ := out.Read(line)
		if got := strings.TrimSpace(string(line[:n])); got != "holding <nil>" || s.Sessions() != 1 || memories(t) != before+2 {
			t.Fatalf("the child says %q, %d sessions, %d files more, want it to hold, 1 and 2", got, s.Sessions(), memories(t)-before)
		}
		if err := child.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		until(t, "the session is over and its memory closed", func() bool { return s.Sessions() == 0 && memories(t) == before })
		_ = child.Wait()
	}
	// The next one starts from the beginning, as if nobody had been there.
	x := connect(t, s, map[string]any{})
	if b, err := x.next(); err != nil || b.seq != 0 {
		t.Errorf("next = batch %d, %v, want 0", b.seq, err)
	}
}

// TestACursorOfARecordResumes: also with another world.
func TestACursorOfARecordResumes(t *testing.T) {
	s := serving(t, dataset(t, 60), nil)
	x := connect(t, s, map[string]any{"epochs": 2})
	var all []uint32
	cursors := []string{string(x.started.Cursor)}
	for {
		b, err := x.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		all, cursors = append(all, b.rows...), append(cursors, b.cursor)
		x.giveBack(b)
	}
	for at, cursor := range cursors[:16] { // of the first epoch, its end included
		y := connect(t, s, map[string]any{"epochs": 1, "cursor": json.RawMessage(cursor), "batch": 2})
		var rest []uint32
		for {
			b, err := y.next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			rest = append(rest, b.rows...)
			y.giveBack(b)
		}
		if want := all[4*at : 60]; !slices.Equal(rest, want) {
			t.Errorf("after batch %d come %v, want %v", at, rest, want)
		}
		y.close()
	}
}

func TestRefusals(t *testing.T) {
	s := serving(t, dataset(t, 20), nil)
	for _, c := range []struct {
		name    string
		request map[string]any
		want    string
	}{
		{"a protocol of the future", map[string]any{"type": "hello", "protocol": 4}, "protocol: hello of protocol 4: this feeder, voxpack test, speaks 3"},
		{"a protocol of the past", map[string]any{"type": "hello", "protocol": 2}, "protocol: hello of protocol 2: this feeder, voxpack test, speaks 3 and wants hello first; install the package of the same version"},
		{"a start without hello", map[string]any{"type": "start"}, "protocol: start of protocol 0"},
	} {
		x, err := dial(s.Address())
		if err != nil {
			t.Fatal(err)
		}
		x.close()
		raw, err := rawDial(s.Address())
		if err == nil {
			err = raw.say(c.request)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err = raw.hear(new(struct{})); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		raw.close()
	}
	for _, c := range []struct {
		name    string
		request map[string]any
		want    string
	}{
		{"a batch that ranks cannot share", map[string]any{"batch": 5, "world": 2}, "request: a global batch of 5"},
		{"a batch larger than the set", map[string]any{"batch": 500}, "request: no batch in an epoch"},
		{"a rank outside of the world", map[string]any{"rank": 3, "world": 2}, "request: rank 3 of 2"},
		{"an unknown split", map[string]any{"split": "dev"}, `request: split "dev"`},
		{"a split that leaves nothing", map[string]any{"split": "val", "val": 1e-9}, "request: the selection leaves none of 20 rows"},
		{"an unknown shuffle", map[string]any{"shuffle": "local"}, `request: shuffle "local": want global or none`},
		{"no cursor", map[string]any{"cursor": map[string]any{"format": 99}}, "cursor: cursor does not fit"},
	} {
		x, err := dial(s.Address())
		if err != nil {
			t.Fatal(err)
		}
		if err := x.start(c.request); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if _, err := x.hear(new(struct{})); !errors.Is(err, io.EOF) {
			t.Errorf("%s: after the error: %v, want the end", c.name, err)
		}
		x.close()
	}
	until(t, "refused sessions are over", func() bool { return s.Sessions() == 0 })
}

// TestCorruptRows: the batches before it come, then the reason in words; a
// feeder that skips such rows counts them.
func TestCorruptRows(t *testing.T) {
	d := dataset(t, 40, "é0007")
	s := serving(t, d, nil)
	f := inProcess(t, d, gpufeed.Config{Plan: plan.Options{Batch: 4, Seed: 5, Epochs: 1}}, plan.Selection{})
	sound := 0
	for {
		b, err := f.Next(t.Context())
		if err != nil {
			break
		}
		sound++
		b.Release()
	}
	x := connect(t, s, map[string]any{"epochs": 1})
	for n := 0; ; n++ {
		b, err := x.next()
		if err == nil {
			x.giveBack(b)
			continue
		}
		if n != sound || !strings.HasPrefix(err.Error(), "corrupt: fill: batch ") || !strings.Contains(err.Error(), "é0007") {
			t.Errorf("after %d batches: %v, want the corrupt row after %d", n, err, sound)
		}
		break
	}
	lost := uint32(0)
	y := connect(t, serving(t, d, func(o *Options) { o.Config.SkipCorrupt = true }), map[string]any{"epochs": 1})
	for {
		b, err := y.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		lost += binary.LittleEndian.Uint32(y.ring[b.record+20:])
		y.giveBack(b)
	}
	if lost != 1 {
		t.Errorf("%d rows were left out, want 1", lost)
	}
}

func TestAddressIsTakenOnce(t *testing.T) {
	d := dataset(t, 20)
	s := serving(t, d, nil)
	if info, err := os.Lstat(s.Address()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket has %v, %v, want 0600", info.Mode(), err)
	}
	if _, err := Listen(Options{Dataset: d, Socket: s.Address()}); !errors.Is(err, ErrBusy) {
		t.Errorf("Listen = %v, want ErrBusy", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(Options{Dataset: d, Socket: file}); err == nil || !strings.Contains(err.Error(), "something else") {
		t.Errorf("Listen over a file = %v, want a refusal", err)
	}
	if _, err := Listen(Options{Dataset: d, Socket: "/tmp/" + strings.Repeat("x", 120)}); err == nil || !strings.Contains(err.Error(), "107") {
		t.Errorf("Listen at a long path = %v, want a refusal", err)
	}
}

func TestAddressIsPrivate(t *testing.T) {
	d := dataset(t, 20)
	open := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", open)
	path, err := Address(d.Digest)
	if err != nil || filepath.Dir(path) != filepath.Join(open, "voxpack") {
		t.Fatalf("Address = %s, %v", path, err)
	}
	if _, err := os.Lstat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("who looks for a feeder made its folder: %v", err)
	}
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Address(d.Digest); err == nil {
		t.Error("Address takes a folder that others may read")
	}
}

// TestLinger: the timer that ends the server runs only while nobody is there.
func TestLinger(t *testing.T) {
	d := dataset(t, 20)
	s, err := Listen(Options{Dataset: d, Config: gpufeed.Config{Plan: plan.Options{Batch: 4}}, Socket: filepath.Join(t.TempDir(), "s"), Linger: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(t.Context()) }()
	leaves := func() bool { // and does so at once
		s.mu.Lock()
		defer s.mu.Unlock()
		waits := s.leaving.Stop()
		if waits {
			s.leaving.Reset(0)
		}
		return waits
	}
	x := connect(t, s, map[string]any{})
	if leaves() {
		t.Error("it leaves by itself while a consumer is there")
	}
	x.close()
	until(t, "the session is over", func() bool { return s.Sessions() == 0 })
	if !leaves() {
		t.Fatal("nobody is there, and it does not leave by itself")
	}
	if err := <-done; err != nil {
		t.Errorf("Serve = %v", err)
	}
	if _, err := os.Lstat(s.Address()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
}
