package term

import (
	"testing"
	"time"
)

func TestNumbersForPeople(t *testing.T) {
	tests := []struct{ name, got, want string }{
		{"milliseconds", Duration(62 * time.Millisecond), "62 ms"},
		{"seconds", Duration(3100 * time.Millisecond), "3.1 s"},
		{"minutes", Duration(250 * time.Second), "4 min 10 s"},
		{"a day of speech", Clock(86_772), "24:06:12"},
		{"a plain path needs no quotes", Quoted("a/b-c.d"), "a/b-c.d"},
		{"a path with spaces does", Quoted("it's a"), `'it'\''s a'`},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}
