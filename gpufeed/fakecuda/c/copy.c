// copy.c: the calls that give copies to streams: what goes where, whether it is
// allowed, which of the faults meets it.
#include "fake.h"

#include <stdlib.h>
#include <string.h>

static _Atomic long copies; // given so far, over all devices

// reach gives the range that holds [b, b+n) as a context sees it; NULL: host
// memory that is not pinned for it.
static struct range *reach(const void *b, size_t n, CUcontext ctx)
{
	struct range *r = find(b, n);
	bool foreign = r && r->ordinal < 0 && !r->portable && r->home != ctx->ordinal;
	return foreign ? NULL : r;
}

// place finds what a piece lies in.
static void place(struct piece *p, CUcontext ctx)
{
	p->to = reach(p->dst, p->n, ctx);
	p->from = reach(p->src, p->n, ctx);
}

static bool on_device(const struct range *r) { return r && r->ordinal >= 0; }

// way gives a piece's route; ROUTES: from host to host, which no engine does.
static enum route way(const struct piece *p)
{
	bool to = on_device(p->to), from = on_device(p->from);
	if (!to)
		return from ? D2H : ROUTES;
	if (!from)
		return H2D;
	if (p->to->ordinal == p->from->ordinal)
		return D2D;
	unsigned forth = contexts[p->from->ordinal].peers >> p->to->ordinal & 1;
	unsigned back = contexts[p->to->ordinal].peers >> p->from->ordinal & 1;
	return forth || back ? P2P : STAGED;
}

static void count_route(enum route r, long long bytes)
{
	static const struct { enum counter copies, bytes; } counters[ROUTES] = {
		[H2D] = {C_h2d_copies, C_h2d_bytes},       [D2H] = {C_d2h_copies, C_d2h_bytes},
		[D2D] = {C_d2d_copies, C_d2d_bytes},       [P2P] = {C_p2p_copies, C_p2p_bytes},
		[STAGED] = {C_staged_copies, C_staged_bytes},
	};
	count(counters[r].copies, 1);
	count(counters[r].bytes, bytes);
}

// meet_faults numbers a copy and says what goes wrong with it. A device that is
// lost answers at once; the rest shows when the copy runs.
static CUresult meet_faults(struct transfer *t, CUcontext ctx)
{
	const struct config *c = config();
	long n = ++copies;
	t->ecc = n == c->ecc;
	t->hang = n == c->hang;
	t->slow = c->slow_after >= 0 && n > c->slow_after;
	if (c->lost_after >= 0 && n > c->lost_after)
		ctx->sticky = CUDA_ERROR_LAUNCH_FAILED;
	return ctx->sticky;
}

// claim holds the memory of the pieces.
static void claim(struct op *o, bool *unpinned)
{
	for (int i = 0; i < o->copy.n; i++) {
		struct piece *p = &o->copy.pieces[i];
		if (p->to)
			p->to->inflight++;
		if (p->from)
			p->from->inflight++;
		if (!p->to || !p->from)
			*unpinned = true;
	}
}

// submit gives n pieces of one route to a stream; pieces is taken over.
static CUresult submit(struct piece *pieces, int n, enum route route, CUstream s, CUcontext ctx)
{
	struct op *o = calloc(1, sizeof *o);
	o->kind = COPY;
	o->copy.route = route;
	o->copy.n = n;
	o->copy.pieces = pieces;
	o->copy.source = pieces[0].from ? pieces[0].from->ordinal : -1;
	o->copy.target = pieces[0].to ? pieces[0].to->ordinal : -1;
	CUresult r = meet_faults(&o->copy, ctx);
	if (r != CUDA_SUCCESS) {
		free(pieces);
		free(o);
		return r;
	}
	bool unpinned = false;
	pthread_mutex_lock(&big);
	claim(o, &unpinned);
	pthread_mutex_unlock(&big);
	for (int i = 0; i < n; i++)
		count_route(route, (long long)pieces[i].n);
	give(s, o);
	if (!unpinned)
		return CUDA_SUCCESS;
	count(C_unpinned_copies, 1);
	drain(s); // the driver stages what is not pinned before it returns
	return ctx->sticky;
}

// copy_one checks the direction and submits one piece.
static CUresult copy_one(uintptr_t dst, uintptr_t src, size_t n, bool to, bool from, CUstream s, CUcontext ctx)
{
	CUresult r = usable(&s, ctx);
	if (r != CUDA_SUCCESS || n == 0)
		return r;
	struct piece *p = calloc(1, sizeof *p);
	*p = (struct piece){.dst = (void *)dst, .src = (void *)src, .n = n};
	pthread_mutex_lock(&big);
	place(p, ctx);
	enum route route = way(p);
	bool fits = on_device(p->to) == to && on_device(p->from) == from;
	pthread_mutex_unlock(&big);
	if (!fits || !dst || !src) {
		free(p);
		return CUDA_ERROR_INVALID_VALUE;
	}
	return submit(p, 1, route, s, ctx);
}

API cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void *src, size_t n, CUstream s)
{
	ENTER(ctx);
	return copy_one((uintptr_t)dst, (uintptr_t)src, n, true, false, s, ctx);
}

