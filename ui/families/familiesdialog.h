// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/families/familyeditor.h"

#include <optional>

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockscope {

/// All families: what is known of each, how many locks it has here, and whether these are looked for under its usual names. A user's own
/// begin here, tried on a file or drafted from a lock. Files that were left out at the start are listed with their faults.
class FamiliesDialog : public QDialog
{
    Q_OBJECT

public:
    /// `chosen`: the lock that a new family may be of. `undiscovered`: absent where nothing is looked for, as in a recording.
    FamiliesDialog(LocksOfPage locks, std::optional<Lock> chosen, std::optional<FamilySet> undiscovered,
                   QWidget *parent);

signals:
    void undiscoveredChosen(const lockscope::FamilySet &families);

private:
    void addFamilies(const FamilySet &undiscovered);
    void addRefused();
    void countLocks();
    void filter(const QString &words);
    void showDetails();
    void takeChecks();
    void tryFile();
    void draft();
    void say(const QString &problem);

    const LocksOfPage m_known;
    const std::optional<Lock> m_chosen;
    const bool m_canSwitch;
    QTimer m_counting;
    QLineEdit *m_filter;
    QTreeWidget *m_list;
    QLabel *m_none;
    QPlainTextEdit *m_details;
    QLabel *m_problem;
    QPushButton *m_draft;
};

} // namespace lockscope
