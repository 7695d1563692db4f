// Command reliability kills builds, lets system calls of theirs fail, and flips
// bits of stores, and looks each time at what is left. It takes Linux and strace.
//
// A scene is a store and a command over it. A trial runs the command on a copy
// of the scene with one fault, and judges: the exit code and what was said; that
// the ref names what it named, or what the command was to make; and that the
// next build without a fault makes what a build on a sound machine makes.
package main
