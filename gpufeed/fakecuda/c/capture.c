// capture.c: streams that are captured into a graph. Nothing is kept of what
// they are given; what matters here is what the driver refuses meanwhile, and
// that a capture which meets it is broken.
#include "fake.h"

enum { NONE, ACTIVE, BROKEN }; // CUstreamCaptureStatus
enum { GLOBAL, THREAD_LOCAL, RELAXED };

static __thread CUstreamCaptureMode mine; // GLOBAL until the thread says otherwise

// conflict says which captures a call meets.
struct conflict {
	CUcontext ctx; // those of this one; NULL: of any
	bool blocking; // those of streams that the default stream waits for
	bool unsafe;   // those that forbid it by their mode and this thread's
};

static bool meets(CUstream s, const struct conflict *c)
{
	if (s->capture != ACTIVE || (c->ctx && s->ctx != c->ctx) || (c->blocking && (s->flags & 1)))
		return false;
	if (!c->unsafe)
		return true;
	bool ours = pthread_equal(s->capturer, pthread_self());
	return ours ? s->mode != RELAXED : mine == GLOBAL && s->mode == GLOBAL;
}

static bool any(const struct conflict *c, bool breaks)
{
	bool found = false;
	for (CUstream s = streams(); s; s = s->older)
		if (meets(s, c)) {
			found = true;
			if (breaks)
				s->capture = BROKEN;
		}
	return found;
}

CUresult whole_context(CUcontext ctx)
{
	struct conflict c = {.ctx = ctx};
	return any(&c, true) ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

CUresult default_stream(CUcontext ctx, bool breaks)
{
	struct conflict c = {.ctx = ctx, .blocking = true};
	return any(&c, breaks) ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : CUDA_SUCCESS;
}

CUresult unsafe_call(void)
{
	struct conflict c = {.unsafe = true};
	return mine != RELAXED && any(&c, true) ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

CUresult one_stream(CUstream s)
{
	if (s->capture == NONE)
		return CUDA_SUCCESS;
	s->capture = BROKEN;
	return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

API cuStreamBeginCapture_v2(CUstream s, CUstreamCaptureMode mode)
{
	ENTER(ctx);
	CUresult r = usable(&s, ctx);
	if (r != CUDA_SUCCESS)
		return r;
	if (s->legacy)
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	if (s->capture != NONE || (int)mode < GLOBAL || (int)mode > RELAXED)
		return CUDA_ERROR_INVALID_VALUE;
	s->mode = mode;
	s->capturer = pthread_self();
	s->capture = ACTIVE;
	return CUDA_SUCCESS;
}

// The graph is none that could be run.
API cuStreamEndCapture(CUstream s, CUgraph *graph)
{
	ENTER(ctx);
	CUresult r = usable(&s, ctx);
	if (r != CUDA_SUCCESS)
		return r;
	int was = s->capture;
	s->capture = NONE;
	*graph = NULL;
	if (was == NONE)
		return CUDA_ERROR_INVALID_VALUE;
	return was == BROKEN ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
}

API cuStreamIsCapturing(CUstream s, CUstreamCaptureStatus *status)
{
	ENTER(ctx);
	if (is_default(s)) {
		*status = NONE;
		return default_stream(ctx, false);
	}
	CUresult r = usable(&s, ctx);
	if (r == CUDA_SUCCESS)
		*status = s->capture;
	return r;
}

API cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
	count(C_calls, 1);
	if (!ready())
		return CUDA_ERROR_NOT_INITIALIZED;
	if ((int)*mode < GLOBAL || (int)*mode > RELAXED)
		return CUDA_ERROR_INVALID_VALUE;
	CUstreamCaptureMode before = mine;
	mine = *mode;
	*mode = before;
	return CUDA_SUCCESS;
}
