// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/registry.h"

namespace lockscope {

/// A family by name: "redisson-fair"_family.
inline Family operator""_family(const char *name, size_t size)
{
    const std::optional<Family> family = familyFromName(QByteArrayView(name, static_cast<qsizetype>(size)));
    if (!family)
        qFatal("there is no family %s", name);
    return *family;
}

} // namespace lockscope
