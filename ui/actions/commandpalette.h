// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/actions/commandgroups.h"

#include <QDialog>

class QLineEdit;
class QListWidget;

namespace lockscope {

/// A searchable list of all commands. Disabled ones come last, with the reason.
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
