package intake

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree is a folder of files with a text, or with nothing in them where it is "".
type tree map[string]string

func (files tree) write(t testing.TB, dir string) string {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// rowText is a row without its place.
func rowText(r Row) string {
	s := r.ID
	if a := r.Audio; a != nil {
		s += " (" + a.Path + ")"
		if a.Member > 0 {
			s += fmt.Sprintf("#%d:%s", a.Member, a.Inner)
		}
		if a.Part() {
			s += fmt.Sprintf(" %v+%v", a.From, a.Length)
		}
	}
	s += " " + r.Text
	if r.HasGiven {
		s += "/" + r.Given
	}
	for _, more := range []string{r.Speaker, r.Language, string(r.Split)} {
		if more != "" {
			s += " [" + more + "]"
		}
	}
	return s
}

// outcome is what became of a corpus: its format, then a line a row and a line
// an error.
func outcome(t testing.TB, c Corpus) []string {
	t.Helper()
	m, err := Read(c)
	if err != nil {
		return []string{strings.ReplaceAll(err.Error(), c.Dir, "DIR")}
	}
	accounted(t, m)
	got := []string{m.Format}
	for _, r := range m.Rows {
		got = append(got, fmt.Sprintf("%v %s", r.Pos, rowText(r)))
	}
	for _, e := range m.Errors {
		got = append(got, fmt.Sprintf("%v %s! %v", e.Pos, e.ID, e.Err))
	}
	return got
}

type treeCase struct {
	name  string
	files tree
	want  []string
}

func check(t *testing.T, cases []treeCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := outcome(t, Corpus{Dir: c.files.write(t, t.TempDir())})
			if !slices.Equal(got, c.want) {
				t.Errorf("%s\nbecomes\n%s\nwant\n%s", strings.Join(slices.Sorted(maps.Keys(c.files)), " "), strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// with adds files to a tree.
func (files tree) with(more tree) tree {
	all := maps.Clone(files)
	maps.Copy(all, more)
	return all
}

func TestLinksStayInTheCorpus(t *testing.T) {
	outside := tree{"secret.txt": "Not for this corpus.", "p3/p3_1.txt": "Nor this."}.write(t, t.TempDir())
	dir := tree{"txt/p1/p1_1.txt": "One.", "kept/p1_2.txt": "Two.", "wav48/p1/p1_1.wav": "", "wav48/p1/p1_2.wav": "", "wav48/p1/p1_3.wav": ""}.write(t, t.TempDir())
	for name, target := range map[string]string{
		"txt/p1/p1_2.txt": "../../kept/p1_2.txt",
		"txt/p1/p1_3.txt": filepath.Join(outside, "secret.txt"),
		"txt/p1/p1_4.txt": "nowhere.txt",
		"txt/p3":          filepath.Join(outside, "p3"),
	} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	astray := errAstray.Error()
	want := []string{"vctk",
		"txt/p1/p1_1.txt:1 p1_1 (wav48/p1/p1_1.wav) One. [p1]",
		"txt/p1/p1_2.txt:1 p1_2 (wav48/p1/p1_2.wav) Two. [p1]",
		"txt/p3:1 ! " + astray, "txt/p1/p1_3.txt:1 ! " + astray, "txt/p1/p1_4.txt:1 ! " + astray,
		"txt/p1/p1_3.txt:1 p1_3! no such file, and so no text for wav48/p1/p1_3.wav",
	}
	if got := outcome(t, Corpus{Dir: dir}); !slices.Equal(got, want) {
		t.Errorf("links give\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The same rows in the same order, however the goroutines run: with thousands of
// files a wrong order shows.
func TestManySmallFilesKeepTheirOrder(t *testing.T) {
	files, each := tree{}, 250
	if testing.Short() {
		each = 40
	}
	for s := range 4 {
		for n := range each {
			id := fmt.Sprintf("p%d/p%d_%03d", s, s, n)
			files["txt/"+id+".txt"] = fmt.Sprint("Text ", s, n)
			files["wav48/"+id+".wav"] = ""
		}
	}
	m, err := Read(Corpus{Dir: files.write(t, t.TempDir())})
	if err != nil || len(m.Rows) != 4*each || len(m.Errors) != 0 {
		t.Fatalf("%d rows, %d errors, %v", len(m.Rows), len(m.Errors), err)
	}
	for i, r := range m.Rows {
		if want := fmt.Sprintf("p%d_%03d", i/each, i%each); r.ID != want || r.Text != fmt.Sprint("Text ", i/each, i%each) {
			t.Fatalf("row %d is %s %q, want %s", i, r.ID, r.Text, want)
		}
	}
}
