package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"

	"voxpack/bench/program"
)

// outcome is one run of the program.
type outcome struct {
	program.Usage
	report report
}

// report is what the checks need of build --json.
type report struct {
	Rows struct {
		Kept, Rejected int
	}
	Shards struct {
		Written, Total int
	}
	Stages       map[string]struct{ Run, Hit int }
	BytesWritten int64 `json:"bytes_written"`
}

// ran is how many rows ran in all stages together.
func (r report) ran() int {
	n := 0
	for _, s := range r.Stages {
		n += s.Run
	}
	return n
}

// build runs voxpack build over a dataset, with further flags.
func build(ctx context.Context, voxpack, dataset string, flags ...string) (o outcome, err error) {
	var stdout []byte
	o.Usage, stdout, err = program.Measure(exec.CommandContext(ctx, voxpack, append([]string{"build", "-q", "--json", dataset}, flags...)...))
	if err != nil {
		return o, err
	}
	if err := json.Unmarshal(stdout, &o.report); err != nil {
		return o, fmt.Errorf("build --json: %w", err)
	}
	return o, nil
}
