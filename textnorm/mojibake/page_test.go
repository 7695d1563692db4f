package mojibake

import (
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// The tables are what the library has, which is made from the Encoding Standard.
func TestPages(t *testing.T) {
	for which, peer := range []*charmap.Charmap{charmap.Windows1252, charmap.ISO8859_1, charmap.Windows1254, charmap.Windows1256, charmap.Macintosh} {
		for b := 0x80; b <= 0xFF; b++ {
			want := peer.DecodeByte(byte(b))
			if got := pages[which].high[b-0x80]; got != want && want != '\ufffd' {
				t.Errorf("%s: byte %X is %U, want %U", pages[which].name, b, got, want)
			}
			if got := byteOf(pages[which].high[b-0x80], which); got != byte(b) {
				t.Errorf("%s: %U is byte %X, want %X", pages[which].name, pages[which].high[b-0x80], got, b)
			}
		}
		for r := rune(0x80); r < 0x30000; r++ {
			if b := byteOf(r, which); b != 0 && pages[which].high[b-0x80] != r && r != '¤' && r != '\u2126' {
				t.Errorf("%s: %U is byte %X", pages[which].name, r, b)
			}
		}
	}
}
