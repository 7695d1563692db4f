// Command reliability kills commands, lets system calls of theirs fail, takes room,
// descriptors and rights from them, runs them beside each other, and harms files of
// stores, bit by bit and as a whole. It takes Linux and strace, and for file systems of
// its own root.
//
// A scene is a store and a command over it. A trial runs the command on a copy
// of the scene with one fault, and judges: the exit code and what was said; that
// the ref names what it named, or what the command was to make; that what was stored
// before is whole; that the same command, run once more, does its work; and that the
// next build without a fault makes what a build on a sound machine makes.
//
// The other parts have files of their own: counted.go kills builds whose finished rows
// are counted, limit.go and disk.go are of resources, names.go of odd folders and clocks,
// flip.go, large.go and files.go of damage, together.go of 50 readers beside all that
// changes a store. What is drawn follows from the seed, which is printed.
package main
