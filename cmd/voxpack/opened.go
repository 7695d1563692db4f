package main

import (
	"errors"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/store"
)

// opened is a snapshot that an argument names, in its open store.
type opened struct {
	*store.Store
	Place  locate.Place
	Digest store.Digest
}

// openVersion opens what an argument names; without @REF it is ref.
func openVersion(arg, ref string) (*opened, error) {
	p, err := locate.Find(arg)
	if err != nil {
		return nil, err
	}
	if !p.Named {
		p.Ref = ref
	}
	st, err := p.Open()
	if err != nil {
		return nil, err
	}
	digest, err := st.Resolve(p.Ref)
	if err != nil {
		return nil, errors.Join(p.Hint(err), st.Close())
	}
	return &opened{st, p, digest}, nil
}
