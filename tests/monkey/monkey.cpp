// SPDX-License-Identifier: GPL-3.0-or-later
// Random input to the real window before a server of its own: keys, clicks, drags, menus, commands, dialogs, sizes, themes and
// languages. It fails where the window warns, stands still or keeps a dialog, and where the server carries out what nobody agreed to.
#include "tests/monkey/consentjudge.h"
#include "tests/monkey/locksupply.h"
#include "tests/monkey/randominput.h"
#include "ui/connect/connectionform.h"
#include "ui/connect/connectpage.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/mainwindow.h"
#include "ui/shell/monitorpage.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileDialog>
#include <QPushButton>
#include <QTranslator>

#include <atomic>
#include <cstdio>
#include <ctime>
#include <thread>
#include <utility>

using namespace lockscope;

namespace {

constexpr std::chrono::seconds maxGap{20}; ///< between two turns of the event loop, on a machine that is slow
constexpr std::chrono::seconds maxHang{120}; ///< then it is over
constexpr int maxWindows = 3;
constexpr int patience = 60; ///< inputs that a dialog may stay for
constexpr int keptInputs = 25;

struct Part
{
    Environment environment;
    int share; ///< of the inputs
};
/// Production first, as it has to be unlocked before anything happens.
constexpr Part parts[] = {
    {Environment::Production, 50}, {Environment::Staging, 30}, {Environment::Development, 20}};

/// By this thread, in processor time.
std::chrono::nanoseconds workedUntilNow()
{
    timespec worked{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &worked);
    return std::chrono::seconds(worked.tv_sec) + std::chrono::nanoseconds(worked.tv_nsec);
}

class Monkey
{
public:
    Monkey(quint32 seed, int events, bool isListed, QString home)
        : m_input(seed),
          m_events(events),
          m_isListed(isListed),
          m_home(std::move(home)),
          m_judge(m_supply.server(), [this](const QString &what) { fail(what); })
    {
    }

    void start()
    {
        if (!m_chinese.load(QStringLiteral(":/i18n/lockscope_zh_CN.qm")))
            fail(QStringLiteral("no Chinese"));
        m_self = this;
        m_otherHandler = qInstallMessageHandler(&Monkey::takeMessage);
        m_sinceStep.start();
        beginPart();
        QTimer::singleShot(0, qApp, [this] { step(); });
    }
    int finish();
    /// For the one who looks whether it goes on.
    int inputs() const { return m_count; }

private:
    void beginPart();
    void openWindow();
    void step();
    QString act();
    QString actOn(MainWindow &window);
    QString answerFile(QFileDialog &dialog);
    QString reconnect(MainWindow &window);
    QString switchLanguage();
    void checkStuck();
    void fail(const QString &what);
    static void takeMessage(QtMsgType type, const QMessageLogContext &context, const QString &text);
    static QList<MainWindow *> windows();

