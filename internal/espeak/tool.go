package espeak

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// ErrMissing says that no espeak-ng is installed.
var ErrMissing = errors.New("espeak-ng is not installed")

// version is that of our way to call it and of the table of voices.
const version = "espeak/1"

// A Tool is an installed espeak-ng.
type Tool struct {
	Path    string
	Version string                          // as it names itself: "1.51"
	voices  func() (map[string]bool, error) // asked once, when a text wants one
}

// environment is all that it sees of ours: a user's settings must not change
// what it says.
var environment = []string{"LC_ALL=C.UTF-8"}

// Find looks for espeak-ng in the folders of PATH and asks it for its version.
func Find(ctx context.Context) (Tool, error) {
	path, err := exec.LookPath("espeak-ng")
	if err != nil {
		return Tool{}, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	said, err := ask(ctx, path, "--version")
	if err != nil {
		return Tool{}, err
	}
	name, rest, _ := strings.Cut(said, ":")
	words := strings.Fields(rest)
	if !strings.HasPrefix(strings.ToLower(name), "espeak") || len(words) == 0 {
		return Tool{}, fmt.Errorf("%s --version says %.60q, which is not a version of espeak-ng", path, said)
	}
	t := Tool{Path: path, Version: words[0]}
	t.voices = sync.OnceValues(func() (map[string]bool, error) {
		said, err := ask(context.Background(), path, "--voices") // within its own time
		return voicesOf(said), err
	})
	return t, nil
}

// ask runs it for what it knows of itself.
func ask(ctx context.Context, path, flag string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, flag)
	cmd.Env, cmd.WaitDelay = environment, time.Second
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", path, flag, err)
	}
	return string(out), nil
}

// voicesOf reads the names of languages from the table that --voices prints:
// priority, language, age and gender, name, file.
func voicesOf(table string) map[string]bool {
	voices := map[string]bool{}
	for line := range strings.Lines(table) {
		if words := strings.Fields(line); len(words) > 4 && words[0] != "Pty" {
			voices[words[1]] = true
		}
	}
	return voices
}

// StageVersion is what belongs into the key of what this tool says: our way to
// call it, and its version.
func (t Tool) StageVersion() string { return version + " " + t.Version }
