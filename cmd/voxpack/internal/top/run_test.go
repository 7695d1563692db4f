package top

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/term"
)

// options are flags as the command line has them.
func options(t *testing.T, args ...string) *Options {
	t.Helper()
	o := &Options{}
	f := pflag.NewFlagSet("top", pflag.ContinueOnError)
	o.AddFlags(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestFlagsThatCannotBe are refused in words.
func TestFlagsThatCannotBe(t *testing.T) {
	for args, want := range map[string]string{
		"":                                    "",
		"--plain --count 3":                   "",
		"--json --interval 100ms":             "",
		"--prometheus 127.0.0.1:0":            "",
		"--plain --json":                      "--plain and --json: give one of them",
		"--json --prometheus localhost:9464":  "--json and --prometheus: give one of them",
		"--interval 99ms":                     "--interval 99ms: want 100ms or more",
		"--count -1":                          "--count -1: want 0 or more",
		"--prometheus 0.0.0.0:9464":           "metrics are served on loopback only, as in 127.0.0.1:9464",
		"--prometheus 127.0.0.1":              "want HOST:PORT, as in 127.0.0.1:9464",
		"--plain --json --prometheus [::]:80": "--plain and --json and --prometheus: give one of them",
	} {
		err := options(t, strings.Fields(args)...).check()
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", args, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, new(term.Usage))):
			t.Errorf("%q: %v, want a mistake in usage: %s", args, err, want)
		}
	}
}

// TestEndsAfterItsCount: so many looks are taken, and each is printed.
func TestEndsAfterItsCount(t *testing.T) {
	for _, way := range []string{"--plain", "--json"} {
		looks := 0
		look := func(context.Context) Look { looks++; return lookAt(looks, 2) }
		var out bytes.Buffer
		o := options(t, way, "--count", "2", "--interval", "100ms")
		if err := o.show(context.Background(), look, strings.NewReader(""), &out); err != nil {
			t.Fatal(err)
		}
		if looks != 2 {
			t.Errorf("%s: %d looks, want 2", way, looks)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if way == "--plain" {
			if len(lines) != 4 || !strings.HasPrefix(lines[2], "14:03:02") {
				t.Errorf("%s:\n%s", way, &out)
			}
			continue
		}
		if len(lines) != 2 {
			t.Fatalf("%s: %d lines, want 2:\n%s", way, len(lines), &out)
		}
		var l Look
		if err := json.Unmarshal([]byte(lines[1]), &l); err != nil || len(l.Feeders[0].Consumers) != 2 || !l.At.Equal(lookAt(2, 2).At) {
			t.Errorf("%s: %v: %s", way, err, lines[1])
		}
	}
}

// TestGoesOnUntilItIsInterrupted: in each way, and what was seen before is printed.
func TestGoesOnUntilItIsInterrupted(t *testing.T) {
	for _, way := range []string{"--plain", "--json", "--prometheus=127.0.0.1:0"} {
		ctx, cancel := context.WithCancel(context.Background())
		looks := 0
		look := func(context.Context) Look { looks++; cancel(); return lookAt(looks, 1) }
		if strings.HasPrefix(way, "--prometheus") {
			cancel()
		}
		var out bytes.Buffer
		if err := options(t, way).show(ctx, look, strings.NewReader(""), &out); !errors.Is(err, term.ErrInterrupted) {
			t.Errorf("%s: %v, want %v", way, err, term.ErrInterrupted)
		}
		cancel()
	}
}
