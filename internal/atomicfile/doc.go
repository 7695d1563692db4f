// Package atomicfile writes files so that a reader and a power cut see the old
// bytes or the new ones, never a part.
//
// A file is written next to its place under a name that begins with TempPrefix,
// sent to the disk, and renamed; then the folder is sent to the disk. A process
// that is killed meanwhile leaves the temporary file and nothing else.
package atomicfile
