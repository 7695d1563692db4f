package nvml

import (
	"fmt"

	"voxpack/gpufeed/topology"
)

// parseBus reads a bus id as CUDA, NVML, sysfs and lspci spell it and gives it
// as sysfs does ("0000:65:00.0") and as NVML does ("00000000:65:00.0").
func parseBus(s string) (sysfs, nvml string, err error) {
	a, err := topology.ParseAddress(s)
	if err != nil {
		return "", "", fmt.Errorf("%q is not a bus id such as 0000:65:00.0", s)
	}
	return a.String(), fmt.Sprintf("%08X:%02X:%02X.%X", a.Domain, a.Bus, a.Device, a.Function), nil
}
