// Command voxpack compiles a speech corpus into fixed-shape training shards and
// shows, explains and checks what it made.
//
// A command is one file, cmd_x.go: newXCommand declares flags, runX makes one
// call and prints. What more than one of them needs, and what is more than that,
// lies in packages below internal:
//
//	arguments ──▶ a Place                          internal/locate
//	config file and flags ──▶ compiler.Options     internal/settings
//	compiler.Options ──▶ a report ──▶ its lines    cmd_build.go, summary.go
//	a Place ──▶ pages, pictures, sound             internal/show, internal/picture
//	a Place ──▶ batches, measured                  internal/feedrun
//	numbers, pages, progress, errors               internal/term
//	error ──▶ message and exit code                exit.go
//
// Results go to stdout and are the same in every run; what is for people while
// they wait goes to stderr.
//
// More than 30 files: each command is one, and all of them are one program.
package main
