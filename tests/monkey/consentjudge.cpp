// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/consentjudge.h"

#include "core/act/actionguard.h"
#include "core/base/printable.h"
#include "core/journal/auditlog.h"
#include "core/redis/command.h"
#include "ui/actions/mainactions.h"
#include "ui/lockactions/acquiredialog.h"
#include "ui/lockactions/actionseriesdialog.h"
#include "ui/lockactions/forceexpiredialog.h"
#include "ui/lockactions/lockdialogs.h"
#include "ui/lockactions/outcomenotice.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/mainwindow.h"
#include "ui/shell/monitorpage.h"
#include "ui/simulation/confirmserverdialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QEvent>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype shownOfKey = 60; ///< as notices name a lock

/// The words of a line of MONITOR: 1700000000.1 [0 127.0.0.1:5000] "GET" "a\x00b"
QByteArrayList wordsOf(const QByteArray &line)
{
    QByteArrayList words;
    qsizetype at = line.indexOf("] \"") + 2;
    while (at < line.size() && line[at] == '"') {
        QByteArray word;
        for (++at; at < line.size() && line[at] != '"'; ++at) {
            if (line[at] != '\\') {
                word += line[at];
                continue;
            }
            const char escaped = line[++at];
            if (escaped == 'x') {
                word += QByteArray::fromHex(line.mid(at + 1, 2));
                at += 2;
            } else {
                static const QByteArray letters = "nrtab";
                const qsizetype letter = letters.indexOf(escaped);
                word += letter < 0 ? escaped : "\n\r\t\a\b"[letter];
            }
        }
        words.append(word);
        at += 2;
    }
    return words;
}

/// All that a dialog says and that was entered.
QString textOf(const QWidget &dialog)
{
    QStringList texts;
    for (const QLabel *label : dialog.findChildren<QLabel *>())
        texts << label->text();
    // A key may be typed, or pasted, with lines: it is named by its escapes.
    for (const QLineEdit *field : dialog.findChildren<QLineEdit *>())
        texts << field->text() << ActionGuard::nameOf(LockKey(field->text().toUtf8()));
    for (const QTableWidget *table : dialog.findChildren<QTableWidget *>()) {
        for (int row = 0; row < table->rowCount(); ++row)
            texts << table->item(row, 0)->text();
    }
    return texts.join(u'\n');
}

const MonitorPage *pageOf(const QWidget &widget)
{
    const QWidget *window = &widget;
    while (window && !qobject_cast<const MainWindow *>(window))
        window = window->parentWidget();
    return window ? window->findChild<MonitorPage *>() : nullptr;
}

} // namespace

ConsentJudge::ConsentJudge(const RedisServer &server, std::function<void(const QString &)> report)
    : m_report(std::move(report))
{
    m_monitor.connectToServer(server.socketPath());
    if (!m_monitor.waitForConnected())
        qFatal("no connection for MONITOR");
    m_monitor.write("MONITOR\r\n");
    qApp->installEventFilter(this);
}

bool ConsentJudge::eventFilter(QObject *watched, QEvent *event)
{
    if (auto *widget = qobject_cast<QWidget *>(watched); widget && event->type() == QEvent::Show)
        watch(widget);
    return false;
}

void ConsentJudge::watch(QWidget *shown)
{
    static const char *const watchedProperty = "watchedForConsent";
    if (shown->property(watchedProperty).toBool())
        return;
    shown->setProperty(watchedProperty, true);
    if (auto *window = qobject_cast<MainWindow *>(shown)) {
        watchWindow(window);
    } else if (auto *dialog = qobject_cast<ActionDialog *>(shown)) {
        watchDialog(dialog);
    } else if (auto *series = qobject_cast<ActionSeriesDialog *>(shown)) {
        watchDialog(series);
    } else if (auto *notice = qobject_cast<OutcomeNotice *>(shown)) {
        watchNotice(notice);
    } else if (auto *question = qobject_cast<ConfirmServerDialog *>(shown)) {
        const MonitorPage *page = pageOf(*question);
        if (auto *here = question->findChild<QPushButton *>(QStringLiteral("runHere")))
            connect(here, &QPushButton::clicked, this, [this, page = QPointer(page)] {
                if (page && page->standing().environment != Environment::Production)
                    m_maySimulate = true;
            });
    }
}

void ConsentJudge::watchWindow(MainWindow *window)
{
    const auto *commands = window->findChild<MainActions *>();
    for (const auto &[action, kind] : {std::pair(commands->release, Action::Release),
                                       std::pair(commands->forceExpire, Action::ForceExpire)})
        connect(action, &QAction::triggered, this,
                [this, window, kind = kind] { agreeDirectly(*window, kind); });
}

void ConsentJudge::watchNotice(QWidget *notice)
{
    auto *undo = notice->findChild<QToolButton *>(QStringLiteral("bannerOtherStep"));
    connect(undo, &QToolButton::clicked, this, [this, notice] {
        m_agreements.append({.named = static_cast<OutcomeNotice *>(notice)->text(), .input = m_input});
    });
}

template <typename Dialog>
void ConsentJudge::watchDialog(Dialog *dialog)
{
    // It stands in for what the same key would have done at once.
    m_agreements.removeIf([this](const Agreement &each) {
        return each.isDirect && each.input == m_input && each.used.isEmpty();
    });
    for (const QPushButton *button : dialog->template findChildren<QPushButton *>())
        connect(button, &QPushButton::clicked, this, [this, dialog] {
            if (dialog->isUnderWay())
                agree(*dialog);
        });
}

