package spoken

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// ko is Korean: numbers of Chinese and of native words, between which the counter
// decides. Particles and endings stand after a number or a counter without a
// space, and stay there.
type ko struct {
	*voice
	books []string // before a chapter
}

func korean() *language {
	v := &voice{code: "ko", decimal: ".", groups: []string{","}}
	forms := plainFormsOf("ko")
	l, k := v.language(), ko{v, forms.books}
	l.plain, l.letters = koreanPlain, forms.with(koreanLetters)
	l.shared, l.rules = false, []rule{
		{"url", atLetter, true, k.readURL},
		{"money", func(c byte) bool { return v.signsBy[c] != nil }, true, k.readSign},
		{"letters and digits", func(c byte) bool { return isLetter(c) || c >= 0xc2 }, true, k.readWord},
		{"phone", func(c byte) bool { return isDigit(c) || c == '+' || c == '(' }, true, k.readPhone},
		{"date", isDigit, true, k.readDate},
		{"time", isDigit, true, k.readTime},
		{"dotted number", isDigit, true, k.readParts},
		{"score", isDigit, true, k.readScore},
		{"fraction", isDigit, true, k.readFraction},
		{"range", isDigit, true, k.readRange},
		{"amount", isDigit, true, k.readAmount},
		{"sign", atSign, true, k.readBefore},
		{"symbol", atSign, true, v.readSymbol},
	}
	return l
}

// Counters of native numbers, of which some are other words before more letters.
const koreanNative = `개 명 사람 살 시간 마리 권 잔 병 장 벌 켤레 그루 송이 채 척 가지 곳 달 군데 마디 봉지 상자 그릇 통 판 줄 자루 포기 쌍
	다발 갑 알 조각 모금 차례 바퀴 배 걸음 끼 팀 건 골 경기 곡 편 발 칸 겹 짝 방울 스푼 숟갈 숟가락 컵 접시 박스 묶음 뭉치 가닥 그룹 가족 나라 도시 학교
	아이 여자 남자 친구 손가락 글자 단어 문장 문제 표 대 번 시 말 되 돌 해 쪽지 접 손 모 톨 술 꼬집 덩이 덩어리 토막 꾸러미 다스 축 쾌 올 타래 켜 움큼 줌 아름 뼘 길 마을 마당 대목 군 부류 갈래 줄기 방면 잎 매듭 점포 세대주 끼니 홉 첩 제 짐 땀 탕 판째`

// Counters of Chinese numbers, and names of units that are written out.
const koreanSino = `년 년대 년도 개년 월 개월 일 주 주일 주년 주째 세기 분 초 회 차 층 호 호선 호실 호기 번지 번길 번가 번대 학년 학기 학점 교시 급 등 등급
	위 도 세 세대 인 인분 원 달러 유로 엔 위안 파운드 루피 루블 페소 프랑 센트 퍼센트 퍼센트포인트 프로 포인트 점 승 패 무 조 항 절 호점 동 평 박 대손 개국 개사
	개소 개교 개조 개항 개구 개도 개도국 개동 개군 개시 개주 개소대 개사단 개대 개월째 분기 분의 시즌 라운드 세트 이닝 쿼터 킬로미터 킬로그램 킬로 미터 센티미터 센티 밀리미터 밀리 그램 톤 리터 밀리리터 헥타르 와트 킬로와트 볼트
	칼로리 바이트 메가바이트 기가바이트 헤르츠 배럴 에이커 마일 인치 피트 야드 온스 노트 단계 단 종 석 가구 구역 급수 기압 데시벨 도씨 루타 번타자 부 부작 비트 사단 순위 연승 연패 연대 열 옥타브 위권 인승 인조 인치형 자리 자릿수 주택 중대 차로 차선 차원 척도 촌 층짜리 칼럼 톤급 편대 할 해리 행 호봉 홀 화 회말 회초 마력 배수 박자`

var koreanCounters = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(koreanSino) {
		m[w] = false
	}
	for w := range strings.FieldsSeq(koreanNative) {
		m[w] = true
	}
	return m
})

// koreanLetters makes ASCII of the full-width forms and one wave of its kinds.
func koreanLetters(text string) string {
	if strings.IndexByte(text, 0xef) < 0 && !strings.Contains(text, "〜") && !strings.Contains(text, "∼") {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		case r == '〜' || r == '∼':
			return '~'
		}
		return r
	}, text)
}

// koreanPlain is true for letters, spaces and the usual punctuation.
func koreanPlain(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case isLetter(c), strings.IndexByte(" ,!?\"'()", c) >= 0:
		case c == '.':
			if i+1 < len(text) && text[i+1] != ' ' && text[i+1] != '"' {
				return false
			}
		case c >= 0xea && c <= 0xed && i+2 < len(text):
			r, n := utf8.DecodeRuneInString(text[i:])
			if r < 0xac00 || r > 0xd7a3 {
				return false
			}
			i += n - 1
		default:
			return false
		}
	}
	return true
}

// isHangul reports whether a syllable stands at a place.
func isHangul(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[min(at, len(text)):])
	return r >= 0xac00 && r <= 0xd7a3
}

// hangul is the run of syllables at a place, as far as a counter can reach.
func hangul(text string, at int) string {
	end := at
	for end-at < 24 && isHangul(text, end) {
		end += 3
	}
	return text[at:end]
}

// readWord parts a word from the digits in it: 제3회, A4.
func (k ko) readWord(s *scan) bool {
	end, digit := s.at, false
	for end < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		if digit = r < 0x80 && isDigit(byte(r)); digit || !inWord(r) || unicode.IsDigit(r) {
			break
		}
		end += n
	}
	if !digit || end == s.at {
		return false
	}
	k.open(s)
	s.out = append(s.out, s.text[s.at:end]...)
	s.at = end
	return true
}

// open puts a space before letters that follow a number, but for Korean ones,
// which may be a particle.
func (k ko) open(s *scan) {
	if s.at > 0 && isDigit(s.text[s.at-1]) && !isHangul(s.text, s.at) {
		s.space()
	}
}

// put writes words with a space before them where one is wanted: not after 제,
// nor after an opening mark.
func (k ko) put(s *scan, words string) {
	if !k.ranked(s) {
		s.space()
	}
	s.out = append(s.out, words...)
}

// ranked reports whether the number at s.at stands after 제.
func (k ko) ranked(s *scan) bool {
	rest, ok := strings.CutSuffix(s.text[:s.at], "제")
	if !ok {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(rest)
	return rest == "" || !inWord(r)
}

// sino is a number in Chinese words; what begins with zeros or is too long is said
// digit by digit.
func sino(digits string) string {
	whole, fraction, _ := strings.Cut(digits, ".")
	if len(whole) > 1 && whole[0] == '0' || len(whole) > 16 {
		words := oneByOne(whole, "")
		if fraction != "" {
			words += " 점 " + oneByOne(fraction, " ")
		}
		return words
	}
	words, _ := numbers.Speak("ko", numbers.Cardinal, digits)
	return words
}

// oneByOne says digits as those of a telephone: zero is 공.
func oneByOne(digits, between string) string {
	var b strings.Builder
	for i := range len(digits) {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString([]string{"공", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"}[digits[i]-'0'])
	}
	return b.String()
}

// native is a number in native words as they stand before a counter.
func native(digits string) string {
	words, _ := numbers.SpeakForm("ko", numbers.Cardinal, "native-attributive", digits)
	return words
}
