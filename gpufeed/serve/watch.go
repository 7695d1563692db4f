package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// What a watcher can meet.
var (
	ErrNoFeeder  = errors.New("no feeder runs")
	ErrOldFeeder = errors.New("this version cannot watch the feeder")
	ErrGone      = errors.New("the feeder has ended")
)

// answerWithin is how long a feeder may be silent: its answers take milliseconds.
const answerWithin = 10 * time.Second

// Watcher looks at the sessions of a feeder. It is no consumer: a feeder that
// lingers does not wait for it. It belongs to one goroutine at a time.
type Watcher struct {
	// FromNow leaves out what was before the first look at a session, but for the last
	// steps (fewSteps): the 10,000 that are kept are two megabytes of answer.
	FromNow bool

	conn    net.Conn
	welcome Welcome
	logs    map[int]StepLog // of the last look, by session
}

// Look is what a feeder does at one time.
type Look struct {
	Feeder
	Dataset  *Dataset // what is served
	Sessions []Seen   // by id
}

// Seen is a session with what its consumer noted.
type Seen struct {
	Session
	Log StepLog // the last steps
}

// Watch connects to a feeder by its address. The error is ErrNoFeeder where nobody
// answers there.
func Watch(ctx context.Context, address string) (*Watcher, error) {
	conn, err := (&net.Dialer{Timeout: answerWithin}).DialContext(ctx, "unix", address)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ECONNREFUSED) {
		return nil, fmt.Errorf("%w at %s: start one with voxpack serve, or a trainer that reads the dataset with the Python package", ErrNoFeeder, address)
	}
	if err != nil {
		return nil, fmt.Errorf("socket %s: %w", address, err)
	}
	w := &Watcher{conn: conn}
	if err := w.ask(ctx, map[string]any{"type": "hello", "protocol": Protocol, "client": "watcher"}, "welcome", &w.welcome); err != nil {
		conn.Close()
		return nil, err
	}
	return w, nil
}

// Look asks for all sessions, each with its last steps, at most so many: 0 to
// StepsKept. A session that ends meanwhile is left out.
func (w *Watcher) Look(ctx context.Context, steps int) (*Look, error) {
	var now Sessions
	if err := w.ask(ctx, map[string]any{"type": "sessions"}, "sessions", &now); err != nil {
		return nil, err
	}
	l, logs := &Look{Feeder: now.Feeder, Dataset: &w.welcome.Dataset}, map[int]StepLog{}
	for _, s := range now.Sessions {
		seen := Seen{Session: s}
		if steps > 0 && s.HasSteps {
			log, err := w.steps(ctx, s.ID, steps)
			if errors.As(err, new(refused)) {
				continue
			}
			if err != nil {
				return nil, err
			}
			seen.Log = log
			logs[s.ID] = log
		}
		l.Sessions = append(l.Sessions, seen)
	}
	w.logs = logs
	return l, nil
}

// fewSteps is how many entries a look asks for at least.
const fewSteps = 64

// steps are the last ones of a session. What the look before has is not asked for
// again: of 10,000 steps the feeder would copy two megabytes.
func (w *Watcher) steps(ctx context.Context, id, most int) (StepLog, error) {
	log, known := w.logs[id]
	last := min(most, fewSteps)
	if !w.FromNow && (!known || len(log.Takes) < most && log.Taken > uint64(len(log.Takes))) { // it may have more of the time before
		last = most
	}
	for {
		var now StepsOf
		if err := w.ask(ctx, map[string]any{"type": "steps", "session": id, "last": last}, "steps", &now); err != nil {
			return log, err
		}
		came := max(now.Taken-log.Taken, now.Marked-log.Marked) // huge where the counts went back
		if last == most || came < uint64(last) || w.FromNow && !known {
			return log.and(now.StepLog, most), nil
		}
		last = int(min(uint64(most), came+fewSteps)) // more may come meanwhile
	}
}

// and is a log with what came after it, or was written since: the last entries.
func (l StepLog) and(later StepLog, most int) StepLog {
	takes, marks := l.Takes, l.Marks
	if len(later.Takes) > 0 {
		i, _ := slices.BinarySearchFunc(takes, later.Takes[0].Number, func(t Take, n uint64) int { return cmp.Compare(t.Number, n) })
		takes = takes[:i]
	}
	if len(later.Marks) > 0 {
		i, _ := slices.BinarySearchFunc(marks, later.Marks[0].Number, func(m Mark, n uint64) int { return cmp.Compare(m.Number, n) })
		marks = marks[:i]
	}
	takes, marks = slices.Concat(takes, later.Takes), slices.Concat(marks, later.Marks)
	later.Takes, later.Marks = takes[max(0, len(takes)-most):], marks[max(0, len(marks)-most):]
	return later
}

// Close hangs up.
func (w *Watcher) Close() error { return w.conn.Close() }

// refused is what a feeder says to one question: the connection goes on.
type refused struct{ Refusal }

func (r refused) Error() string { return r.Text }

// ask asks one question and reads its answer, of a type.
func (w *Watcher) ask(ctx context.Context, question map[string]any, kind string, answer any) error {
	if err := w.conn.SetDeadline(time.Now().Add(answerWithin)); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = w.conn.SetDeadline(time.Unix(1, 0)) })()
	b, err := encode(question)
	if err != nil {
		return err
	}
	var raw json.RawMessage
	if _, err = w.conn.Write(b); err == nil {
		err = read(w.conn, mostBytes, nil, &raw)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, unix.EPIPE), errors.Is(err, unix.ECONNRESET):
		return ErrGone
	case err != nil:
		return fmt.Errorf("feeder: %w", err)
	}
	var said Refusal
	if err := json.Unmarshal(raw, &said); err != nil {
		return fmt.Errorf("feeder: %w", err)
	}
	switch {
	case said.Type == kind:
		return json.Unmarshal(raw, answer)
	case said.Type != "error":
		return fmt.Errorf("feeder: it answers %q with %q", question["type"], said.Type)
	case said.Of != "":
		return refused{said}
	case said.Kind == "protocol":
		return fmt.Errorf("%w: %s", ErrOldFeeder, said.Text)
	case kind != "welcome" && said.Kind == "request":
		return fmt.Errorf("%w: it is voxpack %s, which knows no such question; end it, and start it again with this version", ErrOldFeeder, w.welcome.Version)
	}
	return fmt.Errorf("feeder: %s", said.Text)
}
