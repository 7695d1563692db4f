package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/gpufeed"
	"voxpack/store"
)

// mending makes damaged shards anew from the sources of a dataset, for --on-corrupt
// repair. Its sources are looked at when the first one is met.
type mending struct {
	ctx     context.Context // of the command
	options *feedrun.Options
	place   locate.Place
	data    *store.Dataset
	stderr  io.Writer

	once   sync.Once
	mender *compiler.Mender
	err    error
}

// newMending is nil unless the options ask for it.
func newMending(ctx context.Context, o *feedrun.Options, p locate.Place, d *store.Dataset, stderr io.Writer) *mending {
	if o.OnCorrupt != feedrun.Repair {
		return nil
	}
	return &mending{ctx: ctx, options: o, place: p, data: d, stderr: stderr}
}

// feed is what feeds have of it, nil where it is nil.
func (m *mending) feed() *gpufeed.Mender {
	if m == nil {
		return nil
	}
	return gpufeed.NewMender(m.shard)
}

// shard makes the blocks of a shard anew.
func (m *mending) shard(leaf int) ([][]byte, error) {
	m.once.Do(func() {
		opts := compiler.Options{Store: m.place.Store, Now: time.Now}
		if m.place.Dataset != "" || m.options.Config != "" {
			opts, _, m.err = settings.Flags{Dataset: m.place.Dataset, Config: m.options.Config, Tool: toolVersion()}.Options(m.stderr)
		}
		if m.err == nil {
			m.mender, m.err = compiler.OpenMender(m.ctx, opts, m.data)
		}
	})
	if m.err != nil {
		return nil, m.err
	}
	l, err := m.mender.Leaf(m.ctx, leaf)
	if err != nil {
		return nil, err
	}
	if len(l.Lost) > 0 {
		return nil, fmt.Errorf("%s: %s", l.Lost[0].ID, l.Lost[0].Reason)
	}
	if !m.options.Quiet {
		fmt.Fprintf(term.MakeSafe(m.stderr), "warning: shard %d was damaged; its rows are made anew from their sources, and voxpack repair does so in the store\n", leaf)
	}
	return l.Blocks, nil
}

func (m *mending) close() {
	if m != nil {
		m.mender.Close()
	}
}
