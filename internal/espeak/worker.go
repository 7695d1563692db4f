package espeak

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

const (
	// mark is a line of phonemes that every voice has, by espeak-ng's own notation
	// for them, and marked is what it says of it. No clause can hold it, since
	// brackets are punctuation, and no language has such a word. It costs nothing that can be measured.
	mark   = "[[ptktptkt]]"
	marked = "ptktptkt"

	maxAnswer = 64 << 10 // bytes; a clause of maxLine bytes gives some 2,000
)

// errSilent says that a worker ended or said what it should not. Another may do better.
var errSilent = errors.New("it ended")

// A worker is a running espeak-ng.
type worker struct {
	voice string
	cmd   *exec.Cmd
	in    *os.File
	out   *os.File
	read  *bufio.Reader
}

// arguments make it say phonemes, line by line. It makes the sound all the same and
// throws it away, which is nearly all that it does: the highest speed, below
// the one from which it makes sound twice, and the highest pitch cost a third of the time of the
// defaults. What it says does not depend on them; a test compares.
func arguments(voice string) []string {
	return []string{"-q", "--ipa", "-b", "1", "-v", voice, "-s", "449", "-p", "99", "-g", "0", "-a", "0", "-z"}
}

// start runs a worker and waits until it answers.
func (t Tool) start(ctx context.Context, voice string, limit time.Duration) (*worker, error) {
	w := &worker{voice: voice, cmd: exec.Command(t.Path, arguments(voice)...)}
	w.cmd.Env, w.cmd.SysProcAttr = environment, apart()
	if err := w.run(); err != nil {
		return nil, err
	}
	if said, err := w.ask(ctx, "", limit); err != nil || said != "" {
		w.end()
		if err == nil {
			err = fmt.Errorf("it says %.60q of nothing", said)
		}
		return nil, err
	}
	return w, nil
}

// run starts the process. Its ends of the pipes are its alone from then on, so
// that its end is seen.
func (w *worker) run() error {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return err
	}
	defer theirIn.Close()
	out, theirOut, err := os.Pipe()
	if err != nil {
		in.Close()
		return err
	}
	defer theirOut.Close()
	w.in, w.out, w.read = in, out, bufio.NewReader(out)
	w.cmd.Stdin, w.cmd.Stdout = theirIn, theirOut
	if err := w.cmd.Start(); err != nil {
		in.Close()
		out.Close()
		return err
	}
	return nil
}

// ask has one line answered: all that comes up to the mark. After an error the
// worker is of no use any more.
func (w *worker) ask(ctx context.Context, line string, limit time.Duration) (string, error) {
	if err := w.out.SetDeadline(time.Now().Add(limit)); err != nil {
		return "", err
	}
	stop := context.AfterFunc(ctx, func() { w.out.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	request := mark + "\n"
	if line != "" {
		request = line + "\n" + request
	}
	// It fits into the pipe, which is empty: every line before was answered.
	if _, err := w.in.WriteString(request); err != nil {
		return "", fmt.Errorf("%w: %w", errSilent, err)
	}
	var said []string
	for size := 0; size < maxAnswer; {
		answer, err := w.read.ReadString('\n')
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case errors.Is(err, os.ErrDeadlineExceeded):
			return "", fmt.Errorf("it was not done after %v", limit)
		case err != nil:
			return "", errSilent
		}
		size += len(answer)
		if answer = strings.TrimSpace(answer); answer == marked {
			return strings.Join(said, " "), nil
		}
		said = append(said, answer)
	}
	return "", fmt.Errorf("it said over %d bytes", maxAnswer)
}

// end stops the process, whatever it is doing, and waits for it.
func (w *worker) end() {
	w.in.Close()
	w.cmd.Process.Kill()
	w.out.Close()
	_ = w.cmd.Wait() // it was killed
}
