package spoken

import (
	"testing"
)

// TestKoreanForms: forms that the reviewed set does not have.
func TestKoreanForms(t *testing.T) {
	for _, c := range []struct{ rule, written, want string }{
		{"대 of machines", "버스 10대와 차 3대", "버스 열 대와 차 세 대"},
		{"대 of ages", "30대 남성 2명", "삼십 대 남성 두 명"},
		{"대 of a rank", "5대 그룹과 4대강", "오 대 그룹과 사대강"},
		{"대 of a score is behind both", "40대 50개", "사십 대 쉰 개"},
		{"번 of times", "2번 반복한다", "두 번 반복한다"},
		{"번 of a number", "1번을 골라라", "일 번을 골라라"},
		{"분 of persons", "손님 3분과 3분", "손님 세 분과 삼 분"},
		{"a counter behind other letters is none", "16강과 3대학", "십육강과 삼대학"},
		{"a particle is not a counter", "7과 8은", "칠과 팔은"},
		{"months that lose a sound", "5~6월, 10월호", "오에서 유 월, 시 월호"},
		{"magnitudes", "1천만 명, 5,182만 9,023명, 1억5천만원", "천만 명, 오천백팔십이만 구천이십삼 명, 일억 오천만 원"},
		{"a quarter of a year", "1/4분기", "일사 분기"},
		{"a season", "2021/22 시즌", "이천이십일 이십이 시즌"},
		{"negatives of a range", "최저 -10~-5도", "최저 마이너스 십에서 마이너스 오 도"},
		{"the number of a house", "역삼동 123-4번지", "역삼동 백이십삼 다시 사 번지"},
		{"a range of hyphens", "3-4명, 2019-2020시즌", "세 명에서 네 명, 이천십구에서 이천이십 시즌"},
		{"a name of a day", "5.18 민주화운동과 3.1절", "오일팔 민주화운동과 삼일절"},
		{"a price for a unit", "5,000원/kg, 1kg당 3원", "오천 원 킬로그램당, 일 킬로그램당 삼 원"},
		{"full-width digits", "３개와 １０％", "세 개와 십 퍼센트"},
		{"thirds and halves", "2½배, 3/4", "이와 이분의 일 배, 사분의 삼"},
		{"letters before digits", "iPhone 12와 B2B", "iPhone 십이와 B 이 B"},
		{"an area of telephones in a bracket", "02)123-4567", "공 이, 일 이 삼, 사 오 육 칠"},
		{"a month alone", "2024.01. 기준", "이천이십사 년 일 월 기준"},
		{"a day of the week", "5/3(금)", "오 월 삼 일(금)"},
		{"a unit behind a magnitude", "3만 km, 10만㎡", "삼만 킬로미터, 십만 제곱미터"},
		{"a wave before a word of time", "9시~오후 6시", "아홉 시에서 오후 여섯 시"},
		{"a fraction in words", "1,000분의 1", "천분의 일"},
		{"two ranks are no day", "1·2위", "일· 이 위"},
		{"more than thirty", "30여명, 1만여명, 100여 곳", "삼십여 명, 만여 명, 백여 곳"},
		{"the number of a card", "1234-5678-9012-3456", "일 이 삼 사, 오 육 칠 팔, 구 공 일 이, 삼 사 오 육"},
		{"대 between two names", "T1 대 DK", "T 일 대 DK"},
		{"번 of a pupil", "2반 15번", "이반 십오 번"},
		{"hours with a wave", "9:00~18:00", "아홉 시에서 십팔 시"},
		{"a counter of persons that is long", "100명, 101명", "백 명, 백일 명"},
	} {
		if got := read(t, "ko", c.written); got != c.want {
			t.Errorf("%s: %q is read %q, want %q", c.rule, c.written, got, c.want)
		}
	}
}

func FuzzKorean(f *testing.F) {
	for _, seed := range []string{"2019년 5월 3일 오후 3:30에 3명이", "010-1234-5678 02)345-6789 +82-10-1", "₩3,500 $5백만 1억5천만원 50만원", "3~5개 -10~-5도 2-0으로 3 대 1의", "1/4분기 2½배 1/2로 3.14이다", "제3회 제 2조 6·25 5.18 민주화", "10km를 5%p 80km/h 20℃ 원/kg", "a@b.com에 www.x.kr에서 A4용지 5G", "오후 2220에 1명+", "２０２０年 ①번 Ⅲ = 4", "\xff1. ٣개"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkReader(t, "ko", text) })
}

func BenchmarkKorean(b *testing.B) {
	r, _ := New("ko")
	line := "2019년 5월 3일 오전 10:30에 학생 3명이 사과 20kg을 $12.50에 샀고 물가는 3.5% 올랐다."
	var out []byte
	for b.Loop() {
		out, _ = r.Read(out[:0], line, false)
	}
}
