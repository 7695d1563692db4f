package gpufeed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"

	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// consumer takes the batches of a feed, keeps some of them, lets go of them in
// any order, and compares what it has with the naive reader's: when it gets a
// batch and again before it lets it go, so that a slot that is written in
// between is seen.
type consumer struct {
	feed    *Feed
	config  Config
	set     *naiveSet
	run     naiveRun
	keep    int // batches that it has while it asks for another
	n       int // batches that it got
	held    []Batch
	twice   bool // a row came a second time
	rows    map[uint32]bool
	digests map[uint64]*store.Hasher
	random  *rand.Rand

	fetcher *Fetcher
	gpu     driver.GPU // the last of the way; nil on the host
	thread  driver.Thread
	stream  driver.Stream

	// The copy out of a batch that was let go after it.
	late    []byte
	copied  driver.Event
	pending *naiveBatch
}

// newConsumer is for the goroutine that calls it.
func newConsumer(f *Feed, c Config, set *naiveSet, run naiveRun, keep int) (*consumer, error) {
	u := &consumer{
		feed: f, config: c, set: set, run: run, keep: keep,
		rows: map[uint32]bool{}, digests: map[uint64]*store.Hasher{}, random: rand.New(rand.NewPCG(uint64(keep), 1)),
	}
	var err error
	if u.fetcher, err = f.NewFetcher(); err != nil || c.Driver == nil {
		return u, err
	}
	if u.gpu, err = c.Driver.Open(c.ModelGPU); err != nil {
		return nil, err
	}
	if u.thread, err = u.gpu.Thread(); err != nil {
		return nil, err
	}
	if u.stream, err = u.thread.NewStream(false); err != nil {
		return nil, err
	}
	if u.copied, err = u.thread.NewEvent(false); err != nil {
		return nil, err
	}
	_, size := set.slot(c, set.data.frames())
	u.late = make([]byte, size)
	return u, u.thread.Pin(u.late)
}

// next takes a batch; more is false after the last one. queued: those that are
// let go for it are let go after the work that the device has.
func (u *consumer) next(queued bool) (more bool, err error) {
	b, err := u.feed.Next(context.Background())
	if u.n == len(u.run.batches) {
		if u.run.empty && errors.Is(err, plan.ErrNoBatch) || !u.run.empty && err == io.EOF {
			return false, nil
		}
		return false, fmt.Errorf("Next = %v, want the end (without a batch in two epochs: %v)", err, u.run.empty)
	}
	if err != nil {
		return false, err
	}
	want := u.run.batches[u.n]
	if b.Seq != uint64(u.n) || b.Lost != 0 {
		return false, fmt.Errorf("number %d, %d lost", b.Seq, b.Lost)
	}
	held, err := u.check(b, want)
	if err != nil {
		return false, err
	}
	u.digest(b, held)
	u.n++
	if u.random.IntN(4) == 0 {
		if _, err := u.cursor(); err != nil {
			return false, err
		}
	}
	u.held = append(u.held, b)
	for len(u.held) > u.keep {
		if err := u.release(queued); err != nil {
			return false, err
		}
	}
	return true, nil
}

// check compares a batch with the naive reader's and returns its bytes, which
// are valid until the next check.
func (u *consumer) check(b Batch, want naiveBatch) ([]byte, error) {
	if b.Epoch != want.epoch || b.Bucket != want.bucket || !equalRows(b.Rows, numbers(want.rows)) {
		return nil, fmt.Errorf("epoch %d, bucket %d, rows %v, want %d, %d, %v", b.Epoch, b.Bucket, b.Rows, want.epoch, want.bucket, numbers(want.rows))
	}
	columns, size := u.set.slot(u.config, want.frames)
	if l := b.Layout; l.Bytes != size || len(l.Fields) != len(columns) {
		return nil, fmt.Errorf("a slot of %d bytes with %d fields; want %d with %d", l.Bytes, len(l.Fields), size, len(columns))
	}
	got, err := u.fetcher.Bytes(b)
	if err != nil {
		return nil, err
	}
	for i, c := range columns {
		if f := b.Layout.Fields[i]; f.Column.Name != c.name || f.Offset != c.offset || f.Size != c.size {
			return nil, fmt.Errorf("field %d is %s at %d, %d bytes; want %s at %d, %d bytes", i, f.Column.Name, f.Offset, f.Size, c.name, c.offset, c.size)
		}
	}
	return got, u.compare(got, want)
}

