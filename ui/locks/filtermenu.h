// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class QMenu;
class QWidget;

namespace lockscope {

/// The menu of recent filters and of those that the user saved under a name.
class FilterMenu : public QObject
{
    Q_OBJECT

public:
    explicit FilterMenu(QWidget *parent);

    /// Opens the menu below a widget. `text`, the current filter, can be saved if `isWhole`.
    void open(QWidget *below, const QString &text, bool isWhole);

signals:
    void chosen(const QString &text);

private:
    void addSaved(QMenu &menu);
    void askName(const QString &title, const QString &name, const std::function<void(const QString &)> &then);

    QWidget *m_parent;
};

} // namespace lockscope
