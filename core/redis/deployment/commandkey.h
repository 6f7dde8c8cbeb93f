// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace lockscope {

struct CommandTarget
{
    enum class Nodes : quint8 {
        Any, ///< no key: any node, or a given one
        OfKey,
        All, ///< every node counts its own
    };

    Nodes nodes = Nodes::Any;
    QByteArrayView key{}; ///< the first one: in a cluster all are in one slot
};

/// The target of an encoded command of ours. Pure.
CommandTarget targetOf(QByteArrayView command);

} // namespace lockscope
