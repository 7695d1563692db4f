package diagnose

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestThePageComparesTheseRuns: the output on the pages is that of these records.
func TestThePageComparesTheseRuns(t *testing.T) {
	pages, err := filepath.Abs(filepath.Join("..", "..", "..", "..", "docs"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, run := range map[string][3]float64{ // step, its deviation, percent that the GPU is busy
		"before1": {200, 70, 62}, "before2": {201.5, 66, 61}, "after1": {151, 12, 91}, "after2": {150.2, 13, 91},
	} {
		step, std := run[0], run[1]
		record := fmt.Sprintf(`{"format":1,"kind":"feed","started":"2026-11-21T02:17:54Z","settings":{"batch_size":16,"step_ms":150},
"results":{"batches":1001,"seconds":%v,"samples_per_second":%v,"step":{"mean_ms":%v,"std_ms":%v,"variation":%v},"stall":{"fraction":0.01},
"devices":[{"gpu":1,"role":"model","utilisation":%v}]}}`, step, 16_000/step, step, std, 100*std/step, run[2])
		if err := os.WriteFile(name+".json", []byte(record), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := RunCompare(&CompareOptions{}, []string{"before1.json,before2.json", "after1.json,after2.json"}, &out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 60 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, language := range []string{"en", "fa"} {
		src, err := os.ReadFile(filepath.Join(pages, language, "diagnosis.md"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(src), "```text\n"+out.String()+"```\n") {
			t.Errorf("docs/%s/diagnosis.md does not show\n%s", language, &out)
		}
	}
}
