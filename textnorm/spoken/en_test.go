package spoken

import "testing"

// TestEnglishForms: forms that the reviewed sets do not have, or have once.
func TestEnglishForms(t *testing.T) {
	r, _ := New("en")
	for _, c := range []struct{ rule, written, want string }{
		{"what begins as no word does is spelled", "The GPA, the CFTC and the NHTSA", "The G P A, the C F T C and the N H T S A"},
		{"what could be a word is read as one", "NASA, OPEC and the NASDAQ", "NASA, OPEC and the NASDAQ"},
		{"capitals for stress stay words", "I said NO, and I MEAN it, NEXT time, THROUGH the door, STRENGTH!", "I said NO, and I MEAN it, NEXT time, THROUGH the door, STRENGTH!"},
		{"two letters are spelled unless they are a word", "Call HQ at 5 PM ET, or DO IT now", "Call H Q at five P M E T, or DO IT now"},
		{"a state stands behind its place", "Reno, NV, and Salem, OR.", "Reno, Nevada, and Salem, Oregon."},
		{"a word in capitals behind a comma is no state", "Take it, OR else, and Yes, OK?", "Take it, OR else, and Yes, O K?"},
		{"initials lose their stop", "J. K. Rowling met George W. Bush.", "J K Rowling met George W Bush."},
		{"the letter of a thing keeps the stop of the sentence", "Take vitamin C. Mary will. He got an A. Bob got a B.", "Take vitamin C. Mary will. He got an A. Bob got a B."},
		{"sides of a case", "Brown v. Board of Education", "Brown versus Board of Education"},
		{"numbers of houses", "at 1026 North Beckley Avenue, 214 Neely Street and 105 Elm St.", "at ten twenty-six North Beckley Avenue, two fourteen Neely Street and one oh five Elm Street."},
		{"a box has digits", "Post Office Box 2915", "Post Office Box two nine one five"},
		{"a caliber has no point", "a .22 rifle and a .38-caliber pistol", "a twenty-two rifle and a thirty-eight-caliber pistol"},
		{"a serial number is no version", "V510210, a V8 engine, v8 of it", "V five one zero two one zero, a V eight engine, version eight of it"},
		{"what is counted is no year", "It held 1308 prisoners. In 1984 prices rose.", "It held one thousand three hundred eight prisoners. In nineteen eighty-four prices rose."},
		{"years with an era", "in 2250 B.C., when", "in twenty-two fifty B C, when"},
		{"no number without one", "No. I would not.", "No. I would not."},
		{"parts of a measure", "3/4 in. of rain, 1/2 lb. of salt, 2 1/2 lbs. of tea, ¾ mi away", "three quarters of an inch of rain, one half pound of salt, two and a half pounds of tea, three quarters of a mile away"},
		{"shares and eyes", "a 60/40 split, 20/20 vision", "a sixty forty split, twenty twenty vision"},
		{"parts with any denominator", "1/250 of a second, 1/32 inch", "one two hundred fiftieth of a second, one thirty-second inch"},
		{"powers behind a stroke", "9.8 m/s² and 5 kg/m³", "nine point eight meters per second squared and five kilograms per cubic meter"},
		{"old money", "It cost 10s. 6d. then, 5s. a yard and 4d. apiece.", "It cost ten shillings six pence then, five shillings a yard and four pence apiece."},
		{"seconds at the end", "It took 56s.", "It took fifty-six seconds."},
		{"hours with a dash", "9 a.m.-5 p.m. daily", "nine a m to five p m daily"},
		{"a line for help", "Crisis line: 988. Call 911 now. They found 911 coins.", "Crisis line: nine eight eight. Call nine one one now. They found nine hundred eleven coins."},
		{"brackets round an address", "<ann@example.com> wrote <b>", "<ann at example dot com> wrote <b>"},
		{"abbreviations without their stop", "Lakers vs Celtics, nails etc", "Lakers versus Celtics, nails et cetera"},
		{"a cross", "8.5\" x 11\" and 2 x 4 = 8", "eight point five inches by eleven inches and two times four equals eight"},
		{"a ZIP code", "My zip code is 90210. Reno, NV 89501-1234", "My zip code is nine zero two one zero. Reno, Nevada eight nine five zero one, one two three four"},
		{"numbers with dashes", "dial 9-1-1, a 4-4-2 line, SSN 123-45-6789", "dial nine one one, a four four two line, S S N one two three, four five, six seven eight nine"},
		{"telephones with spaces", "212 555 0199 or 020 7946 0123", "two one two, five five five, zero one nine nine or zero two zero, seven nine four six, zero one two three"},
		{"an extension", "555-0199 x23", "five five five, zero one nine nine, extension twenty-three"},
		{"hours of armies", "at 0530 hours, the 0800 train", "at oh five thirty hours, the oh eight hundred train"},
		{"sizes", "a 3x3 grid, a 7/8\" bolt and a 12\" pizza", "a three by three grid, a seven eighths inch bolt and a twelve inch pizza"},
		{"the end of a quotation is no inch", "He said \"I am 5\" and \"7\".", "He said \"I am five\" and \"seven\"."},
		{"ratios and verses", "a 16:9 screen, 2:1 odds, Romans 8:1", "a sixteen to nine screen, two to one odds, Romans eight one"},
		{"places on the globe", "40°26′46″N, 45° W", "forty degrees twenty-six minutes forty-six seconds north, forty-five degrees west"},
		{"powers and formulas", "10^6 of CO₂ and H₂O", "ten to the power of six of C O two and H two O"},
		{"marks of the continent", "€1.234,56", "one thousand two hundred thirty-four euros and fifty-six cents"},
		{"dollars of other countries", "HK$500, NZ$1, Rs. 20", "five hundred Hong Kong dollars, one New Zealand dollar, twenty rupees"},
		{"numerals in a row", "Articles I, II, and IV; an IV drip", "Articles one, two, and four; an I V drip"},
		{"lives", "b. 1920, d. 1999", "born nineteen twenty, died nineteen ninety-nine"},
		{"a half behind a space", "1 ½ cups", "one and a half cups"},
		{"pressure of blood", "120/80", "one hundred twenty over eighty"},
		{"names with signs", "C# and .NET", "C sharp and dot NET"},
		{"a street of a saint", "St. Mary's St. is at S. Main St. now.", "Saint Mary's Street is at South Main Street now."},
		{"a sign of money alone", "The $ fell.", "The dollar fell."},
	} {
		got, _ := r.Read(nil, c.written, false)
		if again, _ := r.Read(nil, string(got), false); string(got) != c.want || string(again) != c.want {
			t.Errorf("%s: %q is read %q, and again %q, want %q", c.rule, c.written, got, again, c.want)
		}
	}
}
