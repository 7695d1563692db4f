/*
 * The fake libnvidia-ml.so.1 with a memory that lives: used is what the
 * processes that are alive have taken from the fake libcuda.so.1, by the
 * counters that they keep in the folder $FAKENVML_COUNTERS, and 400 MB for each
 * context. It is compiled with gpufeed/fakecuda in its include path.
 */
#define nvmlDeviceGetMemoryInfo series_memory_info
#include "nvml.c"
#undef nvmlDeviceGetMemoryInfo

#include <dirent.h>
#include <errno.h>
#include <signal.h>

enum { CONTEXT = 400000000, IDLE = 1 << 30 };

/* alive is false for a zombie too: its memory is free. */
static int alive(int pid)
{
	char path[64], state = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	FILE *f = fopen(path, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 'Z';
	fclose(f);
	return state != 'Z' && state != 'X';
}

static unsigned long long taken(const char *folder, int pid, int device)
{
	char path[4096], name[64], wanted[32];
	long long value, bytes = 0;
	snprintf(path, sizeof path, "%s/counters.%d", folder, pid);
	snprintf(wanted, sizeof wanted, "device%d_bytes", device);
	FILE *f = fopen(path, "r");
	if (!f)
		return 0;
	while (fscanf(f, "%63s %lld", name, &value) == 2) {
		if (!strcmp(name, wanted))
			bytes += value;
		if (!strcmp(name, "contexts") && value > 0)
			bytes += CONTEXT;
	}
	fclose(f);
	return bytes;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t d, nvmlMemory_t *m)
{
	int pid, code = series_memory_info(d, m);
	const char *folder = getenv("FAKENVML_COUNTERS");
	DIR *dir = code == OK && folder ? opendir(folder) : NULL;
	struct dirent *e;

	if (!dir)
		return code;
	m->used = IDLE;
	while ((e = readdir(dir)))
		if (sscanf(e->d_name, "counters.%d", &pid) == 1 && alive(pid))
			m->used += taken(folder, pid, d->number);
	closedir(dir);
	if (m->used > m->total)
		m->used = m->total; /* each process of the fake has the whole device */
	m->free = m->total - m->used;
	return code;
}
