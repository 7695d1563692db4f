// Command voxpack compiles a speech corpus into fixed-shape training shards and
// shows, explains and checks what it made.
//
// A place is what an argument names: a dataset's folder, a store, STORE@REF. An
// order is everything a build needs, put together from flags and a config file.
// A command is one file: newXCommand declares flags, runX makes one call and
// prints.
//
//	arguments ──▶ place         place.go
//	config file ──▶ order       order.go, translate.go
//	order ──▶ compiler ──▶ report ──▶ lines or JSON     cmd_*.go, summary.go, rowpage.go, setpage.go
//	error ──▶ message and exit code                     exit.go
//
// Results go to stdout and are the same in every run; what is for people while
// they wait goes to stderr.
package main
