// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/scriptserver.h"

namespace lockscope {

/// One call of a script that answers in names, as a row of a table: what is there, with which arguments it is called, what it
/// answers and what it leaves under all its keys.
struct NamedCall
{
    QByteArrayList before; ///< redis-cli lines
    QByteArrayList arguments;
    QByteArray answer;        ///< outcome and holds: `"expired",2`
    qint64 ttl = -2;          ///< of the lock, as it was set; -1 none, -2 gone
    QByteArrayList look = {}; ///< redis-cli lines
    QByteArrayList found =
        {};                  ///< what they print; not looked at after a refusal: then no key may have changed
    QByteArray message = {}; ///< or how it begins
    QByteArrayList keys = {}; ///< those of the test, where there are none
    QByteArray script = {};
};

/// One call of a script, as a row of a table: what is there, what is called, what its two forms answer, what
/// is left. Everything as `redis-cli --csv` prints it: strings quoted, nil as NULL, errors as ERROR,"…",
/// arrays on one line.
struct ScriptStep
{
    QByteArrayList before; ///< redis-cli lines that make the key `lock`
    QByteArray script;
    QByteArrayList arguments;
    QByteArray published; ///< or how it begins, for an error
    QByteArray outcome;
    qint64 holds = -1;
    QByteArray after; ///< the hash or string, or "same" for the value as it was, or "gone"
    qint64 ttl = -2;  ///< in ms, as it was set; -1 none, -2 gone
    QByteArray message = {};
};

/// The scripts of a folder of lua/ on a real server: all test functions run with the form for Redis 7 and with the one for Redis 6,
/// each row on an empty server, as the default user.
class ScriptTest : public QObject
{
    Q_OBJECT

protected:
    using Words = QByteArrayList;
    using Uses = QList<std::pair<QByteArray, Words>>; ///< scripts with their arguments

    /// `keys` are those of a call that says none.
    explicit ScriptTest(QByteArray folder, Words keys = {"lock"}, const QStringList &settings = {});

    static bool flagged();
    QByteArray call(const QByteArray &script, const Words &arguments) const;
    QByteArray call(const QByteArray &script, const Words &arguments, const Words &keys) const;
    /// The answer to one call.
    QByteArray answer(const QByteArray &script, const Words &arguments);
    /// A call after `before`, on a server whose memory is full then.
    ScriptRun runOnFull(const Words &before, const QByteArray &script, const Words &arguments);
    /// The redis-cli lines by which the connection becomes one of a user who may do all but what `rules` say.
    static Words userWith(const QByteArray &rules);
    /// A user who may publish nothing.
    static Words silent() { return userWith("resetchannels"); }

    /// A row of the column `call`.
    void row(const QByteArray &name, const QByteArray &script, NamedCall call) const;
    /// Verifies the `call` of a row.
    void verifyCall();
    /// Verifies the `step` of a row: both forms of the answer, each from the start.
    void verifyStep();

    /// Columns and rows of calls that are refused, each with how the error begins.
    static void addRefusals();
    void refusal(const QByteArray &name, const QByteArray &script, const Words &arguments,
                 const QByteArray &error = "ERR usage") const;
    static void refusal(const QByteArray &name, const QByteArray &script, const Words &arguments,
                        const QByteArray &error, const Words &keys);
    /// Rows of what a lease or a grace must not be: of each use, the argument that is "LEASE".
    void refusedLeases(const Uses &uses, const QByteArray &error = "ERR lease must be",
                       const QByteArray &prefix = {}) const;
    /// Verifies the refusal of a row: neither an absent lock nor the one that `present` makes, for a minute, is touched.
    void verifyRefusal(const Words &present);
    void verifyRefused(const Words &present, const QByteArray &call, const QByteArray &error);

    /// Calls that are no use of the script, each of which is told how it is used: with these arguments; with these keys, and `good`
    /// arguments.
    void verifyUsage(const QByteArray &script, const Words &good, const QList<Words> &arguments,
                     const QList<Words> &keys);
    /// The call is refused, with this behind "ERR ".
    void verifyError(const QByteArray &script, const Words &arguments, const QByteArray &error);
    /// Verifies that whatever is no grace is refused, and nothing is changed. `arguments` has it first.
    void verifyGraces(const Words &before, const QByteArray &script, Words arguments);

    /// Columns and rows of leases: `seconds` and `milliseconds`.
    static void addLeases();
    /// Verifies those of a row: a named answer with that time left, less what the call itself took. The argument "LEASE" is it.
    void verifyLease(const Words &before, const QByteArray &script, Words arguments,
                     const QByteArray &outcomeAndHolds);

    /// The servers that give fields an end of their own, as a script sees them: each field has `left` ms.
    static QByteArray fieldsEnd(const QByteArray &left);
    /// Verifies that an answer names the time of the fields, and says why, if they end sooner than the key; if they do not, or it
    /// may not be asked, the key's.
    void verifyFieldsEnd(const Words &before, const QByteArray &script, const Words &arguments,
                         const Words &keys);

    /// Verifies that one who blocks on a list with `command` is woken by `call` and prints `woken`.
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

/// A test whose calls are rows: of `calls_data`.
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
