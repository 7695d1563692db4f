package codec

import (
	"math"
	"math/bits"
	"strings"
	"sync"

	"voxpack/audio/detmath"
)

// The tables of ISO/IEC 14496-3 that AAC-LC needs.

// aacCodes are the Huffman codes of spectra, 1 to 11, and that of scale factors (tables 4.A.1 to 4.A.12). Every
// codeword is its predecessor plus one, with zeros added where it is longer. So it is enough to list the
// symbols in the order of their codewords: the n-th word has those of n bits, two digits each. In base 9 the digits
// of a quadruple have two values of base 3 each; else they are the values of a pair, in base 9 from -4
// on. A scale factor is a number in base 11.
var aacCodes = [12]string{
	"44    7414435445414734  642442513746844004317153174877355755117513731533  81216756523836617250271607326563230130" +
		"5876852587 0510837012031878 66222662880880060082682820026086",
	"  44 74 14454143344754 372451465342136471044077753517553115331184574873 527221366783782732871601126181 652307180" +
		"50330767050582510566338856622 6200262888066820088060028286",
	"00   30011003 4004 131133143143 443441 6002057053 071750157306231620126354244647 513637217445713508188356326127 " +
		"8057426448842625 388176862887775558 226652 677572 8885786562 8268",
	"   44144143343040000433 311301110310  744754457371536417 154624355142377063506112230516213207366002 200657847748" +
		"5575 5683762718812567388752657258 7885268008662262882886 8268",
	"44   34544543 53353355  24466442 236532562563365214744147 135775311573513726662262 127227617667162140048584 0348" +
		"83305838055071111728028660687706 20827001077818878110 80088800",
	"   445443453455355333  63652523243664525642324662262266 15757337135751317414414776 1227677261211677 711117503085" +
		"0503588338400602682004868228846048 1018708178870701 88080080",
	"00  1001 11  21122002 3113223003 23321441155133240440 4225520561501643353453266217 36066044714572546327736455463" +
		"7 7007655674475775 76666777",
	"  11 2110120122 00200231133223 33411442243003433452 5125155335445404454026626116 366355506405467172276573175637 " +
		"6674604706757667 57700777",
	"00  1001 11  21122002 312213 3003233214412415 4233044051251634526143 0526501735188144536271068228362745911972 60" +
		"546383079238463708a1642955807073a293841a746556484739b1589085 a32a09b29466c149861b95a457752b1cc2b33a596787b40a76c" +
		"3a0a54a682c96974bb0693b5a 8878c53cb577c4b6a64c795b0bc66ac0a75c7a980cb78999a87bc76b8bb87c6c 8aa98c9a9b9cabc9aab9c" +
		"8bacacb acbbbccc",
	"   111221 2210011332312333 2002244214410043343003442552 1551533554456226634061041636556446 657237275682735071058" +
		"11783744728667518388448578558 76679260689339912906869449a21977879578a359a42aa13a9669804a70b2 79b3a61ab1970788a53" +
		"b5a89b508b42b7a6aa74b1bc298c3b65bc4b7c53c6b90a8a0c1094c99c62c8a 9a1cb8c77b5c6ca98bc80a7cb0aab9ba0bbb9babc08c c9a" +
		"c9cbccb0ccacc",
	"   0011 gg1001211222 13313220230233 41144224433430035152254415533554 456226616336164g3gg5g3g464g64046042g555gg7g" +
		"2g827723765566gga7371g97g1g1747gb74gc8gg1669g2857aggd83823850gebg7548677605 84gfcg1881eg58dg39857729869293fg4968" +
		"609459877819a306a291954a2a963a69a488a597b31a70a6793b5aa14bb2d26ad32bg05bb5 b4987a890g4d073db6d1d4c32dd58a6ba8a7e" +
		"2c41b4cb13c1dc27b3e5c5de44eb7e3c5d6c680b82c99e56daaf28b9ae6a95eb9e12e6c1cd808d77cc77df3c16e2ff5f41e9b4fe78dd98c5" +
		"f3fabbac8f6f78ef17e90099d9cc9e8ade9ca6f7f 9ef8bbbe1facaedbdabdbc8febdccdf9eaa0cb9f0accb0ceafdd0decfafbbfedd00bde" +
		"fcfdcfe0eedfc0ef 0e0cfef00fff",
	"55  54 565357 5258 5159505a 604a61 4962486347 64464565 664467436842 6a697071413a 407239387337 7436753576 3432783" +
		"03331772a 7a812829 79272425262280 232021 821a1803010200 8a90919293a78983848586878895a1a2a3a4a5a6a0969798999aa806" +
		"08090a0594aaa90407141517191610111312",
}

