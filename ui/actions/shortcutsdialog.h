// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/actions/commandgroups.h"
#include "ui/actions/shortcuts.h"

#include <QDialog>

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace lockscope {

class ShortcutsDialog : public QDialog
{
    Q_OBJECT

public:
    /// `shortcuts` must outlive this.
    ShortcutsDialog(const QList<CommandGroup> &groups, Shortcuts &shortcuts, QWidget *parent);

private:
    void list();
    void narrow();
    void showCurrent();
    void consider();
    void assign();
    const QAction *current() const;

    QList<CommandGroup> m_groups;
    Shortcuts &m_shortcuts;
    QLineEdit *m_words;
    QTreeWidget *m_tree;
    QKeySequenceEdit *m_keys;
    QPushButton *m_assign;
    QPushButton *m_reset;
    QLabel *m_message;
};

} // namespace lockscope