/// Where the environment asks for no dialog: a development server, and staging for what is not to be asked again.
void ConsentJudge::agreeDirectly(const MainWindow &window, Action action)
{
    const auto *page = window.findChild<MonitorPage *>();
    const auto *locks = window.findChild<LocksPage *>();
    if (!page || !locks || locks->selectedCount() > 1 || !locks->chosen())
        return;
    const Environment environment = page->standing().environment;
    if (environment == Environment::Development ||
        (environment == Environment::Staging && m_unasked.value(page).contains(action)))
        m_agreements.append({.named = ActionGuard::nameOf(*locks->chosen()),
                             .isWhole = true,
                             .input = m_input,
                             .isDirect = true});
}

void ConsentJudge::agree(const QWidget &dialog)
{
    const MonitorPage *page = pageOf(dialog);
    Agreement agreement{.named = textOf(dialog), .input = m_input};
    if (const auto *skip = dialog.findChild<QCheckBox *>(QStringLiteral("skipQuestion"));
        skip && skip->isChecked() && page) {
        const bool isSeries = qobject_cast<const ActionSeriesDialog *>(&dialog) != nullptr;
        const auto *owner = qobject_cast<const OwnerDialog *>(&dialog);
        if (isSeries || (owner && owner->action() == Action::Release))
            m_unasked[page].insert(Action::Release);
        if (isSeries || qobject_cast<const ForceExpireDialog *>(&dialog))
            m_unasked[page].insert(Action::ForceExpire);
        // Until its connection ends; another page may come to stand in the same place.
        connect(page, &QObject::destroyed, this, [this, page] { m_unasked.remove(page); });
    }
    if (page && page->standing().environment == Environment::Production &&
        !qobject_cast<const AcquireDialog *>(&dialog)) {
        // What was typed names the lock, or of several their server.
        const auto *field = dialog.findChild<QLineEdit *>(QStringLiteral("typedName"));
        const QString typed = field ? field->text().trimmed() : QString();
        if (!qobject_cast<const ActionSeriesDialog *>(&dialog)) {
            agreement.named = typed;
            agreement.isWhole = true;
        } else if (typed != page->serverName().trimmed()) {
            agreement.named.clear();
        }
    }
    m_agreements.append(agreement);
}

void ConsentJudge::compare()
{
    // A line of our own comes after all of before.
    static const QByteArray mark = "ECHO seen\r\n";
    m_monitor.write(mark);
    for (;;) {
        qsizetype end = m_unread.indexOf('\n');
        if (end < 0) {
            if (!m_monitor.waitForReadyRead())
                qFatal("MONITOR ended");
            m_unread += m_monitor.readAll();
            continue;
        }
        const QByteArray line = m_unread.left(end).trimmed();
        m_unread.remove(0, end + 1);
        if (line == "seen" || line == "$4" || line == "+OK")
            continue;
        if (line.endsWith("\"ECHO\" \"seen\""))
            return;
        judge(line);
    }
}

void ConsentJudge::judge(const QByteArray &line)
{
    if (!line.contains(" 127.0.0.1:")) // other clients, and what a script does
        return;
    const QByteArrayList words = wordsOf(line);
    QList<QByteArrayView> views(words.begin(), words.end());
    if (words.isEmpty() || isReadCommand(views))
        return;
    const QByteArray verb = words.first().toUpper();
    if (verb == "AUTH" || verb == "HELLO")
        return;
    const bool isScript = verb == "EVAL" || verb == "EVALSHA";
    const QByteArray key = words.value(isScript ? 3 : 1);
    if (key.startsWith("sim:") || verb == "SCRIPT") {
        ++m_simulated;
        if (!m_maySimulate)
            m_report(QStringLiteral("a simulation that nobody agreed to: ") + QString::fromLatin1(line));
        return;
    }
    // Again with the script's text, since the server did not know it: several windows' commands come one between another.
    if (verb == "EVAL" && m_byDigest.remove(words.sliced(2)))
        return;
    if (verb == "EVALSHA")
        m_byDigest.insert(words.sliced(2));
    ++m_actions;
    m_sent.append(QStringLiteral("%1: %2").arg(m_input).arg(QString::fromLatin1(line)));
    if (!isScript || !takeAgreement(key))
        m_report(QStringLiteral("sent without consent: ") + QString::fromLatin1(line));
}

bool ConsentJudge::takeAgreement(const QByteArray &key)
{
    const QString whole = ActionGuard::nameOf(LockKey(key));
    const QString shortName = printable(key, shownOfKey);
    const auto covers = [&](const Agreement &each) {
        if (each.used.contains(key))
            return false;
        if (each.isWhole)
            return each.named.trimmed() == whole.trimmed();
        return each.named.contains(whole) || each.named.contains(shortName);
    };
    const auto found = std::find_if(m_agreements.rbegin(), m_agreements.rend(), covers);
    if (found == m_agreements.rend())
        return false;
    found->used.insert(key);
    return true;
}

void ConsentJudge::compareWith(const QString &auditPath)
{
    if (m_actions == 0)
        return;
    const auto history = AuditLog::read(auditPath, m_actions * 10 + 1000);
    if (!history)
        return m_report(QStringLiteral("the audit log cannot be read"));
    if (history->verdict.brokenAtLine)
        m_report(QStringLiteral("the audit log's chain is broken"));
    if (history->requests >= m_actions)
        return;
    QStringList recorded;
    for (const AuditLog::Request &request : history->newest)
        recorded.prepend(QString::fromUtf8(QJsonDocument(request.asked).toJson(QJsonDocument::Compact)));
    m_report(QStringLiteral("%1 actions, and %2 records\nsent, by input:\n%3\nrecorded:\n%4")
                 .arg(m_actions)
                 .arg(history->requests)
                 .arg(m_sent.join(u'\n'), recorded.join(u'\n')));
}

} // namespace lockscope
