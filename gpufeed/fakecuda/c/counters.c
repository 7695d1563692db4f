// counters.c: every counter is a line "name value" of a mapped file, which is
// right at any moment, also after kill -9. Nothing is left to the end of the
// process: Go programs end without atexit.
#define _GNU_SOURCE
#include "fake.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// A line is 48 bytes; its last 16 hold the value and are aligned, so that one
// store replaces them and a reader never sees half a number.
enum { LINE = 48, VALUE = 32, DIGITS = 15 };
typedef long long store16 __attribute__((vector_size(16)));

static const char *const names[NCOUNTERS] = {
#define X(name) #name,
	COUNTERS(X)
#undef X
};
static long long values[NCOUNTERS];
static unsigned char *lines;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

void beside_library(char *path, size_t size, const char *name)
{
	Dl_info here;
	const char *slash = NULL;
	if (dladdr(names, &here) && here.dli_fname)
		slash = strrchr(here.dli_fname, '/');
	int head = slash ? (int)(slash - here.dli_fname) : 1;
	snprintf(path, size, "%.*s/%s", head, slash ? here.dli_fname : ".", name);
}

// file_name is FAKECUDA_REPORT, where "%p" stands for the process, else
// counters.PID beside the library.
static void file_name(char *path, size_t size)
{
	char pid[16];
	snprintf(pid, sizeof pid, "%d", getpid());
	const char *report = getenv("FAKECUDA_REPORT");
	if (report && *report) {
		const char *p = strstr(report, "%p");
		int head = p ? (int)(p - report) : (int)strlen(report);
		snprintf(path, size, "%.*s%s%s", head, report, p ? pid : "", p ? p + 2 : "");
		return;
	}
	char name[32];
	snprintf(name, sizeof name, "counters.%s", pid);
	beside_library(path, size, name);
}

static void show(enum counter c)
{
	char text[DIGITS + 2];
	snprintf(text, sizeof text, "%*lld\n", DIGITS, values[c]);
	store16 v;
	memcpy(&v, text, sizeof v);
	*(volatile store16 *)(lines + c * LINE + VALUE) = v;
}

static void map_lines(void)
{
	char path[4096];
	file_name(path, sizeof path);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0 && ftruncate(fd, NCOUNTERS * LINE) == 0)
		lines = mmap(NULL, NCOUNTERS * LINE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	if (!lines || lines == MAP_FAILED) { // the counters stay readable by fakecuda_count
		fprintf(stderr, "fakecuda: no counters in %s\n", path);
		lines = aligned_alloc(16, NCOUNTERS * LINE);
	}
	for (int c = 0; c < NCOUNTERS; c++) {
		char head[VALUE + 1];
		snprintf(head, sizeof head, "%-*s", VALUE, names[c]);
		memcpy(lines + c * LINE, head, VALUE);
		show(c);
	}
}

void count(enum counter c, long long delta)
{
	pthread_once(&once, map_lines);
	pthread_mutex_lock(&mutex);
	values[c] += delta;
	show(c);
	pthread_mutex_unlock(&mutex);
}

void count_peak(enum counter c, long long value)
{
	pthread_once(&once, map_lines);
	pthread_mutex_lock(&mutex);
	if (value > values[c]) {
		values[c] = value;
		show(c);
	}
	pthread_mutex_unlock(&mutex);
}

// fakecuda_count is a counter by name; -1: there is none of that name.
__attribute__((visibility("default"))) long long fakecuda_count(const char *name)
{
	for (int c = 0; c < NCOUNTERS; c++) {
		if (strcmp(names[c], name) == 0) {
			pthread_mutex_lock(&mutex);
			long long v = values[c];
			pthread_mutex_unlock(&mutex);
			return v;
		}
	}
	return -1;
}
