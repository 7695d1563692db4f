package feedrun

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/internal/atomicfile"
	"voxpack/internal/perf"
)

// print writes the report where it belongs: stdout, or stderr where stdout has
// the ids.
func (r *run) print(f *Report) error {
	to := r.stdout
	if r.options.ids == "-" {
		to = r.said.out
	}
	return term.Buffered(to, func(w *bufio.Writer) error {
		if r.options.json {
			return term.PrintJSON(w, f)
		}
		f.page(w, r)
		return nil
	})
}

// page is the report for people.
func (f *Report) page(w io.Writer, r *run) {
	field := term.Fields(w, 9)
	ended := ""
	if f.Ended != "done" {
		ended = ", " + f.Ended
	}
	field("fed", "%s in %s, %s, %s%s", term.Count(f.Samples, "sample"), batchCount(f.Batches), term.Count(f.Epochs, "epoch"), seconds(f.Seconds), ended)
	field("dataset", "%s", f.Dataset)
	if f.Batches > 0 {
		f.speed(field, r)
	}
	for i, d := range f.Devices {
		field(term.First(i, "device"), "GPU %d (%s), %s: %s", d.GPU, d.Role, d.Name, d.used())
	}
	// Batches stayed in host memory.
	if len(f.Devices) == 0 {
		field("device", "host")
	}
	if f.Cache.Size > 0 {
		field("cache", "%s of %s in use on GPU %d", term.Size(int64(f.Cache.Bytes)), term.Size(int64(f.Cache.Size)), f.Devices[0].GPU)
	}
	if f.Corrupt.Deliveries > 0 {
		field("corrupt", "%s", corruptText(f.Corrupt))
	}
	if f.Corrupt.Mended > 0 {
		field("mended", "%s", term.Count(f.Corrupt.Mended, "shard"))
	}
	for i, digest := range f.Digests {
		field(term.First(i, "digest"), "epoch %d  %s", int(r.firstEpoch())+i, digest)
	}
	if c := f.Cursor; c != nil {
		where := ""
		switch {
		case r.saved:
			where = ", saved to " + r.options.saveCursor
		case r.options.saveCursor != "":
			where = ", not saved"
		}
		field("cursor", "epoch %d, %s in%s", c.Epoch, term.Count(c.Samples, "sample"), where)
	}
	term.Verdicts(field, f.news(r))
}

// mostFindings is how many findings a page has.
const mostFindings = 3

// news are the first findings by gain that nobody was told of while the run went on.
func (f *Report) news(r *run) (list []diagnosis.Verdict) {
	for _, v := range f.Findings {
		if !r.said.told(v.Rule) && len(list) < mostFindings {
			list = append(list, v)
		}
	}
	return list
}

// speed is what was measured.
func (f *Report) speed(field func(string, string, ...any), r *run) {
	rate := fmt.Sprintf("%s, %s/s", perSecond(f.SamplesPerSecond, "sample"), term.Size(int64(f.BytesPerSecond)))
	if f.Memcpy > 0 {
		rate += fmt.Sprintf("; one core copies %s/s, this is %.2f of it", term.Size(int64(f.Memcpy)), f.BytesPerSecond/f.Memcpy)
	}
	field("speed", "%s", rate)
	field("start", "first batch %.0f ms after the start of the process", 1000*f.FirstBatch)
	if s := f.Step; s.Mean > 0 {
		field("step", "mean %s, std %s, p50 %s, p99 %s, variation %.1f %%", term.Milliseconds(s.Mean), term.Milliseconds(s.Std), term.Milliseconds(s.P50), term.Milliseconds(s.P99), s.Variation)
		field("stall", "p50 %s, p99 %s, %.1f %% of the time", term.Milliseconds(f.Stall.P50), term.Milliseconds(f.Stall.P99), 100*f.Stall.Fraction)
	}
	field("ring", "%d ahead; grown by %d, shrunk by %d", f.Ring.Depth, f.Ring.Grown, f.Ring.Shrunk)
	// The last stage is the consumer.
	for i, s := range f.Stages {
		field(term.First(i, "stages"), "%s", stageLine(s, i < len(f.Stages)-1))
	}
	if n := f.Narrowest; n != nil && len(f.Stages) > 1 {
		field("narrowest", "%s: works %.0f %% of its time, the others wait on it %.0f %% of theirs", n.Stage, 100*n.Busy, 100*n.Others)
	}
}

// stageLine is "fill           works 71 %, waits 0 % for input, 29 % for room; p50 0.41 ms, …".
// Only a stage that moves bytes has a rate: the consumer looks at none.
func stageLine(s perf.StageSummary, moves bool) string {
	in, work, out := shares(s)
	line := fmt.Sprintf("%-15s works %3.0f %%, waits %3.0f %% for input, %3.0f %% for room", s.Name, 100*work, 100*in, 100*out)
	if s.Work.TotalMS > 0 {
		line += fmt.Sprintf("; p50 %s, p99 %s a batch", term.Milliseconds(s.Work.P50MS), term.Milliseconds(s.Work.P99MS))
	}
	if moves && s.Work.TotalMS > 0 {
		line += fmt.Sprintf(", %s/s", term.Size(int64(float64(s.Bytes)/s.Work.TotalMS*1000)))
	}
	return line
}

// shares are the parts of a stage's time, 0 to 1.
func shares(s perf.StageSummary) (in, work, out float64) {
	total := s.WaitIn.TotalMS + s.Work.TotalMS + s.WaitOut.TotalMS
	if total == 0 {
		return 0, 0, 0
	}
	return s.WaitIn.TotalMS / total, s.Work.TotalMS / total, s.WaitOut.TotalMS / total
}

// used is how a GPU was used, as far as it is known.
func (d DeviceFigures) used() string {
	parts := []string{fmt.Sprintf("%s taken by the feed", term.Size(int64(d.TakenMB*1e6)))}
	if d.MemoryMB != nil {
		parts = append(parts, fmt.Sprintf("%s in use at most", term.Size(int64(*d.MemoryMB*1e6))))
	}
	if d.Utilisation != nil {
		parts = append(parts, fmt.Sprintf("busy %.0f %%", *d.Utilisation))
	}
	return strings.Join(parts, ", ")
}

// corruptText is "3 deliveries of 1 row left out: a".
func corruptText(c corruptFigures) string {
	var names []string
	for _, id := range c.IDs {
		if id == "" {
			id = "(id unreadable)"
		}
		names = append(names, id)
	}
	if c.Rows > len(names) {
		names = append(names, "…")
	}
	return fmt.Sprintf("%s of %s left out: %s", deliveries(c.Deliveries), term.Count(c.Rows, "row"), strings.Join(names, ", "))
}

func deliveries(n int64) string {
	if n == 1 {
		return "1 delivery"
	}
	return term.Commas(n) + " deliveries"
}

// seconds is a time for a person.
func seconds(s float64) string { return term.Duration(time.Duration(s * float64(time.Second))) }

func batchCount(n int64) string {
	if n == 1 {
		return "1 batch"
	}
	return term.Commas(n) + " batches"
}

// WriteTrace replaces the file of --trace.
func WriteTrace(path string, t *perf.Trace) error {
	err := atomicfile.Replace(path, func(f *os.File) error {
		_, err := t.WriteTo(f)
		return err
	})
	if err != nil {
		return fmt.Errorf("--trace: %w", err)
	}
	return nil
}
