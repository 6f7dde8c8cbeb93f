// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into a program with widgets: writes to its standard output when its first window has been painted, and when a table in
// it has been painted with its first rows, in nanoseconds of the steady clock, which all processes share.
#include <QAbstractItemModel>
#include <QApplication>
#include <QTableView>
#include <QTimer>

#include <chrono>
#include <cstdio>

namespace {

class StartWatch : public QObject
{
public:
    using QObject::QObject;

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() != QEvent::Paint)
            return false;
        if (!m_window && watched->isWidgetType() && static_cast<QWidget *>(watched)->isWindow())
            m_window = say("window");
        const auto *table = qobject_cast<QTableView *>(watched->parent());
        if (!m_rows && table && watched == table->viewport() && table->model() &&
            table->model()->rowCount() > 0)
            m_rows = say("rows");
        return false;
    }

private:
    /// After the painting, of which this is the beginning.
    static bool say(const char *what)
    {
        QTimer::singleShot(0, qApp, [what] {
            const auto now = std::chrono::steady_clock::now().time_since_epoch();
            const long long ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
            std::printf("%s %lld\n", what, ns);
            std::fflush(stdout);
        });
        return true;
    }

    bool m_window = false;
    bool m_rows = false;
};

void watchStart()
{
    // A program may begin without a display.
    if (auto *application = qobject_cast<QApplication *>(QCoreApplication::instance()))
        application->installEventFilter(new StartWatch(application));
}

} // namespace

Q_COREAPP_STARTUP_FUNCTION(watchStart)
