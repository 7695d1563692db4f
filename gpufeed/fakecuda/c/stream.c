// stream.c: a stream is a thread that does its ops in order.
#define _GNU_SOURCE
#include "fake.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

enum { STREAM = 0x5354524D };

static CUstream newest; // under big

CUresult usable(CUstream s, CUcontext ctx)
{
	if (!s) {
		count(C_stream0_calls, 1);
		return CUDA_ERROR_INVALID_HANDLE;
	}
	return s->magic == STREAM && s->ctx == ctx && s->life == ctx->life ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
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

void give(CUstream s, struct op *o)
{
	pthread_mutex_lock(&s->mutex);
	o->next = NULL;
	*s->last = o;
	s->last = &o->next;
	s->given++;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->mutex);
}

void drain(CUstream s)
{
	pthread_mutex_lock(&s->mutex);
	uint64_t target = s->given;
	while (s->done < target)
		pthread_cond_wait(&s->changed, &s->mutex);
	pthread_mutex_unlock(&s->mutex);
}

API cuStreamCreateWithPriority(CUstream *out, unsigned flags, int priority)
{
	ENTER(ctx);
	if (!out || flags > 1)
		return CUDA_ERROR_INVALID_VALUE;
	CUstream s = calloc(1, sizeof *s);
	s->magic = STREAM;
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
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	pthread_detach(thread); // a copy that hangs must not hold the process
	ctx->streams++;
	pthread_mutex_lock(&big);
	s->older = newest;
	newest = s;
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
	CUresult r = usable(s, ctx);
	if (r != CUDA_SUCCESS)
		return r;
	struct op *o = calloc(1, sizeof *o);
	o->kind = END;
	give(s, o);
	s->magic = 0;
	ctx->streams--;
	count(C_live_streams, -1);
	return CUDA_SUCCESS;
}

API cuStreamSynchronize(CUstream s)
{
	ENTER(ctx);
	CUresult r = usable(s, ctx);
	if (r != CUDA_SUCCESS)
		return r;
	drain(s);
	return ctx->sticky;
}

API cuCtxSynchronize(void)
{
	ENTER(ctx);
	pthread_mutex_lock(&big);
	CUstream s = newest;
	pthread_mutex_unlock(&big);
	for (; s; s = s->older)
		if (usable(s, ctx) == CUDA_SUCCESS)
			drain(s);
	return ctx->sticky;
}

API cuStreamQuery(CUstream s)
{
	ENTER(ctx);
	CUresult r = usable(s, ctx);
	if (r != CUDA_SUCCESS)
		return r;
	pthread_mutex_lock(&s->mutex);
	bool done = s->done == s->given;
	pthread_mutex_unlock(&s->mutex);
	return done ? ctx->sticky : CUDA_ERROR_NOT_READY;
}

API cuStreamGetPriority(CUstream s, int *priority)
{
	ENTER(ctx);
	CUresult r = usable(s, ctx);
	if (r == CUDA_SUCCESS)
		*priority = s->priority;
	return r;
}

API cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags)
{
	ENTER(ctx);
	CUresult r = usable(s, ctx);
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
	CUresult r = usable(s, ctx);
	if (r != CUDA_SUCCESS)
		return r;
	if (!event_ok(e) || e->ctx != ctx)
		return CUDA_ERROR_INVALID_HANDLE;
	struct op *o = calloc(1, sizeof *o);
	o->kind = RECORD;
	o->event = e;
	o->mark = issue(e);
	give(s, o);
	return CUDA_SUCCESS;
}
