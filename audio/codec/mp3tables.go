package codec

// The tables of ISO/IEC 11172-3 (MPEG-1) and 13818-3 (MPEG-2, half the rates) that Layer III needs, and
// of MPEG-2.5 (a quarter).

// mp3Codes are the Huffman codes of table 3-B.7, by the number that a stream gives them; 32 and 33 are
// the two codes of quadruples. A code is a list of its symbols in the order of their codewords: two
// hexadecimal digits, x and y, and the length of the codeword as a letter, a for 1. As no codeword is
// left over, that says them all. Codes 16 to 23 and 24 to 31 differ in mp3LinBits only.
var mp3Codes = [34]string{
	1: "11c01c10b00a",
	2: "22f02f12e21e20e11c01c10c00a",
	3: "22f02f12e21e20e10c11b01b00b",
	5: "33h23h32g31f13g03g30g22g12f21f02f20f11c01c10c00a",
	6: "33g03g23f32f30f13e31e22e02e12d21d20d01c11b10c00c",
	7: "55j45j54j53j35i44i25i52i15h51h05i34i50h43i33i24h42h14g41g40g04h23h32h03h13g31g30g22g12f21e02f20f11d01c10c00a",
	8: "55k54k45j53i35j44j25i52i05i15h51h34i43i50i33i24h42h14h41g04h40h23h32h13h31h03h30h22f02f20f12d21d11b01c10c00b",
	9: "55i45i35h53h54i05i44h25h52h15h51g34g43g50h04h24g42g33g40g14f41f23f32f13e31e03f30f22e02e12d21d20d11c01c10c00c",
	10: "77k67k76k57k75k66k47j74j56j65j37j73j46j55k54k63j27i72i64j07j70i62i45j35j06i53j44j17h71h36i26i25j52j15i51i34j43j16h61h" +
		"60h05i50i24i42i33i04i14h41h40h23h32h03h13g31g30g22g12f21f02f20f11d01c10c00a",
	11: "77j67j76j75j66j47j74j57k55k56j65j37i73i46i45j54j35j53j27h72h64i07i71g17h70h36h63h60h44i25i52i05i15h62g26h06h16g61g51h" +
		"34h50h43i33i24h42h14h41h04h40h23g32g13f31f03g30g22f21e12d02e20e11c01c10c00b",
	12: "77j67j76i57i75i66i47i74i65i56h37h73i55i27h72h46h64h17h71h07i70i36h63h45h54h44h06i05i26g62g61g16h60h35h53h25h52h15g51g" +
		"34g43g50h04h24g42g14g33f41f23f32f40g03g30f13e31e22e12d21d02e20e00d11c01c10c",
	13: "fesfcsfdredqffpefpdfpeepcfpdepbfpfbpcepdcpafqe9qecoddofapcdpbeoebo9fof9oeaobdodbo8fof8occoaep9ep8eo7fp7epf7ndanadobco" +
		"cbof6o6fne8n5fn9dnd9nf5ne7nacnbbn4fnf4ncaoe6of3n3fm8dnd8n2fmf2m6en9cn0fmc9n5enabm7dnd7n4emc8nd6n3emb9m9bnaan1flf1lf0l" +
		"bame5me4m8cm6dme3me2l2em0em1ele1le0m5dmd5m7cmc7m4dm8bmb8md4m9ama9m6cmc6l3dld3m7bm2dld2l1dlb7l5cmc5m99m7amc3la7m97m4bl" +
		"d1k0dld0l8ala8l4clc4l6blb6l3ck2ckc2k5bkb5l89l1ckc1k98l0clc0kb4l6ala6l79l3bkb3k88l5al2bka5l69la4k78l87l94k77l76lb2j1bj" +
		"b1j0bkb0k96k4ak3aka3k59k95k2aja2j1aja1j0ak68ka0j86k49k93j39k58k85k67k29j92j57k75k38j83j66k47k74k56k65k73k19i91i09j90j" +
		"48j84j72j46k64k28i82i18i37j27j17i71i55j07j70j36j63j45j54j26j62j35j81h08i80i16i61i06i60i53j44j25i52i05i15h51h34i43i50i" +
		"24i42i33i14h41g04h40h23h32h13g31g03g30g22g12f21f02f20f11d01d10c00a",
	15: "ffmefmfemdfmeelfdmcfmfcmdemedmbfmfblcemecmddlaflfalbeleblcdldcl9flf9lealbdldbl8flf8lccl9ele9l7flf7ladldalbcl6flaem0fm" +
		"cbkf6k8ele8l5fl9dlf5k7eke7kackcakbbkd9l8dl4fkf4k3fkf3kd8ke6k2fkf2k6elf0l1fkf1k9ckc9k5ekabkbake5k7dkd7k4eke4k8ckc8k3ek" +
		"6dkd6ke3k9bkb9k2ekaake2k1eke1k0ele0l5dkd5k7ckc7k4dk8bkd4jb8k9aka9k6ckc6k3dkd3jd2j2dk0dk1dj7bjb7jd1j5ckd0kc5j8aja8j4cj" +
		"c4j6bjb6j99k0ck3cjc3j7aja7ja6jc0k0bkc2i2cj5bjb5j1cj89j98jc1j4bjb4j6aj3bj79jb3i97j88j2bj5ajb2ia5j1bjb1ib0j69j96j4aja4j" +
		"78j87j3aja3i59i95i2aia2i1aia1i0aja0j68i86i49i94i39i93i77j09j58i85i29i67i76i92i91h19i90i48i84i57i75i38i83i66i47i28h82h" +
		"18h81h74i08i80i56i65i37i73i46i27h72h64h17h55h71h07i70i36h63h45h54h26h62h16h06i60i35h61g53h44h25g52g15g51g05h50h34g43g" +
		"24g42g33g41f14g04g23f32f40g03g13f31f30f22e12e21e02e20e11c01d10d00c",
	16: "efkfekdfkfdkcfkfckbfkfbkafjfak9fkf9kf8k8fj7fjf7j6fjf6jffh5fjf5j4fif4if3if0i3fjcepecqddqdeoe9oeapd9peenedoebobencdndco" +
		"dboaenccnadodao7eoacocanc9o7do5enbdmf2h2fi0fi1fhf1h9embcncbn8ene8n9dne7nbbn8dnd8n6ene6m9cmabnbane5nd7n4eme4n8cnc8m3em" +
		"6dmd6n9bnb9naane1md4mb8na9n7bmb7nd0ne3l0eme0m5dmd5m7cmc7m4dm8bm9am6cmc6m3dm5cmc5m0dl8ama8m99m4cmb6m7am3cl5bm89m1clc0l" +
		"98m79me2k2el1eld3l2dld2ld1l3bl97m88m1dkc4l6blc3la7l2ckc2lb5lc1l0cl4blb4l6ala6lb3k5ala5l2bkb2k1bkb1k0blb0l69l96l4ala4l" +
		"78l87la3k3al59l2ak95l68la1k86l77l94k49l57l67ka2j1aj0aka0k39k93k58k85k29j92j76k09k19j91j90k48k84k75k38k83k66k28k82j47k" +
		"74k18j81j80j08k56k37j73j65k46k27j72j64k55k07j17i71i70j36j63j45j54j26j62i16i61i06j60j53i35j44j25i52i51h15i05i34i43i50i" +
		"24i42i33i14h41h04i40i23h32h13g31g03h30h22g12f21f02f20f11d01d10c00a",
	24: "efhfehdfhfdhcfhfchbfhfbhfagafh9fhf9gf8g8fh7fhf7g6fgf6g5fgf5g4fgf4g3fgf3g2fgf2gf1g1fhf0h0fieekdekedkcekeckddkbekebkcdk" +
		"dckaekeakbdkdbkcck9eke9kadkdakbckcbk8eke8k9dkd9k7eke7kackffdcakbbk8dkd8k0ele0l0dke6j6ek9ckc9j5ejbaje5jabk7dkd7je4j8cj" +
		"c8j4ek2ek3ej6djd6je3j9bjb9jaaje2j1eje1j5djd5j7cjc7j4dj8bjb8jd4j9aja9j6cjc6j3djd3j2djd2j1dj7bjb7jd1j5cjc5j8aja8j99j4cj" +
		"c4j6bjb6jd0k0ck3cjc3j7aja7j2cjc2j5bjb5j1cj89j98jc1j4bjc0k0bk3bjb0k0ak1ajb4i6aja6j79j97ja0k09k90jb3i88i2bj5ajb2ia5j1bj" +
		"b1j69j96ia4i4aj78j87i3aia3i59i95i2aia2ia1i68i86i77i49i94i39i93i58i85i29i67i76i92i19i91i48i84i57i75i38i83i66i28i82i18i" +
		"47i74i81i08j80j56i65i17i07j70j73h37i27i72h46h64h55h71h36h63h45h54h26h62h16h61h06i60i35h53h44h25h52h15h05i50i51g34h43h" +
		"24g42g33g14g41g04h40h23g32g13f31f03g30g22f12e21e02f20f11d01d10d00d",
	32: "0bf0ff0df0ef07f05f09e06e03e0ae0ce02d01d04d08d00a",
	33: "0fd0ed0dd0cd0bd0ad09d08d07d06d05d04d03d02d01d00d",
}

