#define _GNU_SOURCE /* dup3 */

#include "Flow.h"

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

/* TLS begins its handshake while it connects: counts the bytes before the flow was opened. Nagle's
 * algorithm may still hold some of them back, and those that were sent twice count once. */
static void count_before(struct godwit_flow *flow) {
  struct tcp_info info = {0};
  socklen_t size = sizeof info;
  if (getsockopt(flow->network, IPPROTO_TCP, TCP_INFO, &info, &size) < 0) return;
  size_t unread = godwit_flow_unread(flow->network);
  flow->sent = info.tcpi_bytes_sent - info.tcpi_bytes_retrans + info.tcpi_notsent_bytes;
  flow->received = info.tcpi_bytes_received > unread ? info.tcpi_bytes_received - unread : 0;
}

int godwit_flow_open(struct godwit_flow *flow, int descriptor) {
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
  flow->inner = ends[0];
  flow->network = network;
  watch(network);
  count_before(flow);
  return 0;
}

void godwit_flow_close(struct godwit_flow *flow) {
  if (flow->network < 0) return;
  close(flow->network);
  close(flow->inner);
  flow->network = -1;
}

size_t godwit_flow_unread(int descriptor) {
  int count = 0;
  return descriptor >= 0 && ioctl(descriptor, FIONREAD, &count) == 0 ? (size_t)count : 0;
}

static bool is_passing(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

static ssize_t take(struct godwit_flow *flow, uint8_t *portion, size_t room) {
  if (flow->has_ended) return 0;
  ssize_t got = recv(flow->network, portion, room, MSG_DONTWAIT);
  if (got > 0) flow->received += (uint64_t)got;
  if (got == 0 || (got < 0 && !is_passing(errno))) flow->has_ended = true;
  return got;
}

bool godwit_flow_pull(struct godwit_flow *flow) {
  if (flow->has_ended) return false;
  uint8_t portion[GODWIT_FLOW_PORTION];
  ssize_t got = take(flow, portion, sizeof portion);
  if (got > 0) {
    /* There is room, because earlier bytes have been read. */
    ssize_t passed = send(flow->inner, portion, (size_t)got, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (passed != got) flow->has_ended = true;
  }
  if (flow->has_ended) shutdown(flow->inner, SHUT_WR);
  return got > 0 || flow->has_ended;
}

bool godwit_flow_push(struct godwit_flow *flow) {
  bool has_moved = false;
  while (true) {
    if (flow->from == flow->to) {
      ssize_t got = recv(flow->inner, flow->outward, sizeof flow->outward, MSG_DONTWAIT);
      if (got <= 0) return has_moved;
      flow->from = 0;
      flow->to = (size_t)got;
    }
    has_moved = true;
    size_t count = flow->to - flow->from;
    ssize_t passed = (ssize_t)count;
    if (!flow->accepts_nothing) {
      passed = send(
          flow->network, flow->outward + flow->from, count, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (passed < 0 && is_passing(errno)) return has_moved;
      if (passed > 0) flow->sent += (uint64_t)passed;
    }
    if (passed < 0) {
      /* The reason for the end may still be there to be read. */
      flow->accepts_nothing = true;
      passed = (ssize_t)count;
    }
    flow->from += (size_t)passed;
  }
}

bool godwit_flow_is_full(const struct godwit_flow *flow) {
  return flow->from < flow->to || godwit_flow_unread(flow->inner) > 0;
}

bool godwit_flow_leave(struct godwit_flow *flow) {
  if (!flow->is_shut_down) {
    shutdown(flow->network, SHUT_WR);
    flow->is_shut_down = true;
  }
  uint8_t portion[GODWIT_FLOW_PORTION];
  take(flow, portion, sizeof portion);
  return flow->has_ended;
}
