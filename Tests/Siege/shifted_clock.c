/* Preloaded: moves the system's clock by the seconds that stand in the file SHIFT_FILE, at any
 * moment. Timers and the clocks since boot stay true, as when somebody sets the date (faketime
 * moves those, too). With SHIFT_BOOT it is the clocks since boot instead, as when time has passed
 * that nobody wants to wait for; timers fire when something else wakes the program. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int moves(clockid_t clock) {
  if (getenv("SHIFT_BOOT") != NULL) return clock == CLOCK_BOOTTIME || clock == CLOCK_MONOTONIC;
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
}

static long long shift(void) {
  const char *path = getenv("SHIFT_FILE");
  FILE *file = path == NULL ? NULL : fopen(path, "re");
  long long seconds = 0;
  if (file == NULL) return 0;
  if (fscanf(file, "%lld", &seconds) != 1) seconds = 0;
  fclose(file);
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (moves(clock)) now->tv_sec += shift();
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  int result = (int)syscall(SYS_gettimeofday, now, zone);
  if (moves(CLOCK_REALTIME)) now->tv_sec += shift();
  return result;
}

time_t time(time_t *store) {
  struct timeval now;
  gettimeofday(&now, NULL);
  if (store != NULL) *store = now.tv_sec;
  return now.tv_sec;
}
