#include <sqlite3.h>

/* sqlite3_db_config has a variable number of arguments, which Swift cannot give. */
static inline int godwit_keep_log_on_close(sqlite3 *db, int keep) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}