API cuMemcpyDtoHAsync_v2(void *dst, CUdeviceptr src, size_t n, CUstream s)
{
	ENTER(ctx);
	return copy_one((uintptr_t)dst, (uintptr_t)src, n, false, true, s, ctx);
}

API cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream s)
{
	ENTER(ctx);
	return copy_one((uintptr_t)dst, (uintptr_t)src, n, true, true, s, ctx);
}

API cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t n, CUstream s)
{
	ENTER(ctx);
	if (!to || !from)
		return CUDA_ERROR_INVALID_CONTEXT;
	pthread_mutex_lock(&big);
	struct range *d = find((void *)(uintptr_t)dst, n), *r = find((void *)(uintptr_t)src, n);
	bool fits = d && r && d->ordinal == to->ordinal && r->ordinal == from->ordinal;
	pthread_mutex_unlock(&big);
	if (!fits && n > 0)
		return CUDA_ERROR_INVALID_VALUE;
	return copy_one((uintptr_t)dst, (uintptr_t)src, n, true, true, s, ctx);
}

// batch_ok checks what the driver refuses before it looks at any piece.
static bool batch_ok(size_t count, const CUmemcpyAttributes *attributes, const size_t *firsts, size_t n)
{
	if (count == 0 || n == 0 || n > count || !attributes || !firsts || firsts[0] != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		int order = (int)attributes[i].srcAccessOrder;
		if (order < 1 || order > 3 || firsts[i] >= count || (i > 0 && firsts[i] <= firsts[i - 1]))
			return false;
	}
	return true;
}

// A batch is one copy for each run of pieces that take the same route between
// the same devices.
API cuMemcpyBatchAsync(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t n,
	CUmemcpyAttributes *attributes, size_t *firsts, size_t nattributes, size_t *fail, CUstream s)
{
	ENTER(ctx);
	count(C_batch_calls, 1);
	*fail = SIZE_MAX;
	CUresult r = usable(&s, ctx);
	if (r != CUDA_SUCCESS)
		return r;
	if (!batch_ok(n, attributes, firsts, nattributes))
		return CUDA_ERROR_INVALID_VALUE;
	struct piece *all = calloc(n, sizeof *all);
	enum route *routes = calloc(n, sizeof *routes);
	pthread_mutex_lock(&big);
	for (size_t i = 0; i < n && *fail == SIZE_MAX; i++) {
		all[i] = (struct piece){.dst = (void *)(uintptr_t)dsts[i], .src = (void *)(uintptr_t)srcs[i], .n = sizes[i]};
		place(&all[i], ctx);
		routes[i] = way(&all[i]);
		if (routes[i] == ROUTES || sizes[i] == 0)
			*fail = i;
	}
	pthread_mutex_unlock(&big);
	r = *fail == SIZE_MAX ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0, j; i < n && r == CUDA_SUCCESS; i = j) {
		for (j = i + 1; j < n && routes[j] == routes[i]; j++)
			if (all[j].to != all[i].to || all[j].from != all[i].from)
				break;
		struct piece *run = calloc(j - i, sizeof *run);
		memcpy(run, all + i, (j - i) * sizeof *run);
		r = submit(run, (int)(j - i), routes[i], s, ctx);
	}
	free(all);
	free(routes);
	return r;
}

API cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t n, CUstream s)
{
	ENTER(ctx);
	CUresult r = usable(&s, ctx);
	if (r != CUDA_SUCCESS || n == 0)
		return r;
	struct op *o = calloc(1, sizeof *o);
	o->kind = FILL;
	o->value = value;
	o->copy.n = 1;
	o->copy.pieces = calloc(1, sizeof *o->copy.pieces);
	o->copy.pieces[0] = (struct piece){.dst = (void *)(uintptr_t)dst, .n = n};
	pthread_mutex_lock(&big);
	struct range *to = find((void *)(uintptr_t)dst, n);
	if (on_device(to)) {
		o->copy.pieces[0].to = to;
		to->inflight++;
	}
	pthread_mutex_unlock(&big);
	if (!on_device(to)) {
		free(o->copy.pieces);
		free(o);
		return CUDA_ERROR_INVALID_VALUE;
	}
	count(C_fills, 1);
	count(C_fill_bytes, (long long)n);
	give(s, o);
	return CUDA_SUCCESS;
}

// plain is a synchronous copy between host and device, for programs that need
// no stream; it has no number, so that it meets no fault.
static CUresult plain(void *dst, const void *src, const void *device, size_t n)
{
	pthread_mutex_lock(&big);
	struct range *r = find(device, n);
	pthread_mutex_unlock(&big);
	if (!on_device(r))
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(dst, src, n);
	return CUDA_SUCCESS;
}

API cuMemcpyHtoD_v2(CUdeviceptr dst, const void *src, size_t n)
{
	ENTER(ctx);
	SAFE();
	CUresult r = default_stream(ctx, true);
	if (r != CUDA_SUCCESS)
		return r;
	return plain((void *)(uintptr_t)dst, src, (void *)(uintptr_t)dst, n);
}

API cuMemcpyDtoH_v2(void *dst, CUdeviceptr src, size_t n)
{
	ENTER(ctx);
	SAFE();
	CUresult r = default_stream(ctx, true);
	if (r != CUDA_SUCCESS)
		return r;
	return plain(dst, (void *)(uintptr_t)src, (void *)(uintptr_t)src, n);
}
