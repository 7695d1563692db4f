package feedrun

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"voxpack/cmd/voxpack/internal/locate"
)

// output is a file that a flag has the run write.
type output struct {
	flag, path string
	stdout     bool // "-" is stdout
	replaced   bool // written beside its place and renamed
}

// outputs are the files to look at before a run. --ids is written as batches come
// and may be a pipe, so that it is not replaced as a whole.
func (o *Options) outputs() []output {
	return []output{
		{"save-cursor", o.saveCursor, false, true},
		{"ids", o.ids, true, false},
		{"trace", o.trace, false, true},
	}
}

// checkOutput looks at files: a run of hours must not end with one that cannot
// be written.
func (o *Options) checkOutput(p *problems) {
	p.add(o.ids == "-" && o.json, "--ids - and --json both print to stdout: give --ids a file")
	written := map[string]string{}
	for _, f := range o.outputs() {
		if f.path == "" {
			p.add(o.Given(f.flag), "--%s: the name of the file is empty", f.flag)
			continue
		}
		if other, ok := written[filepath.Clean(f.path)]; ok {
			p.add(true, "--%s and --%s both write %s", other, f.flag, f.path)
		}
		// Cleaned paths are compared, not files: two links to one file go unseen.
		written[filepath.Clean(f.path)] = f.flag
		f.check(p)
	}
	p.add(o.resume == "-", "--resume - is not a file; /dev/stdin is what comes through a pipe")
	p.add(o.resume != "" && (o.ids == o.resume || o.trace == o.resume), "--resume %s would be written over by another flag", o.resume)
	info, err := os.Stat(o.record)
	p.add(o.record != "" && o.record != "none" && err == nil && !info.IsDir(), "--record %s: it is a file; name a folder", o.record)
}

// CheckFile says what is wrong with a file that a flag has a command write at its
// end.
func CheckFile(flag, path string) error {
	var p problems
	output{flag, path, false, true}.check(&p)
	return p.err()
}

// check adds what is wrong with a path.
func (f output) check(p *problems) {
	dir := filepath.Dir(f.path)
	info, err := os.Stat(f.path)
	switch {
	case f.path == "-":
		p.add(!f.stdout, "--%s - is not a file, and stdout has the report; name a file", f.flag)
	case err == nil && info.IsDir():
		p.add(true, "--%s %s: it is a folder; name a file in it", f.flag, f.path)
	// What is written in place has to be writable itself. A regular file that is
	// replaced needs a folder in which a new one can be made.
	case err == nil && !(f.replaced && info.Mode().IsRegular()):
		why := unix.Access(f.path, unix.W_OK)
		p.add(why != nil, "--%s %s: it cannot be written to: %w", f.flag, f.path, why)
	case !locate.IsFolder(dir):
		p.add(true, "--%s %s: there is no folder %s", f.flag, f.path, dir)
	default:
		why := unix.Access(dir, unix.W_OK|unix.X_OK)
		p.add(why != nil, "--%s %s: no file can be made in %s: %w", f.flag, f.path, dir, why)
	}
}
