package spoken

import (
	"strings"
	"unicode/utf8"
)

// japanese says numbers in kanji, zeros among digits that are said one by one as ゼロ.
func japanese() *language {
	h := &han{
		code:  "ja",
		minus: "マイナス", less: "マイナス", point: "点", to: "から", over: "分の", and: "と", versus: "対", about: "約",
		percent: [2]string{"", "パーセント"}, permille: [2]string{"", "パーミル"},
		zero: "ゼロ", pause: "の", dash: "の", plus: "プラス", positive: "プラス", number: "ナンバー", page: [2]string{"", "ページ"}, power: [2]string{"の", "乗"}, section: "節", dot: "点",
		hour: "時", minute: "分", second: "秒", year: "年", month: "月", day: "日", am: "午前", pm: "午後",
		units: jaUnits, currencies: jaCurrencies, symbols: jaSymbols,
		address:  []string{"ドット", "スラッシュ", "コロン", "アットマーク", "ハイフン", "アンダーバー"},
		leads:    wordsOf("第 午前 午後 夜 夕方 朝 翌日 翌 翌年 同 令和 平成 昭和 氷点下 マイナス"),
		counters: "人個本枚匹台円歳回件年月日時分秒冊名票点",
		padded:   wordsOf("年 月 日 時 分 秒"), seasons: wordsOf("シーズン 年度 年シーズン"),
		labels:   wordsOf("番号 番号は 暗証番号 コード パスワード 口座番号 会員番号 ID ボーイング"),
		named:    wordsOf("号室 便"),
		phones:   wordsOf("電話 郵便番号 内線 電話番号 TEL Tel tel FAX Fax ファックス ファクス 携帯 ダイヤル ダイヤル番号 連絡先 お問い合わせ 問い合わせ"),
		places:   wordsOf("町 丁目 区 市 村 番地 字 町名 台 丘"),
		scores:   wordsOf("スコア スコアは 結果は"),
		won:      wordsOf("で勝 で敗 で負 で下 で破 で快勝 で大勝 で惨敗 で惜敗 で圧勝 で引き分け で逆転 で制 の勝 の敗 の引き分け の接戦 の完封 の逆転 勝利 敗戦"),
		weekdays: "月火水木金土日祝",
		adapt:    jaThousand,
		change: func(text string) bool {
			return strings.Contains(text, "株)") || strings.Contains(text, "株）") || strings.Contains(text, "有)") || strings.Contains(text, "有）")
		},
	}
	h.count, h.ordinal = h.jaCount, h.jaOrdinal
	h.more = []rule{
		{"half of the day", func(c byte) bool { return c|0x20 == 'a' || c|0x20 == 'p' }, true, h.readHalf},
		{"era", func(c byte) bool { return jaEras[c] != "" }, true, h.readEra},
		{"basement", func(c byte) bool { return c == 'B' }, true, h.readBasement},
		{"brackets", func(c byte) bool { return c == '(' || c == 0xEF }, true, h.readBrackets},
		{"sign of a number", func(c byte) bool { return c >= 0xE2 && c <= 0xEF }, true, h.readJapaneseSign},
	}
	return h.language()
}

var jaBig = wordsOf("万 億 兆")

// jaCount says a number as it stands before a word.
func (h *han) jaCount(s *scan, a amount, before, after string) bool {
	if a.whole == "1000" && a.fraction == "" && jaBig.begin(after) {
		h.say(s, "一千")
		return true
	}
	if len(a.whole) == 2 && a.whole[0] == '0' && a.fraction == "" && h.padded.begin(after) && !strings.HasPrefix(after, "年代") {
		a.whole = a.whole[1:]
	}
	if short := strings.TrimLeft(a.whole, "0"); short != "" && a.fraction == "" && strings.ContainsRune("万億兆", lastOf(before)) {
		a.whole = short // 1億0500万
	}
	return h.plainCount(s, a)
}

// jaThousand says 一千万 for 千万: a thousand has its one before 万 and above. 千 is
// said alone where it has more after it.
func jaThousand(s *scan, from int) {
	said := string(s.out[from:])
	if !strings.Contains(said, "千") {
		return
	}
	for _, big := range []string{"千万", "千億", "千兆"} {
		at := strings.Index(said, big)
		if at >= 0 && (at == 0 || !strings.ContainsRune("二三四五六七八九", lastOf(said[:at]))) {
			said = said[:at] + "一" + said[at:]
		}
	}
	s.out = append(s.out[:from], said...)
}

