package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// farewell is how long a program may take to end by itself after it closed its pipes, or
// its standard input was closed.
const farewell = 5 * time.Second

// process is a running worker.
type process struct {
	c      *Config
	cmd    *exec.Cmd
	in     *os.File
	out    *os.File
	read   *bufio.Reader
	said   *tail
	dead   chan struct{} // closed when the process was waited for
	sees   bool          // it reads samples where they lie
	number uint32        // of the last batch
}

// start runs the program and waits until it is ready. m is what it may see, or nil.
func start(ctx context.Context, c *Config, m *seen) (*process, error) {
	p := &process{c: c, cmd: exec.Command(c.Command[0], c.Command[1:]...), dead: make(chan struct{})}
	p.cmd.Dir, p.cmd.SysProcAttr, p.cmd.Env = c.Dir, apart(), environment()
	if err := p.run(); err != nil {
		return nil, &Fault{Column: c.Column, Reason: fmt.Sprintf("its program cannot be run: %v", err)}
	}
	free := p.arm(ctx, nil)
	defer free()
	h := hello{Protocol, c.Column, c.Version, c.DType.String(), c.Shape, c.Shorter, c.Rate, c.Batch, m}
	err := writeHello(p.in, h)
	var a *answer
	if err == nil {
		a, err = readAnswer(p.read, 0)
	} else if first, early := readAnswer(p.read, 0); early == nil { // it may have said why it left
		a, err = first, nil
	}
	var reason string
	switch {
	case err != nil:
		reason = "its program " + p.cause(ctx, err).reason
	case a.kind == kindFault:
		reason = "its program cannot work: " + a.text
	case a.kind != kindReady:
		reason = fmt.Sprintf("its program broke the protocol: its first frame is of kind %d", a.kind)
	case a.ready.Protocol != Protocol:
		reason = fmt.Sprintf("its program speaks protocol %d, this voxpack %d; install the voxpack package of the same version", a.ready.Protocol, Protocol)
	case a.ready.Version != "" && a.ready.Version != c.Version:
		reason = fmt.Sprintf("its program says that it is version %q, the config says %q; write the program's into version: once its values are wanted", a.ready.Version, c.Version)
	default:
		p.sees = a.ready.Memory && m != nil
		return p, nil
	}
	p.kill()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, &Fault{Column: c.Column, Reason: reason, Said: p.said.text()}
}

// run starts the process. Its ends of the pipes are its alone from then on, so
// that its end is seen.
func (p *process) run() error {
	var ends [3][2]*os.File
	for i := range ends {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(ends)
			return err
		}
		ends[i] = [2]*os.File{r, w}
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = ends[0][0], ends[1][1], ends[2][1]
	if err := p.cmd.Start(); err != nil {
		closeAll(ends)
		return err
	}
	for _, theirs := range []*os.File{ends[0][0], ends[1][1], ends[2][1]} {
		theirs.Close()
	}
	p.in, p.out, p.said = ends[0][1], ends[1][0], newTail(ends[2][0])
	p.read = bufio.NewReaderSize(p.out, 64<<10)
	go func() {
		_ = p.cmd.Wait() // ProcessState has how it ended
		close(p.dead)
	}()
	return nil
}

// environment is the caller's, and has libraries of numbers compute with one thread where it does not say: the sums
// of several threads may differ in their last bits, and programs run side by side.
func environment() []string {
	env := append([]string{"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1"}, os.Environ()...)
	return append(env, EnvWorker+"=1")
}

func closeAll(ends [3][2]*os.File) {
	for _, pair := range ends {
		for _, f := range pair {
			if f != nil {
				f.Close()
			}
		}
	}
}

// arm gives reads and writes a deadline, and an end with ctx.
func (p *process) arm(ctx context.Context, rows []*Row) (free func() bool) {
	limit := p.c.Limit
	if p.c.limitOf != nil {
		limit = p.c.limitOf(rows)
	}
	at := time.Now().Add(limit)
	p.out.SetReadDeadline(at)
	p.in.SetWriteDeadline(at)
	return context.AfterFunc(ctx, func() {
		p.out.SetReadDeadline(time.Unix(1, 0))
		p.in.SetWriteDeadline(time.Unix(1, 0))
	})
}

