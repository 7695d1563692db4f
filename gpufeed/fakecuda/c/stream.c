// stream.c: a stream is a thread that does its ops in order.
#define _GNU_SOURCE
#include "fake.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

enum { STREAM = 0x5354524D, NON_BLOCKING = 1 };
#define LEGACY ((CUstream)1) // CU_STREAM_LEGACY, the default stream by a number

static CUstream newest; // under big

static CUstream legacy_of(CUcontext ctx, bool wanted);
static void reach(CUstream s, uint64_t upto);

static bool alive(const struct CUstream_st *s, CUcontext ctx)
{
	return s->magic == STREAM && s->ctx == ctx && s->life == ctx->life;
}

bool is_default(CUstream s) { return s == NULL || s == LEGACY; }

CUstream streams(void)
{
	pthread_mutex_lock(&big);
	CUstream s = newest;
	pthread_mutex_unlock(&big);
	return s;
}

CUresult usable(CUstream *s, CUcontext ctx)
{
	if (is_default(*s)) {
		count(C_stream0_calls, 1);
		*s = legacy_of(ctx, true);
		return *s ? default_stream(ctx, true) : CUDA_ERROR_OUT_OF_MEMORY;
	}
	return alive(*s, ctx) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

// finish ends the accounting of a copy or a fill.
static void finish(struct op *o)
{
	pthread_mutex_lock(&big);
	for (int i = 0; i < o->copy.n; i++) {
		struct piece *p = &o->copy.pieces[i];
		if (p->to)
			p->to->inflight--;
		if (p->from)
			p->from->inflight--;
	}
	pthread_mutex_unlock(&big);
	free(o->copy.pieces);
}

// perform does one op. After an error of the context nothing moves any more,
// but marks are set, so that who waits wakes and hears of the error.
static void perform(CUstream s, struct op *o)
{
	switch (o->kind) {
	case COPY:
		if (!s->ctx->sticky)
			run_transfer(&o->copy, s->ctx);
		finish(o);
		break;
	case FILL:
		if (!s->ctx->sticky)
			memset(o->copy.pieces[0].dst, o->value, o->copy.pieces[0].n);
		finish(o);
		break;
	case RECORD:
		complete(o->event, o->mark);
		break;
	case WAIT:
		await(o->event, o->mark);
		break;
	case JOIN:
		reach(o->other, o->upto);
		break;
	case CALL:
		o->function(o->argument);
		break;
	case NOTHING:
	case END:
		break;
	}
}

static void *work(void *arg)
{
	CUstream s = arg;
	prctl(PR_SET_TIMERSLACK, 1000); // ns; the default of 50 µs is longer than a small copy
	for (;;) {
		pthread_mutex_lock(&s->mutex);
		while (!s->first)
			pthread_cond_wait(&s->changed, &s->mutex);
		struct op *o = s->first;
		pthread_mutex_unlock(&s->mutex);
		bool end = o->kind == END;
		perform(s, o);
		pthread_mutex_lock(&s->mutex);
		s->first = o->next;
		if (!s->first)
			s->last = &s->first;
		s->done++;
		pthread_cond_broadcast(&s->changed);
		pthread_mutex_unlock(&s->mutex);
		free(o);
		if (end)
			return NULL; // the stream stays: a stale handle is told by its magic
	}
}

static void append(CUstream s, struct op *o)
{
	pthread_mutex_lock(&s->mutex);
	o->next = NULL;
	*s->last = o;
	s->last = &o->next;
	s->given++;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->mutex);
}

static uint64_t given(CUstream s)
{
	pthread_mutex_lock(&s->mutex);
	uint64_t n = s->given;
	pthread_mutex_unlock(&s->mutex);
	return n;
}

// join lets s go on after what other was given by now.
static void join(CUstream s, CUstream other)
{
	struct op *o = calloc(1, sizeof *o);
	o->kind = JOIN;
	o->other = other;
	o->upto = given(other);
	append(s, o);
}

// The default stream waits for the work that other streams were given before,
// and their later work waits for it; streams made NON_BLOCKING stay apart.
void give(CUstream s, struct op *o)
{
	if (s->capture) { // the graph has it, and nobody runs that
		if (o->kind == COPY || o->kind == FILL)
			finish(o);
		free(o);
		return;
	}
	if (s->legacy) {
		for (CUstream other = streams(); other; other = other->older)
			if (other != s && !(other->flags & NON_BLOCKING) && alive(other, s->ctx))
				join(s, other);
	} else if (!(s->flags & NON_BLOCKING)) {
		CUstream legacy = legacy_of(s->ctx, false);
		if (legacy)
			join(s, legacy);
	}
	append(s, o);
}

// reach waits until a stream has done so many operations.
static void reach(CUstream s, uint64_t upto)
{
	pthread_mutex_lock(&s->mutex);
	while (s->done < upto)
		pthread_cond_wait(&s->changed, &s->mutex);
	pthread_mutex_unlock(&s->mutex);
}

void drain(CUstream s)
{
	if (s->legacy) { // what other streams were given is its own too
		struct op *o = calloc(1, sizeof *o);
		o->kind = NOTHING;
		give(s, o);
	}
	reach(s, given(s));
}

// make starts a stream's thread; NULL: there is no thread for it.
static CUstream make(CUcontext ctx, unsigned flags, int priority)
{
	CUstream s = calloc(1, sizeof *s);
	s->magic = STREAM;
	s->flags = flags;
	s->ctx = ctx;
	s->life = ctx->life;
	s->priority = priority;
	s->last = &s->first;
	pthread_mutex_init(&s->mutex, NULL);
	pthread_cond_init(&s->changed, NULL);
	// A thread that the program did not make must not take its signals.
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_t thread;
	int err = pthread_create(&thread, NULL, work, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err) {
		free(s);
		return NULL;
	}
	pthread_detach(thread); // a copy that hangs must not hold the process
	return s;
}

