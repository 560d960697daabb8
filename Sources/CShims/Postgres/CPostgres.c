#include "CPostgres.h"

#include <pthread.h>
#include <stdio.h>

#include "CLoading.h"

static const struct godwit_library name = {"libpq.so.5", "libpq5"};

typedef void (*notice_processor)(void *context, const char *message);

/* As declared in libpq-fe.h. An Oid is an unsigned int (postgres_ext.h). */
static struct {
  struct godwit_pg_option *(*conninfoParse)(const char *, char **);
  void (*conninfoFree)(struct godwit_pg_option *);
  void (*freemem)(void *);
  godwit_pg_connection *(*connectdbParams)(const char *const *, const char *const *, int);
  notice_processor (*setNoticeProcessor)(godwit_pg_connection *, notice_processor, void *);
  int (*setnonblocking)(godwit_pg_connection *, int);
  int (*status)(const godwit_pg_connection *);
  char *(*errorMessage)(const godwit_pg_connection *);
  const char *(*parameterStatus)(const godwit_pg_connection *, const char *);
  void (*finish)(godwit_pg_connection *);
  int (*socket)(const godwit_pg_connection *);
  int (*sendPrepare)(
      godwit_pg_connection *, const char *, const char *, int, const unsigned int *);
  int (*sendQueryPrepared)(
      godwit_pg_connection *, const char *, int, const char *const *, const int *, const int *,
      int);
  int (*sendQueryParams)(
      godwit_pg_connection *, const char *, int, const unsigned int *, const char *const *,
      const int *, const int *, int);
  int (*flush)(godwit_pg_connection *);
  int (*consumeInput)(godwit_pg_connection *);
  int (*isBusy)(godwit_pg_connection *);
  godwit_pg_result *(*getResult)(godwit_pg_connection *);
  int (*resultStatus)(const godwit_pg_result *);
  char *(*resultErrorField)(const godwit_pg_result *, int);
  int (*ntuples)(const godwit_pg_result *);
  int (*nfields)(const godwit_pg_result *);
  char *(*getvalue)(const godwit_pg_result *, int, int);
  int (*getisnull)(const godwit_pg_result *, int, int);
  void (*clear)(godwit_pg_result *);
} library;

static char why[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
#define WANTED(name) {"PQ" #name, &library.name},
  const struct godwit_function wanted[] = {
      WANTED(conninfoParse) WANTED(conninfoFree) WANTED(freemem) WANTED(connectdbParams)
      WANTED(setNoticeProcessor) WANTED(setnonblocking) WANTED(status) WANTED(errorMessage)
      WANTED(parameterStatus) WANTED(finish) WANTED(socket) WANTED(sendPrepare)
      WANTED(sendQueryPrepared) WANTED(sendQueryParams) WANTED(flush) WANTED(consumeInput)
      WANTED(isBusy) WANTED(getResult) WANTED(resultStatus) WANTED(resultErrorField)
      WANTED(ntuples) WANTED(nfields) WANTED(getvalue) WANTED(getisnull) WANTED(clear)};
#undef WANTED
  godwit_library_load(&name, wanted, sizeof wanted / sizeof wanted[0], why, sizeof why);
}

const char *godwit_pg_load(void) {
  pthread_once(&once, load);
  return why[0] != '\0' ? why : NULL;
}

struct godwit_pg_option *godwit_pg_parse(const char *address, char **problem) {
  return library.conninfoParse(address, problem);
}

void godwit_pg_options_free(struct godwit_pg_option *options) { library.conninfoFree(options); }
void godwit_pg_text_free(char *text) { library.freemem(text); }

/* libpq's own processor writes to standard error. */
static void ignore(void *context, const char *message) {
  (void)context;
  (void)message;
}

godwit_pg_connection *godwit_pg_connect(const char *const *keywords, const char *const *values) {
  /* 0: a database's name is only a name, not another address. */
  godwit_pg_connection *connection = library.connectdbParams(keywords, values, 0);
  if (connection == NULL) return NULL;
  library.setNoticeProcessor(connection, ignore, NULL);
  library.setnonblocking(connection, 1);
  return connection;
}

int godwit_pg_status(const godwit_pg_connection *connection) {
  return library.status(connection);
}

const char *godwit_pg_error(const godwit_pg_connection *connection) {
  return library.errorMessage(connection);
}

const char *godwit_pg_parameter(const godwit_pg_connection *connection, const char *name) {
  return library.parameterStatus(connection, name);
}

void godwit_pg_finish(godwit_pg_connection *connection) { library.finish(connection); }

int godwit_pg_socket(const godwit_pg_connection *connection) {
  return library.socket(connection);
}

bool godwit_pg_prepare(godwit_pg_connection *connection, const char *name, const char *sql) {
  return library.sendPrepare(connection, name, sql, 0, NULL) == 1;
}

bool godwit_pg_run(
    godwit_pg_connection *connection, const char *name, int count, const char *const *values) {
  return library.sendQueryPrepared(connection, name, count, values, NULL, NULL, 0) == 1;
}

bool godwit_pg_execute(godwit_pg_connection *connection, const char *sql) {
  return library.sendQueryParams(connection, sql, 0, NULL, NULL, NULL, NULL, 0) == 1;
}

int godwit_pg_flush(godwit_pg_connection *connection) { return library.flush(connection); }

bool godwit_pg_consume(godwit_pg_connection *connection) {
  return library.consumeInput(connection) == 1;
}

bool godwit_pg_is_busy(godwit_pg_connection *connection) {
  return library.isBusy(connection) == 1;
}

godwit_pg_result *godwit_pg_next_result(godwit_pg_connection *connection) {
  return library.getResult(connection);
}

int godwit_pg_result_status(const godwit_pg_result *result) {
  return library.resultStatus(result);
}

const char *godwit_pg_result_error(const godwit_pg_result *result, int field) {
  return library.resultErrorField(result, field);
}

int godwit_pg_row_count(const godwit_pg_result *result) { return library.ntuples(result); }
int godwit_pg_column_count(const godwit_pg_result *result) { return library.nfields(result); }

const char *godwit_pg_value(const godwit_pg_result *result, int row, int column) {
  return library.getisnull(result, row, column) ? NULL : library.getvalue(result, row, column);
}

void godwit_pg_clear(godwit_pg_result *result) { library.clear(result); }
