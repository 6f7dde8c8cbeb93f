// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/sshaskpass.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QtTest>

using namespace lockscope;

class SshAskpassTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
    }

    void aPasswordIsHidden()
    {
        SshAskpass dialog(QStringLiteral("ops@bastion's password: "), SshAskpass::Kind::Answer);
        dialog.show();
        auto *field = dialog.findChild<QLineEdit *>();
        QCOMPARE(field->echoMode(), QLineEdit::Password);
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QTest::keyClicks(field, QStringLiteral("sesame"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        QCOMPARE(dialog.answer(), QStringLiteral("sesame"));
    }

    void aQuestionIsAnsweredInSight()
    {
        SshAskpass dialog(
            QStringLiteral("The authenticity of host 'bastion' can't be established.\n"
                           "ED25519 key fingerprint is SHA256:abc.\n"
                           "Are you sure you want to continue connecting (yes/no/[fingerprint])? "),
            SshAskpass::Kind::Answer);
        dialog.show();
        QCOMPARE(dialog.findChild<QLineEdit *>()->echoMode(), QLineEdit::Normal);
        QCOMPARE(dialog.findChild<QLabel *>()->text().count(u'\n'), 2);
        QTest::keyClick(&dialog, Qt::Key_Escape);
        QCOMPARE(dialog.result(), int(QDialog::Rejected));
    }

    void aConfirmationIsYesOrNo()
    {
        SshAskpass dialog(QStringLiteral("Allow use of key?"), SshAskpass::Kind::Confirm);
        dialog.show();
        QVERIFY(!dialog.findChild<QLineEdit *>());
        dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Yes)->click();
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
    }

    /// The host chose these bytes.
    void aPromptIsPlainTextAndShort()
    {
        SshAskpass dialog(QStringLiteral("<b>x</b>\u202e") + QString(100'000, u'x'),
                          SshAskpass::Kind::Message);
        const QLabel *label = dialog.findChild<QLabel *>();
        QCOMPARE(label->textFormat(), Qt::PlainText);
        QVERIFY(label->text().contains(QStringLiteral("<b>x</b>\\u202e")) ||
                !label->text().contains(QChar(0x202e)));
        QVERIFY(label->text().size() < 5'000);
        dialog.show();
        QVERIFY(dialog.width() < 1'000);
    }
};

QTEST_MAIN(SshAskpassTest)
#include "tst_sshaskpass.moc"
