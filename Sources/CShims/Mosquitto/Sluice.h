#ifndef GODWIT_MOSQUITTO_SLUICE_H
#define GODWIT_MOSQUITTO_SLUICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands between libmosquitto and the network once the connection is there. libmosquitto reads
 * until nothing is left, allocates what a packet announces, writes without MSG_NOSIGNAL, and cannot
 * say whether it waits for room or for the other side. Here bytes pass in portions, so that whoever
 * sends without end is met between two of them; and what waits for the network is known.
 *
 * A pair of sockets: libmosquitto's descriptor is replaced by one end of it. */
enum { GODWIT_SLUICE_PORTION = 32768 };

struct godwit_sluice {
  int network; /* -1: there is none yet */
  int inner;   /* our end; libmosquitto has the other one */
  bool has_ended;    /* nothing more comes from the network */
  bool takes_nothing; /* the network: what is written is thrown away */
  bool has_said_all; /* the other side has been told that nothing more comes */
  uint64_t received; /* bytes */
  uint64_t sent;     /* bytes */
  size_t from, to;   /* what of `outward` waits */
  uint8_t outward[GODWIT_SLUICE_PORTION];
};

/* Takes the descriptor's place. 0, or errno. */
int godwit_sluice_open(struct godwit_sluice *sluice, int descriptor);
void godwit_sluice_close(struct godwit_sluice *sluice);

/* A portion from the network to libmosquitto, which has read what came before. False: nothing is
 * there. When the network has ended, libmosquitto reads that. */
bool godwit_sluice_pull(struct godwit_sluice *sluice);
/* What libmosquitto has written, to the network. False: nothing could be moved. */
bool godwit_sluice_push(struct godwit_sluice *sluice);
/* Whether something waits for room in the network. */
bool godwit_sluice_is_full(const struct godwit_sluice *sluice);
/* After the last push: says that nothing more comes, and reads what is still on its way, as closing
 * before that would make the network drop what was sent. True: the other side has closed, too. */
bool godwit_sluice_leave(struct godwit_sluice *sluice);

/* Bytes that wait to be read there. */
size_t godwit_sluice_unread(int descriptor);

#endif
