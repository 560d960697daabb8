#include "CGps.h"

#include <gps.h>
#include <stdlib.h>

struct godwit_gps {
  struct gps_data_t data;
};

godwit_gps *godwit_gps_open(const char *host, const char *port, int *error) {
  godwit_gps *connection = calloc(1, sizeof *connection);
  if (connection == NULL) return NULL;
  *error = gps_open(host, port, &connection->data);
  if (*error == 0) return connection;
  free(connection);
  return NULL;
}
