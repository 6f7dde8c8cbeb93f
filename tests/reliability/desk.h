// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"
#include "tests/reliability/await.h"

#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>

namespace lockscope {

/// The product's own way of acting on a lock: a connection, an audit log, the operations.
class Desk
{
public:
    Desk(const ServerAddress &address, const QString &auditPath, Connection::Options options = {})
        : audit(auditPath), connection(address, options), operations(connection, audit)
    {
        connection.open();
    }

    bool isReady(std::chrono::milliseconds patience = std::chrono::seconds(10))
    {
        if (connection.state() != Connection::State::Ready) {
            QEventLoop loop;
            QObject::connect(&connection, &Connection::ready, &loop, &QEventLoop::quit);
            QTimer::singleShot(patience, &loop, &QEventLoop::quit);
            loop.exec();
        }
        return connection.state() == Connection::State::Ready;
    }

    Result<ActionResult> run(const ActionRequest &request) { return await(operations.run(request)); }

    AuditLog audit;
    Connection connection;
    LockOperations operations;
};

/// The last lines of an audit file, as objects.
inline QList<QJsonObject> lastRecords(const QString &path, qsizetype count)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    file.seek(std::max<qint64>(0, file.size() - 32 * 1024));
    QByteArrayList lines = file.readAll().trimmed().split('\n');
    QList<QJsonObject> records;
    for (const QByteArray &line : lines.mid(std::max<qsizetype>(0, lines.size() - count)))
        records.append(QJsonDocument::fromJson(line).object());
    return records;
}

} // namespace lockscope
