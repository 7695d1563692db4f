package diagnose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/gpufeed/inventory"
	"voxpack/gpufeed/sysfstest"
	"voxpack/internal/schematest"
)

// fourGPUs is a machine of two sockets: two GPUs at one switch, one at another
// port of the same host bridge, one at the other socket. Nothing but sysfs is there.
func fourGPUs(t *testing.T) TopoOptions {
	s := sysfstest.New(t)
	s.Write("devices/system/node/online", "0-1")
	for i, way := range []string{
		"pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:00.0/0000:03:00.0",
		"pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:01.0/0000:04:00.0",
		"pci0000:00/0000:00:02.0/0000:05:00.0",
		"pci0000:80/0000:80:01.0/0000:81:00.0",
	} {
		node, cpus, lanes := "0", "0-3", "16"
		if i == 3 {
			node, cpus, lanes = "1", "", "4" // its CPUs are not told, so that it does not matter where a test runs
		}
		s.Device(way, "class", "0x030000", "numa_node", node, "local_cpulist", cpus,
			"max_link_speed", "16.0 GT/s PCIe", "max_link_width", "16", "current_link_width", lanes)
	}
	return TopoOptions{device: "host", model: 1, sys: s.Dir, nvml: "/nonexistent/libnvidia-ml.so.1"}
}

// printed is what topo prints before what it could not see.
func printed(t *testing.T, o TopoOptions) string {
	t.Helper()
	var out strings.Builder
	if err := RunTopo(&o, &out); err != nil {
		t.Fatal(err)
	}
	page, _, _ := strings.Cut(out.String(), "unseen")
	for line := range strings.Lines(page) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 60 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	return page
}

func TestTopoOfFourGPUs(t *testing.T) {
	o := fourGPUs(t)
	const want = `GPU 0     0000:03:00.0
          NUMA node 0 (CPUs 0-3), PCIe x16 of x16, gen4
          IOMMU: none
GPU 1     0000:04:00.0
          NUMA node 0 (CPUs 0-3), PCIe x16 of x16, gen4
          IOMMU: none
GPU 2     0000:05:00.0
          NUMA node 0 (CPUs 0-3), PCIe x16 of x16, gen4
          IOMMU: none
GPU 3     0000:81:00.0
          NUMA node 1, PCIe x4 of x16, gen4
          IOMMU: none
matrix             0    1    2    3
              0    X  PIX  PHB  SYS
              1  PIX    X  PHB  SYS
              2  PHB  PHB    X  SYS
              3  SYS  SYS  SYS    X
P2P       unknown, between all
best pair GPU 0 and GPU 1: PIX, peer access is not known
`
	if got := printed(t, o); got != want {
		t.Errorf("topo prints\n%s\nwant\n%s", got, want)
	}
	o.data, o.model = 3, 0
	got := printed(t, o)
	for _, piece := range []string{"GPU 3 (data) and GPU 0 (model) are SYS", "--data-gpu 1, which is PIX to GPU 0", "suspected GPU 3",
		"the link of GPU 3 is x4 gen4 of x16 gen4", "measured the link"} {
		if !strings.Contains(strings.Join(strings.Fields(got), " "), piece) {
			t.Errorf("no %q in\n%s", piece, got)
		}
	}
}

func TestTopoJSONIsAsItsSchemaSays(t *testing.T) {
	schema := filepath.Join("..", "..", "..", "..", "docs", "schema", "topo.json")
	far := fourGPUs(t)
	far.data, far.json = 3, true
	none := TopoOptions{device: "host", model: 1, json: true, sys: t.TempDir(), nvml: far.nvml}
	for name, o := range map[string]TopoOptions{"four GPUs": far, "none": none, "simulated": {device: "sim", model: 1, json: true}} {
		var out strings.Builder
		if err := RunTopo(&o, &out); err != nil {
			t.Fatal(err)
		}
		if err := schematest.Check(schema, []byte(out.String())); err != nil {
			t.Errorf("%s: %v in\n%s", name, err, &out)
		}
	}
}

func TestTopoOfGPUsThatAreNotThere(t *testing.T) {
	for _, change := range []func(*TopoOptions){
		func(o *TopoOptions) { o.data = 4 },
		func(o *TopoOptions) { o.model = -1 },
		func(o *TopoOptions) { o.device = "fpga" },
	} {
		o := fourGPUs(t)
		change(&o)
		var out strings.Builder
		if err := RunTopo(&o, &out); err == nil || out.Len() > 0 {
			t.Errorf("%+v: printed %q, want an error", o, &out)
		}
	}
}

// TestThePageShowsTheseFourGPUs: the output on the pages is that of this machine.
func TestThePageShowsTheseFourGPUs(t *testing.T) {
	o := fourGPUs(t)
	o.data, o.model = 3, 0
	page := printed(t, o)
	_, fromMatrix, _ := strings.Cut(page, "matrix")
	for _, language := range []string{"en", "fa"} {
		src, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", language, "diagnosis.md"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(src), "…\nmatrix"+fromMatrix) {
			t.Errorf("docs/%s/diagnosis.md does not show\nmatrix%s", language, fromMatrix)
		}
	}
}

// TestTopoOfLoadedLinks: what a link did under load, what copies reached, and what else
// used the GPU. A link that stayed slow is a finding with its number.
func TestTopoOfLoadedLinks(t *testing.T) {
	o := fourGPUs(t)
	o.model = 2
	inv, err := o.look()
	if err != nil {
		t.Fatal(err)
	}
	for i, now := range []float64{8, 16} {
		g := &inv.GPUs[i]
		g.Link.Now = now
		g.Loaded = &inventory.Loaded{Link: g.Link, Bytes: 3e9, Took: 250 * time.Millisecond}
	}
	inv.GPUs[1].Busy = 37
	top := newTopology(inv)
	var page, document strings.Builder
	top.page(&page)
	for _, want := range []string{
		"          under load x16, gen3, 12.0 GB/s (250 ms of copies)\n",
		"          under load x16, gen4, 12.0 GB/s (250 ms of copies,\n          beside work that kept it 37 % busy)\n",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in\n%s", want, &page)
		}
	}
	if err := term.PrintJSON(&document, top); err != nil {
		t.Fatal(err)
	}
	if err := schematest.Check("../../../../docs/schema/topo.json", []byte(document.String())); err != nil {
		t.Errorf("%v\n%s", err, &document)
	}
}