// jaOrdinal says 1st as in the names of songs and floors.
func (h *han) jaOrdinal(s *scan, digits string) {
	if words := map[string]string{"1": "ファースト", "2": "セカンド", "3": "サード"}[digits]; words != "" {
		h.say(s, words)
		return
	}
	h.say(s, "第")
	h.plainCount(s, amount{whole: digits})
}

// jaEras are the letters that stand for eras.
var jaEras = map[byte]string{'R': "令和", 'H': "平成", 'S': "昭和", 'T': "大正", 'M': "明治"}

// readEra reads H30年 and R2.5.3.
func (h *han) readEra(s *scan) bool {
	parts, end := s.numbersBy(s.at+1, '.')
	if s.at > 0 && isLetter(s.text[s.at-1]) || len(parts) == 0 || len(parts[0]) > 2 {
		return false
	}
	if len(parts) == 1 && (s.peekAt(end) == '/' || s.peekAt(end) == '-') {
		parts, end = s.numbersBy(s.at+1, s.text[end])
	}
	switch {
	case len(parts) == 1 && strings.HasPrefix(s.text[end:], "年"):
	case len(parts) == 3 && isDate("2000", parts[1], parts[2]) && !isLetter(s.peekAt(end)):
	default:
		return false
	}
	h.say(s, jaEras[s.text[s.at]])
	h.speak(s, parts[0])
	s.at = end
	if len(parts) == 3 {
		h.say(s, h.year)
		h.sayDate(s, "", parts[1], parts[2], end)
	}
	return true
}

// readBasement reads B1F.
func (h *han) readBasement(s *scan) bool {
	end := s.run(s.at+1, isDigit)
	if end == s.at+1 || end > s.at+3 || s.peekAt(end) != 'F' || isLetter(s.peekAt(end+1)) || isDigit(s.peekAt(end+1)) || s.at > 0 && isLetter(s.text[s.at-1]) {
		return false
	}
	h.say(s, "地下")
	h.plainCount(s, amount{whole: s.text[s.at+1 : end]})
	h.say(s, "階")
	return s.to(end + 1)
}

// readBrackets reads (株) of a company and the weekday after a day.
func (h *han) readBrackets(s *scan) bool {
	rest := s.rest()
	for _, form := range [][2]string{{"(株)", "株式会社"}, {"（株）", "株式会社"}, {"(有)", "有限会社"}, {"（有）", "有限会社"}} {
		if strings.HasPrefix(rest, form[0]) {
			s.at += len(form[0])
			h.say(s, form[1])
			return true
		}
	}
	day := h.weekdayAt(rest)
	before := s.text[:s.at]
	if day == 0 || !isASCIIDigit(lastOf(strings.TrimSuffix(before, "日"))) {
		return false
	}
	open := 1
	if rest[0] != '(' {
		open = 3
	}
	end := open + utf8.RuneLen(day)
	s.out = append(s.out, rest[:end]...)
	if s.at += end; !strings.HasPrefix(rest[end:], "曜") {
		h.say(s, "曜日")
	}
	return true
}

// readJapaneseSign reads 〒, the triangles of losses and the 〜 after which nothing stands.
func (h *han) readJapaneseSign(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	at := s.at + n
	switch r {
	case '〒':
		at += gap(s.text, at)
		parts, end := s.numbersBy(at, '-')
		if h.say(s, "郵便番号"); len(parts) == 0 || len(parts) > 2 {
			return s.to(s.at + n)
		}
		for i, p := range parts {
			if i > 0 {
				h.say(s, h.dash)
			}
			h.spell(s, p)
		}
		return s.to(end)
	case '△', '▲':
		if !isDigit(s.peekAt(at)) && h.money[string(firstOf(s.text[at:]))] == "" {
			return false
		}
		h.say(s, h.minus)
		return s.to(at)
	case '〜', '～':
		if next := firstOf(s.text[at:]); next != 0 && !strings.ContainsRune(" 、。)）」", next) || !endsQuantity(s.text[:s.at]) {
			return false
		}
		h.say(s, h.to)
		return s.to(at)
	}
	return false
}

