#include "CGps.h"

#include <errno.h>
#include <fcntl.h>
#include <gps.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "CAttempt.h"

struct godwit_gps {
  struct gps_data_t data;
  char *host;
  char *port;
  int ended;             /* eventfd: the attempt is over */
  int error;             /* libgps's number, written before `state` */
  atomic_int state;      /* enum godwit_gps_state */
  atomic_int references; /* the owner's and the attempt's; the last one frees */
  size_t held;           /* bytes that have arrived and are not yet read */
  size_t searched;       /* those of them known to contain no newline */
  char bytes[GODWIT_GPS_LINE_ROOM];
};

static struct godwit_attempts attempts = {.most = 16};

static void drop(godwit_gps *connection) {
  if (atomic_fetch_sub(&connection->references, 1) > 1) return;
  if (atomic_load(&connection->state) == GODWIT_GPS_CONNECTED) gps_close(&connection->data);
  if (connection->ended >= 0) close(connection->ended);
  free(connection->host);
  free(connection->port);
  free(connection);
}

static void *attempt(void *argument) {
  godwit_gps *connection = argument;
  errno = 0;
  int status = gps_open(connection->host, connection->port, &connection->data);
  /* libgps returns -1 and puts its own negative number in errno (libgps_sock.c). */
  connection->error = errno < 0 ? errno : status;
  if (status == 0) fcntl(godwit_gps_socket(connection), F_SETFD, FD_CLOEXEC);
  atomic_store(&connection->state, status == 0 ? GODWIT_GPS_CONNECTED : GODWIT_GPS_FAILED);
  eventfd_write(connection->ended, 1);
  drop(connection);
  godwit_attempt_over(&attempts);
  return NULL;
}

godwit_gps *godwit_gps_start(const char *host, const char *port) {
  godwit_gps *connection = calloc(1, sizeof *connection);
  if (connection == NULL) return NULL;
  atomic_init(&connection->state, GODWIT_GPS_CONNECTING);
  atomic_init(&connection->references, 1);
  connection->host = strdup(host);
  connection->port = strdup(port);
  connection->ended = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  int error = connection->ended < 0 ? errno : 0;
  if (connection->host == NULL || connection->port == NULL) error = ENOMEM;
  if (error == 0) {
    error = godwit_attempt_start(&attempts, &connection->references, attempt, connection);
  }
  if (error == 0) return connection;
  drop(connection);
  errno = error;
  return NULL;
}

int godwit_gps_attempt_descriptor(const godwit_gps *connection) { return connection->ended; }

enum godwit_gps_state godwit_gps_state(godwit_gps *connection) {
  return (enum godwit_gps_state)atomic_load(&connection->state);
}

const char *godwit_gps_failure(const godwit_gps *connection) {
  return gps_errstr(connection->error);
}

int godwit_gps_socket(const godwit_gps *connection) { return (int)connection->data.gps_fd; }

/* libgps writes to its socket with write(2), so a gpsd that has gone raises SIGPIPE. It is kept
 * from the process: blocked around the call, and consumed if the call made it pending. */
int godwit_gps_send(godwit_gps *connection, const char *command) {
  sigset_t pipe, before, pending;
  sigpending(&pending);
  int was_pending = sigismember(&pending, SIGPIPE);
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  int status = gps_send(&connection->data, "%s", command);
  int error = errno;
  sigpending(&pending);
  if (!was_pending && sigismember(&pending, SIGPIPE)) {
    const struct timespec now = {0, 0};
    while (sigtimedwait(&pipe, NULL, &now) < 0 && errno == EINTR) continue;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return status < 0 ? -1 : 0;
}

/* Returns the line that ends at `newline`, and keeps the bytes after it. */
static int take_line(godwit_gps *connection, const char *newline, char *line) {
  size_t length = (size_t)(newline - connection->bytes);
  memcpy(line, connection->bytes, length);
  line[length] = '\0';
  connection->held -= length + 1;
  memmove(connection->bytes, newline + 1, connection->held);
  connection->searched = 0;
  return (int)length + 1;
}

/* Not gps_read: it parses every line into its own structures, and the parser of libgps 3.22
 * (json.c) never returns from some lines that gpsd would not write, such as {:"class":"TPV". */
int godwit_gps_read(godwit_gps *connection, char line[GODWIT_GPS_LINE_ROOM]) {
  for (;;) {
    const char *newline = memchr(
        connection->bytes + connection->searched, '\n', connection->held - connection->searched);
    if (newline != NULL) return take_line(connection, newline, line);
    connection->searched = connection->held;
    size_t room = sizeof connection->bytes - connection->held;
    if (room == 0) return GODWIT_GPS_TOO_LONG;
    ssize_t count = recv(
        godwit_gps_socket(connection), connection->bytes + connection->held, room, MSG_DONTWAIT);
    if (count > 0) {
      connection->held += (size_t)count;
    } else if (count == 0) {
      errno = 0;
      return GODWIT_GPS_ENDED;
    } else if (errno != EINTR) {
      return errno == EAGAIN ? GODWIT_GPS_NOTHING : GODWIT_GPS_ENDED;
    }
  }
}

void godwit_gps_release(godwit_gps *connection) { drop(connection); }
