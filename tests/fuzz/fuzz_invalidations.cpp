// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of the change feed, from their bytes to the keys that are read next: the program's own connections and feed face a
// server that says what the input says. The first byte chooses what it says it in answer to.
#include "core/monitor/changefeed.h"
#include "tests/fuzz/target.h"
#include "tests/support/hostileserver.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QTimer>

#include <array>

using namespace lockscope;

namespace {

/// One for the process: connections that the input breaks are made anew.
class Scene
{
public:
    Scene() : m_reader(m_server.address())
    {
        m_reader.open();
        turnUntil([this] { return m_reader.state() == Connection::State::Ready; });
    }

    void play(QByteArrayView bytes)
    {
        if (bytes.isEmpty())
            return;
        if (m_reader.state() != Connection::State::Ready) {
            m_reader.close();
            m_reader.open();
            turnUntil([this] { return m_reader.state() == Connection::State::Ready; });
        }
        ChangeFeed feed(m_reader);
        const QList<QByteArray> patterns{"lock:*", "*:lock"};
        qsizetype heard = 0;
        QObject::connect(&feed, &ChangeFeed::heard, &feed, [&](const QList<LockKey> &keys) {
            heard += keys.size();
            for (const LockKey &key : keys)
                insist(key.bytes.startsWith("lock:") || key.bytes.endsWith(":lock"));
        });
        const QByteArray said = bytes.sliced(1).toByteArray();
        constexpr std::array<const char *, 3> commands{"CLIENT TRACKING", "SUBSCRIBE", "CONFIG"};
        const auto choice = static_cast<size_t>(static_cast<uchar>(bytes[0]) % 5);
        if (choice == 4) { // over RESP3
            m_server.once("CLIENT TRACKING ON REDIRECT", "-ERR only in RESP3\r\n");
            m_server.on("HELLO", "%1\r\n$5\r\nproto\r\n:3\r\n");
        }
        if (choice < commands.size())
            m_server.once(commands[choice], said);
        feed.listen(patterns);
        turnUntil([&] { return feed.isSettled(); });
        m_server.push(said);
        bool confirmed = false;
        QObject::connect(&feed, &ChangeFeed::gapDetected, &feed, [&] { confirmed = true; });
        QObject::connect(&feed, &ChangeFeed::heard, &feed, [&] { confirmed = true; });
        turnUntil([&] { return confirmed; });
    }

private:
    template <typename Predicate>
    static void turnUntil(Predicate predicate)
    {
        for (int turn = 0; turn < 40 && !predicate(); ++turn) {
            QTimer timer;
            timer.setSingleShot(true);
            timer.start(1);
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 1);
        }
    }

    HostileServer m_server;
    Connection m_reader;
};

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int one = 1;
    static std::array<char, 5> name{"fuzz"};
    static std::array<char *, 2> arguments{name.data(), nullptr};
    static const QCoreApplication application(one, arguments.data());
    static auto *scene = new Scene; // NOLINT(cppcoreguidelines-owning-memory): as long as the process
    scene->play(bytesOf(data, size));
    return 0;
}
