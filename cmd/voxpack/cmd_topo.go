package main

import (
	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/diagnose"
)

const topoHelp = `Say which GPUs there are and how each two of them hang together: what the driver,
NVML and sysfs tell, and plainly what they do not. It copies nothing, unless --load
asks for it: links are slow while they are idle, so that only a copy shows what they
can do.

In the matrix, from near to far: NV (NVLink), PIX (at most one PCIe switch), PXB
(several), PHB (through one host bridge), NODE (host bridges of one NUMA node),
SYS (from node to node); ? is not known. Findings are about the GPUs that --data-gpu and
--model-gpu name: "measured" was read from this machine, "suspected" costs time
by experience only.

`

func newTopoCommand() *cobra.Command {
	var o diagnose.TopoOptions
	cmd := &cobra.Command{
		Use:     "topo",
		Short:   "Show how GPUs hang together, and which two go best",
		Long:    topoHelp + exitCodesHelp,
		Example: "  voxpack topo\n  voxpack topo --load\n  voxpack topo --data-gpu 2 --model-gpu 3 --json",
		Args:    atMost(0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return diagnose.RunTopo(&o, cmd.OutOrStdout()) },
	}
	cmd.Flags().SortFlags = false
	o.AddFlags(cmd.Flags())
	return cmd
}
