package compiler

import (
	"context"
	"errors"
	"sync"

	"voxpack/compiler/action"
	"voxpack/internal/espeak"
	"voxpack/store"
	"voxpack/textnorm"
)

// phonemes says texts in phonemes: out of the memo, or by workers of espeak-ng. It
// is safe for concurrent use. The zero one says nothing.
type phonemes struct {
	version string // of all that makes them
	memo    *action.Memo
	pool    *espeak.Pool

	mu     sync.Mutex
	made   map[store.Key]string // by this build, which the memo does not tell before its end
	broken error                // why nothing can be said; no fault of a row
}

// speak gives the tokenizer its phonemes, until the pool is closed. It comes after the memo,
// which may have all of them: workers of espeak-ng start when the first text needs one.
func (t *tools) speak(ctx context.Context) {
	t.openPrograms(ctx)
	if t.cfg.Phonemes == "" {
		return
	}
	t.phonemes = phonemes{version: t.cfg.Phonemes, memo: t.memo, pool: espeak.NewPool(t.espeak, 0), made: map[store.Key]string{}}
	t.cfg.Tokens.Phonemes = func(text, language string) (string, error) { return t.phonemes.of(ctx, text, language) }
}

// close ends outside programs.
func (t *tools) close() {
	t.phonemes.pool.Close()
	t.programs.close()
	t.memo.Close()
	t.aside.close()
}

// of is a text in phonemes. The action reads the text and its language.
func (p *phonemes) of(ctx context.Context, text, language string) (string, error) {
	var recipe store.Recipe
	key := recipe.Start("phonemes", p.version).Text("language", language).Text("spoken", text).Key()
	p.mu.Lock()
	said, ok := p.made[key]
	broken := p.broken
	p.mu.Unlock()
	if ok || broken != nil {
		return said, broken
	}
	if res, ok := p.memo.Get(key); ok {
		return res.Spoken, nil
	}
	said, err := textnorm.Phonemize(text, func(clause string) (string, error) { return p.pool.Say(ctx, clause, language) })
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case errors.Is(err, espeak.ErrText) && language == "und":
		return "", errors.New("phonemes need the row's language: name it by the key language, or in a column")
	case errors.Is(err, espeak.ErrText):
		return "", err
	case err != nil:
		p.broken = err
		return "", err
	}
	if _, twice := p.made[key]; !twice {
		p.made[key] = said
		p.memo.Put(key, action.Result{Spoken: said})
	}
	return said, nil
}

// fault is why phonemes could not be had of any text.
func (p *phonemes) fault() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.broken
}
