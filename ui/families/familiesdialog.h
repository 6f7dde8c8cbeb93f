// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/families/familyeditor.h"

#include <optional>

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockscope {

/// All families: properties, number of locks on this server, and whether their usual names are scanned for.
/// User families are created here from a file or a lock. Lists files rejected at startup with their errors.
class FamiliesDialog : public QDialog
{
    Q_OBJECT

public:
    /// `chosen`: lock for a new family. `undiscovered`: absent if nothing is scanned, as in a recording.
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
