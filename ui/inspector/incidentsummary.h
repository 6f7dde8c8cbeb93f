// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>
#include <QStringList>

#include <utility>

class QMimeData;

namespace lockscope {

/// What is known of one lock, for a ticket or a chat. Texts are as the inspector shows them: a server's bytes in them are
/// escaped.
struct IncidentSummary
{
    QString key;
    QString server;
    QDateTime writtenAt;
    QString state;
    QStringList statements; ///< what is said of the lock as a whole
    QList<std::pair<QString, QString>> facts;
    QStringList events; ///< newest first
};

QString plainText(const IncidentSummary &summary);
/// Everything that a server or a user may have written stands in code spans, where it means nothing.
QString markdown(const IncidentSummary &summary);
/// Both, for the clipboard: whoever pastes takes what it understands.
QMimeData *mimeDataOf(const IncidentSummary &summary);

} // namespace lockscope
