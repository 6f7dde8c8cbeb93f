// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"

namespace lockscope {

/// What a server is for, as its user says: how much has to be agreed to before an action is sent. Never guessed from an address,
/// since a tunnel makes every server a local one.
enum class Environment : quint8 { Unset, Development, Staging, Production };

inline constexpr std::array environments{Environment::Unset, Environment::Development, Environment::Staging,
                                         Environment::Production};

/// For settings and the command line, never translated.
inline constexpr EnumNames environmentName{Named<Environment>{Environment::Unset, ""},
                                           Named<Environment>{Environment::Development, "development"},
                                           Named<Environment>{Environment::Staging, "staging"},
                                           Named<Environment>{Environment::Production, "production"}};

} // namespace lockscope
