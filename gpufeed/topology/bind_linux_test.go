package topology

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// Of the kernel's linux/mempolicy.h.
const (
	mpolFNode = 1 // the answer is a node
	mpolFAddr = 2 // of the page at an address
)

// mapped gives fresh pages that nobody touched, anonymous or, as an arena has
// them, shared through a file in memory.
func mapped(t *testing.T, bytes int, shared bool) []byte {
	t.Helper()
	fd, flags := -1, syscall.MAP_PRIVATE|syscall.MAP_ANON
	if shared {
		f, err := os.CreateTemp("/dev/shm", "topology")
		if err != nil {
			t.Skipf("NOTICE: no shared memory here: %v", err)
		}
		defer f.Close()
		defer os.Remove(f.Name())
		if err := f.Truncate(int64(bytes)); err != nil {
			t.Fatal(err)
		}
		fd, flags = int(f.Fd()), syscall.MAP_SHARED
	}
	mem, err := syscall.Mmap(fd, 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE, flags)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(mem); err != nil {
			t.Error(err)
		}
	})
	return mem
}

// policyOf asks the kernel for the policy of a mapping, in other words than the
// product does.
func policyOf(t *testing.T, mem []byte) (mode int32, nodes uint64) {
	t.Helper()
	var mask [maxNodes / 64]uint64
	_, _, errno := syscall.Syscall6(syscall.SYS_GET_MEMPOLICY, uintptr(unsafe.Pointer(&mode)),
		uintptr(unsafe.Pointer(&mask)), maxNodes, uintptr(unsafe.Pointer(unsafe.SliceData(mem))), mpolFAddr, 0)
	if errno != 0 {
		t.Fatalf("get_mempolicy: %v", errno)
	}
	return mode, mask[0]
}

// skipIfRefused leaves a test where the kernel or a sandbox has no such call,
// and says so. A call that is wrong (EINVAL) fails.
func skipIfRefused(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EPERM) {
		t.Skipf("NOTICE: not checked: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestBind(t *testing.T) {
	page := os.Getpagesize()
	for _, c := range []struct {
		name   string
		shared bool
	}{{"anonymous memory", false}, {"shared memory", true}} {
		t.Run(c.name, func(t *testing.T) {
			mem := mapped(t, 16*page, c.shared)
			skipIfRefused(t, Bind(mem, 0))
			const preferred = 1 // MPOL_PREFERRED
			if mode, nodes := policyOf(t, mem); mode != preferred || nodes != 1 {
				t.Errorf("policy %d for nodes %#x, want %d for 0x1", mode, nodes, preferred)
			}
			for i := 0; i < len(mem); i += page {
				mem[i] = 1
				if node, err := nodeOf(mem[i:]); err != nil || node != 0 {
					t.Fatalf("nodeOf(page %d) = %d, %v, want 0", i/page, node, err)
				}
			}
		})
	}
}

func TestBindRefused(t *testing.T) {
	page := os.Getpagesize()
	mem := mapped(t, 4*page, false)
	for _, c := range []struct {
		name        string
		mem         []byte
		node        int
		unavailable bool
		want        string // in the error; "" if there is none
	}{
		{"no memory is bound at once", nil, 0, false, ""},
		{"an unknown node is a notice", mem, UnknownNode, true, "not known"},
		{"an absent node is a notice", mem, maxNodes - 1, true, "node 1023"},
		{"a node that no kernel has", mem, maxNodes, false, "at most 1023"},
		{"memory inside a page", mem[1:], 0, false, "begin at a page"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Bind(c.mem, c.node)
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrUnavailable) != c.unavailable {
				t.Errorf("Bind(node %d) = %v, want %q, unavailable %v", c.node, err, c.want, c.unavailable)
			}
		})
	}
}

// TestRefusal: what a kernel, a container or a sandbox refuses is one notice,
// what is wrong with the memory is not.
func TestRefusal(t *testing.T) {
	for errno, unavailable := range map[syscall.Errno]bool{
		syscall.ENOSYS: true, syscall.EPERM: true, syscall.EINVAL: true, syscall.EFAULT: false, syscall.ENOMEM: false,
	} {
		err := refusal("mbind", errno, "no such node")
		if !errors.Is(err, errno) || errors.Is(err, ErrUnavailable) != unavailable || !strings.Contains(err.Error(), "mbind") {
			t.Errorf("refusal(%v) = %v, want unavailable %v", errno, err, unavailable)
		}
	}
	if err := refusal("mbind", 0, ""); err != nil {
		t.Errorf("refusal(0) = %v, want none", err)
	}
}

func TestPinThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := ThreadCPUs()
	skipIfRefused(t, err)
	if len(before) != runtime.NumCPU() {
		t.Fatalf("ThreadCPUs = %v, want the %d that this process may use", before, runtime.NumCPU())
	}
	last := before[len(before)-1:]
	skipIfRefused(t, PinThread(last))
	if got, err := ThreadCPUs(); err != nil || !slices.Equal(got, last) {
		t.Errorf("ThreadCPUs after PinThread(%v) = %v, %v", last, got, err)
	}
	// Another thread goes where it went before.
	other := make(chan []int)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends here
		cpus, _ := ThreadCPUs()
		other <- cpus
	}()
	if got := <-other; !slices.Equal(got, before) {
		t.Errorf("ThreadCPUs of another thread = %v, want %v", got, before)
	}
	if err := PinThread(before); err != nil {
		t.Fatal(err)
	}
	if got, err := ThreadCPUs(); err != nil || !slices.Equal(got, before) {
		t.Errorf("ThreadCPUs after giving back = %v, %v, want %v", got, err, before)
	}
}

func TestPinThreadRefused(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := ThreadCPUs()
	skipIfRefused(t, err)
	// It shares its place in a word of the mask with one that is there.
	absent := maxCPUs - 64 + before[0]%64
	if slices.Contains(before, absent) {
		t.Skipf("NOTICE: this machine has CPU %d", absent)
	}
	for _, c := range []struct {
		name        string
		cpus        []int
		unavailable bool
		want        string
	}{
		{"unknown CPUs are a notice", nil, true, "not known"},
		{"absent CPUs are a notice", []int{absent}, true, "CPUs 81"},
		{"a CPU that no kernel has", []int{maxCPUs}, false, "at most 8191"},
		{"no CPU", []int{-1}, false, "CPU -1"},
	} {
		err := PinThread(c.cpus)
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrUnavailable) != c.unavailable {
			t.Errorf("%s: PinThread(%v) = %v, want %q, unavailable %v", c.name, c.cpus, err, c.want, c.unavailable)
		}
	}
	if got, _ := ThreadCPUs(); !slices.Equal(got, before) {
		t.Errorf("ThreadCPUs after refusals = %v, want %v", got, before)
	}
}

// nodeOf is the node of the first page of mem, which was written to.
func nodeOf(mem []byte) (int, error) {
	node := int32(UnknownNode)
	// Safe: the kernel writes one int during the call and reads nothing of mem.
	_, _, errno := syscall.Syscall6(syscall.SYS_GET_MEMPOLICY,
		uintptr(unsafe.Pointer(&node)), 0, 0,
		uintptr(unsafe.Pointer(unsafe.SliceData(mem))), mpolFNode|mpolFAddr, 0)
	return int(node), refusal("get_mempolicy", errno, "this kernel does not tell")
}
