#include "CGps.h"

#include <errno.h>
#include <fcntl.h>
#include <gps.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct godwit_gps {
  struct gps_data_t data;
  char *host;
  char *port;
  int ended;             /* eventfd: the attempt is over */
  int error;             /* libgps's number, written before `state` */
  atomic_int state;      /* enum godwit_gps_state */
  atomic_int references; /* the owner's and the attempt's; the last one frees */
};

/* Abandoned attempts end by the kernel's and the resolver's time limits, some minutes at most. */
static const int most_attempts = 16;
static atomic_int attempts;

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
  atomic_fetch_sub(&attempts, 1);
  return NULL;
}

/* On a detached thread that receives no signals: they belong to the event loop. */
static int start_attempt(godwit_gps *connection) {
  if (atomic_fetch_add(&attempts, 1) >= most_attempts) {
    atomic_fetch_sub(&attempts, 1);
    return EAGAIN;
  }
  sigset_t all, before;
  pthread_attr_t attributes;
  pthread_t thread;
  sigfillset(&all);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  atomic_store(&connection->references, 2);
  int error = pthread_create(&thread, &attributes, attempt, connection);
  if (error != 0) {
    atomic_store(&connection->references, 1);
    atomic_fetch_sub(&attempts, 1);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return error;
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
  if (error == 0) error = start_attempt(connection);
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
 * away from the process: blocked around the call, and taken back when it became pending by it. */
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

int godwit_gps_read(godwit_gps *connection, char line[GODWIT_GPS_LINE_ROOM]) {
  line[0] = '\0';
  errno = 0;
  int length = gps_read(&connection->data, line, GODWIT_GPS_LINE_ROOM);
  if (length > GODWIT_GPS_LINE_ROOM) return GODWIT_GPS_TOO_LONG;
  if (length > 0) return (int)strlen(line) + 1;
  if (length == 0) return GODWIT_GPS_NOTHING;
  if (errno != 0) return GODWIT_GPS_ENDED;
  /* libgps says the same for the end and for a buffer full of one line; the socket knows. */
  char next;
  ssize_t left = recv(godwit_gps_socket(connection), &next, 1, MSG_PEEK | MSG_DONTWAIT);
  if (left > 0 || (left < 0 && errno == EAGAIN)) return GODWIT_GPS_TOO_LONG;
  return GODWIT_GPS_ENDED;
}

void godwit_gps_release(godwit_gps *connection) { drop(connection); }
