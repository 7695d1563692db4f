package diagnosis

import "testing"

func TestStore(t *testing.T) {
	for _, tt := range []struct {
		name  string
		rule  string
		says  string
		store *Store
	}{
		{"one that nobody looked at", "", "", nil},
		{"a sound one", "", "", &Store{Rows: 1}},
		{"one damaged place", "store-damaged", "the store is damaged: pack a: gone; ", &Store{Rows: 10, Damage: 1, First: "pack a: gone"}},
		{"damage from which no row can be read is no empty dataset", "store-damaged", "in 2 places", &Store{Damage: 2, First: "x"}},
		{"no row", "store-empty", "has no row", &Store{}},
	} {
		wantVerdict(t, tt.name, tt.rule, tt.rule != "", tt.says, Observation{Store: tt.store})
	}
}

// TestDamageHasToBeMended: it is no warning.
func TestDamageHasToBeMended(t *testing.T) {
	for _, o := range []Observation{{Store: &Store{Damage: 1, First: "x"}}, {Store: &Store{}}, {Driver: &Driver{Why: "x"}}} {
		if found := Find(o); len(found) != 1 || !found[0].Grave() {
			t.Errorf("%+v", found)
		}
	}
}
