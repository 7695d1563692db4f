// Package numbers says numbers in words: exact decimal strings in, words out,
// in the languages of its table, one of them as two countries speak it.
//
// A rule says the numbers from its base up to the next rule's base; a set is a
// list of rules under a name, in one gender and case. The rules are CLDR's
// (cldr.txt, made by testdata/cldr.py) and, where CLDR is silent or not what is
// spoken, ours (own.txt), both in the syntax of CLDR's rule-based number
// formats (RBNF; UTS 35, part 3). A kind is what the digits stand for:
// cardinal, ordinal, year, decimal. A form names another set of that kind than
// the language's usual one: feminine, genitive, verbose.
//
//	digits ── language table ──▶ set ── engine ──▶ words
//	           kind, form         cldr.txt + own.txt
//
// Whole numbers below 10^18 are said by the rules, longer ones digit by digit.
// What stands after the decimal mark is said as the language does it: digit
// by digit, as a number, or as so many tenths, hundredths, thousandths. Nothing
// is rounded, and no zero is lost.
//
// The rules of a language are read when it is first spoken; after that
// everything is immutable and safe for concurrent use.
package numbers
