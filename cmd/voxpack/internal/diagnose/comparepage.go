package diagnose

import (
	"fmt"
	"io"
	"math"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/diagnosis/runs"
)

// page is the comparison for people: 60 columns for up to four groups.
func (c *comparison) page(w io.Writer) {
	field := term.Fields(w, 9)
	for i, g := range c.Groups {
		from := g.From
		if g.Runs > 1 {
			from = fmt.Sprintf("%s (%s)", g.From, term.Count(g.Runs, "run"))
		}
		field(term.First(i, "runs"), "%s  %s", g.Name, from)
	}
	head := ""
	for _, g := range c.Groups {
		head += fmt.Sprintf("%11s", g.Name)
	}
	field("", "%-6s%s", "", head)
	for _, m := range c.Metrics {
		c.metric(w, m)
	}
	field("", "* more than these runs vary by")
	for i, s := range c.Settings {
		for j, line := range term.Wrapped(s.Name + ": " + strings.Join(s.Values, " | ")) {
			field(term.First(i+j, "settings"), "%s", line)
		}
	}
	for i, m := range c.Misses {
		field(term.First(i, "targets"), "%s: %s %.0f %s, target %s %g %s", c.Groups[m.Group].Name, m.Metric, m.Number, m.Unit, m.Target, m.Limit, m.Unit)
	}
	for i, r := range c.Results {
		for j, line := range term.Wrapped(c.verdict(r)) {
			field(term.First(i+j, "verdict"), "%s", line)
		}
	}
}

// metric is a line of means, and a line of what they differ by from the first.
func (c *comparison) metric(w io.Writer, m runs.Compared) {
	values, changes, any := "", "", false
	for i, v := range m.Values {
		text := "-"
		if v != nil {
			text = figure(*v, m.Unit)
		}
		values += fmt.Sprintf("%11s", text)
		if i == 0 {
			continue
		}
		text = ""
		if d := m.Differences[i-1]; d != nil {
			any = true
			text = change(*d, m.Unit)
			if d.Significant {
				text += " *"
			} else {
				text += "  "
			}
		}
		changes += fmt.Sprintf("%11s", text)
	}
	fmt.Fprintf(w, "%-16s%s\n", m.Name, values)
	if any {
		fmt.Fprintf(w, "%-27s%s\n", "", strings.TrimRight(changes, " "))
	}
}

// figure is a value with its unit, short enough for a column.
func figure(v float64, unit string) string {
	switch unit {
	case "ms":
		return term.Milliseconds(v)
	case "s":
		return term.Milliseconds(1000 * v)
	case "MB":
		return term.Size(int64(v * 1e6))
	case "MB/s":
		return term.Size(int64(v*1e6)) + "/s"
	case "%":
		return fmt.Sprintf("%.1f %%", v)
	}
	return rate(v) + "/s"
}

// change is "-18.4 %", of figures in percent "+3.0 pt".
func change(d runs.Difference, unit string) string {
	v := min(max(100*d.Change, -99_999), 99_999) // a column's width
	if unit == "%" {
		return fmt.Sprintf("%+.1f pt", v)
	}
	return fmt.Sprintf("%+.1f %%", v)
}

// verdict is how a group did against the first, in words.
func (c *comparison) verdict(r runs.Result) string {
	name, first := c.Groups[r.Group].Name, c.Groups[0].Name
	by := fmt.Sprintf("under %.1f %% says nothing", 100*r.Noise)
	if r.Basis == diagnosis.Suspected {
		by = fmt.Sprintf("single runs may differ by %.1f %%: give several of each, as in A1,A2,A3", 100*r.Noise)
	}
	samples, known := c.Of(runs.MetricSamples)
	if !known || samples.Differences[r.Group-1] == nil {
		return fmt.Sprintf("%s and %s have no samples a second to compare", name, first)
	}
	if r.Outcome == runs.RanSame {
		return fmt.Sprintf("%s is neither faster nor slower than %s: %+.1f %%, and %s", name, first, 100*r.Change, by)
	}
	a, b := *samples.Values[0], *samples.Values[r.Group]
	return fmt.Sprintf("%s is %s than %s by %.1f %%, %s/s instead of %s/s (%s); %s", name, r.Outcome, first, 100*math.Abs(r.Change), rate(b), rate(a), r.Basis, by)
}
