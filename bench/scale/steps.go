package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"

	"voxpack/bench/program"
)

// step is one process that is measured.
type step struct {
	name string
	edit func(c *corpus) error // nil: nothing was edited
	args func(c *corpus) []string
	want func(n int) counts // what a build's report has to say; nil: no build

	// Limits; 0: none. A row's share is that of the rows that the corpus has.
	bytes, rowBytes int64
	cpu             float64 // seconds for a million rows; the first 0.2 are free
	wall            time.Duration
}

// counts are what a build did.
type counts struct{ text, audio, shards int }

const mb = 1_000_000

func build(c *corpus) []string { return []string{"build", "-q", "--json", c.dir} }

var steps = []step{
	{name: "first build", args: build, want: func(n int) counts { return counts{n, n, -1} }, bytes: 200 * mb, rowBytes: 500},
	{name: "no-op", args: build, want: func(int) counts { return counts{} }, bytes: 200 * mb, rowBytes: 100, cpu: 4},
	{name: "one text edited", edit: func(c *corpus) error { return c.editText(len(c.lines) / 3) }, args: build,
		want: func(int) counts { return counts{1, 0, 1} }, bytes: 200 * mb, rowBytes: 100, cpu: 4},
	{name: "one clip edited", edit: func(c *corpus) error { return c.editClip(len(c.lines) / 2) }, args: build,
		want: func(int) counts { return counts{0, 1, 1} }, bytes: 200 * mb, rowBytes: 100, cpu: 4},
	{name: "1 % appended", edit: func(c *corpus) error { return c.grow(len(c.lines) / 100) }, args: build,
		want: func(n int) counts { return counts{n - n*100/101, n - n*100/101, -1} }, bytes: 200 * mb, rowBytes: 500},
	{name: "feed, one epoch", args: func(c *corpus) []string {
		return []string{"feed", "--json", "--batch-size", "256", "--tail", "pad", "--device", "host", c.dir}
	},
		bytes: 100 * mb, rowBytes: 64},
	{name: "show ID", args: func(c *corpus) []string { return []string{"show", c.dir, id(len(c.lines) / 2)} },
		bytes: 50 * mb, wall: 100 * time.Millisecond},
	{name: "verify", args: func(c *corpus) []string { return []string{"verify", c.dir} }, bytes: 100 * mb, rowBytes: 64},
}

// report is what the checks need of build --json.
type report struct {
	Rows         struct{ Kept, Rejected int }
	Shards       struct{ Written, Total int }
	Stages       map[string]struct{ Run, Hit int }
	BytesWritten int64 `json:"bytes_written"`
}

// check compares a report with what had to be done.
func (r *report) check(want counts, rows int) error {
	if r.Rows.Kept != rows || r.Rows.Rejected != 0 {
		return fmt.Errorf("%d rows kept and %d rejected, want %d and none", r.Rows.Kept, r.Rows.Rejected, rows)
	}
	got := counts{r.Stages["text"].Run, r.Stages["audio"].Run, r.Shards.Written}
	if want.shards < 0 {
		want.shards = got.shards
	}
	if got != want {
		return fmt.Errorf("text ran for %d rows, audio for %d, %d shards were written; want %d, %d, %d",
			got.text, got.audio, got.shards, want.text, want.audio, want.shards)
	}
	return nil
}

// measure takes all steps and prints a line for each.
func measure(ctx context.Context, voxpack string, c *corpus, stdout io.Writer) error {
	fmt.Fprintf(stdout, "| %d rows | wall s | CPU s | limit | | RssAnon MB | bytes a row | limit MB | | VmHWM MB | written MB |\n|---|---|---|---|---|---|---|---|---|---|---|\n", len(c.lines))
	for _, s := range steps {
		if s.edit != nil {
			if err := s.edit(c); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
		syscall.Sync()
		time.Sleep(50 * time.Millisecond) // stamps age, as they do under a person's hands
		u, out, err := program.Measure(exec.CommandContext(ctx, voxpack, s.args(c)...))
		var r report
		if err == nil && s.want != nil {
			if err = json.Unmarshal(out, &r); err == nil {
				err = r.check(s.want(len(c.lines)), len(c.lines))
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		s.print(stdout, u, len(c.lines), r.BytesWritten)
	}
	return nil
}

// print writes a line of the table.
func (s *step) print(w io.Writer, u program.Usage, rows int, written int64) {
	cpuLimit, timely := "–", ""
	if s.cpu > 0 {
		limit := 0.2 + s.cpu*float64(rows)/1e6
		cpuLimit, timely = fmt.Sprintf("%.1f CPU", limit), program.Verdict(u.CPU.Seconds() < limit)
	} else if s.wall > 0 {
		cpuLimit, timely = fmt.Sprintf("%.1f wall", s.wall.Seconds()), program.Verdict(u.Wall < s.wall)
	}
	limit := s.bytes + s.rowBytes*int64(rows)
	fmt.Fprintf(w, "| %s | %.2f | %.2f | %s | %s | %.0f | %.0f | %.0f | %s | %.0f | %.2f |\n", s.name, u.Wall.Seconds(), u.CPU.Seconds(), cpuLimit, timely,
		float64(u.Anon)/mb, float64(u.Anon)/float64(rows), float64(limit)/mb, program.Verdict(u.Anon < limit), float64(u.High)/mb, float64(written)/mb)
}
