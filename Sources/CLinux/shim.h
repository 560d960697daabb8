/* Kernel interfaces that Swift's Glibc module leaves out, or defines by macros that Swift cannot
 * import. */
#include <linux/filter.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/iio/events.h>
#include <linux/netlink.h>
#include <linux/serial.h>
#include <malloc.h>
#include <pty.h>
#include <sys/epoll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/timerfd.h>
#include <sys/timex.h>

/* Whether a program has the terminal exclusively (ioctl_tty(2)); an int is written. */
static const unsigned long godwit_TIOCGEXCL = TIOCGEXCL;

/* Gives a descriptor from which an IIO device's events are read (linux/iio/events.h); an int is written. */
static const unsigned long godwit_IIO_GET_EVENT_FD = IIO_GET_EVENT_FD_IOCTL;

/* prctl takes a variable number of arguments, which Swift does not import. Whoever started this
 * program takes it along, however that ends (prctl(2), PR_SET_PDEATHSIG). */
static inline int godwit_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGTERM); }
