// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLineEdit;

namespace lockscope {

/// A prompt of ssh during login: password, passphrase or host key. Runs in a process of its own, started by
/// ssh.
class SshAskpass : public QDialog
{
    Q_OBJECT

public:
    enum class Kind {
        Answer, ///< text, visible only for a yes/no question
        Confirm,
        Message, ///< no answer, such as a request to touch a security key
    };

    SshAskpass(const QString &prompt, Kind kind, QWidget *parent = nullptr);

    QString answer() const;

private:
    QLineEdit *m_answer = nullptr; ///< only for Kind::Answer
};

/// Asks, prints the answer and returns the exit status for ssh. Ends with the ssh process that started it.
int runSshAskpass(const QString &prompt);

} // namespace lockscope
