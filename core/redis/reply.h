// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <vector>

namespace lockscope {

/// One decoded RESP2 reply. A value; arrays own their elements.
struct Reply
{
    enum class Type { Nil, Integer, Text, Status, Error, Array };

    Type type = Type::Nil;
    qint64 integer = 0;          ///< Type::Integer
    QByteArray text;             ///< Text, Status and Error
    std::vector<Reply> elements; ///< Array

    bool isNil() const { return type == Type::Nil; }
    bool isInteger() const { return type == Type::Integer; }
    bool isText() const { return type == Type::Text; }
    bool isStatus() const { return type == Type::Status; }
    bool isError() const { return type == Type::Error; }
    bool isArray() const { return type == Type::Array; }
};

} // namespace lockscope
