// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/locksupply.h"

namespace lockscope {

namespace {

const QByteArray firstProcess = "3b2c1a09-8f7e-4d6c-9b5a-493827160504";
const QByteArray secondProcess = "77777777-8f7e-4d6c-9b5a-493827160504";
constexpr int plainLocks = 200;

QByteArray plainKey(int number)
{
    return "lock:job:" + QByteArray::number(number);
}

} // namespace

LockSupply::LockSupply()
{
    m_socket.connectToServer(m_server.socketPath());
    if (!m_socket.waitForConnected())
        qFatal("no connection to the server of the locks");
    addAll();
}

void LockSupply::send(const QByteArrayList &command)
{
    QByteArray bytes = '*' + QByteArray::number(command.size()) + "\r\n";
    for (const QByteArray &word : command)
        bytes += '$' + QByteArray::number(word.size()) + "\r\n" + word + "\r\n";
    m_socket.write(bytes);
}

/// Until the server has carried out what was sent.
void LockSupply::finish()
{
    send({"ECHO", "finished"});
    QByteArray answers;
    while (!answers.endsWith("finished\r\n")) {
        if (!m_socket.waitForReadyRead())
            qFatal("no answer from the server of the locks");
        answers += m_socket.readAll();
    }
    if (answers.startsWith('-') || answers.contains("\r\n-"))
        qFatal("the server of the locks refused a command: %s", answers.constData());
}

void LockSupply::addFair(const QByteArray &key, const QByteArray &owner, const QByteArrayList &waiters)
{
    const QByteArray queue = "redisson_lock_queue:{" + key + '}';
    send({"DEL", key, queue, "redisson_lock_timeout:{" + key + '}'});
    send({"HSET", key, owner, "1"});
    send({"PEXPIRE", key, "600000"});
    for (const QByteArray &waiter : waiters) {
        send({"RPUSH", queue, waiter});
        send({"ZADD", "redisson_lock_timeout:{" + key + '}', "99999999999999", waiter});
    }
}

void LockSupply::addAll()
{
    for (int number = 0; number < plainLocks; ++number)
        send({"SET", plainKey(number), "0f8fad5bd9cb469fa165" + QByteArray::number(number), "PX", "600000"});
    const QByteArray first = firstProcess + ":1";
    const QByteArray second = secondProcess + ":1";
    addFair("lock:order:1", first, {second});
    addFair("lock:order:2", second, {first});
    QByteArrayList many;
    for (int thread = 10; thread < 60; ++thread)
        many.append(secondProcess + ':' + QByteArray::number(thread));
    addFair("lock:queue", firstProcess + ":7", many);
    send({"DEL", "lock:again", "lock:shared", "lock:broken"});
    send({"HSET", "lock:again", first, "3"});
    send({"PEXPIRE", "lock:again", "600000"});
    send({"HSET", "lock:shared", "mode", "read", first, "1", second, "1"});
    send({"PEXPIRE", "lock:shared", "600000"});
    send({"HSET", "lock:broken", first, "many"});
    send({"SET", "lock:endless", "7c9e6679-7425-40de-944b-e07fc1f90ae7"});
    send({"SET", "lock:\x1b[31m\xff\"<b>&amp;\xe2\x80\xae", "hostile\r\nowner", "PX", "600000"});
    send({"RPUSH", "redisson_lock_queue:{lock:orphan}", first});
    finish();
}

void LockSupply::refresh(QRandomGenerator &random)
{
    switch (random.bounded(6)) {
    case 0:
        return addAll();
    case 1: // another owner, while somebody may look at it
        send({"SET", plainKey(random.bounded(plainLocks)), "another" + QByteArray::number(random.generate()),
              "PX", "30000"});
        break;
    case 2:
        send({"DEL", plainKey(random.bounded(plainLocks)), plainKey(random.bounded(plainLocks))});
        break;
    case 3:
        send({"SET", "lock:short", "of-two-seconds", "PX", "2000"});
        break;
    case 4:
        send({"DEL", random.bounded(2) ? "redisson_lock_queue:{lock:order:1}" : "lock:order:2"});
        break;
    default:
        send({"PEXPIRE", plainKey(random.bounded(plainLocks)), "600000"});
        send({"PUBLISH", "redisson_lock__channel:{lock:queue}", "0"});
    }
    finish();
}

} // namespace lockscope
