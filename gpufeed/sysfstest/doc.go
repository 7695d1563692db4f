// Package sysfstest makes folders that look like /sys, for tests of what depends
// on how a machine's devices hang together.
package sysfstest
