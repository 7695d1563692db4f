package diagnose

import (
	"fmt"
	"os"
	"path/filepath"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/internal/perf"
)

// ReadRecord reads a run record: a file, or of a dataset or a store the feed that
// ended last.
func ReadRecord(arg string) (perf.RunRecord, error) {
	if locate.IsFolder(arg) {
		p, err := locate.Find(arg)
		if err != nil {
			return perf.RunRecord{}, err
		}
		return perf.Latest(filepath.Join(p.Store, feedrun.RecordsName), "feed")
	}
	f, err := os.Open(arg)
	if err != nil {
		return perf.RunRecord{}, err
	}
	defer f.Close()
	r, err := perf.ReadRecord(f)
	if err != nil {
		return perf.RunRecord{}, fmt.Errorf("%s: %w", arg, err)
	}
	return r, nil
}
