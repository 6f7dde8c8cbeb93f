// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>
#include <QStringList>

#include <utility>

class QMimeData;

namespace lockscope {

/// A summary of one lock for a ticket or chat, with the inspector's texts: a server's bytes are escaped.
struct IncidentSummary
{
    QString key;
    QString server;
    QDateTime writtenAt;
    QString state;
    QStringList statements;
    QList<std::pair<QString, QString>> facts;
    QStringList events; ///< newest first
};

QString plainText(const IncidentSummary &summary);
/// Puts text of a server or user in code spans, where markup has no effect.
QString markdown(const IncidentSummary &summary);
QMimeData *mimeDataOf(const IncidentSummary &summary);

} // namespace lockscope
