// SPDX-License-Identifier: GPL-3.0-or-later
// Which columns there are is the user's choice, and rows are as high as the user wants.
#include "ui/locks/lockheader.h"
#include "ui/locks/lockspage.h"

#include "tests/ui/samplelocks.h"
#include "ui/widgets/savedwidgetstate.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

#include <array>

using namespace lockscope;
using namespace lockscope::sample;

using Column = LockTableModel::Column;

class LockHeaderTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        // The offscreen platform says of windows with a least size, and of menus, what it does not have.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        m_page = std::make_unique<LocksPage>();
        m_page->setStale(now);
        m_page->resize(900, 400);
        m_page->show();
        m_table = m_page->findChild<QTableView *>();
        m_header = m_page->findChild<LockHeader *>();
        m_page->apply(changes({reentrant("a"), reentrant("b")}));
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    void cleanup() { m_page.reset(); }

    void columnsAreChosen()
    {
        m_page->resize(700, 400);
        QVERIFY(isHidden(Column::Family) && !isHidden(Column::Owner));
        choose(QStringLiteral("Family"));
        choose(QStringLiteral("Owner"));
        QVERIFY(!isHidden(Column::Family) && isHidden(Column::Owner));
        QVERIFY(m_header->sectionSize(int(Column::Family)) > 0);
        m_page->resize(1000, 400); // a choice outlasts another size
        QVERIFY(!isHidden(Column::Family) && isHidden(Column::Owner));
        m_header->moveSection(m_header->visualIndex(int(Column::Held)), 1);
        m_page->resize(700, 400);
        choose(QStringLiteral("Reset columns"));
        QVERIFY(isHidden(Column::Family) && !isHidden(Column::Owner));
        QCOMPARE(m_header->visualIndex(int(Column::Held)), int(Column::Held));
        QCOMPARE(m_table->horizontalScrollBarPolicy(), Qt::ScrollBarAlwaysOff);
    }

    /// The most important first, however wide the font is.
    void whatIsAskedFirstComesFirst()
    {
        const std::array byImportance{Column::Ttl,   Column::Waiters, Column::Owner,   Column::Held,
                                      Column::Holds, Column::Family,  Column::WaitsFor};
        for (int width = m_page->minimumWidth(); width < 1800; width += 40) {
            m_page->resize(width, 400);
            for (size_t i = 1; i < byImportance.size(); ++i)
                QVERIFY2(isHidden(byImportance[i]) || !isHidden(byImportance[i - 1]),
                         qPrintable(QString::number(width)));
            int all = 0;
            for (int section = 0; section < m_header->count(); ++section)
                all += m_header->sectionSize(section);
            QVERIFY2(all <= width, qPrintable(QString::number(width)));
        }
        QVERIFY(!isHidden(Column::WaitsFor) && isHidden(Column::Blocks) && isHidden(Column::Problem));
    }

    /// However much room there is, some columns are only shown where the user wants them.
    void someAreThereWhenChosen()
    {
        m_page->resize(4000, 400);
        for (const LockColumnSpec &column : lockColumns()) {
            if (column.id != Column::Node)
                QCOMPARE(isHidden(column.id), column.room.turn == ColumnRoom::whenChosen);
        }
    }

    void theLayoutIsKept()
    {
        choose(QStringLiteral("Owner"));
        m_header->moveSection(m_header->visualIndex(int(Column::Held)), 1);
        m_header->resizeSection(int(Column::Key), 321);
        m_table->sortByColumn(int(Column::Waiters), Qt::DescendingOrder);
        const QTemporaryDir directory;
        QSettings settings(directory.filePath(QStringLiteral("layout.ini")), QSettings::IniFormat);
        SavedWidgetState::saveAll(*m_page, settings);
        init();
        SavedWidgetState::restoreAll(*m_page, settings);
        QVERIFY(isHidden(Column::Owner) && !isHidden(Column::Ttl));
        QCOMPARE(m_header->visualIndex(int(Column::Held)), 1);
        QCOMPARE(m_header->sectionSize(int(Column::Key)), 321);
        QCOMPARE(m_header->sortIndicatorSection(), int(Column::Waiters));
        QCOMPARE(m_header->sortIndicatorOrder(), Qt::DescendingOrder);
        m_page->resize(800, 400);
        QCOMPARE(m_header->sectionSize(int(Column::Key)), 321);
    }

    void layoutsOfOtherVersions_data()
    {
        QTest::addColumn<QByteArray>("saved");
        QTest::addColumn<bool>("isTaken");
        QTest::addRow("other columns")
            << QByteArray("held-for=130 moon=90 state=0 key=200 problems=190 moon=descending") << true;
        QTest::addRow("before names") << QHeaderView(Qt::Horizontal).saveState() << false;
        QTest::addRow("damaged") << QByteArray("=1 moon key =x =") << false;
    }
    void layoutsOfOtherVersions()
    {
        QFETCH(QByteArray, saved);
        QFETCH(bool, isTaken);
        const QTemporaryDir directory;
        QSettings settings(directory.filePath(QStringLiteral("layout.ini")), QSettings::IniFormat);
        settings.setValue(QStringLiteral("header"), saved);
        SavedWidgetState::restoreAll(*m_page, settings);
        QVERIFY(!isHidden(Column::State) && !isHidden(Column::Owner));
        QCOMPARE(isHidden(Column::Problem), !isTaken);
        QCOMPARE(m_header->visualIndex(int(Column::Held)) == 0, isTaken);
        QCOMPARE(m_header->sortIndicatorSection(), int(Column::State));
        m_page->resize(1800, 400);
        QCOMPARE(isHidden(Column::Problem), !isTaken);
    }

    void someAreAlwaysThere()
    {
        const auto menu = menuOf();
        QStringList fixed;
        for (const QAction *action : menu->actions()) {
            if (!action->isEnabled())
                fixed.append(action->text());
        }
        QCOMPARE(fixed, (QStringList{QStringLiteral("State"), QStringLiteral("Key")}));
        for (const QAction *action : menu->actions())
            QVERIFY(action->text() != QStringLiteral("Node")); // no cluster
    }

    void theMenuOpensInBothWays()
    {
        m_page->chooseColumns();
        const auto open = [this] {
            const QList<QMenu *> menus = m_page->findChildren<QMenu *>();
            return std::any_of(menus.begin(), menus.end(),
                               [](const QMenu *menu) { return menu->isVisible(); });
        };
        QVERIFY(open());
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
        QTRY_VERIFY(!open());
        QContextMenuEvent event(QContextMenuEvent::Mouse, {20, 5}, m_header->mapToGlobal(QPoint(20, 5)));
        QCoreApplication::sendEvent(m_header->viewport(), &event);
        QVERIFY(open());
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
    }

    /// In a cluster a node that joins brings back no column that the user does not want.
    void theNodeStaysHidden()
    {
        m_header->setNodeCharacters(5);
        QVERIFY(!isHidden(Column::Node));
        choose(QStringLiteral("Node"));
        QVERIFY(isHidden(Column::Node));
        m_header->setNodeCharacters(6);
        QVERIFY(isHidden(Column::Node));
        choose(QStringLiteral("Node"));
        m_header->setNodeCharacters(5);
        QVERIFY(!isHidden(Column::Node));
    }

    void rowsAreLower()
    {
        const int usual = m_table->rowHeight(0);
        m_page->setCompact(true);
        QVERIFY(m_table->rowHeight(0) < usual);
        QVERIFY(m_table->rowHeight(0) > m_table->fontMetrics().height());
        m_page->setCompact(false);
        QCOMPARE(m_table->rowHeight(0), usual);
    }

private:
    bool isHidden(Column column) const { return m_header->isSectionHidden(int(column)); }
    std::unique_ptr<QMenu> menuOf() const
    {
        auto menu = std::make_unique<QMenu>();
        m_header->fillMenu(*menu);
        return menu;
    }
    void choose(const QString &text) const
    {
        const auto menu = menuOf();
        for (QAction *action : menu->actions()) {
            if (action->text().remove(u'&') == text)
                return action->trigger();
        }
        QFAIL(qPrintable(text));
    }

    std::unique_ptr<LocksPage> m_page;
    QTableView *m_table = nullptr;
    LockHeader *m_header = nullptr;
};

QTEST_MAIN(LockHeaderTest)
#include "tst_lockheader.moc"
