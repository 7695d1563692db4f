package compiler

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// buildChild is this binary again, as a process that builds and can be killed.
func buildChild(o Options) *exec.Cmd {
	o.Progress, o.Now, o.Spans = nil, nil, nil
	order, err := json.Marshal(childOrder{o.Dataset, o.Store, o.Config, o.Workers, o.RenumberSpeakers})
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestBuildChild$")
	cmd.Env = append(os.Environ(), "VOXPACK_BUILD_CHILD="+string(order))
	return cmd
}

// childOrder is the part of Options that can be told to another process.
type childOrder struct {
	Dataset, Store   string
	Config           Config
	Workers          int
	RenumberSpeakers bool
}

// TestBuildChild is not a test: it is the process of buildChild.
func TestBuildChild(t *testing.T) {
	text := os.Getenv("VOXPACK_BUILD_CHILD")
	if text == "" {
		t.Skip("runs as a child of other tests only")
	}
	var c childOrder
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	r, err := Build(context.Background(), Options{Dataset: c.Dataset, Store: c.Store, Config: c.Config, Workers: c.Workers, RenumberSpeakers: c.RenumberSpeakers})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("root", r.Dataset)
}
