#include "signal_closure.h"

typedef struct {
  GClosure closure;
  gs_signal_call call;
  GDestroyNotify release;
} BoxClosure;

static void marshal(GClosure *closure, GValue *result, guint count, const GValue *arguments, gpointer hint,
                    gpointer data) {
  (void)hint;
  (void)data;
  ((BoxClosure *)closure)->call(closure->data, result, count, arguments);
}

static void finalize(gpointer box, GClosure *closure) { ((BoxClosure *)closure)->release(box); }

gulong gs_signal_connect(gpointer instance, const char *signal, void *box, gs_signal_call call,
                         GDestroyNotify release) {
  BoxClosure *closure = (BoxClosure *)g_closure_new_simple(sizeof(BoxClosure), box);
  closure->call = call;
  closure->release = release;
  g_closure_set_marshal(&closure->closure, marshal);
  g_closure_add_finalize_notifier(&closure->closure, box, finalize);
  return g_signal_connect_closure(instance, signal, &closure->closure, FALSE);
}
