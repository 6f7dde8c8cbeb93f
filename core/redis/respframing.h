// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/redis/reply.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QVarLengthArray>

#include <deque>

namespace lockscope {

/// Limits of replies. hiredis has none for sizes, and would wait for a terabyte. A reply beyond a limit is a
/// protocol error, found at its header, before memory is used.
struct RespLimits
{
    qint64 bulkBytes = 16 * 1024 * 1024;
    qint64 replyBytes = 64 * 1024 * 1024;
    qint64 replyElements = 500'000; // one of four bytes on the wire takes sixty-four here
    qint64 lineBytes = 64 * 1024;
    int depth = 7;
};

/// Walks over the framing of a stream without decoding it. Refuses what exceeds a limit or what hiredis would
/// wrongly accept (a bulk without terminator), and translates RESP3 to RESP2. Refuses streamed strings and
/// aggregates, which no server sends. Skips attributes, which are never requested.
class RespFraming
{
public:
    RespFraming(RespLimits limits, RespVersion version) : m_limits(limits), m_version(version) {}

    /// Takes the next bytes of the stream and appends the valid ones to `wire` as RESP2; reason() explains
    /// the rest.
    void pass(QByteArrayView bytes, QByteArray &wire);

    const Phrase &reason() const { return m_reason; }

    /// True if the next reply in `wire` is a push: called once for each complete one, in order.
    bool nextIsPush()
    {
        const qint64 number = m_asked++;
        if (m_pushes.empty() || m_pushes.front() != number)
            return false;
        m_pushes.pop_front();
        return true;
    }

private:
    qsizetype step(QByteArrayView bytes);
    qsizetype passBulk(QByteArrayView bytes);
    qsizetype passTag(QByteArrayView bytes);
    qsizetype passLine(QByteArrayView bytes);
    bool lineEnded();
    bool scalarEnded(char type, QByteArrayView value);
    bool bulkBegins(char type, qint64 length);
    bool aggregateBegins(char type, qint64 length);
    void elementEnded();
    bool isTranslated(char type) const;
    void replaceBy(QByteArrayView bytes);
    qsizetype refuse(const Phrase &reason);

    struct Open
    {
        qint64 left;
        bool isAttribute;
    };

    RespLimits m_limits;
    RespVersion m_version;
    Phrase m_reason;
    QVarLengthArray<char, 32> m_head; ///< start of a line; complete if it is translated
    qint64 m_lineBytes = 0;
    bool m_endsWithCr = false;
    qint64 m_bulkLeft = 0;   ///< including its terminator
    qsizetype m_tagLeft = 0; ///< rest of a verbatim string's "txt:"
    bool m_isBulkError = false;
    qint64 m_replyBytes = 0;
    qint64 m_replyElements = 0;
    QVarLengthArray<Open, 8> m_open;
    int m_attributes = 0;    ///< number of attributes among these
    bool m_replaces = false; ///< m_instead replaces the bytes of the step
    QByteArray m_instead;
    qint64 m_ended = 0;          ///< number of replies so far
    qint64 m_asked = 0;          ///< number of nextIsPush() calls
    std::deque<qint64> m_pushes; ///< numbers of pushes not asked for yet
};

} // namespace lockscope
