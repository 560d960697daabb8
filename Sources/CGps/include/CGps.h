#ifndef GODWIT_CGPS_H
#define GODWIT_CGPS_H

/* libgps keeps its state in `struct gps_data_t`, whose size and fields change from one gpsd release
 * to the next. Only this shim knows it; Swift sees an opaque pointer. */
typedef struct godwit_gps godwit_gps;

/* Connects to gpsd. Null on failure, with libgps's error number in *error. */
godwit_gps *godwit_gps_open(const char *host, const char *port, int *error);

#endif
