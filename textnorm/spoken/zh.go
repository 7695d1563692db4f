package spoken

import (
	"strings"
)

// chinese is Mandarin in both scripts: what is said is in the one of the text.
func chinese() *language {
	h := (&han{code: "zh", change: func(string) bool { return false }}).read()
	h.count, h.adapt = h.zhCount, h.zhAdapt
	h.ordinal = func(s *scan, digits string) {
		h.say(s, "第")
		h.plainCount(s, amount{whole: digits})
	}
	h.more = []rule{{"half of the day", func(c byte) bool { return c|0x20 == 'a' || c|0x20 == 'p' }, true, h.readHalf}}
	for i := range h.scripts {
		h.scripts[i] = h.language().ready()
	}
	return h.language()
}

// zhMeasures are the characters before which two is 两: those of measure words and
// of what is counted without one.
const zhMeasures = "个個位名本只隻条條张張件辆輛台臺座间間家所次回遍种種类類天周週岁歲块塊元角毛层層倍成折人口头頭匹棵朵把支枝杯瓶碗盒包袋箱双雙对對套副份篇首部幅门門场場届屆句段步样樣架艘颗顆粒滴根顶頂封笔筆项項组組批群排股户戶亩畝斤吨噸升米公千万萬亿億百毫厘平立分秒小点點季国國党黨地市县縣省年英美欧歐港日韩韓澳加瑞新卢盧泰越比克磅盎瓦伏安赫帕牛焦卡字者侧側边邊岸夜晚餐顿頓趟轮輪盘盤株丛叢串堆滩片根管行列面道则則幕曲栋棟顆坪摄攝华華度钟鐘刻星礼禮個扇床节節枚桶罐筐束叠疊声聲"

// zhOrdinals begin with one of those and are counted by place: 二日, 二世纪.
var zhOrdinals = wordsOf("日 年级 年級 次元 次方 次世 次函 世 分之 公主 地铁 加 新 比 平方根 等 把手 点零 元一次 元二次 年生 刻")

// Words beside numbers of years and of others.
var (
	zhOfYear   = wordsOf("级 級 版 款 届 屆 赛季 賽季 奥运 奧運 世界杯 春 秋 财年 財年 中国 中國 年度 东京 北京 巴黎")
	zhBorn     = wordsOf("后 後")
	zhLater    = wordsOf("后来 後來")
	zhService  = wordsOf("报警 報警 急救 热线 熱線 客服 火警")
	zhThousand = wordsOf("千 百")
	zhSpan     = wordsOf("历史 歷史 的历史 的歷史 来 來 之久 时间 時間 文明 的文明 古 老 树龄 多 左右的 间 間")
	zhNoSpan   = wordsOf("来自 來自 间接 時間表")
	zhAbout    = wordsOf("近 约 約 逾 达 達 超过 超過 历时 歷時 整整 上 至少 不到")
	zhSince    = wordsOf("从 從 自 在 于 於")
	zhEra      = wordsOf("公元前 公元 西元 西元前 纪元前")
	zhRepublic = wordsOf("民国 民國")
)

// zhCount says a number as what stands beside it asks for: 两 before a measure word,
// years digit by digit, the zero of 1万500.
func (h *han) zhCount(s *scan, a amount, before, after string) bool {
	last := lastOf(before)
	if a.fraction == "" && len(a.whole) == 2 && a.whole[0] == '0' && h.padded.begin(after) {
		a.whole = a.whole[1:]
	}
	if a.whole == "2" && a.fraction == "" { // 2至3个
		if rest, ok := strings.CutPrefix(after, "至"); ok || strings.HasPrefix(after, "到") {
			if !ok {
				rest = strings.TrimPrefix(after, "到")
			}
			if number := strings.TrimLeft(rest, "0123456789"); number != rest {
				after = number
			}
		}
	}
	switch {
	case a.fraction != "" || a.grouped:
	case strings.HasPrefix(after, "年"):
		if zhIsYear(a.whole, before, after) {
			return h.spell(s, a.whole)
		}
		if a.whole == "2" && last != '第' && !zhOrdinals.begin(after) && !isASCIIDigit(zhFigure(last)) {
			h.say(s, "两")
			return true
		}
	case len(a.whole) == 4 && isYear(quantity{amount: a}) && zhOfYear.begin(after),
		len(a.whole) == 2 && (zhBorn.begin(h.behindList(after, 2)) && (strings.IndexByte("056789", a.whole[0]) >= 0 && strings.IndexByte("05", a.whole[1]) >= 0 || a.whole == "10") && !zhLater.begin(after) && last != '前' && last != '第' && !strings.HasSuffix(before, "最")),
		len(a.whole) == 2 && a.whole[1] != '0' && strings.HasPrefix(after, "折"),
		(len(a.whole) == 3 || len(a.whole) == 5) && a.whole[0] == '1' && zhService.begin(after):
		return h.spell(s, a.whole)
	case a.whole == "2" && last != '第' && last != '十' && last != '-' && !isLetterRune(last) && strings.ContainsRune(zhMeasures, firstOf(after)) && after != "" && !zhOrdinals.begin(after):
		h.say(s, "两")
		return true
	}
	if a.fraction == "" && strings.ContainsRune("万萬亿億", last) && isASCIIDigit(lastOf(before[:len(before)-3])) && !zhThousand.begin(after) {
		short := strings.TrimLeft(a.whole, "0")
		if short != "" && len(short) > 1 && len(short) < 4 || short != "" && len(short) < len(a.whole) { // 1万500, 1亿0500万
			h.say(s, "零")
			a.whole = short
		}
	}
	return h.plainCount(s, a)
}

// zhFigure is '0' for a Han numeral and the character itself otherwise.
func zhFigure(r rune) rune {
	if strings.ContainsRune("一二三四五六七八九十百千", r) {
		return '0'
	}
	return r
}

// zhIsYear tells years, which are said digit by digit, from spans of years.
func zhIsYear(digits, before, after string) bool {
	rest := strings.TrimPrefix(after, "年")
	round := strings.HasSuffix(digits, "0")
	span := zhSpan.begin(rest) && !zhNoSpan.begin(rest) ||
		strings.HasPrefix(rest, "前") && !strings.HasPrefix(rest, "前后") && !strings.HasPrefix(rest, "前後") && !strings.HasPrefix(rest, "前夕") ||
		zhAbout.end(before)
	switch len(digits) {
	case 1:
		return digits == "0"
	case 2:
		switch {
		case digits[0] == '0', strings.HasSuffix(before, "'"), strings.HasSuffix(before, "’"):
			return true
		case strings.HasPrefix(rest, "代"), span:
			return false
		case digits[0] >= '5' && isDigit(firstByte(rest)): // 85年3月
			return true
		}
		return digits[0] == '9' && !round && !isHan(lastOf(before)) || digits[0] >= '7' && zhSince.end(before)
	case 3:
		return zhEra.end(before) || !round && !span && !zhRepublic.end(before)
	case 4:
		switch {
		case digits[0] > '2' || digits[0] == '2' && digits[1] > '2':
			return !strings.HasSuffix(digits, "00")
		case strings.HasSuffix(digits, "00"):
			return !span && (digits != "1000" && digits != "1500" || (zhEra.end(before) || zhSince.end(before)))
		}
		return digits[0] != '0'
	}
	return false
}

func firstByte(text string) byte {
	if text == "" {
		return 0
	}
	return text[0]
}
