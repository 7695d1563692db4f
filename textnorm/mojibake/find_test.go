package mojibake

import (
	"slices"
	"strings"
	"testing"

	"unicode/utf8"
	"voxpack/internal/steptest"
)

// checkSpans holds what is true of every answer.
func checkSpans(t *testing.T, text, repaired string, found []Found) {
	t.Helper()
	var b strings.Builder
	end := 0
	for _, f := range found {
		if f.Start < end || f.End <= f.Start || f.End > len(text) || !utf8.ValidString(text[f.Start:f.End]) {
			t.Fatalf("%q: %+v behind %d", text, f, end)
		}
		if f.Sure != (f.Text != "") || f.As == "" {
			t.Fatalf("%q: %+v", text, f)
		}
		b.WriteString(text[end:f.Start])
		if first, _ := utf8.DecodeRuneInString(f.Text); f.Sure && first < 0xA0 {
			t.Fatalf("%q: %+v is said to have been a control character", text, f)
		}
		if f.Sure {
			b.WriteString(f.Text)
		} else {
			b.WriteString(text[f.Start:f.End])
		}
		end = f.End
	}
	b.WriteString(text[end:])
	sure := slices.ContainsFunc(found, func(f Found) bool { return f.Sure })
	if !sure && repaired != text {
		t.Fatalf("Repair(%q) = %q with nothing sure in %+v", text, repaired, found)
	}
	if utf8.ValidString(text) && !utf8.ValidString(repaired) {
		t.Fatalf("Repair(%q) = %q", text, repaired)
	}
	if again, _ := Repair(repaired); again != repaired {
		t.Fatalf("Repair(%q) = %q, then %q", text, repaired, again)
	}
}

// Damage is repaired where nothing else explains it.
func TestRepair(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"an accent in a word", "cafÃ©", "café"},
		{"a word of one letter", "Isto Ã© bom", "Isto é bom"},
		{"the no-break space of an accent", "De Ã\u00a0 Ã\u00a0 Z", "De à à Z"},
		{"a soft hyphen", "aquÃ\u00ad", "aquí"},
		{"twice", "cafÃƒÂ© itâ€™s", "café it’s"},
		{"a capital", "Ãœber", "Über"},
		{"a unit", "10Â°C", "10°C"},
		{"money", "Â£5", "£5"},
		{"an arrow and a tick", "âœ… Done â†’ next", "✅ Done → next"},
		{"a tick in a list", "- âœ… ready", "- ✅ ready"},
		{"a tick by MacRoman", "- ‚úì ready", "- ✓ ready"},
		{"a dash between words", "one â€“ two", "one – two"},
		{"a sum", "16 Ã— 200 Ã— 4", "16 × 200 × 4"},
		{"a letter in pieces", "eÌ€ vero", "e\u0300 vero"},
		{"an emoji", "ðŸš€ go", "🚀 go"},
		{"a frame", "â”Œâ”€â”€â”€â”\u0090 a", "┌───┐ a"},
		{"Persian by Windows-1256", "ط³ظ„ط§ظ… ط¯ظ†غŒط§", "سلام دنیا"},
		{"Persian by Windows-1252", "Ø³Ù„Ø§Ù…", "سلام"},
		{"Persian by MacRoman", "ÿ≥ŸÑÿßŸÖ", "سلام"},
		{"Russian by MacRoman", "–ü—Ä–∏–≤–µ—Ç", "Привет"},
		{"an accent by Windows-1256", "cafأ©", "café"},
		{"a no-break space became a space", "voilÃ  bien", "voilà bien"},
		{"a closing quote lost its control character", "â€œHelloâ€ he said", "“Hello” he said"},
		{"damage beside genuine letters", "Zoë: cafÃ© au lait, naÃ¯ve", "Zoë: café au lait, naïve"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, found := Repair(tt.text)
			checkSpans(t, tt.text, got, found)
			if got != tt.want {
				t.Errorf("Repair(%q) = %q %+v, want %q", tt.text, got, found, tt.want)
			}
		})
	}
}