// aacBandRows are the widths of scale factor bands of long and of short blocks in units of four lines, one digit each
// (tables 4.129 to 4.147), and how many of either TNS reaches (table 4.155), by the index of the rate.
var aacBandRows = [13]struct {
	long, short       string
	longTNS, shortTNS int
}{
	{"11111111111111222223333344679bggggggggggg", "111111222479", 31, 9},
	{"11111111111111222223333344679bggggggggggg", "111111222479", 31, 9},
	{"11111111111111222233344456679aaaaaaaaaaaaaaaaaa", "111111222479", 34, 10},
	{"111111111122222223333445566778888888888888888888o", "11111222333444", 40, 14},
	{"111111111122222223333445566778888888888888888888o", "11111222333444", 42, 14},
	{"111111111122222223333445566778888888888888888888888", "11111222333444", 51, 14},
	{"1111111111122222222223333444556677899abcddggggg", "111111122233445", 46, 14},
	{"1111111111122222222223333444556677899abcddggggg", "111111122233445", 46, 14},
	{"222222222223333333334444555667789aabcdefggg", "111111112233455", 42, 14},
	{"222222222223333333334444555667789aabcdefggg", "111111112233455", 42, 14},
	{"222222222223333333334444555667789aabcdefggg", "111111112233455", 42, 14},
	{"33333333333334444444555566677899abcdefgk", "111111122223455", 39, 14},
	{"33333333333334444444555566677899abcdefgk", "111111122223455", 39, 14},
}

const aacDigits = "0123456789abcdefghijklmnopqrstuvwxyz"

// aacQuick is how many bits of a codeword are looked up at once; a longer one takes a comparison for each more.
const aacQuick = 9

// An aacBook is a Huffman code. A word has the length of a codeword in its lowest 5 bits, in 5 more that with the
// signs that follow, then a bit for each value that has a sign there, 4 in all, then the values' indices.
type aacBook struct {
	values  [32]float32 // by index: v^(4/3), with the sign of v
	quick   [1 << aacQuick]uint32
	words   []uint32   // in the order of the codewords
	first   [20]uint32 // by length: the first codeword
	before  [20]uint32 // and how many words stand before it
	counted [20]uint32
}

// find gives the word of the codeword that acc begins with. The codes are complete: there always is one.
func (b *aacBook) find(acc uint64) uint32 {
	if w := b.quick[acc>>(64-aacQuick)]; w != 0 {
		return w
	}
	for n := aacQuick + 1; n < len(b.first); n++ {
		if at := uint32(acc>>(64-n)) - b.first[n]; at < b.counted[n] {
			return b.words[b.before[n]+at]
		}
	}
	return b.words[len(b.words)-1]
}

// newAACBook unfolds code number i of aacCodes.
func newAACBook(i int) *aacBook {
	b := &aacBook{}
	next := uint32(0)
	for n, symbols := range strings.Split(aacCodes[i], " ") {
		n++
		next <<= 1
		b.first[n], b.before[n], b.counted[n] = next, uint32(len(b.words)), uint32(len(symbols)/2)
		for at := 0; at < len(symbols); at += 2 {
			high, low := strings.IndexByte(aacDigits, symbols[at]), strings.IndexByte(aacDigits, symbols[at+1])
			word := uint32(n) | aacWord(i, high, low)
			word |= uint32(n+bits.OnesCount32(word>>10&15)) << 5
			b.words = append(b.words, word)
			if n <= aacQuick {
				for k := range 1 << (aacQuick - n) {
					b.quick[int(next)<<(aacQuick-n)+k] = word
				}
			}
			next++
		}
	}
	powers := &mp3Shared().powers
	for v := range b.values {
		b.values[v] = float32(powers[mp3Most+v-aacMiddle(i)])
	}
	return b
}

