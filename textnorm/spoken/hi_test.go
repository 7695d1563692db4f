package spoken

import "testing"

// TestHindiLetters: digits have one spelling, the small circle of abbreviations is a
// full stop, and the letters stay as NFC has them.
func TestHindiLetters(t *testing.T) {
	r, _ := New("hi")
	for text, want := range map[string]string{
		"१२३ 45६": "123 456",
		"डॉ० शर्मा, रु॰ ५०": "डॉ. शर्मा, रु. 50",
		"\u0958ानून":        "\u0915\u093cानून",
		"क्\u200dष \u200f5": "क्\u200dष 5",
		"पढ़ाई ज़मीन है।":   "पढ़ाई ज़मीन है।",
	} {
		if got := r.Letters(text); got != want {
			t.Errorf("letters of %q are %q, want %q", text, got, want)
		}
	}
}

// TestHindiGroups: which commas stand between the groups of one number.
func TestHindiGroups(t *testing.T) {
	for text, want := range map[string]string{"1,25,000": "125000", "12,34,56,789": "123456789", "1,234,567": "1234567", "1,500": "1500", "100,000": "100000", "12,34": "12", "1,2,3": "1", "123,45,678": "123", "0,500": "0"} {
		s := scan{text: text, lang: hindi()}
		if a, ok := s.hiAmountAt(0); !ok || a.whole != want {
			t.Errorf("%q begins with %q, want %q", text, a.whole, want)
		}
	}
}

func FuzzHindi(f *testing.F) {
	for _, seed := range []string{
		"डॉ. सिंह ने 3/5/2020 को 10:30 बजे ₹500 दिए।", "१५ अगस्त, १९४७ ई. को 326 ई.पू. में", "1½ 2½ 3½ 1¼ 2¾ 3/4 2 1/2 ½", "₹1,25,000.50 $3.5 मिलियन रु. 250/- 5 करोड़ रु० ₹500-600", "+91 98765 43210 फ़ोन: 9876543210 पिन 110001",
		"5वां 10वीं 12 वीं 1ला 3rd", "1990–1995 1984-85 3-1 3:1 10%-20%", "बी.जे.पी. एम.ए. कि.मी. 5 कि.मी./घंटा 20°C -5", "9:05 AM 10.30 बजे 14:45:20 10 a.m.", "लुई XIV XX सदी a.b@c.de", "A4 B12 #7 कोविड-19 & + = 3x4", "\u0958 ॰ ० \xff1. 12,34", "1947 तथा 1950 ई० 1200",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { holdsReading(t, "hi", text) })
}

func BenchmarkHindi(b *testing.B) {
	benchLines(b, "hi", []string{
		"समिति 1984 में फिर मिली और हर प्रति के लिए ₹3.50 देने पर सहमत हुई, कुल 1,250 प्रतियाँ थीं।",
		"उसने कहा कि वह ये किताबें नहीं चाहता क्योंकि इन्हें पढ़ना उसकी छोटी बेटी के लिए बहुत कठिन है।",
		"डॉ. शर्मा ३ मार्च २०२० को सुबह 10:30 बजे 3/4 रकम लेकर आए।",
		"आज तेल का भाव 83.5 डॉलर रहा जो कल से 2% कम है, और बाज़ार शांत रहा।",
	})
}
