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

// targets is the table of defaults. A rule that compares with another figure
// adds its line here.
var targets = []Target{
	{VariationTarget, 30, "%", "the most that steps vary: 100 × standard deviation / mean",
		"what teams with two GPUs aimed at: 20 to 30"},
	{DataGPULeast, 50, "%", "the least that a data GPU is busy", "the same: over 50 to 60"},
	{DataGPUMost, 80, "%", "the most that a data GPU is busy: above it, it limits the other", "the same: under 80"},
	{ModelGPULeast, 80, "%", "the least that the GPU that trains is busy", "the same: over 80 to 95"},
	{LoadMost, 20, "%", "the most that a step may be a wait for loading", "the same: under 20"},
	{TransferMost, 15, "%", "the most that a step may be a wait for copies", "the same: under 15"},
	{TrainLeast, 50, "%", "the least that training has of a step", "the same: over 50; sound from 70"},
	{FeederCPUMost, 40, "%", "the most of all cores that a feeder uses beside a trainer",
		"SPDL's guide: above 40 % the thread that starts GPU work waits for a core"},
	{HostCPUMost, 70, "%", "the most of all cores that work beside a trainer", "what teams with two GPUs aimed at: under 70"},
	{SwapMost, 1, "MB", "the most that a machine moves to swap and back during a run", "the same: no swap; 1 MB is what an idle machine moves"},
	{GrowthMost, 50, "MB", "the most that the process's memory grows by in 1,000 steps", "a growth that fills 64 GB in a million steps"},
	{AudioVariationTarget, 30, "%", "the most that the time of clips of one length varies: 100 × standard deviation / mean", "the same: over 30 is a finding"},
	{ReadyLeast, 90, "%", "the least part of batches that are ready when the trainer asks",
		"a trainer that finds one in ten late has no reserve left for a busy machine"},
	{LinkLeast, 10, "GB/s", "the least that copies from the host should reach", "below it there is no link with 16 lanes from PCIe 3.0 on"},
	{FillLeast, 1, "GB/s", "the least that a worker should fill", "a core copies at 5 or more; below 1 it waits for a disk"},
}

// AllTargets lists the targets with their defaults.
func AllTargets() []Target { return slices.Clone(targets) }

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
