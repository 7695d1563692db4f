package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"voxpack/internal/corpustest"
)

// tmux is a terminal in which a shell runs.
type tmux struct {
	t      *testing.T
	socket string
}

// newTmux starts a shell in a terminal of so many columns.
func newTmux(t *testing.T, columns int, environment ...string) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("NOTICE: no tmux: the screen of voxpack top was not driven in a terminal")
	}
	dir, err := os.MkdirTemp("", "vp") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	x := &tmux{t, filepath.Join(dir, "t")}
	cmd := exec.Command("tmux", "-S", x.socket, "-f", os.DevNull, "-u", "new-session", "-d", "-x", strconv.Itoa(columns), "-y", "24", "sh")
	cmd.Env = append(os.Environ(), append(environment, "TMUX=", "ENV=", "LC_ALL=C.UTF-8", "TERM=screen-256color", "NO_COLOR=")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v: %s", err, out)
	}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", x.socket, "kill-server").Run()
		os.RemoveAll(dir)
	})
	x.shows(`^[$#]`)
	return x
}

func (x *tmux) run(args ...string) string {
	x.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", x.socket}, args...)...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %v: %v: %s", args, err, out)
	}
	return string(out)
}

// types sends keys; a line ends with Enter.
func (x *tmux) types(keys ...string) { x.run(append([]string{"send-keys"}, keys...)...) }

// shows waits until lines of the screen match, and gives the screen.
func (x *tmux) shows(lines ...string) string {
	x.t.Helper()
	screen := ""
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		screen = x.run("capture-pane", "-p")
		missing := false
		for _, l := range lines {
			missing = missing || !regexp.MustCompile("(?m)"+l).MatchString(screen)
		}
		if !missing {
			return screen
		}
	}
	x.t.Fatalf("the terminal never showed %q:\n%s", lines, screen)
	return ""
}

// given holds the terminal to its state after the program's end: the shell's own
// screen, its cursor, and the treatment of what is typed.
func (x *tmux) given() {
	x.t.Helper()
	if state := x.run("display-message", "-p", "#{alternate_on} #{cursor_flag}"); state != "0 1\n" {
		x.t.Errorf("alternate screen and cursor are %q, want 0 1", state)
	}
	x.types("clear; stty -a | tr ' ' '\\n' | grep -c -x -E 'icanon|echo|isig'", "Enter")
	x.shows(`^3$`)
}

// TestTopInATerminal: the full screen at 60 and at 200 columns, against a real feeder
// and a consumer: what it shows, its keys, the end of the consumer and of the feeder,
// and the terminal after q, Ctrl-C and SIGTERM.
func TestTopInATerminal(t *testing.T) {
	t.Parallel()
	for columns, head := range map[int]string{
		60:  `^    # process          samples/s      step    stall   P R T$`,
		200: `^    # process         dataset         rank  batch     batches  samples/s        data      step       p99    stall   P R T   lies on  findings$`,
	} {
		t.Run(strconv.Itoa(columns), func(t *testing.T) {
			t.Parallel()
			if testing.Short() && columns > 60 {
				t.Skip("make test runs it")
			}
			dir := t.TempDir()
			set := filepath.Join(dir, "en")
			if err := os.CopyFS(set, corpustest.Files(filepath.Join("..", "..", "testdata", "corpus", "en"))); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("voxpack", "build", set, "-q").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			x := newTmux(t, columns, "XDG_RUNTIME_DIR="+dir)
			socket := filepath.Join(filepath.Dir(x.socket), "f") // shorter than those of t.TempDir can be
			feeder := begun(t, "voxpack", "serve", set, "--socket", socket, "--batch-size", "2", "--linger", "10m", "-q")
			x.types("clear; until voxpack top "+socket+"; do sleep 0.05; done; echo code $?", "Enter")
			x.shows(`^feeder \d+ serves [0-9a-f]{12}: nobody takes batches$`, `^q quit`)
			begun(t, "consume", socket, "5ms", "0")
			x.shows(`^>   1 \d+ consume `)
			second := begun(t, "consume", socket, "5ms", "0")
			x.shows(head, `^>   1 \d+ consume .* ms .* % `, `^    2 \d+ consume .* ms .* % `, `^consumer 1: \d+ consume, rank 0 of 1, [\d,]+ batches`,
				`^samples/s .*[▁▂▃▄▅▆▇█] +\d`, `^step .* ms  p99 .* ms`, `^stall .* %`, `^ring +[▒█▓·]+ +P \d  R \d  T \d of \d`, `fill +[\d.]+ %`, `trainer +[\d.]+ %`)
			x.types("2")
			x.shows(`^>   2 `, `^consumer 2: `)
			x.types("?")
			x.shows(`^q +quit$`)
			x.types("?")
			x.types("p")
			x.shows(`paused at \d\d:\d\d:\d\d$`)
			x.types("p")
			ends(t, second, syscall.SIGKILL)
			x.shows(`^>   2 \d+ consume .*ended`)
			ends(t, feeder, syscall.SIGKILL)
			x.shows(`it has ended`)
			feeder = begun(t, "voxpack", "serve", set, "--socket", socket, "--linger", "10m", "-q")
			x.shows(`^feeder ` + strconv.Itoa(feeder.Process.Pid) + ` serves`)
			x.types("q")
			x.shows(`^code 0$`)
			x.given()
			x.types("clear; voxpack top "+socket+"; echo code $?", "Enter")
			x.shows(`^feeder \d+ serves`)
			x.types("C-c")
			x.shows(`^voxpack: interrupted$`, `^code 130$`)
			x.given()
			x.types("clear; voxpack top "+socket+" & echo $! >"+filepath.Join(dir, "pid")+"; fg; echo code $?", "Enter")
			x.shows(`^feeder \d+ serves`)
			pid, err := os.ReadFile(filepath.Join(dir, "pid"))
			if err != nil {
				t.Fatal(err)
			}
			number, err := strconv.Atoi(strings.TrimSpace(string(pid)))
			if err == nil {
				err = syscall.Kill(number, syscall.SIGTERM)
			}
			if err != nil {
				t.Fatal(err)
			}
			x.shows(`^voxpack: interrupted$`, `^code 130$`)
			x.given()
		})
	}
}

// begun is a program that runs until it is ended, or the test is.
func begun(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd
}

// ends ends a program.
func ends(t *testing.T, cmd *exec.Cmd, how os.Signal) {
	t.Helper()
	if err := cmd.Process.Signal(how); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
}
