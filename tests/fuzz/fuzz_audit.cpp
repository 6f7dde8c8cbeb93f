// SPDX-License-Identifier: GPL-3.0-or-later
// An audit file with the input behind two good records: it is verified without harm, what was changed is found, and what is
// appended is either refused or follows.
#include "core/journal/auditlog.h"
#include "tests/fuzz/target.h"

#include <QFile>
#include <QTemporaryDir>

using namespace lockscope;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const QTemporaryDir directory(
        QStringLiteral("/dev/shm/fuzz-XXXXXX")); // in memory: each run flushes
    static const QString good = directory.filePath(QStringLiteral("good.jsonl"));
    static const QByteArray head = [] {
        AuditLog log(good);
        const Result<QByteArray> id = log.begin({{QStringLiteral("action"), QStringLiteral("acquire")}});
        insist(id && log.complete(*id, {{QStringLiteral("outcome"), QStringLiteral("acquired")}}));
        QFile file(good);
        insist(file.open(QIODevice::ReadOnly));
        return file.readAll();
    }();
    const QString path = directory.filePath(QStringLiteral("audit.jsonl"));
    const QByteArrayView input = bytesOf(data, size);
    // Its first byte says whether the good records stand before it.
    const bool isAfterGood = size > 0 && (data[0] & 1) == 0;
    const QByteArrayView tail = size > 0 ? input.sliced(1) : input;
    {
        QFile file(path);
        insist(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        if (isAfterGood)
            file.write(head);
        file.write(tail.data(), tail.size());
    }
    const Result<AuditLog::Verdict> before = AuditLog::verify(path);
    insist(before.has_value());
    if (isAfterGood && !tail.isEmpty()) // nobody guesses the digest of the line before
        insist(before->brokenAtLine == 3);
    AuditLog log(path);
    if (log.begin({})) {
        const Result<AuditLog::Verdict> after = AuditLog::verify(path);
        insist(after.has_value() && after->records > 0);
        // A last record that lacks nothing but its line's end is whole again.
        const bool isCutOff = !tail.isEmpty() && !tail.endsWith('\n');
        insist(after->brokenAtLine.has_value() || !before->brokenAtLine || isCutOff);
    }
    return 0;
}
