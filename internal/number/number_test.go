package number

import "testing"

func TestNumbersForPeople(t *testing.T) {
	for _, tt := range []struct{ name, got, want string }{
		{"three digits stand together", Commas(999), "999"},
		{"a comma between groups of three", Commas(1234567), "1,234,567"},
		{"the sign is no digit", Commas(-123456), "-123,456"},
		{"one is singular", Count(1, "row"), "1 row"},
		{"none is plural", Count(0, "row"), "0 rows"},
		{"bytes as they are", Size(999), "999 bytes"},
		{"powers of ten", Size(2_560_000), "2.6 MB"},
		{"gigabytes with two decimals", Size(3_353_600_000), "3.35 GB"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}
