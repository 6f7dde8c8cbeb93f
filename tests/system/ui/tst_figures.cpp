// SPDX-License-Identifier: GPL-3.0-or-later
// Durations and numbers are read whole in every panel, at every width and in every language.
#include "core/journal/auditlog.h"
#include "tests/support/familyliteral.h"
#include "tests/support/ownsettings.h"
#include "tests/ui/alerts/fedalertcontroller.h"
#include "tests/ui/samplelocks.h"
#include "tests/ui/simulation/sampletrace.h"
#include "ui/alerts/alertspanel.h"
#include "ui/alerts/desktopnotifications.h"
#include "ui/audit/auditpanel.h"
#include "ui/events/eventspanel.h"
#include "ui/inspector/waitersview.h"
#include "ui/locks/lockspage.h"
#include "ui/owners/ownerspanel.h"
#include "ui/simulation/liveview.h"
#include "ui/simulation/resultview.h"
#include "ui/simulation/runtimeline.h"
#include "ui/statistics/statisticspanel.h"
#include "ui/waits/lockwaitspanel.h"

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QTranslator>
#include <QTreeView>
#include <QtTest>

#include <array>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

constexpr std::array<milliseconds, 7> durations{
    300ms, 59s, 10min + 15s, 59min + 59s, 23h + 59min, 99 * 24h + 23h, 999 * 365 * 24h + 1h};
const QByteArray process = "aaaaaaaa-8f7e-4d6c-9b5a-49382716050"; // no owner begins like a figure

QList<WatchedLock> locks()
{
    QList<WatchedLock> all;
    for (const milliseconds duration : durations) {
        const QByteArray number = QByteArray::number(all.size());
        WatchedLock lock = redisson("order:" + number, process + "4:" + number, "redisson-fair"_family);
        lock.heldSince = now - duration;
        lock.hasSeenAcquisition = all.size() % 2 == 1;
        lock.lock.ttl = duration;
        lock.lock.deadline = Deadline{now + duration, now + duration};
        lock.lock.owners.first().holdCount = 1'234'567;
        lock = queued(lock, {"!" + process + "5:" + number, process + "6:" + number});
        all << lock << listenedTo(redisson("plain:" + number, process + "7:" + number), 12'345);
    }
    return all;
}

} // namespace

class FiguresTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        QVERIFY(m_chinese.load(QStringLiteral(LOCKSCOPE_BUILD_DIR "/app/lockscope_zh_CN.qm")));
        m_clock.holdAt(now);
    }
    void cleanup() { QCoreApplication::removeTranslator(&m_chinese); }

    void areReadWhole_data()
    {
        QTest::addColumn<bool>("isChinese");
        QTest::newRow("English") << false;
        QTest::newRow("Chinese") << true;
    }
    void areReadWhole()
    {
        QFETCH(bool, isChinese);
        if (isChinese)
            QCoreApplication::installTranslator(&m_chinese);
        LocksPage page(m_names);
        page.holdAt(now);
        page.apply(changes(locks()));
        walk(page);

        LockTableModel model(m_clock, m_names);
        OwnersPanel owners(model, m_clock, m_names);
        model.apply(changes(locks()));
        walk(owners);

        LockHistory history;
        const qint64 endMs = fillHistory(history);
        StatisticsPanel statistics(history, [endMs] { return endMs; });
        auto *spans = statistics.findChild<QComboBox *>();
        spans->setCurrentIndex(spans->count() - 1);
        walk(statistics);

        WaitIndex index;
        for (qsizetype i = 0; i < std::ssize(durations); ++i)
            index.apply(changes({locks().at(2 * i)}), now - durations.at(size_t(i)));
        LockWaitsPanel waits(index, m_clock, m_names, &m_action);
        waits.invalidate();
        walk(waits);

        EventLog log(100);
        for (const WatchedLock &lock : locks()) {
            LockEvent event;
            event.kind = EventKind::Acquired;
            event.address = lock.lock.address;
            event.owners = lock.lock.owners;
            event.ttl = *lock.lock.ttl;
            event.wallMs = QDateTime::currentMSecsSinceEpoch();
            log.append({event});
        }
        EventsPanel events(log, m_names);
        walk(events);

        DesktopNotifications desktop(QStringLiteral("unix:path=/nonexistent/bus"));
        FedAlertController alerts(QStringLiteral("orders"), QStringLiteral("redis://orders"), desktop);
        AlertsPanel alertsPanel(alerts, m_action);
        alerts.tell(changes({endless(redisson("order:1"))}));
        walk(alertsPanel);

        const QString path = m_files.filePath(QStringLiteral("audit.jsonl"));
        QVERIFY(AuditLog(path).begin({{QStringLiteral("server"), QStringLiteral("orders")},
                                      {QStringLiteral("action"), QStringLiteral("extend")},
                                      {QStringLiteral("key"), QStringLiteral("order:1")}}));
        AuditPanel audit(path, QStringLiteral("orders"));
        walk(audit);

        WaitersView waiters(m_clock, m_names);
        waiters.showLock(locks().first().lock, {});
        walk(waiters, 3);
    }

    void ofASimulationAreReadWhole_data() { areReadWhole_data(); }
    void ofASimulationAreReadWhole()
    {
        QFETCH(bool, isChinese);
        if (isChinese)
            QCoreApplication::installTranslator(&m_chinese);
        LiveView run;
        const ScenarioReport report = longReport();
        run.result().show(report);
        run.end(QString(), {{QStringLiteral("One"), report.reports.at(0)},
                            {QStringLiteral("Two"), report.reports.at(1)}});
        for (const int width : {1000, 1366, 1920, 3840}) {
            run.resize(width, 600);
            run.setVisible(true);
            QTRY_VERIFY(labelledFigures(run).size() > 15);
            QTRY_COMPARE(run.width(), width); // else it needs more than the window has
            QTRY_COMPARE(cutLabels(run), QStringList());
        }
    }

