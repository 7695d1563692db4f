package diagnose

import (
	"fmt"
	"io"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/gpufeed/inventory"
)

// iommuWords say what an IOMMU does, in the order of topology.IOMMU.
var iommuWords = []string{"unknown", "none", "passes through", "translates"}

func factsOf(g inventory.GPU) gpuFacts {
	f := gpuFacts{GPU: g.Number, Name: g.Name, Memory: g.Memory, Node: g.Node, CPUs: g.NearCPUs(),
		Generation: g.Link.Generation(), Lanes: g.Link.Width, MostLanes: g.Link.MaxWidth, IOMMU: iommuWords[g.IOMMU]}
	if g.Addressed() {
		f.Bus = g.Address.String()
	}
	if l := g.Loaded; l != nil {
		f.busy, f.Loaded = g.Busy, &linkLoad{g.Link.NowGeneration(), g.Link.Width, l.Rate(), l.Bytes, l.Took.Seconds()}
	}
	return f
}

func pairOf(inv *inventory.Inventory, p inventory.Pair) pairFacts {
	return pairFacts{[2]int{inv.GPUs[p.A].Number, inv.GPUs[p.B].Number}, string(p.Class), p.NVLink, p.Peer}
}

// unseenText says what could not be seen, and what would show it.
func unseenText(g inventory.Gap) string {
	about := ""
	if len(g.GPUs) > 0 {
		about = " of GPU " + strings.Trim(fmt.Sprint(g.GPUs), "[]")
	}
	text := map[inventory.Unseen]string{
		inventory.NoDriver:  "no driver answers: names, memory, and whether GPUs may write to each other",
		inventory.NoNVML:    "NVML does not answer: NVLink, and the driver's word on what lies between GPUs",
		inventory.NoAddress: "no place on PCI, and so no node, link and IOMMU" + about,
		inventory.NoSysfs:   "not in sysfs, and so no node, link and IOMMU" + about,
		inventory.Hidden:    "this virtual machine hides how its devices hang together: only measured bandwidth counts",
		inventory.NoPeers:   "the driver did not say whether they may write to each other:" + strings.TrimPrefix(about, " of"),
		inventory.Idle:      "the speed of links: idle GPUs lower it, and nothing was copied; --load copies for a moment",
		inventory.NotLoaded: "the speed of the link under load" + about,
	}[g.What]
	if g.Why != nil {
		text += fmt.Sprintf(" (%v)", g.Why)
	}
	return text
}

// page is what topo says for people: 60 columns for up to eight GPUs.
func (t *topology) page(w io.Writer) {
	field := term.Fields(w, 9)
	if len(t.GPUs) == 0 {
		field("GPUs", "none is seen")
	}
	for _, g := range t.GPUs {
		for i, line := range g.lines() {
			field(term.First(i, fmt.Sprintf("GPU %d", g.GPU)), "%s", line)
		}
	}
	if len(t.GPUs) > 1 {
		t.matrix(field)
		t.peers(field)
	}
	if p := t.Best; p != nil && len(t.GPUs) > 1 {
		field("best pair", "GPU %d and GPU %d: %s", p.GPUs[0], p.GPUs[1], p.words())
	}
	term.Verdicts(field, t.Findings)
	n := 0
	for _, u := range t.Unseen {
		for _, line := range term.Wrapped(u.Text) {
			field(term.First(n, "unseen"), "%s", line)
			n++
		}
	}
}

// lines are what is known of a GPU.
func (g gpuFacts) lines() []string {
	var head, place []string
	if g.Name != "" {
		head = append(head, g.Name)
	}
	if g.Bus != "" {
		head = append(head, g.Bus)
	}
	if g.Memory > 0 {
		head = append(head, term.Size(int64(g.Memory)))
	}
	if g.Node >= 0 {
		node := fmt.Sprintf("NUMA node %d", g.Node)
		if g.CPUs != "" {
			node += fmt.Sprintf(" (CPUs %s)", g.CPUs)
		}
		place = append(place, node)
	}
	if g.Lanes > 0 && g.Generation > 0 {
		place = append(place, fmt.Sprintf("PCIe x%d of x%d, gen%d", g.Lanes, g.MostLanes, g.Generation))
	}
	lines := []string{strings.Join(head, ", ")}
	lines = append(lines, term.Wrapped(strings.Join(place, ", "))...)
	if l := g.Loaded; l != nil {
		said := fmt.Sprintf("under load x%d, gen%d, %.1f GB/s (%s of copies", l.Lanes, l.Generation, l.Rate, term.Milliseconds(1000*l.Seconds))
		if g.busy > 0 {
			said += fmt.Sprintf(", beside work that kept it %d %% busy", g.busy)
		}
		lines = append(lines, term.Wrapped(said+")")...)
	}
	if g.IOMMU != iommuWords[0] && g.Bus != "" {
		lines = append(lines, "IOMMU: "+g.IOMMU)
	}
	return lines
}

// matrix shows each two GPUs.
func (t *topology) matrix(field func(string, string, ...any)) {
	head := fmt.Sprintf("%5s", "")
	for _, g := range t.GPUs {
		head += fmt.Sprintf("%5d", g.GPU)
	}
	field("matrix", "%s", head)
	cells := map[[2]int]string{}
	for _, p := range t.Pairs {
		cells[p.GPUs], cells[[2]int{p.GPUs[1], p.GPUs[0]}] = p.short(), p.short()
	}
	for _, a := range t.GPUs {
		line := fmt.Sprintf("%5d", a.GPU)
		for _, b := range t.GPUs {
			cell := "X"
			if a.GPU != b.GPU {
				cell = cells[[2]int{a.GPU, b.GPU}]
			}
			line += fmt.Sprintf("%5s", cell)
		}
		field("", "%s", line)
	}
}

// peers says which GPUs may write to each other's memory.
func (t *topology) peers(field func(string, string, ...any)) {
	n := 0
	for _, answer := range []diagnosis.Answer{diagnosis.Yes, diagnosis.No, diagnosis.NotKnown} {
		var pairs []string
		for _, p := range t.Pairs {
			if p.Peer == answer {
				pairs = append(pairs, fmt.Sprintf("%d-%d", p.GPUs[0], p.GPUs[1]))
			}
		}
		text := string(answer) + ": " + strings.Join(pairs, " ")
		if len(pairs) == len(t.Pairs) {
			text = string(answer) + ", between all"
		}
		for _, line := range term.Wrapped(text) {
			if pairs != nil {
				field(term.First(n, "P2P"), "%s", line)
				n++
			}
		}
	}
}

// short is a cell of the matrix.
func (p pairFacts) short() string {
	switch {
	case p.NVLink == diagnosis.Yes:
		return "NV"
	case p.Class == "unknown":
		return "?"
	}
	return p.Class
}

// words are a pair in words.
func (p pairFacts) words() string {
	way := p.Class
	if p.NVLink == diagnosis.Yes {
		way = "NVLink"
	}
	peer := map[diagnosis.Answer]string{diagnosis.Yes: "they write to each other", diagnosis.No: "copies are staged through the host",
		diagnosis.NotKnown: "peer access is not known"}
	return way + ", " + peer[p.Peer]
}
