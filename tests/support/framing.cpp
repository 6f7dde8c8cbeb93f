// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/framing.h"

#include <charconv>

namespace lockscope {

namespace {

constexpr qsizetype longestHead = 64 * 1024;

struct Head
{
    char type = 0;
    qsizetype length = 0; // of the number behind the type, where there is one
    qsizetype size = 0;   // with its line end
};

/// nullopt: more bytes are needed. A type of 0: this is none.
std::optional<Head> headOf(QByteArrayView bytes)
{
    if (bytes.isEmpty())
        return std::nullopt;
    if (!QByteArrayView("+-:$*").contains(bytes[0]))
        return Head{};
    const qsizetype end = bytes.indexOf("\r\n");
    if (end < 0)
        return bytes.size() > longestHead ? std::optional(Head{}) : std::nullopt;
    Head head{bytes[0], 0, end + 2};
    if (head.type == '$' || head.type == '*') {
        const auto [stop, failure] = std::from_chars(bytes.data() + 1, bytes.data() + end, head.length);
        if (failure != std::errc() || stop != bytes.data() + end)
            return Head{};
    }
    return head;
}

} // namespace

std::optional<qsizetype> frameLength(QByteArrayView bytes)
{
    qsizetype at = 0;
    for (qsizetype left = 1; left > 0; --left) {
        const std::optional<Head> head = headOf(bytes.sliced(at));
        if (!head)
            return std::nullopt;
        if (head->type == 0)
            return 0;
        at += head->size;
        if (head->type == '*' && head->length > 0)
            left += head->length;
        else if (head->type == '$' && head->length >= 0)
            at += head->length + 2;
        if (at > bytes.size())
            return std::nullopt;
    }
    return at;
}

QByteArray firstWord(QByteArrayView command)
{
    const std::optional<Head> array = headOf(command);
    if (!array || array->type != '*')
        return {};
    const QByteArrayView rest = command.sliced(array->size);
    const std::optional<Head> word = headOf(rest);
    if (!word || word->type != '$' || word->length < 0 || rest.size() < word->size + word->length)
        return {};
    return rest.sliced(word->size, word->length).toByteArray().toUpper();
}

QByteArrayList wordsOf(QByteArrayView command)
{
    const std::optional<Head> array = headOf(command);
    if (!array || array->type != '*')
        return {};
    QByteArrayList words;
    qsizetype at = array->size;
    for (qsizetype left = array->length; left > 0; --left) {
        const std::optional<Head> word = headOf(command.sliced(at));
        if (!word || word->type != '$' || word->length < 0 ||
            command.size() < at + word->size + word->length + 2)
            return {};
        words << command.sliced(at + word->size, word->length).toByteArray();
        at += word->size + word->length + 2;
    }
    return words;
}

bool isPushed(QByteArrayView reply)
{
    return reply.startsWith("*3\r\n$7\r\nmessage\r\n") || reply.startsWith("*4\r\n$8\r\npmessage\r\n");
}

} // namespace lockscope
