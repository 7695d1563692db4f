// Package nvml watches NVIDIA's devices: what they use, and what lies between two
// of them. It loads libnvidia-ml.so.1 at run time and needs neither cgo nor a toolkit; a
// machine without it is ErrNone.
//
// Words: a bus id is a PCI address, by which devices are joined with CUDA's and
// sysfs's; unknown is what a device does not tell, which is no error; a sample
// is one look at a device; its usage is what samples add up to.
//
//	Load ─▶ NVML ─ Device(bus) ─▶ Device ─ Utilisation, Memory, Between, May ─▶ values
//	                                 └──── Sampler.Run ─ every N ms ─▶ Usage
//
// NVML numbers devices without regard to CUDA_VISIBLE_DEVICES, so nothing here
// takes a number. All is safe for concurrent use.
package nvml
