// Package topology knows how devices hang together, without a driver: from
// sysfs, with system calls that place memory and threads.
//
// Words: an address is where a device stands on PCI; a class is how far two
// devices are apart; a node is a NUMA node; a link is a device's way to its
// first bridge.
//
//	addresses ─ Survey ─▶ Machine ─ Between ─▶ class
//	memory ─ Bind ─▶ node      thread ─ PinThread ─▶ CPUs
//
// What sysfs does not tell (a virtual machine, a container, another system) is
// unknown and never an error.
package topology
