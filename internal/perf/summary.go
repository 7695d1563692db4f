package perf

import "time"

// Summary is a histogram as a run record stores it. Times are milliseconds; the error of the
// quantiles is that of Histogram.
type Summary struct {
	Count   int64   `json:"count"`
	TotalMS float64 `json:"total_ms"`
	MeanMS  float64 `json:"mean_ms"`
	StdMS   float64 `json:"std_ms"`
	MinMS   float64 `json:"min_ms"`
	P50MS   float64 `json:"p50_ms"`
	P95MS   float64 `json:"p95_ms"`
	P99MS   float64 `json:"p99_ms"`
	MaxMS   float64 `json:"max_ms"`
}

// Summary sums the histogram up.
func (h *Histogram) Summary() Summary {
	return Summary{
		Count:   h.Count(),
		TotalMS: milliseconds(h.Sum()),
		MeanMS:  milliseconds(h.Mean()),
		StdMS:   milliseconds(h.Std()),
		MinMS:   milliseconds(h.Min()),
		P50MS:   milliseconds(h.Quantile(0.50)),
		P95MS:   milliseconds(h.Quantile(0.95)),
		P99MS:   milliseconds(h.Quantile(0.99)),
		MaxMS:   milliseconds(h.Max()),
	}
}

// Variation is the standard deviation in percent of the mean, 0 where the mean
// is 0.
func (s Summary) Variation() float64 {
	if s.MeanMS == 0 {
		return 0
	}
	return 100 * s.StdMS / s.MeanMS
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
