// Package atomicfile writes files so that nobody ever sees half of one.
package atomicfile
