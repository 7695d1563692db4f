package gpufeed

import (
	"errors"
	"fmt"
	"strings"

	"voxpack/gpufeed/cuda"
	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/sim"
)

// backends are the kinds of devices that batches can be moved to.
var backends = []struct {
	name string
	open func() (driver.Driver, error)
}{
	{"host", func() (driver.Driver, error) { return nil, nil }},
	{"sim", func() (driver.Driver, error) { return sim.New(sim.Options{}), nil }},
	{"cuda", func() (driver.Driver, error) { return cuda.Load("") }},
}

// Backends lists the names that OpenDriver takes.
func Backends() []string {
	names := []string{"auto"}
	for _, b := range backends {
		names = append(names, b.name)
	}
	return names
}

// OpenDriver opens a backend for Config.Driver; nil is the host. "auto" is cuda
// where there is a GPU, else the host, and note then says so. The caller closes
// the driver after the feed.
func OpenDriver(name string) (d driver.Driver, note string, err error) {
	auto := name == "auto"
	if auto {
		name = "cuda"
	}
	for _, b := range backends {
		if b.name != name {
			continue
		}
		d, err = b.open()
		if auto && errors.Is(err, driver.ErrNoDriver) {
			return nil, fmt.Sprintf("batches stay on the host: %v", err), nil
		}
		return d, "", err
	}
	return nil, "", fmt.Errorf("device %q: want %s", name, strings.Join(Backends(), ", "))
}
