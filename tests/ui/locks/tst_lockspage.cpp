// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockspage.h"

#include "core/table/locktext.h"
#include "tests/ui/samplelocks.h"
#include "ui/locks/filterchip.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QTableView>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class LocksPageTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        // The offscreen platform says of each window with a least size that it has none.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        m_names.setAll({});
        m_page = std::make_unique<LocksPage>(m_names);
        m_page->setStale(now);
        m_page->resize(900, 400);
        m_page->show();
        m_table = m_page->findChild<QTableView *>();
        m_filter = m_page->findChild<QLineEdit *>();
    }
    void cleanup() { m_page.reset(); }

    void aChosenLockStaysChosen()
    {
        m_page->apply(changes(many(50)));
        m_table->selectRow(20);
        const LockKey chosen = *m_page->chosen();
        QSignalSpy spy(m_page.get(), &LocksPage::chosenChanged);
        // Others come and go above and below.
        m_page->apply(
            changes({reentrant("lock:older", 20s, "o", 1, 9h), endless(token("lock:first"))}, {"lock:0003"}));
        QCOMPARE(m_page->chosen(), chosen);
        QVERIFY(m_table->selectionModel()->isRowSelected(m_page->model().indexOf(chosen).row()));

        m_page->apply(changes({}, {chosen.bytes}));
        QCOMPARE(m_page->chosen(), chosen);
        QVERIFY(!m_page->chosenLock());
        m_page->apply(changes({reentrant(chosen.bytes)}));
        QVERIFY(m_page->chosenLock());
        QVERIFY(m_table->selectionModel()->isRowSelected(m_page->model().indexOf(chosen).row()));
        QCOMPARE(spy.size(), 0);
    }

    void nothingIsChosenByItself()
    {
        m_page->apply(changes(many(5)));
        m_page->activateWindow();
        m_page->focusTable();
        QTRY_VERIFY(m_table->hasFocus());
        QVERIFY(!m_page->chosen() && !m_table->selectionModel()->hasSelection());
        // Rows that come, go and move choose nothing either.
        m_page->apply(changes({endless(token("lock:first"))}, {"lock:0000"}));
        m_table->sortByColumn(static_cast<int>(LockTableModel::Column::Key), Qt::DescendingOrder);
        QVERIFY(!m_page->chosen() && !m_table->selectionModel()->hasSelection());
        QTest::keyClick(m_table, Qt::Key_Down);
        QCOMPARE(m_page->chosen()->bytes, topKey());
        QVERIFY(m_table->selectionModel()->isRowSelected(0));
    }

    /// Where the only row leaves as another comes, Qt's selection stays with the place, not with the lock.
    void theNextLockIsNotTheChosenOne()
    {
        m_page->apply(changes({reentrant("a")}));
        m_table->selectRow(0);
        m_page->apply(changes({reentrant("b")}, {"a"}));
        QVERIFY(!m_page->chosenLock() && m_page->selected().isEmpty());
        QVERIFY(m_page->model().isGone(0) && m_table->selectionModel()->isRowSelected(0));
        QVERIFY(!m_table->selectionModel()->isRowSelected(1));
        m_page->apply(changes({reentrant("a")}, {"b"}));
        QVERIFY(m_page->chosenLock() && m_table->selectionModel()->isRowSelected(0));
    }

    void whatTheFilterHidesIsNotChosen()
    {
        m_page->apply(changes({reentrant("lock:order"), token("lock:pay")}));
        choose("lock:order");
        QSignalSpy spy(m_page.get(), &LocksPage::chosenChanged);
        m_filter->setText(QStringLiteral("pay"));
        QVERIFY(!m_page->chosen() && !m_page->chosenLock());
        QVERIFY(!m_table->selectionModel()->hasSelection());
        QCOMPARE(spy.size(), 1);
        m_filter->clear();
        QVERIFY(!m_page->chosen() && !m_table->selectionModel()->hasSelection());

        // A reading can take it out of what is shown, and so can time.
        choose("lock:order");
        m_filter->setText(QStringLiteral("owner:web-1"));
        QVERIFY(m_page->chosenLock());
        m_page->apply(changes({reentrant("lock:order", 20s, "batch:2")}));
        QVERIFY(!m_page->chosen());
        m_filter->setText(QStringLiteral("state:held"));
        choose("lock:order");
        m_page->setStale(now + 19s);
        QTRY_VERIFY(!m_page->chosen());

        // One that comes back as what is hidden is not chosen any more.
        m_page->setStale(now);
        m_filter->setText(QStringLiteral("owner:batch"));
        choose("lock:order");
        m_page->apply(changes({}, {"lock:order"}));
        QVERIFY(m_page->chosen() && !m_page->chosenLock());
        m_page->apply(changes({reentrant("lock:order", 20s, "web-1:7")}));
        QVERIFY(!m_page->chosen());
    }

    void onlyOneRowTakesThePlaceOfAnother()
    {
        m_page->apply(changes({reentrant("lock:order"), token("lock:pay")}));
        m_filter->setText(QStringLiteral("order"));
        choose("lock:order");
        m_filter->setText(QStringLiteral("pay"));
        QVERIFY(!m_page->chosen() && !m_table->selectionModel()->hasSelection());
    }

    void whatIsNotSelectedIsNotChosen()
    {
        m_page->apply(changes(many(5)));
        m_table->selectRow(2);
        const QPoint row = m_table->visualRect(m_page->model().index(2, 1)).center();
        QTest::mouseClick(m_table->viewport(), Qt::LeftButton, Qt::ControlModifier, row);
        QVERIFY(!m_table->selectionModel()->hasSelection());
        QVERIFY(!m_page->chosen());
    }

    void theMenuIsForTheChosenRow()
    {
        m_page->apply(changes(many(5)));
        QSignalSpy spy(m_page.get(), &LocksPage::contextMenuWanted);
        const auto ask = [this](int row) {
            emit m_table->customContextMenuRequested(
                m_table->visualRect(m_page->model().index(row, 1)).center());
        };
        ask(1);
        QCOMPARE(spy.size(), 0);
        m_table->selectRow(3);
        ask(1);
        QCOMPARE(spy.size(), 0);
        ask(3);
        QCOMPARE(spy.size(), 1);
        // By the key for it: for the chosen row, wherever that is.
        const auto press = [this] {
            QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(1, 1), QPoint(1, 1));
            QCoreApplication::sendEvent(m_table, &event);
        };
        press();
        QCOMPARE(spy.size(), 2);
        const QPoint place = m_table->viewport()->mapFromGlobal(spy.last().first().toPoint());
        QCOMPARE(m_table->indexAt(place).row(), 3);
        m_page->clear();
        press();
        QCOMPARE(spy.size(), 2);
    }

    void theFilterLeadsToTheFirstRow_data()
    {
        QTest::addColumn<int>("key");
        QTest::newRow("Return") << int(Qt::Key_Return);
        QTest::newRow("Enter") << int(Qt::Key_Enter);
        QTest::newRow("Down") << int(Qt::Key_Down);
    }
    void theFilterLeadsToTheFirstRow()
    {
        QFETCH(int, key);
        m_page->apply(changes(many(50)));
        m_page->activateWindow();
        m_page->focusFilter();
        QTest::keyClicks(m_filter, QStringLiteral("004"));
        QTest::keyClick(m_filter, Qt::Key(key));
        QCOMPARE(*m_page->chosen(), LockKey("lock:0004"));
        QVERIFY(m_table->selectionModel()->isRowSelected(0));
        QTRY_VERIFY(m_table->hasFocus());
        // With nothing shown there is nowhere to go.
        m_page->focusFilter();
        QTest::keyClicks(m_filter, QStringLiteral("nothing"));
        QTest::keyClick(m_filter, Qt::Key(key));
        QVERIFY(!m_page->chosen());
        QTRY_VERIFY(m_filter->hasFocus());
    }

    void rowsInSightStayWhereTheyAre()
    {
        m_page->apply(changes(many(400)));
        QTRY_VERIFY(m_table->verticalScrollBar()->maximum() > 0);
        m_table->verticalScrollBar()->setValue(m_table->rowHeight(0) * 100);
        const QByteArray top = topKey();
        QList<WatchedLock> above;
        for (int i = 0; i < 20; ++i)
            above.append(endless(token("lock:endless:" + QByteArray::number(i))));
        m_page->apply(changes(above));
        QCOMPARE(topKey(), top);
        m_page->apply(changes({}, {"lock:endless:3", "lock:endless:4"}));
        QCOMPARE(topKey(), top);
    }

    void theTopStaysTheTop()
    {
        m_page->apply(changes(many(400)));
        m_page->apply(changes({endless(token("lock:urgent"))}));
        QCOMPARE(topKey(), QByteArray("lock:urgent"));
    }

    void filtersAsOneTypes()
    {
        m_page->apply(changes({reentrant("lock:order:1"), token("lock:pay:2")}));
        m_page->focusFilter();
        QTest::keyClicks(m_filter, QStringLiteral("pay"));
        QCOMPARE(m_page->model().rowCount(), 1);
        QTest::keyClicks(m_filter, QStringLiteral("zzz"));
        QCOMPARE(m_page->model().rowCount(), 0);
        QVERIFY(!m_table->isVisible());
        m_page->clear();
        QCOMPARE(m_page->model().rowCount(), 2);
        QVERIFY(m_table->isVisible());
    }

    void nonsenseIsSaidAndChangesNothing()
    {
        m_page->apply(changes({reentrant("lock:order:1"), token("lock:pay:2")}));
        m_filter->setText(QStringLiteral("pay"));
        m_filter->setText(QStringLiteral("pay state:x"));
        QCOMPARE(m_page->model().rowCount(), 1);
        const auto labels = m_page->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
            return label->isVisible() && label->text().contains(QStringLiteral("is unknown. Try"));
        }));
    }

    void chipsFilterAndCount()
    {
        m_page->apply(
            changes({reentrant("a"), reentrant("b", 2s), endless(token("c")),
                     withProblem(reentrant("d"), Problem::BadCount), queued(redisson("e"), {"x:1", "!x:2"}),
                     listenedTo(redisson("f"), 0), seenWith(redisson("g"), Problem::Deadlock), stalled("h"),
                     withProblem(reentrant("i"), Problem::HolderDead)}));
        m_page->resize(2000, 400);
        const auto chips = m_page->findChildren<FilterChip *>();
        QTRY_COMPARE(chips[0]->count(), 9);
        QVERIFY(chips[0]->isChecked());
        // What a chip counts is what it shows.
        const QList<std::pair<QString, int>> filters{
            {QStringLiteral("state:deadlock"), 1},      {QStringLiteral("state:orphaned"), 0},
            {QStringLiteral("state:corrupt"), 1},       {QStringLiteral("no-expiry:any"), 1},
            {QStringLiteral("state:stalled"), 1},       {QStringLiteral("problem:dead-waiter"), 1},
            {QStringLiteral("problem:holder-dead"), 1}, {QStringLiteral("problem:any"), 6},
            {QStringLiteral("waiters>=1"), 1},          {QStringLiteral("state:expiring"), 1},
            {QStringLiteral("no-expiry:open"), 0},      {QStringLiteral("state:possible"), 0}};
        QCOMPARE(chips.size(), filters.size() + 2); // all, and what has no room
        QVERIFY(!chips.last()->isVisible());
        for (qsizetype i = 0; i < filters.size(); ++i) {
            FilterChip *chip = chips[i + 1];
            QCOMPARE(chip->isVisible(), filters[i].second > 0); // none is rare here but the orphaned
            if (filters[i].second == 0)
                continue;
            QTest::mouseClick(chip, Qt::LeftButton);
            QCOMPARE(m_filter->text(), filters[i].first);
            QCOMPARE(m_page->model().rowCount(), filters[i].second);
            QTRY_COMPARE(chip->count(), filters[i].second);
            QVERIFY(chip->isChecked() && !chips[i]->isChecked());
        }
        QTest::mouseClick(chips[0], Qt::LeftButton);
        QCOMPARE(m_page->model().rowCount(), 9);
        QVERIFY(chips[0]->isChecked());
    }

    void aRareStateHasItsChipFromThenOn()
    {
        m_page->resize(2000, 400);
        const FilterChip *corrupt = m_page->findChildren<FilterChip *>().at(3);
        QVERIFY(!corrupt->isVisible());
        m_page->apply(changes({withProblem(reentrant("d"), Problem::BadCount)}));
        QTRY_VERIFY(corrupt->isVisible() && corrupt->count() == 1);
        m_page->apply(changes({}, {"d"}));
        QTRY_COMPARE(corrupt->count(), 0);
        QVERIFY(corrupt->isVisible());
    }

    void chipsWithoutRoomAreInAMenu()
    {
        m_page->apply(changes({endless(token("c")), queued(redisson("e"), {"x:1"})}));
        m_page->resize(m_page->minimumWidth(), 400);
        const auto chips = m_page->findChildren<FilterChip *>();
        FilterChip *more = chips.last();
        QTRY_VERIFY(more->isVisible() && !chips[9]->isVisible());
        QVERIFY(chips[0]->isVisible());
        for (const FilterChip *chip : chips)
            QVERIFY(!chip->isVisible() ||
                    chip->mapTo(m_page.get(), chip->rect().topRight()).x() < m_page->width());
        QTest::mouseClick(more, Qt::LeftButton);
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(menu);
        for (qsizetype i = 0; i < chips.size() - 1; ++i) // each is in one place, with its word
            QVERIFY(!chips[i]->isVisible() || chips[i]->width() >= chips[i]->sizeHint().width());
        QCOMPARE(menu->actions().last()->text(), QStringLiteral("Expiring: 0"));
        menu->actions().last()->trigger();
        menu->close();
        QCOMPARE(m_filter->text(), QStringLiteral("state:expiring"));
        QVERIFY(more->isChecked());
        QCOMPARE(m_page->model().rowCount(), 0);
    }

    void aClickOnFreeSpaceChoosesNothing()
    {
        m_page->apply(changes({reentrant("a"), reentrant("b")}));
        m_table->selectRow(1);
        QVERIFY(m_page->chosen());
        const QPoint free(20, m_table->viewport()->height() - 5);
        QVERIFY(!m_table->indexAt(free).isValid());
        QTest::mouseClick(m_table->viewport(), Qt::LeftButton, {}, free);
        QVERIFY(!m_page->chosen());
    }

    void clearTakesTheFilterThenTheSelection()
    {
        m_page->apply(changes({reentrant("a"), reentrant("b")}));
        m_table->selectRow(0);
        m_filter->setText(QStringLiteral("a"));
        m_page->clear();
        QVERIFY(m_filter->text().isEmpty());
        QVERIFY(m_page->chosen());
        m_page->clear();
        QVERIFY(!m_page->chosen());
    }

    void whatIsInSightIsTold()
    {
        QSignalSpy spy(m_page.get(), &LocksPage::sightChanged);
        const auto reported = [&spy] {
            return spy.isEmpty() ? QList<LockKey>() : spy.last().first().value<QList<LockKey>>();
        };
        m_page->apply(changes(many(400)));
        QTRY_VERIFY(!reported().isEmpty());
        const qsizetype rows = m_table->viewport()->height() / m_table->rowHeight(0);
        QVERIFY(reported().size() >= rows && reported().size() <= rows + 2);
        QCOMPARE(reported().first().bytes, topKey());

        // Renewals move nothing in this order: the list is the same and not told again.
        const qsizetype before = spy.size();
        QSignalSpy ticks(m_page.get(), &LocksPage::ticked);
        m_page->apply(changes({renewed(many(400).first())}));
        QTRY_VERIFY(ticks.size() >= 2);
        QCOMPARE(spy.size(), before);

        // The chosen one comes first and stays when it is scrolled out of sight.
        m_table->selectRow(5);
        QTRY_COMPARE(reported().first(), *m_page->chosen());
        m_table->verticalScrollBar()->setValue(m_table->rowHeight(0) * 100);
        QTRY_COMPARE(reported().value(1).bytes, topKey());
        QCOMPARE(reported().first(), *m_page->chosen());
        const QList<LockKey> all = reported();
        QCOMPARE(QSet<LockKey>(all.begin(), all.end()).size(), all.size());

        m_table->sortByColumn(static_cast<int>(LockTableModel::Column::Key), Qt::DescendingOrder);
        QTRY_COMPARE(reported().value(1).bytes, topKey());
        m_filter->setText(QStringLiteral("lock:0399"));
        QTRY_COMPARE(reported(), QList<LockKey>({LockKey("lock:0399")}));
        m_filter->setText(QStringLiteral("nothing such"));
        QTRY_COMPARE(reported(), QList<LockKey>());
        m_filter->clear();
        QTRY_VERIFY(!reported().isEmpty());
        m_page->hide();
        QTRY_COMPARE(reported(), QList<LockKey>());
    }

    void namesStandForProcesses()
    {
        m_page->apply(changes({redisson("a"), redisson("b", otherClient + ":12")}));
        const auto owner = [this](const char *key) {
            return m_page->model().indexOf(LockKey(key), LockTableModel::Column::Owner).data().toString();
        };
        m_filter->setText(QStringLiteral("orders"));
        QCOMPARE(m_page->model().rowCount(), 0);
        m_names.setName(client, QStringLiteral(" Orders <3> "));
        QCOMPARE(owner("a"), QStringLiteral("Orders <3> · thread 12"));
        QCOMPARE(m_page->model().rowCount(), 1);
        m_filter->setText(QStringLiteral("owner:\"orders <3\""));
        QCOMPARE(m_page->model().rowCount(), 1);
        // The id is still what is sought, and the other one's is not touched.
        m_filter->setText(QString::fromLatin1(otherClient));
        QCOMPARE(owner("b"), QString::fromLatin1(otherClient + ":12"));
        m_filter->setText(QStringLiteral("orders"));
        m_names.setName(client, {});
        QCOMPARE(m_page->model().rowCount(), 0);
    }

    void aLockIsChosenByItsKey()
    {
        m_page->apply(changes({reentrant("a"), reentrant("b")}));
        QSignalSpy spy(m_page.get(), &LocksPage::chosenChanged);
        m_page->choose(LockKey("b"));
        QVERIFY(m_table->selectionModel()->isRowSelected(m_page->model().indexOf(LockKey("b")).row()));
        // One that the filter hides is shown: what is chosen is seen.
        m_filter->setText(QStringLiteral("key:b"));
        m_page->choose(LockKey("a"));
        QCOMPARE(*m_page->chosen(), LockKey("a"));
        QVERIFY(m_filter->text().isEmpty());
        QVERIFY(m_table->selectionModel()->isRowSelected(m_page->model().indexOf(LockKey("a")).row()));
        QCOMPARE(spy.size(), 2);
        // One that is not there can't be.
        m_page->choose(LockKey("c"));
        QVERIFY(!m_page->chosen() && !m_table->selectionModel()->hasSelection());
    }

    /// The first page shows what does damage, whatever has stood there longer.
    void theDamageIsOnTheFirstPage()
    {
        QList<WatchedLock> locks = many(400);
        locks.append(queued(redisson("lock:queue"), QList<QByteArray>(50, "x:1")));
        locks.append(stalled("lock:stalled"));
        m_page->apply(changes(locks));
        QTRY_COMPARE(topKey(), QByteArray("lock:stalled"));
        QCOMPARE(m_page->model().at(1).key(), LockKey("lock:queue"));
    }

    void muchComesFirstAtTheFirstClick()
    {
        m_page->apply(changes({queued(redisson("lock:a"), {"x:1"}),
                               queued(redisson("lock:b"), {"x:1", "x:2"}), reentrant("lock:c")}));
        QHeaderView *header = m_table->horizontalHeader();
        const auto click = [header](LockTableModel::Column column) {
            const int section = static_cast<int>(column);
            const QPoint place(header->sectionViewportPosition(section) + header->sectionSize(section) / 2,
                               header->height() / 2);
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
        };
        click(LockTableModel::Column::Waiters);
        QCOMPARE(topKey(), QByteArray("lock:b"));
        click(LockTableModel::Column::Waiters);
        QCOMPARE(topKey(), QByteArray("lock:c"));
        for (const auto column : {LockTableModel::Column::Held, LockTableModel::Column::Ttl}) {
            click(column);
            QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
        }
        click(LockTableModel::Column::Key);
        QCOMPARE(topKey(), QByteArray("lock:a"));
        click(LockTableModel::Column::State);
        QCOMPARE(header->sortIndicatorOrder(), Qt::AscendingOrder);
    }

    void theLeastWindowShowsWhatMatters()
    {
        m_page->apply(changes({seenWith(redisson("a"), Problem::RewrittenByOwner)}));
        m_page->resize(m_page->minimumWidth(), 400);
        using Column = LockTableModel::Column;
        const auto width = [this](Column column) { return m_table->columnWidth(static_cast<int>(column)); };
        for (const Column column : {Column::State, Column::Key, Column::Ttl})
            QVERIFY(width(column) >= 60);
        QCOMPARE(width(Column::Problem), 0);
        QTRY_COMPARE(m_table->horizontalScrollBar()->maximum(), 0);
        const QModelIndex state = m_page->model().index(0, 0);
        QCOMPARE(state.data().toString(), QStringLiteral("Rewritten"));
        QVERIFY(m_table->sizeHintForIndex(state).width() <= width(Column::State));
        QVERIFY(state.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("rewritten")));
        QVERIFY(!state.data(Qt::ToolTipRole).toString().isEmpty());
    }

    void waitsAreOthersAfterAJump()
    {
        QSignalSpy reported(&m_page->model(), &LockTableModel::waitsChanged);
        m_page->restartWaits();
        QCOMPARE(reported.size(), 1);
    }

    void theRowAsText()
    {
        m_page->apply(changes({reentrant("lock:a", 20s, "web-1:7", 2)}));
        m_table->selectRow(0);
        const QStringList cells = m_page->rowsText().split(u'\t');
        QCOMPARE(cells.size(), m_page->model().columnCount());
        QCOMPARE(cells[int(LockColumn::Key)], QStringLiteral("lock:a"));
        QCOMPARE(cells[int(LockColumn::Owner)], QStringLiteral("web-1:7"));
        QCOMPARE(cells[int(LockColumn::Holds)], QStringLiteral("2"));
    }

private:
    static QList<WatchedLock> many(int count)
    {
        QList<WatchedLock> locks;
        for (int i = 0; i < count; ++i)
            locks.append(reentrant("lock:" + QByteArray::number(i).rightJustified(4, '0'), 20s, "o", 1,
                                   seconds(count - i)));
        return locks;
    }
    static milliseconds seconds(int count) { return std::chrono::seconds(count); }
    void choose(const QByteArray &key)
    {
        m_table->selectRow(m_page->model().indexOf(LockKey(key)).row());
        QCOMPARE(m_page->chosen(), LockKey(key));
    }
    QByteArray topKey() const { return m_table->indexAt({1, 1}).data(LockTableModel::KeyRole).toByteArray(); }

    OwnerNames m_names;
    std::unique_ptr<LocksPage> m_page;
    QTableView *m_table = nullptr;
    QLineEdit *m_filter = nullptr;
};

QTEST_MAIN(LocksPageTest)
#include "tst_lockspage.moc"
