package espeak

import "fmt"

// voices are the names of espeak-ng for codes of ours that it calls otherwise,
// or of which it has several: the variety that most recordings are in. All other
// languages have one name in both.
var voices = map[string]string{
	"en": "en-us",
	"fr": "fr-fr",
	"no": "nb",
	"pt": "pt-br",
	"zh": "cmn",
}

// Voice is the name of the voice for a language by its code. An error of kind
// ErrText says that this espeak-ng has none.
func (t Tool) Voice(language string) (string, error) {
	voice, ok := voices[language]
	if !ok {
		voice = language
	}
	known, err := t.voices()
	if err == nil && !known[voice] {
		err = fmt.Errorf("%w: espeak-ng %s has no voice for language %s", ErrText, t.Version, language)
	}
	return voice, err
}
