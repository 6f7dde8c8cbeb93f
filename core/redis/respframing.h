// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/redis/reply.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QVarLengthArray>

#include <deque>

namespace lockscope {

/// Limits on what a server may send. hiredis has none of its own for sizes: a header that announces a
/// terabyte would be waited for. A reply that breaks a limit is a protocol error, found at its header, before
/// memory is spent.
struct RespLimits
{
    qint64 bulkBytes = 16 * 1024 * 1024;
    qint64 replyBytes = 64 * 1024 * 1024;
    qint64 replyElements = 500'000; // one of four bytes on the wire takes sixty-four here
    qint64 lineBytes = 64 * 1024;
    int depth = 7;
};

/// Walks over the framing of a stream without decoding it. Refuses what breaks a limit or what hiredis would let pass (a bulk
/// without its terminator), and writes RESP3 down as RESP2, so that hiredis sees neither. Streamed strings and aggregates,
/// which no server sends, are refused. Attributes are left out: nothing here asks for them.
class RespFraming
{
public:
    RespFraming(RespLimits limits, RespVersion version) : m_limits(limits), m_version(version) {}

    /// Takes the next bytes of the stream and appends to `wire`, as RESP2, those that can be accepted; reason() says what is
    /// wrong with the rest.
    void pass(QByteArrayView bytes, QByteArray &wire);

    /// Empty while nothing is wrong.
    const Phrase &reason() const { return m_reason; }

    /// Whether the next reply in `wire` is a push: asked once for each, in their order, when it is complete.
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

    /// An array or the like whose elements are not all there.
    struct Open
    {
        qint64 left;
        bool isAttribute;
    };

    RespLimits m_limits;
    RespVersion m_version;
    Phrase m_reason;
    QVarLengthArray<char, 32> m_head; ///< of a line; the whole of one that is translated
    qint64 m_lineBytes = 0;
    bool m_endsWithCr = false; ///< the part of a line that has come so far
    qint64 m_bulkLeft = 0;     ///< with its terminator
    qsizetype m_tagLeft = 0;   ///< of a verbatim string: "txt:"
    bool m_isBulkError = false;
    qint64 m_replyBytes = 0;
    qint64 m_replyElements = 0;
    QVarLengthArray<Open, 8> m_open;
    int m_attributes = 0;        ///< among those
    bool m_replaces = false;     ///< m_instead goes out in the place of what the step has read
    QByteArray m_instead;        ///< of a step
    qint64 m_ended = 0;          ///< replies so far
    qint64 m_asked = 0;          ///< by nextIsPush()
    std::deque<qint64> m_pushes; ///< the numbers of those not asked for yet
};

} // namespace lockscope
