#define _GNU_SOURCE
#include "CrashRecord.h"
#include "record_text.h"
#include "run_marker.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

// All that runs in the handler is safe there: system calls, fixed buffers, and the unwinder. That one reads the tables
// of the loaded modules through _dl_find_object, which takes no lock and no memory (glibc 2.35, gcc 12); frame pointers
// would be simpler, but GTK and GLib come without. What has been found is written line by line before it is asked for
// more, so that a stack that is too damaged to be walked costs the rest of the frames, and not the record.

#define FRAMES 64
#define HANG_SECONDS 5
#define NEAR_STACK 65536
#define FIRST_PAGES 65536

static const struct {
  int number;
  const char *name;
} signals[] = {
  {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGILL, "SIGILL"}, {SIGFPE, "SIGFPE"},
  {SIGABRT, "SIGABRT"}, {SIGTRAP, "SIGTRAP"}, {SIGSYS, "SIGSYS"},
};
#define SIGNALS (sizeof signals / sizeof *signals)

static char record_path[PATH_MAX];
static char version[32];
static char build_id[65];
static struct timespec began;
static pid_t owner;
/// Given back at a crash: descriptors that have run out are a cause of crashes.
static int spare = -1;
static char overflow_stack[65536];
/// The thread that writes the record.
static atomic_int writer;
static volatile sig_atomic_t fatal;

typedef struct {
  CrText *text;
  uintptr_t fault;
  int count;
  int has_begun;
} Walk;

static void put_place(CrText *text, uintptr_t address, const char *otherwise) {
  struct dl_find_object found;
  if (_dl_find_object((void *)address, &found) != 0 || !found.dlfo_link_map) return cr_put(text, otherwise);
  const char *path = found.dlfo_link_map->l_name;
  const char *slash = path && *path ? strrchr(path, '/') : NULL;
  // The name alone: a folder may bear the user's.
  cr_put_name(text, slash ? slash + 1 : path && *path ? path : "app-gates");
  cr_put(text, "+");
  cr_put_hex(text, address - found.dlfo_link_map->l_addr);
}

static void put_frame(Walk *walk, uintptr_t address) {
  cr_put(walk->text, "frame=");
  put_place(walk->text, address, "elsewhere");
  cr_put(walk->text, "\n");
  cr_flush(walk->text);
  walk->count++;
}

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *data) {
  Walk *walk = data;
  int is_before = 0;
  uintptr_t address = _Unwind_GetIPInfo(context, &is_before);
  // The frames of the handler itself come first.
  if (!walk->has_begun) {
    walk->has_begun = address == walk->fault;
    return _URC_NO_REASON;
  }
  if (!address || walk->count >= FRAMES) return _URC_END_OF_STACK;
  // A return address is behind the call, and may be another function's.
  put_frame(walk, is_before ? address : address - 1);
  return _URC_NO_REASON;
}

static void place(const ucontext_t *context, uintptr_t *counter, uintptr_t *stack) {
#if defined(__x86_64__)
  *counter = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
  *stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  *counter = (uintptr_t)context->uc_mcontext.pc;
  *stack = (uintptr_t)context->uc_mcontext.sp;
#else
#error "Say here where the machine keeps its program counter."
#endif
}

/// What kind of address it was. Not the number: a damaged pointer may be made of what the user wrote.
static void put_address(CrText *text, const siginfo_t *info, uintptr_t stack) {
  uintptr_t address = (uintptr_t)info->si_addr;
  cr_put(text, "address=");
  if (info->si_code <= 0 || info->si_signo == SIGABRT || info->si_signo == SIGSYS) {
    cr_put(text, "none");
  } else if (address < FIRST_PAGES) {
    cr_put(text, "null+");
    cr_put_hex(text, address);
  } else if (address - stack + NEAR_STACK < 2 * NEAR_STACK) {
    cr_put(text, "stack");
  } else {
    put_place(text, address, "memory");
  }
}

static const char *name_of(int number) {
  for (size_t at = 0; at < SIGNALS; at++)
    if (signals[at].number == number) return signals[at].name;
  return "signal";
}

