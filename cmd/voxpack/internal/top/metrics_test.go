package top

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// parsed reads metrics with Prometheus' own parser.
func parsed(t *testing.T, text []byte) map[string]*dto.MetricFamily {
	t.Helper()
	p := expfmt.NewTextParser(model.LegacyValidation)
	families, err := p.TextToMetricFamilies(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return families
}

func written(t *testing.T, l Look) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := writeMetrics(&b, l); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestMetricsAreWhatPrometheusReads: its parser reads each family with its type and
// its values, and its linter has nothing to say of names, units and help.
func TestMetricsAreWhatPrometheusReads(t *testing.T) {
	l := lookAt(30, 2)
	l.Feeders = append(l.Feeders, Feeder{Socket: "/gone.sock", Error: "it has ended"})
	text := written(t, l)
	families := parsed(t, text)
	for _, m := range metrics {
		f := families[m.name]
		if f == nil {
			t.Errorf("%s is not there", m.name)
			continue
		}
		if got := strings.ToLower(f.GetType().String()); got != m.kind || f.GetHelp() != m.help {
			t.Errorf("%s is a %s: %q, want a %s: %q", m.name, got, f.GetHelp(), m.kind, m.help)
		}
		if len(f.Metric) == 0 {
			t.Errorf("%s has no value", m.name)
		}
	}
	if len(families) != len(metrics) {
		t.Errorf("%d families, want %d", len(families), len(metrics))
	}
	problems, err := promlint.New(bytes.NewReader(text)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// TestMetricValues: what a consumer did, by its labels, in base units.
func TestMetricValues(t *testing.T) {
	families := parsed(t, written(t, lookAt(30, 2)))
	c := consumerAt(30, 1, 2)
	for _, want := range []struct {
		name   string
		labels map[string]string
		value  float64
	}{
		{"voxpack_feeder_up", nil, 1},
		{"voxpack_feeder_consumers", nil, 2},
		{"voxpack_batches_total", map[string]string{"consumer": "2", "pid": "48011", "rank": "1", "feeder": "4711", "socket": socket}, float64(c.Batches)},
		{"voxpack_step_seconds", map[string]string{"consumer": "2"}, c.Steps.MeanMS / 1000},
		{"voxpack_stall_ratio", map[string]string{"consumer": "2"}, *c.Steps.Load + *c.Steps.Copy},
		{"voxpack_ring_batches", map[string]string{"consumer": "2", "state": "preparing"}, 4},
		{"voxpack_stage_seconds_total", map[string]string{"consumer": "2", "stage": "fill", "doing": "work"}, c.Stages[0].Work.TotalMS / 1000},
		{"voxpack_finding_gain_ratio", map[string]string{"consumer": "2", "rule": "workers-few"}, *c.Findings[0].Gain},
		{"voxpack_gpu_utilisation_ratio", map[string]string{"bus": "0000:65:00.0"}, 0.77},
	} {
		var got []float64
		for _, m := range families[want.name].GetMetric() {
			labels := map[string]string{}
			for _, l := range m.Label {
				labels[l.GetName()] = l.GetValue()
			}
			matches := true
			for k, v := range want.labels {
				matches = matches && labels[k] == v
			}
			if matches {
				got = append(got, m.GetGauge().GetValue()+m.GetCounter().GetValue())
			}
		}
		if len(got) != 1 || got[0] != want.value {
			t.Errorf("%s %v = %v, want %v", want.name, want.labels, got, want.value)
		}
	}
}

// TestUnknownFiguresAreNoMetrics: 0 would be a figure.
func TestUnknownFiguresAreNoMetrics(t *testing.T) {
	l := lookAt(30, 1)
	c := &l.Feeders[0].Consumers[0]
	c.Steps, c.Findings, c.Stages, l.GPUs = nil, nil, nil, nil
	families := parsed(t, written(t, l))
	for _, name := range []string{"voxpack_step_seconds", "voxpack_step_p99_seconds", "voxpack_stall_ratio", "voxpack_finding", "voxpack_gpu_utilisation_ratio", "voxpack_stage_seconds_total"} {
		if f := families[name]; len(f.GetMetric()) > 0 {
			t.Errorf("%s has %v", name, f.Metric)
		}
	}
}

// TestHostileLabels: what names hold stays a value of a label.
func TestHostileLabels(t *testing.T) {
	const hostile = "\"} 1\nvoxpack_owned 7\n\\\x1b[2J\u202e"
	l := lookAt(30, 1)
	l.Feeders[0].Socket, l.Feeders[0].Version = hostile, hostile+"\xff"
	l.Feeders[0].Consumers[0].Stages[0].Name = hostile
	families := parsed(t, written(t, l))
	if families["voxpack_owned"] != nil {
		t.Error("a name made a metric")
	}
	if got := families["voxpack_feeder_up"].Metric[0].Label[0].GetValue(); got != hostile {
		t.Errorf("the label is %q, want %q", got, hostile)
	}
}

// TestMetricsOnLoopbackOnly: no address of another machine is taken.
func TestMetricsOnLoopbackOnly(t *testing.T) {
	for address, ok := range map[string]bool{
		"127.0.0.1:9464": true, "127.1.2.3:0": true, "localhost:9464": true, "[::1]:9464": true,
		":9464": false, "0.0.0.0:9464": false, "[::]:9464": false, "10.0.0.1:9464": false, "example.org:9464": false,
		"9464": false, "": false, "127.0.0.1": false, "127.0.0.1:": false, "localhost.example.org:1": false, "[::ffff:10.0.0.1]:1": false,
	} {
		if err := checkLoopback(address); (err == nil) != ok {
			t.Errorf("%q: %v, want accepted %t", address, err, ok)
		}
	}
}

// TestScrape: who asks gets a look, unless the request names another host.
func TestScrape(t *testing.T) {
	looks := 0
	handler := scraped(func(context.Context) Look { looks++; return lookAt(30, 1) })
	for _, c := range []struct {
		method, host, path string
		status             int
	}{
		{"GET", "127.0.0.1:9464", "/metrics", 200},
		{"GET", "localhost", "/metrics", 200},
		{"GET", "[::1]:9464", "/metrics", 200},
		{"GET", "evil.example:9464", "/metrics", 403},
		{"POST", "127.0.0.1:9464", "/metrics", 405},
		{"GET", "127.0.0.1:9464", "/", 404},
	} {
		r := httptest.NewRequest(c.method, c.path, nil)
		r.Host = c.host
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s %s of %s: %d, want %d", c.method, c.path, c.host, w.Code, c.status)
		}
		if w.Code == http.StatusOK {
			parsed(t, w.Body.Bytes())
		}
	}
	if looks != 3 {
		t.Errorf("%d looks, want 3", looks)
	}
}

// TestMetricsAreDocumented: both pages have each metric with its type.
func TestMetricsAreDocumented(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| `(voxpack_[a-z0-9_]+)` \\| (counter|gauge) \\|")
	want := map[string]string{}
	for _, m := range metrics {
		want[m.name] = m.kind
	}
	for _, page := range pages(t) {
		documented := map[string]string{}
		for _, m := range row.FindAllStringSubmatch(page, -1) {
			documented[m[1]] = m[2]
		}
		if !maps.Equal(documented, want) {
			t.Errorf("%.40q … documents %v, want %v", page, documented, want)
		}
	}
}
