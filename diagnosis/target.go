package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	"voxpack/internal/number"
)

// Target is a figure that a sound training reaches. Where it comes from is part
// of it, because a limit without a source cannot be argued with.
type Target struct {
	Name    string
	Default float64
	Unit    string
	Meaning string
	Source  string
}

// The names of targets.
const (
	VariationTarget = "variation"
	DataGPULeast    = "data-gpu-least"
	DataGPUMost     = "data-gpu-most"
	ModelGPULeast   = "model-gpu-least"
	LoadMost        = "load-most"
	TransferMost    = "transfer-most"
	TrainLeast      = "train-least"
	FeederCPUMost   = "feeder-cpu-most"
	HostCPUMost     = "host-cpu-most"
	SwapMost        = "swap-most"
	GrowthMost      = "growth-most"
	ReadyLeast      = "ready-least"

	AudioVariationTarget = "audio-variation"
	LinkLeast            = "link-least"
	FillLeast            = "fill-least"
)

// teams is the source of most figures: what they say, not measured here.
const teams = "what teams with two GPUs aimed at: "

// targets is the table of defaults. A rule that compares with another figure
// adds its line here.
var targets = []Target{
	{VariationTarget, 30, "%", "the most that steps vary: 100 × standard deviation / mean",
		teams + "20 to 30"},
	{DataGPULeast, 50, "%", "the least that a data GPU is busy", teams + "over 50 to 60"},
	{DataGPUMost, 80, "%", "the most that a data GPU is busy: above it, it limits the other", teams + "under 80"},
	{ModelGPULeast, 80, "%", "the least that the GPU that trains is busy", teams + "over 80 to 95"},
	{LoadMost, 20, "%", "the most that a step may be a wait for loading", teams + "under 20"},
	{TransferMost, 15, "%", "the most that a step may be a wait for copies", teams + "under 15"},
	{TrainLeast, 50, "%", "the least that training has of a step", teams + "over 50; sound from 70"},
	{FeederCPUMost, 40, "%", "the most of all cores that a feeder uses beside a trainer",
		"SPDL's guide: above 40 % the thread that starts GPU work waits for a core"},
	{HostCPUMost, 70, "%", "the most of all cores that work beside a trainer", teams + "under 70"},
	{SwapMost, 3, "MB/s", "the most that a machine moves to swap and back during a run",
		"computed, not measured: swap is read by 8 pages (vm.page-cluster of the kernel's documentation), 32 kB, so that 3 MB/s take an SSD that reads 10,000 times a second 1 % of its time, and a hard disk that reads 100 times all of it"},
	{GrowthMost, 50, "MB", "the most that the process's memory grows by in 1,000 steps", "50 GB in a million steps, which few machines have to spare; experience, not measured"},
	{AudioVariationTarget, 30, "%", "the most that the time of clips of one length varies: 100 × standard deviation / mean", teams + "over 30 is a finding"},
	{ReadyLeast, 90, "%", "the least part of batches that are ready when the trainer asks",
		"experience, not measured: one in ten late leaves no reserve for a busy machine"},
	{LinkLeast, 10, "GB/s", "the least that copies from the host should reach", "experience, not measured: links with 16 lanes from PCIe 3.0 on copy faster"},
	{FillLeast, 1, "GB/s", "the least that a worker should fill", "experience, not measured: a core copies at 5 or more, and waits for a disk below 1"},
}

// AllTargets lists the targets with their defaults.
func AllTargets() []Target { return slices.Clone(targets) }

// UnitOf is the unit of a target.
func UnitOf(name string) string {
	return targets[slices.IndexFunc(targets, func(t Target) bool { return t.Name == name })].Unit
}

// Targets are the targets that somebody set; the others have their defaults.
type Targets map[string]float64

// Of is the target of a name.
func (t Targets) Of(name string) float64 {
	if v, set := t[name]; set {
		return v
	}
	for _, target := range targets {
		if target.Name == name {
			return target.Default
		}
	}
	panic("diagnosis: no target " + name)
}

// ParseTarget reads NAME=NUMBER, as in "variation=20".
func ParseTarget(text string) (name string, value float64, err error) {
	name, digits, _ := strings.Cut(text, "=")
	if !slices.ContainsFunc(targets, func(t Target) bool { return t.Name == name }) {
		var names []string
		for _, t := range targets {
			names = append(names, t.Name)
		}
		return "", 0, fmt.Errorf("target %q: want NAME=NUMBER with a NAME of %s", text, strings.Join(names, ", "))
	}
	if value, err = number.FromZero(digits); err != nil {
		return "", 0, fmt.Errorf("target %s: %w", name, err)
	}
	return name, value, nil
}
