package numbers

import "testing"

// The examples are those that CLDR 48 lists for its cardinal plural rules.
func TestPluralClass(t *testing.T) {
	tests := []struct {
		lang, class string
		digits      []string
	}{
		{"en", "one", []string{"1", "-1"}},
		{"en", "other", []string{"0", "2", "16", "1.0", "0.5", "1000000", "", "x"}},
		{"de", "other", []string{"1.0", "0", "1000000"}},
		{"nl", "one", []string{"1"}},
		{"es", "one", []string{"1", "1.0", "1.00"}},
		{"es", "many", []string{"1000000", "2000000", "1000000000000000000000"}},
		{"es", "other", []string{"0", "2", "1.1", "1000000.0"}},
		{"it", "one", []string{"1"}},
		{"it", "other", []string{"1.0", "0"}},
		{"it", "many", []string{"1000000"}},
		{"fr", "one", []string{"0", "1", "0.0", "1.5", "1.99"}},
		{"fr", "other", []string{"2", "2.0", "17"}},
		{"fr", "many", []string{"3000000"}},
		{"pt", "one", []string{"0", "1", "0.5", "1.5"}},
		{"pt", "many", []string{"1000000"}},
		{"pt-PT", "one", []string{"1"}},
		{"pt-PT", "other", []string{"0", "0.5", "1.0"}},
		{"pt-PT", "many", []string{"1000000"}},
		{"tr", "one", []string{"1", "1.0"}},
		{"hu", "other", []string{"0", "2", "1.1"}},
		{"pl", "one", []string{"1"}},
		{"pl", "few", []string{"2", "3", "4", "22", "24", "102", "1002"}},
		{"pl", "many", []string{"0", "5", "11", "12", "14", "21", "100", "112"}},
		{"pl", "other", []string{"1.0", "0.5", "1.5"}},
		{"ru", "one", []string{"1", "21", "31", "101", "1001"}},
		{"ru", "few", []string{"2", "4", "22", "104"}},
		{"ru", "many", []string{"0", "5", "11", "14", "111", "100"}},
		{"ru", "other", []string{"1.0", "0.5"}},
		{"uk", "one", []string{"1", "21", "101"}},
		{"uk", "few", []string{"2", "4", "22", "104"}},
		{"uk", "many", []string{"0", "5", "11", "14", "111"}},
		{"uk", "other", []string{"1.0", "0.5"}},
		{"cs", "one", []string{"1"}},
		{"cs", "few", []string{"2", "3", "4"}},
		{"cs", "many", []string{"0.0", "1.5", "2.0"}},
		{"cs", "other", []string{"0", "5", "22", "100"}},
		{"ar", "zero", []string{"0"}},
		{"ar", "one", []string{"1", "1.0"}},
		{"ar", "two", []string{"2"}},
		{"ar", "few", []string{"3", "10", "103", "1010"}},
		{"ar", "many", []string{"11", "26", "99", "111", "1011"}},
		{"ar", "other", []string{"100", "102", "202", "1000", "0.1", "10.1"}},
		{"hi", "one", []string{"0", "1", "0.5", "1.0"}},
		{"hi", "other", []string{"2", "1.1"}},
		{"fa", "one", []string{"0", "1", "0.04"}},
		{"fa", "other", []string{"2", "1.1"}},
		{"zh", "other", []string{"0", "1"}},
		{"ja", "other", []string{"1"}},
		{"ko", "other", []string{"1"}},
	}
	for _, tt := range tests {
		for _, digits := range tt.digits {
			if got := PluralClass(tt.lang, digits); got != tt.class {
				t.Errorf("PluralClass(%s, %q) = %s, want %s", tt.lang, digits, got, tt.class)
			}
		}
	}
}
