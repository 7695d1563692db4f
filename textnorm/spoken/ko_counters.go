package spoken

import (
	"strings"
	"unicode/utf8"
)

// counted is a number of Korean counting: what says it, and where the text of it
// ends.
type counted struct {
	words string // the number, and the counter after a space
	end   int
}

// counterAt is the counter at a place, the longest that fits, and whether native
// words are counted by it. Behind a space, and of the native ones everywhere, no
// other letters than those of a particle may follow: 대학 is no 대.
func counterAt(s *scan, at int) (counter string, isNative bool) {
	next := at + gap(s.text, at)
	run := hangul(s.text, next)
	for size := min(len(run), 18); size > 0; size -= 3 {
		isNative, ok := koreanCounters()[run[:size]]
		if !ok || (isNative || next > at) && !particle(run[size:]) {
			continue
		}
		return run[:size], isNative
	}
	return "", false
}

// particle reports whether letters can be a particle or an ending after a noun.
func particle(word string) bool {
	if word == "" {
		return true
	}
	r, _ := utf8.DecodeRuneInString(word)
	return strings.ContainsRune("이가을를은는의에로으와과도만부까보나씩쯤정째짜당마고며인입였라처밖조뿐간여경반전후내때랑하중남무동넘들예요배용치급꼴식선", r)
}

// count is the number at a place with its counter; sinoOnly after 제.
func (k ko) counted(s *scan, a amount) (c counted, ok bool) {
	counter, isNative := counterAt(s, a.end)
	if counter == "" {
		return c, false
	}
	end := a.end + gap(s.text, a.end) + len(counter)
	small := a.fraction == "" && len(a.whole) <= 2 && atoi(a.whole) > 0 && a.whole[0] != '0'
	isNative = isNative && small && !k.ranked(s) && s.before() != "제"
	if isNative || counter == "분" {
		isNative = k.isNative(s, a, counter, end)
	}
	words := sino(a.String())
	switch {
	case isNative && counter == "번" && strings.HasPrefix(s.text[end:], "째"):
		words = native(a.whole)
		if a.whole == "1" {
			words = "첫"
		}
	case isNative:
		words = native(a.whole)
	case counter == "월" && a.whole == "6":
		words = "유"
	case counter == "월" && a.whole == "10":
		words = "시"
	}
	return counted{words + " " + counter, end}, true
}

// Words beside which a counter that is two is the one or the other.
const (
	koreanNumbered = "출구 버스 국도 타자 선수 홀 트랙 방 좌석 창구 후보 게이트 승강장 채널 교향곡 답 보기 라인 테이블 코트 플랫폼 염색체 트럭 유형 문항 항목 조항 고속도로 지방도 도로 탑승구 레인 시드 기계 건물 차량 경추 요추 타석"
	koreanMachines = "차 자동차 트럭 버스 택시 비행기 컴퓨터 전화 텔레비전 TV 승용차 기계 탱크 전투기 피아노 카메라 오토바이 자전거 헬기 로봇 냉장고 에어컨 세탁기 휴대전화 스마트폰 차량 노트북 전화기 선풍기 구급차 소방차 열차 항공기 드론 헬리콥터 담배 주사"
	koreanPersons  = "손님 어르신 선생님 여러분 교수님 분 어른 할머니 할아버지 의원 고객 승객 스님 신부님 목사님"
)

