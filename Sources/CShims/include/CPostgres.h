#ifndef GODWIT_CPOSTGRES_H
#define GODWIT_CPOSTGRES_H

#include <stdbool.h>
#include <stddef.h>

/* libpq implements PostgreSQL's protocol. With its dependencies (OpenSSL, Kerberos, LDAP) it takes
 * 10 MB, so it is loaded at the first use, by a collector with a database. These functions have had
 * these types since PostgreSQL 9.0; they are declared here, and no header is needed to build. Each
 * function below is libpq's of the same name, PQ... (www.postgresql.org/docs/15/libpq.html). */

typedef struct pg_conn godwit_pg_connection;
typedef struct pg_result godwit_pg_result;

/* PQconninfoOption. */
struct godwit_pg_option {
  char *keyword;
  char *envvar;
  char *compiled;
  char *val; /* NULL: it is not set. */
  char *label;
  char *dispchar; /* "*": a password. */
  int dispsize;
};

/* ConnStatusType and ExecStatusType, as far as used. */
enum godwit_pg_number {
  GODWIT_PG_CONNECTION_OK = 0,
  GODWIT_PG_COMMAND_OK = 1,
  GODWIT_PG_TUPLES_OK = 2,
  /* PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY, PG_DIAG_MESSAGE_DETAIL */
  GODWIT_PG_SQLSTATE = 'C',
  GODWIT_PG_PRIMARY = 'M',
  GODWIT_PG_DETAIL = 'D',
};

/* Loads the library, once. Null: it is loaded, and stays so. Otherwise the reason, in static
 * storage. The functions below are those of a loaded library. */
const char *godwit_pg_load(void);

/* NULL, with a text in `*why`; both are to be freed, with `options_free` and `text_free`. */
struct godwit_pg_option *godwit_pg_parse(const char *address, char **why);
void godwit_pg_options_free(struct godwit_pg_option *options);
void godwit_pg_text_free(char *text);

/* Two lists of the same length that end with NULL. Blocks up to connect_timeout for each address
 * that is tried. Notices of the server are discarded. NULL: no memory. */
godwit_pg_connection *godwit_pg_connect(const char *const *keywords, const char *const *values);
int godwit_pg_status(const godwit_pg_connection *connection);
const char *godwit_pg_error(const godwit_pg_connection *connection);
const char *godwit_pg_parameter(const godwit_pg_connection *connection, const char *name);
void godwit_pg_finish(godwit_pg_connection *connection);

/* None of these blocks. */
int godwit_pg_socket(const godwit_pg_connection *connection);
bool godwit_pg_prepare(godwit_pg_connection *connection, const char *name, const char *sql);
/* Values as text; NULL is SQL's NULL. */
bool godwit_pg_run(
    godwit_pg_connection *connection, const char *name, int count, const char *const *values);
/* Without values; one statement. */
bool godwit_pg_execute(godwit_pg_connection *connection, const char *sql);
/* 0: all is sent; 1: not yet; -1: it failed. */
int godwit_pg_flush(godwit_pg_connection *connection);
bool godwit_pg_consume(godwit_pg_connection *connection);
bool godwit_pg_is_busy(godwit_pg_connection *connection);
/* NULL: there is no more. Blocks while the connection is busy. */
godwit_pg_result *godwit_pg_next_result(godwit_pg_connection *connection);

int godwit_pg_result_status(const godwit_pg_result *result);
/* NULL: there is none. */
const char *godwit_pg_result_error(const godwit_pg_result *result, int field);
int godwit_pg_row_count(const godwit_pg_result *result);
int godwit_pg_column_count(const godwit_pg_result *result);
/* NULL is SQL's NULL. */
const char *godwit_pg_value(const godwit_pg_result *result, int row, int column);
void godwit_pg_clear(godwit_pg_result *result);

#endif
