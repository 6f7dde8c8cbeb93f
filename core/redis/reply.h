// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <vector>

namespace lockscope {

/// The protocol version: RESP2, unless RESP3 was requested with HELLO 3.
enum class RespVersion : quint8 { Resp2, Resp3 };

/// A decoded reply. A value; arrays own their elements. RESP3 types appear as in RESP2: a map is an array of
/// its keys and values in turn, a set an array, a boolean 1 or 0, other scalars text.
struct Reply
{
    enum class Type {
        Nil,
        Integer,
        Text,
        Status,
        Error,
        Array,
        Push, ///< RESP3: an array that answers no command
    };

    Type type = Type::Nil;
    qint64 integer = 0;
    QByteArray text;
    std::vector<Reply> elements;

    bool isNil() const { return type == Type::Nil; }
    bool isInteger() const { return type == Type::Integer; }
    bool isText() const { return type == Type::Text; }
    bool isStatus() const { return type == Type::Status; }
    bool isError() const { return type == Type::Error; }
    bool isArray() const { return type == Type::Array; }
    bool isPush() const { return type == Type::Push; }
};

/// The value of a name in [name, value, name, value, …], or in a map of RESP3; nullptr if missing.
inline const Reply *valueOf(const Reply &map, QByteArrayView name)
{
    for (size_t i = 0; i + 1 < map.elements.size(); i += 2) {
        if (map.elements[i].text == name)
            return &map.elements[i + 1];
    }
    return nullptr;
}

} // namespace lockscope
