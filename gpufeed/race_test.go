//go:build race

package gpufeed

const raceDetector = true
