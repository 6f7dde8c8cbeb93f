// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/keycontents.h"

#include <QDialog>
#include <QTimer>

#include <functional>
#include <memory>

class QPlainTextEdit;
class QPushButton;

namespace lockscope {

class FamilyFile;

/// The locks of a page, as dialogs of families ask for them.
struct LocksOfPage
{
    /// Calls `take` with each, those that are hidden included.
    std::function<void(const std::function<void(const Lock &)> &take)> visit;
    /// Reads what is stored of one; finishes on the window's thread. Empty where there is no server to ask.
    std::function<QFuture<Result<LockContents>>(const Lock &lock)> read;
};

/// The text of a family's file, checked and tried on known locks while it is edited, and saved where the program reads it at its next
/// start.
class FamilyEditor : public QDialog
{
    Q_OBJECT

public:
    FamilyEditor(const QByteArray &text, LocksOfPage locks, QWidget *parent);

private:
    void check();
    void findNamed();
    void tryNext();
    void report();
    void save();
    void write(const QString &path);

    const LocksOfPage m_known;
    std::shared_ptr<const FamilyFile> m_file; ///< as it was checked
    QString m_verdict;                        ///< on the file alone
    QList<Lock> m_tried;                      ///< locks under its names, of m_named
    qsizetype m_named = 0;
    QStringList m_findings; ///< of each that was tried
    qsizetype m_matched = 0;
    QTimer m_checking;
    QPlainTextEdit *m_text;
    QPlainTextEdit *m_report;
    QPushButton *m_save;
};

} // namespace lockscope
