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

/// Returns Good only if the action did everything asked, on all servers.
StatusColor toneOf(const ActionResult &result);

/// A dialog that acts on consent: a button to act, one to close, and the outcome above them. Closing it does
/// not cancel what was sent.
class ConsentDialog : public QDialog
{
    Q_OBJECT

public:
    /// Sends a request; the future may finish on any thread.
    using Run = std::function<QFuture<Result<ActionResult>>(const ActionRequest &)>;

    /// Adds a consent field, owned by this. Without one, the button is enough.
    void askFor(ConsentField *consent);

    /// True while answers are missing.
    virtual bool isUnderWay() const = 0;

signals:
    /// Emitted when the last answer arrives after the dialog was closed.
    void answeredUnseen(lockscope::StatusColor statusColor, const QString &text);
    /// Emitted if the user wants no more questions before this action.
    void questionUnwanted();

protected:
    ConsentDialog(const QString &title, const QString &verb, Run run, QString serverName, QWidget *parent);

    virtual void submit() = 0;
    virtual void leave() { reject(); }
    /// Enables the action button if the input is valid and agreed to.
    virtual void showPossible() = 0;
    virtual void fitHeight() {}

    QVBoxLayout &body() { return *m_body; }
    QPushButton &actButton() { return *m_act; }
    QPushButton &closeButton() { return *m_close; }
    bool isAgreed() const;
    /// Enables the button that acts, if consent is given; otherwise its tool tip says what is missing.
    void allowAct(bool isPossible);
    Consent consent() const;
    void freezeConsent();
    void showMessage(StatusColor statusColor, const QString &text);
    void clearMessage();
    /// Shows the outcome; only closing is left. `subject` precedes `text` if the dialog was already closed.
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

/// Base of the dialogs for one request: fields, each with a message below. Sends at most once.
class ActionDialog : public ConsentDialog
{
    Q_OBJECT

public:
    ActionDialog(const QString &title, const QString &verb, Run run, QString serverName, QWidget *parent);

    bool isUnderWay() const override { return m_asked && !m_answered; }

protected:
    /// Returns the request; nullopt if a field is invalid, which its message explains.
    virtual std::optional<ActionRequest> request() = 0;

    void allow(bool isPossible);
    /// Adds a labelled field and returns its hidden message.
    QLabel *addField(QFormLayout &form, const QString &label, QWidget *field);
    /// Shows or hides the error below a field; returns true if `text` is empty.
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

    std::optional<LockKey> m_asked; ///< set once a request is sent
    bool m_answered = false;
    bool m_isPossible = true;
};

} // namespace lockscope
