package diagnose

import (
	"fmt"
	"io"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
)

// page is the diagnosis for people, in 60 columns.
func (d *diagnosed) page(w io.Writer) {
	field := term.Fields(w, 9)
	d.machinePage(field)
	if c := d.Config; c != nil {
		lines(field, "config", fmt.Sprintf("%s: %s", term.Quoted(c.Config), c.summary()))
	}
	if d.Store != nil {
		d.Store.page(field)
	}
	for i, r := range d.Runs {
		lines(field, term.First(i, "runs"), r.text())
	}
	d.speedPage(field)
	if d.Live.Feeder != diagnosis.NotKnown {
		d.Live.page(field)
	}
	fmt.Fprintln(w)
	for _, f := range d.Findings {
		f.page(field, d.Config)
	}
	field("result", "%s, %s", term.Count(d.Errors, "error"), term.Count(d.Warnings, "warning"))
	for i, u := range d.Unseen {
		for j, line := range term.Wrapped(string(u.What) + ": " + u.Text) {
			field(term.First(i+j, "unseen"), "%s", line)
		}
	}
}

// machinePage is the machine and its GPUs.
func (d *diagnosed) machinePage(field func(string, string, ...any)) {
	m := d.Machine
	lines(field, "voxpack", strings.TrimPrefix(d.Version, "voxpack ")+", "+m.OS+"/"+m.Arch)
	about := []string{fmt.Sprintf("%s of %d", term.Count(m.Cores, "core"), m.Allowed)}
	if m.CPU != "" {
		about = append(about, m.CPU)
	}
	if m.MemoryBytes > 0 {
		about = append(about, term.Size(m.MemoryBytes))
	}
	if m.Limit > 0 && m.Limit < uint64(m.MemoryBytes) {
		about = append(about, "of which "+term.Size(int64(m.Limit))+" may be used")
	}
	lines(field, "machine", strings.Join(about, ", "))
	if l := d.Live.Load; l != nil {
		lines(field, "", fmt.Sprintf("others use %.0f %% of all cores", l.Others))
	}
	t := d.Devices
	if t == nil {
		return
	}
	driver := "none that answers"
	if t.Driver != "" {
		driver = t.Driver
		if v := t.Version; v > 0 {
			driver += fmt.Sprintf(" %d.%d", v/1000, v%1000/10)
		}
	}
	field("driver", "%s", driver)
	if len(t.GPUs) == 0 {
		field("GPUs", "none is seen")
	}
	for _, g := range t.GPUs {
		text := g.lines()
		for _, now := range d.Live.GPUs {
			if now.GPU == g.GPU {
				text = append(text, now.text())
			}
		}
		for i, line := range text {
			field(term.First(i, fmt.Sprintf("GPU %d", g.GPU)), "%s", line)
		}
	}
	if p := t.Best; p != nil && len(t.GPUs) > 1 {
		field("best pair", "GPU %d and GPU %d: %s", p.GPUs[0], p.GPUs[1], p.words())
	}
}

// text is how a GPU is used now.
func (g gpuNow) text() string {
	var now []string
	if g.Busy != nil {
		now = append(now, fmt.Sprintf("busy %d %%", *g.Busy))
	}
	if g.Used != nil {
		now = append(now, term.Size(*g.Used)+" in use")
	}
	return "now " + strings.Join(now, ", ")
}

func (h *healthFacts) page(field func(string, string, ...any)) {
	rows := fmt.Sprintf("%s in %s", term.Count(h.Rows, "row"), term.Count(h.Shards, "shard"))
	if h.Rows == 0 && h.Damage > 0 {
		rows = "how many rows is not known"
	}
	lines(field, "store", fmt.Sprintf("%s: %s", term.Quoted(h.Store), rows))
	if h.Rejected > 0 {
		field("", "%s rejected", term.Count(h.Rejected, "row"))
	}
	looked := "seals"
	switch {
	case h.Samples:
		looked = "seals, records and all bytes"
	case h.Records:
		looked = "seals and records"
	}
	state := "sound"
	if h.Damage > 0 {
		state = fmt.Sprintf("damaged in %s", term.Count(h.Damage, "place"))
	}
	lines(field, "", fmt.Sprintf("%s; %s were read", state, looked))
}

// text is a run in a line.
func (r runFacts) text() string {
	text := fmt.Sprintf("%s of %s, %s", r.Kind, strings.Replace(strings.TrimSuffix(r.Started, "Z"), "T", " ", 1), seconds(r.Seconds))
	if r.Rate > 0 {
		text += ", " + rate(r.Rate) + " samples/s"
	}
	if !r.Same {
		text += ", not of the dataset as it is now"
	}
	return text
}

func (d *diagnosed) speedPage(field func(string, string, ...any)) {
	if d.Speed == nil {
		return
	}
	if r := d.Speed.Rows; r != nil {
		lines(field, "speed", fmt.Sprintf("text %s a row, audio %s, write %s (%s)", term.Milliseconds(r.Text.MS), term.Milliseconds(r.Audio.MS),
			term.Milliseconds(r.Write.MS), term.Count(r.Timed, "row")))
	}
	if f := d.Speed.Feed; f != nil {
		f.lines(field)
	}
}

// page is a finding, with how it is known and what its cure brings.
func (f finding) page(field func(string, string, ...any), audit *audited) {
	text := append(term.Wrapped(f.Cause), term.Wrapped(f.Cure)...)
	known := string(f.Basis)
	if f.Run != "" {
		known = "found by the feed of " + strings.Replace(strings.TrimSuffix(f.Run, "Z"), "T", " ", 1)
	}
	if f.Gain != nil {
		known += ", " + term.Gain(f.Verdict)
	}
	if f.Line > 0 && audit != nil {
		known += fmt.Sprintf(", %s:%d:%d", audit.Config, f.Line, f.Col)
	}
	known += " [" + f.Rule + "]"
	for i, line := range append(text, term.Wrapped(known)...) {
		field(term.First(i, string(f.State)), "%s", line)
	}
}