    static inline Monkey *m_self = nullptr;
    static inline QtMessageHandler m_otherHandler = nullptr;
    RandomInput m_input;
    const int m_events;
    const bool m_isListed;
    const QString m_home;
    LockSupply m_supply;
    ConsentJudge m_judge;
    QTranslator m_chinese;
    bool m_isChinese = false;
    std::atomic<int> m_count = 0;
    size_t m_part = 0;
    QStringList m_last; ///< inputs
    int m_findings = 0;
    QElapsedTimer m_sinceStep;
    qint64 m_longestMs = 0;
    QString m_longestAfter;
    std::chrono::nanoseconds m_worked = workedUntilNow(); ///< up to the last step
    std::chrono::nanoseconds m_hardest{}; ///< turn: what the machine does otherwise is no part of it
    QString m_hardestAfter;
    QPointer<QWidget> m_top;
    int m_topSince = 0;
};

QList<MainWindow *> Monkey::windows()
{
    QList<MainWindow *> all;
    for (QWidget *widget : QApplication::topLevelWidgets()) {
        if (auto *window = qobject_cast<MainWindow *>(widget); window && window->isVisible())
            all.append(window);
    }
    return all;
}

void Monkey::fail(const QString &what)
{
    ++m_findings;
    std::printf("FINDING at input %d: %s\n", int(m_count), qPrintable(what));
    for (const QString &input : std::as_const(m_last))
        std::printf("    after: %s\n", qPrintable(input));
    std::fflush(stdout);
}

void Monkey::takeMessage(QtMsgType type, const QMessageLogContext &context, const QString &text)
{
    // What the offscreen platform cannot do.
    const bool isOfPlatform = text.startsWith(QLatin1String("This plugin does not support "));
    if (type == QtFatalMsg)
        m_otherHandler(type, context, text);
    if (type != QtDebugMsg && type != QtInfoMsg && !isOfPlatform)
        m_self->fail(QStringLiteral("Qt says: ") + text);
}

void Monkey::beginPart()
{
    for (MainWindow *window : windows())
        window->close();
    openWindow();
}

void Monkey::openWindow()
{
    WindowOptions options;
    options.server = m_supply.server().tcpAddress();
    options.serverName = QStringLiteral("orders");
    options.environment = parts[m_part].environment;
    options.auditPath = m_home + QStringLiteral("/audit.jsonl");
    MainWindow::open(options);
}

void Monkey::step()
{
    const qint64 gap = m_sinceStep.restart();
    if (gap > m_longestMs) {
        m_longestMs = gap;
        m_longestAfter = m_last.value(m_last.size() - 1);
    }
    const auto worked = workedUntilNow();
    if (const auto turn = worked - std::exchange(m_worked, worked); turn > m_hardest) {
        m_hardest = turn;
        m_hardestAfter = m_last.value(m_last.size() - 1);
    }
    if (std::chrono::milliseconds(gap) > maxGap)
        fail(QStringLiteral("no turn of the event loop for %1 ms").arg(gap));
    if (m_count >= m_events)
        return QApplication::quit();
    int before = 0;
    for (size_t part = 0; part <= m_part; ++part)
        before += parts[part].share;
    if (m_part + 1 < std::size(parts) && m_count >= m_events * before / 100) {
        ++m_part;
        beginPart();
    }
    ++m_count;
    // Before the input: a menu of Qt's own has an event loop of its own.
    QTimer::singleShot(m_input.random().bounded(20), qApp, [this] { step(); });
    m_judge.beginInput();
    const QString input = act();
    m_last.append(QStringLiteral("%1 %2").arg(int(m_count)).arg(input));
    if (m_isListed) {
        std::printf("%s\n", qPrintable(m_last.last()));
        std::fflush(stdout);
    }
    if (m_last.size() > keptInputs)
        m_last.removeFirst();
    m_judge.compare();
    checkStuck();
}

QString Monkey::act()
{
    const QList<MainWindow *> all = windows();
    if (all.isEmpty()) {
        openWindow();
        return QStringLiteral("open a window");
    }
    if (all.size() > maxWindows && !QApplication::activeModalWidget()) {
        all.first()->close();
        return QStringLiteral("close a window");
    }
    const int kind = m_input.random().bounded(100);
    if (kind < 4) {
        m_supply.refresh(m_input.random());
        return QStringLiteral("other clients");
    }
    if (kind < 5) {
        applyTheme(m_input.random().bounded(2) == 0 ? Theme::Dark : Theme::Light);
        return QStringLiteral("another theme");
    }
    if (kind < 6)
        return switchLanguage();
    return actOn(*all[m_input.random().bounded(int(all.size()))]);
}

QString Monkey::actOn(MainWindow &window)
{
    auto *modal = qobject_cast<QDialog *>(QApplication::activeModalWidget());
    if (auto *files = qobject_cast<QFileDialog *>(modal))
        return answerFile(*files); // at random it would write anywhere
    QDialog *asked = modal;
    if (asked && m_input.random().bounded(100) < 40) {
        MainWindow *owner = &window;
        for (QWidget *each = asked; each; each = each->parentWidget()) {
            if (auto *found = qobject_cast<MainWindow *>(each))
                owner = found;
        }
        const auto *locks = owner->findChild<LocksPage *>();
        const bool isOne = locks && locks->selectedCount() <= 1 && locks->chosen();
        return m_input.answer(*asked,
                              isOne ? ActionGuard::nameOf(*locks->chosen()) : QStringLiteral("orders"));
    }
    if (QWidget *popup = QApplication::activePopupWidget();
        popup && m_top == popup && m_input.random().bounded(4) == 0)
        return m_input.leave(*popup);
    if (!modal && !window.findChild<MonitorPage *>() && m_input.random().bounded(100) < 20)
        return reconnect(window);
    return m_input.next(window);
}

QString Monkey::answerFile(QFileDialog &dialog)
{
    if (m_input.random().bounded(2) == 0) {
        dialog.reject();
        return QStringLiteral("no file");
    }
    const QString path = m_home + QStringLiteral("/file%1").arg(int(m_count));
    emit dialog.fileSelected(path);
    dialog.reject();
    return QStringLiteral("file ") + path;
}

QString Monkey::reconnect(MainWindow &window)
{
    auto *page = window.findChild<ConnectPage *>();
    StoredServer server;
    server.name = QStringLiteral("orders");
    server.address = m_supply.server().tcpAddress();
    server.environment = parts[m_part].environment;
    page->form().fill(server);
    emit page->form().submitted();
    return QStringLiteral("connect");
}

QString Monkey::switchLanguage()
{
    m_isChinese = !m_isChinese;
    if (m_isChinese)
        QCoreApplication::installTranslator(&m_chinese);
    else
        QCoreApplication::removeTranslator(&m_chinese);
    return QStringLiteral("another language");
}

/// Whoever wants to leave a dialog or a menu can.
void Monkey::checkStuck()
{
    QWidget *top = QApplication::activePopupWidget();
    if (!top)
        top = QApplication::activeModalWidget();
    if (!top || top != m_top) {
        m_top = top;
        m_topSince = m_count;
        return;
    }
    const int stays = m_count - m_topSince;
    if (stays > patience)
        m_input.leave(*top);
    if (stays == 2 * patience)
        fail(QStringLiteral("cannot be left: ") + QString::fromLatin1(top->metaObject()->className()) + u' ' +
             top->windowTitle());
}

int Monkey::finish()
{
    const QString audit = m_home + QStringLiteral("/audit.jsonl");
    MainWindow::closeAll();
    m_judge.compare();
    m_judge.compareWith(audit);
    std::printf(
        "%d inputs, %d actions, %d commands of simulations; longest turn of the event loop: %lld ms, "
        "after %s; most work in one: %lld ms, after %s; %d finding(s)\n",
        int(m_count), m_judge.actions(), m_judge.simulated(), m_longestMs, qPrintable(m_longestAfter),
        static_cast<long long>(std::chrono::duration_cast<std::chrono::milliseconds>(m_hardest).count()),
        qPrintable(m_hardestAfter), m_findings);
    std::fflush(stdout); // a sanitizer may end the program before that is done for us
    qInstallMessageHandler(m_otherHandler);
    return m_findings == 0 ? 0 : 1;
}

/// Everything that is written goes below it, and of programs it has the server alone: no tunnel begins.
void moveInto(const QString &home)
{
    const QString programs = home + QStringLiteral("/bin");
    const QString temporary = home + QStringLiteral("/tmp");
    QDir().mkpath(programs);
    QDir().mkpath(temporary);
    QFile::setPermissions(temporary, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    for (const char *name : {"redis-server", "redis-cli"}) {
        const QString program = QString::fromLatin1(name);
        QFile::link(QStandardPaths::findExecutable(program), programs + u'/' + program);
    }
    for (const char *name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        qunsetenv(name);
    qputenv("HOME", home.toLocal8Bit());
    qputenv("TMPDIR", temporary.toLocal8Bit());
    qputenv("XDG_RUNTIME_DIR", temporary.toLocal8Bit());
    qputenv("PATH", programs.toLocal8Bit());
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QDir::setCurrent(home);
}

} // namespace

int main(int argc, char **argv)
{
    const QTemporaryDir home;
    moveInto(home.path());
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QCoreApplication::setOrganizationName(QStringLiteral("lockscope"));
    QCoreApplication::setApplicationName(QStringLiteral("monkey"));
    const QApplication application(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);

    QCommandLineParser parser;
    parser.addHelpOption();
    const QCommandLineOption seedOption(QStringLiteral("seed"), QStringLiteral("seed of all random choices"),
                                        QStringLiteral("N"),
                                        QString::number(QRandomGenerator::global()->generate()));
    const QCommandLineOption eventsOption(QStringLiteral("events"), QStringLiteral("number of inputs"),
                                          QStringLiteral("N"), QStringLiteral("2000"));
    const QCommandLineOption listOption(QStringLiteral("list"), QStringLiteral("print each input"));
    parser.addOptions({seedOption, eventsOption, listOption});
    parser.process(application);
    const quint32 seed = parser.value(seedOption).toUInt();
    std::printf("seed %u\n", seed);
    std::fflush(stdout);

    Monkey monkey(seed, parser.value(eventsOption).toInt(), parser.isSet(listOption), home.path());
    const std::jthread watchdog([&monkey](const std::stop_token &stop) {
        int last = -1;
        auto since = std::chrono::steady_clock::now();
        while (!stop.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            const auto now = std::chrono::steady_clock::now();
            if (const int count = monkey.inputs(); count != last) {
                last = count;
                since = now;
            } else if (now - since > maxHang) {
                std::fprintf(stderr, "the window stands still after input %d\n", last);
                std::abort();
            }
        }
    });
    monkey.start();
    QApplication::exec();
    return monkey.finish();
}