// mp3LinBits is how many bits follow for a value of 15, by the number of the code.
var mp3LinBits = [32]uint{16: 1, 17: 2, 18: 3, 19: 4, 20: 6, 21: 8, 22: 10, 23: 13, 24: 4, 25: 5, 26: 6, 27: 7, 28: 8, 29: 9, 30: 11, 31: 13}

// mp3Window is one half of the synthesis window D of table 3-B.3 times 65536; the other is its mirror
// with the sign changed, but for every 64th value.
var mp3Window = [257]int32{
	0, -1, -1, -1, -1, -1, -1, -2, -2, -2, -2, -3, -3, -4, -4, -5, -5, -6, -7, -7, -8, -9, -10, -11, -13, -14, -16, -17,
	-19, -21, -24, -26, -29, -31, -35, -38, -41, -45, -49, -53, -58, -63, -68, -73, -79, -85, -91, -97, -104, -111, -117,
	-125, -132, -139, -147, -154, -161, -169, -176, -183, -190, -196, -202, -208, 213, 218, 222, 225, 227, 228, 228, 227,
	224, 221, 215, 208, 200, 189, 177, 163, 146, 127, 106, 83, 57, 29, -2, -36, -72, -111, -153, -197, -244, -294, -347,
	-401, -459, -519, -581, -645, -711, -779, -848, -919, -991, -1064, -1137, -1210, -1283, -1356, -1428, -1498, -1567,
	-1634, -1698, -1759, -1817, -1870, -1919, -1962, -2001, -2032, -2057, -2075, -2085, -2087, -2080, -2063, 2037, 2000,
	1952, 1893, 1822, 1739, 1644, 1535, 1414, 1280, 1131, 970, 794, 605, 402, 185, -45, -288, -545, -814, -1095, -1388,
	-1692, -2006, -2330, -2663, -3004, -3351, -3705, -4063, -4425, -4788, -5153, -5517, -5879, -6237, -6589, -6935, -7271,
	-7597, -7910, -8209, -8491, -8755, -8998, -9219, -9416, -9585, -9727, -9838, -9916, -9959, -9966, -9935, -9863, -9750,
	-9592, -9389, -9139, -8840, -8492, -8092, -7640, -7134, 6574, 5959, 5288, 4561, 3776, 2935, 2037, 1082, 70, -998,
	-2122, -3300, -4533, -5818, -7154, -8540, -9975, -11455, -12980, -14548, -16155, -17799, -19478, -21189, -22929,
	-24694, -26482, -28289, -30112, -31947, -33791, -35640, -37489, -39336, -41176, -43006, -44821, -46617, -48390,
	-50137, -51853, -53534, -55178, -56778, -58333, -59838, -61289, -62684, -64019, -65290, -66494, -67629, -68692,
	-69679, -70590, -71420, -72169, -72835, -73415, -73908, -74313, -74630, -74856, -74992, 75038,
}

