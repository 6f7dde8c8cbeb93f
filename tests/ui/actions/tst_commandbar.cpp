// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/commandbar.h"

#include "ui/widgets/glyph.h"

#include <QAction>
#include <QLabel>
#include <QMainWindow>
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
        m_plain = m_bar->addAction(QStringLiteral("Disconnect"));
        m_window->addToolBar(m_bar);
        m_window->resize(1000, 100);
        m_window->show();
    }
    void cleanup() { m_window.reset(); }

    void textsGoWhereTheyHaveNoRoom()
    {
        QTRY_COMPARE(m_bar->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
        m_window->resize(350, 100);
        QTRY_COMPARE(m_bar->toolButtonStyle(), Qt::ToolButtonIconOnly);
        QTRY_VERIFY(m_bar->widgetForAction(m_plain)->isVisible());
        m_window->resize(1000, 100);
        QTRY_COMPARE(m_bar->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
    }

    /// In the same width, because of what else stands there.
    void anotherTextNeedsMoreRoom()
    {
        m_window->resize(m_bar->sizeHint().width() + 20, 100);
        QTRY_COMPARE(m_bar->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
        m_label->setText(QStringLiteral("orders of the whole of last year"));
        QTRY_COMPARE(m_bar->toolButtonStyle(), Qt::ToolButtonIconOnly);
        m_label->setText(QStringLiteral("orders"));
        QTRY_COMPARE(m_bar->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
    }

    void whatMattersKeepsItsText()
    {
        QAction *scan = m_bar->actions().at(1);
        const auto *button = qobject_cast<const QToolButton *>(m_bar->widgetForAction(scan));
        const auto *other = qobject_cast<const QToolButton *>(m_bar->widgetForAction(m_bar->actions().at(2)));
        QVERIFY(button && other);
        scan->setIconText(QStringLiteral("Scan now (2)"));
        scan->setPriority(QAction::HighPriority);
        QTRY_COMPARE(m_bar->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
        const int withTexts = m_bar->sizeHint().width();
        m_window->resize(withTexts - 20, 100);
        QTRY_COMPARE(other->toolButtonStyle(), Qt::ToolButtonIconOnly);
        QCOMPARE(button->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
        QTRY_VERIFY(m_bar->widgetForAction(m_plain)->isVisible());
        scan->setIconText(QStringLiteral("Scan now"));
        scan->setPriority(QAction::NormalPriority);
        m_window->resize(withTexts - 100, 100);
        QTRY_COMPARE(button->toolButtonStyle(), Qt::ToolButtonIconOnly);
        // Nothing is out of sight for it.
        m_window->resize(m_bar->sizeHint().width() + 10, 100);
        scan->setIconText(QStringLiteral("Scan now (2)"));
        scan->setPriority(QAction::HighPriority);
        QTRY_VERIFY(m_bar->width() < withTexts - 100);
        QTRY_COMPARE(button->toolButtonStyle(), Qt::ToolButtonIconOnly);
        QTRY_VERIFY(m_bar->widgetForAction(m_plain)->isVisible());
        m_window->resize(1000, 100);
        QTRY_COMPARE(other->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
        QCOMPARE(button->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
    }

private:
    std::unique_ptr<QMainWindow> m_window;
    CommandBar *m_bar = nullptr;
    QLabel *m_label = nullptr;
    QAction *m_plain = nullptr;
};

QTEST_MAIN(CommandBarTest)
#include "tst_commandbar.moc"
