package cuda

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"voxpack/gpufeed/driver"
)

// TestCodes: each code has a name and says what to do; which of them end a
// device, which of them are no driver.
func TestCodes(t *testing.T) {
	kinds := map[code]error{2: driver.ErrOutOfMemory}
	for _, c := range []code{3, 34, 100, 802, 803, 804} {
		kinds[c] = driver.ErrNoDriver
	}
	for _, c := range []code{4, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 999} {
		kinds[c] = driver.ErrLost
	}
	for _, c := range []code{1, 2, 3, 4, 34, 46, 100, 101, 201, 205, 208, 214, 217, 220, 226, 400, 600, 700, 702, 704, 708, 709, 710,
		712, 713, 714, 715, 716, 717, 718, 719, 800, 801, 802, 803, 804, 805, 999} {
		err := c.refuse(fnAlloc, 1)
		if !strings.HasPrefix(err.Name, "CUDA_ERROR_") || err.Hint == "" || err.Call != "cuMemAlloc" || err.Code != int(c) {
			t.Errorf("code %d = %+v, want the code, its call, a name and a hint", c, *err)
		}
		if err.Kind != kinds[c] {
			t.Errorf("code %d is of kind %v, want %v", c, err.Kind, kinds[c])
		}
		if kinds[c] != nil && !errors.Is(err, kinds[c]) {
			t.Errorf("code %d is not %v", c, kinds[c])
		}
	}
}

// TestNumbers compares our numbers with NVIDIA's own cuda.h, where a machine has
// one.
func TestNumbers(t *testing.T) {
	include := os.Getenv("VOXPACK_CUDA_INCLUDE")
	if include == "" {
		include = "/usr/local/cuda/include"
	}
	header, err := os.ReadFile(filepath.Join(include, "cuda.h"))
	if err != nil {
		t.Skipf("NOTICE: numbers were not compared with cuda.h (VOXPACK_CUDA_INCLUDE): %v", err)
	}
	numbers := map[string]int64{}
	for _, m := range regexp.MustCompile(`(?m)^\s*(CU[A-Z_0-9]+)\s*=\s*(0x[0-9a-fA-F]+|[0-9]+)`).FindAllStringSubmatch(string(header), -1) {
		if n, err := strconv.ParseInt(m[2], 0, 64); err == nil {
			numbers[m[1]] = n
		}
	}
	want := map[string]int64{
		"CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT": int64(Multiprocessors), "CU_DEVICE_ATTRIBUTE_COMPUTE_MODE": int64(ComputeMode),
		"CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT": int64(CopyEngines), "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR": int64(ComputeMajor),
		"CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR": int64(ComputeMinor), "CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED": int64(StreamPriorities),
		"CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED": int64(HostRegister), "CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED": int64(ReadOnlyRegister),
		"CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED": int64(EventsBetween), "CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID": int64(HostNUMANode),
		"CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS": int64(PageableAccess), "CU_DEVICE_ATTRIBUTE_INTEGRATED": int64(IntegratedWithCPU),
		"CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING": int64(UnifiedAddressing),
		"CU_EVENT_BLOCKING_SYNC":                 blockingSync, "CU_EVENT_DISABLE_TIMING": disableTiming, "CU_EVENT_INTERPROCESS": interprocess,
		"CU_STREAM_NON_BLOCKING": 1, "CU_CTX_SCHED_BLOCKING_SYNC": 4, "CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS": 1,
		"CU_MEMCPY_SRC_ACCESS_ORDER_STREAM": 1,
	}
	for _, c := range codes {
		want[c.name] = int64(c.code)
	}
	for name, n := range want {
		if got, ok := numbers[name]; !ok || got != n {
			t.Errorf("%s = %d in cuda.h (there: %v), want %d", name, got, ok, n)
		}
	}
	for _, name := range symbolNames {
		if !regexp.MustCompile(`\b` + name + `\b`).Match(header) {
			t.Errorf("cuda.h has no %s", name)
		}
	}
}
