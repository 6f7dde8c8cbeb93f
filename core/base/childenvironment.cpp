// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/childenvironment.h"

namespace lockscope {

QProcessEnvironment childEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *secret :
         {"REDISCLI_AUTH", "LOCKSCOPE_SENTINEL_AUTH", "LOCKSCOPE_KEY_PASSPHRASE", "LOCKSCOPE_PROXY_AUTH"})
        environment.remove(QLatin1String(secret)); // of a server that is not theirs
    return environment;
}

} // namespace lockscope
