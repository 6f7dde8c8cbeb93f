// SPDX-License-Identifier: GPL-3.0-or-later
// Families… of the window on a real server: what is switched off is not looked for, also the next time, and patterns are kept; a draft reads the chosen lock.
#include "tests/system/ui/testwindow.h"
#include "ui/connect/patternsdialog.h"
#include "ui/families/familiesdialog.h"

#include <QDialogButtonBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTreeWidget>

using namespace lockscope;

namespace {

const LockKey nightly("rq:scheduler-lock:nightly");

} // namespace

class WindowFamiliesTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        TestWindow::failOnWarning();
        m_test = std::make_unique<TestWindow>();
        m_test->server().cli({"SET", nightly.bytes, "5f0c8b1e9d3a4c559b570d2f6c1f7a11", "PX", "600000"});
        m_test->server().cli({"SET", "lock:a", "web-1!4711", "PX", "600000"});
        QVERIFY(m_test->connect());
        QTRY_VERIFY(isShown(nightly) && isShown(LockKey("lock:a")));
    }
    void cleanup() { m_test.reset(); }

    void whatIsSwitchedOffIsNotLookedFor()
    {
        turn(Qt::Unchecked);
        QTRY_VERIFY(!isShown(nightly));
        QVERIFY(isShown(LockKey("lock:a")));
        QVERIFY(m_test->connect());
        QTRY_VERIFY(isShown(LockKey("lock:a")));
        QVERIFY(!isShown(nightly));
        turn(Qt::Checked);
        QTRY_VERIFY(isShown(nightly));
    }

    void patternsOfTheUserAreKept()
    {
        const LockKey other("work:1");
        m_test->server().cli({"SET", other.bytes, "web-1!4711", "PX", "600000"});
        m_test->commands().patterns->trigger();
        auto *dialog = m_test->find<PatternsDialog>();
        QVERIFY(dialog && shownText(*dialog).contains(PatternsDialog::keptText()));
        dialog->findChild<QPlainTextEdit *>()->setPlainText(QStringLiteral("work:*"));
        dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->click();
        QTRY_VERIFY(isShown(other));
        QVERIFY(m_test->connect());
        QTRY_VERIFY(isShown(other));
        QVERIFY(!isShown(LockKey("lock:a")));
    }

    void aDraftReadsTheChosenLock()
    {
        m_test->page()->choose(LockKey("lock:a"));
        FamiliesDialog *dialog = open();
        for (auto *button : dialog->findChildren<QPushButton *>()) {
            if (button->text() == QStringLiteral("&New from lock…"))
                button->click();
        }
        QTRY_VERIFY(dialog->findChild<FamilyEditor *>());
        const auto text = [dialog](const char *name) {
            return dialog->findChild<FamilyEditor *>()
                ->findChild<QPlainTextEdit *>(QLatin1String(name))
                ->toPlainText();
        };
        QVERIFY(text("text").contains(QStringLiteral("value = '{host:word}!{process:digits}'")));
        QTRY_VERIFY2(text("report").contains(QStringLiteral("lock:a: matches, certain")),
                     qPrintable(text("report")));
    }

private:
    bool isShown(const LockKey &key) const { return m_test->page()->model().find(key); }
    FamiliesDialog *open()
    {
        m_test->commands().families->trigger();
        return m_test->find<FamiliesDialog>();
    }
    void turn(Qt::CheckState state)
    {
        FamiliesDialog *dialog = open();
        QVERIFY(dialog);
        auto *list = dialog->findChild<QTreeWidget *>();
        QTreeWidgetItem *row = list->findItems(QStringLiteral("(rq)"), Qt::MatchEndsWith, 1).value(0);
        QVERIFY(row && row->checkState(0) != state);
        QCOMPARE(row->text(2), state == Qt::Checked ? QStringLiteral("0") : QStringLiteral("1"));
        row->setCheckState(0, state);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!m_test->find<FamiliesDialog>());
    }

    std::unique_ptr<TestWindow> m_test;
};

QTEST_MAIN(WindowFamiliesTest)
#include "tst_windowfamilies.moc"
