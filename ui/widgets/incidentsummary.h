// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>
#include <QStringList>

#include <utility>

class QMimeData;

namespace lockscope {

/// A summary of one lock, or of the waits in a period, for a ticket or chat, with the window's texts: a server's bytes are escaped.
struct IncidentSummary
{
    QString key; ///< empty: of a period
    QString server;
    QDateTime writtenAt;
    QString state; ///< of the lock
    QStringList statements;
    QList<std::pair<QString, QString>> facts;
    QString eventsTitle;
    QStringList events;
};

QString plainText(const IncidentSummary &summary);
/// Puts text of a server or user in code spans, where markup has no effect.
QString markdown(const IncidentSummary &summary);
QMimeData *mimeDataOf(const IncidentSummary &summary);

} // namespace lockscope
