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

struct LocksOfPage
{
    std::function<void(const std::function<void(const Lock &)> &take)> visit;
    /// Reads the contents of a lock; finishes on the window's thread. Empty without a server.
    std::function<QFuture<Result<LockContents>>(const Lock &lock)> read;
};

/// Edits a family file, checks it, tries it on known locks, and saves it for the next start.
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
    std::shared_ptr<const FamilyFile> m_file; ///< last checked version
    QString m_verdict;                        ///< result without locks
    QList<Lock> m_tried;                      ///< some of the m_named locks with its names
    qsizetype m_named = 0;
    QStringList m_findings; ///< one per tried lock
    qsizetype m_matched = 0;
    QTimer m_checking;
    QPlainTextEdit *m_text;
    QPlainTextEdit *m_report;
    QPushButton *m_save;
};

} // namespace lockscope