// end is how a worker came to be of no use.
type end struct {
	cause   Cause
	reason  string // begins with a verb: the worker …
	machine bool   // neither the program nor a row is to blame
	said    string // the last lines of its standard error
}

// ask has a batch answered; nil stands for a row that was not. After an end the process is of no
// use any more, and is no more. The memory of rows is not read after the return.
func (p *process) ask(ctx context.Context, rows []*Row) ([]*answer, *end) {
	free := p.arm(ctx, rows)
	defer free()
	p.number++
	written := make(chan error, 1)
	go func() { written <- writeBatch(p.in, p.number, rows, p.sees) }()
	list, err := p.answers(len(rows))
	if err != nil {
		e := p.cause(ctx, err)
		p.kill()
		<-written // its reader is gone
		e.said = p.said.text()
		return list, e
	}
	if err := <-written; err != nil { // all was answered: it does not want to read the rest
		p.kill()
		return make([]*answer, len(rows)), &end{cause: Stray, reason: "answered rows that it had not read"}
	}
	return list, nil
}

// errFault is a fault that the program names itself.
type errFault string

func (e errFault) Error() string { return string(e) }

func (p *process) answers(rows int) ([]*answer, error) {
	list := make([]*answer, rows)
	for range rows {
		a, err := readAnswer(p.read, p.c.arrayBytes())
		switch {
		case err != nil:
			return list, err
		case a.kind == kindFault:
			return list, errFault(a.text)
		case a.kind != kindResult:
			return list, stray("a frame of kind %d", a.kind)
		case a.batch != p.number:
			return list, stray("a result of batch %d, asked for %d", a.batch, p.number)
		case uint64(a.row) >= uint64(rows) || list[a.row] != nil:
			return list, stray("a result of row %d of %d, or its second one", a.row, rows)
		}
		list[a.row] = a
	}
	return list, nil
}

// cause says what became of the program after an error of its pipes.
func (p *process) cause(ctx context.Context, err error) *end {
	var fault errFault
	switch {
	case ctx.Err() != nil:
		return &end{cause: Ended, reason: "was interrupted", machine: true}
	case errors.As(err, &fault):
		return &end{cause: Ended, reason: "cannot work: " + string(fault), machine: true}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &end{cause: Hung, reason: fmt.Sprintf("was not done after %v (timeout)", p.c.Limit)}
	case errors.Is(err, errStray):
		return &end{cause: Stray, reason: "misbehaved: " + err.Error()}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.EPIPE):
		return p.ended()
	default:
		return &end{cause: Ended, reason: err.Error(), machine: true}
	}
}

// ended is how a program ended that closed its standard output. A kill that is not ours is the system's,
// mostly for want of memory, or a person's: it says nothing of a row.
func (p *process) ended() *end {
	select {
	case <-p.dead:
	case <-time.After(farewell):
		return &end{cause: Ended, reason: "closed its standard output"}
	}
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	switch {
	case ok && status.Signaled() && (status.Signal() == syscall.SIGKILL || status.Signal() == syscall.SIGTERM):
		return &end{cause: Ended, reason: fmt.Sprintf("was ended from outside (%v), most likely for want of memory; give it smaller batches or fewer workers", status.Signal()), machine: true}
	case ok && status.Signaled():
		return &end{cause: Ended, reason: fmt.Sprintf("crashed (%v)", status.Signal())}
	default:
		return &end{cause: Ended, reason: fmt.Sprintf("ended with exit status %d", p.cmd.ProcessState.ExitCode())}
	}
}

// quit lets a program end that has nothing to do.
func (p *process) quit() {
	p.in.Close()
	select {
	case <-p.dead:
	case <-time.After(farewell):
	}
	p.kill()
}

// kill ends the process, whatever it is doing, and its group.
func (p *process) kill() {
	killGroup(p.cmd.Process.Pid)
	<-p.dead
	p.in.Close()
	p.out.Close()
	p.said.end()
}
