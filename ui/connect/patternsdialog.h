// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QPlainTextEdit;

namespace lockscope {

class PatternsDialog : public QDialog
{
    Q_OBJECT

public:
    PatternsDialog(const QList<QByteArray> &patterns, bool areKept, QWidget *parent);

    static QString keptText();
    QList<QByteArray> patterns() const;

signals:
    void chosen(const QList<QByteArray> &patterns);

private:
    void submit();

    QPlainTextEdit *m_text;
    QLabel *m_message;
};

} // namespace lockscope
