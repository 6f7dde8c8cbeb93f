// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/environment.h"

namespace lockscope {

QByteArray environmentName(Environment environment)
{
    switch (environment) {
    case Environment::Development:
        return "development";
    case Environment::Staging:
        return "staging";
    case Environment::Production:
        return "production";
    case Environment::Unset:
        break;
    }
    return {};
}

std::optional<Environment> environmentFromName(QByteArrayView name)
{
    for (const Environment environment : environments) {
        if (environmentName(environment) == name)
            return environment;
    }
    return std::nullopt;
}

} // namespace lockscope
