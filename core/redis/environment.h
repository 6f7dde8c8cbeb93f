// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"

namespace lockscope {

/// The purpose of a server, set by its user, which decides on confirmations before actions. Never guessed
/// from an address, since a tunnel makes every server look local.
enum class Environment : quint8 { Unset, Development, Staging, Production };

inline constexpr std::array environments{Environment::Unset, Environment::Development, Environment::Staging,
                                         Environment::Production};

/// Names for settings and the command line, never translated.
inline constexpr EnumNames environmentName{Named<Environment>{Environment::Unset, ""},
                                           Named<Environment>{Environment::Development, "development"},
                                           Named<Environment>{Environment::Staging, "staging"},
                                           Named<Environment>{Environment::Production, "production"}};

} // namespace lockscope