// mp3Long and mp3Short are the widths of the scale factor bands of long and short blocks (table 3-B.8;
// 13818-3, table B.8), by the rows that mp3Bands gives for a rate.
var (
	mp3Long = [6][22]int{
		{4, 4, 4, 4, 4, 4, 6, 6, 8, 8, 10, 12, 16, 20, 24, 28, 34, 42, 50, 54, 76, 158},
		{4, 4, 4, 4, 4, 4, 6, 6, 6, 8, 10, 12, 16, 18, 22, 28, 34, 40, 46, 54, 54, 192},
		{4, 4, 4, 4, 4, 4, 6, 6, 8, 10, 12, 16, 20, 24, 30, 38, 46, 56, 68, 84, 102, 26},
		{6, 6, 6, 6, 6, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 38, 46, 52, 60, 68, 58, 54},
		{6, 6, 6, 6, 6, 6, 8, 10, 12, 14, 16, 18, 22, 26, 32, 38, 46, 54, 62, 70, 76, 36},
		{12, 12, 12, 12, 12, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 76, 90, 2, 2, 2, 2, 2},
	}
	mp3Short = [7][13]int{
		{4, 4, 4, 4, 6, 8, 10, 12, 14, 18, 22, 30, 56},
		{4, 4, 4, 4, 6, 6, 10, 12, 14, 16, 20, 26, 66},
		{4, 4, 4, 4, 6, 8, 12, 16, 20, 26, 34, 42, 12},
		{4, 4, 4, 6, 6, 8, 10, 14, 18, 26, 32, 42, 18},
		{4, 4, 4, 6, 8, 10, 12, 14, 18, 24, 32, 44, 12},
		{4, 4, 4, 6, 8, 10, 12, 14, 18, 24, 30, 40, 18},
		{8, 8, 8, 12, 16, 20, 24, 28, 36, 2, 2, 2, 26},
	}
)

