// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace lockscope {

/// Which nodes of a cluster a command is for.
struct CommandTarget
{
    enum class Nodes : quint8 {
        Any,   ///< it names no key: whichever is asked, or the one that is meant
        OfKey, ///< the one that keeps the key
        All,   ///< each counts its own
    };

    Nodes nodes = Nodes::Any;
    QByteArrayView key{}; ///< the first that it names: in a cluster all are in one slot
};

/// Of an encoded command of ours. Pure.
CommandTarget targetOf(QByteArrayView command);

} // namespace lockscope
