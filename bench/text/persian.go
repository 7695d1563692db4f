package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

var (
	faThings = strings.Fields("کتاب نامه مدرسه باغ شهر خیابان کارگاه پرونده گزارش دانشمند نویسنده معلم بازار کشتی راه\u200cآهن مسافر روستا کوه رودخانه پل دانشگاه موزه آشپزخانه قرارداد موتور پرسش پاسخ نظریه زبان موسیقی")
	faKinds  = strings.Fields("قدیمی تازه بزرگ کوچک کامل خصوصی آرام دقیق مشترک عجیب جدی باریک زیبا دشوار مهم پیشین اصلی ساده")
	faDid    = strings.Fields("دید نوشت آورد گشود بست برداشت فرستاد پذیرفت شناخت یافت ساخت خرید می\u200cخواند می\u200cگفت نمی\u200cدانست خواهد\u200cبرد")
	faBeside = strings.Fields("در از با کنار زیر پیش\u200cاز پس\u200cاز برای درون")
	faSurely = strings.Fields("اما بنابراین سپس شاید البته به\u200cراستی معمولا سرانجام")
	faPeople = strings.Fields("رضایی کریمی احمدی مرادی سهرابی تهران شیراز تبریز اصفهان")
	faMonths = strings.Fields("فروردین خرداد مهر آبان بهمن اسفند")
	faShort  = []string{"ص %s", "ج. %s", "سال %s ق.م", "سال %s ه.ش"}
)

// persianClause has as many forms to read as englishClause, and of its kinds.
func persianClause(rng *rand.Rand, throw float64) string {
	thing := pick(rng, faThings)
	plain := fmt.Sprintf("%s %s %s %s را %s %s %s", pick(rng, faKinds), thing, pick(rng, faBeside), pick(rng, faThings), pick(rng, faThings), pick(rng, faKinds), pick(rng, faDid))
	switch {
	case throw < 0.45:
		return plain
	case throw < 0.57:
		return "در سال " + persianDigits(strconv.Itoa(1250+rng.IntN(160))) + " " + plain
	case throw < 0.67:
		upTo := []int{98, 9_900, 990_000}[rng.IntN(3)]
		return fmt.Sprintf("%s %s %s %s بود", persianDigits(strings.ReplaceAll(grouped(2+rng.IntN(upTo)), ",", "٬")), thing, pick(rng, faBeside), pick(rng, faThings))
	case throw < 0.75:
		return pick(rng, faPeople) + " در " + fmt.Sprintf(pick(rng, faShort), persianDigits(strconv.Itoa(1+rng.IntN(400)))) + " " + thing + " را " + pick(rng, faDid)
	case throw < 0.83:
		return fmt.Sprintf("بهای %s %s تومان شد", thing, persianDigits(strings.ReplaceAll(grouped(1000*(1+rng.IntN(9_998))), ",", "٬")))
	case throw < 0.90:
		return fmt.Sprintf("در %s %s ماه %s", persianDigits(strconv.Itoa(1+rng.IntN(30))), pick(rng, faMonths), plain)
	case throw < 0.95:
		return fmt.Sprintf("نزدیک %s٪ از %s ماند", persianDigits(fmt.Sprintf("%d٫%d", rng.IntN(100), 1+rng.IntN(9))), thing)
	}
	return pick(rng, faSurely) + "، " + plain
}

// persianDigits writes the digits of Persian for those of the ASCII.
func persianDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r - '0' + '۰'
		}
		return r
	}, s)
}
