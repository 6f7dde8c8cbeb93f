// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/connectpage.h"

#include "core/base/printable.h"
#include "core/redis/serverlink.h"
#include "core/redis/serverlist.h"
#include "core/redis/sharedservers.h"
#include "core/redis/whendone.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "ui/connect/connectionform.h"
#include "ui/connect/connectiontestview.h"
#include "ui/connect/importdialog.h"
#include "ui/connect/keychain.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/fileexport.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"
#include "ui/widgets/taborder.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace lockscope {

namespace {

constexpr int cardCharacters = 74;
constexpr qsizetype maxRecent = 8;

QLabel *titleLabel(QWidget *parent)
{
    auto *title = new QLabel(QStringLiteral("Lockscope"), parent);
    title->setFont(strong(title->font(), 2));
    return title;
}

QStringList faultsOfShared()
{
    QStringList faults;
    for (const Phrase &fault : sharedServers().faults)
        faults.append(inWords(fault));
    return faults;
}

QString fromKeychain(const QString &error)
{
    return ConnectPage::tr("%1 It came from the keychain. Type another one, or untick the box.").arg(error);
}

} // namespace

ConnectPage::ConnectPage(QWidget *parent) : ConnectPage(Keychain::instance(), parent) {}

ConnectPage::~ConnectPage() = default;

ConnectPage::ConnectPage(SecretStore &secrets, QWidget *parent)
    : QWidget(parent),
      m_kept(secrets),
      m_form(new ConnectionForm(this)),
      m_test(new ConnectionTestView(this)),
      m_scroll(new QScrollArea(this)),
      m_connect(new QPushButton(tr("&Connect"), this)),
      m_tryOut(new QPushButton(tr("&Test"), this)),
      m_demo(new QPushButton(tr("Try the &demo"), this)),
      m_laboratory(new QPushButton(tr("Si&mulation"), this)),
      m_inputs(new QWidget(this)),
      m_progress(new QWidget(this)),
      m_progressText(plainLabel(this)),
      m_notice(plainLabel(this)),
      m_recent(new QWidget(this)),
      m_recentList(new QVBoxLayout(m_recent))
{
    auto *emblem = new QLabel(this);
    emblem->setPixmap(QIcon(QStringLiteral(":/icons/org.lockscope.Lockscope-128.png")).pixmap(QSize(56, 56)));
    emblem->setAccessibleName(QStringLiteral("Lockscope"));
    auto *motto = plainLabel(this, tr("See and manage locks in Redis."));
    applyTextColor(motto, StatusColor::Muted);
    auto *words = columnOf({titleLabel(this), motto}, 2);
    auto *heading = lineOf({emblem, {words, 1}}, 16);

    m_connect->setDefault(true);
    m_connect->setObjectName(QStringLiteral("connect"));
    m_connect->setIcon(glyphIcon(Glyph::Plug));
    m_demo->setIcon(glyphIcon(Glyph::Play));
    m_demo->setToolTip(tr("Start a private server with contending workers"));
    m_laboratory->setObjectName(QStringLiteral("laboratory"));
    m_laboratory->setIcon(glyphIcon(Glyph::Flask));
    m_laboratory->setToolTip(tr("Simulate contention and faults on a private server"));
    auto *buttons = lineOf({m_connect, m_tryOut, Space{12}, m_demo, m_laboratory, Stretch{}});
    m_notice->setObjectName(QStringLiteral("notice"));
    m_notice->hide();
    m_recentList->setContentsMargins(0, 10, 0, 0);
    m_recentList->setSpacing(2);
    m_inputs->setLayout(columnOf({m_form, buttons, m_test, m_notice, m_recent}, 14, {}));

    buildProgress();
    auto *card = new QWidget(this);
    card->setFixedWidth(latinWidth(fontMetrics(), cardCharacters));
    card->setLayout(columnOf({Stretch{2}, heading, m_inputs, m_progress, Stretch{3}}, 22));

    // On a small window the details don't fit: then the page scrolls.
    auto *centred = new QWidget(this);
    centred->setLayout(lineOf({Stretch{}, card, Stretch{}}));
    m_scroll->setAccessibleName(tr("Connect to a server"));
    m_scroll->setWidget(centred);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    setLayout(columnOf({m_scroll}, 0, {}));
    orderTabs(*this);

    connect(m_connect, &QPushButton::clicked, this, &ConnectPage::submit);
    connect(m_form, &ConnectionForm::submitted, this, &ConnectPage::submit);
    m_tryOut->setObjectName(QStringLiteral("test"));
    m_tryOut->setToolTip(tr("Try each step of connecting. Changes nothing."));
    connect(m_tryOut, &QPushButton::clicked, this, [this] {
        const auto server = entered();
        if (!server)
            return;
        withKept(*server, [this](const StoredServer &known) { m_test->start(known.address, m_patterns); });
    });
    connect(m_form, &ConnectionForm::forgetRequested, this,
            [this](const ServerAddress &address) { forgetPasswords(address); });
    // What was tried is not what is typed now.
    for (const QLineEdit *field : m_form->findChildren<QLineEdit *>())
        connect(field, &QLineEdit::textChanged, m_test, &ConnectionTestView::clear);
    for (const QCheckBox *box : m_form->findChildren<QCheckBox *>())
        connect(box, &QCheckBox::toggled, m_test, &ConnectionTestView::clear);
    connect(m_demo, &QPushButton::clicked, this, &ConnectPage::demoRequested);
    connect(m_laboratory, &QPushButton::clicked, this, &ConnectPage::simulationRequested);
    showForm();
}

