// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/get.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/cli/table.h"
#include "app/words.h"
#include "core/lock/besides.h"
#include "core/lock/inspector.h"
#include "core/redis/whendone.h"
#include "core/text/words.h"

#include <QDateTime>

namespace lockscope {

namespace {

QString humanText(const Lock &lock)
{
    QString text;
    const auto line = [&](const QString &name, const QString &value) {
        text += padded(name, 10) + value + u'\n';
    };
    line(Words::tr("Key"), printable(lock.key().bytes));
    line(Words::tr("Family"), QString::fromLatin1(familyName(lock.family)));
    for (const Holder &holder : lock.holders) {
        const QString count = holder.holds ? QString::number(*holder.holds) : printable(holder.countText, 40);
        line(Words::tr("Owner"), Words::tr("%1, holds %2").arg(printable(holder.owner.bytes), count));
    }
    const auto ttl = ttlAt(lock, Clock::now());
    line(Words::tr("TTL"), ttl ? describe(*ttl) : Words::tr("none", "no TTL"));
    for (const Problem problem : problemList(lock.problems))
        line(Words::tr("Problem"), describe(problem));
    return text;
}

} // namespace

void Get::run()
{
    whenDone(listener(), inspector::inspect(connection(), options().key),
             [this](const Result<Inspection> &inspection) {
                 if (inspection && inspection->lock)
                     return lookBeside(*inspection->lock);
                 if (inspection) {
                     console::complain(Words::tr("no lock at %1").arg(printable(options().key.bytes)));
                     return finish(ExitStatus::StateSaidNo);
                 }
                 // A lost connection tells its own cause; that a mere look "may have been carried out" is no news.
                 if (inspection.error().kind != ErrorKind::OutcomeUnknown)
                     fail(inspection.error());
             });
}

void Get::lookBeside(const Lock &lock)
{
    whenDone(listener(), besides::look(connection(), {lock}), [this](const Result<QList<Lock>> &locks) {
        if (locks)
            print(locks->constFirst());
        else if (locks.error().kind != ErrorKind::OutcomeUnknown)
            fail(locks.error());
    });
}

void Get::print(const Lock &lock)
{
    if (options().json)
        console::out(jsonLine(toJson(lock, Clock::now(), QDateTime::currentMSecsSinceEpoch())));
    else
        console::out(humanText(lock));
    finish(ExitStatus::Done);
}

} // namespace lockscope
