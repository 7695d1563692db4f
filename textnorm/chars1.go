package textnorm

// chars1Groups is the built-in table chars-1 after its five specials, one
// symbol a code point. It is FROZEN: ids are positions, and models are trained
// on them. A change is a new table (chars-2), never an edit of this one; the
// test of its digest says so too.
//
// It has the letters of the official languages of the EU, of Turkish,
// Icelandic, Norwegian, Azerbaijani, Sami and Welsh, the six Cyrillic
// alphabets of Europe, Arabic and Persian. All are in composed form (NFC) and
// case is kept. Dashes, marks and invisible characters are written as escapes,
// because nobody can tell them apart in an editor; right-to-left runs are kept
// in groups of their own.
var chars1Groups = []string{
	" ",
	// Digits.
	"0123456789",
	// ASCII punctuation.
	"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
	// Typographic punctuation.
	"¡¿«»‹›‘’‚“”„\u2010\u2011\u2013\u2014\u2015…•·†‡§¶′″",
	// Signs.
	"©®™°±×÷\u2212¢£¤¥€₺₽₴₹₩₪№ªº¹²³µ¼½¾",
	// Latin, basic.
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
	// Latin with marks: western.
	"ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ",
	// Latin with marks: central, northern, Baltic, Turkish, Maltese, Catalan.
	"ĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĴĵĶķĹĺĻļĽľĿŀŁł",
	"ŃńŅņŇňŊŋŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŦŧŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽž",
	// Dutch and Romanian letters, capital sharp s, Azerbaijani, Sami, Welsh.
	"ĲĳȘșȚțẞƏəǤǥǦǧǨǩƷʒǮǯẀẁẂẃẄẅỲỳʼ",
	// Cyrillic: Russian, Ukrainian, Belarusian, Serbian, Macedonian, Bulgarian.
	"АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя",
	"ЁёҐґЄєІіЇїЎўЂђЈјЉљЊњЋћЏџЃѓЅѕЌќЀѐЍѝ",
	// Arabic letters with hamza and tatweel.
	"ءآأؤإئابةتثجحخدذرزسشصضطظعغ\u0640فقكلمنهوىي",
	// Persian letters, heh with yeh, wasla, veh.
	"پچژکگیۀٱڤ",
	// Arabic marks: tanwin to sukun, madda, hamza above and below, superscript alef.
	"\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0653\u0654\u0655\u0670",
	// Arabic punctuation and rial.
	"،؛؟٪٫٬٭﷼",
	// Arabic and Persian digits.
	"٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹",
	// Zero width non-joiner.
	"\u200c",
	// Greek.
	"ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψωΆΈΉΊΌΎΏΪΫάέήίόύ",
	"ώϊϋΐΰ",
}

// chars1 is the table chars-1: pad 0, unk 1, bos 2, eos 3, blank 4, space 5,
// and so on.
func chars1() []string {
	symbols := []string{SpecialPad, SpecialUnk, SpecialBOS, SpecialEOS, SpecialBlank}
	for _, group := range chars1Groups {
		for _, r := range group {
			symbols = append(symbols, string(r))
		}
	}
	return symbols
}
