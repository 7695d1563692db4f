package spoken

import (
	"strings"
)

// chinese is Mandarin in both scripts: what is said is in the one of the text.
func chinese() *language {
	h := &han{
		code:  "zh",
		minus: "负", less: "减", point: "点", to: "到", over: "分之", and: "又", versus: "比", per: "每", about: "约",
		percent: [2]string{"百分之", ""}, permille: [2]string{"千分之", ""},
		pause: "，", dash: "杠", plus: "加", positive: "正", number: "第", page: [2]string{"第", "页"}, power: [2]string{"的", "次方"}, section: "节",
		hour: "点", minute: "分", second: "秒", year: "年", month: "月", day: "日", am: "上午", pm: "下午", noMinutes: "零",
		units: zhUnits, currencies: zhCurrencies, coin: "元", symbols: zhSymbols,
		address: []string{"点", "斜杠", "冒号", "艾特", "横杠", "下划线"},
		labels: wordsOf("编号 編號 号码 號碼 邮编 郵編 邮政编码 郵政編碼 邮递区号 郵遞區號 验证码 驗證碼 密码 密碼 账号 帳號 賬號 卡号 卡號 学号 學號 工号 工號 证号 證號 尾号 尾號 代码 代碼 代号 代號 " +
			"QQ QQ号 微信 航班 车次 車次 车牌 車牌 房号 房號 波音 编码 編碼 证券代码 京 沪 粤"),
		padded: wordsOf("月 日 号 號 时 時 点 點"), seasons: wordsOf("赛季 賽季 学年 學年 财年 財年 年度"),
		leads:  wordsOf("第 上午 下午 晚上 晚 早上 早 凌晨 中午 傍晚 夜间 次日 翌日 次年 同年 周 公元 零下"),
		events: wordsOf("地震 事变 事變 事件 运动 運動 假期 晚会 晚會 阅兵 閱兵 大促 购物节 購物節 恐怖袭击"), counters: zhMeasures,
		models: wordsOf("歼 殲 运 運 轰 轟 直 强 苏 蘇 图 圖 米格 东风 東風 长征 長征 神舟 天舟 嫦娥 天宫 天宮 天问 天問 北斗 巨浪 红旗 紅旗 型 系列 机 機 号 號"),
		named:  wordsOf("大促 晚会 晚會 工作制 国道 國道 省道 网站 網站 热线 熱線 室 房间 房間 号房 號房 号房间 高校 大学 大學 工程 院校 客机 客機"),
		phones: wordsOf("电话 電話 手机 手機 热线 熱線 传真 傳真 拨打 撥打 致电 致電 请打 請打 拨 撥 打 TEL Tel tel Fax 分机 分機 转 轉 联系方式 聯繫方式 手机号 手機號 手机号码 電話號碼 电话号码"),
		places: wordsOf("路 街 巷 弄 道 村"), scores: wordsOf("比分 以 总分 總分 大比分 比数 比數"),
		won:      wordsOf("战胜 戰勝 获胜 獲勝 击败 擊敗 取胜 取勝 险胜 險勝 大胜 大勝 完胜 完勝 胜 勝 负 負 领先 領先 落后 落後 战平 戰平 逆转 逆轉 淘汰 力克 击退 横扫 橫掃"),
		weekdays: "一二三四五六日天", change: func(string) bool { return false },
	}
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

const zhUnits = `
km,㎞,KM,Km 公里
m 米
cm,㎝,CM 厘米
mm,㎜ 毫米
μm,µm,um 微米
nm 纳米
dm 分米
kg,㎏,KG,Kg 公斤
g 克
mg,㎎ 毫克
μg,µg 微克
t 吨
L,l 升
ml,mL,㎖,ML 毫升
dl,dL 分升
cc,㏄ 毫升
m²,m2,㎡ 平方米
km²,km2,㎢ 平方公里
cm²,cm2,㎠ 平方厘米
mm²,mm2 平方毫米
m³,m3,㎥ 立方米
cm³,cm3 立方厘米
km³ 立方公里
ha 公顷
℃,°C 摄氏度
℉,°F 华氏度
′ 分
″ 秒
° 度
km/h,KM/H,kph 公里每小时
m/s 米每秒
km/s 公里每秒
m/s² 米每二次方秒
mph 英里每小时
kg/m³ 千克每立方米
g/cm³ 克每立方厘米
mg/L 毫克每升
mmol/L 毫摩尔每升
μg/m³,µg/m³ 微克每立方米
h,H 小时
min 分钟
s 秒
ms 毫秒
W 瓦
kW,KW 千瓦
MW 兆瓦
GW 吉瓦
kWh,kW·h,KWh 千瓦时
V 伏
kV 千伏
mV 毫伏
A 安
mA 毫安
mAh 毫安时
Ω 欧姆
Hz 赫兹
kHz,KHz 千赫
MHz 兆赫
GHz 吉赫
dB 分贝
Pa 帕
kPa 千帕
hPa 百帕
MPa 兆帕
mmHg 毫米汞柱
N 牛
J 焦耳
kJ 千焦
cal 卡
kcal 千卡
mol 摩尔
ft 英尺
in,inch 英寸
lb,lbs 磅
oz 盎司
rpm 转每分
bps 比特每秒
Mbps 兆比特每秒
Gbps 吉比特每秒
fps 帧每秒`

const zhCurrencies = `
¥,CNY,RMB,CN¥ 元
$,US$,USD 美元
€,EUR 欧元
£,GBP 英镑
JPY,JP¥ 日元
HK$,HKD 港元
NT$,TWD 新台币*元
S$,SGD 新加坡元
A$,AU$,AUD 澳元
C$,CA$,CAD 加元
₩,KRW 韩元
₽,RUB 卢布
₹,INR 卢比
฿,THB 泰铢
₫,VND 越南盾
CHF 瑞士法郎
MOP 澳门元
₿,BTC 比特币
zł,PLN 波兰兹罗提
₺,TRY 土耳其里拉
﷼,IRR 伊朗里亚尔
SAR 沙特里亚尔
AED 阿联酋迪拉姆
Kč,CZK 捷克克朗
Ft,HUF 匈牙利福林
₴,UAH 乌克兰格里夫纳
R$,BRL 巴西雷亚尔
MXN 墨西哥比索
SEK 瑞典克朗
NOK 挪威克朗
DKK 丹麦克朗
EGP 埃及镑`

const zhSymbols = `
& 和
@ 艾特
+ 加
= 等于
# 井号
% 百分号
‰ 千分号
× 乘
* 乘
÷ 除以
/ 斜杠
± 正负
≈ 约等于
≠ 不等于
> 大于
< 小于
≥ 大于等于
≧ 大于等于
≤ 小于等于
≦ 小于等于
√ 根号
∞ 无穷大
∽ 相似于
² 的平方
³ 的立方
π 派
㈱ 株式会社
℡ 电话`

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
