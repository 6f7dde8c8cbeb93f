// SPDX-License-Identifier: GPL-3.0-or-later
// The house rules that neither compiler nor linker knows, checked on the source tree and on trees that break them.
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QLibraryInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <functional>
#include <optional>

namespace {

constexpr int maxLines = 500;
constexpr int maxClassLines = 700;
constexpr int maxPrivateFunctions = 30;

struct SourceFile
{
    QString path; ///< from the root: "core/model/lock.h"
    QStringList lines;

    bool isIn(const QString &folder) const { return path.startsWith(folder + QLatin1Char('/')); }
    bool isOneOf(const QRegularExpression &paths) const { return paths.match(path).hasMatch(); }
    QString suffix() const { return QFileInfo(path).suffix(); }
    bool isCpp() const { return suffix() == QStringLiteral("cpp") || suffix() == QStringLiteral("h"); }
    bool hasComments() const;
    QStringList includes() const;
};

bool SourceFile::hasComments() const
{
    static const QSet<QString> suffixes{QStringLiteral("cpp"), QStringLiteral("h"),    QStringLiteral("lua"),
                                        QStringLiteral("sh"),  QStringLiteral("py"),   QStringLiteral("yml"),
                                        QStringLiteral("qss"), QStringLiteral("cmake")};
    return suffixes.contains(suffix()) || path.endsWith(QStringLiteral("CMakeLists.txt")) ||
           lines.value(0).startsWith(QStringLiteral("#!"));
}

QStringList SourceFile::includes() const
{
    static const QRegularExpression directive(QStringLiteral("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]"));
    QStringList names;
    for (const QString &line : lines) {
        const auto match = directive.match(line);
        if (match.hasMatch())
            names.append(match.captured(1));
    }
    return names;
}

bool isSocketHeader(const QString &include)
{
    static const QRegularExpression header(
        QStringLiteral("^(QtNetwork/)?Q(Tcp|Ssl|Local|Udp|Abstract|Sctp)(Socket|Server)$|^(sys/"
                       "(socket|un)|netdb)\\.h$|^(netinet|arpa)/|^QtNetwork$"
                       "|^QNetworkAccessManager$"));
    return header.match(include).hasMatch();
}

bool isGraphicsHeader(const QString &include)
{
    static const QDir qt(QLibraryInfo::path(QLibraryInfo::HeadersPath));
    static const QRegularExpression named(QStringLiteral("^Qt(Gui|Widgets)(/|$)"));
    return named.match(include).hasMatch() || qt.exists(QStringLiteral("QtGui/") + include) ||
           qt.exists(QStringLiteral("QtWidgets/") + include);
}

/// What the rooms of core may include besides themselves, and each of them what a room that it may include may.
const QHash<QString, QStringList> &directions()
{
    static const auto rooms = [](const char *names) {
        return QString::fromLatin1(names).split(u' ', Qt::SkipEmptyParts);
    };
    static const QHash<QString, QStringList> table{
        {QStringLiteral("base"), {}},
        {QStringLiteral("model"), rooms("base")},
        {QStringLiteral("history"), rooms("base model redis family")},
        {QStringLiteral("redis"), rooms("base")},
        {QStringLiteral("family"), rooms("base model redis")},
        {QStringLiteral("read"), rooms("base model redis family")},
        {QStringLiteral("journal"), rooms("base model redis")},
        {QStringLiteral("act"), rooms("base model redis family read journal watch state")},
        {QStringLiteral("watch"), rooms("base model redis family")},
        {QStringLiteral("state"), rooms("base model redis family journal watch")},
        {QStringLiteral("monitor"), rooms("base model redis family read journal act watch state")},
        {QStringLiteral("alerts"), rooms("base model redis family history watch state")},
        {QStringLiteral("simulation"), rooms("base model redis family")},
        {QStringLiteral("recording"), rooms("base model redis family read history watch")},
        {QStringLiteral("verify"), rooms("base model redis family history")},
        {QStringLiteral("words"), rooms("base model redis family read history journal act monitor watch "
                                        "state alerts recording simulation verify")},
        {QStringLiteral("table"),
         rooms("base model redis family read history journal act monitor watch state "
               "alerts recording simulation verify words")},
    };
    return table;
}

/// "core/redis/resp.h": "redis"; empty outside core.
QString roomOf(const QString &path)
{
    return path.startsWith(QStringLiteral("core/")) ? path.section(u'/', 1, 1) : QString();
}

/// Folders that include each other, directly or by way of others: one cycle of them, or nothing.
QStringList circleIn(const QHash<QString, QSet<QString>> &includes)
{
    QHash<QString, bool> isDone; // false: on the way that led here
    QStringList way;
    const std::function<QStringList(const QString &)> follow = [&](const QString &folder) -> QStringList {
        if (const auto met = isDone.constFind(folder); met != isDone.cend())
            return *met ? QStringList() : way.mid(way.indexOf(folder)) + QStringList(folder);
        isDone.insert(folder, false);
        way.append(folder);
        for (const QString &next : includes.value(folder)) {
            if (QStringList cycle = follow(next); !cycle.isEmpty())
                return cycle;
        }
        way.removeLast();
        isDone[folder] = true;
        return {};
    };
    for (auto folder = includes.keyBegin(); folder != includes.keyEnd(); ++folder) {
        if (QStringList cycle = follow(*folder); !cycle.isEmpty())
            return cycle;
    }
    return {};
}

/// What is wrong with one #include, or nothing.
QString includeFault(const SourceFile &file, const QString &include)
{
    static const QRegularExpression codec(
        QStringLiteral("^(core/redis/resp|tests/bench/plainclient)\\.(h|cpp)$"));
    static const QRegularExpression transport(
        QStringLiteral("^core/(redis/(transport|tls|connection|blockingconnection|blockingsocket)|simulation/"
                       "server/privateserver)\\.(h|cpp)$"));
    if (include == QStringLiteral("zstd.h") && file.path != QStringLiteral("core/recording/chunk.cpp"))
        return QStringLiteral("only core/recording/chunk includes zstd");
    if (include.contains(QStringLiteral("hiredis")) && !file.isOneOf(codec))
        return QStringLiteral("only core/redis/resp includes hiredis");
    static const QRegularExpression curses(QStringLiteral("^(curses|ncurses|ncursesw/.*|term)\\.h$"));
    if (curses.match(include).hasMatch() && file.path != QStringLiteral("app/cli/cursesscreen.cpp"))
        return QStringLiteral("only app/cli/cursesscreen includes ncurses");
    static const QRegularExpression keychain(QStringLiteral("^ui/connect/keychain\\.cpp$"));
    if (include.startsWith(QStringLiteral("qt6keychain/")) && !file.isOneOf(keychain))
        return QStringLiteral("only ui/connect/keychain includes the keychain");
    static const QRegularExpression desktop(
        QStringLiteral("^(ui/alerts/desktopnotifications\\.cpp$|tests/)"));
    if (include.startsWith(QStringLiteral("QDBus")) && !file.isOneOf(desktop))
        return QStringLiteral("only ui/alerts/desktopnotifications includes D-Bus");
    if (file.isIn(QStringLiteral("core"))) {
        if (isSocketHeader(include) && !file.isOneOf(transport))
            return QStringLiteral("only the connection files include a socket");
        if (isGraphicsHeader(include))
            return QStringLiteral("core includes no Gui and no Widgets");
        if (include.startsWith(QStringLiteral("ui/")))
            return QStringLiteral("core includes no ui");
        const QString room = roomOf(file.path);
        const QString other = roomOf(include);
        if (directions().contains(room) && !other.isEmpty() && other != room &&
            !directions().value(room).contains(other))
            return QStringLiteral("core/%1 may not include core/%2").arg(room, other);
    }
    const bool isBelowApp = file.isIn(QStringLiteral("core")) || file.isIn(QStringLiteral("ui"));
    if (isBelowApp && include.startsWith(QStringLiteral("app/")))
        return QStringLiteral("only app includes app");
    const bool isProgram = isBelowApp || file.isIn(QStringLiteral("app"));
    if (isProgram && include.startsWith(QStringLiteral("tests/")))
        return QStringLiteral("only tests include tests");
    return {};
}

/// A script says how it is called; a part that scripts share, what it does to the one that includes it.
QStringList luaFaults(const SourceFile &file)
{
    using Headers = QList<std::pair<int, const char *>>;
    static const Headers ofScripts{{0, "^#!lua( flags=[a-z-]+(,[a-z-]+)*)?$"},
                                   {1, "^-- KEYS: ."},
                                   {2, "^-- ARGV: ."},
                                   {3, "^-- Returns: ."}};
    static const Headers ofParts{{0, "^-- SPDX-"}, {1, "^-- [A-Z]"}};
    QStringList faults;
    for (const auto &[line, pattern] : file.isIn(QStringLiteral("lua/parts/shared")) ? ofParts : ofScripts) {
        if (!QRegularExpression(QString::fromLatin1(pattern)).match(file.lines.value(line)).hasMatch())
            faults.append(
                QStringLiteral("line %1 must match %2").arg(line + 1).arg(QString::fromLatin1(pattern)));
    }
    return faults;
}

/// The names of the families, from the files that declare them; "reentrant|redisson-fair|…".
QString familyNames()
{
    static const QString names = [] {
        static const QRegularExpression declared(QStringLiteral("^    \\.name = \"([^\"]+)\",$"));
        // Ordinary words, which are told as such, too.
        QStringList found;
        const QStringList words{QStringLiteral("token"), QStringLiteral("unknown"),
                                QStringLiteral("reentrant"), QStringLiteral("handoff"), QStringLiteral("rq")};
        QDirIterator files(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/core/family/libraries"),
                           {QStringLiteral("*.cpp")});
        while (files.hasNext()) {
            QFile file(files.next());
            if (!file.open(QIODevice::ReadOnly))
                qFatal("can't read %s", qPrintable(file.fileName()));
            for (const QString &line : QString::fromUtf8(file.readAll()).split(u'\n')) {
                if (const auto match = declared.match(line);
                    match.hasMatch() && !words.contains(match.captured(1)))
                    found.append(QRegularExpression::escape(match.captured(1)));
            }
        }
        return found.join(u'|');
    }();
    return names;
}

/// A family is known to its own file alone; the laboratory runs some that it writes itself.
QStringList familyFaults(const SourceFile &file)
{
    static const QRegularExpression program(
        QStringLiteral("^(app|core|ui)/(?!family/libraries/|simulation/)"));
    static const QRegularExpression anySource(QStringLiteral("^(app|core|ui)/(?!family/libraries/)"));
    static const QRegularExpression registry(QStringLiteral("^core/family/(registry|familycode)\\.cpp$"));
    static const QRegularExpression laboratory(QStringLiteral("^core/simulation/strategy/handoff\\.cpp$"));
    static const QRegularExpression literal(QStringLiteral("\"[^\"]*\\b(%1)\\b[^\"]*\"").arg(familyNames()),
                                            QRegularExpression::CaseInsensitiveOption);
    QStringList faults;
    if (!file.isCpp() || !file.isOneOf(anySource))
        return faults;
    for (const QString &line : file.lines) {
        const bool isInclude = line.startsWith(QStringLiteral("#include"));
        const bool reaches =
            isInclude ? line.contains(QStringLiteral("core/family/libraries/")) && !file.isOneOf(laboratory)
                      : line.contains(QStringLiteral("families::")) && !file.isOneOf(registry);
        const QString code = line.section(QStringLiteral("//"), 0, 0);
        const bool names = !isInclude && file.isOneOf(program) && literal.match(code).hasMatch();
        if (reaches || names)
            faults.append(QStringLiteral("only its own file names a family: ") + line.trimmed());
    }
    return faults;
}

QStringList faultsOf(const SourceFile &file)
{
    static const QString licence = QStringLiteral("SPDX-License-Identifier: GPL-3.0-or-later");
    static const QRegularExpression bounded(QStringLiteral("^(app|core|lua|ui)/"));
    const bool isLua = file.suffix() == QStringLiteral("lua");
    QStringList faults;
    if (file.hasComments()) {
        // After "#!" in a script; a Lua file has its header lines before it, and what it is made of.
        const qsizetype firstLines = isLua ? 6 : file.lines.value(0).startsWith(QStringLiteral("#!")) ? 2 : 1;
        if (!file.lines.mid(0, firstLines).join(QLatin1Char('\n')).contains(licence))
            faults.append(QStringLiteral("no SPDX line at the top"));
    }
    if (file.suffix() == QStringLiteral("h") && !file.lines.contains(QStringLiteral("#pragma once")))
        faults.append(QStringLiteral("no #pragma once"));
    if (file.isOneOf(bounded) && file.lines.size() > maxLines)
        faults.append(QStringLiteral("more than %1 lines").arg(maxLines));
    if (isLua && file.isIn(QStringLiteral("lua/parts")))
        faults += luaFaults(file);
    static const QRegularExpression translated(
        QStringLiteral("\\btr\\(|\\btranslate\\(|Q_DECLARE_TR_FUNCTIONS"));
    static const QStringList translating{QString(), QStringLiteral("words"), QStringLiteral("table")};
    if (!translating.contains(roomOf(file.path)) && !file.lines.filter(translated).isEmpty())
        faults.append(QStringLiteral("only core/words and core/table translate: write a Phrase"));
    faults += familyFaults(file);
    if (file.isCpp()) {
        for (const QString &include : file.includes()) {
            if (const QString fault = includeFault(file, include); !fault.isEmpty())
                faults.append(include + QStringLiteral(": ") + fault);
        }
    }
    return faults;
}

SourceFile readSource(const QDir &root, const QString &path)
{
    QFile file(root.filePath(path));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("can't read %s", qPrintable(file.fileName()));
    const QString text = QString::fromUtf8(file.readAll());
    QStringList lines = text.split(QLatin1Char('\n'));
    if (lines.last().isEmpty())
        lines.removeLast();
    return {path, lines};
}

/// In however many files; of a nested class apart from the outer one.
struct ClassSize
{
    int lines = 0; ///< of the bodies of its functions, with their braces
    int privateFunctions = 0;
};

/// Measures classes by lines that clang-format has laid out: a body begins and ends with a brace below its declaration's first
/// letter, and what continues a line is indented further.
class ClassMeasure
{
public:
    void read(const QStringList &lines);
    QStringList faults() const;

private:
    struct Scope
    {
        QString name;
        qsizetype indent;
        bool isPrivate;
    };