// compare compares a slot's bytes with the naive reader's, gaps apart.
func (u *consumer) compare(got []byte, want naiveBatch) error {
	columns, _ := u.set.slot(u.config, want.frames)
	samples, slot := max(1, u.config.Plan.Batch/max(1, u.config.Plan.World)), u.set.fill(u.config, want)
	for _, c := range columns {
		from, to := c.offset, c.offset+samples*c.size
		if !bytes.Equal(got[from:to], slot[from:to]) {
			return fmt.Errorf("%s is % x, want % x", c.name, got[from:to], slot[from:to])
		}
	}
	return nil
}

func numbers(rows []naiveRow) (list []uint32) {
	for _, row := range rows {
		list = append(list, row.number)
	}
	return list
}

// digest adds the samples of a batch to the digest of their epoch, by the
// batch's own layout.
func (u *consumer) digest(b Batch, slot []byte) {
	h := u.digests[b.Epoch]
	if h == nil {
		h = store.NewHasher()
		u.digests[b.Epoch] = h
	}
	first := []string{"tokens", "mel", "text_len", "mel_len"}
	order := make([]Field, 0, len(b.Layout.Fields))
	for _, name := range first {
		if f, ok := b.Layout.Field(name); ok {
			order = append(order, f)
		}
	}
	for _, f := range b.Layout.Fields {
		switch f.Column.Name {
		case first[0], first[1], first[2], first[3]:
		default:
			order = append(order, f)
		}
	}
	for i, row := range b.Rows {
		u.twice = u.twice || u.rows[row]
		u.rows[row] = true
		for _, f := range order {
			h.Write(slot[f.Offset+i*f.Size:][:f.Size])
		}
	}
}

// release lets go of one of the batches, after another look at it.
func (u *consumer) release(queued bool) error {
	i := u.random.IntN(len(u.held))
	b := u.held[i]
	u.held = append(u.held[:i], u.held[i+1:]...)
	if _, err := u.check(b, u.run.batches[b.Seq]); err != nil {
		return fmt.Errorf("batch %d, when it is let go: %w", b.Seq, err)
	}
	if queued && u.thread != nil {
		return u.releaseAfterCopy(b)
	}
	b.Release()
	return nil
}

// releaseAfterCopy lets go of a batch after a copy out of it.
func (u *consumer) releaseAfterCopy(b Batch) error {
	if err := u.await(); err != nil {
		return err
	}
	if err := u.thread.CopyOut(u.late[:b.Layout.Bytes], b.Device.Ptr, u.stream); err != nil {
		return err
	}
	if err := u.thread.Record(u.copied, u.stream); err != nil {
		return err
	}
	u.pending = &u.run.batches[b.Seq]
	return b.ReleaseAfter(u.thread, u.stream)
}

// await compares what the copy out of a batch has brought.
func (u *consumer) await() error {
	if u.pending == nil {
		return nil
	}
	want := *u.pending
	u.pending = nil
	if err := u.thread.Synchronize(u.copied); err != nil {
		return err
	}
	if err := u.compare(u.late, want); err != nil {
		return fmt.Errorf("a copy before the batch was let go: %w", err)
	}
	return nil
}

// cursor is where the feed stands, in JSON.
func (u *consumer) cursor() ([]byte, error) {
	c, err := u.feed.Cursor()
	if err != nil {
		return nil, err
	}
	file, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	want := u.run.start
	if u.n > 0 {
		want = u.run.batches[u.n-1].cursor
	}
	var got naiveCursor
	if err := json.Unmarshal(file, &got); err != nil || !reflect.DeepEqual(got, want) {
		return nil, fmt.Errorf("cursor %s, %v, want %+v", file, err, want)
	}
	return file, nil
}

// end lets go of all batches, compares the digests and returns the cursor.
func (u *consumer) end() ([]byte, error) {
	for len(u.held) > 0 {
		if err := u.release(false); err != nil {
			return nil, err
		}
	}
	if err := u.await(); err != nil {
		return nil, err
	}
	want := u.set.digests(u.config, u.run.batches[:u.n])
	if len(want) != len(u.digests) {
		return nil, fmt.Errorf("%d epochs, want %d", len(u.digests), len(want))
	}
	for epoch, d := range want {
		if got := u.digests[epoch].Digest(); got != d {
			return nil, fmt.Errorf("digest of epoch %d = %v, want %v", epoch, got, d)
		}
	}
	cursor, err := u.cursor()
	if err != nil {
		return nil, err
	}
	var errs []error
	if u.thread != nil { // the thread that was bound last leaves first
		errs = append(errs, u.thread.Unpin(u.late), u.thread.CloseEvent(u.copied), u.thread.CloseStream(u.stream))
		u.thread.Leave()
		errs = append(errs, u.gpu.Close())
	}
	return cursor, errors.Join(append(errs, u.fetcher.Close())...)
}