void ConnectPage::showForm()
{
    m_waiting.reset();
    listRecent();
    m_test->clear();
    m_progress->hide();
    m_inputs->show();
    m_form->followKept();
    m_form->focusAddress();
}

void ConnectPage::showConnecting(const QString &serverName)
{
    m_progressText->setText(tr("Connecting to %1…").arg(serverName));
    m_inputs->hide();
    m_progress->show();
}

void ConnectPage::showOpening(const QString &recording)
{
    m_waiting.reset(); // a server that was asked for before is not wanted any more
    showConnecting({});
    m_progressText->setText(tr("Opening %1…").arg(recording));
}

void ConnectPage::showFailure(const QString &text, bool passwordWanted, const QByteArray &certificate)
{
    showForm();
    m_form->offerPin(certificate);
    if (!passwordWanted)
        return m_form->setFieldError(text);
    // Where the password is typed, for the address may be scrolled out of sight.
    askForPassword(!m_wereLent.server ? text : fromKeychain(text));
}

void ConnectPage::showFailure(const QString &text, const Error &why)
{
    using Kind = ErrorKind;
    const bool passwordWanted = why.kind == Kind::AuthRequired || why.kind == Kind::WrongPassword;
    showFailure(text, passwordWanted, why.certificate);
    // A key that cannot be opened is refused before any certificate is seen.
    const bool ofKey = m_wereLent.key && why.kind == Kind::TlsFailed && why.certificate.isEmpty();
    if (why.kind == Kind::SentinelRefused && m_wereLent.sentinels) {
        m_form->setFieldError(fromKeychain(text));
        m_form->focusSentinelPassword();
    } else if (ofKey) {
        m_form->setFieldError(fromKeychain(text));
        m_form->focusPassphrase();
    }
}

void ConnectPage::askForPassword(const QString &why)
{
    m_form->sayOfLogin(why, StatusColor::Danger);
    m_form->focusPassword();
    // When it has been laid out: its lines are new. The reason stands beneath the field.
    QTimer::singleShot(0, this, [this] {
        if (QWidget *field = m_form->focusWidget())
            m_scroll->ensureWidgetVisible(field, 0, 8 * fontMetrics().height());
    });
}

void ConnectPage::listRecent()
{
    while (const auto item = std::unique_ptr<QLayoutItem>(m_recentList->takeAt(0)))
        item->widget()->deleteLater();
    QMap<QString, QList<StoredServer>> groups, shared; // in the order of their names
    QList<StoredServer> others;
    for (const StoredServer &server : knownServers())
        (!server.sharedFile.isEmpty() ? shared[server.group]
         : server.group.isEmpty()     ? others
                                      : groups[server.group])
            .append(server);
    for (auto group = groups.begin(); group != groups.end(); ++group) {
        std::ranges::stable_sort(*group, {}, &StoredServer::name);
        listServers(printable(group.key().toUtf8(), 60), *group);
    }
    // Those with kept passwords in any case: nowhere else could their user forget these.
    qsizetype listed = 0;
    others.removeIf(
        [&](const StoredServer &server) { return ++listed > maxRecent && !server.keepsPasswords; });
    if (!others.isEmpty())
        listServers(tr("Recent"), others);
    for (auto group = shared.begin(); group != shared.end(); ++group)
        listServers(group.key().isEmpty() ? tr("Shared")
                                          : tr("%1 (shared)").arg(printable(group.key().toUtf8(), 60)),
                    *group);
    if (const QStringList faults = faultsOfShared(); !faults.isEmpty()) {
        auto *label = plainLabel(m_recent, faults.join(u'\n'));
        label->setObjectName(QStringLiteral("sharedFaults"));
        applyTextColor(label, StatusColor::Danger);
        m_recentList->addWidget(label);
    }
    addButton("import", tr("Import servers…"), [this] {
        auto *dialog = new ImportDialog(this);
        connect(dialog, &QDialog::accepted, this, &ConnectPage::listRecent);
        openDialog(dialog);
    });
    if (!groups.isEmpty() || !others.isEmpty())
        addButton("export", tr("Export servers…"), [this] { askForExport(); });
}

