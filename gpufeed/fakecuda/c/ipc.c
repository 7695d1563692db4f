// ipc.c: memory and events of other processes. A handle names a memfd of its
// maker, which the other process opens through /proc; both have to be of one
// user and see each other's processes.
#define _GNU_SOURCE
#include "fake.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// ticket is what the 64 bytes of a handle hold.
struct ticket {
	char magic[8]; // "fakemem" or "fakeevt"
	int pid, fd, physical;
	long serial;
	size_t size, offset;    // of the mapping, and in it
	unsigned pids, shares;  // the maker's namespaces of processes and of IPC
};
_Static_assert(sizeof(struct ticket) <= 64, "a handle holds a ticket");

// whole is a lock on a memfd, by which its maker sees that others have it
// mapped; the kernel drops it when the importing process dies.
static struct flock whole(short type)
{
	return (struct flock){.l_type = type, .l_whence = SEEK_SET};
}

long next_serial(void)
{
	static _Atomic long last;
	return ++last;
}

// namespace_of tells a namespace of this process from others.
static unsigned namespace_of(const char *kind)
{
	char path[32];
	struct stat s;
	snprintf(path, sizeof path, "/proc/self/ns/%s", kind);
	return stat(path, &s) == 0 ? (unsigned)s.st_ino : 0;
}

static void sign(struct ticket *t)
{
	t->pid = getpid();
	t->pids = namespace_of("pid");
	t->shares = namespace_of("ipc");
}

