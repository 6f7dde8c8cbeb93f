// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/families/familiesdialog.h"

#include "core/family/registry.h"
#include "core/family/userfamilies.h"

#include <QFileDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QtTest>

using namespace lockscope;

namespace {

constexpr auto inhouse =
    "name = \"inhouse\"\n"
    "title = \"In-house lock\"\n"
    "names.usual = [\"inhouse/*\"]\n"
    "form = [{ value = '{host:word}!{process:digits}' }]\n"
    "example = [{ key = \"inhouse/report\", value = \"web-1!4711\", is = \"certain\" }]\n";

Lock lockOf(const QByteArray &key, const char *family)
{
    Lock lock;
    lock.address.key = LockKey(key);
    lock.family = familyFromName(family).value_or(Family());
    return lock;
}

/// As a server would answer, of a string.
LocksOfPage pageOf(const QList<std::pair<Lock, QByteArray>> &stored)
{
    return {[stored](const std::function<void(const Lock &)> &take) {
                for (const auto &[lock, value] : stored)
                    take(lock);
            },
            [stored](const Lock &asked) {
                LockContents contents;
                contents.readAtMs = 1'763'756'015'123;
                for (const auto &[lock, value] : stored) {
                    if (lock.key() != asked.key())
                        continue;
                    StoredKey &key = contents.keys.emplaceBack();
                    key.key = lock.key().bytes;
                    key.type = value.isEmpty() ? StoredKey::Type::List : StoredKey::Type::String;
                    key.text = value;
                }
                QPromise<Result<LockContents>> promise;
                promise.start();
                promise.addResult(contents.keys.isEmpty()
                                      ? Result<LockContents>(tl::unexpected(Error(ErrorKind::NotConnected)))
                                      : Result<LockContents>(contents));
                promise.finish();
                return promise.future();
            }};
}

bool writeFile(const QString &path, const QByteArray &text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

QByteArray textOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QPushButton *button(const QDialog &dialog, const char *text)
{
    for (auto *each : dialog.findChildren<QPushButton *>()) {
        if (each->text() == QString::fromUtf8(text))
            return each;
    }
    return nullptr;
}

/// Chooses in the file dialog that is open.
void chooseFile(QWidget &of, const QString &path)
{
    auto *files = of.findChild<QFileDialog *>();
    QVERIFY(files);
    emit files->fileSelected(path);
    files->close();
}

QString reportOf(const QWidget *editor)
{
    return editor->findChild<QPlainTextEdit *>(QStringLiteral("report"))->toPlainText();
}

} // namespace

class TestFamiliesDialog : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        qputenv("XDG_CONFIG_HOME", QFile::encodeName(m_folder.path()));
        const QString folder = familyFolders().last();
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(writeFile(folder + QStringLiteral("/a.toml"), inhouse));
        QVERIFY(writeFile(folder + QStringLiteral("/b.toml"), "name = \"b\"\n[[form]]\nvalu = \"x\"\n"));
        QCOMPARE(loadFamilies(familyFolders().mid(1)).size(), 1);
        QCOMPARE(refusedFamilies().size(), 1);
    }
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        m_dialog.emplace(pageOf({{lockOf("inhouse/a", "inhouse"), "web-1!4711"},
                                 {lockOf("inhouse/b", "token"), "?"},
                                 {lockOf("lock:c", "token"), ""}}),
                         lockOf("inhouse/a", "inhouse"), FamilySet(), nullptr);
        m_list = m_dialog->findChild<QTreeWidget *>();
        m_filter = m_dialog->findChild<QLineEdit *>();
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowActive(&*m_dialog));
    }
    void cleanup() { m_dialog.reset(); }

    void listsAllWithTheirLocks()
    {
        QCOMPARE(m_list->topLevelItemCount(),
                 allFamilies().size() - 1 + 1); // no unknown one, and the file left out
        const QTreeWidgetItem *own = rowOf("In-house lock (inhouse)");
        QVERIFY(own);
        QCOMPARE(own->text(2), QStringLiteral("1"));
        QVERIFY(own->text(3).endsWith(QStringLiteral("/a.toml")));
        QCOMPARE(rowOf("BullMQ job lock (bullmq)")->text(3), QStringLiteral("built in"));
        m_list->setCurrentItem(rowOf("In-house lock (inhouse)"));
        QVERIFY(details().contains(QStringLiteral("Usual names: inhouse/*")));
        QVERIFY(problem().startsWith(QStringLiteral("Files left out: 1.")));
        m_list->setCurrentItem(rowOf("b.toml (left out)"));
        QVERIFY2(details().contains(QStringLiteral("b.toml:3:1: unknown key “valu”")), qPrintable(details()));
    }

    void searches()
    {
        QVERIFY(m_filter->hasFocus());
        QTest::keyClicks(m_filter, QStringLiteral("INHOUSE"));
        QVERIFY(!rowOf("In-house lock (inhouse)")->isHidden() &&
                rowOf("BullMQ job lock (bullmq)")->isHidden());
        QCOMPARE(m_list->currentItem(), rowOf("In-house lock (inhouse)"));
        QVERIFY(details().contains(QStringLiteral("In-house lock")));
        QTest::keyClick(m_filter, Qt::Key_Return);
        QVERIFY(m_list->hasFocus() && m_dialog->isVisible());
        QTest::keyClicks(m_filter, QStringLiteral("zzz"));
        QVERIFY(!m_list->isVisible() && details().isEmpty());
        m_filter->clear();
        QVERIFY(m_list->isVisible() && !rowOf("BullMQ job lock (bullmq)")->isHidden());
        QTest::keyClick(m_list, Qt::Key_Escape);
        QVERIFY(!m_dialog->isVisible());
    }

    void switchesWhatIsLookedFor()
    {
        QSignalSpy chosen(&*m_dialog, &FamiliesDialog::undiscoveredChosen);
        m_list->setCurrentItem(rowOf("In-house lock (inhouse)"));
        m_list->setFocus();
        QTest::keyClick(m_list, Qt::Key_Space);
        QCOMPARE(chosen.size(), 1);
        FamilySet own;
        own.insert(*familyFromName("inhouse"));
        QCOMPARE(chosen.takeFirst().first().value<FamilySet>(), own);
        QTest::keyClick(m_list, Qt::Key_Space);
        QCOMPARE(chosen.takeFirst().first().value<FamilySet>(), FamilySet());
        m_list->setCurrentItem(rowOf("Discourse mutex (discourse)")); // any name: nothing to look for
        QTest::keyClick(m_list, Qt::Key_Space);
        QVERIFY(chosen.isEmpty());
        const FamiliesDialog again(pageOf({}), std::nullopt, own, nullptr);
        const auto *list = again.findChild<QTreeWidget *>();
        const auto rows = list->findItems(QStringLiteral("(inhouse)"), Qt::MatchContains, 1);
        QCOMPARE(rows.first()->checkState(0), Qt::Unchecked);
        QVERIFY(!button(again, "&New from lock…")->isEnabled());
    }

    void triesAFile()
    {
        const QString path = m_folder.filePath(QStringLiteral("tried.toml"));
        QVERIFY(writeFile(path, QByteArray(inhouse).replace("process:digits", "process:digit")));
        button(*m_dialog, "&Try a file…")->click();
        chooseFile(*m_dialog, path);
        auto *editor = m_dialog->findChild<FamilyEditor *>();
        QVERIFY(editor);
        QVERIFY2(reportOf(editor).startsWith(QStringLiteral("Line 4, column 41: expected a type: uuid")),
                 qPrintable(reportOf(editor)));
        QVERIFY(!button(*editor, "&Save…")->isEnabled());
        editor->findChild<QPlainTextEdit *>(QStringLiteral("text"))->setPlainText(QLatin1String(inhouse));
        QTRY_VERIFY(button(*editor, "&Save…")->isEnabled());
        QTRY_COMPARE(reportOf(editor), QStringLiteral("The file is in order. Examples: 1.\n"
                                                      "Known keys with such names: 2. Read: 2. Matches: 1.\n"
                                                      "inhouse/a: matches, certain\n"
                                                      "inhouse/b: no match: value: expected ! at byte 1"));
        button(*editor, "&Save…")->click();
        const QString saved = m_folder.filePath(QStringLiteral("saved.toml"));
        chooseFile(*editor, saved);
        QVERIFY2(reportOf(editor).startsWith(QStringLiteral("Saved as ") + saved),
                 qPrintable(reportOf(editor)));
        QCOMPARE(textOf(saved), QByteArray(inhouse));
        button(*editor, "&Save…")->click();
        chooseFile(*editor, m_folder.filePath(QStringLiteral("none/saved.toml")));
        QVERIFY(reportOf(editor).contains(QStringLiteral("could not be written")));
    }

    void saysWhyAFileIsNotTried()
    {
        button(*m_dialog, "&Try a file…")->click();
        chooseFile(*m_dialog, m_folder.filePath(QStringLiteral("absent.toml")));
        QVERIFY(problem().contains(QStringLiteral("absent.toml could not be read")));
        QVERIFY(!m_dialog->findChild<FamilyEditor *>());
    }

    void draftsFromTheChosenLock()
    {
        button(*m_dialog, "&New from lock…")->click();
        auto *editor = m_dialog->findChild<FamilyEditor *>();
        QVERIFY(editor);
        QVERIFY(editor->findChild<QPlainTextEdit *>(QStringLiteral("text"))
                    ->toPlainText()
                    .contains(QStringLiteral("value = '{host:word}!{process:digits}'")));
        QVERIFY(reportOf(editor).contains(QStringLiteral("inhouse/a: matches, certain")));
    }

    void saysWhyThereIsNoDraft_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QString>("why");
        QTest::newRow("a list") << QByteArray("lock:c") << QStringLiteral("No family form describes");
        QTest::newRow("no server") << QByteArray("gone") << QStringLiteral("The key could not be read: ");
    }
    void saysWhyThereIsNoDraft()
    {
        QFETCH(QByteArray, key);
        QFETCH(QString, why);
        m_dialog.emplace(pageOf({{lockOf("lock:c", "token"), ""}}), lockOf(key, "token"), FamilySet(),
                         nullptr);
        button(*m_dialog, "&New from lock…")->click();
        QVERIFY2(problem().startsWith(why), qPrintable(problem()));
        QVERIFY(button(*m_dialog, "&New from lock…")->isEnabled());
    }

    /// A recording can be looked at, and no more.
    void withoutAServer()
    {
        LocksOfPage page = pageOf({{lockOf("inhouse/a", "inhouse"), "web-1!4711"}});
        page.read = {};
        FamiliesDialog dialog(page, lockOf("inhouse/a", "inhouse"), std::nullopt, nullptr);
        QVERIFY(!button(dialog, "&New from lock…")->isEnabled());
        const auto *list = dialog.findChild<QTreeWidget *>();
        const auto rows = list->findItems(QStringLiteral("(inhouse)"), Qt::MatchContains, 1);
        QVERIFY(!(rows.first()->flags() & Qt::ItemIsUserCheckable));
        const FamilyEditor editor(inhouse, page, nullptr);
        QVERIFY(reportOf(&editor).endsWith(QStringLiteral("A recording has no values to try.")));
    }

private:
    QTreeWidgetItem *rowOf(const char *title) const
    {
        return m_list->findItems(QLatin1String(title), Qt::MatchExactly, 1).value(0);
    }
    QString details() const
    {
        return m_dialog->findChild<QSplitter *>()->findChild<QPlainTextEdit *>()->toPlainText();
    }
    QString problem() const { return m_dialog->findChild<QLabel *>(QStringLiteral("problem"))->text(); }

    QTemporaryDir m_folder;
    std::optional<FamiliesDialog> m_dialog;
    QTreeWidget *m_list = nullptr;
    QLineEdit *m_filter = nullptr;
};

QTEST_MAIN(TestFamiliesDialog)
#include "tst_familiesdialog.moc"