void ConnectPage::addButton(const char *name, const QString &text, const std::function<void()> &press)
{
    auto *button = new QToolButton(m_recent);
    button->setObjectName(QLatin1String(name));
    button->setText(text);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this, press);
    m_recentList->addWidget(button);
}

void ConnectPage::askForExport()
{
    auto *files = new QFileDialog(this, tr("Export servers"));
    files->setAcceptMode(QFileDialog::AcceptSave);
    files->setNameFilter(tr("Server list (*.servers)"));
    files->setDefaultSuffix(QStringLiteral("servers"));
    connect(files, &QFileDialog::fileSelected, this, [this](const QString &path) {
        const QString failed =
            saveFile(path, [](const ExportSink &write) { write(serverListText(storedServers()).toUtf8()); });
        tell(failed.isEmpty() ? tr("Servers exported, without passwords.") : failed,
             failed.isEmpty() ? StatusColor::Muted : StatusColor::Danger);
    });
    openDialog(files);
}

void ConnectPage::listServers(const QString &heading, const QList<StoredServer> &servers)
{
    auto *title = plainLabel(m_recent, heading);
    applyTextColor(title, StatusColor::Muted);
    m_recentList->addWidget(title);
    for (const StoredServer &server : servers)
        addRecent(server);
}

void ConnectPage::addRecent(const StoredServer &server)
{
    auto *button = new QToolButton(m_recent);
    const QString where = printable(server.address.toUriWithoutPassword().toUtf8(), 80);
    QString label =
        server.name.isEmpty() ? where : tr("%1 — %2").arg(printable(server.name.toUtf8(), 60), where);
    if (server.environment != Environment::Unset)
        label += QStringLiteral(" — ") + describe(server.environment);
    if (server.readOnly)
        label += tr(" (read-only)");
    button->setText(plainMenuText(label));
    const bool isShared = !server.sharedFile.isEmpty();
    if (isShared)
        setPlainToolTip(*button, tr("From %1").arg(printable(server.sharedFile.toUtf8(), 200)));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setContextMenuPolicy(Qt::ActionsContextMenu);
    const auto chosen = [this, server] {
        m_form->fill(storedServer(server.address).value_or(server)); // another window may have changed it
        submit();
    };
    connect(button, &QToolButton::clicked, this, chosen);
    auto *open = new QAction(tr("&Connect"), button);
    auto *openWindow = new QAction(tr("Open in new &window"), button);
    auto *forgetPassword = new QAction(tr("Forget its &password"), button);
    auto *forget = new QAction(tr("&Forget this server"), button);
    button->addActions({open, openWindow});
    if (const QByteArray link = ServerLink{server.address, {}, {}}.toText(); !link.isEmpty()) {
        auto *copyLink = new QAction(tr("Copy &link"), button);
        button->addAction(copyLink);
        connect(copyLink, &QAction::triggered, this,
                [link] { QGuiApplication::clipboard()->setText(QString::fromLatin1(link)); });
    }
    if (server.keepsPasswords)
        button->addAction(forgetPassword);
    if (!isShared)
        button->addAction(forget);
    connect(open, &QAction::triggered, this, chosen);
    connect(openWindow, &QAction::triggered, this, [this, server] { emit windowRequested(server); });
    connect(forgetPassword, &QAction::triggered, this, [this, server] { forgetPasswords(server.address); });
    connect(forget, &QAction::triggered, this, [this, server] {
        if (keepsPasswords(server.address))
            return forgetPasswords(server.address, true);
        forgetServer(server.address);
        listRecent();
    });
    m_recentList->addWidget(button);
}

