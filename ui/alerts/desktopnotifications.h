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

struct DesktopNotification
{
    static constexpr qsizetype longestSummary = 120;
    static constexpr qsizetype longestBody = 500;

    enum class Urgency : quint8 { Low, Normal, Critical };

    QString summary; ///< plain text, one line
    QString body;    ///< plain text, escaped if the service reads markup
    Urgency urgency = Urgency::Normal;
    QString openText;     ///< button label
    bool isQuiet = false; ///< updates without disturbing

    friend bool operator==(const DesktopNotification &, const DesktopNotification &) = default;
};

/// The notification service of the session, org.freedesktop.Notifications. Never blocks. Without a service
/// nothing is shown and isAvailable() is false; a later one is used once it appears.
class DesktopNotifications : public QObject
{
    Q_OBJECT

public:
    using Handle = quint64;
    /// The service counts as absent after this time. A note shown later is closed.
    static constexpr std::chrono::seconds answerTime{5};
    static constexpr std::chrono::minutes retryAfter{1};

    /// `busAddress`: empty for the session bus. `noteTime`: answer timeout of a note.
    explicit DesktopNotifications(QString busAddress = {}, QObject *parent = nullptr,
                                  std::chrono::milliseconds noteTime = answerTime);
    ~DesktopNotifications() override;

    /// Returns the program's instance. Offscreen windows have no service.
    static DesktopNotifications &instance();

    QString busAddress() const;
    /// Returns a new handle of a note, unique in this process.
    Handle newHandle() { return ++m_lastHandle; }
    /// Shows a note; replaces the one with this handle.
    void show(Handle handle, const DesktopNotification &note);
    /// Quietly replaces a note that is shown; otherwise does nothing.
    void update(Handle handle, DesktopNotification note);
    void close(Handle handle);

    /// True if a service answers; nullopt before the first answer.
    std::optional<bool> isAvailable() const { return m_isAvailable; }
    void ask();

signals:
    void availabilityChanged();
    void opened(quint64 handle); ///< by a click

private slots:
    // Called by QtDBus.
    void takeAction(uint id, const QString &action);
    void takeClosed(uint id, uint reason);
    void takeOwner(const QString &service, const QString &before, const QString &now);

private:
    struct Shown
    {
        std::optional<DesktopNotification> next; ///< not sent yet; absent: up to date
        uint id = 0;                             ///< assigned by the service; 0: none
        quint64 call = 0;                        ///< last call
        bool isAwaited = false;                  ///< no answer yet
        bool isOver = false;                     ///< close after the answer
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
    std::unique_ptr<QDBusConnection> m_bus; ///< nullptr: not connected
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