// mp3Bands are the rates with their rows of mp3Long and mp3Short, by version (1, 2, 2.5) and by the
// header's two bits.
var mp3Bands = [3][3]struct{ rate, long, short int }{
	{{44100, 0, 0}, {48000, 1, 1}, {32000, 2, 2}},
	{{22050, 3, 3}, {24000, 4, 4}, {16000, 3, 5}},
	{{11025, 3, 5}, {12000, 3, 5}, {8000, 5, 6}},
}

// mp3Rates are the bit rates of Layer III in kbit/s, of MPEG-1 and of the others.
var mp3Rates = [2][15]int{
	{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
	{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
}

// mp3Scales are the widths of the scale factors of MPEG-1, of the lower and the upper bands (11172-3,
// 2.4.2.7, scalefac_compress).
var mp3Scales = [2][16]uint{
	{0, 0, 0, 0, 3, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4},
	{0, 1, 2, 3, 0, 1, 2, 3, 1, 2, 3, 1, 2, 3, 2, 3},
}

// mp3Groups is how many bands share a width in MPEG-2: by the kind of compression, for long, short and
// mixed blocks (13818-3, 2.4.3.2, nr_of_sfb).
var mp3Groups = [6][3][4]int{
	{{6, 5, 5, 5}, {9, 9, 9, 9}, {6, 9, 9, 9}},
	{{6, 5, 7, 3}, {9, 9, 12, 6}, {6, 9, 12, 6}},
	{{11, 10, 0, 0}, {18, 18, 0, 0}, {15, 18, 0, 0}},
	{{7, 7, 7, 0}, {12, 12, 12, 0}, {6, 15, 12, 0}},
	{{6, 6, 6, 3}, {12, 9, 9, 6}, {6, 12, 9, 6}},
	{{8, 8, 5, 0}, {15, 12, 9, 0}, {6, 18, 9, 0}},
}

// mp3Pretab is added to the scale factors of the upper bands where the preflag is set (11172-3, table 3-B.6).
var mp3Pretab = [22]int{11: 1, 1, 1, 1, 2, 2, 3, 3, 3, 2, 0}

// mp3Alias are the coefficients c of the butterflies between subbands (11172-3, table 3-B.9).
var mp3Alias = [8]float64{-0.6, -0.535, -0.33, -0.185, -0.095, -0.041, -0.0142, -0.0037}
