package compiler

import (
	"errors"
	"fmt"
	"testing"

	"voxpack/compiler/intake"
	"voxpack/store"
)

// manySpeakers is a layout of n rows, each with one of some names.
func manySpeakers(rows, names int) (*layout, *Config) {
	c := Config{}.withDefaults()
	items := make([]item, rows)
	for i := range items {
		it := &items[i]
		it.row = &intake.Row{ID: fmt.Sprint(i), Speaker: fmt.Sprint("speaker ", i%names)}
		it.place = store.Place(it.row.ID)
		it.fate = &fate{made: &store.OriginRow{ID: it.row.ID, Speaker: it.row.Speaker}}
	}
	return layOut(&c, items, columns{speaker: true}, nil), &c
}

// TestASpeakerThatMovesIsRefused: up or down, since either gives a name another's voice.
func TestASpeakerThatMovesIsRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		old, now []string
		moves    bool
	}{
		{"the same", []string{"a", "b"}, []string{"a", "b"}, false},
		{"one more at the end", []string{"a", "b"}, []string{"a", "b", "c"}, false},
		{"the last is gone", []string{"a", "b"}, []string{"a"}, false},
		{"one more in front", []string{"a", "b"}, []string{"0", "a", "b"}, true},
		{"the first is gone", []string{"a", "b"}, []string{"b"}, true},
	} {
		if err := checkSpeakers(tt.old, tt.now); (err != nil) != tt.moves || err != nil && !errors.Is(err, ErrSpeakers) {
			t.Errorf("%s: checkSpeakers(%q, %q) = %v, want refused: %v", tt.name, tt.old, tt.now, err, tt.moves)
		}
	}
}

// TestALeafCostsTheSameAmong20000Speakers: the table of all names is made once, and
// neither for each leaf nor searched for each row.
func TestALeafCostsTheSameAmong20000Speakers(t *testing.T) {
	cost := func(names int) float64 {
		l, c := manySpeakers(20000, names)
		if len(l.speakers) != names {
			t.Fatalf("%d speakers, want %d", len(l.speakers), names)
		}
		rows := l.rowsOf(&l.tasks[len(l.tasks)/2])
		column := l.schema.Inline().Index("speaker")
		for i, got := range l.scalars(c, rows)[column] {
			if want := rows[i].made.Speaker; l.speakers[got] != want {
				t.Errorf("row %d has number %d, that of %s; want %s", i, got, l.speakers[got], want)
			}
		}
		return testing.AllocsPerRun(10, func() { l.scalars(c, rows) })
	}
	few, many := cost(10), cost(20000)
	t.Logf("%v allocations a leaf among 10 speakers, %v among 20,000", few, many)
	if many > few {
		t.Errorf("a leaf takes %v allocations among 20,000 speakers, %v among 10", many, few)
	}
}

func BenchmarkScalars(b *testing.B) {
	for _, names := range []int{10, 20000} {
		b.Run(fmt.Sprint(names, " speakers"), func(b *testing.B) {
			l, c := manySpeakers(20000, names)
			for b.Loop() {
				l.scalars(c, l.rowsOf(&l.tasks[0]))
			}
		})
	}
}
