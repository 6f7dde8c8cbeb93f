// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/sshaskpass.h"

#include "core/base/printable.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/propertygrid.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

#include <cstdio>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

namespace lockscope {

namespace {

constexpr int longestPrompt = 2000;
constexpr int questionWidth = 460;
constexpr int lookMs = 500;

/// Escapes each line; line ends stay.
QString shownPrompt(const QString &prompt)
{
    QStringList lines;
    for (const QString &line : prompt.trimmed().split(u'\n'))
        lines.append(printable(line.toUtf8(), longestPrompt));
    return lines.join(u'\n');
}

} // namespace

SshAskpass::SshAskpass(const QString &prompt, Kind kind, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("SSH login - Lockscope"));
    auto *question = plainLabel(this, shownPrompt(prompt.left(longestPrompt)));
    question->setMinimumWidth(questionWidth);
    if (kind == Kind::Answer) {
        m_answer = new QLineEdit(this);
        m_answer->setAccessibleName(tr("Answer"));
        const bool isQuestion = prompt.contains(QLatin1String("(yes/no"));
        m_answer->setEchoMode(isQuestion ? QLineEdit::Normal : QLineEdit::Password);
    }
    using Buttons = QDialogButtonBox;
    auto *buttons = buttonsOf(this, kind == Kind::Answer    ? Buttons::Ok | Buttons::Cancel
                                    : kind == Kind::Confirm ? Buttons::Yes | Buttons::No
                                                            : Buttons::StandardButtons(Buttons::Close));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    setLayout(columnOf({question, m_answer, buttons}));
}

QString SshAskpass::answer() const
{
    return m_answer ? m_answer->text() : QString();
}

int runSshAskpass(const QString &prompt)
{
    const QByteArray hint = qgetenv("SSH_ASKPASS_PROMPT");
    SshAskpass dialog(prompt, hint == "confirm" ? SshAskpass::Kind::Confirm
                              : hint == "none"  ? SshAskpass::Kind::Message
                                                : SshAskpass::Kind::Answer);
#ifdef Q_OS_UNIX
    const auto parent = ::getppid();
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &dialog, [&] {
        if (::getppid() != parent) // ssh has ended: nobody reads the answer
            dialog.reject();
    });
    look.start(lookMs);
#endif
    if (dialog.exec() != QDialog::Accepted)
        return 1;
    const QByteArray answer = dialog.answer().toUtf8() + '\n';
    const auto size = static_cast<size_t>(answer.size());
    return std::fwrite(answer.constData(), 1, size, stdout) == size && std::fflush(stdout) == 0 ? 0 : 1;
}

} // namespace lockscope
