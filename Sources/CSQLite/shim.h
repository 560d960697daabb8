#include <sqlite3.h>

/* sqlite3_db_config has a variable number of arguments, which Swift cannot give. */
static inline int godwit_keep_log_on_close(sqlite3 *db, int keep) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}

/* What the file's schema says may call only what does no harm (sqlite.org/security.html, 1). */
static inline int godwit_distrust_schema(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

/* Whether statements may not damage the file itself. */
static inline int godwit_set_defensive(sqlite3 *db, int defensive) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, defensive, (int *)0);
}
