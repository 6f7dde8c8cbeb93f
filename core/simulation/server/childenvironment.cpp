// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/server/childenvironment.h"

namespace lockscope {

QProcessEnvironment childEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("REDISCLI_AUTH")); // of a server that is not theirs
    return environment;
}

} // namespace lockscope
