//go:build race

package drivertest

const raceEnabled = true

// batch is smaller than without the detector, which watches every word that is
// filled in.
const batch = 1 << 20
