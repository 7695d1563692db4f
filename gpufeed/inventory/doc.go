// Package inventory says which GPUs a machine has and how each two of them hang
// together: what the driver, NVML and sysfs tell, joined by PCI address.
//
//	driver ── Devices, EnablePeer ─┐
//	NVML ── class, P2P, NVLink ────┼─ Look ─▶ Inventory ─ Place(data, model) ─▶ diagnosis
//	sysfs ── nodes, links, IOMMU ──┘
//	NVML, kept open ── Gauges.Look ─▶ how busy GPUs are now, again and again
//
// What one of them does not tell is unknown, and Unseen says what that keeps
// from being known. It opens each GPU for a moment where NVML does not tell who
// may write to whom. Load alone copies, and only where somebody asked for it.
package inventory