    bool takeScope(const QString &code, qsizetype indent);
    void takeDeclaration();
    QString ownerOfBody() const;

    QMap<QString, ClassSize> m_sizes;
    QList<Scope> m_scopes;
    QString m_statement;
};

void ClassMeasure::read(const QStringList &lines)
{
    static const QRegularExpression comment(QStringLiteral("(^|\\s)//.*$"));
    constexpr qsizetype step = 4;
    std::optional<qsizetype> body; // its indentation
    QString owner;
    for (const QString &line : lines) {
        const QString text = QString(line).remove(comment);
        const QString code = text.trimmed();
        if (code.isEmpty() || code.startsWith(u'#'))
            continue;
        const qsizetype indent = text.indexOf(code);
        const qsizetype level = m_scopes.isEmpty() ? 0 : m_scopes.last().indent + step;
        if (body) {
            m_sizes[owner].lines += 1;
            if (indent == *body && code.startsWith(u'}'))
                body.reset();
        } else if (takeScope(code, indent)) {
            m_statement.clear();
        } else if (indent == level && code == QStringLiteral("{")) {
            takeDeclaration();
            owner = ownerOfBody();
            m_sizes[owner].lines += 1;
            body = level;
        } else if (indent >= level) {
            m_statement = indent == level ? code : m_statement + u' ' + code;
            if (code.endsWith(u';') || code.endsWith(u'}'))
                takeDeclaration();
        }
    }
}

/// The begin, a section, or the end of a class.
bool ClassMeasure::takeScope(const QString &code, qsizetype indent)
{
    static const QRegularExpression declared(
        QStringLiteral("^(class|struct) ((?:\\w+::)*\\w+)(?: final)?(?: :.*[^;])?$"));
    static const QRegularExpression section(
        QStringLiteral("^(private|protected|public|signals)(?: slots)?:$"));
    const QString outer = m_scopes.isEmpty() ? QString() : m_scopes.last().name + QStringLiteral("::");
    if (const auto match = declared.match(code); match.hasMatch()) {
        m_scopes.append({outer + match.captured(2), indent, match.captured(1) == QStringLiteral("class")});
        return true;
    }
    if (m_scopes.isEmpty() || indent != m_scopes.last().indent)
        return false;
    if (const auto match = section.match(code); match.hasMatch())
        m_scopes.last().isPrivate = match.captured(1) == QStringLiteral("private");
    else if (code.startsWith(u'}'))
        m_scopes.removeLast();
    return true;
}

/// Of a function in a class, with or without its body.
void ClassMeasure::takeDeclaration()
{
    static const QRegularExpression arguments(QStringLiteral("<[^<>]*>"));
    static const QRegularExpression function(
        QStringLiteral("^(?!friend )[^={(]*[ &*](operator[^(]*|[a-z]\\w*)\\("));
    static const QRegularExpression without(QStringLiteral("= (default|delete);$"));
    static const QRegularExpression inlineBody(QStringLiteral("^[^={]*\\).*\\}$"));
    while (m_statement.contains(arguments))
        m_statement.remove(arguments);
    if (m_scopes.isEmpty())
        return;
    ClassSize &size = m_sizes[m_scopes.last().name];
    if (m_scopes.last().isPrivate && m_statement.contains(function) && !m_statement.contains(without))
        size.privateFunctions += 1;
    if (m_statement.contains(inlineBody))
        size.lines += 1;
}

/// Empty: it is no class's.
QString ClassMeasure::ownerOfBody() const
{
    static const QRegularExpression definition(
        QStringLiteral("^[^(]*?\\b((?:\\w+::)*\\w+)::(?:~?\\w+|operator[^(]*)\\("));
    return m_scopes.isEmpty() ? definition.match(m_statement).captured(1) : m_scopes.last().name;
}

QStringList ClassMeasure::faults() const
{
    QStringList faults;
    for (const auto &[name, size] : m_sizes.asKeyValueRange()) {
        if (!name.isEmpty() && size.lines > maxClassLines)
            faults.append(QStringLiteral("%1: its functions have %2 lines").arg(name).arg(size.lines));
        if (size.privateFunctions > maxPrivateFunctions)
            faults.append(QStringLiteral("%1: %2 private functions").arg(name).arg(size.privateFunctions));
    }
    return faults;
}

/// Every rule that the tree below `root` breaks, each as "path: what is wrong".
QStringList houseFaults(const QDir &root)
{
    static const QStringList rooms{QStringLiteral("app"),       QStringLiteral("core"),
                                   QStringLiteral("lua"),       QStringLiteral("packaging"),
                                   QStringLiteral("resources"), QStringLiteral("tests"),
                                   QStringLiteral("ui")};
    QStringList faults;
    QHash<QString, QSet<QString>> includes; // of folders
    ClassMeasure classes;
    static const QRegularExpression program(QStringLiteral("^(app|core|ui)/"));
    for (const QString &folder : root.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        if (folder == QStringLiteral("build"))
            continue;
        if (!rooms.contains(folder)) {
            faults.append(folder + QStringLiteral(": no such room in the house"));
            continue;
        }
        QDirIterator files(root.filePath(folder), QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const SourceFile file = readSource(root, root.relativeFilePath(files.next()));
            for (const QString &fault : faultsOf(file))
                faults.append(file.path + QStringLiteral(": ") + fault);
            if (file.isCpp() && file.isOneOf(program))
                classes.read(file.lines);
            static const QRegularExpression ours(QStringLiteral("^(core|ui)/.*/"));
            const QString here = QFileInfo(file.path).path();
            for (const QString &include : file.isOneOf(ours) ? file.includes() : QStringList()) {
                if (const QString there = QFileInfo(include).path();
                    ours.match(include).hasMatch() && there != here)
                    includes[here].insert(there);
            }
        }
    }
    faults += classes.faults();
    if (const QStringList cycle = circleIn(includes); !cycle.isEmpty())
        faults.append(QStringLiteral("folders include each other: ") + cycle.join(QStringLiteral(" -> ")));
    return faults;
}

/// Whether what a mutant's patch, of one hunk, replaces stands in its file.
bool fits(const QDir &root, const SourceFile &patch)
{
    const QString target = QStringLiteral("--- a/");
    QString path;
    QString before;
    bool isInHunk = false;
    for (const QString &line : patch.lines) {
        if (line.startsWith(target))
            path = line.mid(target.size());
        else if (line.startsWith(QStringLiteral("@@")))
            isInHunk = true;
        else if (isInHunk && !line.startsWith(QLatin1Char('+')) && !line.isEmpty())
            before += QLatin1Char('\n') + line.mid(1);
    }
    const QString text = QLatin1Char('\n') + readSource(root, path).lines.join(QLatin1Char('\n'));
    return !before.isEmpty() && text.contains(before + QLatin1Char('\n'));
}

} // namespace

