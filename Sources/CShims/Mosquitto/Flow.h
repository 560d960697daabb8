#ifndef GODWIT_MOSQUITTO_FLOW_H
#define GODWIT_MOSQUITTO_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Flow control between libmosquitto and the network, once the connection is established.
 * libmosquitto reads until nothing is left, allocates what a packet announces, writes without
 * MSG_NOSIGNAL, and cannot report whether it waits for room or for the other side. Here bytes pass
 * in portions, so that a sender without end can be stopped between two of them; and it is known
 * what waits for the network.
 *
 * A pair of sockets: libmosquitto's descriptor is replaced by one end of it. */
enum { GODWIT_FLOW_PORTION = 32768 };

struct godwit_flow {
  int network; /* -1: none yet */
  int inner;   /* our end; libmosquitto has the other one */
  bool has_ended;    /* no more bytes will come from the network */
  bool accepts_nothing; /* the network accepts nothing: output is discarded */
  bool is_shut_down; /* the sending side was shut down */
  uint64_t received; /* bytes */
  uint64_t sent;     /* bytes */
  size_t from, to;   /* the waiting part of `outward` */
  uint8_t outward[GODWIT_FLOW_PORTION];
};

/* Replaces the descriptor. 0, or errno. */
int godwit_flow_open(struct godwit_flow *flow, int descriptor);
void godwit_flow_close(struct godwit_flow *flow);

/* Moves a portion from the network to libmosquitto, which has read what came before. False: there
 * is nothing. When the network has ended, libmosquitto reads that end. */
bool godwit_flow_pull(struct godwit_flow *flow);
/* Moves libmosquitto's output to the network. False: nothing could be moved. */
bool godwit_flow_push(struct godwit_flow *flow);
/* Whether output waits for room in the network. */
bool godwit_flow_is_full(const struct godwit_flow *flow);
/* After the last push: shuts down the sending side, and reads the remaining input, because closing
 * before that would make the network discard what was sent. True: the other side has closed,
 * too. */
bool godwit_flow_leave(struct godwit_flow *flow);

/* Bytes that wait to be read from the descriptor. */
size_t godwit_flow_unread(int descriptor);

#endif
