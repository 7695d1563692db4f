// Package memfile makes memory that has a file, so that other processes can map it too.
package memfile
