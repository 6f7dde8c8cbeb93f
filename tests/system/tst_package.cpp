// SPDX-License-Identifier: GPL-3.0-or-later
// The Debian packages, made of the programs at hand, and their check with packages that something is wrong with.
#include "tests/support/redisserver.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;

namespace {

constexpr int patience = 200'000; // of lintian on a busy machine; milliseconds

struct Finished
{
    int exitCode = -1;
    QByteArray said; ///< output and errors
};

/// As runProgram, for what takes longer. A fixed date, so that equal packages are equal.
Finished run(const QString &program, const QStringList &arguments)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("SOURCE_DATE_EPOCH"), QStringLiteral("1700000000"));
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    const bool hasEnded = process.waitForFinished(patience);
    return {hasEnded ? process.exitCode() : -1, process.readAll()};
}

Finished check(const QStringList &packages)
{
    return run(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/packaging/check-package"), packages);
}

} // namespace

class TestPackage : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void hasTheProgramsAndWhatBelongsToThem();
    void dependsOnWhatTheProgramsLink();
    void theTerminalProgramNeedsNoDesktop();
    void passesItsCheck();
    void namesNothingOfThisMachine();
    void theWindowIsTheEntrys();
    void aFaultIsFound_data();
    void aFaultIsFound();

private:
    QString unpacked(const QString &path) const { return m_folder.filePath(QStringLiteral("root/") + path); }
    QByteArray read(const QString &path) const
    {
        QFile file(unpacked(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    bool put(const QString &path, const QByteArray &text);

    QTemporaryDir m_folder;
    QStringList m_packages;
    QHash<QString, QByteArray> m_controls, m_files; ///< by package
};

/// A weak compression is the quickest, of programs with all their checks.
void TestPackage::initTestCase()
{
    const Finished made =
        run(QStringLiteral("cpack"),
            {QStringLiteral("--config"), QStringLiteral(LOCKSCOPE_BUILD_DIR "/CPackConfig.cmake"),
             QStringLiteral("-B"), m_folder.path(), QStringLiteral("-D"),
             QStringLiteral("CPACK_DEBIAN_COMPRESSION_TYPE=gzip")});
    QVERIFY2(made.exitCode == 0, made.said.constData());
    const QStringList names =
        QDir(m_folder.path()).entryList({QStringLiteral("lockscope*_*_*.deb")}, QDir::Files, QDir::Name);
    QCOMPARE(names.size(), 3); // -cli, -doc, and lockscope itself, whose control file stays
    for (const QString &name : names) {
        m_packages.append(m_folder.filePath(name));
        const QString control = unpacked(QStringLiteral("DEBIAN"));
        QDir(control).removeRecursively();
        for (const QStringList &words :
             {QStringList{QStringLiteral("--extract"), m_packages.last(), unpacked({})},
              QStringList{QStringLiteral("--control"), m_packages.last(), control}}) {
            const Finished extracted = run(QStringLiteral("dpkg-deb"), words);
            QVERIFY2(extracted.exitCode == 0, extracted.said.constData());
        }
        m_controls[name.section(u'_', 0, 0)] = read(QStringLiteral("DEBIAN/control"));
        m_files[name.section(u'_', 0, 0)] = read(QStringLiteral("DEBIAN/md5sums"));
    }
}

bool TestPackage::put(const QString &path, const QByteArray &text)
{
    QFile file(unpacked(path));
    return file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(text) == text.size();
}

void TestPackage::hasTheProgramsAndWhatBelongsToThem()
{
    const QStringList programs = QDir(unpacked(QStringLiteral("usr/bin"))).entryList(QDir::Files);
    QCOMPARE(programs, QStringList({QStringLiteral("lockscope"), QStringLiteral("lockscope-cli")}));
    for (const char *file : {"share/applications/org.lockscope.Lockscope.desktop",
                             "share/metainfo/org.lockscope.Lockscope.metainfo.xml",
                             "share/icons/hicolor/scalable/apps/org.lockscope.Lockscope.svg",
                             "share/icons/hicolor/16x16/apps/org.lockscope.Lockscope.png",
                             "share/icons/hicolor/256x256/apps/org.lockscope.Lockscope.png",
                             "share/man/man1/lockscope.1.gz",
                             "share/man/man1/lockscope-cli.1.gz",
                             "share/man/zh_CN/man1/lockscope.1.gz",
                             "share/man/zh_CN/man1/lockscope-cli.1.gz",
                             "share/bash-completion/completions/lockscope",
                             "share/bash-completion/completions/lockscope-cli",
                             "share/zsh/vendor-completions/_lockscope",
                             "share/doc/lockscope/copyright",
                             "share/doc/lockscope/changelog.gz",
                             "share/doc/lockscope/README.md",
                             "share/doc/lockscope/README.zh_CN.md",
                             "share/doc/lockscope/packaging/docs/guide.zh_CN.md",
                             "share/doc/lockscope/packaging/docs/families.md",
                             "share/doc/lockscope/packaging/docs/families-format.md",
                             "share/doc/lockscope/packaging/docs/family.schema.json",
                             "share/doc/lockscope/packaging/docs/json.md",
                             "share/doc/lockscope/packaging/schemas/history.schema.json",
                             "share/lockscope/schemas/common.schema.json",
                             "share/doc/lockscope/packaging/docs/permissions.md",
                             "share/doc/lockscope/packaging/screenshots/window.png",
                             "share/lockscope/lua/reentrant/acquire.lua"})
        QVERIFY2(QFile::exists(unpacked(QStringLiteral("usr/") + QString::fromLatin1(file))), file);
    const Ran ran = runProgram(unpacked(QStringLiteral("usr/bin/lockscope-cli")), {"--version"});
    const QByteArray version = ran.out.trimmed().split(' ').last();
    QCOMPARE(ran.exitCode, 0);
    QVERIFY2(read(QStringLiteral("DEBIAN/control")).contains("\nVersion: " + version + '\n'),
             version.constData());
}

/// For servers: no library of a desktop, and none of its files.
void TestPackage::theTerminalProgramNeedsNoDesktop()
{
    const QByteArray control = m_controls[QStringLiteral("lockscope-cli")];
    QVERIFY2(control.contains("libqt6network6") && control.contains("libncursesw6"), control.constData());
    for (const char *library : {"gui", "widgets", "libqcustomplot", "libx11"})
        QVERIFY2(!control.contains(library), library);
    QVERIFY2(control.contains("\nBreaks: lockscope (<< ") && control.contains("\nReplaces: lockscope (<< "),
             control.constData());
    const QByteArray files = m_files[QStringLiteral("lockscope-cli")];
    QVERIFY(files.contains("usr/bin/lockscope-cli") && files.contains("lua/reentrant/acquire.lua") &&
            files.contains("lockscope@.service") && files.contains("schemas/common.schema.json"));
    QVERIFY2(!files.contains("icons") && !files.contains("README") && !files.contains("usr/bin/lockscope\n"),
             files.constData());
    const QByteArray window = m_files[QStringLiteral("lockscope")];
    QVERIFY2(window.contains("usr/bin/lockscope\n") && !window.contains("README"), window.constData());
    QVERIFY(m_files[QStringLiteral("lockscope-doc")].contains("README.md"));
    QVERIFY(m_controls[QStringLiteral("lockscope-doc")].contains("Architecture: all\n"));
}

void TestPackage::dependsOnWhatTheProgramsLink()
{
    const QByteArray control = m_controls[QStringLiteral("lockscope")];
    QVERIFY2(control.contains("lockscope-cli (= "), control.constData());
    for (const char *library : {"libqt6widgets6", "libqt6network6", "libhiredis", "libqcustomplot",
                                "qt6-qpa-plugins", "libqt6keychain1", "libsecret-1-0"})
        QVERIFY2(control.contains(library), control.constData());
    QVERIFY2(!control.contains("Depends: redis-server"), control.constData());
}

void TestPackage::passesItsCheck()
{
    const Finished checked = check(m_packages);
    QVERIFY2(checked.exitCode == 0, checked.said.constData());
}

/// The programs of a debug build have names of source files in them; packaging/make-package looks at those of its own.
void TestPackage::namesNothingOfThisMachine()
{
    QDirIterator files(unpacked(QStringLiteral("usr/share")), QDir::Files, QDirIterator::Subdirectories);
    int number = 0;
    for (; files.hasNext(); ++number) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(!file.readAll().contains(LOCKSCOPE_SOURCE_DIR), qPrintable(file.fileName()));
    }
    QVERIFY(number > 50);
}

/// A desktop finds the entry of a window by its name, and in both languages the same things in it.
void TestPackage::theWindowIsTheEntrys()
{
    const QByteArray entry = read(QStringLiteral("usr/share/applications/org.lockscope.Lockscope.desktop"));
    const QByteArray component =
        read(QStringLiteral("usr/share/metainfo/org.lockscope.Lockscope.metainfo.xml"));
    QVERIFY(entry.contains("\nIcon=org.lockscope.Lockscope\n") &&
            entry.contains("\nExec=lockscope %u\nMimeType=x-scheme-handler/lockscope;\n"));
    for (const QByteArray key : {"GenericName", "Comment", "Keywords"})
        QCOMPARE(entry.count('\n' + key + '='), entry.count('\n' + key + "[zh_CN]="));
    for (const QByteArray element : {"summary", "p", "li"})
        QCOMPARE(component.count('<' + element + '>'),
                 component.count('<' + element + " xml:lang=\"zh_CN\">"));
    QFile source(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/app/main.cpp"));
    QVERIFY(source.open(QIODevice::ReadOnly));
    QVERIFY(source.readAll().contains("setDesktopFileName(QStringLiteral(\"org.lockscope.Lockscope\"))"));
}

/// The programs go first: no fault is in them, and most of the work would be theirs.
void TestPackage::aFaultIsFound_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("text"); // instead of the file's own
    QTest::addColumn<QByteArray>("said");
    QVERIFY(QDir(unpacked(QStringLiteral("usr/bin"))).removeRecursively());
    const auto row = [](const char *name, const char *path, const QByteArray &text, const char *said) {
        QTest::newRow(name) << QString::fromLatin1(path) << text << QByteArray(said);
    };
    row("desktop entry", "usr/share/applications/org.lockscope.Lockscope.desktop",
        "[Desktop Entry]\nType=Application\nName=Lockscope\nExec=lockscope %y\n", "error");
    row("component", "usr/share/metainfo/org.lockscope.Lockscope.metainfo.xml",
        "<component type=\"desktop-application\"><id>org.lockscope.Lockscope</id></component>\n",
        "metadata-license-missing");
    row("manual page", "usr/share/man/man1/lockscope.1.gz", ".TH A 1\n.NOSUCH\n", "NOSUCH");
    row("completion", "usr/share/bash-completion/completions/lockscope", "if then\n", "syntax error");
    row("copyright", "usr/share/doc/lockscope/copyright", "nobody's\n",
        "W: lockscope: copyright-without-copyright-notice");
}

void TestPackage::aFaultIsFound()
{
    QFETCH(const QString, path);
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, said);
    const QByteArray before = read(path);
    QVERIFY(!before.isEmpty() && put(path, text));
    const QString package = m_folder.filePath(QStringLiteral("faulty.deb"));
    const Finished made = run(QStringLiteral("dpkg-deb"),
                              {QStringLiteral("--root-owner-group"), QStringLiteral("-Zgzip"),
                               QStringLiteral("-z1"), QStringLiteral("--build"), unpacked({}), package});
    QVERIFY(put(path, before));
    QVERIFY2(made.exitCode == 0, made.said.constData());
    const Finished checked = check({package});
    QVERIFY2(checked.exitCode != 0 && checked.said.contains(said), checked.said.constData());
}

QTEST_GUILESS_MAIN(TestPackage)
#include "tst_package.moc"
