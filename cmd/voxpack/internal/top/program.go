package top

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"voxpack/cmd/voxpack/internal/term"
)

// program is the full screen: the one place that knows of the library, which
// draws what Screen says, reads keys, and gives the terminal back as it was, after
// a signal and a panic too.
type program struct {
	ctx           context.Context // of looks; tea.Cmd has no argument for it
	look          func(context.Context) Look
	every         time.Duration
	history       *History
	ui            UI
	width, height int
	colour        bool
	interrupted   bool // by Ctrl-C, which is a key here
}

// runScreen shows looks until a key or ctx ends it.
func runScreen(ctx context.Context, look func(context.Context) Look, every time.Duration, in, out *os.File) error {
	p := &program{ctx: ctx, look: look, every: every, history: &History{}, width: 80, height: 24, colour: os.Getenv("NO_COLOR") == ""}
	_, err := tea.NewProgram(p, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler()).Run()
	switch {
	case p.interrupted, ctx.Err() != nil:
		return term.ErrInterrupted
	case errors.Is(err, tea.ErrProgramPanic):
		return errors.New("the screen ended by a fault of this program, printed above; voxpack top --plain does without it")
	case err != nil:
		return fmt.Errorf("screen: %w; voxpack top --plain does without it", err)
	}
	return nil
}

// looked is the message that a look is there.
type looked Look

// Init begins to look.
func (p *program) Init() tea.Cmd { return p.now }

func (p *program) now() tea.Msg { return looked(p.look(p.ctx)) }

// Update takes a look, a key or the size of the terminal.
func (p *program) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	switch m := m.(type) {
	case looked:
		p.history.Add(Look(m))
		return p, tea.Tick(p.every, func(time.Time) tea.Msg { return p.now() })
	case tea.WindowSizeMsg:
		p.width, p.height = m.Width, m.Height
	case tea.KeyPressMsg:
		switch key := m.String(); key {
		case "ctrl+c":
			p.interrupted = true
			return p, tea.Quit
		case "ctrl+z":
			return p, tea.Suspend
		default:
			end := false
			if p.ui, end = p.ui.press(key, p.history); end {
				return p, tea.Quit
			}
		}
	}
	return p, nil
}

// View is the screen.
func (p *program) View() tea.View {
	v := tea.NewView(Screen(p.history, p.ui, p.width, p.height, p.colour))
	v.AltScreen = true
	return v
}
