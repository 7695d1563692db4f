// config.c: the environment, read once, at the library's first use.
#include "fake.h"

#include <stdlib.h>
#include <string.h>

static struct config cfg;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static double number(const char *name, double unset)
{
	const char *s = getenv(name);
	return s && *s ? atof(s) : unset;
}

static size_t megabytes(const char *name, double unset)
{
	return (size_t)(number(name, unset) * (1 << 20));
}

// see fills the table of visible devices as the real variable does: a list of
// devices, cut at the first that is none.
static void see(int physical)
{
	const char *s = getenv("CUDA_VISIBLE_DEVICES");
	cfg.devices = 0;
	if (!s) {
		for (int i = 0; i < physical; i++)
			cfg.visible[cfg.devices++] = i;
		return;
	}
	while (cfg.devices < MAX_DEVICES) {
		char *end;
		long d = strtol(s, &end, 10);
		if (end == s || d < 0 || d >= physical)
			return;
		cfg.visible[cfg.devices++] = (int)d;
		if (*end != ',')
			return;
		s = end + 1;
	}
}

static void read_environment(void)
{
	int physical = (int)number("FAKECUDA_DEVICES", 2);
	see(physical > MAX_DEVICES ? MAX_DEVICES : physical);
	cfg.version = (int)number("FAKECUDA_VERSION", 12090);
	cfg.bus = (int)number("FAKECUDA_BUS", 1);
	cfg.init = (int)number("FAKECUDA_INIT", 0);
	cfg.p2p = number("FAKECUDA_P2P", 1) != 0;
	cfg.ipc_events = number("FAKECUDA_IPC_EVENTS", 1) != 0;
	cfg.ipc_code = (int)number("FAKECUDA_IPC_CODE", 0);
	cfg.gbps = number("FAKECUDA_GBPS", 0);
	cfg.peer_gbps = number("FAKECUDA_PEER_GBPS", cfg.gbps);
	cfg.latency = number("FAKECUDA_LATENCY_US", 0) * 1e-6;
	cfg.total = megabytes("FAKECUDA_TOTAL_MB", 16384);
	cfg.free = megabytes("FAKECUDA_FREE_MB", (double)(cfg.total >> 20));
	cfg.oom = megabytes("FAKECUDA_OOM_MB", 0);
	cfg.pin_oom = megabytes("FAKECUDA_PIN_OOM_MB", 0);
	cfg.pin_code = (int)number("FAKECUDA_PIN_CODE", CUDA_ERROR_OUT_OF_MEMORY);
	cfg.ecc = (long)number("FAKECUDA_ECC_COPY", 0);
	cfg.hang = (long)number("FAKECUDA_HANG_COPY", 0);
	cfg.lost_after = (long)number("FAKECUDA_LOST_AFTER", -1);
	cfg.slow_after = (long)number("FAKECUDA_SLOW_AFTER", -1);
	const char *slow = getenv("FAKECUDA_SLOW_AFTER");
	const char *colon = slow ? strchr(slow, ':') : NULL;
	cfg.slow_factor = colon ? atof(colon + 1) : 10;
}

const struct config *config(void)
{
	pthread_once(&once, read_environment);
	return &cfg;
}
