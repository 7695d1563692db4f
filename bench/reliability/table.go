package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// table collects results by scene and fault.
type table struct {
	rows  []*tableRow
	wrong int
}

type tableRow struct {
	scene, what                          string
	tried, foreign, lost, stuck, unclear int
	codes                                map[int]int
}

func (t *table) add(r result) {
	var row *tableRow
	end := len(t.rows) // behind the others of the scene
	for i, have := range t.rows {
		if have.scene != r.scene {
			continue
		}
		if end = i + 1; have.what == r.what {
			row = have
		}
	}
	if row == nil {
		row = &tableRow{scene: r.scene, what: r.what, codes: map[int]int{}}
		t.rows = slices.Insert(t.rows, end, row)
	}
	row.tried++
	if r.foreign() {
		row.foreign++
	} else {
		row.codes[r.code]++
	}
	wrong := r.wrong()
	switch {
	case r.lost != "" || r.wrongRoot != "":
		row.lost++
	case r.stuck != "" || r.hung:
		row.stuck++
	case len(wrong) > 0:
		row.unclear++
	}
	if len(wrong) > 0 {
		t.wrong++
	}
}

func (t *table) failures() int { return t.wrong }

func (t *table) text() string {
	var b strings.Builder
	b.WriteString("| scene | fault | tried | ended with | in the Go runtime | lost or wrong | stuck | unclear end |\n|---|---|---|---|---|---|---|---|\n")
	sum := tableRow{}
	for _, r := range t.rows {
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %d | %d | %d | %d |\n", r.scene, r.what, r.tried, counts(r.codes), r.foreign, r.lost, r.stuck, r.unclear)
		sum.tried, sum.foreign, sum.lost, sum.stuck, sum.unclear = sum.tried+r.tried, sum.foreign+r.foreign, sum.lost+r.lost, sum.stuck+r.stuck, sum.unclear+r.unclear
	}
	fmt.Fprintf(&b, "| all | | %d | | %d | %d | %d | %d |\n", sum.tried, sum.foreign, sum.lost, sum.stuck, sum.unclear)
	return b.String()
}

// keep replaces what stands below the line of hyphens in a file.
func keep(path, text string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	head, _, ok := strings.Cut(string(b), "\n---\n")
	if !ok {
		return fmt.Errorf("%s has no line of hyphens", path)
	}
	return os.WriteFile(path, []byte(head+"\n---\n\n"+text), 0o666)
}
