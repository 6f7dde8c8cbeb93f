// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog of a recording, by the keyboard alone.
#include "ui/recording/recorddialog.h"

#include "ui/widgets/wrappedlabel.h"

#include <QCheckBox>
#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QtTest>

#include <memory>

using namespace lockscope;

class RecordDialogTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        m_path.clear();
        m_dialog = std::make_unique<RecordDialog>(QStringLiteral("shop: orders"));
        connect(m_dialog.get(), &RecordDialog::chosen, this,
                [this](const QString &path, const RecordingOptions &options) {
                    m_path = path;
                    m_options = options;
                });
        m_dialog->open();
        QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
    }
    void cleanup() { m_dialog.reset(); }

    /// What is typed takes the place of the name, and Enter begins.
    void aNameIsTyped()
    {
        const QString suggested = field()->text();
        QCOMPARE(QFileInfo(suggested).absolutePath(), QDir::homePath());
        QVERIFY2(field()->selectedText().startsWith(QStringLiteral("recording-shop-orders-")),
                 qPrintable(field()->selectedText()));
        QVERIFY(focused(field()));
        type("incident");
        press(Qt::Key_Return);
        QTRY_VERIFY(!m_dialog->isVisible());
        QCOMPARE(m_path, QDir::home().filePath(QStringLiteral("incident")));
        QCOMPARE(m_options.limit, RecordingOptions::usualLimit);
        QVERIFY(!m_options.isAnonymous);
    }

    void lettersGoThere()
    {
        auto *limit = m_dialog->findChild<QSpinBox *>();
        press(Qt::Key_M, Qt::AltModifier);
        QVERIFY(focused(limit));
        limit->selectAll();
        type("50");
        press(Qt::Key_A, Qt::AltModifier);
        QTRY_VERIFY(m_dialog->findChild<QCheckBox *>()->isChecked());
        press(Qt::Key_F, Qt::AltModifier);
        QVERIFY(focused(field()));
        press(Qt::Key_R, Qt::AltModifier);
        QTRY_VERIFY(!m_dialog->isVisible());
        QCOMPARE(m_options.limit, qint64(50'000'000));
        QVERIFY(m_options.isAnonymous);
    }

    void enterInTheLimitBegins()
    {
        m_dialog->findChild<QSpinBox *>()->setFocus();
        press(Qt::Key_Return);
        QTRY_VERIFY(!m_dialog->isVisible());
        QVERIFY(!m_path.isEmpty());
    }

    void escapeLeaves()
    {
        press(Qt::Key_Escape);
        QTRY_VERIFY(!m_dialog->isVisible());
        QVERIFY(m_path.isEmpty());
    }

    void withoutANameItStays()
    {
        field()->clear();
        press(Qt::Key_Return);
        QVERIFY(m_dialog->isVisible());
        QVERIFY(focused(field()));
        QVERIFY(m_path.isEmpty());
    }

    /// Room that is left is no gap below the text.
    void theTextIsAsHighAsItHasLines()
    {
        auto *text = m_dialog->findChild<WrappedLabel *>();
        QCOMPARE(text->height(), text->heightForWidth(text->width()));
        m_dialog->resize(m_dialog->width(), m_dialog->height() + 200);
        QTRY_COMPARE(text->height(), text->heightForWidth(text->width()));
    }

private:
    QLineEdit *field()
    {
        for (auto *field : m_dialog->findChildren<QLineEdit *>()) {
            if (!qobject_cast<QSpinBox *>(field->parentWidget()))
                return field;
        }
        return nullptr;
    }
    QPushButton *button(const QString &text)
    {
        for (auto *button : m_dialog->findChildren<QPushButton *>()) {
            if (button->text() == text)
                return button;
        }
        return nullptr;
    }
    static bool focused(const QWidget *widget) { return widget && widget == QApplication::focusWidget(); }
    static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(QApplication::focusWidget(), key, modifiers);
    }
    static void type(const char *text)
    {
        QTest::keyClicks(QApplication::focusWidget(), QString::fromLatin1(text));
    }

    std::unique_ptr<RecordDialog> m_dialog;
    QString m_path;
    RecordingOptions m_options;
};

QTEST_MAIN(RecordDialogTest)
#include "tst_recorddialog.moc"