// apart is what is answered to a handle from another container; other programs
// report this code, of all that could be.
static CUresult apart(const struct ticket *t)
{
	bool same = t->pids == namespace_of("pid") && t->shares == namespace_of("ipc");
	return same ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

static void memfd_name(char *name, size_t size, long serial)
{
	snprintf(name, size, "fakecuda-%ld", serial);
}

int make_shared(size_t size, long serial)
{
	char name[32];
	memfd_name(name, sizeof name, serial);
	int fd = memfd_create(name, MFD_CLOEXEC);
	if (fd >= 0 && ftruncate(fd, (off_t)size) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

// open_ticket opens the maker's memfd; -1: it is gone, or its number serves
// another file by now.
static int open_ticket(const struct ticket *t)
{
	char path[64], name[32], want[64], is[64];
	snprintf(path, sizeof path, "/proc/%d/fd/%d", t->pid, t->fd);
	memfd_name(name, sizeof name, t->serial);
	snprintf(want, sizeof want, "/memfd:%s (deleted)", name);
	ssize_t n = readlink(path, is, sizeof is - 1);
	if (n < 0)
		return -1;
	is[n] = 0;
	return strcmp(is, want) == 0 ? open(path, O_RDWR | O_CLOEXEC) : -1;
}

// visible_as gives the ordinal of a physical device in this process; -1: it is
// hidden here.
static int visible_as(int physical)
{
	const struct config *c = config();
	for (int i = 0; i < c->devices; i++)
		if (c->visible[i] == physical)
			return i;
	return -1;
}

API cuIpcGetMemHandle(CUipcMemHandle *h, CUdeviceptr p)
{
	ENTER(ctx);
	SAFE();
	if (config()->export_code)
		return config()->export_code;
	struct ticket t = {.magic = "fakemem"};
	sign(&t);
	pthread_mutex_lock(&big);
	struct range *r = find((void *)(uintptr_t)p, 1);
	bool ours = r && r->ordinal >= 0 && !r->owner && (uintptr_t)r->base == p; // cuda.h wants the base
	if (ours) {
		t.fd = r->fd;
		t.physical = contexts[r->ordinal].physical;
		t.serial = r->serial;
		t.size = r->block ? BLOCK : r->size;
		t.offset = r->block ? (size_t)(r->base - r->block->base) : 0;
	}
	pthread_mutex_unlock(&big);
	if (!ours)
		return CUDA_ERROR_INVALID_VALUE;
	memset(h, 0, sizeof *h);
	memcpy(h, &t, sizeof t);
	return CUDA_SUCCESS;
}

// import maps a ticket's memory, under big.
static CUresult import(const struct ticket *t, int ordinal, CUcontext ctx, CUdeviceptr *p)
{
	struct range *r = find_import(t->pid, t->serial);
	if (r) {
		r->imports++;
		*p = (uintptr_t)r->base + t->offset;
		return CUDA_SUCCESS;
	}
	int fd = open_ticket(t);
	if (fd < 0)
		return CUDA_ERROR_INVALID_HANDLE;
	struct flock shared = whole(F_RDLCK);
	void *base = mmap(NULL, t->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (base == MAP_FAILED || fcntl(fd, F_OFD_SETLK, &shared) != 0) {
		close(fd);
		return CUDA_ERROR_MAP_FAILED;
	}
	r = calloc(1, sizeof *r);
	*r = (struct range){.base = base, .size = t->size, .ordinal = ordinal, .home = ctx->ordinal,
		.fd = fd, .serial = t->serial, .owner = t->pid, .imports = 1};
	add_range(r);
	count(C_live_imports, 1);
	*p = (uintptr_t)base + t->offset;
	return CUDA_SUCCESS;
}

API cuIpcOpenMemHandle_v2(CUdeviceptr *p, CUipcMemHandle h, unsigned flags)
{
	ENTER(ctx);
	SAFE();
	if (config()->ipc_code)
		return config()->ipc_code;
	struct ticket t;
	memcpy(&t, &h, sizeof t);
	if (flags != 1 || strcmp(t.magic, "fakemem") != 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (t.pid == getpid())
		return CUDA_ERROR_INVALID_CONTEXT;
	if (apart(&t))
		return apart(&t);
	int ordinal = visible_as(t.physical);
	if (ordinal < 0)
		return CUDA_ERROR_INVALID_DEVICE;
	pthread_mutex_lock(&big);
	CUresult r = import(&t, ordinal, ctx, p);
	pthread_mutex_unlock(&big);
	return r;
}

API cuIpcCloseMemHandle(CUdeviceptr p)
{
	ENTER(ctx);
	SAFE();
	CUresult result = CUDA_SUCCESS;
	pthread_mutex_lock(&big);
	struct range *r = find((void *)(uintptr_t)p, 1);
	if (!r || !r->owner || (r->size != BLOCK && (uintptr_t)r->base != p)) {
		result = CUDA_ERROR_INVALID_VALUE;
	} else if (--r->imports == 0) {
		refuse_in_flight(r, "cuIpcCloseMemHandle");
		remove_range(r);
		munmap(r->base, r->size);
		close(r->fd);
		free(r);
		count(C_live_imports, -1);
	}
	pthread_mutex_unlock(&big);
	return result;
}

// The lock of this process is on another open file than the importer's, so that
// the two meet.
bool is_imported(int fd)
{
	struct flock any = whole(F_WRLCK);
	return fcntl(fd, F_OFD_GETLK, &any) == 0 && any.l_type != F_UNLCK;
}

API cuIpcGetEventHandle(CUipcEventHandle *h, CUevent e)
{
	ENTER(ctx);
	SAFE();
	if (!event_ok(e) || e->fd < 0 || e->imported)
		return CUDA_ERROR_INVALID_HANDLE;
	struct ticket t = {.magic = "fakeevt", .fd = e->fd, .physical = ctx->physical, .serial = e->serial};
	sign(&t);
	memset(h, 0, sizeof *h);
	memcpy(h, &t, sizeof t);
	return CUDA_SUCCESS;
}

API cuIpcOpenEventHandle(CUevent *e, CUipcEventHandle h)
{
	ENTER(ctx);
	SAFE();
	if (config()->ipc_code)
		return config()->ipc_code;
	struct ticket t;
	memcpy(&t, &h, sizeof t);
	if (strcmp(t.magic, "fakeevt") != 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (t.pid == getpid())
		return CUDA_ERROR_INVALID_CONTEXT;
	if (apart(&t))
		return apart(&t);
	int fd = open_ticket(&t);
	struct mark *mark = fd < 0 ? NULL : map_mark(fd);
	if (fd >= 0)
		close(fd); // the mapping stays
	if (!mark)
		return CUDA_ERROR_INVALID_HANDLE;
	*e = new_event(ctx, 2 | 4, mark);
	(*e)->imported = true;
	return CUDA_SUCCESS;
}
