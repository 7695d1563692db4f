// Package mojibake finds text that was UTF-8 and was read as something else.
//
// A page is the code page that it was read with by mistake. A layer is one such
// mistake; a text may have several. A unit is a run of characters whose bytes in
// the page are one character of UTF-8; a lossy unit is one of which a byte is
// gone. A cluster is a row of units without a gap. The cost of a stretch of text
// says, in bits, how odd it would be in a text that nobody damaged; evidence is
// what the damaged reading costs more than the repaired one.
//
//	text ── suspicious ──▶ units of each page ──▶ clusters with evidence ──▶ sure, found, or genuine
//	  ▲                                                                       │
//	  └────────────── the sure ones repaired, for the next layer ◀────────────┘
//
// Genuine text is never to be touched, so that both readings are always weighed:
// a French sentence may well end in "é…»", which would also be a Chinese
// character, but that would stand alone after Latin letters. Where both
// readings are plausible nothing is repaired.
package mojibake
