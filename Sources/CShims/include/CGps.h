#ifndef GODWIT_CGPS_H
#define GODWIT_CGPS_H

/* libgps keeps its state in `struct gps_data_t`, whose size and fields change from one gpsd release
 * to the next. Only this shim uses it; Swift has an opaque pointer. */
typedef struct godwit_gps godwit_gps;

enum godwit_gps_state { GODWIT_GPS_CONNECTING, GODWIT_GPS_CONNECTED, GODWIT_GPS_FAILED };

/* Results of godwit_gps_read that are not lengths. */
enum { GODWIT_GPS_NOTHING = 0, GODWIT_GPS_ENDED = -1, GODWIT_GPS_TOO_LONG = -2 };

/* Longer lines are not delivered; gpsd writes up to 10 kB (GPS_JSON_RESPONSE_MAX). Room for one,
 * with its NUL. */
enum { GODWIT_GPS_LINE_ROOM = 32768 };

/* Begins to connect to gpsd and returns at once. gps_open resolves the host and connects without a
 * timeout of its own, so it runs on a thread for the time of the attempt. Null if there is no
 * memory, thread or descriptor left, with errno set; EAGAIN if several earlier attempts, since
 * abandoned, have still not ended. */
godwit_gps *godwit_gps_start(const char *host, const char *port);

/* Becomes readable once, when the attempt has ended. */
int godwit_gps_attempt_descriptor(const godwit_gps *connection);

enum godwit_gps_state godwit_gps_state(godwit_gps *connection);

/* Why it failed: libgps's message. Static storage. */
const char *godwit_gps_failure(const godwit_gps *connection);

/* The socket; only when connected. Non-blocking. */
int godwit_gps_socket(const godwit_gps *connection);

/* Sends one command line (a newline is added by libgps). 0, or -1 with errno set. */
int godwit_gps_send(godwit_gps *connection, const char *command);

/* Reads the next line from the socket, NUL-terminated and without its newline. Returns its length +
 * 1 (at least 1), or one of the results above; for ENDED errno is the error, 0 at a regular end of
 * file. Call until NOTHING: several lines may have been read at once, which the socket does not
 * show. */
int godwit_gps_read(godwit_gps *connection, char line[GODWIT_GPS_LINE_ROOM]);

/* Disconnects and frees; an attempt in progress ends by itself and is then freed. */
void godwit_gps_release(godwit_gps *connection);

#endif
