package audiotest

import "golang.org/x/sys/cpu"

// WithoutVectors runs f as on a machine without the instructions that the vector kernels need. Kernels
// are chosen when a computer is made or a conversion begins, so f must do that itself, and no other
// test may run at the same time.
func WithoutVectors(f func()) {
	before := cpu.X86
	defer func() { cpu.X86 = before }()
	cpu.X86.HasAVX2, cpu.X86.HasAVX512F = false, false
	f()
}

// WithoutWideVectors runs f in the same way as on a machine with AVX2, and no wider vectors.
func WithoutWideVectors(f func()) {
	before := cpu.X86
	defer func() { cpu.X86 = before }()
	cpu.X86.HasAVX512F = false
	f()
}
