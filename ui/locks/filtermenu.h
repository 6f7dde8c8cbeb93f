// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class QMenu;
class QWidget;

namespace lockscope {

/// The menu of the filters that are kept: those applied last, and those that the user saved under a name.
class FilterMenu : public QObject
{
    Q_OBJECT

public:
    explicit FilterMenu(QWidget *parent);

    /// Below the widget. `text` is the present filter, which can be saved where it makes sense.
    void open(QWidget *below, const QString &text, bool isWhole);

signals:
    void chosen(const QString &text);

private:
    void addSaved(QMenu &menu);
    void askName(const QString &title, const QString &name, const std::function<void(const QString &)> &then);

    QWidget *m_parent;
};

} // namespace lockscope