const jaUnits = `
km,㎞,KM,Km キロメートル
m メートル
cm,㎝,CM センチメートル
mm,㎜ ミリメートル
μm,µm,um マイクロメートル
nm ナノメートル
kg,㎏,KG,Kg キログラム
g グラム
mg,㎎ ミリグラム
μg,µg マイクログラム
t トン
L,l,ℓ リットル
ml,mL,㎖,ML ミリリットル
dl,dL デシリットル
cc,㏄ シーシー
m²,m2,㎡ 平方メートル
km²,km2,㎢ 平方キロメートル
cm²,cm2,㎠ 平方センチメートル
mm²,mm2 平方ミリメートル
m³,m3,㎥ 立方メートル
cm³,cm3 立方センチメートル
km³ 立方キロメートル
ha ヘクタール
F 階
℃,°C 度
℉,°F 華氏*度
° 度
′ 分
″ 秒
km/h,KM/H 時速*キロメートル
m/s 秒速*メートル
km/s 秒速*キロメートル
mph 時速*マイル
kg/m³ キログラム毎立方メートル
g/cm³ グラム毎立方センチメートル
mg/L ミリグラム毎リットル
h,H 時間
min 分
s 秒
ms ミリ秒
W ワット
kW,KW キロワット
MW メガワット
GW ギガワット
kWh,KWh キロワット時
V ボルト
kV キロボルト
A アンペア
mA ミリアンペア
mAh ミリアンペア時
Ω オーム
Hz ヘルツ
kHz,KHz キロヘルツ
MHz メガヘルツ
GHz ギガヘルツ
dB デシベル
Pa パスカル
kPa キロパスカル
hPa ヘクトパスカル
MPa メガパスカル
N ニュートン
J ジュール
kJ キロジュール
cal カロリー
kcal キロカロリー
mol モル
KB,kB キロバイト
MB メガバイト
GB ギガバイト
TB テラバイト
bps ビーピーエス
kbps キロビーピーエス
Mbps メガビーピーエス
Gbps ギガビーピーエス
ft フィート
in,inch インチ
lb,lbs ポンド
oz オンス
rpm アールピーエム
ppm ピーピーエム
pt ポイント
㌔ キロ
㍍ メートル
㌢ センチ
㌘ グラム
㌧ トン
㌦ ドル
㌫ パーセント
㍑ リットル
㌶ ヘクタール
㍉ ミリ`

const jaCurrencies = `
¥,JPY,JP¥ 円
$,US$,USD ドル
€,EUR ユーロ
£,GBP ポンド
CNY,RMB,CN¥ 人民元
HK$,HKD 香港ドル
NT$,TWD 台湾ドル
S$,SGD シンガポールドル
A$,AU$,AUD オーストラリアドル
C$,CA$,CAD カナダドル
₩,KRW ウォン
₽,RUB ルーブル
₹,INR ルピー
฿,THB バーツ
₫,VND ドン
CHF スイスフラン
₿,BTC ビットコイン
zł,PLN ズウォティ
₺,TRY トルコリラ
﷼,IRR イランリアル
SAR サウジリヤル
AED ディルハム
Kč,CZK チェココルナ
Ft,HUF フォリント
₴,UAH フリヴニャ
R$,BRL ブラジルレアル
MXN メキシコペソ
SEK スウェーデンクローナ
NOK ノルウェークローネ
DKK デンマーククローネ
EGP エジプトポンド`

const jaSymbols = `
& アンド
@ アットマーク
+ プラス
= イコール
# シャープ
% パーセント
‰ パーミル
× かける
* かける
÷ 割る
/ スラッシュ
± プラスマイナス
≈ ほぼイコール
≒ ほぼイコール
≠ ノットイコール
> 大なり
< 小なり
≥ 大なりイコール
≧ 大なりイコール
≤ 小なりイコール
≦ 小なりイコール
√ ルート
∞ 無限大
² の二乗
³ の三乗
π パイ
㈱ 株式会社
㈲ 有限会社
℡ 電話
♯ シャープ`
