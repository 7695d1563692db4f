//go:build race

package intake

// bytesPerByte: the race detector puts on the heap what otherwise stays on the stack.
const bytesPerByte = 450
