package intake

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
)

// Links says where the links of a corpus may lead: to what lies in the corpus, and in
// the folders that the user names. A dataset with links that lead elsewhere would be
// another one in another place, and may be no dataset of ours. It is safe for
// concurrent use.
type Links struct {
	folders []string // without symlinks, the corpus first

	mu     sync.Mutex
	astray string // the folder that holds all that refused links lead to; "" for none
}

// NewLinks are the links of a corpus in dir that may lead into further folders.
func NewLinks(dir string, further []string) (*Links, error) {
	l := &Links{}
	for i, folder := range append([]string{dir}, further...) {
		real, err := filepath.EvalSymlinks(folder)
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err != nil && i > 0 {
			return nil, fmt.Errorf("audio_roots: %s: %w", folder, plain(err))
		}
		if err != nil {
			return nil, err
		}
		l.folders = append(l.folders, real)
	}
	return l, nil
}

// Follow is where a link leads; out: it may not be followed there.
func (l *Links) Follow(link string) (target string, out bool, err error) {
	if target, err = filepath.EvalSymlinks(link); err != nil {
		return "", false, err
	}
	if target, err = filepath.Abs(target); err != nil {
		return "", false, err
	}
	for _, folder := range l.folders {
		if target == folder || strings.HasPrefix(target, strings.TrimSuffix(folder, "/")+"/") {
			return target, false, nil
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.astray = common(l.astray, filepath.Dir(target))
	return target, true, nil
}

// Astray is the folder that holds all that refused links lead to, "" for none.
func (l *Links) Astray() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.astray
}

// common is the innermost folder that holds both, for a message that names one folder
// to allow and not the thousand files that links lead to.
func common(a, b string) string {
	if a == "" {
		return b
	}
	for a != "/" && a != b && !strings.HasPrefix(b, a+"/") {
		a = filepath.Dir(a)
	}
	return a
}
