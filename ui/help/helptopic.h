// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QStringList>

#include <optional>

class QWidget;

namespace lockscope {

/// Returns the path of the help in the user's language: Markdown with anchors before its headings.
QString helpPath();

/// Returns the anchors in a text of the help.
QStringList helpAnchors(const QString &text);

/// Returns the anchor for a class or command: "force-expire" for "lockscope::ForceExpireDialog" and "forceExpire".
QString helpTopicOfName(const QString &name);

/// Returns the help's anchor for the item, the widget or the nearest parent that has one; empty: none. In this
/// order: Qt::WhatsThisRole of an item, the property "helpTopic", the command of a button, the name of its class.
/// `pointer`: global position of the mouse; absent: the current item.
QString helpTopic(const QWidget *widget, std::optional<QPoint> pointer = {});

} // namespace lockscope
