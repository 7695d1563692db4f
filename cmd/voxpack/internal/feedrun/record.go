package feedrun

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/internal/perf"
)

// RecordsName is the folder of run records in a store.
const RecordsName = "runs"

// keepRecord leaves the run's record for later diagnosis. A store that nobody
// may write to goes without, with a note; a folder that was asked for does not.
func (r *run) keepRecord(f *Report) error {
	asked := r.options.record
	switch {
	case asked == "none":
		return nil
	case asked != "":
		if err := r.writeRecord(f, asked); err != nil {
			return fmt.Errorf("--record: %w", err)
		}
	case !locate.IsStore(r.place.Store): // writing would make half of one
		r.said.note("no run record was kept: %s is no longer a store", r.place.Store)
	default:
		if err := r.writeRecord(f, filepath.Join(r.place.Store, RecordsName)); err != nil {
			r.said.note("no run record was kept: %v", err)
		}
	}
	return nil
}

func (r *run) writeRecord(f *Report, dir string) error {
	record := perf.RunRecord{
		Kind: "feed", Version: r.options.Version, Started: r.started, Seconds: r.ended.Sub(r.started).Seconds(),
		Host: perf.ReadHost(os.DirFS("/"), runtime.GOMAXPROCS(0)), Settings: r.options.settings(), Stages: f.Stages,
		Calibration: map[string]float64{"memcpy_bytes_per_second": f.Memcpy}, Notes: r.remarks(),
	}
	results := *f
	results.Error = "" // it may name paths, which a record has none of
	err := record.SetResults(results)
	if err == nil {
		_, err = record.Write(dir, rand.Reader, 0)
	}
	return err
}

// remarks is all that the run had to say.
func (r *run) remarks() []string {
	var all []string
	for _, a := range r.said.advice {
		all = append(all, a.Text)
	}
	return append(append(all, r.said.notes...), r.said.warnings...)
}

// settings are the flags, with the config's values, by their names. Files are
// left out: a record names no path.
func (o *Options) settings() map[string]any {
	return map[string]any{
		"batch_size": o.Batch, "epochs": o.epochs, "steps": o.steps, "rank": o.rank, "world": o.World, "seed": o.Seed,
		"split": o.Split, "val_split": o.ValSplit, "train_split": o.TrainSplit, "shuffle": o.Shuffle, "tail": o.Tail,
		"languages": strings.Join(o.Languages, " "), "speakers": len(o.Speakers), "weights": len(o.Weights), "buckets": numbers(o.Buckets),
		"mel_norm": o.MelNorm, "reference": o.Reference, "segment": o.Segment, "extra": strings.Join(o.Extra, " "),
		"device": o.Device, "mode": o.Mode, "data_gpu": o.dataGPU, "model_gpu": o.modelGPU, "data_gpu_memory": o.dataMB, "model_gpu_memory": o.modelMB,
		"cache": o.Cache, "prefetch_buffer_size": o.depth(), "pipeline_buffer_size": o.pipeline, "fixed_depth": o.fixed,
		"workers": o.fillers(), "checksums": o.Checks, "on_corrupt": o.OnCorrupt, "step_ms": o.stepMS, "jitter": o.jitter, "digest": o.digest,
		"link": o.planted.link, "slow": strings.Join(o.slow, " "),
	}
}

// numbers are written as in a flag: 400,600,800.
func numbers(list []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
}
