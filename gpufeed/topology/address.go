package topology

import (
	"fmt"
	"strconv"
	"strings"
)

// Address is where a device stands on PCI. CUDA and NVML call it the bus id and
// spell it in their own ways; it joins what they and sysfs say of a device.
type Address struct {
	Domain   uint32 // over 0xffff behind Intel's VMD
	Bus      uint8
	Device   uint8 // 0 to 31
	Function uint8 // 0 to 7
}

// ParseAddress reads an address: "0000:65:00.0" (sysfs, CUDA), "00000000:65:00.0"
// (NVML), "65:00.0" (lspci), "0000:65:00" (CUDA accepts it), in either case.
func ParseAddress(s string) (Address, error) {
	fields := strings.Split(s, ":")
	if len(fields) < 2 || len(fields) > 3 {
		return Address{}, fmt.Errorf("%q is no PCI address such as 0000:65:00.0", s)
	}
	last := len(fields) - 1
	device, function, dotted := strings.Cut(fields[last], ".")
	if !dotted {
		function = "0"
	}
	domain := "0"
	if last == 2 {
		domain = fields[0]
	}
	var v [4]uint32
	ok := dotted || last == 2 // "65:00" alone could as well be a domain and a bus
	for i, part := range []struct {
		hex    string
		digits int
		most   uint32
	}{{domain, 8, 1<<32 - 1}, {fields[last-1], 2, 255}, {device, 2, 31}, {function, 1, 7}} {
		n, err := strconv.ParseUint(part.hex, 16, 32)
		v[i] = uint32(n)
		ok = ok && err == nil && len(part.hex) <= part.digits && v[i] <= part.most
	}
	if !ok {
		return Address{}, fmt.Errorf("%q is no PCI address such as 0000:65:00.0", s)
	}
	return Address{Domain: v[0], Bus: uint8(v[1]), Device: uint8(v[2]), Function: uint8(v[3])}, nil
}

// String spells the address as sysfs does.
func (a Address) String() string {
	return fmt.Sprintf("%04x:%02x:%02x.%x", a.Domain, a.Bus, a.Device, a.Function)
}
