// Package calibration measures the machine beside a benchmark: how fast its
// memory is, and who else uses its processors.
package calibration
