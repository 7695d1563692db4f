package audio

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// A fused product changes the last bit of a float64, which the float32 of a mel shows once in millions of values: digests alone
// would let it pass. So the compiler's own listing is searched, for two machines that fuse.
func TestNoProductIsFusedWithASum(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command in PATH: cannot list the machine code")
	}
	fused := regexp.MustCompile(`\(\S*?([a-z0-9_]+\.go:[0-9]+)\)\s+(V?FN?M(?:ADD|SUB)[A-Z0-9]*)\b`)
	for _, target := range [][]string{{"GOARCH=arm64"}, {"GOARCH=amd64", "GOAMD64=v3"}} {
		t.Run(strings.Join(target, ","), func(t *testing.T) {
			t.Parallel()
			if testing.Short() && target[0] != "GOARCH=arm64" {
				t.Skip("one machine under -short")
			}
			cmd := exec.Command(goTool, "build", "-o", os.DevNull, "-gcflags=-S", ".", "./codec", "./resample", "./detmath")
			cmd.Env = append(append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0"), target...)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if !regexp.MustCompile(`detmath\.go:[0-9]+\)\s+(FMULD|MULSD|VMULSD)`).Match(out) {
				t.Fatal("the listing shows no product at all: it is not what this test reads")
			}
			for _, m := range fused.FindAllSubmatch(out, -1) {
				t.Errorf("%s: %s: wrap the product in float64(...)", m[1], m[2])
			}
		})
	}
}
