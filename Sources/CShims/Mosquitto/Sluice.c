#define _GNU_SOURCE /* dup3 */

#include "Sluice.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* A broker may forbid pings (Server Keep Alive 0, or hours), and a client that only listens would
 * never notice a dead line. So the kernel sends probes, invisible to MQTT: after five minutes of
 * silence, and closes the connection a minute and a half later. */
static void watch(int network) {
  const int on = 1, idle_s = 300, interval_s = 15, probes = 6;
  setsockopt(network, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(network, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
  setsockopt(network, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
  setsockopt(network, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

/* TLS begins its handshake while it connects: counts the bytes before the sluice was opened. */
static void count_before(struct godwit_sluice *sluice) {
  struct tcp_info info = {0};
  socklen_t size = sizeof info;
  if (getsockopt(sluice->network, IPPROTO_TCP, TCP_INFO, &info, &size) < 0) return;
  size_t unread = godwit_sluice_unread(sluice->network);
  sluice->sent = info.tcpi_bytes_sent;
  sluice->received = info.tcpi_bytes_received > unread ? info.tcpi_bytes_received - unread : 0;
}

int godwit_sluice_open(struct godwit_sluice *sluice, int descriptor) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) < 0) return errno;
  int network = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  int error = network < 0 || dup3(ends[1], descriptor, O_CLOEXEC) < 0 ? errno : 0;
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    if (network >= 0) close(network);
    return error;
  }
  sluice->inner = ends[0];
  sluice->network = network;
  watch(network);
  count_before(sluice);
  return 0;
}

void godwit_sluice_close(struct godwit_sluice *sluice) {
  if (sluice->network < 0) return;
  close(sluice->network);
  close(sluice->inner);
  sluice->network = -1;
}

size_t godwit_sluice_unread(int descriptor) {
  int count = 0;
  return descriptor >= 0 && ioctl(descriptor, FIONREAD, &count) == 0 ? (size_t)count : 0;
}

static bool is_passing(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

static ssize_t take(struct godwit_sluice *sluice, uint8_t *portion, size_t room) {
  if (sluice->has_ended) return 0;
  ssize_t got = recv(sluice->network, portion, room, MSG_DONTWAIT);
  if (got > 0) sluice->received += (uint64_t)got;
  if (got == 0 || (got < 0 && !is_passing(errno))) sluice->has_ended = true;
  return got;
}

bool godwit_sluice_pull(struct godwit_sluice *sluice) {
  if (sluice->has_ended) return false;
  uint8_t portion[GODWIT_SLUICE_PORTION];
  ssize_t got = take(sluice, portion, sizeof portion);
  if (got > 0) {
    /* There is room, because earlier bytes have been read. */
    ssize_t passed = send(sluice->inner, portion, (size_t)got, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (passed != got) sluice->has_ended = true;
  }
  if (sluice->has_ended) shutdown(sluice->inner, SHUT_WR);
  return got > 0 || sluice->has_ended;
}

bool godwit_sluice_push(struct godwit_sluice *sluice) {
  bool has_moved = false;
  while (true) {
    if (sluice->from == sluice->to) {
      ssize_t got = recv(sluice->inner, sluice->outward, sizeof sluice->outward, MSG_DONTWAIT);
      if (got <= 0) return has_moved;
      sluice->from = 0;
      sluice->to = (size_t)got;
    }
    has_moved = true;
    size_t count = sluice->to - sluice->from;
    ssize_t passed = (ssize_t)count;
    if (!sluice->takes_nothing) {
      passed = send(
          sluice->network, sluice->outward + sluice->from, count, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (passed < 0 && is_passing(errno)) return has_moved;
      if (passed > 0) sluice->sent += (uint64_t)passed;
    }
    if (passed < 0) {
      /* The reason for the end may still be there to be read. */
      sluice->takes_nothing = true;
      passed = (ssize_t)count;
    }
    sluice->from += (size_t)passed;
  }
}

bool godwit_sluice_is_full(const struct godwit_sluice *sluice) {
  return sluice->from < sluice->to || godwit_sluice_unread(sluice->inner) > 0;
}

bool godwit_sluice_leave(struct godwit_sluice *sluice) {
  if (!sluice->has_said_all) {
    shutdown(sluice->network, SHUT_WR);
    sluice->has_said_all = true;
  }
  uint8_t portion[GODWIT_SLUICE_PORTION];
  take(sluice, portion, sizeof portion);
  return sluice->has_ended;
}
