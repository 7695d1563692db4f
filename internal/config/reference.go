//lint:file-ignore ST1018 Persian is spelt with U+200C, and an escape in its place cannot be read.

package config

import (
	"fmt"
	"strconv"
	"strings"
)

// pageText is everything on a reference page that is not in the table.
type pageText struct {
	open, title, intro, close                   string
	kinds                                       map[Kind]string
	def, none, allowed, also, model, reads, and string
	readers                                     map[string]string
	comma                                       string
}

// Reference is the reference page of all keys in Markdown, in the language
// "en" or "fa"; any other gives the English one. Both pages have the same
// headings in the same order.
func Reference(language string) string {
	t := englishPage
	if language == "fa" {
		t = persianPage
	}
	var b strings.Builder
	b.WriteString(t.open + "# " + t.title + "\n\n" + t.intro + "\n")
	for _, g := range groups() {
		title := g.en
		if language == "fa" {
			title = g.fa
		}
		fmt.Fprintf(&b, "\n## %s\n", title)
		for _, k := range g.keys {
			text := k.En
			if language == "fa" {
				text = k.Fa
			}
			fmt.Fprintf(&b, "\n### `%s`\n\n%s\n\n%s\n", k.Name, text, t.facts(k))
		}
	}
	b.WriteString(t.close)
	return b.String()
}

// facts is the list under a key: type, default, range, other names, readers.
func (t pageText) facts(k Key) string {
	def := t.none
	if k.Default != nil && k.Default != "" {
		def = "`" + literal(k.Default) + "`"
	}
	lines := []string{fmt.Sprintf("- %s", t.kinds[k.Kind]), fmt.Sprintf("- %s %s", t.def, def)}
	switch {
	case len(k.Enum) > 0:
		lines = append(lines, fmt.Sprintf("- %s %s", t.allowed, t.code(k.Enum)))
	case k.Kind == Int || k.Kind == Float:
		lines = append(lines, fmt.Sprintf("- %s `%s` … `%s`", t.allowed, number(k.Min), number(k.Max)))
	}
	if len(k.Aliases) > 0 {
		lines = append(lines, fmt.Sprintf("- %s %s", t.also, t.code(k.Aliases)))
	}
	if k.Shared {
		lines = append(lines, "- "+t.model)
	}
	var readers []string
	for _, r := range k.Reads {
		if r == "feed" && len(k.Reads) > 1 {
			r = "feed too"
		}
		readers = append(readers, t.readers[r])
	}
	return strings.Join(append(lines, fmt.Sprintf("- %s %s", t.reads, strings.Join(readers, t.and))), "\n")
}

func (t pageText) code(names []string) string {
	return "`" + strings.Join(names, "`"+t.comma+"`") + "`"
}

// literal is a default as it is written in YAML.
func literal(v any) string {
	switch v := v.(type) {
	case float64:
		return number(v)
	case bool:
		return strconv.FormatBool(v)
	case string:
		return v
	}
	return fmt.Sprint(v)
}

var englishPage = pageText{
	title: "Configuration",
	intro: "<!-- Made from the table of keys in internal/config. -->\n\n" +
		"voxpack reads the trainer's own `config.yaml`, or a `voxpack.yaml` beside the metadata. Keys stand under `data:`; other sections\n" +
		"are the trainer's and are not read. Every key has a default, and `null` means the default. Paths are relative to the file.\n" +
		"All problems of a file come out at once, with line and column: an unknown key under `data:` is a warning with the nearest\n" +
		"known name, and a value that this version cannot obey is an error. So is a file without any voxpack setting, as\n" +
		"a trainer's config without this section: the message lists its audio settings under their voxpack names.\n\n" +
		"```yaml\ndata:\n  sample_rate: 22050\n  max_mel_frames: 800\n  language: en\n```\n",
	kinds: map[Kind]string{Int: "A whole number", Float: "A number", Bool: "`true` or `false`", String: "A text", Path: "A path",
		Enum: "One of a few words", List: "A list of texts", Symbols: "A list of texts, or a text",
		Table: "A section of names", Names: "A section of names", Corpora: "A list of sections, or of paths"},
	def: "Default:", none: "not set", allowed: "Allowed:", also: "Also written:", comma: ", ",
	model: "May stand under `model:` too, with the same value", reads: "Read by:", and: ", ",
	readers: map[string]string{"audio": "the audio stage", "text": "the text stage", "tokens": "the tokens stage", "mel": "the mel stage",
		"shape": "padding, which computes nothing", "shards": "the forming of shards", "features": "the list of columns", "rows": "the reading of rows",
		"feed": "the feeder, never the compiler", "feed too": "the feeder", "model": "the trainer", "none": "no stage"},
}

var persianPage = pageText{
	open: "<div dir=\"rtl\">\n\n", close: "\n</div>\n",
	title: "پیکربندی",
	intro: "<!-- Made from the table of keys in internal/config. -->\n\n" +
		"voxpack همان `config.yaml` آموزشگر یا پروندهٔ `voxpack.yaml` در کنار فراداده را می‌خواند. کلیدها زیر `data:` می‌آیند؛ بخش‌های دیگر\n" +
		"از آنِ آموزشگرند و خوانده نمی‌شوند. هر کلید مقدار پیش‌فرض دارد و `null` یعنی همان پیش‌فرض. مسیرها نسبت به همین پرونده‌اند.\n" +
		"همهٔ ایرادهای پرونده یکجا و با شمارهٔ سطر و ستون گفته می‌شوند: کلید ناشناخته زیر `data:` هشداری است همراه با نزدیک‌ترین نام شناخته،\n" +
		"و مقداری که این نسخه نمی‌تواند به آن عمل کند خطاست. پرونده‌ای هم که هیچ تنظیمی برای voxpack ندارد، مانند پیکربندی آموزشگری بدون این بخش،\n" +
		"خطاست: پیام، تنظیم‌های صوتی آن پرونده را با نام معادلشان در voxpack فهرست می‌کند.\n\n" +
		"```yaml\ndata:\n  sample_rate: 22050\n  max_mel_frames: 800\n  language: en\n```\n",
	kinds: map[Kind]string{Int: "عدد درست", Float: "عدد", Bool: "`true` یا `false`", String: "متن", Path: "مسیر",
		Enum: "یکی از چند واژه", List: "فهرستی از متن‌ها", Symbols: "فهرستی از متن‌ها، یا یک متن",
		Table: "بخشی از نام‌ها", Names: "بخشی از نام‌ها", Corpora: "فهرستی از بخش‌ها یا مسیرها"},
	def: "پیش‌فرض:", none: "بدون مقدار", allowed: "مجاز:", also: "نام‌های دیگر:", comma: "، ",
	model: "می‌تواند با همان مقدار زیر `model:` نیز بیاید", reads: "خواننده:", and: "، ",
	readers: map[string]string{"audio": "مرحلهٔ صدا", "text": "مرحلهٔ متن", "tokens": "مرحلهٔ توکن", "mel": "مرحلهٔ مل",
		"shape": "پرکردن، که چیزی حساب نمی‌کند", "shards": "چیدن تکه‌ها", "features": "فهرست ستون‌ها", "rows": "خواندن سطرها",
		"feed": "خوراننده، و هرگز سازنده", "feed too": "خوراننده", "model": "آموزشگر", "none": "هیچ مرحله‌ای"},
}
