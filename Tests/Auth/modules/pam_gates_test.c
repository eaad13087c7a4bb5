// A PAM module that behaves as its first argument says: honest ones, broken ones and hostile ones.
#define _GNU_SOURCE
#define PAM_SM_AUTH
#define PAM_SM_ACCOUNT
#include <security/pam_ext.h>
#include <security/pam_modules.h>

#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int talk(pam_handle_t *pamh, int style, const char *text, char **answer) {
  const struct pam_conv *conv = NULL;
  if (pam_get_item(pamh, PAM_CONV, (const void **)&conv) != PAM_SUCCESS || conv == NULL) return PAM_CONV_ERR;
  struct pam_message message = {.msg_style = style, .msg = text};
  const struct pam_message *messages[] = {&message};
  struct pam_response *response = NULL;
  int code = conv->conv(1, messages, answer == NULL ? NULL : &response, conv->appdata_ptr);
  if (answer != NULL && response != NULL) {
    *answer = response->resp;
    free(response);
  }
  return code;
}

static int told(pam_handle_t *pamh, const char *text) { return talk(pamh, PAM_TEXT_INFO, text, NULL); }

/// Asks and compares; PAM_AUTH_ERR where the answer is another one.
static int expect(pam_handle_t *pamh, int style, const char *text, const char *right) {
  char *answer = NULL;
  int code = talk(pamh, style, text, &answer);
  if (code != PAM_SUCCESS) return code;
  code = answer != NULL && strcmp(answer, right) == 0 ? PAM_SUCCESS : PAM_AUTH_ERR;
  free(answer);
  return code;
}

/// Two prompts and a message in one call, as a module that asks for all at once does.
static int together(pam_handle_t *pamh) {
  const struct pam_conv *conv = NULL;
  pam_get_item(pamh, PAM_CONV, (const void **)&conv);
  struct pam_message all[] = {{PAM_PROMPT_ECHO_ON, "Name: "}, {PAM_TEXT_INFO, "between"}, {PAM_PROMPT_ECHO_OFF, NULL}};
  const struct pam_message *messages[] = {&all[0], &all[1], &all[2]};
  struct pam_response *r = NULL;
  int code = conv->conv(3, messages, &r, conv->appdata_ptr);
  if (code != PAM_SUCCESS) return r == NULL ? code : PAM_SYSTEM_ERR;
  bool right = strcmp(r[0].resp, "one") == 0 && r[1].resp == NULL && strcmp(r[2].resp, "two") == 0;
  return right ? PAM_SUCCESS : PAM_AUTH_ERR;
}

static int name_library(struct dl_phdr_info *info, size_t size, void *pamh) {
  (void)size;
  char line[400];
  snprintf(line, sizeof line, "library %s", info->dlpi_name);
  return told(pamh, line) != PAM_SUCCESS;
}

/// What the helper's process looks like from inside.
static int report(pam_handle_t *pamh) {
  char line[400];
  for (int i = 0; i < 1024; i++) {
    int flags = fcntl(i, F_GETFD);
    if (flags < 0) continue;
    struct stat found;
    fstat(i, &found);
    const char *target = S_ISSOCK(found.st_mode) ? "socket" : "other";
    if (S_ISCHR(found.st_mode) && found.st_rdev == makedev(1, 3)) target = "null";
    snprintf(line, sizeof line, "fd %d %s%s", i, target, flags & FD_CLOEXEC ? " cloexec" : "");
    told(pamh, line);
  }
  for (char **e = environ; *e != NULL; e++) {
    snprintf(line, sizeof line, "env %s", *e);
    told(pamh, line);
  }
  struct rlimit core;
  getrlimit(RLIMIT_CORE, &core);
  snprintf(line, sizeof line, "core %lu %lu dumpable %d", core.rlim_cur, core.rlim_max,
           prctl(PR_GET_DUMPABLE, 0, 0, 0, 0));
  told(pamh, line);
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, NULL, &blocked);
  int count = 0;
  for (int i = 1; i < 65; i++) {
    count += sigismember(&blocked, i) == 1;
    struct sigaction now;
    if (sigaction(i, NULL, &now) != 0 || now.sa_handler == SIG_DFL) continue;
    snprintf(line, sizeof line, "signal %d %s", i, now.sa_handler == SIG_IGN ? "ignored" : "handled");
    told(pamh, line);
  }
  char folder[200] = "?";
  if (getcwd(folder, sizeof folder) == NULL) return PAM_SYSTEM_ERR;
  snprintf(line, sizeof line, "blocked %d folder %s", count, folder);
  told(pamh, line);
  return dl_iterate_phdr(name_library, pamh) == 0 ? PAM_SUCCESS : PAM_CONV_ERR;
}

static void hang(void) {
  for (;;) pause();
}

static void hang_at_end(pam_handle_t *pamh, void *data, int code) {
  (void)data, (void)code;
  told(pamh, "said after the verdict");
  hang();
}