private:
    static qint64 fillHistory(LockHistory &history)
    {
        qint64 at = 1'760'000'000'000;
        for (size_t i = 0; i < durations.size(); ++i) {
            const milliseconds duration = durations.at(i);
            const WatchedLock lock = locks().at(qsizetype(2 * i));
            LockEvent event;
            event.address = lock.lock.address;
            event.family = lock.lock.family;
            event.owners = lock.lock.owners;
            for (const EventKind kind : {EventKind::Acquired, EventKind::Released}) {
                event.kind = kind;
                event.wallMs = at;
                LockDiff diff = changes({lock});
                diff.events = {event};
                history.apply(diff, at);
                at += kind == EventKind::Acquired ? std::min<milliseconds>(duration, 24h * 400).count() : 1;
            }
        }
        return at;
    }

    /// Two phases of many acquisitions, each point with figures.
    static ScenarioReport longReport()
    {
        ScenarioReport report;
        report.scenario = scenarioFromName("one-winner");
        report.acts = report.scenario->acts({});
        for (int phase = 0; phase < 2; ++phase) {
            Report each = sampleTraced();
            each.total.acquired = 12'345'678;
            each.total.attempts = each.total.refused = 123'456'789;
            each.total.commands = 1'234'567'890;
            each.findings.overlaps = 999'999;
            each.duration = 59min + 59s;
            report.reports.append(each);
            report.verdict.findings.append(Phrase("overlaps"));
            report.verdict.points.append(Verdict::Point::Missed);
            report.verdict.comparisons.append({report.acts.at(phase).title,
                                               Phrase("overlaps although the lease had not expired"),
                                               Phrase("%1", 1'234'567), Phrase("%1", 123'456'789)});
        }
        return report;
    }
    /// Those in sight that begin with a digit.
    static QList<const QLabel *> labelledFigures(const QWidget &widget)
    {
        QList<const QLabel *> figures;
        for (const QLabel *label : widget.findChildren<QLabel *>()) {
            if (label->isVisible() && isFigure(label->text()) && !label->visibleRegion().isEmpty())
                figures << label;
        }
        return figures;
    }
    static QStringList cutLabels(const QWidget &widget)
    {
        QStringList cut;
        for (const QLabel *figure : labelledFigures(widget)) {
            const int seen = figure->visibleRegion().boundingRect().width();
            if (figure->fontMetrics().horizontalAdvance(figure->text()) > seen)
                cut << QStringLiteral("%1 in %2 px").arg(figure->text()).arg(seen);
        }
        return cut;
    }

    /// Shows a widget beside the inspector of windows of these widths, or in a part of it.
    static void walk(QWidget &panel, int part = 1)
    {
        auto *view = panel.findChild<QAbstractItemView *>();
        for (const int width : {1024, 1366, 1920, 3840}) {
            panel.resize(width * 7 / 10 / part, 600);
            panel.show();
            QTRY_VERIFY2(figures(*view) > 0, panel.metaObject()->className());
            QTRY_COMPARE(cutFigures(*view), QStringList());
        }
    }
    static bool isFigure(const QString &text)
    {
        static const QRegularExpression figure(QStringLiteral("^[≥≤]? ?\\d"));
        return figure.match(text).hasMatch();
    }
    template <typename Take>
    static void visit(const QAbstractItemView &view, Take take)
    {
        const auto *table = qobject_cast<const QTableView *>(&view);
        const auto *header =
            table ? table->horizontalHeader() : qobject_cast<const QTreeView *>(&view)->header();
        for (int row = 0; row < view.model()->rowCount(); ++row) {
            for (int column = 0; column < view.model()->columnCount(); ++column) {
                const QModelIndex cell = view.model()->index(row, column);
                if (!header->isSectionHidden(column) && isFigure(cell.data().toString()))
                    take(cell, header->sectionSize(column));
            }
        }
    }
    static QStringList cutFigures(const QAbstractItemView &view)
    {
        QStringList cut;
        visit(view, [&](const QModelIndex &cell, int width) {
            if (view.sizeHintForIndex(cell).width() > width)
                cut << QStringLiteral("%1 in %2 px").arg(cell.data().toString()).arg(width);
        });
        return cut;
    }
    static int figures(const QAbstractItemView &view)
    {
        int count = 0;
        visit(view, [&count](const QModelIndex &, int) { ++count; });
        return count;
    }

    OwnSettings m_files;
    QTranslator m_chinese;
    DisplayClock m_clock;
    OwnerNames m_names;
    QAction m_action{QStringLiteral("Act")};
};

QTEST_MAIN(FiguresTest)
#include "tst_figures.moc"
