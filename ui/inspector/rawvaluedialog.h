// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/keycontents.h"

#include <QDialog>

#include <functional>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;
class QTreeWidget;

namespace lockscope {

/// Shows what Redis stores for a lock: key, companion keys, channels, and the chosen value as text, JSON or
/// hex. Reads only on the user's request, since values hold owners and tokens.
class RawValueDialog : public QDialog
{
    Q_OBJECT

public:
    using Reader = std::function<QFuture<Result<LockContents>>(const Lock &lock)>;

    RawValueDialog(const Lock &lock, QString serverName, Reader reader, QWidget *parent);

private:
    void read();
    void take(const Result<LockContents> &contents);
    void fillList();
    void showChosen();
    void copyName();
    void copyValue();
    QPlainTextEdit *addTab(const QString &name, const QString &title);

    const Lock m_lock;
    const QString m_serverName;
    const Reader m_reader;
    LockContents m_contents;
    QLabel *m_state;
    QTreeWidget *m_list;
    QTabWidget *m_tabs;
    QPlainTextEdit *m_text;
    QPlainTextEdit *m_json;
    QPlainTextEdit *m_hex;
    QLabel *m_notice;
    QPushButton *m_copyName;
    QPushButton *m_copyValue;
    QPushButton *m_again;
};

} // namespace lockscope