void ConnectPage::buildProgress()
{
    auto *bar = new QProgressBar(this);
    bar->setRange(0, 0);
    bar->setTextVisible(false);
    bar->setFixedHeight(6);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setShortcut(Qt::Key_Escape);
    m_progress->setLayout(columnOf({m_progressText, bar, {cancel, 0, Qt::AlignLeft}}, 12, {}));
    connect(cancel, &QPushButton::clicked, this, [this] {
        if (!m_waiting)
            return emit cancelled();
        stopWaiting();
        m_form->focusPassword();
    });
}

/// Values that were filled in belong to the user; a typed address may be that of a stored server.
std::optional<StoredServer> ConnectPage::entered()
{
    const auto typed = m_form->server();
    if (typed && m_form->isOfFilledServer())
        return protectedServer(*typed);
    if (!typed)
        return typed;
    StoredServer server = completedServer(*typed);
    server.keepsPasswords = typed->keepsPasswords;
    return server;
}

void ConnectPage::submit()
{
    auto server = entered();
    if (!server)
        return;
    const bool areNew = server->keepsPasswords && !Passwords::of(server->address).isEmpty();
    server->keepsPasswords = keepsPasswords(server->address) || areNew;
    m_wish = areNew ? server->address.toUriWithoutPassword() : QString();
    withKept(*server, [this](const StoredServer &known) { emit connectRequested(known); });
}

void ConnectPage::connectTo(const StoredServer &server)
{
    m_wish.clear();
    if (keepsPasswords(server.address))
        m_form->fill(server);
    withKept(server, [this](const StoredServer &known) { emit connectRequested(known); });
}

void ConnectPage::withKept(const StoredServer &server, const Use &use)
{
    m_lent = {};
    m_wereLent = {};
    m_notice->hide();
    // Nothing is given to a server that anybody could be, and no empty password in its place.
    if (server.address.insecure && !server.address.user.isEmpty() && server.address.password.isEmpty() &&
        keepsPasswords(server.address)) {
        m_form->fill(server);
        return askForPassword(tr("With --insecure, kept passwords are not used. Type it."));
    }
    if (server.address.insecure || !KeptPasswords::mayLack(server.address) || !keepsPasswords(server.address))
        return use(server);
    m_waiting = std::make_unique<QObject>();
    m_progressText->setText(tr("Waiting for the keychain… The system may ask you to unlock it."));
    m_inputs->hide();
    m_progress->show();
    whenDone(
        m_waiting.get(), m_kept.read(server.address),
        [this, server, use](const tl::expected<Passwords, QString> &kept) {
            stopWaiting();
            if (kept) {
                StoredServer known = server;
                m_lent = kept->lendTo(known.address);
                m_wereLent = {!m_lent.server.isEmpty(), !m_lent.sentinels.isEmpty(), !m_lent.key.isEmpty()};
                use(known);
            } else if (!server.address.password.isEmpty()) {
                use(server); // what the keychain was asked for besides may not be needed
            } else {
                askForPassword(kept.error());
            }
        });
}

void ConnectPage::stopWaiting()
{
    m_waiting.reset();
    m_progress->hide();
    m_inputs->show();
}

void ConnectPage::warn(const QString &text)
{
    tell(text, StatusColor::Danger);
}

void ConnectPage::tell(const QString &text, StatusColor color)
{
    m_notice->setText(text);
    applyTextColor(m_notice, color);
    m_notice->show();
}

void ConnectPage::fillForm(StoredServer server)
{
    takeBack(server.address);
    m_form->fill(server);
}

void ConnectPage::takeBack(ServerAddress &address)
{
    std::exchange(m_lent, {}).takeBackFrom(address);
}

void ConnectPage::keepPasswords(const StoredServer &server)
{
    const QString wish = std::exchange(m_wish, {});
    if (wish.isEmpty() || wish != server.address.toUriWithoutPassword())
        return;
    whenDone(this, m_kept.keep(server.address), [this](const QString &why) {
        if (!why.isEmpty())
            emit passwordsNotKept(why);
    });
}

void ConnectPage::forgetPasswords(const ServerAddress &address, bool withServer)
{
    const auto forgotten = m_kept.forget(address).then([address, withServer](const QString &why) {
        // Not before, also when this page is gone by then: at the end of the program it could be lost with its entry.
        if (withServer)
            forgetServer(address);
        return why;
    });
    whenDone(this, forgotten, [this](const QString &why) {
        listRecent();
        m_form->followKept();
        tell(why.isEmpty() ? tr("The password was removed from the keychain.") : why,
             why.isEmpty() ? StatusColor::Muted : StatusColor::Danger);
    });
}

} // namespace lockscope
