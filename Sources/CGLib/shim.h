#pragma once
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <gio/gdesktopappinfo.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
