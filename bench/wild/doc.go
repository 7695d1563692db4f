// Command wild reads text as it is found by the rules of its language, in quantity,
// and says what the rules made of it that nobody wrote a test for.
//
//	fetch.py ── CODE.txt ──▶ wild ──▶ crashes, losses, notes, readings without evidence
//
// To run it:
//
//	python3 bench/wild/fetch.py TEXT
//	go run ./bench/wild TEXT
//	VOXPACK_WILD=TEXT go test ./bench/wild
//
// A finding is a fault, whatever the text: a crash, a text that is read otherwise the
// second time, a letter or a digit that is gone without a note. The program ends with 1
// if there is one. The test counts the steps of the rules over the same lines, each
// again and again in one text, and fails where they grow faster than the text.
//
// What cannot be decided by a program is printed for a person: the words that stayed
// unread, and the most frequent readings of each kind that has little evidence but its
// form (measures, telephone numbers, Roman numerals, ordinals, codes), digits taken
// together, with an example of each.
package main
