package top

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"voxpack/cmd/voxpack/internal/term"
)

// checkLoopback reads an address, which has to be one of this machine alone: the
// figures are nobody else's, and there is no password.
func checkLoopback(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil || port == "" {
		return term.Usagef("--prometheus %s: want HOST:PORT, as in 127.0.0.1:9464", address)
	}
	if !loopback(host) {
		return term.Usagef("--prometheus %s: metrics are served on loopback only, as in 127.0.0.1:%s; for another machine, let an agent here scrape them, or forward the port with ssh", address, port)
	}
	return nil
}

// loopback reports whether a host is this machine's own.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// serveMetrics answers scrapes at an address until ctx is done, each with a look of
// its own.
func serveMetrics(ctx context.Context, address string, look func(context.Context) Look, stdout io.Writer) error {
	if err := checkLoopback(address); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("--prometheus: %w", err)
	}
	server := http.Server{Handler: scraped(look), ReadHeaderTimeout: 5 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if _, err := fmt.Fprintf(stdout, "metrics at http://%s/metrics\n", listener.Addr()); err != nil {
		listener.Close()
		return err
	}
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("--prometheus: %w", err)
	}
	return term.ErrInterrupted
}

// scraped answers requests. A page of another site, which a browser here may
// have opened, names that site as the host: it gets nothing.
func scraped(look func(context.Context) Look) http.Handler {
	var one sync.Mutex // of looks: a feeder is asked by one at a time
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if !loopback(host) {
			http.Error(w, "metrics are for this machine: ask for them at 127.0.0.1", http.StatusForbidden)
			return
		}
		one.Lock()
		l := look(r.Context())
		one.Unlock()
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_ = writeMetrics(w, l) // who hung up does not want it
	})
	return mux
}
