// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLineEdit;

namespace lockscope {

/// What ssh asks for while it logs in: a password, a passphrase, whether a host's key is right. A dialog of a process of its
/// own, which ssh starts.
class SshAskpass : public QDialog
{
    Q_OBJECT

public:
    enum class Kind {
        Answer,  ///< a text, hidden unless it is the answer to a yes/no question
        Confirm, ///< yes or no
        Message, ///< nothing to answer: a key waits to be touched
    };

    SshAskpass(const QString &prompt, Kind kind, QWidget *parent = nullptr);

    QString answer() const;

private:
    QLineEdit *m_answer = nullptr; ///< of Kind::Answer
};

/// Asks, prints the answer, and returns the exit status that ssh expects. Ends with the ssh that started it.
int runSshAskpass(const QString &prompt);

} // namespace lockscope