// aacMiddle is the index of 0 in a code whose symbols have signs.
func aacMiddle(i int) int {
	return [12]int{1, 1, 0, 0, 4, 4}[i]
}

// aacWord is the part of a word that tells a symbol: its indices, and which of them are followed by a sign.
func aacWord(i, high, low int) uint32 {
	values, width := []int{high, low}, 5
	switch {
	case i == 11:
		return uint32(11*high+low) << 14
	case i < 4:
		values, width = []int{high / 3, high % 3, low / 3, low % 3}, 2
	}
	word := uint32(0)
	for k, v := range values {
		word |= uint32(v) << (14 + width*k)
		if v != 0 && aacMiddle(i) == 0 {
			word |= 1 << (10 + k)
		}
	}
	return word
}

// aacBands are the borders of scale factor bands of one kind of block.
type aacBands struct {
	at  []int // where each begins; and the number of lines
	tns int   // how many TNS reaches
}

func newAACBands(widths string, tns int) aacBands {
	b := aacBands{at: []int{0}, tns: tns}
	for i := range widths {
		b.at = append(b.at, b.at[i]+4*strings.IndexByte(aacDigits, widths[i]))
	}
	return b
}

// aacTables is what all decoders share.
type aacTables struct {
	books   [12]*aacBook
	bands   [13][2]aacBands // by rate; of long and of short blocks
	factors [512]float32    // 2^((n - 256)/4)
	slopes  [2][2][]float64 // by shape, 0 for sines; of long and of short blocks
	curves  [2][16]float32  // TNS: sines by resolution and index plus 8
}

var aacShared = sync.OnceValue(func() *aacTables {
	t := &aacTables{}
	for i := range t.books {
		t.books[i] = newAACBook(i)
	}
	for i, row := range aacBandRows {
		t.bands[i] = [2]aacBands{newAACBands(row.long, row.longTNS), newAACBands(row.short, row.shortTNS)}
	}
	for n := range t.factors {
		t.factors[n] = float32(math.Ldexp(mp3Shared().roots[n&3], n>>2-64))
	}
	for kind, n := range []int{1024, 128} {
		sines := make([]float64, n)
		for i := range sines {
			sines[i], _ = detmath.SinCos(int64(2*i+1), int64(8*n))
		}
		t.slopes[0][kind], t.slopes[1][kind] = sines, aacKaiser(n, float64(4+2*kind))
	}
	// 4.6.9.3: an index q of r bits is the sine of q quarters of a turn over 2^(r-1) ∓ ½.
	for r := range t.curves {
		for q := -8; q < 8; q++ {
			steps := 8<<r - 1
			if q < 0 {
				steps = 8<<r + 1
			}
			sin, _ := detmath.SinCos(int64(q), int64(2*steps))
			t.curves[r][q+8] = float32(sin)
		}
	}
	return t
})

// aacKaiser is the rising half of the window that is derived from one of Kaiser and Bessel (4.6.11.3.2).
func aacKaiser(n int, alpha float64) []float64 {
	slope := make([]float64, n)
	weight := func(i int) float64 {
		part := float64(i) / float64(n)
		return detmath.BesselI0(math.Sqrt(float64(part*(1-part))) * (2 * math.Pi * alpha))
	}
	sum := 0.0
	for i := range slope {
		sum += weight(i)
		slope[i] = sum
	}
	sum += weight(n)
	for i, v := range slope {
		slope[i] = math.Sqrt(v / sum)
	}
	return slope
}