// What can be genuine stays, found or not.
func TestGenuine(t *testing.T) {
	for _, text := range []string{
		"", "Ã©", `"Ã©"`, "the text “Ã©” stands for é", "MÃE", "IRMÃ", "ÀÂÄ", "AMANHÃ… TALVEZ", "AMANHÃ… AMANHÃ… AMANHÃ…",
		"€£¥ ¢£ £€", "Ä°", "ð", "það", "C'est l’employé…»", "à la santé…”", "„Ä“ und „Ö“", "Â", "Ã", "« été »", "«été»", "Paris–Übersee",
		"—él dijo", "l’été «à la»", "£5–£6", "1990–2000", "سلام، دنیا؛ آیا؟", "ا، ب، پ", "بچگانه اک", "طریق ظپ", "Å være", "naïve café", "Brontë’s “É”…",
		"œuvre…", "Bär él آب", "Việt Nam – Đà Nẵng", "Ðóra Þorláksdóttir", "İstanbul’da ışık", "¿Qué? ¡Sí!", "№ 5 — «да»", "a\ufffdb", "\xff\xfe", "\xc3", "a\xc3b", "\xe2\x80",
	} {
		if got, found := Repair(text); got != text {
			t.Errorf("Repair(%q) = %q %+v, want it as it is", text, got, found)
		}
	}
}

// What is damaged and has several readings is found and stays.
func TestFoundOnly(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Found
	}{
		{"voilÃ bien", Found{Start: 4, End: 6, As: "windows-1252", Lost: true}},
		{"aquÃ es", Found{Start: 3, End: 5, As: "windows-1252", Lost: true}},
	} {
		got := Find(tt.text)
		if len(got) != 1 || got[0] != tt.want {
			t.Errorf("Find(%q) = %+v, want %+v", tt.text, got, tt.want)
		}
		if repaired, found := Repair(tt.text); repaired != tt.text || !slices.Equal(found, got) {
			t.Errorf("Repair(%q) = %q %+v", tt.text, repaired, found)
		}
	}
}

// A text that two pages explain nearly equally well stays: each of these is what
// one original looks like by Windows-1252 and another one by MacRoman.
func TestTwoReadings(t *testing.T) {
	for _, tt := range []struct{ text, by1252, byMac string }{
		{"aÃ™e", "aÙe", "a\u032ae"},
		{"cafÃ™o", "cafÙo", "caf\u032ao"},
		{"aÃ•caf", "aÕcaf", "a\u0325caf"},
		{"SÃ©Õ±. ", "Séձ. ", "S\u0329\u0371. "},
		{"eÃ§Õª. ", "eçժ. ", "e\u0324\u037b. "},
	} {
		for which, original := range map[int]string{cp1252: tt.by1252, macRoman: tt.byMac} {
			if damaged, _ := damage(original, which, keep); damaged != tt.text {
				t.Fatalf("%q in %s is %q, want %q", original, pages[which].name, damaged, tt.text)
			}
		}
		repaired, found := Repair(tt.text)
		checkSpans(t, tt.text, repaired, found)
		if repaired != tt.text || len(found) == 0 {
			t.Errorf("Repair(%q) = %q %+v, want it found and left", tt.text, repaired, found)
		}
	}
}

// The offsets are those of the text that was given, however many layers there
// are.
func TestOffsets(t *testing.T) {
	text := "aâ€™b cafÃƒÂ© ok naÃ¯ve"
	repaired, found := Repair(text)
	var parts []string
	for _, f := range found {
		parts = append(parts, text[f.Start:f.End]+"="+f.Text+" "+f.As)
	}
	want := []string{"â€™=’ windows-1252", "ÃƒÂ©=é windows-1252, windows-1252", "Ã¯=ï windows-1252"}
	if repaired != "a’b café ok naïve" || !slices.Equal(parts, want) {
		t.Errorf("Repair(%q) = %q %q, want %q", text, repaired, parts, want)
	}
}

// TestRepairIsLinear: no byte of a hostile text is looked at again and again.
func TestRepairIsLinear(t *testing.T) {
	nested := "é"
	for range 12 {
		nested, _ = damage(nested, cp1252, keep)
	}
	pieces := []string{"Ã", "Ã ", "Ã©", "é", "â€", "ا", "اک", "ط§", "√", "–ü", "ð", "ã", "a\u0081", nested}
	steptest.Linear(t, "voxpack/textnorm/mojibake", 8<<10, pieces, func(_ *testing.T, piece string, size int) {
		Repair(strings.Repeat(piece, 1+size/len(piece)))
	})
}