class TestHouse : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void thisHouseIsInOrder();
    void aFaultIsFound_data();
    void aFaultIsFound();
    void aClassIsMeasured_data();
    void aClassIsMeasured();
    void everyMutantFits();
};

void TestHouse::thisHouseIsInOrder()
{
    const QDir root(QStringLiteral(LOCKSCOPE_SOURCE_DIR));
    QVERIFY(root.exists(QStringLiteral("core/redis/resp.cpp")));
    const QStringList faults = houseFaults(root);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
}

void TestHouse::aFaultIsFound_data()
{
    const QByteArray spdx = "// SPDX-License-Identifier: GPL-3.0-or-later\n";
    const QByteArray lua = "#!lua flags=allow-oom\n-- KEYS: the lock\n-- ARGV: owner\n-- Returns: 1 or 0\n"
                           "-- SPDX-License-Identifier: GPL-3.0-or-later\n";
    const QByteArray part =
        "-- SPDX-License-Identifier: GPL-3.0-or-later\n-- Defines a.\nlocal a = KEYS[1]\n";
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("fault"); // empty: this one is in order

    const auto row = [](const char *name, const char *path, const QByteArray &text, const char *fault) {
        QTest::newRow(name) << QString::fromLatin1(path) << text << QString::fromLatin1(fault);
    };
    row("plain source", "core/a.cpp", spdx + "#include <QByteArray>\n#include \"core/a.h\"\n", "");
    row("the codec", "core/redis/resp.cpp", spdx + "#include <hiredis/hiredis.h>\n", "");
    row("hiredis elsewhere", "core/redis/script.cpp", spdx + "#include <hiredis/sds.h>\n",
        "includes hiredis");
    row("the chunks", "core/recording/chunk.cpp", spdx + "#include <zstd.h>\n", "");
    row("zstd elsewhere", "core/recording/recording.cpp", spdx + "#include <zstd.h>\n", "includes zstd");
    row("a bench's peer", "tests/bench/plainclient.cpp", spdx + "#include <hiredis/hiredis.h>\n", "");
    row("hiredis in a test", "tests/tst_a.cpp", spdx + "#include <hiredis/hiredis.h>\n", "includes hiredis");
    row("the keychain", "ui/connect/keychain.cpp", spdx + "#include <qt6keychain/keychain.h>\n", "");
    row("the keychain elsewhere", "core/redis/login.cpp", spdx + "#include <qt6keychain/keychain.h>\n",
        "includes the keychain");
    row("the notifications", "ui/alerts/desktopnotifications.cpp", spdx + "#include <QDBusMessage>\n", "");
    row("the bus elsewhere", "ui/shell/a.cpp", spdx + "#include <QDBusMessage>\n", "includes D-Bus");
    row("the transport", "core/redis/transport.cpp", spdx + "#include <QSslSocket>\n", "");
    row("a socket elsewhere", "core/read/a.cpp", spdx + "#include <QTcpSocket>\n", "include a socket");
    row("a socket by its module", "core/read/a.cpp", spdx + "#  include <QtNetwork/QLocalSocket>\n",
        "include a socket");
    row("the system's sockets", "core/read/a.cpp", spdx + "#include <sys/socket.h>\n", "include a socket");
    row("another system header", "core/read/a.cpp", spdx + "#include <sys/stat.h>\n", "");
    row("widgets in ui", "ui/a.cpp", spdx + "#include <QWidget>\n", "");
    row("widgets in core", "core/a.cpp", spdx + "#include <QLabel>\n", "no Gui and no Widgets");
    row("gui in core", "core/a.cpp", spdx + "#include <QColor>\n", "no Gui and no Widgets");
    row("gui in core, by module", "core/a.h", spdx + "#pragma once\n#include <QtGui/QImage>\n",
        "no Gui and no Widgets");
    row("ui in core", "core/a.cpp", spdx + "#include \"ui/widgets/palette.h\"\n", "core includes no ui");
    row("app in core", "core/a.cpp", spdx + "#include \"app/options.h\"\n", "only app includes app");
    row("app in ui", "ui/a.cpp", spdx + "#include \"app/options.h\"\n", "only app includes app");
    row("tests in app", "app/a.cpp", spdx + "#include \"tests/support/redisserver.h\"\n",
        "only tests include tests");
    row("an unknown room", "src/a.txt", "", "no such room");
    row("no licence", "ui/a.cpp", "#include <QWidget>\n", "no SPDX line");
    row("licence too late", "ui/a.cpp", "\n" + spdx, "no SPDX line");
    row("script without licence", "packaging/run", "#!/bin/sh\nexec true\n", "no SPDX line");
    row("script with licence", "packaging/run", "#!/bin/sh\n# SPDX-License-Identifier: GPL-3.0-or-later\n",
        "");
    row("no pragma", "core/a.h", spdx, "no #pragma once");
    row("a family by its name", "core/read/a.cpp", spdx + "if (name == \"redisson-fair\")\n",
        "names a family");
    row("a family in a message", "ui/a.cpp", spdx + "tr(\"A BullMQ job has it.\")\n", "names a family");
    row("a family's value", "app/a.cpp", spdx + "families::symfony\n", "names a family");
    row("a family's header", "core/act/a.cpp", spdx + "#include \"core/family/libraries/bull.h\"\n",
        "names a family");
    row("a family's own file", "core/family/libraries/bull.cpp", spdx + "\"bull:\" families::bull\n", "");
    row("a strategy by its name", "core/simulation/strategy/a.cpp", spdx + "\"redisson\"\n", "");
    row("a room above", "core/model/a.cpp", spdx + "#include \"core/family/a.h\"\n",
        "may not include core/family");
    row("a room below", "core/family/a.cpp", spdx + "#include \"core/model/a.h\"\n", "");
    row("words in the core", "core/read/a.cpp", spdx + "auto a = tr(\"words\");\n",
        "only core/words and core/table translate");
    row("words in the table", "core/table/a.cpp",
        spdx + "#include \"core/words/a.h\"\nauto a = tr(\"words\");\n", "");
    row("the table in words", "core/words/a.cpp", spdx + "#include \"core/table/a.h\"\n",
        "may not include core/table");
    row("ncurses", "app/top/a.cpp", spdx + "#include <curses.h>\n", "only app/cli/cursesscreen includes");
    row("words above it", "core/words/a.cpp", spdx + "auto a = tr(\"words\");\n", "");
    row("500 lines", "core/a.cpp", spdx + QByteArray("\n").repeated(maxLines - 1), "");
    row("501 lines", "core/a.cpp", spdx + QByteArray("\n").repeated(maxLines), "more than 500 lines");
    row("a long test", "tests/tst_a.cpp", spdx + QByteArray("\n").repeated(maxLines), "");
    row("a script of a family", "lua/parts/token/a.lua", lua, "");
    row("a shared part", "lua/parts/shared/a.lua", part, "");
    row("a part of no purpose", "lua/parts/shared/a.lua", QByteArray(part).replace("-- Defines a.\n", ""),
        "line 2 must match");
    row("a part without licence", "lua/parts/shared/a.lua", "\n" + part, "line 1 must match");
    row("no #!lua", "lua/parts/token/a.lua", QByteArray(lua).replace("#!lua", "--"), "line 1 must match");
    row("no KEYS", "lua/parts/token/a.lua", QByteArray(lua).replace("KEYS", "KEY"), "line 2 must match");
    row("no ARGV", "lua/parts/token/a.lua", QByteArray(lua).replace("ARGV: owner", "ARGV:"),
        "line 3 must match");
    row("no Returns", "lua/parts/token/a.lua", QByteArray(lua).replace("Returns", "Return"),
        "line 4 must match");
}

