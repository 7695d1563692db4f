package spoken

import (
	"sync"
	"unicode/utf8"
)

// zhPairs are common characters of the simplified script, each before that of the
// traditional one; a character that both scripts use does not stand here alone.
const zhPairs = "个個这這为為来來时時说說会會对對发發过過还還没沒们們样樣问問当當无無两兩长長东東从從动動现現经經间間学學国國种種气氣电電话話买買卖賣见見觉覺书書车車马馬鱼魚鸟鳥龙龍门門开開关關万萬亿億点點负負号號线線体體头頭钱錢总總价價员員实實业業产產华華难難题題让讓认認识識请請谢謝谁誰课課语語读讀写寫听聽爱愛乐樂医醫药藥饭飯条條张張间間岁歲块塊辆輛层層楼樓机機场場计計划劃议議论論设設备備术術数數据據网網络絡义義务務战戰军軍队隊农農园園图圖团團边邊进進运運远遠连連达達变變应應该該单單双雙则則刚剛别別办辦劳勞势勢协協厂廠历歷压壓县縣参參号號员員围圍坏壞声聲处處夺奪妇婦孙孫宁寧宝寶审審将將尔爾尽盡届屆币幣师師带帶帮幫广廣庆慶库庫异異归歸录錄忆憶态態怀懷惊驚战戰户戶护護报報择擇换換损損摄攝敌敵断斷旧舊显顯晚晚权權杀殺极極构構标標栏欄树樹桥橋检檢欢歡残殘毕畢汉漢汤湯沟溝济濟涨漲温溫湾灣满滿灭滅灯燈灵靈热熱烟煙烦煩独獨猫貓环環疗療盖蓋监監盘盤确確碍礙礼禮离離积積称稱穷窮竞競笔筆简簡类類紧緊红紅级級约約纪紀纸紙组組细細终終给給绝絕统統继繼续續维維缺缺罗羅职職联聯胜勝脑腦艺藝节節苏蘇苹蘋营營蓝藍虑慮虽雖补補装裝规規视視订訂记記许許证證评評译譯试試详詳误誤调調谈談货貨质質贵貴费費资資赛賽赶趕跃躍转轉轻輕较較输輸边邊辞辭迁遷选選递遞遗遺邮郵郑鄭鉴鑒针針钟鐘钢鋼铁鐵银銀锋鋒错錯键鍵镇鎮闭閉闻聞阳陽阴陰阵陣阶階际際陆陸险險随隨隐隱页頁项項顺順须須预預领領频頻颜顏风風飞飛馆館驾駕验驗骑騎鲜鮮黄黃齐齊龄齡几幾岛島乡鄉兰蘭亚亞严嚴丰豐临臨举舉么麼习習亏虧云雲仅僅仓倉价價众眾优優伟偉传傳伤傷伦倫侦偵俩倆债債倾傾偿償储儲儿兒兴興养養内內冲衝净淨减減凤鳳凭憑击擊创創删刪剂劑剑劍剧劇励勵劲勁勋勳匀勻区區却卻卫衛厅廳厉厲厌厭厕廁双雙叶葉叹嘆吗嗎启啟吴吳呜嗚周周响響哑啞哪哪唤喚啸嘯喷噴嘱囑"

// zhSaid brings what is said to the traditional script.
var zhSaid = sync.OnceValue(func() map[rune]rune {
	m := map[rune]rune{}
	runes := []rune("万萬亿億点點负負两兩减減约約时時号號线線杠槓划劃节節欧歐镑鎊摄攝华華纳納顷頃吨噸贝貝兹茲焦焦赫赫转轉帧幀无無穷窮于於币幣韩韓卢盧铢銖门門电電页頁会會台臺钟鐘罗羅兰蘭亚亞尔爾联聯乌烏麦麥")
	for i := 0; i+1 < len(runes); i += 2 {
		m[runes[i]] = runes[i+1]
	}
	return m
})

// zhScript is 1 for a character of the simplified script alone, 2 for one of the
// traditional script alone.
var zhScript = sync.OnceValue(func() *[0xA000 - 0x4E00]byte {
	var of [0xA000 - 0x4E00]byte
	runes := []rune(zhPairs)
	for i := 0; i+1 < len(runes); i += 2 {
		if runes[i] != runes[i+1] {
			of[runes[i]-0x4E00], of[runes[i+1]-0x4E00] = 1, 2
		}
	}
	// 几 乡 么 叶 云 丰 冲 却 周 are old characters of the traditional script as well.
	for _, r := range "几么叶云丰冲却卻" {
		of[r-0x4E00] = 0
	}
	return &of
})

// zhAdapt brings what was said from a byte of s.out on to the script of the text,
// which it looks at once: the scan goes over to the language of that script.
func (h *han) zhAdapt(s *scan, from int) {
	if s.lang != h.scripts[0] && s.lang != h.scripts[1] {
		s.lang = h.scripts[0]
		if isTraditional(s.text) {
			s.lang = h.scripts[1]
		}
	}
	if s.lang == h.scripts[0] {
		return
	}
	said := zhSaid()
	for i := from; i+3 <= len(s.out); {
		r, n := utf8.DecodeRune(s.out[i:])
		if to := said[r]; to != 0 {
			utf8.EncodeRune(s.out[i:i+3], to) // both have three bytes
		}
		i += n
	}
}

// isTraditional reports whether a text has more characters of the traditional
// script alone than of the simplified one.
func isTraditional(text string) bool {
	var count [3]int
	scriptOf := zhScript()
	for _, r := range text {
		if r >= 0x4E00 && r < 0xA000 {
			count[scriptOf[r-0x4E00]]++
		}
	}
	return count[2] > count[1]
}
