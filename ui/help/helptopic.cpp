// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/helptopic.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QRegularExpression>
#include <QToolButton>

namespace lockscope {

namespace {

bool isTopic(const QString &name)
{
    static const QStringList topics = [] {
        QFile file(helpPath());
        return file.open(QIODevice::ReadOnly) ? helpAnchors(QString::fromUtf8(file.readAll()))
                                              : QStringList();
    }();
    return topics.contains(name);
}

QString topicOfItem(const QAbstractItemView &view, std::optional<QPoint> pointer)
{
    if (!view.model())
        return {};
    const QPoint at = pointer ? view.viewport()->mapFromGlobal(*pointer) : QPoint();
    if (const auto *header = qobject_cast<const QHeaderView *>(&view))
        return header->model()
            ->headerData(header->logicalIndexAt(at), header->orientation(), Qt::WhatsThisRole)
            .toString();
    const QModelIndex index = pointer ? view.indexAt(at) : view.currentIndex().siblingAtColumn(0);
    return index.data(Qt::WhatsThisRole).toString();
}

QStringList topicsOf(const QWidget &widget, std::optional<QPoint> pointer)
{
    QStringList topics{widget.property("helpTopic").toString(),
                       helpTopicOfName(QString::fromLatin1(widget.metaObject()->className()))};
    if (const auto *view = qobject_cast<const QAbstractItemView *>(&widget))
        topics.prepend(topicOfItem(*view, pointer));
    else if (const auto *button = qobject_cast<const QToolButton *>(&widget);
             button && button->defaultAction())
        topics.prepend(helpTopicOfName(button->defaultAction()->objectName()));
    else if (const auto *dock = qobject_cast<const QDockWidget *>(&widget); dock && dock->widget())
        topics = topicsOf(*dock->widget(), pointer);
    return topics;
}

} // namespace

QString helpPath()
{
    return QStringLiteral(":/help/") +
           QCoreApplication::translate("Help", "help.md", "file of the help in this language");
}

QStringList helpAnchors(const QString &text)
{
    static const QRegularExpression anchor(QStringLiteral("<a id=\"([^\"]+)\">"));
    QStringList anchors;
    for (const auto &match : anchor.globalMatch(text))
        anchors.append(match.captured(1));
    return anchors;
}

QString helpTopicOfName(const QString &name)
{
    static const QRegularExpression rest(QStringLiteral("^.*::|^show|(Dialog|Panel|Page|Bar|View)$"));
    static const QRegularExpression capital(QStringLiteral("(?<!^)([A-Z])"));
    return QString(name).remove(rest).replace(capital, QStringLiteral("-\\1")).toLower();
}

QString helpTopic(const QWidget *widget, std::optional<QPoint> pointer)
{
    for (; widget; widget = widget->parentWidget()) {
        for (const QString &topic : topicsOf(*widget, pointer)) {
            if (isTopic(topic))
                return topic;
        }
    }
    return {};
}

} // namespace lockscope