void TestHouse::aFaultIsFound()
{
    QFETCH(QString, path);
    QFETCH(QByteArray, text);
    QFETCH(QString, fault);
    const QTemporaryDir directory;
    const QDir root(directory.path());
    QVERIFY(root.mkpath(QFileInfo(path).path()));
    QFile file(root.filePath(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();

    const QStringList faults = houseFaults(root);
    QCOMPARE(faults.size(), fault.isEmpty() ? 0 : 1);
    QVERIFY2(faults.join(QString()).contains(fault), qPrintable(faults.join(QLatin1Char('\n'))));
}

void TestHouse::aClassIsMeasured_data()
{
    QTest::addColumn<QByteArray>("header"); // the members of class A
    QTest::addColumn<QByteArrayList>("sources");
    QTest::addColumn<QString>("fault"); // empty: this one is in order
    const auto function = [](int lines, const QByteArray &owner = "A") {
        return "std::vector<B::C> " + owner + "::f(\n    int a)\n{\n" +
               QByteArray("    if (a) {\n    }\n\n").repeated((lines - 2) / 2) +
               QByteArray("    g();\n").repeated(lines % 2) + "}\n";
    };
    const QByteArray declared = "    bool f(int a, std::function<void(int)> b) const;\n";
    const QByteArray limit = "private:\n" + declared.repeated(maxPrivateFunctions);
    const QString many = QStringLiteral("A: 31 private functions");
    const QString large = QStringLiteral("A: its functions have 701 lines");

    QTest::newRow("700 lines") << QByteArray() << QByteArrayList{function(300), function(400)} << QString();
    QTest::newRow("701 lines") << QByteArray() << QByteArrayList{function(300), function(401)} << large;
    QTest::newRow("one line in the header")
        << QByteArray("public:\n    int a() const { return m_a; }\n    int m_a{f()};\n")
        << QByteArrayList{function(300), function(400)} << large;
    QTest::newRow("a body in the header")
        << QByteArray("public:\n    A(int a)\n        : m_a(a)\n    {\n        f();\n        g();\n    }\n")
        << QByteArrayList{function(300), function(397)} << large;
    QTest::newRow("a nested class") << QByteArray() << QByteArrayList{function(400), function(400, "A::B")}
                                    << QString();
    QTest::newRow("another class") << QByteArray() << QByteArrayList{function(400), function(400, "B")}
                                   << QString();
    QTest::newRow("30 private functions") << limit << QByteArrayList() << QString();
    QTest::newRow("31 private functions") << limit + declared << QByteArrayList() << many;
    QTest::newRow("an override among them") << limit + "private slots:\n    void g() override { m_a = 1; }\n"
                                            << QByteArrayList() << many;
    QTest::newRow("with a body among them") << limit + "    int g() const\n    {\n        return 1;\n    }\n"
                                            << QByteArrayList() << many;
    QTest::newRow("private from the beginning") << declared + limit << QByteArrayList() << many;
    QTest::newRow("public functions")
        << limit + "public:\n" + declared + "protected:\n" + declared + "signals:\n" + declared
        << QByteArrayList() << QString();
    QTest::newRow("none of them") << limit + "    explicit A(int a);\n    ~A() override;\n"
                                             "    A &operator=(const A &) = default;\n"
                                             "    std::function<void(int)> m_b; // of f()\n"
                                             "    int m_a = f(1);\n    using B = int (*)(int);\n"
                                  << QByteArrayList() << QString();
    QTest::newRow("of a nested class")
        << limit +
               "    class B\n    {\n        int f();\n    };\n    struct C\n    {\n        int f();\n    };\n"
        << QByteArrayList() << QString();
    QTest::newRow("after a nested class")
        << limit + "    class B\n    {\n    public:\n        int f();\n    };\n" + declared
        << QByteArrayList() << many;
}

void TestHouse::aClassIsMeasured()
{
    QFETCH(QByteArray, header);
    QFETCH(QByteArrayList, sources);
    QFETCH(QString, fault);
    ClassMeasure measure;
    sources.append("class A : public B\n{\n" + header + "};\n");
    for (const QByteArray &source : sources)
        measure.read(QString::fromUtf8(source).split(u'\n'));
    QCOMPARE(measure.faults().join(u'\n'), fault);
}

/// Lest packaging/run-mutants is the first to find that the code under one has moved.
void TestHouse::everyMutantFits()
{
    const QDir root(QStringLiteral(LOCKSCOPE_SOURCE_DIR));
    const QString mutants = QStringLiteral("tests/mutants/");
    const QStringList patches = QDir(root.filePath(mutants)).entryList({QStringLiteral("*.patch")});
    QVERIFY(!patches.isEmpty());
    for (const QString &patch : patches)
        QVERIFY2(fits(root, readSource(root, mutants + patch)), qPrintable(patch));
}

QTEST_GUILESS_MAIN(TestHouse)
#include "tst_sourcetree.moc"
