// SPDX-License-Identifier: GPL-3.0-or-later
// The filter bar above a table, driven by the keyboard.
#include "ui/locks/lockfilterbar.h"

#include "tests/support/ownsettings.h"
#include "tests/ui/samplelocks.h"
#include "ui/locks/filterpopup.h"
#include "ui/locks/filterterms.h"
#include "ui/locks/keptfilters.h"
#include "ui/locks/lockspage.h"

#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QTableView>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class LockFilterBarTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(
            QStringLiteral("^(?!This plugin does not support )"))); // menus: what is offscreen
        QSettings().clear();
        m_page = std::make_unique<LocksPage>();
        m_page->keepFilters();
        m_page->setStale(now);
        m_page->resize(900, 400);
        m_page->show();
        m_page->activateWindow();
        m_field = m_page->findChild<QLineEdit *>();
        m_page->apply(changes({reentrant("lock:order:1"), reentrant("lock:order:2", 20s, "batch 2"),
                               token("lock:pay"), endless(token("lock:end"))}));
        m_page->focusFilter();
        QTRY_VERIFY(m_field->hasFocus());
    }
    void cleanup() { m_page.reset(); }

    /// A time that was chosen elsewhere is a term like others, with what removes it.
    void aTimeIsATerm()
    {
        QSignalSpy removed(m_page.get(), &LocksPage::timeFilterRemoved);
        m_page->setTimeFilter(QStringLiteral("12:00 – 12:01"), {LockKey("lock:pay"), LockKey("lock:end")});
        QCOMPARE(rows(), 2);
        m_field->setText(QStringLiteral("state:no-expiry"));
        QCOMPARE(rows(), 1);
        QVERIFY(m_page->exported({}, false, {}).filter.contains(QStringLiteral("[12:00 – 12:01]")));
        m_field->clear();
        auto *term = m_page->findChild<FilterTerm *>();
        QVERIFY(term && term->isVisible() && term->text() == QStringLiteral("12:00 – 12:01"));
        term->click();
        QCOMPARE(removed.size(), 1);
        m_page->clear(); // Escape takes it back, too
        QCOMPARE(removed.size(), 2);
        m_page->setTimeFilter({}, {});
        QCOMPARE(rows(), 4);
    }

    /// Letter by letter to a token, nothing empties the table.
    void typingATokenKeepsTheTable()
    {
        for (const QChar letter : QStringLiteral("state:no-expiry")) {
            QTest::keyClicks(m_field, QString(letter));
            QVERIFY2(rows() > 0, qPrintable(m_field->text()));
        }
        QCOMPARE(rows(), 1);
        QTest::keyClicks(m_field, QStringLiteral(" ttl<"));
        QCOMPARE(rows(), 1);
        QVERIFY(!isAnythingWrong());
        QTest::keyClicks(m_field, QStringLiteral(" "));
        QVERIFY(isAnythingWrong() && rows() == 1);
    }

    void whatIsLeftUnfinishedIsWrong_data()
    {
        QTest::addColumn<int>("key");
        QTest::newRow("return") << int(Qt::Key_Return);
        QTest::newRow("tab") << int(Qt::Key_Tab);
    }
    void whatIsLeftUnfinishedIsWrong()
    {
        QFETCH(int, key);
        QTest::keyClicks(m_field, QStringLiteral("key:"));
        QVERIFY(!isAnythingWrong());
        QVERIFY(shownTexts().contains(QStringLiteral("Part of the key, or a pattern")));
        QTest::keyClick(m_field, Qt::Key(key));
        QTRY_VERIFY(isAnythingWrong());
        QCOMPARE(rows(), 4);
        QVERIFY(KeptFilters::recent().isEmpty());
    }

    void aSuggestionIsTakenOver()
    {
        QTest::keyClicks(m_field, QStringLiteral("ord fam"));
        QVERIFY(popup() && popup()->isVisible());
        QTest::keyClick(m_field, Qt::Key_Tab); // the first
        QCOMPARE(m_field->text(), QStringLiteral("ord family:"));
        QVERIFY(m_field->hasFocus() && popup()->isVisible());
        QTest::keyClick(m_field, Qt::Key_Down);
        QTest::keyClick(m_field, Qt::Key_Return);
        QVERIFY2(m_field->text() == QStringLiteral("ord family:reentrant") ||
                     m_field->text() == QStringLiteral("ord family:token"),
                 qPrintable(m_field->text()));
        QVERIFY(!popup()->isVisible());
        m_field->undo();
        QCOMPARE(m_field->text(), QStringLiteral("ord family:"));
    }

    void anOwnerIsTakenOverExactly()
    {
        QTest::keyClicks(m_field, QStringLiteral("owner:bat"));
        QTest::keyClick(m_field, Qt::Key_Down);
        QTest::keyClick(m_field, Qt::Key_Tab);
        QCOMPARE(m_field->text(), QStringLiteral("owner=\"batch 2\""));
        QCOMPARE(rows(), 1);
    }

    void escapeClosesTheListAlone()
    {
        QTest::keyClicks(m_field, QStringLiteral("state:"));
        QVERIFY(popup()->isVisible());
        QTest::keyClick(m_field, Qt::Key_Escape);
        QVERIFY(!popup()->isVisible());
        QCOMPARE(m_field->text(), QStringLiteral("state:"));
        QVERIFY(
            shownTexts().contains(QStringLiteral("State, such as held"))); // beside the list it stood in it
        QTest::keyClick(m_field, Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(popup()->isVisible());
        m_field->clear();
        QVERIFY(!popup()->isVisible());
        QTest::keyClick(m_field, Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(popup()->isVisible() && popup()->suggestions().size() > 8); // every token
    }

    void eachTermIsRemoved()
    {
        QVERIFY(terms().isEmpty());
        m_field->setText(QStringLiteral("lock"));
        QVERIFY(terms().isEmpty()); // the field's own button removes it
        m_field->setText(QStringLiteral("lock key:\"order:1\" -pay"));
        QTRY_COMPARE(terms().size(), 3);
        QCOMPARE(terms()[1]->text(), QStringLiteral("key:\"order:1\""));
        QTest::mouseClick(terms()[1], Qt::LeftButton);
        QCOMPARE(m_field->text(), QStringLiteral("lock -pay"));
        QCOMPARE(rows(), 3);
        QTRY_COMPARE(terms().size(), 2);
        terms()[0]->setFocus();
        QTest::keyClick(terms()[0], Qt::Key_Delete);
        QCOMPARE(m_field->text(), QStringLiteral("-pay"));
        QCOMPARE(terms().size(), 0);
        // A wrong one, too.
        m_field->setText(QStringLiteral("pay state:xyz"));
        QTRY_COMPARE(terms().size(), 2);
        QTest::mouseClick(terms()[1], Qt::LeftButton);
        QCOMPARE(m_field->text(), QStringLiteral("pay"));
        QVERIFY(!isAnythingWrong());
    }

    void theCellsFilter()
    {
        m_page->choose(LockKey("lock:order:2"));
        const auto choose = [this](const QString &menu, const QString &term) {
            QMenu all;
            m_page->fillFilterMenu(all);
            for (QAction *each : all.actions()) {
                for (QAction *choice : each->menu()->actions()) {
                    if (QString(each->text()).remove(u'&') == menu && choice->text() == term)
                        return choice->trigger();
                }
            }
            QFAIL(qPrintable(term));
        };
        choose(QStringLiteral("Filter to"), QStringLiteral("owner=\"batch 2\""));
        QCOMPARE(rows(), 1);
        choose(QStringLiteral("Filter out"), QStringLiteral("-owner=\"batch 2\""));
        QCOMPARE(m_field->text(), QStringLiteral("-owner=\"batch 2\"")); // one or the other
        QCOMPARE(rows(), 3);
        m_page->choose(LockKey("lock:pay"));
        choose(QStringLiteral("Filter to"), QStringLiteral("family:token"));
        QCOMPARE(rows(), 2);
        m_field->setText(QStringLiteral("family:token"));
        m_page->choose(LockKey("lock:order:2")); // without the filter
        m_field->setText(QStringLiteral("-family:reentrant lock:"));
        m_field->clear();
        m_page->choose(LockKey("lock:order:2"));
        choose(QStringLiteral("Filter to"), QStringLiteral("key=\"lock:order:2\""));
        QCOMPARE(rows(), 1);
        QVERIFY(KeptFilters::recent().contains(QStringLiteral("key=\"lock:order:2\"")));
    }

    void appliedFiltersAreKept()
    {
        QTest::keyClicks(m_field, QStringLiteral("order"));
        QTest::keyClick(m_field, Qt::Key_Return);
        m_field->setText(QStringLiteral("pay"));
        m_page->focusFilter();
        QTest::keyClick(m_field, Qt::Key_Down);
        QCOMPARE(KeptFilters::recent(), (QStringList{QStringLiteral("pay"), QStringLiteral("order")}));
        for (int i = 0; i < 25; ++i)
            KeptFilters::addRecent(QStringLiteral("filter%1").arg(i));
        QCOMPARE(KeptFilters::recent().size(), 20);
        KeptFilters::addRecent(QStringLiteral("order "));
        KeptFilters::addRecent(QStringLiteral("filter24"));
        QCOMPARE(KeptFilters::recent().first(2),
                 (QStringList{QStringLiteral("filter24"), QStringLiteral("order")}));

        m_page->focusFilter();
        QTRY_VERIFY(m_field->hasFocus());
        m_field->clear();
        QTest::keyClick(m_field, Qt::Key_Down);
        QVERIFY(popup()->isVisible());
        QTest::keyClick(m_field, Qt::Key_Down);
        QTest::keyClick(m_field, Qt::Key_Down);
        QTest::keyClick(m_field, Qt::Key_Return);
        QCOMPARE(m_field->text(), QStringLiteral("order"));
        QCOMPARE(rows(), 2);
    }

    void filtersAreSaved()
    {
        KeptFilters::save({QStringLiteral("mine"), QStringLiteral("owner:web")});
        KeptFilters::save({QStringLiteral("all day"), QStringLiteral("held>5m")});
        KeptFilters::save({QStringLiteral("mine"), QStringLiteral("owner:batch")});
        KeptFilters::save({QStringLiteral("  "), QStringLiteral("owner:batch")});
        QCOMPARE(names(), QStringLiteral("all day=held>5m|mine=owner:batch"));
        KeptFilters::rename(QStringLiteral("all day"), QStringLiteral("nightly"));
        KeptFilters::rename(QStringLiteral("nobody"), QStringLiteral("x"));
        QCOMPARE(names(), QStringLiteral("mine=owner:batch|nightly=held>5m"));
        KeptFilters::remove(QStringLiteral("nightly"));
        QCOMPARE(names(), QStringLiteral("mine=owner:batch"));
    }

    void theMenuSavesAndForgets()
    {
        m_field->setText(QStringLiteral("lock:order"));
        QTest::keyClick(m_field, Qt::Key_Return);
        menuEntry(QStringLiteral("&Save this filter…"))->trigger();
        auto *dialog = m_page->findChild<QInputDialog *>();
        QVERIFY(dialog);
        dialog->setTextValue(QStringLiteral("orders & more"));
        dialog->accept();
        QCOMPARE(names(), QStringLiteral("orders & more=lock:order"));
        m_field->clear();
        menuEntry(QStringLiteral("orders && more"))->trigger();
        QCOMPARE(m_field->text(), QStringLiteral("lock:order"));
        QCOMPARE(KeptFilters::recent().size(), 1);
        menuEntry(QStringLiteral("&Forget recent filters"))->trigger();
        QVERIFY(KeptFilters::recent().isEmpty());
        QCOMPARE(names(), QStringLiteral("orders & more=lock:order"));
    }

private:
    int rows() const { return m_page->model().rowCount(); }
    FilterPopup *popup() const { return m_page->findChild<FilterPopup *>(); }
    QList<FilterTerm *> terms() const
    {
        QList<FilterTerm *> shown;
        for (FilterTerm *each : m_page->findChildren<FilterTerm *>()) {
            if (each->isVisible())
                shown.append(each);
        }
        return shown;
    }
    QString shownTexts() const
    {
        QStringList texts;
        for (const QLabel *label : m_page->findChildren<QLabel *>()) {
            if (label->isVisible())
                texts.append(label->text());
        }
        return texts.join(u'\n');
    }
    bool isAnythingWrong() const
    {
        const QString texts = shownTexts();
        return texts.contains(QStringLiteral("needs a")) || texts.contains(QStringLiteral("is unknown. Try"));
    }
    static QString names()
    {
        QStringList names;
        for (const SavedFilter &each : KeptFilters::saved())
            names.append(each.name + u'=' + each.text);
        return names.join(u'|');
    }
    QAction *menuEntry(const QString &text)
    {
        while (const QMenu *open = m_page->findChild<QMenu *>())
            delete open;
        m_page->focusFilter();
        QTest::keyClick(m_field, Qt::Key_Down, Qt::AltModifier);
        for (const QMenu *menu : m_page->findChildren<QMenu *>()) {
            for (QAction *action : menu->actions()) {
                if (action->text() == text)
                    return action;
            }
        }
        qFatal("no entry %s", qPrintable(text));
    }

    OwnSettings m_files;
    std::unique_ptr<LocksPage> m_page;
    QLineEdit *m_field = nullptr;
};

QTEST_MAIN(LockFilterBarTest)
#include "tst_lockfilterbar.moc"