static void put_head(CrText *text, const siginfo_t *info, uintptr_t stack) {
  struct timespec now, wall;
  clock_gettime(CLOCK_MONOTONIC, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  char thread[17] = "";
  prctl(PR_GET_NAME, thread, 0, 0, 0);
  cr_put(text, "signal=");
  cr_put(text, name_of(info->si_signo));
  cr_put(text, info->si_code <= 0 && info->si_signo != SIGABRT ? "\nsent=yes\n" : "\nsent=no\n");
  put_address(text, info, stack);
  cr_put(text, "\nversion=");
  cr_put_name(text, version);
  cr_put(text, "\nbuild=");
  cr_put(text, build_id[0] ? build_id : "none");
  cr_put(text, "\nat=");
  cr_put_number(text, (uint64_t)wall.tv_sec);
  cr_put(text, "\nuptime=");
  cr_put_number(text, (uint64_t)(now.tv_sec - began.tv_sec - (now.tv_nsec < began.tv_nsec)));
  cr_put(text, "\ngate=");
  cr_put_name(text, cr_gate());
  cr_put(text, "\nthread=");
  cr_put_name(text, thread);
  cr_put(text, "\n");
  cr_flush(text);
}

static void write_record(const siginfo_t *info, const ucontext_t *context) {
  cr_note_end(name_of(info->si_signo));
  if (spare >= 0) close(spare);
  CrText text = {.file = open(record_path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)};
  if (text.file < 0) return;
  uintptr_t counter, stack;
  place(context, &counter, &stack);
  put_head(&text, info, stack);
  Walk walk = {.text = &text, .fault = counter};
  put_frame(&walk, counter);
  _Unwind_Backtrace(step, &walk);
  cr_put(&text, "whole=yes\n");
  cr_flush(&text);
  close(text.file);
}

static void die_of(int number) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigaction(number, &usual, NULL);
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

/// Where the walk hangs, the program ends of the same signal all the same.
static void hangs(int number) {
  (void)number;
  sigset_t these;
  sigemptyset(&these);
  sigaddset(&these, fatal);
  sigprocmask(SIG_UNBLOCK, &these, NULL);
  die_of(fatal);
}

static void crashed(int number, siginfo_t *info, void *context) {
  int saved = errno, thread = (int)syscall(SYS_gettid), nobody = 0;
  if (atomic_compare_exchange_strong(&writer, &nobody, thread)) {
    fatal = number;
    struct sigaction late = {.sa_handler = hangs};
    sigaction(SIGALRM, &late, NULL);
    alarm(HANG_SECONDS);
    // A child between fork and exec has our handlers, and nothing to tell.
    if (getpid() == owner) write_record(info, context);
  } else if (nobody != thread) {
    for (;;) pause();  // another thread writes, and ends all
  }
  errno = saved;
  int is_repeated = info->si_code > 0 && number != SIGABRT && number != SIGTRAP && number != SIGSYS;
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigaction(number, &usual, NULL);
  // A fault comes again where it came from, and its core dump is the true one; what was sent has to be sent again.
  if (!is_repeated) die_of(number);
}

static int find_build_id(struct dl_phdr_info *program, size_t size, void *data) {
  (void)size;
  (void)data;
  for (int at = 0; at < program->dlpi_phnum; at++) {
    const ElfW(Phdr) *part = &program->dlpi_phdr[at];
    if (part->p_type != PT_NOTE) continue;
    const char *next = (const char *)(program->dlpi_addr + part->p_vaddr), *end = next + part->p_memsz;
    while (end - next > (long)sizeof(ElfW(Nhdr))) {
      const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)next;
      const char *name = next + sizeof *note;
      const unsigned char *id = (const unsigned char *)name + ((note->n_namesz + 3) & ~3u);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(name, "GNU", 4)) {
        for (size_t byte = 0; byte < note->n_descsz && 2 * byte + 2 < sizeof build_id; byte++) {
          build_id[2 * byte] = "0123456789abcdef"[id[byte] >> 4];
          build_id[2 * byte + 1] = "0123456789abcdef"[id[byte] & 15];
        }
        return 1;
      }
      next = (const char *)id + ((note->n_descsz + 3) & ~3u);
    }
  }
  return 1;  // the first one is the program itself
}

const char *cr_build(void) { return build_id; }

int cr_install(const char *record, const char *running) {
  if (strlen(record) >= sizeof record_path) return errno = ENAMETOOLONG, -1;
  strcpy(record_path, record);
  strncpy(version, running, sizeof version - 1);
  clock_gettime(CLOCK_MONOTONIC, &began);
  owner = getpid();
  spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dl_iterate_phdr(find_build_id, NULL);
  const stack_t stack = {.ss_sp = overflow_stack, .ss_size = sizeof overflow_stack};
  if (sigaltstack(&stack, NULL) < 0) return -1;
  struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  // A second fault meanwhile finds its signal blocked, and the kernel ends the program at once.
  sigfillset(&action.sa_mask);
  sigdelset(&action.sa_mask, SIGALRM);
  for (size_t at = 0; at < SIGNALS; at++)
    if (sigaction(signals[at].number, &action, NULL) < 0) return -1;
  return 0;
}
