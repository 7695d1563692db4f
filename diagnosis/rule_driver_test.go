package diagnosis

import "testing"

func TestDriver(t *testing.T) {
	for _, tt := range []struct {
		name   string
		says   string
		driver *Driver
	}{
		{"one that serves, or none where there is no GPU", "", nil},
		{"one that is too old", "a driver is there, and no GPU can be used: too old", &Driver{Why: "too old"}},
		{"GPUs without one", "the system shows 2 GPUs, and no GPU can be used: not found", &Driver{GPUs: 2, Why: "not found"}},
	} {
		wantVerdict(t, tt.name, "driver", tt.driver != nil, tt.says, Observation{Driver: tt.driver})
	}
}
