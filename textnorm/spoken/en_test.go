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
		{"a sign of money alone", "The $ fell.", "The dollar fell."},
	} {
		got, _ := r.Read(nil, c.written, false)
		if again, _ := r.Read(nil, string(got), false); string(got) != c.want || string(again) != c.want {
			t.Errorf("%s: %q is read %q, and again %q, want %q", c.rule, c.written, got, again, c.want)
		}
	}
}
