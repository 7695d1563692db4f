package report

import "strconv"

// The chart of a histogram, in units of its view box.
const (
	chartWidth, chartHeight         = 360, 150
	chartLeft, chartRight           = 44, 8
	chartTop, chartBottom           = 10, 26
	plotWidth, plotHeight   float64 = chartWidth - chartLeft - chartRight, chartHeight - chartTop - chartBottom
)

// chart is a histogram as it is drawn.
type chart struct {
	Distribution
	Bars  []bar
	Ticks []tick
	Most  string // rows of the highest bar
}

// bar is a rectangle; its title is read to those who cannot see it.
type bar struct{ X, Y, W, H, Title string }

// tick is a mark on the axis.
type tick struct{ X, Label string }

// chartOf lays out a histogram.
func chartOf(d Distribution, t tongue) chart {
	c := chart{Distribution: d}
	highest := 1
	for _, n := range d.Counts {
		highest = max(highest, n)
	}
	c.Most = t.number(highest)
	step := plotWidth / float64(max(1, len(d.Counts)))
	for i, n := range d.Counts {
		if n == 0 {
			continue
		}
		// A single row among thousands is a bar of a pixel, not none.
		h := max(1, plotHeight*float64(n)/float64(highest))
		from := d.From + float64(i)*d.Width
		c.Bars = append(c.Bars, bar{at(chartLeft + float64(i)*step), at(chartTop + plotHeight - h), at(max(1, step-1)), at(h),
			t.number(round(from)) + "–" + t.number(round(from+d.Width)) + ": " + t.number(n)})
	}
	every := max(1, (len(d.Counts)+5)/6)
	for i := 0; i <= len(d.Counts); i += every {
		c.Ticks = append(c.Ticks, tick{at(chartLeft + float64(i)*step), t.number(round(d.From + float64(i)*d.Width))})
	}
	return c
}

// round takes away the rounding errors of added widths: what comes after the 9th digit.
func round(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 9, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// at is a place in a chart.
func at(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
