// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/scriptserver.h"

namespace lockscope {

/// A call of a script with named outcomes, as a table row: setup, arguments, answer, and the keys afterwards.
struct NamedCall
{
    QByteArrayList before; ///< redis-cli lines
    QByteArrayList arguments;
    QByteArray answer;        ///< outcome and hold count: `"expired",2`
    qint64 ttl = -2;          ///< TTL of the lock as set, ms; -1 none, -2 gone
    QByteArrayList look = {}; ///< redis-cli lines
    QByteArrayList found =
        {};                  ///< what they print; not looked at after a refusal: then no key may have changed
    QByteArray message = {}; ///< or its beginning
    QByteArrayList keys = {}; ///< empty: the test's keys
    QByteArray script = {};
};

/// A call of a script, as a table row: setup, call, the answers of both forms, and the rest. All as printed
/// by `redis-cli --csv`: strings quoted, nil as NULL, errors as ERROR,"…", arrays on one line.
struct ScriptStep
{
    QByteArrayList before; ///< redis-cli lines that create the key `lock`
    QByteArray script;
    QByteArrayList arguments;
    QByteArray published; ///< or its beginning, for an error
    QByteArray outcome;
    qint64 holds = -1;
    QByteArray after; ///< hash or string; "same": unchanged; "gone"
    qint64 ttl = -2;  ///< ms, as set; -1 none, -2 gone
    QByteArray message = {};
};

/// Tests of a lua/ folder on a real server: all functions run with the forms for Redis 7 and Redis 6, each
/// row on an empty server as the default user.
class ScriptTest : public QObject
{
    Q_OBJECT

protected:
    using Words = QByteArrayList;
    using Uses = QList<std::pair<QByteArray, Words>>; ///< scripts with their arguments

    /// `keys`: default keys of calls.
    explicit ScriptTest(QByteArray folder, Words keys = {"lock"}, const QStringList &settings = {});

    static bool flagged();
    QByteArray call(const QByteArray &script, const Words &arguments) const;
    QByteArray call(const QByteArray &script, const Words &arguments, const Words &keys) const;
    QByteArray answer(const QByteArray &script, const Words &arguments);
    /// Runs a call after `before` on a server whose memory is full.
    ScriptRun runOnFull(const Words &before, const QByteArray &script, const Words &arguments);
    /// Returns redis-cli lines that log in as a user with all permissions except `rules`.
    static Words userWith(const QByteArray &rules);
    /// Returns lines for a user without permission to publish.
    static Words silent() { return userWith("resetchannels"); }

    /// Adds a row with the column `call`.
    void row(const QByteArray &name, const QByteArray &script, NamedCall call) const;
    void verifyCall();
    /// Verifies the `step` of a row with both forms of the answer.
    void verifyStep();

    /// Adds columns and rows of rejected calls with the beginning of the error.
    static void addRefusals();
    void refusal(const QByteArray &name, const QByteArray &script, const Words &arguments,
                 const QByteArray &error = "ERR usage") const;
    static void refusal(const QByteArray &name, const QByteArray &script, const Words &arguments,
                        const QByteArray &error, const Words &keys);
    /// Adds rows of invalid leases or grace periods, in place of the argument "LEASE" of each use.
    void refusedLeases(const Uses &uses, const QByteArray &error = "ERR lease must be",
                       const QByteArray &prefix = {}) const;
    /// Verifies the rejection of a row: it changes neither an absent lock nor the one created by `present`.
    void verifyRefusal(const Words &present);
    void verifyRefused(const Words &present, const QByteArray &call, const QByteArray &error);

    /// Verifies that invalid calls return the usage: with these arguments, and with these keys and `good`
    /// arguments.
    void verifyUsage(const QByteArray &script, const Words &good, const QList<Words> &arguments,
                     const QList<Words> &keys);
    /// Verifies that the call fails with this text after "ERR ".
    void verifyError(const QByteArray &script, const Words &arguments, const QByteArray &error);
    /// Verifies that invalid grace periods, the first argument, are rejected without changes.
    void verifyGraces(const Words &before, const QByteArray &script, Words arguments);

    /// Adds columns and rows of leases: `seconds` and `milliseconds`.
    static void addLeases();
    /// Verifies a lease row: a named answer with that time left. The lease replaces the argument "LEASE".
    void verifyLease(const Words &before, const QByteArray &script, Words arguments,
                     const QByteArray &outcomeAndHolds);

    /// Returns Lua that simulates a server with expiring fields: each field has `left` ms.
    static QByteArray fieldsEnd(const QByteArray &left);
    /// Verifies that an answer has the time of the fields, with the reason, if they expire before the key;
    /// otherwise, or without permission to ask, that of the key.
    void verifyFieldsEnd(const Words &before, const QByteArray &script, const Words &arguments,
                         const Words &keys);

    /// Verifies that `call` wakes a client blocked on a list by `command`, which prints `woken`.
    void verifyWakesOneWhoBlocks(const Words &command, const QByteArray &make, const QByteArray &call,
                                 const QByteArray &woken);

    ScriptServer m_server;

private slots:
    void initTestCase_data();
    void init();

private:
    void verifyLeft(const ScriptRun &run, const ScriptStep &step);

    QByteArray m_folder;
    Words m_keys;
};

/// A test with a table of calls, `calls_data`.
class CallTest : public ScriptTest
{
    Q_OBJECT

protected:
    using ScriptTest::ScriptTest;

private slots:
    void calls() { verifyCall(); }
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::NamedCall)
Q_DECLARE_METATYPE(lockscope::ScriptStep)
