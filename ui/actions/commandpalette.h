// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/actions/commandgroups.h"

#include <QDialog>

class QLineEdit;
class QListWidget;

namespace lockscope {

/// All commands in one list that a few letters narrow. What can't be done now is there, too, with the reason, and last.
class CommandPalette : public QDialog
{
    Q_OBJECT

public:
    CommandPalette(const QList<CommandGroup> &groups, QWidget *parent);

    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void list();
    void runCurrent();

    QList<CommandGroup> m_groups;
    QLineEdit *m_words;
    QListWidget *m_list;
};

} // namespace lockscope
