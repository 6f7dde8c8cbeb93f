// SPDX-License-Identifier: GPL-3.0-or-later
// How many keys a second one thread recognizes, over a mix as a server has it, beside the same rules as regular expressions,
// and beside hashing the same bytes once, which is what merely looking at them costs. --smoke: small and quick.
#include "core/family/companionkeys.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "tests/bench/coldmemory.h"
#include "tests/bench/series.h"
#include "tests/support/familyliteral.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QRegularExpression>

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace lockscope;

namespace {

constexpr qint64 now = 1'763'756'015'123;
constexpr quint32 seed = 20251121;
constexpr double target = 1e6;

struct Key
{
    LockKey name;
    KeyContent content;
};

class Mix
{
public:
    QList<Key> keys(int count)
    {
        QList<Key> list;
        for (int i = 0; i < count; ++i)
            list.append(key(i));
        std::shuffle(list.begin(), list.end(), m_random);
        return list;
    }

private:
    QByteArray text(const char *alphabet, int length)
    {
        const QByteArrayView letters(alphabet);
        QByteArray out(length, Qt::Uninitialized);
        for (char &c : out)
            c = letters[m_random.bounded(static_cast<int>(letters.size()))];
        return out;
    }
    QByteArray hex(int length) { return text("0123456789abcdef", length); }
    QByteArray bytes(int length) { return QByteArray::fromHex(hex(2 * length)); }
    QByteArray hex4(int version)
    {
        QByteArray out = hex(32);
        out[12] = static_cast<char>('0' + version);
        out[16] = 'a';
        return out;
    }
    QByteArray uuid() { return hex4(4).insert(20, '-').insert(16, '-').insert(12, '-').insert(8, '-'); }
    QByteArray thread() { return uuid() + ':' + QByteArray::number(1 + m_random.bounded(500)); }
    QByteArray drawnNow() { return hex(8) + "c71611f0" + 'a' + hex(15); }

    /// By hundredths.
    Key key(int number)
    {
        const QByteArray name = "lock:order:" + QByteArray::number(number);
        const int kind = number % 100;
        const auto string = [](const QByteArray &key, const QByteArray &value) {
            return Key{LockKey(key), StringContent{value}};
        };
        if (kind < 30)
            return {LockKey(name), HashContent{{{thread(), "1"}}}};
        if (kind < 34)
            return {LockKey(name), HashContent{{{"mode", "read"}, {thread(), "1"}, {thread(), "2"}}}};
        if (kind < 38)
            return {LockKey(name), HashContent{{{"worker-" + hex(4), "1"}}}};
        if (kind < 41)
            return {LockKey("uniquejobs:" + hex(32) + ":LOCKED"), HashContent{{{hex(24), "1763756015.5"}}}};
        if (kind < 55)
            return string(name, drawnNow());
        if (kind < 65)
            return string("bull:mail:" + QByteArray::number(number) + ":lock", uuid() + ":3");
        if (kind < 70)
            return string("job-lock:default:" + QByteArray::number(number),
                          "ADDED:2025-11-21T20:13:35.123Z@web-1:" + uuid());
        if (kind < 78)
            return string(name, uuid());
        if (kind < 82)
            return string(name, hex4(4));
        if (kind < 86)
            return string(name, bytes(6).append('G').append(bytes(9)).toBase64()); // no UUID of version 1
        if (kind < 89)
            return string(name, "web-1_4711_" + hex4(4));
        if (kind < 92)
            return string("mutex:order:" + QByteArray::number(number), uuid());
        if (kind < 95)
            return {LockKey(name), SortedSetContent{{{bytes(32).toBase64(), now}, {"__write__", now}}}};
        if (kind < 98)
            return string("app:clock:" + QByteArray::number(number), QByteArray::number(number));
        return string("app:block:" + QByteArray::number(number),
                      "{\"user\":" + QByteArray::number(number) + '}');
    }

    QRandomGenerator m_random{seed};
};

/// The same rules for this mix, as one would write them first.
class Patterns
{
public:
    Family familyOf(const Key &key) const
    {
        const QString name = QString::fromLatin1(key.name.bytes);
        if (const auto *string = std::get_if<StringContent>(&key.content))
            return ofString(name, QString::fromLatin1(string->value));
        if (const auto *hash = std::get_if<HashContent>(&key.content))
            return ofHash(name, *hash);
        if (const auto *set = std::get_if<SortedSetContent>(&key.content)) {
            for (const auto &member : set->members) {
                if (m_mark.match(QString::fromLatin1(member.first)).hasMatch())
                    return "symfony"_family;
            }
        }
        return "unknown"_family;
    }

private:
    static QRegularExpression pattern(const char *text)
    {
        QRegularExpression expression(QString::fromLatin1(QByteArray(text).replace("UUID", m_uuid)));
        expression.optimize();
        return expression;
    }
    static bool fits(const QRegularExpression &expression, const QString &text)
    {
        return expression.match(text).hasMatch();
    }
    Family ofString(const QString &name, const QString &value) const
    {
        if (fits(m_bullName, name) && fits(m_counted, value))
            return "bullmq"_family;
        if (fits(m_added, value))
            return "shedlock"_family;
        if (fits(m_process, value))
            return "madelson"_family;
        if (fits(m_timed, value))
            return "redis-py"_family;
        if (fits(m_base64, value) && fits(m_lockName, name))
            return "redsync"_family;
        if (fits(m_mutexName, name) && fits(m_oneUuid, value))
            return "redis-semaphore"_family;
        return fits(m_number, value) || value.startsWith(u'{') ? "unknown"_family : "token"_family;
    }
    Family ofHash(const QString &name, const HashContent &hash) const
    {
        bool areIds = true;
        bool hasMode = false;
        bool areJobs = fits(m_jobsName, name);
        for (const auto &[field, value] : hash.fields) {
            const QString text = QString::fromLatin1(field);
            if (text == QLatin1StringView("mode"))
                hasMode = fits(m_mode, QString::fromLatin1(value));
            else
                areIds = areIds && fits(m_redisson, text) && fits(m_count, QString::fromLatin1(value));
            areJobs = areJobs && fits(m_jobId, text);
        }
        if (areIds)
            return hasMode ? "redisson-read-write"_family : "redisson"_family;
        return areJobs ? "sidekiq-unique-jobs"_family : "reentrant"_family;
    }