static void list(CUstream s) // under big
{
	s->older = newest;
	newest = s;
}

// legacy_of gives a context's default stream, which nobody creates and which
// counts as none.
static CUstream legacy_of(CUcontext ctx, bool wanted)
{
	pthread_mutex_lock(&big);
	CUstream s = newest;
	while (s && !(s->legacy && alive(s, ctx)))
		s = s->older;
	if (!s && wanted && (s = make(ctx, 0, 0)) != NULL) {
		s->legacy = true;
		list(s);
	}
	pthread_mutex_unlock(&big);
	return s;
}

API cuStreamCreateWithPriority(CUstream *out, unsigned flags, int priority)
{
	ENTER(ctx);
	if (!out || flags > NON_BLOCKING)
		return CUDA_ERROR_INVALID_VALUE;
	CUstream s = make(ctx, flags, priority);
	if (!s)
		return CUDA_ERROR_OUT_OF_MEMORY;
	ctx->streams++;
	pthread_mutex_lock(&big);
	list(s);
	pthread_mutex_unlock(&big);
	count(C_live_streams, 1);
	if (priority < 0)
		count(C_high_streams, 1);
	*out = s;
	return CUDA_SUCCESS;
}

API cuStreamDestroy_v2(CUstream s)
{
	ENTER(ctx);
	if (is_default(s))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult r = usable(&s, ctx);
	if (r != CUDA_SUCCESS)
		return r;
	struct op *o = calloc(1, sizeof *o);
	o->kind = END;
	give(s, o);
	s->magic = 0;
	s->capture = 0; // NONE: it ends with the stream
	ctx->streams--;
	count(C_live_streams, -1);
	return CUDA_SUCCESS;
}

API cuStreamSynchronize(CUstream s)
{
	ENTER(ctx);
	CUresult r = usable(&s, ctx);
	if (r != CUDA_SUCCESS)
		return r;
	if ((r = one_stream(s)) != CUDA_SUCCESS || (r = unsafe_call()) != CUDA_SUCCESS)
		return r;
	drain(s);
	return ctx->sticky;
}

API cuCtxSynchronize(void)
{
	ENTER(ctx);
	count(C_context_syncs, 1);
	CUresult r = whole_context(ctx);
	if (r != CUDA_SUCCESS)
		return r;
	for (CUstream s = streams(); s; s = s->older)
		if (s->ctx == ctx && s->life == ctx->life) // work of destroyed streams runs on
			drain(s);
	return ctx->sticky;
}

void wait_for_all(CUcontext ctx)
{
	bool busy = false;
	for (CUstream s = config()->implicit_waits ? streams() : NULL; s; s = s->older)
		if (s->ctx == ctx && s->life == ctx->life && !s->capture) {
			pthread_mutex_lock(&s->mutex);
			busy = busy || s->done < s->given;
			pthread_mutex_unlock(&s->mutex);
			reach(s, given(s));
		}
	if (busy)
		count(C_implicit_waits, 1);
}

API cuStreamQuery(CUstream s)
{
	ENTER(ctx);
	CUresult r = usable(&s, ctx);
	if (r != CUDA_SUCCESS)
		return r;
	if ((r = one_stream(s)) != CUDA_SUCCESS)
		return r;
	if (s->legacy) { // what it would have to wait for is in it after this
		struct op *o = calloc(1, sizeof *o);
		o->kind = NOTHING;
		give(s, o);
	}
	pthread_mutex_lock(&s->mutex);
	bool done = s->done == s->given;
	pthread_mutex_unlock(&s->mutex);
	return done ? ctx->sticky : CUDA_ERROR_NOT_READY;
}

API cuStreamGetPriority(CUstream s, int *priority)
{
	ENTER(ctx);
	CUresult r = usable(&s, ctx);
	if (r == CUDA_SUCCESS)
		*priority = s->priority;
	return r;
}

API cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags)
{
	ENTER(ctx);
	CUresult r = usable(&s, ctx);
	if (r != CUDA_SUCCESS)
		return r;
	if (!event_ok(e))
		return CUDA_ERROR_INVALID_HANDLE;
	if (flags != 0)
		return CUDA_ERROR_INVALID_VALUE;
	struct op *o = calloc(1, sizeof *o);
	o->kind = WAIT;
	o->event = e;
	o->mark = e->mark->issued; // what was recorded by now; an event never recorded is done
	give(s, o);
	return CUDA_SUCCESS;
}

API cuEventRecord(CUevent e, CUstream s)
{
	ENTER(ctx);
	CUresult r = usable(&s, ctx);
	if (r != CUDA_SUCCESS)
		return r;
	if (!event_ok(e) || e->ctx != ctx)
		return CUDA_ERROR_INVALID_HANDLE;
	if (s->capture) { // a node of the graph: for everybody else nothing was recorded
		count(C_captured_records, 1);
		return CUDA_SUCCESS;
	}
	struct op *o = calloc(1, sizeof *o);
	o->kind = RECORD;
	o->event = e;
	o->mark = issue(e);
	give(s, o);
	return CUDA_SUCCESS;
}

API cuLaunchHostFunc(CUstream s, CUhostFn function, void *argument)
{
	ENTER(ctx);
	CUresult r = usable(&s, ctx);
	if (r != CUDA_SUCCESS)
		return r;
	if (!function)
		return CUDA_ERROR_INVALID_VALUE;
	struct op *o = calloc(1, sizeof *o);
	o->kind = CALL;
	o->function = function;
	o->argument = argument;
	give(s, o);
	return CUDA_SUCCESS;
}
