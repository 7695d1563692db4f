package top

import "slices"

// UI is what keys change of the screen.
type UI struct {
	chosen consumerID // the zero one: the first
	frozen *History   // what a paused screen shows; nil: it is not paused
	help   bool
}

// shows is the history on the screen.
func (u UI) shows(h *History) *History {
	if u.frozen != nil {
		return u.frozen
	}
	return h
}

// press is what a key does; end says that it ends the program.
func (u UI) press(key string, h *History) (after UI, end bool) {
	list := u.shows(h).shown()
	at := u.place(list)
	switch key {
	case "q", "esc":
		if key == "esc" && u.help {
			break
		}
		return u, true
	case "up", "k":
		at--
	case "down", "j":
		at++
	case "home":
		at = 0
	case "end":
		at = len(list) - 1
	case "p", "space":
		if u.frozen != nil {
			u.frozen = nil
			break
		}
		u.frozen = &History{append([]Look(nil), h.looks...)}
	}
	u.help = key == "?" && !u.help
	if len(key) == 1 && key[0] >= '1' && key[0] <= '9' {
		at = int(key[0] - '1')
	}
	if len(list) > 0 {
		u.chosen = list[min(max(at, 0), len(list)-1)].id
	}
	return u, false
}

// place is where the chosen consumer stands in a list: the first one that takes
// batches where it is not in it.
func (u UI) place(list []shownConsumer) int {
	at := slices.IndexFunc(list, func(c shownConsumer) bool { return c.id == u.chosen })
	if at < 0 {
		at = slices.IndexFunc(list, func(c shownConsumer) bool { return !c.left })
	}
	return max(0, at)
}
