// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QHash>
#include <QObject>
#include <QString>

#include <chrono>
#include <map>
#include <memory>
#include <optional>

class QDBusConnection;
class QDBusMessage;

namespace lockscope {

/// What the desktop shows for a while.
struct DesktopNote
{
    static constexpr qsizetype longestSummary = 120;
    static constexpr qsizetype longestBody = 500;

    enum class Urgency : quint8 { Low, Normal, Critical };

    QString summary; ///< plain text of one line
    QString body;    ///< plain text: it is escaped where the service reads markup
    Urgency urgency = Urgency::Normal;
    QString openText;     ///< of the button that asks for more
    bool isQuiet = false; ///< nobody should be disturbed by it

    friend bool operator==(const DesktopNote &, const DesktopNote &) = default;
};

/// The notification service of the user's session, org.freedesktop.Notifications. Never blocks: whatever waits for the bus or the service does so
/// beside. Where none answers, nothing is shown and isAvailable() says so; one that comes later is used from then on.
class DesktopNotifications : public QObject
{
    Q_OBJECT

public:
    using Handle = quint64;
    /// Then nobody is taken to be there. A note that is shown later all the same is closed.
    static constexpr std::chrono::seconds answerTime{5};
    static constexpr std::chrono::minutes retryAfter{1};

    /// `busAddress`: empty: the session's. `noteTime`: answerTime for a note.
    explicit DesktopNotifications(QString busAddress = {}, QObject *parent = nullptr,
                                  std::chrono::milliseconds noteTime = answerTime);
    ~DesktopNotifications() override;

    /// The program's own. A window that is on no desktop has none.
    static DesktopNotifications &instance();

    /// Of the bus that is asked; empty: there is none.
    QString busAddress() const;
    /// Names one note, until the program ends.
    Handle newHandle() { return ++m_lastHandle; }
    /// Shows it, in the place of what is shown under the same handle.
    void show(Handle handle, const DesktopNote &note);
    /// The same, and quietly, where something is shown under the handle; else nothing.
    void update(Handle handle, DesktopNote note);
    void close(Handle handle);

    /// Whether a service answers; nullopt: nobody has asked, or it has not answered yet.
    std::optional<bool> isAvailable() const { return m_isAvailable; }
    /// Finds that out.
    void ask();

signals:
    void availabilityChanged();
    void opened(quint64 handle); ///< by the user, who clicked on it

private slots:
    // Called by the bus.
    void takeAction(uint id, const QString &action);
    void takeClosed(uint id, uint reason);
    void takeOwner(const QString &service, const QString &before, const QString &now);

private:
    struct Shown
    {
        std::optional<DesktopNote> next; ///< to be sent; absent: what is shown is up to date
        uint id = 0;                     ///< the service's; 0: none yet
        quint64 call = 0;                ///< the last one
        bool isAwaited = false;          ///< the service has not answered yet
        bool isOver = false;             ///< to be closed as soon as it has
    };

    void connectToBus();
    void subscribe();
    void askCapabilities();
    void setAvailable(bool isAvailable);
    void dropNotes();
    void send();
    void send(Handle handle, Shown &shown);
    void takeId(Handle handle, quint64 call, const QDBusMessage &answer);
    void closeAtService(uint id);
    QDBusMessage call(const char *method) const;
    Handle handleOf(uint id) const;

    const QString m_busAddress;
    const QString m_connectionName;
    const std::chrono::milliseconds m_noteTime;
    std::unique_ptr<QDBusConnection> m_bus; ///< null: none yet
    QFutureWatcher<bool> m_connecting;
    bool m_hasNoDesktop = false;
    bool m_isAsking = false;
    bool m_readsMarkup = false;
    bool m_hasActions = false;
    std::optional<bool> m_isAvailable;
    std::chrono::steady_clock::time_point m_askedAt;
    std::map<Handle, Shown> m_notes;
    Handle m_lastHandle = 0;
    quint64 m_lastCall = 0;
};

} // namespace lockscope
