//go:build !race

package intake

// bytesPerByte is the memory that hostile metadata may take for each of its bytes.
const bytesPerByte = 300