// isNative reports whether a counter that takes both kinds of numbers takes a native one here:
// 번 does for times (not for a label), 대 for machines (not for decades of age), 시 up to twelve,
// 분 for persons (not for minutes).
func (k ko) isNative(s *scan, a amount, counter string, end int) bool {
	before, n := s.before(), atoi(a.whole)
	rest, next := hangul(s.text, end), ""
	if space := gap(s.text, end); space > 0 {
		next = hangul(s.text, end+space)
	}
	switch counter {
	case "분":
		return len(a.whole) == 1 && n > 0 && a.fraction == "" && strings.Contains(" "+koreanPersons+" ", " "+strings.TrimRight(before, "이가")+" ")
	case "시":
		return n <= 12
	case "시간":
		return n < 24
	case "번":
		if strings.HasPrefix(rest, "째") {
			return true
		}
		numbered := startsWith(next, koreanNumbered) || strings.HasSuffix(before, "반") || oneOf(before, koreanNumbered+" 문제 정답은 답은 정답 기호 교향곡 협주곡 소나타 국도 번호 등번호 등번호는 소나타")
		first, _ := utf8.DecodeRuneInString(rest)
		return !numbered && (rest == "" || !strings.ContainsRune("이은는을의에과으", first) || strings.HasPrefix(rest, "이나") || strings.HasPrefix(rest, "의") || rest == "에" && n < 4 && beginsWith(hangul(s.text, end+len(rest)+gap(s.text, end+len(rest))), koreanAtOnce))
	case "장":
		return !k.isChapter(s, a, before, rest, end)
	case "대":
		if oneOf(before, koreanMachines) || oneOf(strings.TrimRight(before, "가를는은이"), koreanMachines) {
			return true
		}
		space := gap(s.text, end)
		if at := end + space; at < len(s.text) && (isDigit(s.text[at]) || isLetter(s.text[at])) || n%10 == 0 {
			return false
		}
		return next == "" || rest != "" || oneOf(next, "중 가운데 정도 이상 이하 씩 모두 더 가량 있다 있습니다 샀다 팔았다")
	case "건", "팀", "편", "곡", "표", "배", "골", "판":
		return n <= 20
	}
	return true
}

// koreanAtOnce begin the words after 한 번에, and koreanSheets are counted in native 장.
const (
	koreanAtOnce = "끝 성공 통과 합격 다 모두 해결 처리 완 마무리"
	koreanSheets = "종이 사진 표 티켓 그림 카드 지폐 음반 앨범 수건 이불 벽돌 김 쿠폰 마스크 원고 서류 유니폼 엽서 이미지 옐로카드 레드카드 지도 손수건"
)

func beginsWith(word, list string) bool {
	for w := range strings.FieldsSeq(list) {
		if strings.HasPrefix(word, w) {
			return true
		}
	}
	return false
}

// isChapter reports whether a 장 is a chapter and no sheet: verses follow, or the name of a book
// stands before, or what is done with a chapter is said.
func (k ko) isChapter(s *scan, a amount, before, rest string, end int) bool {
	if oneOf(strings.TrimRight(before, "을를이가은는"), koreanSheets) {
		return false
	}
	at := end + gap(s.text, end)
	if verse := s.run(at, isDigit); verse > at && strings.HasPrefix(s.text[verse:], "절") {
		return true
	}
	if behindName(s.text[:a.start], k.books) || oneOf(before, "책 성경 소설 논문 교재 교과서 보고서 본문 논어 도덕경 맹자") {
		return true
	}
	next := hangul(s.text, end+len(rest)+gap(s.text, end+len(rest)))
	return rest == "" && beginsWith(next, "전체 내용 제목 본문 끝 처음") || beginsWith(rest, "에서 에는 부터 까지 에선") || beginsWith(rest, "을 은 의") && beginsWith(next, "읽 시작 끝 내용 제목 첫 마지막 다룬 다루 설명 펴 펼")
}

// startsWith reports whether a word is one of a list, with a particle perhaps.
func startsWith(word, list string) bool {
	for w := range strings.FieldsSeq(list) {
		if rest, ok := strings.CutPrefix(word, w); ok && particle(rest) {
			return true
		}
	}
	return false
}

// magnitude is the run of 십백천만억조 after digits, where no other word begins.
func magnitude(s *scan, at int) string {
	end := at
	for end < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		if !strings.ContainsRune("십백천만억조경", r) || end-at > 9 {
			break
		}
		end += n
	}
	found := s.text[at:end]
	if found == "" {
		return ""
	}
	if counter, _ := counterAt(s, at); counter != "" && len(counter) > 3 && strings.HasPrefix(counter, found) { // 3조각
		return ""
	}
	rest := hangul(s.text, end)
	if counter, _ := counterAt(s, end); counter == "" && !particle(rest) || found == "조" && counter == "" && rest != "" && !strings.HasPrefix(rest, "여") {
		return ""
	}
	return found
}