    static constexpr const char *m_uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
    QRegularExpression m_redisson = pattern("^UUID:-?\\d+(:write)?(:[0-9a-f]{32})?$");
    QRegularExpression m_count = pattern("^[1-9]\\d*$");
    QRegularExpression m_mode = pattern("^(read|write)$");
    QRegularExpression m_jobsName = pattern("[^:]+:[0-9a-f]{32}(:RUN)?:LOCKED$");
    QRegularExpression m_jobId = pattern("^[0-9a-f]{24}$");
    QRegularExpression m_bullName = pattern("^(bull|\\{bull\\}):[^:]+:.+:lock$");
    QRegularExpression m_counted = pattern("^UUID:\\d+$");
    QRegularExpression m_oneUuid = pattern("^UUID$");
    QRegularExpression m_added = pattern("^ADDED:\\d{4}-\\d\\d-\\d\\dT.+@.+");
    QRegularExpression m_process = pattern("^[\\w.-]+_[1-9]\\d*_[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$");
    QRegularExpression m_timed = pattern("^[0-9a-f]{12}1[0-9a-f]{3}[89ab][0-9a-f]{15}$");
    QRegularExpression m_base64 = pattern("^[A-Za-z0-9+/]{21}[AQgw]==$");
    QRegularExpression m_lockName = pattern("(^|[^A-Za-z])locks?([^A-Za-z]|$)");
    QRegularExpression m_mutexName = pattern("^mutex:");
    QRegularExpression m_number = pattern("^\\d+$");
    QRegularExpression m_mark = pattern("^__write__$");
};

double threadSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// What it finds is summed up, so that nothing is left out as unneeded.
template <typename Work>
double keysASecond(const QList<Key> &keys, quint64 &sum, Work work)
{
    const double before = threadSeconds();
    for (const Key &key : keys)
        sum += work(key);
    return static_cast<double>(keys.size()) / (threadSeconds() - before);
}

quint64 hashOf(const KeyContent &content)
{
    quint64 hash = 0;
    if (const auto *fields = std::get_if<HashContent>(&content)) {
        for (const auto &[field, value] : fields->fields)
            hash += qHash(field) + qHash(value);
    } else if (const auto *string = std::get_if<StringContent>(&content)) {
        hash = qHash(string->value);
    } else if (const auto *set = std::get_if<SortedSetContent>(&content)) {
        for (const auto &member : set->members)
            hash += qHash(member.first);
    }
    return hash;
}

Recognition recognized(const Key &key)
{
    return recognize(key.name, key.content, milliseconds(30'000), now);
}

bool agree(const QList<Key> &keys, const Patterns &patterns)
{
    for (const Key &key : keys) {
        const Family family = recognized(key).family;
        const Family expected = patterns.familyOf(key);
        if (family != expected) {
            std::printf("%s: %s, but by patterns %s\n", key.name.bytes.constData(), specOf(family).name,
                        specOf(expected).name);
            return false;
        }
    }
    return true;
}

void printRow(const char *what, const Series &series)
{
    std::printf("%-44s %s\n", what, series.rate().constData());
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const bool isSmoke = QCoreApplication::arguments().contains(QStringLiteral("--smoke"));
    const int rounds = isSmoke ? 3 : 15;
    const QList<Key> keys = Mix().keys(isSmoke ? 2'000 : 100'000);
    const Patterns patterns;
    if (!agree(keys, patterns))
        return 1;

    Series own;
    Series companions;
    Series byPattern;
    Series hashing;
    quint64 sum = 0;
    for (int round = 0; round < rounds; ++round) {
        own.add(
            keysASecond(keys, sum, [](const Key &key) { return quint64(recognized(key).owners.size()); }));
        companions.add(
            keysASecond(keys, sum, [](const Key &key) { return quint64(isCompanion(key.name.bytes)); }));
        byPattern.add(keysASecond(
            keys, sum, [&](const Key &key) { return static_cast<quint64>(patterns.familyOf(key).index()); }));
        hashing.add(keysASecond(
            keys, sum, [](const Key &key) { return quint64(qHash(key.name.bytes)) + hashOf(key.content); }));
    }
    std::printf("%lld keys, one thread, time of the processor; median (quartiles) of %d rounds, keys/s. %s "
                "[%llu]\n\n",
                static_cast<long long>(keys.size()), rounds, coldMemoryText().constData(),
                static_cast<unsigned long long>(sum % 10));
    std::printf("%-44s %s   >= %.0f: %s\n", "recognized, with owners", own.rate().constData(), target,
                own.median() >= target ? "met" : "MISSED");
    printRow("names told from companions", companions);
    printRow("the same rules as regular expressions", byPattern);
    printRow("hashing the same bytes", hashing);
    std::printf("%-44s %.1f\n", "times as fast as regular expressions", own.median() / byPattern.median());
    std::printf("%-44s %.2f\n", "share of the speed of hashing", own.median() / hashing.median());
    return 0;
}
