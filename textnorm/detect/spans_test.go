package detect

import (
	"slices"
	"testing"
)

func TestSpans(t *testing.T) {
	for _, c := range []struct {
		rule, text, code string
		among            []string
		want             []string // code and text of each span
	}{
		{"latin names in persian", "من از Windows و Microsoft Office 11 استفاده می\u200cکنم", "fa", nil,
			[]string{"en Windows", "en Microsoft Office"}},
		{"only of the set", "او گفت Guten Morgen و رفت", "fa", []string{"fa", "de"}, []string{"de Guten Morgen"}},
		{"surely not english", "او گفت «Ich weiß nicht, was soll es bedeuten» و رفت", "fa", nil,
			[]string{"de Ich weiß nicht, was soll es bedeuten"}},
		{"two scripts side by side", "The words мир and گفتگو mean much", "en", nil, []string{"ru мир", "fa گفتگو"}},
		{"a script that no language of the set has", "The word мир means peace", "en", []string{"en", "fa"}, []string{"und мир"}},
		{"han and kana are one", "The word 東京へ行く is Japanese", "en", nil, []string{"ja 東京へ行く"}},
		{"han in japanese is its own", "昨日は東京へ行きました", "ja", nil, nil},
		{"an accent as a mark belongs to its letter", "سلام cafe\u0301 دنیا", "fa", nil, []string{"en cafe\u0301"}},
		{"an address is no word", "سایت Example در https://example.com/x است", "fa", nil, []string{"en Example"}},
		{"digits and punctuation are of every script", "سلام، ۱۲ 12 (…) دنیا!", "fa", nil, nil},
		{"a language that is not known has no script", "Hello", "xx", nil, []string{"en Hello"}},
	} {
		var got []string
		for _, s := range detector.Spans(c.text, c.code, c.among) {
			got = append(got, s.Code+" "+c.text[s.Start:s.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: Spans(%q) = %q, want %q", c.rule, c.text, got, c.want)
		}
	}
}
