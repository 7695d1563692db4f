// link.c: moving the bytes. A device has one engine for each direction; an
// engine does one copy at a time and holds it for as long as the link takes.
//
// The first half of a copy moves when it begins and the second when it ends:
// who refills the source in between, or reads the target, sees it.
#define _GNU_SOURCE
#include "fake.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum engine { IN, OUT, WITHIN, PEER, ENGINES };
static pthread_mutex_t engines[MAX_DEVICES][ENGINES] = {
	[0 ... MAX_DEVICES - 1] = {[0 ... ENGINES - 1] = PTHREAD_MUTEX_INITIALIZER},
};

uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void sleep_until(uint64_t ns)
{
	struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static void move(const struct transfer *t, bool second)
{
	for (int i = 0; i < t->n; i++) {
		const struct piece *p = &t->pieces[i];
		size_t half = p->n / 2;
		if (second)
			memmove(p->dst + half, p->src + half, p->n - half);
		else
			memmove(p->dst, p->src, half);
	}
}

// pass moves a transfer over one engine at a rate in bytes a nanosecond.
static void pass(const struct transfer *t, int device, enum engine e, double rate, CUcontext ctx)
{
	const struct config *c = config();
	size_t bytes = 0;
	for (int i = 0; i < t->n; i++)
		bytes += t->pieces[i].n;
	pthread_mutex_lock(&engines[device][e]);
	uint64_t start = now_ns();
	move(t, false);
	while (t->hang) // with the engine held: the device does nothing more in this direction
		pause();
	double ns = c->latency * 1e9 + (rate > 0 ? (double)bytes / rate : 0);
	if (t->slow) {
		double moved = 2.0 * (double)(now_ns() - start);
		ns = (ns > moved ? ns : moved) * c->slow_factor;
	}
	if (ns > 0)
		sleep_until(start + (uint64_t)ns);
	if (t->ecc)
		ctx->sticky = CUDA_ERROR_ECC_UNCORRECTABLE;
	else
		move(t, true);
	pthread_mutex_unlock(&engines[device][e]);
}

// run_staged goes through host memory, as drivers do where devices cannot reach
// each other: out of one, then into the other, each at its link's rate.
static void run_staged(const struct transfer *t, CUcontext ctx)
{
	double rate = config()->gbps;
	for (int i = 0; i < t->n; i++) {
		struct piece p = t->pieces[i];
		unsigned char *bounce = malloc(p.n ? p.n : 1);
		struct piece out = {.dst = bounce, .src = p.src, .n = p.n};
		struct piece in = {.dst = p.dst, .src = bounce, .n = p.n};
		struct transfer half = *t;
		half.n = 1;
		half.ecc = half.hang = false;
		half.pieces = &out;
		pass(&half, t->source, OUT, rate, ctx);
		half.ecc = t->ecc;
		half.hang = t->hang;
		half.pieces = &in;
		pass(&half, t->target, IN, rate, ctx);
		free(bounce);
	}
}

void run_transfer(const struct transfer *t, CUcontext ctx)
{
	const struct config *c = config();
	switch (t->route) {
	case H2D:
		pass(t, t->target, IN, c->gbps, ctx);
		break;
	case D2H:
		pass(t, t->source, OUT, c->gbps, ctx);
		break;
	case D2D:
		pass(t, t->source, WITHIN, 0, ctx);
		break;
	case P2P:
		pass(t, t->source, PEER, c->peer_gbps, ctx);
		break;
	default:
		run_staged(t, ctx);
	}
}
