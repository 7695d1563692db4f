// event.c: an event counts its records and the last one that is done. Both
// words may lie in memory that several processes map; who waits sleeps on a
// futex.
#define _GNU_SOURCE
#include "fake.h"

#include <linux/futex.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EVENT = 0x45564E54, BLOCKING_SYNC = 1, DISABLE_TIMING = 2, INTERPROCESS = 4 };

bool event_ok(CUevent e) { return e && e->magic == EVENT && e->life == e->ctx->life; }

CUevent new_event(CUcontext ctx, unsigned flags, struct mark *mark)
{
	CUevent e = calloc(1, sizeof *e);
	e->magic = EVENT;
	e->flags = flags;
	e->ctx = ctx;
	e->life = ctx->life;
	e->mark = mark;
	e->fd = -1;
	ctx->events++;
	count(C_live_events, 1);
	return e;
}

struct mark *map_mark(int fd)
{
	void *p = mmap(NULL, sizeof(struct mark), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return p == MAP_FAILED ? NULL : p;
}

uint32_t issue(CUevent e) { return ++e->mark->issued; }

void complete(CUevent e, uint32_t record)
{
	struct mark *m = e->mark;
	e->when = now_ns();
	uint32_t done = m->done;
	while ((int32_t)(record - done) > 0 && !__atomic_compare_exchange_n((uint32_t *)&m->done, &done, record, false,
			__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
	syscall(SYS_futex, &m->done, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static bool reached(struct mark *m, uint32_t record)
{
	return (int32_t)(m->done - record) >= 0;
}

void await(CUevent e, uint32_t record)
{
	struct mark *m = e->mark;
	for (;;) {
		uint32_t done = m->done;
		if ((int32_t)(done - record) >= 0)
			return;
		syscall(SYS_futex, &m->done, FUTEX_WAIT, done, NULL, NULL, 0);
	}
}

API cuEventCreate(CUevent *out, unsigned flags)
{
	ENTER(ctx);
	bool shared = flags & INTERPROCESS;
	if (shared && !config()->ipc_events)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (!out || flags > 7 || (shared && !(flags & DISABLE_TIMING)))
		return CUDA_ERROR_INVALID_VALUE;
	if (!shared) {
		*out = new_event(ctx, flags, calloc(1, sizeof(struct mark)));
		return CUDA_SUCCESS;
	}
	long serial = next_serial();
	int fd = make_shared(sizeof(struct mark), serial);
	struct mark *mark = fd < 0 ? NULL : map_mark(fd);
	if (!mark)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*out = new_event(ctx, flags, mark);
	(*out)->fd = fd;
	(*out)->serial = serial;
	return CUDA_SUCCESS;
}

// The event itself stays: ops that were given may still name it, and a stale
// handle is told by its magic.
API cuEventDestroy_v2(CUevent e)
{
	ENTER(ctx);
	if (!event_ok(e))
		return CUDA_ERROR_INVALID_HANDLE;
	e->magic = 0;
	e->ctx->events--;
	if (e->fd >= 0)
		close(e->fd);
	count(C_live_events, -1);
	return CUDA_SUCCESS;
}

API cuEventQuery(CUevent e)
{
	ENTER(ctx);
	SAFE();
	if (!event_ok(e))
		return CUDA_ERROR_INVALID_HANDLE;
	return reached(e->mark, e->mark->issued) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

API cuEventSynchronize(CUevent e)
{
	ENTER(ctx);
	SAFE();
	if (!event_ok(e))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!(e->flags & BLOCKING_SYNC))
		count(C_spin_syncs, 1);
	await(e, e->mark->issued);
	return e->ctx->sticky;
}

static CUresult elapsed(float *ms, CUevent from, CUevent to)
{
	ENTER(ctx);
	if (!ms)
		return CUDA_ERROR_INVALID_VALUE;
	if (!event_ok(from) || !event_ok(to) || ((from->flags | to->flags) & DISABLE_TIMING))
		return CUDA_ERROR_INVALID_HANDLE;
	if (from->mark->issued == 0 || to->mark->issued == 0)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!reached(from->mark, from->mark->issued) || !reached(to->mark, to->mark->issued))
		return CUDA_ERROR_NOT_READY;
	*ms = (float)(((double)to->when - (double)from->when) / 1e6);
	return CUDA_SUCCESS;
}

API cuEventElapsedTime(float *ms, CUevent from, CUevent to) { return elapsed(ms, from, to); }

API cuEventElapsedTime_v2(float *ms, CUevent from, CUevent to) { return elapsed(ms, from, to); }
