// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"
#include "ui/widgets/palette.h"

#include <QDialog>

#include <functional>
#include <optional>

class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lockscope {

class ConsentField;

/// How well an action ended: Good only where it did all of what was asked, on all servers.
StatusColor toneOf(const ActionResult &result);

/// What all action dialogs share: fields with a message beneath each, one button that acts, one that closes, and the result in
/// words in the dialog itself. Asks once: from then on it can only be closed, which does not take back what was asked.
class ActionDialog : public QDialog
{
    Q_OBJECT

public:
    /// Sends a request; its future may finish on any thread.
    using Run = std::function<QFuture<Result<ActionResult>>(const ActionRequest &)>;

    ActionDialog(const QString &title, const QString &verb, Run run, QString serverName, QWidget *parent);

    /// What more the user has to agree to; this becomes its parent. Absent: the button is enough.
    void askFor(ConsentField *consent);

    /// The request is sent, and its answer has not come.
    bool isUnderWay() const { return m_asked && !m_answered; }

signals:
    /// The answer has come to a dialog that was closed: nobody has read it.
    void answeredUnseen(lockscope::StatusColor statusColor, const QString &text);
    /// The user agreed, and wants no question before this action any more.
    void questionUnwanted();

protected:
    /// The request as entered; nullopt where a field makes no sense, which its message says.
    virtual std::optional<ActionRequest> request() = 0;

    QVBoxLayout &body() { return *m_body; }
    QPushButton &actButton() { return *m_act; }
    /// Whether what is entered may be asked for. Nothing is asked for twice.
    void allow(bool isPossible);
    QPushButton &closeButton() { return *m_close; }
    /// Adds a labelled field and returns the hidden message beneath it.
    QLabel *addField(QFormLayout &form, const QString &label, QWidget *field);
    /// Shows `text` beneath a field (nothing where empty) and returns whether it was empty.
    static bool setFieldError(QLabel *message, const QString &text);
    /// A banner above the buttons.
    void showMessage(StatusColor statusColor, const QString &text);
    void clearMessage();
    bool isAsked() const { return m_asked.has_value(); }
    void fitHeight();

    void showEvent(QShowEvent *event) override;

    QString keyProblem(const QByteArray &key) const;
    QString ownerProblem(const QByteArray &owner) const;
    QString leaseProblem(const QString &text) const;

private:
    void submit();
    void freeze();
    void take(const Result<ActionResult> &result);

    Run m_run;
    QString m_serverName;
    std::optional<LockKey> m_asked; ///< for an action on it
    bool m_answered = false;
    bool m_isPossible = true;
    ConsentField *m_consent = nullptr;
    QVBoxLayout *m_body;
    QLabel *m_banner;
    QPushButton *m_act;
    QPushButton *m_close;
};

} // namespace lockscope
