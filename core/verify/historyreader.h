// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/verify/operations.h"

#include <QHash>
#include <QJsonObject>

class QIODevice;

namespace lockscope {

/// Reads a history of JSON lines, as packaging/docs/verify.md and packaging/schemas/history.schema.json describe it.
class HistoryReader
{
public:
    static constexpr qint64 maxLine = 1 << 20; // bytes
    static constexpr qint64 maxEvents = 100'000'000;

    /// ErrorKind::InvalidArgument with the line's number and what to do, for the first line that is wrong.
    static Result<OperationHistory> read(QIODevice &stream);

private:
    struct OpenOperation
    {
        size_t lock = 0;
        size_t number = 0;
        bool isOpen = false;
        qint64 lastAt = -LockOperation::noEnd;
        qint64 setBack = 0; ///< ns; the most that its times went back
        qint32 setBackLine = 0;

        void noteTime(qint64 at, qint32 line);
    };

    Result<void> take(const QByteArray &line);
    Result<void> takeModel(const QJsonObject &object);
    Result<void> takeGap(const QJsonObject &object);
    Result<void> invoke(const QJsonObject &object);
    Result<void> end(const QJsonObject &object, LockOperation::Outcome outcome);
    Result<void> takeDetails(const QJsonObject &object, VerifiedLock &lock, LockOperation &operation);
    Result<std::optional<QByteArray>> nameIn(const QJsonObject &object, const char *field) const;
    Result<std::optional<qint64>> time(const QJsonObject &object, const char *name, qint64 least,
                                       qint64 most) const;
    Result<qint64> moment(const QJsonObject &object, const char *name) const;
    template <typename... Arguments>
    tl::unexpected<Error> refuse(const char *phrase, const Arguments &...arguments) const;
    size_t lockOf(const QByteArray &key);
    int numberOf(const QByteArray &name);
    OperationHistory finished();

    OperationHistory m_history;
    QHash<QByteArray, int> m_names;
    QHash<QByteArray, size_t> m_locks;
    std::vector<OpenOperation> m_open; ///< by process
    VerifiedLock m_ofAll;              ///< stated for all locks
    int m_line = 0;
};

} // namespace lockscope
