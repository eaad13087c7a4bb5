// The version of App Gates: the one place it is written down. Swift reads it through AuthWire.
#ifndef APP_GATES_VERSION_H
#define APP_GATES_VERSION_H

#define APP_GATES_VERSION "0.1.0"

#endif
