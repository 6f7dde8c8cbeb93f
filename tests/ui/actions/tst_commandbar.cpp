// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/commandbar.h"

#include "ui/widgets/glyph.h"

#include <QAction>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;

class CommandBarTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        m_window = std::make_unique<QMainWindow>();
        m_bar = new CommandBar(m_window.get());
        m_label = new QLabel(QStringLiteral("orders"));
        m_bar->addWidget(m_label);
        for (const char *text : {"Scan now", "Lock waits", "Timeline", "Events"})
            m_bar->addAction(glyphIcon(Glyph::Padlock), QString::fromLatin1(text));
        m_bar->addMore();
        m_more = qobject_cast<QToolButton *>(m_bar->widgetForAction(m_bar->actions().last()));
        m_window->addToolBar(m_bar);
        m_window->resize(1000, 100);
        m_window->show();
    }
    void cleanup() { m_window.reset(); }

    void whatHasNoRoomIsInAMenu()
    {
        QTRY_VERIFY(!m_more->isVisible());
        m_window->resize(350, 100);
        QTRY_VERIFY(m_more->isVisible());
        QCOMPARE(texts(m_more->menu()->actions()).last(), QStringLiteral("Events"));
        QCOMPARE((texts(m_bar->actions()) + texts(m_more->menu()->actions())), m_all);
        QVERIFY(m_more->geometry().right() <= m_bar->width());
        QCOMPARE(m_bar->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
        m_window->resize(1000, 100);
        QTRY_VERIFY(!m_more->isVisible());
        QCOMPARE(texts(m_bar->actions()), m_all);
    }

    /// In the same width, because of what else stands there.
    void anotherTextNeedsMoreRoom()
    {
        m_window->resize(m_bar->sizeHint().width() + 20, 100);
        QTRY_VERIFY(!m_more->isVisible());
        m_label->setText(QStringLiteral("orders of the whole of last year"));
        QTRY_VERIFY(m_more->isVisible());
        m_label->setText(QStringLiteral("orders"));
        QTRY_VERIFY(!m_more->isVisible());
        QCOMPARE(texts(m_bar->actions()), m_all);
    }

private:
    static QStringList texts(const QList<QAction *> &actions)
    {
        QStringList texts;
        for (const QAction *action : actions)
            texts << action->text();
        texts.removeAll(QString());
        return texts;
    }

    const QStringList m_all{QStringLiteral("Scan now"), QStringLiteral("Lock waits"),
                            QStringLiteral("Timeline"), QStringLiteral("Events")};
    std::unique_ptr<QMainWindow> m_window;
    CommandBar *m_bar = nullptr;
    QLabel *m_label = nullptr;
    QToolButton *m_more = nullptr;
};

QTEST_MAIN(CommandBarTest)
#include "tst_commandbar.moc"
