//go:build !race

package drivertest

const raceEnabled = false

// batch is a batch of 32 samples of f32 mel, 32 × 256.8 kB, in round figures.
const batch = 8 << 20
