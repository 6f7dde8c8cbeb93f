// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"
#include "ui/widgets/palette.h"

#include <QDialog>

#include <functional>
#include <optional>

class QFormLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lockscope {

class ConsentField;

/// How well an action ended: Good only where it did all of what was asked, on all servers.
StatusColor toneOf(const ActionResult &result);

/// A dialog that acts once the user agrees: one button that acts, one that closes, and above them what came of it, in words. Closing
/// it takes nothing back that was sent.
class ConsentDialog : public QDialog
{
    Q_OBJECT

public:
    /// Sends a request; its future may finish on any thread.
    using Run = std::function<QFuture<Result<ActionResult>>(const ActionRequest &)>;

    /// What more the user has to agree to; this becomes its parent. Absent: the button is enough.
    void askFor(ConsentField *consent);

    /// Something is sent, and not all answers have come.
    virtual bool isUnderWay() const = 0;

signals:
    /// The last answer has come to a dialog that was closed: nobody has read it.
    void answeredUnseen(lockscope::StatusColor statusColor, const QString &text);
    /// The user agreed, and wants no question before this action any more.
    void questionUnwanted();

protected:
    ConsentDialog(const QString &title, const QString &verb, Run run, QString serverName, QWidget *parent);

    /// By the button that acts.
    virtual void submit() = 0;
    /// By the one that closes.
    virtual void leave() { reject(); }
    /// Whether it can act now, with what is entered and agreed to.
    virtual void showPossible() = 0;
    virtual void fitHeight() {}

    QVBoxLayout &body() { return *m_body; }
    QPushButton &actButton() { return *m_act; }
    QPushButton &closeButton() { return *m_close; }
    bool isAgreed() const;
    Consent consent() const;
    /// What the user has agreed to is agreed.
    void freezeConsent();
    /// A banner above the buttons.
    void showMessage(StatusColor statusColor, const QString &text);
    void clearMessage();
    /// Nothing is left but to close it. `subject`: of what `text` tells, where the dialog was closed before.
    void showEnd(StatusColor statusColor, const QString &text, const QString &subject);

    const Run m_run;
    const QString m_serverName;

private:
    ConsentField *m_consent = nullptr;
    QVBoxLayout *m_body;
    QLabel *m_banner;
    QPushButton *m_act;
    QPushButton *m_close;
};

/// What the dialogs of one request share: fields with a message beneath each. Asks once: from then on it can only be closed.
class ActionDialog : public ConsentDialog
{
    Q_OBJECT

public:
    ActionDialog(const QString &title, const QString &verb, Run run, QString serverName, QWidget *parent);

    bool isUnderWay() const override { return m_asked && !m_answered; }

protected:
    /// The request as entered; nullopt where a field makes no sense, which its message says.
    virtual std::optional<ActionRequest> request() = 0;

    /// Whether what is entered may be asked for. Nothing is asked for twice.
    void allow(bool isPossible);
    /// Adds a labelled field and returns the hidden message beneath it.
    QLabel *addField(QFormLayout &form, const QString &label, QWidget *field);
    /// Shows `text` beneath a field (nothing where empty) and returns whether it was empty.
    static bool setFieldError(QLabel *message, const QString &text);
    bool isAsked() const { return m_asked.has_value(); }
    void fitHeight() override;

    void showEvent(QShowEvent *event) override;

    QString keyProblem(const QByteArray &key) const;
    QString ownerProblem(const QByteArray &owner) const;
    QString leaseProblem(const QString &text) const;

private:
    void submit() override;
    void showPossible() override;
    void freeze();
    void take(const Result<ActionResult> &result);

    std::optional<LockKey> m_asked; ///< for an action on it
    bool m_answered = false;
    bool m_isPossible = true;
};

} // namespace lockscope