static void exit_at_end(pam_handle_t *pamh, void *data, int code) {
  (void)pamh, (void)data, (void)code;
  exit(9);
}

/// Nothing but a SIGKILL ends it: neither the end of the channel nor a polite signal.
static int hang_deaf(pam_handle_t *pamh) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  if (told(pamh, "deaf") == PAM_SUCCESS) hang();
  return PAM_CONV_ERR;
}

/// Answers after so many milliseconds, as a module does that asks a slow server.
static int answer_late(pam_handle_t *pamh, int milliseconds) {
  if (told(pamh, "answering late") != PAM_SUCCESS) return PAM_CONV_ERR;
  struct timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  while (nanosleep(&left, &left) != 0) continue;
  return PAM_SUCCESS;
}

/// A child that keeps the channel until the other side closes it.
static void leave_child(void) {
  if (fork() != 0) return;
  struct pollfd channel = {.fd = 3, .events = POLLRDHUP};
  poll(&channel, 1, 20000);
  _exit(0);
}

static int act(pam_handle_t *pamh, const char *what) {
  if (strncmp(what, "code=", 5) == 0) return atoi(what + 5);
  if (strncmp(what, "user=", 5) == 0) return pam_set_item(pamh, PAM_USER, what + 5);
  if (strcmp(what, "exit") == 0) exit(0);
  if (strcmp(what, "crash") == 0) raise(SIGSEGV);
  if (strcmp(what, "hang") == 0 && told(pamh, "hanging") == PAM_SUCCESS) hang();
  if (strcmp(what, "deaf") == 0) return hang_deaf(pamh);
  if (strcmp(what, "stop") == 0 && told(pamh, "stopping") == PAM_SUCCESS) raise(SIGSTOP);
  if (strncmp(what, "late=", 5) == 0) return answer_late(pamh, atoi(what + 5));
  if (strcmp(what, "flood") == 0) {
    for (int i = 0; i < 100000; i++) {
      if (told(pamh, "flood") != PAM_SUCCESS) return PAM_SUCCESS;
    }
  }
  if (strcmp(what, "prompt") == 0) return expect(pamh, PAM_PROMPT_ECHO_OFF, "Secret: ", "one");
  if (strcmp(what, "slow") == 0) {
    pam_fail_delay(pamh, 3000000);
    return expect(pamh, PAM_PROMPT_ECHO_OFF, "Secret: ", "one");
  }
  if (strcmp(what, "visible") == 0) return expect(pamh, PAM_PROMPT_ECHO_ON, "Name: ", "one");
  if (strcmp(what, "two") == 0) {
    int code = expect(pamh, PAM_PROMPT_ECHO_OFF, "First: ", "one");
    return code == PAM_SUCCESS ? expect(pamh, PAM_PROMPT_ECHO_ON, "Second: ", "two") : code;
  }
  if (strcmp(what, "stubborn") == 0) {  // takes no answer for a yes
    expect(pamh, PAM_PROMPT_ECHO_OFF, "Secret: ", "one");
    return PAM_SUCCESS;
  }
  if (strcmp(what, "nowhere") == 0) {  // a prompt without a place for the answer
    return talk(pamh, PAM_PROMPT_ECHO_OFF, "Secret: ", NULL) == PAM_SUCCESS ? PAM_SUCCESS : PAM_CONV_ERR;
  }
  if (strcmp(what, "binary") == 0) {
    char *answer = NULL;
    talk(pamh, 7, "\1\2", &answer);
    return PAM_SUCCESS;
  }
  if (strcmp(what, "together") == 0) return together(pamh);
  if (strcmp(what, "report") == 0) return report(pamh);
  if (strcmp(what, "broken-text") == 0) {
    talk(pamh, PAM_ERROR_MSG, "caf\xE9 \xC3 \xFF\x1B[31m", NULL);
    return told(pamh, "");
  }
  if (strcmp(what, "long-text") == 0) {
    static char text[10001];
    memset(text, 'x', 10000);
    return told(pamh, text);
  }
  if (strcmp(what, "child") == 0) leave_child();
  if (strcmp(what, "hang-at-end") == 0) pam_set_data(pamh, "gates", NULL, hang_at_end);
  if (strcmp(what, "exit-at-end") == 0) pam_set_data(pamh, "gates", NULL, exit_at_end);
  return PAM_SUCCESS;
}

int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc, const char **argv) {
  if (argc > 1 && strcmp(argv[1], "null-barred") == 0 && (flags & PAM_DISALLOW_NULL_AUTHTOK) == 0) return PAM_ABORT;
  return argc < 1 ? PAM_ABORT : act(pamh, argv[0]);
}

int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv) {
  (void)flags, (void)argc, (void)argv;
  told(pamh, "setcred was called");
  return PAM_SUCCESS;
}

int pam_sm_acct_mgmt(pam_handle_t *pamh, int flags, int argc, const char **argv) {
  return pam_sm_authenticate(pamh, flags, argc, argv);
}
