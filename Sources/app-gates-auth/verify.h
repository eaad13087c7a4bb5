// One run of PAM, and what its codes mean.
#ifndef VERIFY_H
#define VERIFY_H

#include <AuthWire.h>

/// A verdict that PAM was not asked for.
aw_result unavailable(aw_reason reason);

/// Runs PAM for the user that this process belongs to. `service` is one of the two AW_SERVICE names.
aw_result verify(const char *service);

/// Lets PAM and its modules clean up. Harmless where verify did not get that far.
void end_verification(void);

#endif
