package detect

import "testing"

// TestForeign: a language that the detector does not know is not taken for one that
// shares its script, and a name or careless typing makes no text foreign.
func TestForeign(t *testing.T) {
	d := New()
	for _, tt := range []struct{ text, want string }{
		{"میں کتاب پڑھتا ہوں۔", Undetermined}, // Urdu
		{"یہ ایک اچھی کتاب ہے اور وہ 5 روپے کی ہے", Undetermined},
		{"من ٥ کتێبم هەیە و دەیانخوێنمەوە", Undetermined}, // Sorani
		{"زۆر سوپاس بۆ هەمووتان", Undetermined},
		{"زه هره ورځ ښوونځي ته ځم", Undetermined},                 // Pashto
		{"मी दररोज शाळेत जातो आणि 5 पुस्तके वाचतो", Undetermined}, // Marathi
		{"हे पुस्तक चांगले आहे", Undetermined},
		{"Ја сам јуче купио 5 књига", Undetermined},                    // Serbian
		{"Қазақстан Республикасының астанасы қай жерде", Undetermined}, // Kazakh
		{"من هر روز به مدرسه می\u200cروم", "fa"},
		{"ہنر و ادبیات ایران", "fa"}, // the heh of another keyboard
		{"شرکت ٹویٹر امروز تعطیل شد و کارکنان آن به خانه رفتند", "fa"},
		{"أنا أقرأ كتاباً كل يوم", "ar"},
		{"लोकमान्य टिळक एक बड़े नेता थे", "hi"},
		{"Я каждый день хожу в школу", "ru"},
		{"Я щодня ходжу до школи", "uk"},
		{"Президент Җ. встретился с послом Ґонзало в Київі и сказал, что всё хорошо", "ru"},
		{"", Undetermined},
	} {
		if got, _ := d.Detect(tt.text, nil); got != tt.want {
			t.Errorf("Detect(%q) = %s, want %s", tt.text, got, tt.want)
		}
	}
}
