<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Alerts</name>
    <message numerus="yes">
        <source>%1 (%n times)</source>
        <comment>raised again so often</comment>
        <translation>
            <numerusform>%1（%n 次）</numerusform>
        </translation>
    </message>
    <message>
        <source>Ended at %1</source>
        <translation>%1 结束</translation>
    </message>
    <message>
        <source>Acknowledged at %1</source>
        <translation>%1 已确认</translation>
    </message>
    <message>
        <source>Open</source>
        <comment>an alert</comment>
        <translation>未处理</translation>
    </message>
    <message>
        <source>Snoozed until it ends</source>
        <translation>暂停提醒至结束</translation>
    </message>
    <message>
        <source>Snoozed until %1</source>
        <translation>暂停提醒至 %1</translation>
    </message>
    <message>
        <source>until it ends</source>
        <translation>至其结束</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>至 %1</translation>
    </message>
    <message>
        <source>%1, all locks, %2</source>
        <comment>a rule, until when</comment>
        <translation>%1，所有锁，%2</translation>
    </message>
    <message>
        <source>all alerts of %1, %2</source>
        <comment>a lock, until when</comment>
        <translation>%1 的所有告警，%2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a rule, until when</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <comment>a rule, a lock, until when</comment>
        <translation>%1，%2，%3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>an alert, a lock or server</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Server: %1</source>
        <translation>服务器：%1</translation>
    </message>
    <message>
        <source>Open</source>
        <comment>a lock</comment>
        <translation>打开</translation>
    </message>
    <message numerus="yes">
        <source>%n more alert(s)</source>
        <translation>
            <numerusform>另有 %n 条告警</numerusform>
        </translation>
    </message>
    <message>
        <source>Not watched since %1</source>
        <translation>自 %1 起未监视</translation>
    </message>
    <message>
        <source>Rules changed at %1</source>
        <translation>%1 规则已更改</translation>
    </message>
</context>
<context>
    <name>Explanation</name>
    <message>
        <source>Not a recognized lock; the owner is unknown.</source>
        <translation>不是可识别的锁，持有者未知。</translation>
    </message>
    <message>
        <source>No expiry: the lock never expires by itself.</source>
        <translation>无过期时间：锁不会自行过期。</translation>
    </message>
    <message>
        <source>The lease has run out. Lockscope is rechecking the key.</source>
        <translation>租约已到期。正在复查该键。</translation>
    </message>
    <message>
        <source>The lease is being renewed: the holder is alive.</source>
        <translation>租约正在续期：持有者进程存活。</translation>
    </message>
    <message>
        <source>a time beyond the calendar</source>
        <translation>超出日历范围的时间</translation>
    </message>
    <message>
        <source>Releases one level, or all levels, as the owner.</source>
        <translation>以持有者的名义释放一层或全部。</translation>
    </message>
    <message>
        <source>Releases the lock as the owner.</source>
        <translation>以持有者的名义释放锁。</translation>
    </message>
    <message>
        <source>Sets a new lease if the owner still holds the lock.</source>
        <translation>若持有者仍持有该锁，则设置新的租约。</translation>
    </message>
    <message>
        <source>Orphaned queue: the lock is gone, and nothing wakes its waiters.</source>
        <translation>孤立队列：锁已不存在，等待者不会被唤醒。</translation>
    </message>
    <message>
        <source>No expiry, which is the default of this family. Whether the holder is alive is unknown.</source>
        <translation>无过期时间，这是此锁类型的默认设置。持有者进程是否存活未知。</translation>
    </message>
    <message>
        <source>Renewal overdue: the usual watchdog would have renewed the lock. The holder is paused or has crashed, unless the lease is fixed. Expires at %1.</source>
        <translation>续期超时：按默认设置，看门狗此时应已续期。持有者进程已暂停或崩溃，除非租约固定。%1 到期。</translation>
    </message>
    <message>
        <source>Renewal overdue: earlier renewals came with at least %1% of the lease left. The holder is finishing, is paused or has crashed. Expires at %2.</source>
        <translation>续期超时：此前续期时租约至少剩余 %1%。持有者进程即将完成、已暂停或已崩溃。%2 到期。</translation>
    </message>
    <message>
        <source>This does not look like a lock; the owner is unknown.</source>
        <translation>看起来不是锁，持有者未知。</translation>
    </message>
    <message>
        <source>This may be a lock of an application&apos;s own format.</source>
        <translation>可能是某个应用自定义格式的锁。</translation>
    </message>
    <message>
        <source>The expiry is unknown: this user may not read the expiry of hash fields. Grant +hpttl.</source>
        <translation>到期时间未知：当前用户无权读取字段的过期时间。请授予 +hpttl。</translation>
    </message>
    <message>
        <source>No expiry. Whether this is a lock is unknown.</source>
        <translation>无过期时间。是否为锁未知。</translation>
    </message>
    <message numerus="yes">
        <source>Renewed %n time(s) while watched: a process keeps the lock alive.</source>
        <translation>
            <numerusform>监视期间已续期 %n 次：有进程在维持此锁。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Renewed %n time(s) while watched, but not lately. Without another renewal the lock expires at %1.</source>
        <translation>
            <numerusform>监视期间已续期 %n 次，但最近没有续期。若不再续期，锁将于 %1 到期。</numerusform>
        </translation>
    </message>
    <message>
        <source>No renewal seen while watched. Without a renewal the lock expires at %1.</source>
        <translation>监视期间未观察到续期。若无续期，锁将于 %1 到期。</translation>
    </message>
    <message>
        <source>As read %1 ago. Changes since then are unknown.</source>
        <translation>数据读取于 %1前。此后的变化未知。</translation>
    </message>
    <message>
        <source>As read %1 ago: expires at %2 unless renewed or released since then.</source>
        <translation>数据读取于 %1前：若此后未续期或释放，将于 %2 到期。</translation>
    </message>
    <message>
        <source>Expiry was at %1. Whether the lock was renewed since it was read, %2 ago, is unknown.</source>
        <translation>原定于 %1 到期。数据读取于 %2前，此后是否续期未知。</translation>
    </message>
    <message>
        <source>No permission to read this lock any more. Whether it is still held is unknown. Below is what was last read, %1 ago.</source>
        <translation>已无权读取此锁。此锁是否仍有持有者未知。以下是 %1前最后一次读取的数据。</translation>
    </message>
    <message numerus="yes">
        <source>Renewed or acquired again %n time(s) while watched; the token does not tell which. Otherwise the lock expires at %1.</source>
        <translation>
            <numerusform>监视期间已续期或被重新获取 %n 次：其令牌无法区分二者。否则锁将于 %1 到期。</numerusform>
        </translation>
    </message>
    <message>
        <source>It has a lock&apos;s name or lease, and a content of unknown meaning: it may be a lock. Whether anybody holds it is unknown.</source>
        <translation>它有锁的名称或租约，但内容含义未知：可能是锁。是否有人持有它未知。</translation>
    </message>
    <message>
        <source>Re-entered: the owner was alive at that moment. No renewal seen while watched. Without a renewal the lock expires at %1.</source>
        <translation>已重入：持有者当时存活。观察期间未见续期。若不续期，锁将于 %1 到期。</translation>
    </message>
    <message>
        <source>Force-expires the lock only if owner and hold count are unchanged. Lockscope does not notify the holder, which may still be working.</source>
        <translation>仅当持有者和重入次数未变时才强制过期该锁。Lockscope 不会通知持有者进程，它可能仍在工作。</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>help.md</source>
        <comment>file of the help in this language</comment>
        <translation>help.zh_CN.md</translation>
    </message>
</context>
<context>
    <name>Incident</name>
    <message>
        <source>Lock %1</source>
        <translation>锁 %1</translation>
    </message>
    <message>
        <source>Server: %1</source>
        <translation>服务器：%1</translation>
    </message>
    <message>
        <source>Written at: %1</source>
        <translation>记录时间：%1</translation>
    </message>
    <message>
        <source>State: %1</source>
        <translation>状态：%1</translation>
    </message>
    <message>
        <source>Events seen, newest first:</source>
        <translation>观察到的事件，最新的在前：</translation>
    </message>
</context>
<context>
    <name>LockLanes</name>
    <message>
        <source>%1 of %2 locks</source>
        <translation>%2 个锁中的 %1 个</translation>
    </message>
    <message>
        <source>locks: %1</source>
        <translation>锁：%1</translation>
    </message>
    <message>
        <source>%1 ×%2</source>
        <comment>owner, hold count</comment>
        <translation>%1 ×%2</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 个等待者</translation>
    </message>
    <message>
        <source>≥ %1 waiting</source>
        <translation>≥ %1 个等待者</translation>
    </message>
    <message>
        <source>no expiry</source>
        <translation>永不过期</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>no hold seen</source>
        <translation>未见持有</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>At %1</source>
        <translation>时间：%1</translation>
    </message>
    <message>
        <source>Held by %1 for at least %2</source>
        <translation>%1 至少已持有 %2</translation>
    </message>
    <message>
        <source>Held by %1 for %2</source>
        <translation>%1 已持有 %2</translation>
    </message>
    <message>
        <source>Hold count %1</source>
        <translation>重入次数 %1</translation>
    </message>
    <message>
        <source>No hold seen</source>
        <translation>未见持有</translation>
    </message>
    <message>
        <source>Waiter %1: %2 (dead)</source>
        <translation>等待者 %1：%2（已失效）</translation>
    </message>
    <message>
        <source>Waiter %1: %2</source>
        <translation>等待者 %1：%2</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Unknown: the lock was not watched then, or changes may have been missed</source>
        <translation>未知：当时未监视该锁，或可能漏掉了变化</translation>
    </message>
    <message numerus="yes">
        <source>%1 and at least %n more</source>
        <translation>
            <numerusform>%1 以及至少另外 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LockState</name>
    <message>
        <source>Corrupt</source>
        <translation>损坏</translation>
    </message>
    <message>
        <source>No expiry</source>
        <translation>永不过期</translation>
    </message>
    <message>
        <source>Expiring</source>
        <translation>即将过期</translation>
    </message>
    <message>
        <source>Renewed</source>
        <translation>已续期</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>持有中</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>Deadlock</source>
        <translation>死锁</translation>
    </message>
    <message>
        <source>Orphaned</source>
        <translation>孤立队列</translation>
    </message>
    <message>
        <source>Stalled</source>
        <translation>续期停滞</translation>
    </message>
    <message>
        <source>No permission</source>
        <translation>无权限</translation>
    </message>
    <message>
        <source>No quorum</source>
        <translation>未达多数</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Possible</source>
        <translation>可能是锁</translation>
    </message>
    <message>
        <source>Gone</source>
        <translation>已消失</translation>
    </message>
</context>
<context>
    <name>LockText</name>
    <message>
        <source>no expiry</source>
        <translation>永不过期</translation>
    </message>
    <message>
        <source>invalid hold count</source>
        <translation>重入次数无效</translation>
    </message>
    <message>
        <source>several owners</source>
        <translation>多个持有者</translation>
    </message>
    <message>
        <source>wrong type</source>
        <translation>类型不符</translation>
    </message>
    <message>
        <source>too big to read</source>
        <translation>过大，无法读取</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>已过期</translation>
    </message>
    <message>
        <source>dead waiter</source>
        <translation>有失效等待者</translation>
    </message>
    <message>
        <source>orphaned queue</source>
        <translation>孤立队列</translation>
    </message>
    <message>
        <source>rewritten</source>
        <translation>又被写回</translation>
    </message>
    <message>
        <source>deadlock</source>
        <translation>死锁</translation>
    </message>
    <message>
        <source>The wait queue is empty.</source>
        <translation>等待队列为空。</translation>
    </message>
    <message numerus="yes">
        <source>%n waiter(s) in the queue.</source>
        <translation>
            <numerusform>队列中有 %n 个等待者。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n dead waiter(s): the waiters behind wait for them too.</source>
        <translation>
            <numerusform>其中 %n 个为失效等待者：后面的等待者也受其阻塞。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %n process(es) subscribed; threads cannot be counted.</source>
        <translation>
            <numerusform>至少 %n 个进程已订阅；线程数无法统计。</numerusform>
        </translation>
    </message>
    <message>
        <source>No subscribed waiters. Polling clients cannot be counted.</source>
        <translation>没有已订阅的等待者。轮询的客户端无法统计。</translation>
    </message>
    <message>
        <source>Unknown: clients of such a lock only poll.</source>
        <translation>未知：这类锁的客户端只轮询。</translation>
    </message>
    <message>
        <source>No client waits for the lock of a job.</source>
        <translation>没有客户端等待作业的锁。</translation>
    </message>
    <message numerus="yes">
        <source>At least %n waiter(s). Polling clients cannot be counted.</source>
        <translation>
            <numerusform>至少 %n 个等待者。轮询的客户端无法统计。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiter(s) in the queue, all dead.</source>
        <translation>
            <numerusform>队列中有 %n 个等待者，全部失效。</numerusform>
        </translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Unknown, since the library is unknown. Polling clients leave no trace.</source>
        <translation>未知，因为库未知。轮询的客户端不留痕迹。</translation>
    </message>
    <message>
        <source>stalled</source>
        <translation>续期停滞</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>unknown</source>
        <comment>time left</comment>
        <translation>未知</translation>
    </message>
    <message>
        <source>unknown</source>
        <comment>time held</comment>
        <translation>未知</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n dead)</source>
        <translation>
            <numerusform>%1（%n 个已失效）</numerusform>
        </translation>
    </message>
    <message>
        <source>no quorum</source>
        <translation>未达多数</translation>
    </message>
    <message>
        <source>owners differ</source>
        <translation>持有者不一致</translation>
    </message>
    <message>
        <source>held unusually long</source>
        <translation>持有时间异常长</translation>
    </message>
    <message>
        <source>This hold is far longer than is usual for this key.</source>
        <translation>此次持有的时长远超该键的通常时长。</translation>
    </message>
    <message>
        <source>No waiters are known at the moment.</source>
        <translation>目前没有已知的等待者。</translation>
    </message>
    <message>
        <source>dead holder</source>
        <translation>持有者失效</translation>
    </message>
</context>
<context>
    <name>OwnerLanes</name>
    <message>
        <source>more than %1 holds and waits: show a shorter time</source>
        <translation>持有和等待超过 %1 次：请缩短显示的时间</translation>
    </message>
    <message>
        <source>owners: %1</source>
        <translation>持有者：%1 个</translation>
    </message>
    <message>
        <source>processes: %1</source>
        <translation>进程：%1 个</translation>
    </message>
    <message>
        <source>%1 of %2 owners</source>
        <translation>%2 个持有者中的 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2 processes</source>
        <translation>%2 个进程中的 %1 个</translation>
    </message>
    <message>
        <source>holds %1</source>
        <translation>持有 %1</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>等待 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s)</source>
        <translation>
            <numerusform>%n 个锁</numerusform>
        </translation>
    </message>
    <message>
        <source>no hold seen</source>
        <translation>未见持有</translation>
    </message>
    <message>
        <source>At %1</source>
        <translation>时间：%1</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Holds %1 for at least %2</source>
        <translation>至少已持有 %1 %2</translation>
    </message>
    <message>
        <source>Waits for %1 for at least %2</source>
        <translation>至少已等待 %1 %2</translation>
    </message>
</context>
<context>
    <name>RedisCli</name>
    <message>
        <source># Force-expires the lock only if owner and hold count are unchanged:</source>
        <translation># 仅当持有者和重入次数未变时强制过期：</translation>
    </message>
    <message>
        <source># First, in another terminal:</source>
        <translation># 先在另一个终端中运行：</translation>
    </message>
</context>
<context>
    <name>WaitText</name>
    <message>
        <source>subscribed</source>
        <translation>已订阅</translation>
    </message>
    <message>
        <source>not subscribed now</source>
        <translation>当前未订阅</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>%1 holds %2 and waits for %3</source>
        <translation>%1 持有 %2，等待 %3</translation>
    </message>
    <message>
        <source>%1 waits for %2.</source>
        <translation>%1 正在等待 %2。</translation>
    </message>
    <message>
        <source>%1 waits for %2 (owner: %3).</source>
        <translation>%1 正在等待 %2（持有者：%3）。</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>到 %1 为止</translation>
    </message>
    <message>
        <source>dead: not subscribed</source>
        <translation>已失效：未订阅频道</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>已超时</translation>
    </message>
    <message>
        <source>not subscribed here</source>
        <translation>此处看不到订阅</translation>
    </message>
    <message>
        <source>Nobody waits in the queue of this lock.</source>
        <translation>此锁的等待队列为空。</translation>
    </message>
    <message numerus="yes">
        <source>%n waiter(s) behind this lock</source>
        <translation>
            <numerusform>此锁阻塞 %n 个等待者</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %n waiter(s) behind this lock</source>
        <translation>
            <numerusform>此锁至少阻塞 %n 个等待者</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2 for the lock itself, %3 for locks that these waiters hold.</source>
        <translation>%1：%2 个等待此锁本身，%3 个等待这些等待者所持有的锁。</translation>
    </message>
    <message>
        <source>The owner waits for %1.</source>
        <translation>持有者正在等待 %1。</translation>
    </message>
    <message>
        <source>The owner waits for %1 (owner: %2).</source>
        <translation>持有者正在等待 %1（其持有者：%2）。</translation>
    </message>
</context>
<context>
    <name>lockscope::AcquireDialog</name>
    <message>
        <source>Acquire a lock</source>
        <translation>获取锁</translation>
    </message>
    <message>
        <source>&amp;Key</source>
        <translation>键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Owner</source>
        <translation>持有者(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Family</source>
        <translation>类型(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Lease in seconds</source>
        <translation>租约（秒）(&amp;L)</translation>
    </message>
    <message>
        <source>This lock is of the family %1. %2</source>
        <translation>此锁属于 %1 类型。%2</translation>
    </message>
    <message>
        <source>&amp;Acquire</source>
        <translation>获取(&amp;A)</translation>
    </message>
</context>
<context>
    <name>lockscope::ActionDialog</name>
    <message>
        <source>The key is missing. Type the lock&apos;s key.</source>
        <translation>缺少键。请输入锁的键。</translation>
    </message>
    <message>
        <source>The owner is missing. Type an owner ID that no other client uses.</source>
        <translation>缺少持有者。请输入其他客户端未使用的持有者 ID。</translation>
    </message>
    <message>
        <source>The lease is not valid. Type seconds, at least 0.001, such as 30 or 0.5.</source>
        <translation>租约无效。请输入秒数，至少 0.001，例如 30 或 0.5。</translation>
    </message>
    <message>
        <source>Waiting for the server…</source>
        <translation>正在等待服务器…</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
</context>
<context>
    <name>lockscope::ActionSeriesDialog</name>
    <message>
        <source>Several owners: release them one by one</source>
        <translation>有多个持有者：请逐个释放</translation>
    </message>
    <message numerus="yes">
        <source>Release %n lock(s)</source>
        <translation>
            <numerusform>释放 %n 个锁</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Force-expire %n lock(s)</source>
        <translation>
            <numerusform>强制过期 %n 个锁</numerusform>
        </translation>
    </message>
    <message>
        <source>Release &amp;all levels of locks that were re-entered</source>
        <translation>释放已重入的锁的所有层(&amp;A)</translation>
    </message>
    <message>
        <source>Effects on the selected lock</source>
        <translation>对所选锁的影响</translation>
    </message>
    <message>
        <source>Force-expires each lock only if its owner and hold count are unchanged.</source>
        <translation>仅当持有者和重入次数均未改变时，才强制过期相应的锁。</translation>
    </message>
    <message>
        <source>Releases each lock only if the owner still holds it.</source>
        <translation>仅当持有者仍持有该锁时才释放。</translation>
    </message>
    <message>
        <source>Stops at a lost connection or an unknown outcome.</source>
        <translation>连接丢失或结果未知时停止。</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>重入次数</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Changed: left out</source>
        <translation>已改变：不处理</translation>
    </message>
    <message>
        <source>Gone: left out</source>
        <translation>已不存在：不处理</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>%1 of %2 requests answered</source>
        <translation>%2 个请求中已有 %1 个得到答复</translation>
    </message>
    <message>
        <source>Not sent</source>
        <translation>未发送</translation>
    </message>
    <message>
        <source>released: %1</source>
        <translation>已释放：%1</translation>
    </message>
    <message>
        <source>force-expired: %1</source>
        <translation>已强制过期：%1</translation>
    </message>
    <message>
        <source>rejected: %1</source>
        <translation>已拒绝：%1</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>outcome unknown: %1</source>
        <translation>结果未知：%1</translation>
    </message>
    <message>
        <source>not sent: %1</source>
        <translation>未发送：%1</translation>
    </message>
    <message>
        <source>Time left then</source>
        <translation>当时的剩余时间</translation>
    </message>
    <message>
        <source>in part: %1</source>
        <translation>部分完成：%1</translation>
    </message>
    <message>
        <source>Held by others, too: left out</source>
        <translation>其他持有者也持有：已排除</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Other owners lose the lock, too, and are not notified: %1.</source>
        <translation>其他持有者也会失去此锁，且不会收到通知：%1。</translation>
    </message>
    <message>
        <source>Ends the hold of this owner alone. Other owners keep the lock.</source>
        <translation>只结束此持有者的持有，其他持有者继续持有此锁。</translation>
    </message>
    <message>
        <source>Owner: %1</source>
        <translation>持有者：%1</translation>
    </message>
    <message>
        <source>If it is still working, it continues without its locks.</source>
        <translation>如果它仍在工作，将在没有锁的情况下继续运行。</translation>
    </message>
    <message>
        <source>The list has %1 of its %2 locks.</source>
        <translation>列表包含其 %2 个锁中的 %1 个。</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Include %n lock(s) that other owners hold, too: these lose the lock</source>
        <translation>
            <numerusform>包括其他持有者也持有的 %n 个锁：他们会失去锁(&amp;I)</numerusform>
        </translation>
    </message>
    <message>
        <source>renewing</source>
        <translation>正在续期</translation>
    </message>
    <message>
        <source>heartbeat stopped</source>
        <translation>心跳已停止</translation>
    </message>
    <message>
        <source>renewal overdue</source>
        <translation>续期超时</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Holder</source>
        <translation>持有者进程</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Release %n lock(s)</source>
        <translation>
            <numerusform>释放 %n 个锁(&amp;R)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Force-expire %n lock(s)</source>
        <translation>
            <numerusform>强制过期 %n 个锁(&amp;F)</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
</context>
<context>
    <name>lockscope::AlertCommands</name>
    <message>
        <source>Alerts</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>This alert is of the server, not of one lock</source>
        <translation>此告警针对服务器，而非某个锁</translation>
    </message>
    <message>
        <source>At most %1 snoozes can be in force: nothing was snoozed</source>
        <translation>最多同时有 %1 个暂停提醒：未暂停任何提醒</translation>
    </message>
    <message>
        <source>Alerts (%1)</source>
        <translation>告警 (%1)</translation>
    </message>
</context>
<context>
    <name>lockscope::AlertModel</name>
    <message>
        <source>Alert</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>Lock or server</source>
        <translation>锁或服务器</translation>
    </message>
    <message>
        <source>Raised at</source>
        <translation>触发时间</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
</context>
<context>
    <name>lockscope::AlertRulesDialog</name>
    <message>
        <source>Show desktop &amp;notifications</source>
        <translation>显示桌面通知(&amp;N)</translation>
    </message>
    <message>
        <source>Alert rules</source>
        <translation>告警规则</translation>
    </message>
    <message>
        <source>Lockscope raises an alert when a lock of this server breaks a rule. The rules are stored with this server.</source>
        <translation>此服务器的锁违反规则时，Lockscope 触发告警。规则随此服务器保存。</translation>
    </message>
    <message>
        <source>Lockscope raises an alert when a lock of this server breaks a rule. This server is private: the rules are not stored.</source>
        <translation>此服务器的锁违反规则时，Lockscope 触发告警。此服务器是私有的：规则不会保存。</translation>
    </message>
    <message>
        <source> s</source>
        <comment>seconds, after a number</comment>
        <translation> 秒</translation>
    </message>
    <message>
        <source> × usual</source>
        <comment>after a number</comment>
        <translation> × 通常</translation>
    </message>
    <message>
        <source>Notify</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Notify: %1</source>
        <translation>通知：%1</translation>
    </message>
    <message>
        <source>No rule is on. Lockscope will raise no alert for this server.</source>
        <translation>没有启用任何规则。Lockscope 不会为此服务器触发告警。</translation>
    </message>
    <message>
        <source>No notification service answers. Alerts are shown in the list only.</source>
        <translation>没有通知服务应答。告警仅显示在列表中。</translation>
    </message>
    <message>
        <source>At most a few notifications are shown per minute; further alerts are counted.</source>
        <translation>每分钟最多显示几条通知；其余告警只显示数量。</translation>
    </message>
</context>
<context>
    <name>lockscope::AlertsPanel</name>
    <message>
        <source>Alerts</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>暂停提醒</translation>
    </message>
    <message>
        <source>Silence the selected alerts for a time (S)</source>
        <translation>在一段时间内不再提醒所选告警 (S)</translation>
    </message>
    <message>
        <source>&amp;Open lock</source>
        <translation>打开锁(&amp;O)</translation>
    </message>
    <message>
        <source>Acknowledge</source>
        <translation>确认</translation>
    </message>
    <message>
        <source>Take charge of the selected alerts: they stop notifying until they end (A)</source>
        <translation>接手所选告警：结束前不再通知 (A)</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Take back the last acknowledgement or snooze (%1)</source>
        <translation>撤销上一次确认或暂停提醒 (%1)</translation>
    </message>
    <message>
        <source>Kinds</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Choose which kinds of alerts to show</source>
        <translation>选择要显示的告警种类</translation>
    </message>
    <message>
        <source>Show all kinds</source>
        <translation>显示所有种类</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a time, what was seen then</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>open: %1</source>
        <translation>未结束：%1</translation>
    </message>
    <message>
        <source>acknowledged or snoozed: %1</source>
        <translation>已确认或暂停提醒：%1</translation>
    </message>
    <message>
        <source>not listed, since there are too many: %1</source>
        <translation>数量过多，未列出：%1</translation>
    </message>
    <message>
        <source>some kinds are hidden</source>
        <translation>部分种类已隐藏</translation>
    </message>
    <message>
        <source>as last known</source>
        <translation>为最后已知状态</translation>
    </message>
    <message>
        <source>No alert of the kinds that are shown.</source>
        <translation>所显示的种类中没有告警。</translation>
    </message>
    <message>
        <source>No alerts yet. Lockscope watches this server while the window is open.</source>
        <translation>尚无告警。窗口打开期间，Lockscope 会监视此服务器。</translation>
    </message>
    <message>
        <source>For 15 minutes</source>
        <translation>15 分钟</translation>
    </message>
    <message>
        <source>For 1 hour</source>
        <translation>1 小时</translation>
    </message>
    <message>
        <source>Until it ends and comes again</source>
        <translation>直到结束后再次出现</translation>
    </message>
    <message>
        <source>All alerts of this rule: %1</source>
        <translation>此规则的所有告警：%1</translation>
    </message>
    <message>
        <source>All alerts of this lock: %1</source>
        <translation>此锁的所有告警：%1</translation>
    </message>
    <message>
        <source>End a snooze</source>
        <translation>结束暂停提醒</translation>
    </message>
    <message>
        <source>End all snoozes</source>
        <translation>结束所有暂停提醒</translation>
    </message>
    <message>
        <source>Take back the acknowledgement</source>
        <translation>撤销确认</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>locks are not judged</source>
        <translation>未判定锁</translation>
    </message>
    <message>
        <source>keys that cannot be read: %1</source>
        <translation>无法读取的键：%1</translation>
    </message>
    <message>
        <source>Locks are not judged: there is no connection to the server.</source>
        <translation>未判定锁：没有到服务器的连接。</translation>
    </message>
    <message>
        <source>Locks are not judged until all keys have been read: %1</source>
        <comment>a message of what failed</comment>
        <translation>读完所有键之前不判定锁：%1</translation>
    </message>
    <message>
        <source>Locks are not judged until all keys have been read.</source>
        <translation>读完所有键之前不判定锁。</translation>
    </message>
</context>
<context>
    <name>lockscope::AuditModel</name>
    <message>
        <source>%1 and %2 more</source>
        <comment>an owner, a number</comment>
        <translation>%1 及另外 %2 个</translation>
    </message>
    <message>
        <source>not recorded yet</source>
        <translation>尚未记录</translation>
    </message>
    <message>
        <source>not recorded: it may have been carried out</source>
        <translation>未记录：操作可能已执行</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>hold count: %1</source>
        <translation>重入次数：%1</translation>
    </message>
    <message>
        <source>time left: %1</source>
        <translation>剩余时间：%1</translation>
    </message>
    <message>
        <source>owner: %1</source>
        <translation>持有者：%1</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>owners: %1</source>
        <translation>持有者：%1 个</translation>
    </message>
    <message>
        <source>no owner recorded</source>
        <translation>未记录持有者</translation>
    </message>
    <message>
        <source>The recheck found:</source>
        <translation>复查结果：</translation>
    </message>
    <message>
        <source>Before, as last seen</source>
        <translation>操作前（最近一次所见）</translation>
    </message>
    <message>
        <source>After, as the server answered</source>
        <translation>操作后（按服务器的应答）</translation>
    </message>
</context>
<context>
    <name>lockscope::AuditPanel</name>
    <message>
        <source>Only %1</source>
        <translation>仅 %1</translation>
    </message>
    <message>
        <source>Audit log</source>
        <translation>审计日志</translation>
    </message>
    <message>
        <source>Hide requests to servers that were connected under another address</source>
        <translation>隐藏以其他地址连接的服务器上的请求</translation>
    </message>
    <message>
        <source>Filter of the audit log</source>
        <translation>过滤审计日志</translation>
    </message>
    <message>
        <source>Requests of the audit log</source>
        <translation>审计日志中的请求</translation>
    </message>
    <message>
        <source>Records of the request</source>
        <translation>该请求的记录</translation>
    </message>
    <message>
        <source>Select a request to see its records.</source>
        <translation>选择一个请求以查看其记录。</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>%1 does not exist: no actions are recorded there.</source>
        <translation>%1 不存在：其中没有操作记录。</translation>
    </message>
    <message>
        <source>The audit log cannot be read: %1</source>
        <translation>无法读取审计日志：%1</translation>
    </message>
    <message>
        <source>the newest %1 of %2 requests</source>
        <translation>共 %2 个请求，显示最新 %1 个</translation>
    </message>
    <message>
        <source>requests: %1</source>
        <translation>请求：%1</translation>
    </message>
    <message>
        <source>%1: hash chain broken at line %2: %3.</source>
        <translation>%1：哈希链在第 %2 行断裂：%3。</translation>
    </message>
    <message>
        <source>%1: hash chain intact, records: %2. Records cut from the end would not be noticed.</source>
        <translation>%1：哈希链完整，记录数：%2。末尾被截去的记录无法察觉。</translation>
    </message>
    <message>
        <source>%1 of the newest %2 requests</source>
        <translation>最新 %2 个请求中的 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2 requests</source>
        <translation>%2 个请求中的 %1 个</translation>
    </message>
    <message>
        <source>Verify now</source>
        <translation>立即校验</translation>
    </message>
    <message>
        <source>Read the whole file again and check its hash chain</source>
        <translation>重新读取整个文件并校验哈希链</translation>
    </message>
    <message>
        <source>Not verified since %1: the file has changed.</source>
        <translation>自 %1 起尚未校验：文件已变更。</translation>
    </message>
    <message>
        <source>Verified at %1.</source>
        <translation>已于 %1 校验。</translation>
    </message>
</context>
<context>
    <name>lockscope::Banner</name>
    <message>
        <source>Notice</source>
        <translation>提示</translation>
    </message>
</context>
<context>
    <name>lockscope::ClientFinderDialog</name>
    <message>
        <source>Find clients</source>
        <translation>查找客户端</translation>
    </message>
    <message>
        <source>Finds the clients that renew this lock or try to acquire it. The server keeps no such list, so Lockscope reads every command of the server for a while (MONITOR).</source>
        <translation>查找续期此锁或尝试获取此锁的客户端。服务器没有这样的列表，因此 Lockscope 会在一段时间内读取服务器的每条命令（MONITOR）。</translation>
    </message>
    <message>
        <source>During that time the server also sends each command to Lockscope: a busy server can lose half of its throughput. Lockscope keeps only this key and its IDs.</source>
        <translation>在此期间，服务器还会把每条命令发送给 Lockscope：繁忙的服务器可能失去一半吞吐量。Lockscope 只保留此键及其标识。</translation>
    </message>
    <message>
        <source> s</source>
        <comment>seconds, behind a number</comment>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Duration of the search</source>
        <translation>查找时长</translation>
    </message>
    <message>
        <source>&amp;Duration</source>
        <translation>时长(&amp;D)</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Not started.</source>
        <translation>尚未开始。</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Client name</source>
        <translation>客户端名称</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>行为</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>标识</translation>
    </message>
    <message>
        <source>Clients found</source>
        <translation>找到的客户端</translation>
    </message>
    <message>
        <source>S&amp;tart</source>
        <translation>开始(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>S&amp;tart again</source>
        <translation>重新开始(&amp;T)</translation>
    </message>
    <message>
        <source>none</source>
        <comment>name of a client</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 commands read in %2.</source>
        <translation>%2内共观察到 %1 条命令。</translation>
    </message>
    <message>
        <source>The search ended early: it reached the limit of commands.</source>
        <translation>查找提前结束：已达到命令数上限。</translation>
    </message>
    <message>
        <source>No client used this key. Many libraries renew every 10 seconds: search longer to find more.</source>
        <translation>没有客户端使用此键。许多库每 10 秒续期一次：延长查找时间可找到更多。</translation>
    </message>
    <message>
        <source>None was seen to hold the lock. Many libraries renew every 10 seconds: search longer to find more.</source>
        <translation>未观察到任何客户端持有此锁。许多库每 10 秒续期一次：延长查找时间可找到更多。</translation>
    </message>
    <message>
        <source>Clients of the Unix socket cannot be told apart: each line may be several.</source>
        <translation>无法区分 Unix 套接字的各个客户端：每一行可能是多个客户端。</translation>
    </message>
</context>
<context>
    <name>lockscope::CommandBar</name>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>More commands</source>
        <translation>更多命令</translation>
    </message>
</context>
<context>
    <name>lockscope::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>命令数</translation>
    </message>
    <message>
        <source>Type to find a command</source>
        <translation>输入以查找命令</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>查找命令</translation>
    </message>
    <message>
        <source>%1   (%2)</source>
        <comment>a command and its keys</comment>
        <translation>%1   (%2)</translation>
    </message>
</context>
<context>
    <name>lockscope::ConfirmServerDialog</name>
    <message>
        <source>Simulation</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>Run “%1” on %2?</source>
        <translation>在 %2 上运行“%1”？</translation>
    </message>
    <message>
        <source>“%1” runs on a private server only.</source>
        <translation>“%1”只能在私有服务器上运行。</translation>
    </message>
    <message>
        <source>Writes keys that start with sim:, each with a lease of at most %1, and deletes them at the end. Other keys are not touched.</source>
        <translation>会写入以 sim: 开头的键，每个键的租约最长为 %1，结束时将其删除。不会触及其他键。</translation>
    </message>
    <message>
        <source>Or use a private server: Lockscope starts one and removes it afterwards.</source>
        <translation>也可使用私有服务器：Lockscope 会启动一个，用完即删除。</translation>
    </message>
    <message>
        <source>This run disturbs the server or can leave a lock without expiry, so it does not run on %1. Lockscope starts a private server and removes it afterwards.</source>
        <translation>此次运行会干扰服务器，或可能留下无过期时间的锁，因此不在 %1 上运行。Lockscope 会启动一个私有服务器，用完即删除。</translation>
    </message>
    <message>
        <source>Use a &amp;private server</source>
        <translation>使用私有服务器(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Run on %1</source>
        <translation>在 %1 上运行(&amp;R)</translation>
    </message>
    <message>
        <source>Writes keys that start with sim:, each with an expiry of at most 24 hours (for fencing tokens), and deletes them at the end. Other keys are not touched.</source>
        <translation>会写入以 sim: 开头的键，每个键的有效期最长为 24 小时（用于防护令牌），结束时将其删除。不会触及其他键。</translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s) will contend at full speed over up to %1 connections.</source>
        <translation>
            <numerusform>%n 个工作线程将全速竞争，最多使用 %1 个连接。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ConnectPage</name>
    <message>
        <source>&amp;Connect</source>
        <translation>连接(&amp;C)</translation>
    </message>
    <message>
        <source>Try the &amp;demo</source>
        <translation>试用演示(&amp;D)</translation>
    </message>
    <message>
        <source>See and manage the locks that applications keep in Redis.</source>
        <translation>查看并管理应用程序保存在 Redis 中的锁。</translation>
    </message>
    <message>
        <source>Start a private redis-server with a few dozen workers; it is removed at the end</source>
        <translation>启动一个带数十个工作线程的私有 redis-server，结束时将其删除</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>正在连接 %1…</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <translation>%1 — %2</translation>
    </message>
    <message>
        <source> (read-only)</source>
        <translation>（只读）</translation>
    </message>
    <message>
        <source>Si&amp;mulation</source>
        <translation>模拟(&amp;M)</translation>
    </message>
    <message>
        <source>Simulate lock contention and faults on a private redis-server, without any setup</source>
        <translation>在私有 redis-server 上模拟锁竞争和故障，无需任何准备</translation>
    </message>
    <message>
        <source>Open in new &amp;window</source>
        <translation>在新窗口中打开(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Forget this server</source>
        <translation>忘记此服务器(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Test</source>
        <translation>测试(&amp;T)</translation>
    </message>
    <message>
        <source>Try each step of the way to the server, and say which one fails. Changes nothing.</source>
        <translation>逐步尝试连接服务器，并指出哪一步失败。不做任何更改。</translation>
    </message>
    <message>
        <source>Import servers…</source>
        <translation>导入服务器…</translation>
    </message>
    <message>
        <source>Connect to a server</source>
        <translation>连接服务器</translation>
    </message>
    <message>
        <source>%1 The password came from the keychain. It stays there until you connect with another one or untick the box.</source>
        <translation>%1 所用密码来自密钥环。用其他密码连接成功或取消勾选之前，该密码仍保留在密钥环中。</translation>
    </message>
    <message>
        <source>Forget its &amp;password</source>
        <translation>忘记其密码(&amp;P)</translation>
    </message>
    <message>
        <source>Waiting for the keychain… If it is locked, the system asks you to unlock it.</source>
        <translation>正在等待密钥环… 若密钥环已锁定，系统会提示您解锁。</translation>
    </message>
    <message>
        <source>The password was removed from the keychain.</source>
        <translation>密码已从密钥环中删除。</translation>
    </message>
    <message>
        <source>%1 The Sentinel password came from the keychain. It stays there until you connect with another one or untick the box.</source>
        <translation>%1 所用哨兵密码来自密钥环。用其他密码连接成功或取消勾选之前，该密码仍保留在密钥环中。</translation>
    </message>
    <message>
        <source>%1 The key&apos;s passphrase came from the keychain. It stays there until you connect with another one or untick the box.</source>
        <translation>%1 所用私钥口令来自密钥环。用其他口令连接成功或取消勾选之前，该口令仍保留在密钥环中。</translation>
    </message>
    <message>
        <source>The password in the keychain is not used where any certificate is accepted (--insecure). Type the password.</source>
        <translation>接受任意证书（--insecure）时不使用密钥环中的密码。请输入密码。</translation>
    </message>
    <message>
        <source>Opening %1…</source>
        <translation>正在打开 %1…</translation>
    </message>
</context>
<context>
    <name>lockscope::ConnectionForm</name>
    <message>
        <source>&amp;Read-only: nothing can be changed on the server</source>
        <translation>只读：不能更改服务器上的任何内容(&amp;R)</translation>
    </message>
    <message>
        <source>Login and TLS</source>
        <translation>登录与 TLS</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>服务器(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>the default user</source>
        <translation>默认用户</translation>
    </message>
    <message>
        <source>typed for each connection, never stored</source>
        <translation>每次连接时输入，从不保存</translation>
    </message>
    <message>
        <source>Use &amp;TLS</source>
        <translation>使用 TLS(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;User</source>
        <translation>用户(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Password</source>
        <translation>密码(&amp;P)</translation>
    </message>
    <message>
        <source>CA certificates</source>
        <translation>CA 证书</translation>
    </message>
    <message>
        <source>Client certificate</source>
        <translation>客户端证书</translation>
    </message>
    <message>
        <source>Client key</source>
        <translation>客户端私钥</translation>
    </message>
    <message>
        <source>the host</source>
        <translation>主机名</translation>
    </message>
    <message>
        <source>Name in certificate</source>
        <translation>证书中的名称</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>PEM files (*.pem *.crt *.key);;All files (*)</source>
        <translation>PEM 文件 (*.pem *.crt *.key);;所有文件 (*)</translation>
    </message>
    <message>
        <source>User, password and certificates were cleared, because they belong to %1.</source>
        <translation>用户、密码和证书属于 %1，现已清空。</translation>
    </message>
    <message>
        <source>These fields belong to the server above. Another server clears them.</source>
        <translation>以下内容仅用于上方的服务器：改填其他服务器会清空这些内容。</translation>
    </message>
    <message>
        <source>The user %1 needs a password. If the server requires none for this user, type any text.</source>
        <translation>用户 %1 需要密码。若服务器不要求此用户提供密码，请任意填写。</translation>
    </message>
    <message>
        <source>host, host:port, redis://user:password@host:port/db, rediss://… (TLS), unix:///path?db=N, redis-sentinel://host:port,host:port/name</source>
        <translation>host、host:port、redis://user:password@host:port/db、rediss://…（TLS）、unix:///path?db=N、redis-sentinel://host:port,host:port/name</translation>
    </message>
    <message>
        <source>the server field then names the Sentinels</source>
        <translation>此时服务器一栏填写哨兵地址</translation>
    </message>
    <message>
        <source>ANNOUNCED=REACHABLE, separated by commas: where to connect to a node that announces an address that cannot be reached from here</source>
        <translation>公布地址=可达地址，以逗号分隔：当节点公布的地址无法从此处到达时，改为连接的地址</translation>
    </message>
    <message>
        <source>Sentinel user</source>
        <translation>哨兵用户</translation>
    </message>
    <message>
        <source>Sentinel password</source>
        <translation>哨兵密码</translation>
    </message>
    <message>
        <source>Node addresses</source>
        <translation>节点地址</translation>
    </message>
    <message>
        <source>Write node addresses as in 10.0.0.5:6379=localhost:7001 or 10.0.0.5=localhost, separated by commas.</source>
        <translation>节点地址请写成 10.0.0.5:6379=localhost:7001 或 10.0.0.5=localhost，以逗号分隔。</translation>
    </message>
    <message>
        <source>Sentinel master name</source>
        <translation>哨兵主节点名称</translation>
    </message>
    <message>
        <source>Trust this certificate</source>
        <translation>信任此证书</translation>
    </message>
    <message>
        <source>Key passphrase</source>
        <translation>私钥口令</translation>
    </message>
    <message>
        <source>SHA-256: this certificate alone is trusted</source>
        <translation>SHA-256：只信任此证书</translation>
    </message>
    <message>
        <source>Pinned certificate</source>
        <translation>固定的证书</translation>
    </message>
    <message>
        <source>A pinned certificate is given by its SHA-256 fingerprint: 64 hexadecimal digits.</source>
        <translation>固定的证书以其 SHA-256 指纹给出：64 位十六进制数字。</translation>
    </message>
    <message>
        <source>Connect to servers with exactly this certificate, whatever else is wrong with it. Compare its fingerprint with the server&apos;s first:
%1</source>
        <translation>连接到恰好持有此证书的服务器，而不论它有何其他问题。请先将其指纹与服务器的核对：
%1</translation>
    </message>
    <message>
        <source>Read from a replica (read-only)</source>
        <translation>从副本读取（只读）</translation>
    </message>
    <message>
        <source>user@host; empty: no tunnel</source>
        <translation>user@host；留空：不用隧道</translation>
    </message>
    <message>
        <source>Connect from this host, through a tunnel by the system&apos;s ssh, with its configuration, agent and known hosts. The server&apos;s address is then as seen from there.</source>
        <translation>从此主机连接：经由系统 ssh 的隧道，使用其配置、代理和已知主机。服务器地址以该主机所见为准。</translation>
    </message>
    <message>
        <source>SS&amp;H host</source>
        <translation>SSH 主机(&amp;H)</translation>
    </message>
    <message>
        <source>Write the SSH host as ssh takes it: [USER@]HOST[:PORT], as in ops@bastion.</source>
        <translation>请按 ssh 的写法填写 SSH 主机：[USER@]HOST[:PORT]，例如 ops@bastion。</translation>
    </message>
    <message>
        <source>SSH, Sentinel, cluster and Redlock</source>
        <translation>SSH、哨兵、集群与 Redlock</translation>
    </message>
    <message>
        <source>Redlock group of several servers</source>
        <translation>由多个服务器组成的 Redlock 组</translation>
    </message>
    <message>
        <source>The server field then has all primaries of the group, separated by commas, as in host1:6379,host2:6379,host3:6379. Each lock is shown once, with the number of servers that have it.</source>
        <translation>服务器栏填写该组的所有主节点，以逗号分隔，例如 host1:6379,host2:6379,host3:6379。每个锁只显示一次，并注明持有该锁的服务器数量。</translation>
    </message>
    <message>
        <source>optional, such as “orders”</source>
        <translation>可选，例如“orders”</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>group, optional</source>
        <translation>分组，可选</translation>
    </message>
    <message>
        <source>Not set: actions ask to be confirmed</source>
        <translation>未设置：操作需要确认</translation>
    </message>
    <message>
        <source>Development: actions that need no input are sent at once</source>
        <translation>开发：无需输入的操作立即发送</translation>
    </message>
    <message>
        <source>Staging: actions ask to be confirmed</source>
        <translation>预发布：操作需要确认</translation>
    </message>
    <message>
        <source>&amp;Environment</source>
        <translation>环境(&amp;E)</translation>
    </message>
    <message>
        <source>Production: read-only until unlocked, asks for the lock&apos;s name</source>
        <translation>生产：解锁前只读，操作需要输入锁名</translation>
    </message>
    <message>
        <source>only where the key has one</source>
        <translation>仅当私钥有口令时填写</translation>
    </message>
    <message>
        <source>&amp;Keep in the system&apos;s keychain</source>
        <translation>保存到系统密钥环(&amp;K)</translation>
    </message>
    <message>
        <source>After the login, keep the password, the Sentinel password and the key&apos;s passphrase for exactly this user and address. They are stored nowhere else.</source>
        <translation>登录成功后，仅为此用户和地址保存密码、哨兵密码和私钥口令。这些内容不会保存到其他地方。</translation>
    </message>
    <message>
        <source>in the keychain; type another one to replace it</source>
        <translation>已在密钥环中；输入新密码即可替换</translation>
    </message>
    <message>
        <source>kept after the login</source>
        <translation>登录成功后保存</translation>
    </message>
    <message>
        <source>their own, if any</source>
        <translation>若有各自的密码</translation>
    </message>
</context>
<context>
    <name>lockscope::ConnectionTestView</name>
    <message>
        <source>Host name</source>
        <translation>主机名</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>TLS</source>
        <translation>TLS</translation>
    </message>
    <message>
        <source>Login</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Permissions</source>
        <translation>权限</translation>
    </message>
    <message>
        <source>A replica of %1. Locks can be seen here, and changed at their primary alone.</source>
        <translation>%1 的副本。可在此查看锁，但只能在主节点上更改。</translation>
    </message>
    <message numerus="yes">
        <source>%n primary server(s)</source>
        <translation>
            <numerusform>%n 个主服务器</numerusform>
        </translation>
    </message>
    <message>
        <source>Primary</source>
        <translation>主节点</translation>
    </message>
    <message>
        <source>All that watching needs is allowed.</source>
        <translation>监视所需的权限均已具备。</translation>
    </message>
    <message>
        <source>This user lacks %1. Some locks cannot be watched until its ACL allows this.</source>
        <translation>此用户缺少 %1。在其 ACL 允许之前，部分锁无法监视。</translation>
    </message>
    <message>
        <source>Not known: the server&apos;s answers do not tell.</source>
        <translation>未知：服务器的答复未说明。</translation>
    </message>
    <message>
        <source>Connection test</source>
        <translation>连接测试</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>正在测试…</translation>
    </message>
    <message>
        <source>Not reached</source>
        <translation>未到达</translation>
    </message>
</context>
<context>
    <name>lockscope::ConsentDialog</name>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
</context>
<context>
    <name>lockscope::ConsentField</name>
    <message>
        <source>This is production. To go on, type %1</source>
        <translation>这是生产环境。要继续，请输入 %1</translation>
    </message>
    <message>
        <source>&amp;Do not ask again for this action until the connection ends</source>
        <translation>在连接结束前不再询问此操作(&amp;D)</translation>
    </message>
</context>
<context>
    <name>lockscope::DockTitle</name>
    <message>
        <source>Put %1 back into the window</source>
        <translation>将“%1”放回窗口</translation>
    </message>
    <message>
        <source>Show %1 in a window of its own</source>
        <translation>在单独的窗口中显示“%1”</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>关闭“%1”</translation>
    </message>
    <message>
        <source>To the &amp;left</source>
        <translation>移到左侧(&amp;L)</translation>
    </message>
    <message>
        <source>To the &amp;right</source>
        <translation>移到右侧(&amp;R)</translation>
    </message>
    <message>
        <source>To the &amp;top</source>
        <translation>移到上方(&amp;T)</translation>
    </message>
    <message>
        <source>To the &amp;bottom</source>
        <translation>移到下方(&amp;B)</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动“%1”</translation>
    </message>
</context>
<context>
    <name>lockscope::EventExport</name>
    <message numerus="yes">
        <source>Export %n event(s)</source>
        <translation>
            <numerusform>导出 %n 个事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 event(s) written to %2</source>
        <translation>
            <numerusform>已将 %1 个事件写入 %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::EventModel</name>
    <message>
        <source>Found</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Acquired</source>
        <translation>获取</translation>
    </message>
    <message>
        <source>Re-entered</source>
        <translation>重入</translation>
    </message>
    <message>
        <source>Released one level</source>
        <translation>释放一层</translation>
    </message>
    <message>
        <source>Renewed</source>
        <translation>已续期</translation>
    </message>
    <message>
        <source>Shortened</source>
        <translation>缩短</translation>
    </message>
    <message>
        <source>Released</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Expired</source>
        <translation>过期</translation>
    </message>
    <message>
        <source>Owner changed</source>
        <translation>持有者变更</translation>
    </message>
    <message>
        <source>Expiry lost</source>
        <translation>失去过期时间</translation>
    </message>
    <message>
        <source>Vanished</source>
        <translation>消失</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Forced by you</source>
        <translation>由您强制过期</translation>
    </message>
    <message>
        <source>or acquired again</source>
        <comment>follows: Renewed</comment>
        <translation>或被重新获取</translation>
    </message>
    <message numerus="yes">
        <source>%n other owner(s)</source>
        <comment>follows an owner who came or went</comment>
        <translation>
            <numerusform>另有 %n 个持有者</numerusform>
        </translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Owner, details</source>
        <translation>持有者，详情</translation>
    </message>
    <message>
        <source>Disconnected</source>
        <translation>连接断开</translation>
    </message>
    <message>
        <source>Reconnected</source>
        <translation>已重新连接</translation>
    </message>
    <message>
        <source>Change feed</source>
        <translation>变更通知</translation>
    </message>
    <message>
        <source>Gap</source>
        <translation>通知中断</translation>
    </message>
    <message>
        <source>Flushed</source>
        <translation>已清空</translation>
    </message>
    <message>
        <source>Database swapped</source>
        <translation>数据库已交换</translation>
    </message>
    <message>
        <source>Server restarted</source>
        <translation>服务器已重启</translation>
    </message>
    <message>
        <source>Failed over</source>
        <translation>已故障转移</translation>
    </message>
    <message>
        <source>Server lost</source>
        <translation>服务器失联</translation>
    </message>
    <message>
        <source>Server back</source>
        <translation>服务器恢复</translation>
    </message>
    <message>
        <source>Server left</source>
        <translation>服务器已退出</translation>
    </message>
    <message>
        <source>Deadlock</source>
        <translation>死锁</translation>
    </message>
    <message>
        <source>Deadlock ended</source>
        <translation>死锁已解除</translation>
    </message>
    <message>
        <source>The lock was held already when Lockscope first read it.</source>
        <translation>Lockscope 首次读取时，锁已被持有。</translation>
    </message>
    <message>
        <source>This owner was not seen at the reading before, and holds the lock now.</source>
        <translation>上次读取时未见此持有者，现在锁由其持有。</translation>
    </message>
    <message>
        <source>The hold count has grown.</source>
        <translation>重入次数增加。</translation>
    </message>
    <message>
        <source>The hold count has fallen; the lock is still held.</source>
        <translation>重入次数减少，锁仍被持有。</translation>
    </message>
    <message>
        <source>The lease ends later than before.</source>
        <translation>租约的到期时间推迟。</translation>
    </message>
    <message>
        <source>The lease ends sooner than before.</source>
        <translation>租约的到期时间提前。</translation>
    </message>
    <message>
        <source>The hold was gone when its lease had ended.</source>
        <translation>租约到期后，锁已不再被持有。</translation>
    </message>
    <message>
        <source>Another owner holds the lock than at the reading before.</source>
        <translation>持有者与上次读取时不同。</translation>
    </message>
    <message>
        <source>The lock had a lease, and has no expiry now.</source>
        <translation>锁原有租约，现在无过期时间。</translation>
    </message>
    <message>
        <source>Force-expired by this user: here, or with another Lockscope program, as the audit log says.</source>
        <translation>由本用户强制过期：在此窗口中，或在另一个 Lockscope 程序中（依据审计日志）。</translation>
    </message>
    <message>
        <source>The connection to the server was lost. What happens until it is back is not seen.</source>
        <translation>与服务器的连接断开。恢复之前发生的事件无法观察到。</translation>
    </message>
    <message>
        <source>The connection is back. All locks are read again.</source>
        <translation>连接已恢复，正在重新读取所有锁。</translation>
    </message>
    <message>
        <source>Changes are reported in another way than before.</source>
        <translation>变更通知的方式已改变。</translation>
    </message>
    <message>
        <source>Changes may have been missed. All locks are read again.</source>
        <translation>可能遗漏了变更，正在重新读取所有锁。</translation>
    </message>
    <message>
        <source>Owners wait for each other, confirmed by two readings.</source>
        <translation>持有者互相等待，已由两次读取确认。</translation>
    </message>
    <message>
        <source>One of the waits of a deadlock has ended.</source>
        <translation>死锁中的一处等待已结束。</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <comment>an owner, a number</comment>
        <translation>%1 等，另有 %2 个</translation>
    </message>
    <message>
        <source>with another Lockscope program</source>
        <comment>follows: Forced by you</comment>
        <translation>通过另一个 Lockscope 程序</translation>
    </message>
    <message>
        <source>%1 left</source>
        <comment>a time</comment>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>A command deleted the lock before its lease ended. By whom, the server does not report.</source>
        <translation>租约结束前，锁被一条命令删除。服务器不报告由谁删除。</translation>
    </message>
    <message>
        <source>The lock is gone, and the cause is unknown. What the server&apos;s counters do not rule out is listed.</source>
        <translation>锁已消失，原因未知。下面列出服务器计数器未排除的原因。</translation>
    </message>
    <message>
        <source>Evicted</source>
        <translation>已被驱逐</translation>
    </message>
    <message>
        <source>The server removed the lock to free memory. Its holder may still be working.</source>
        <translation>服务器为释放内存而移除了锁。其持有者可能仍在工作。</translation>
    </message>
    <message>
        <source>The lock went with all keys of its database. Its holder may still be working.</source>
        <translation>锁随其数据库的所有键一起消失。其持有者可能仍在工作。</translation>
    </message>
    <message>
        <source>Overwritten</source>
        <translation>已被覆盖</translation>
    </message>
    <message>
        <source>Another value, which is no lock, was written to its key.</source>
        <translation>其键被写入了另一个值，该值不是锁。</translation>
    </message>
    <message>
        <source>Renamed</source>
        <translation>已重命名</translation>
    </message>
    <message>
        <source>Its key was renamed, or moved to another database or server.</source>
        <translation>其键被重命名，或被移到另一个数据库或服务器。</translation>
    </message>
    <message>
        <source>Lost in a failover</source>
        <translation>在故障转移中丢失</translation>
    </message>
    <message>
        <source>The server that took over does not have the lock. Its holder may still be working.</source>
        <translation>接管的服务器没有此锁。其持有者可能仍在工作。</translation>
    </message>
    <message>
        <source>Database flushed</source>
        <translation>数据库已清空</translation>
    </message>
    <message>
        <source>possible: %1</source>
        <comment>what may have ended a lock</comment>
        <translation>可能：%1</translation>
    </message>
    <message>
        <source>hold before: %1</source>
        <comment>how it ended</comment>
        <translation>此前的持有：%1</translation>
    </message>
    <message>
        <source>its holder had renewed it, and stopped</source>
        <comment>follows: Expired</comment>
        <translation>此前持有者曾续期，后停止</translation>
    </message>
</context>
<context>
    <name>lockscope::EventsPanel</name>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Go to the newest event</source>
        <translation>转到最新事件</translation>
    </message>
    <message numerus="yes">
        <source>%n newer</source>
        <translation>
            <numerusform>%n 个更新的事件</numerusform>
        </translation>
    </message>
    <message>
        <source>Only selected lock</source>
        <translation>仅所选的锁</translation>
    </message>
    <message>
        <source>Show only events of the lock that is selected in the table</source>
        <translation>只显示表中所选锁的事件</translation>
    </message>
    <message>
        <source>Filter of the events</source>
        <translation>事件的过滤条件</translation>
    </message>
    <message>
        <source>Every word must be in the key, the owner, the event or its details.</source>
        <translation>每个词都须出现在键、持有者、事件或其详情中。</translation>
    </message>
    <message>
        <source>Kinds</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Choose which kinds of events to show</source>
        <translation>选择要显示的事件种类</translation>
    </message>
    <message>
        <source>Show all kinds</source>
        <translation>显示所有种类</translation>
    </message>
    <message>
        <source>Show the usual kinds</source>
        <translation>显示常用种类</translation>
    </message>
    <message>
        <source>%1 of %2 events, of %3</source>
        <comment>of a lock</comment>
        <translation>%2 个事件中的 %1 个，锁：%3</translation>
    </message>
    <message>
        <source>%1 of %2 events</source>
        <translation>%2 个事件中的 %1 个</translation>
    </message>
    <message>
        <source>events: %1</source>
        <translation>事件：%1</translation>
    </message>
    <message>
        <source>older ones dropped: %1</source>
        <translation>已丢弃较早的事件：%1</translation>
    </message>
    <message>
        <source>No events yet.</source>
        <translation>尚无事件。</translation>
    </message>
    <message>
        <source>No event matches. Some kinds may be hidden.</source>
        <translation>没有匹配的事件。部分种类可能已隐藏。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Only events of this lock</source>
        <translation>仅此锁的事件</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>from, to</comment>
        <translation>%1 – %2</translation>
    </message>
</context>
<context>
    <name>lockscope::FamiliesDialog</name>
    <message>
        <source>No family matches. Clear the search to see all.</source>
        <translation>没有匹配的锁类型。清空搜索即可看到全部。</translation>
    </message>
    <message>
        <source>Families</source>
        <translation>锁类型</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search in the families</source>
        <translation>在锁类型中搜索</translation>
    </message>
    <message>
        <source>Looked for</source>
        <translation>是否查找</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>锁类型</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Whether locks are looked for under the family&apos;s usual names. Locks that a pattern covers are shown all the same.</source>
        <translation>是否按该锁类型的常用名称查找锁。键模式覆盖的锁仍会显示。</translation>
    </message>
    <message>
        <source>Details of the family</source>
        <translation>锁类型详情</translation>
    </message>
    <message>
        <source>Files left out when Lockscope started: %1. Search for “left out” to see why.</source>
        <translation>Lockscope 启动时未采用的文件：%1 个。搜索“未采用”可查看原因。</translation>
    </message>
    <message>
        <source>&amp;Try a file…</source>
        <translation>试用文件(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;New from lock…</source>
        <translation>从锁新建(&amp;N)…</translation>
    </message>
    <message>
        <source>A recording has no values to draft a family from.</source>
        <translation>录制中没有可用于起草锁类型的值。</translation>
    </message>
    <message>
        <source>Select a lock in the table first.</source>
        <translation>请先在表中选择一个锁。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>a family and its name</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 (left out)</source>
        <translation>%1（未采用）</translation>
    </message>
    <message>
        <source>This file was left out when Lockscope started:</source>
        <translation>Lockscope 启动时未采用此文件：</translation>
    </message>
    <message>
        <source>Try a family file</source>
        <translation>试用锁类型文件</translation>
    </message>
    <message>
        <source>Family files (*.toml)</source>
        <translation>锁类型文件 (*.toml)</translation>
    </message>
    <message>
        <source>%1 could not be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>The key could not be read: %1</source>
        <translation>无法读取该键：%1</translation>
    </message>
    <message>
        <source>No form of a family describes what this key holds.</source>
        <translation>没有任何锁类型的形式能描述此键的内容。</translation>
    </message>
</context>
<context>
    <name>lockscope::FamilyEditor</name>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation>第 %1 行第 %2 列：%3</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>matches, %1</source>
        <translation>匹配（%1）</translation>
    </message>
    <message>
        <source>no match: %1</source>
        <translation>不匹配：%1</translation>
    </message>
    <message>
        <source>matches, but nobody holds it</source>
        <translation>匹配，但无人持有</translation>
    </message>
    <message>
        <source>Family file</source>
        <translation>锁类型文件</translation>
    </message>
    <message>
        <source>Text of the file</source>
        <translation>文件内容</translation>
    </message>
    <message>
        <source>What the file finds</source>
        <translation>文件的检查结果</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>The file is in order. Examples: %1.</source>
        <translation>文件无误。示例：%1 个。</translation>
    </message>
    <message>
        <source>could not be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a key, and what a file makes of it</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Known keys with such names: %1. Read: %2. Matches: %3.</source>
        <translation>名称相符的已知键：%1 个。已读取：%2 个。匹配：%3 个。</translation>
    </message>
    <message>
        <source>A recording has no values to try the file on.</source>
        <translation>录制中没有可用于试用文件的值。</translation>
    </message>
    <message>
        <source>To scan the server: lockscope-cli family try FILE</source>
        <translation>扫描服务器：lockscope-cli family try FILE</translation>
    </message>
    <message>
        <source>Save family file</source>
        <translation>保存锁类型文件</translation>
    </message>
    <message>
        <source>Family files (*.toml)</source>
        <translation>锁类型文件 (*.toml)</translation>
    </message>
    <message>
        <source>Saved as %1. Lockscope uses the family from its next start.</source>
        <translation>已保存为 %1。Lockscope 下次启动时开始使用该锁类型。</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
</context>
<context>
    <name>lockscope::FamilyRulesDialog</name>
    <message>
        <source>Pattern</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>锁类型</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>&amp;Add a rule</source>
        <translation>添加规则(&amp;A)</translation>
    </message>
    <message>
        <source>Family rules</source>
        <translation>锁类型规则</translation>
    </message>
    <message>
        <source>Some libraries store identical locks: a random value under a plain key. Assign a family to a key pattern (* any characters, ? one, [ab] a choice). The first matching rule counts; a lock with a certain family keeps it.</source>
        <translation>有些库存储的锁完全相同：普通键下的一个随机值。请为键模式指定锁类型（* 任意字符，? 一个字符，[ab] 任选其一）。以第一条匹配的规则为准；已确定的锁类型不会改变。</translation>
    </message>
    <message>
        <source>No rule yet.</source>
        <translation>尚无规则。</translation>
    </message>
    <message>
        <source>choose a family</source>
        <translation>选择锁类型</translation>
    </message>
</context>
<context>
    <name>lockscope::FieldForm</name>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>故障</translation>
    </message>
    <message>
        <source>Injected faults, and their share of the iterations</source>
        <translation>注入的故障及其在迭代中的比率</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Ends after</source>
        <translation>结束条件</translation>
    </message>
    <message>
        <source>A time: workers run freely. Rounds: all workers start together, one iteration each</source>
        <translation>时间：工作线程自由运行。轮数：所有工作线程同时开始，每轮一次迭代</translation>
    </message>
    <message>
        <source>a time</source>
        <translation>一段时间</translation>
    </message>
    <message>
        <source>rounds</source>
        <translation>若干轮</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>运行时长</translation>
    </message>
    <message>
        <source>Duration of the run</source>
        <translation>运行时长</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>均匀分布</translation>
    </message>
    <message>
        <source>exponential</source>
        <translation>指数分布</translation>
    </message>
    <message>
        <source>Mean hold time</source>
        <translation>平均持锁时间</translation>
    </message>
    <message>
        <source>The time; for exponential the mean, for uniform the minimum</source>
        <translation>时间；指数分布时为均值，均匀分布时为最小值</translation>
    </message>
    <message>
        <source>Maximum hold time</source>
        <translation>最长持锁时间</translation>
    </message>
    <message>
        <source>Server pauses</source>
        <translation>服务器暂停</translation>
    </message>
    <message>
        <source>Server restarts</source>
        <translation>服务器重启</translation>
    </message>
    <message>
        <source>Server is emptied</source>
        <translation>服务器被清空</translation>
    </message>
    <message>
        <source>%1. Only on a private server.</source>
        <translation>%1。仅限私有服务器。</translation>
    </message>
</context>
<context>
    <name>lockscope::FileExport</name>
    <message>
        <source>%1 was not written: %2. Choose another place.</source>
        <translation>未能写入 %1：%2。请选择其他位置。</translation>
    </message>
    <message>
        <source>it is not a regular file</source>
        <translation>该路径不是普通文件</translation>
    </message>
</context>
<context>
    <name>lockscope::FileExporter</name>
    <message>
        <source>CSV, for spreadsheets (*.csv)</source>
        <translation>CSV，用于电子表格 (*.csv)</translation>
    </message>
    <message>
        <source>JSON, for programs (*.json)</source>
        <translation>JSON，供程序使用 (*.json)</translation>
    </message>
    <message>
        <source>Export failed</source>
        <translation>导出失败</translation>
    </message>
</context>
<context>
    <name>lockscope::FilterChips</name>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Deadlock</source>
        <translation>死锁</translation>
    </message>
    <message>
        <source>Orphaned</source>
        <translation>孤立队列</translation>
    </message>
    <message>
        <source>Corrupt</source>
        <translation>损坏</translation>
    </message>
    <message>
        <source>No expiry</source>
        <translation>永不过期</translation>
    </message>
    <message>
        <source>Stalled</source>
        <translation>续期停滞</translation>
    </message>
    <message>
        <source>Dead waiter</source>
        <translation>有失效等待者</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>With waiters</source>
        <translation>有等待者</translation>
    </message>
    <message>
        <source>Expiring</source>
        <translation>即将过期</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a filter, a number of locks</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>No expiry, ambiguous</source>
        <translation>无过期时间，不确定</translation>
    </message>
    <message>
        <source>Possible</source>
        <translation>可能是锁</translation>
    </message>
    <message>
        <source>More ▾</source>
        <comment>filters</comment>
        <translation>更多 ▾</translation>
    </message>
</context>
<context>
    <name>lockscope::FilterMenu</name>
    <message>
        <source>&amp;Save this filter…</source>
        <translation>保存此过滤条件(&amp;S)…</translation>
    </message>
    <message>
        <source>Save the filter</source>
        <translation>保存过滤条件</translation>
    </message>
    <message>
        <source>Recent filters</source>
        <translation>最近的过滤条件</translation>
    </message>
    <message>
        <source>No filter has been applied yet</source>
        <translation>尚未应用过过滤条件</translation>
    </message>
    <message>
        <source>&amp;Forget recent filters</source>
        <translation>清除最近的过滤条件(&amp;F)</translation>
    </message>
    <message>
        <source>Saved filters</source>
        <translation>已保存的过滤条件</translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation>重命名(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message>
        <source>Rename the filter</source>
        <translation>重命名过滤条件</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
</context>
<context>
    <name>lockscope::FilterPopup</name>
    <message>
        <source>Suggestions</source>
        <translation>建议</translation>
    </message>
</context>
<context>
    <name>lockscope::FilterTerm</name>
    <message>
        <source>Remove %1 from the filter</source>
        <translation>从过滤条件中移除 %1</translation>
    </message>
</context>
<context>
    <name>lockscope::ForceExpireDialog</name>
    <message>
        <source>Force-expire a lock</source>
        <translation>强制锁过期</translation>
    </message>
    <message>
        <source>&amp;Grace period in seconds:</source>
        <translation>宽限期（秒）(&amp;G)：</translation>
    </message>
    <message>
        <source>Grace period in seconds</source>
        <translation>宽限期（秒）</translation>
    </message>
    <message>
        <source>The hold count changed while this dialog was open</source>
        <translation>此窗口打开期间，重入次数已改变</translation>
    </message>
    <message>
        <source>The owner changed while this dialog was open</source>
        <translation>此窗口打开期间，持有者已改变</translation>
    </message>
    <message>
        <source>%1: nothing will be done. Close this dialog and check the lock again.</source>
        <translation>%1：不会执行任何操作。请关闭此窗口后重新查看锁。</translation>
    </message>
    <message>
        <source>The grace period is not valid. Type seconds, such as 10 or 0.5.</source>
        <translation>宽限期无效。请输入秒数，例如 10 或 0.5。</translation>
    </message>
    <message numerus="yes">
        <source>all %n owner(s)</source>
        <translation>
            <numerusform>全部 %n 个持有者</numerusform>
        </translation>
    </message>
    <message>
        <source>only %1</source>
        <translation>仅 %1</translation>
    </message>
    <message>
        <source>Force-&amp;expire</source>
        <translation>强制过期(&amp;E)</translation>
    </message>
    <message>
        <source>The lock went while this dialog was open</source>
        <translation>此窗口打开期间，锁已消失</translation>
    </message>
    <message>
        <source>&amp;Force-expire</source>
        <translation>强制过期(&amp;F)</translation>
    </message>
    <message>
        <source>Force-expires the lock only if owner and hold count are unchanged.</source>
        <translation>仅当持有者和重入次数未变时，才强制过期该锁。</translation>
    </message>
    <message>
        <source>De&amp;tails</source>
        <translation>详细信息(&amp;T)</translation>
    </message>
</context>
<context>
    <name>lockscope::HelpPage</name>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>返回(&amp;B)</translation>
    </message>
</context>
<context>
    <name>lockscope::HiddenLine</name>
    <message numerus="yes">
        <source>%1 key(s) that are probably no locks are shown</source>
        <translation>
            <numerusform>正在显示 %1 个可能不是锁的键</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 hidden key(s) that are probably no locks</source>
        <translation>
            <numerusform>已隐藏 %1 个可能不是锁的键</numerusform>
        </translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message numerus="yes">
        <source>%1 possible lock(s)</source>
        <translation>
            <numerusform>%1 个可能的锁</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ImportDialog</name>
    <message>
        <source>Import servers</source>
        <translation>导入服务器</translation>
    </message>
    <message>
        <source>One server a line: an address, or NAME = ADDRESS. Passwords are not stored.</source>
        <translation>每行一个服务器：地址，或“名称 = 地址”。不存储密码。</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>&amp;Group</source>
        <translation>分组(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Environment</source>
        <translation>环境(&amp;E)</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n more line(s) that cannot be read</source>
        <translation>
            <numerusform>另有 %n 行无法识别</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Import %n server(s)</source>
        <translation>
            <numerusform>导入 %n 个服务器</numerusform>
        </translation>
    </message>
    <message>
        <source>Passwords are left out; they are asked for when connecting.</source>
        <translation>密码已略去；连接时会询问。</translation>
    </message>
</context>
<context>
    <name>lockscope::InspectorPanel</name>
    <message>
        <source>Inspector</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Events seen</source>
        <translation>观察到的事件</translation>
    </message>
    <message>
        <source>This lock is gone. The last reading is shown below.</source>
        <translation>此锁已消失。以下为最后一次读取的数据。</translation>
    </message>
    <message>
        <source>Details of the lock</source>
        <translation>锁的详情</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Select no lock (Esc)</source>
        <translation>取消选择（Esc）</translation>
    </message>
</context>
<context>
    <name>lockscope::KeptPasswords</name>
    <message>
        <source>%1 Type the password.</source>
        <translation>%1 请输入密码。</translation>
    </message>
    <message>
        <source>The keychain&apos;s entry for this server holds no password. Type the password.</source>
        <translation>密钥环中此服务器的条目不含密码。请输入密码。</translation>
    </message>
    <message>
        <source>The password of %1 was not kept. %2</source>
        <translation>%1 的密码未保存。%2</translation>
    </message>
    <message>
        <source>The password may still be in the keychain, in the entry %1. %2</source>
        <translation>密码可能仍在密钥环的条目 %1 中。%2</translation>
    </message>
    <message>
        <source>The keychain is locked, or has no entry for this server.</source>
        <translation>密钥环已锁定，或没有此服务器的条目。</translation>
    </message>
    <message>
        <source>The keychain is locked, or refused access.</source>
        <translation>密钥环已锁定，或拒绝访问。</translation>
    </message>
    <message>
        <source>The keychain is locked, or refused access: %1.</source>
        <translation>密钥环已锁定，或拒绝访问：%1。</translation>
    </message>
    <message>
        <source>The keychain cannot be used. Start one, such as GNOME Keyring or KWallet.</source>
        <translation>无法使用密钥环。请启动一个，例如 GNOME Keyring 或 KWallet。</translation>
    </message>
    <message>
        <source>The keychain cannot be used (%1). Start one, such as GNOME Keyring or KWallet.</source>
        <translation>无法使用密钥环（%1）。请启动一个，例如 GNOME Keyring 或 KWallet。</translation>
    </message>
    <message>
        <source>The password in the keychain was kept for other certificates or node addresses of this server. Type the password.</source>
        <translation>密钥环中的密码是针对此服务器的其他证书或节点地址保存的。请输入密码。</translation>
    </message>
</context>
<context>
    <name>lockscope::LanePicture</name>
    <message>
        <source>The picture was not written: it is too large for PNG. Save it as SVG.</source>
        <translation>图片未写入：对 PNG 来说过大。请保存为 SVG。</translation>
    </message>
</context>
<context>
    <name>lockscope::LaneView</name>
    <message>
        <source>At %1</source>
        <translation>时间：%1</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
</context>
<context>
    <name>lockscope::LeaseBar</name>
    <message>
        <source>Remaining share of the lease</source>
        <translation>租约剩余比例</translation>
    </message>
</context>
<context>
    <name>lockscope::LeaseSparkline</name>
    <message>
        <source>In %1: renewals seen: %2.</source>
        <translation>%1内：观察到 %2 次续期。</translation>
    </message>
    <message>
        <source>At least %1 was left.</source>
        <translation>续期时至少还剩 %1。</translation>
    </message>
    <message>
        <source>Unknown for %1.</source>
        <translation>其中 %1的情况未知。</translation>
    </message>
    <message>
        <source>Lease over the last minutes</source>
        <translation>最近几分钟的租约</translation>
    </message>
    <message>
        <source>In %1: renewals or new acquisitions seen: %2.</source>
        <translation>%1内：观察到的续期或重新获取次数：%2。</translation>
    </message>
</context>
<context>
    <name>lockscope::LiveView</name>
    <message>
        <source>Nothing has run yet</source>
        <translation>尚未运行</translation>
    </message>
    <message>
        <source>Choose a scenario on the left and press Start. The results appear here.</source>
        <translation>请在左侧选择一个场景并按“开始”。结果会显示在这里。</translation>
    </message>
    <message>
        <source>starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>round %1 of %2, %3</source>
        <translation>第 %1 轮，共 %2 轮，%3</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>elapsed, in all</comment>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>lockscope::LockActionController</name>
    <message>
        <source>The lock is gone</source>
        <translation>锁已不存在</translation>
    </message>
    <message>
        <source>There is nothing left to undo: the lease would have ended</source>
        <translation>已无可撤销：租约本已到期</translation>
    </message>
</context>
<context>
    <name>lockscope::LockCommands</name>
    <message>
        <source>Copy ACL rule</source>
        <translation>复制 ACL 规则</translation>
    </message>
    <message>
        <source>Incident summary copied</source>
        <translation>已复制事件摘要</translation>
    </message>
    <message>
        <source>ACL rule copied</source>
        <translation>已复制 ACL 规则</translation>
    </message>
    <message>
        <source>This is a replica. Change locks at its primary, %1.</source>
        <translation>这是副本。请在其主节点 %1 上更改锁。</translation>
    </message>
    <message>
        <source>This is a replica. Change locks at its primary.</source>
        <translation>这是副本。请在其主节点上更改锁。</translation>
    </message>
    <message>
        <source>Nothing was exported: the recording is still being read.</source>
        <translation>未导出：仍在读取录制文件。</translation>
    </message>
</context>
<context>
    <name>lockscope::LockDetails</name>
    <message>
        <source>reader</source>
        <translation>读者</translation>
    </message>
    <message>
        <source>writer</source>
        <translation>写者</translation>
    </message>
    <message>
        <source>  (count: %1)</source>
        <translation>  （计数：%1）</translation>
    </message>
    <message>
        <source>  (%1)</source>
        <translation>  （%1）</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Owner details</source>
        <translation>持有者详情</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>已持有</translation>
    </message>
    <message>
        <source>Expires at</source>
        <translation>到期时间</translation>
    </message>
    <message>
        <source>Longest lease</source>
        <translation>最长租约</translation>
    </message>
    <message>
        <source>Renewals seen</source>
        <translation>观察到的续期</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>锁类型</translation>
    </message>
    <message>
        <source>Fencing token</source>
        <translation>防护令牌</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>工作线程</translation>
    </message>
    <message>
        <source>Database</source>
        <translation>数据库</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>%1, the last %2 ago</source>
        <translation>%1，最近一次在 %2前</translation>
    </message>
    <message>
        <source>Permits free</source>
        <translation>空闲许可</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>到 %1 为止</translation>
    </message>
    <message>
        <source>Permit expired; the next request can take it</source>
        <translation>许可已过期，下一个请求者可获取</translation>
    </message>
    <message>
        <source>Evidence: %1</source>
        <translation>依据：%1</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>重入次数</translation>
    </message>
    <message>
        <source>%1 (as read %2 ago)</source>
        <translation>%1（读取于 %2前）</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>至多 %1</translation>
    </message>
    <message>
        <source>%1 or new acquisitions, the last %2 ago</source>
        <translation>%1 次（或为重新获取），最近一次在 %2前</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>%1, slot %2</source>
        <translation>%1，槽 %2</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Valid for</source>
        <translation>有效时长</translation>
    </message>
    <message numerus="yes">
        <source>not known yet (%n hold(s) seen)</source>
        <translation>
            <numerusform>尚不清楚（已观察到 %n 次持有）</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 to %2 (median %3, of %n hold(s) seen)</source>
        <translation>
            <numerusform>%1 至 %2（中位数 %3，已观察到 %n 次持有）</numerusform>
        </translation>
    </message>
    <message>
        <source>Held %1 times as long as usual</source>
        <translation>持有时长是平时的 %1 倍</translation>
    </message>
    <message>
        <source>Held at least %1 times as long as usual</source>
        <translation>持有时长至少是平时的 %1 倍</translation>
    </message>
    <message>
        <source>Usually held</source>
        <translation>通常持有时长</translation>
    </message>
    <message>
        <source>Companion keys</source>
        <translation>附属键</translation>
    </message>
    <message>
        <source>Runbook</source>
        <translation>操作手册</translation>
    </message>
    <message>
        <source>Contact</source>
        <translation>联系人</translation>
    </message>
    <message>
        <source>Open runbook</source>
        <translation>打开操作手册</translation>
    </message>
    <message>
        <source>Heartbeat</source>
        <translation>心跳</translation>
    </message>
    <message>
        <source>%1: candidates are %2, or an application&apos;s own format. Add a family rule if you know which.</source>
        <translation>%1：候选类型为 %2，或某个应用自有的格式。若知道是哪一种，请添加锁类型规则。</translation>
    </message>
</context>
<context>
    <name>lockscope::LockExport</name>
    <message numerus="yes">
        <source>Export %n lock(s)</source>
        <translation>
            <numerusform>导出 %n 个锁</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s) written to %2</source>
        <translation>
            <numerusform>已将 %1 个锁写入 %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::LockFilter</name>
    <message>
        <source>Named process</source>
        <translation>已命名的进程</translation>
    </message>
</context>
<context>
    <name>lockscope::LockFilterBar</name>
    <message>
        <source>Filter: words in key or owner, ttl&lt;10s, held&gt;5m, owner:x, state:no-expiry, -not</source>
        <translation>过滤：键或持有者中的词、ttl&lt;10s、held&gt;5m、owner:x、state:no-expiry、-排除</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>过滤</translation>
    </message>
    <message>
        <source>Saved and recent filters</source>
        <translation>已保存和最近的过滤条件</translation>
    </message>
    <message>
        <source>Recent and saved filters</source>
        <translation>最近使用和已保存的筛选</translation>
    </message>
    <message>
        <source>Every word must match; F1 explains the words</source>
        <translation>所有词都须匹配；按 F1 查看各词的说明</translation>
    </message>
</context>
<context>
    <name>lockscope::LockHeader</name>
    <message>
        <source>&amp;Reset columns</source>
        <translation>重置列(&amp;R)</translation>
    </message>
</context>
<context>
    <name>lockscope::LockSummary</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Expected owner</source>
        <translation>预期持有者</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>重入次数</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>the lock is gone</source>
        <translation>锁已消失</translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>%1 (reader)</source>
        <translation>%1（读者）</translation>
    </message>
    <message>
        <source>%1 (writer)</source>
        <translation>%1（写者）</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Expected content</source>
        <translation>预期内容</translation>
    </message>
</context>
<context>
    <name>lockscope::LockTableModel</name>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>锁类型</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>重入次数</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>已持有</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Blocks</source>
        <comment>column: number of waiters behind a lock</comment>
        <translation>阻塞</translation>
    </message>
    <message>
        <source>Waits for</source>
        <comment>column: number of locks that an owner waits for</comment>
        <translation>等待中</translation>
    </message>
    <message>
        <source>certain</source>
        <comment>family</comment>
        <translation>确定</translation>
    </message>
    <message>
        <source>likely</source>
        <comment>family</comment>
        <translation>很可能</translation>
    </message>
    <message>
        <source>ambiguous</source>
        <comment>family</comment>
        <translation>不确定</translation>
    </message>
    <message>
        <source>Certainty</source>
        <translation>确定性</translation>
    </message>
</context>
<context>
    <name>lockscope::LockWaitsPanel</name>
    <message>
        <source>No waiters found.</source>
        <translation>未发现等待者。</translation>
    </message>
    <message>
        <source>Lock waits</source>
        <translation>锁等待</translation>
    </message>
    <message>
        <source>Wait-for graph</source>
        <translation>等待图</translation>
    </message>
    <message>
        <source>Lock and its waiters</source>
        <translation>锁及其等待者</translation>
    </message>
    <message>
        <source>Owner or state</source>
        <translation>持有者或状态</translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message numerus="yes">
        <source>Deadlock: %n owner(s) wait for each other</source>
        <translation>
            <numerusform>死锁：%n 个持有者互相等待</numerusform>
        </translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>place in a queue, who stands there</comment>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s) with waiters</source>
        <translation>
            <numerusform>%n 个锁有等待者</numerusform>
        </translation>
    </message>
    <message>
        <source>waiters: %1</source>
        <translation>等待者：%1</translation>
    </message>
    <message>
        <source>waiters: at least %1</source>
        <translation>等待者：至少 %1</translation>
    </message>
    <message>
        <source>list shortened</source>
        <translation>列表已截短</translation>
    </message>
    <message>
        <source>Only queues name their waiters, so only queues show chains and cycles. For other locks the number of subscribed processes is a lower bound (≥); polling clients cannot be counted. A deadlock is confirmed by two readings.</source>
        <translation>只有队列会指明等待者，因此只有队列能显示链和环。其他锁的已订阅进程数是下限（≥）；轮询的客户端无法统计。死锁须经两次读取确认。</translation>
    </message>
    <message>
        <source>Waiters behind the lock, directly or through locks that its waiters hold.</source>
        <translation>受该锁阻塞的等待者，包括直接等待的，以及等待其等待者所持有的锁的。</translation>
    </message>
    <message>
        <source>Longest wait</source>
        <translation>最长等待</translation>
    </message>
    <message>
        <source>Total wait</source>
        <translation>总等待</translation>
    </message>
    <message>
        <source>Since Lockscope first saw each waiter in the queue.</source>
        <translation>从 Lockscope 首次在等待队列中看到各等待者起计算。</translation>
    </message>
</context>
<context>
    <name>lockscope::LocksPage</name>
    <message>
        <source>Clear filter</source>
        <translation>清除过滤</translation>
    </message>
    <message>
        <source>No lock matches the filter</source>
        <translation>没有符合过滤条件的锁</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Filter o&amp;ut</source>
        <translation>排除(&amp;U)</translation>
    </message>
    <message>
        <source>Fil&amp;ter to</source>
        <translation>只显示(&amp;T)</translation>
    </message>
</context>
<context>
    <name>lockscope::MainActions</name>
    <message>
        <source>&amp;New connection…</source>
        <translation>新建连接(&amp;N)…</translation>
    </message>
    <message>
        <source>Connect to another server</source>
        <translation>连接另一个服务器</translation>
    </message>
    <message>
        <source>&amp;Disconnect</source>
        <translation>断开连接(&amp;D)</translation>
    </message>
    <message>
        <source>Disconnect from this server</source>
        <translation>断开与此服务器的连接</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Copy row</source>
        <translation>复制行(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the lock&apos;s row as text</source>
        <translation>以文本形式复制该锁所在的行</translation>
    </message>
    <message>
        <source>Copy &amp;key</source>
        <translation>复制键(&amp;K)</translation>
    </message>
    <message>
        <source>Copy the lock&apos;s key</source>
        <translation>复制锁的键</translation>
    </message>
    <message>
        <source>Copy &amp;owner</source>
        <translation>复制持有者(&amp;O)</translation>
    </message>
    <message>
        <source>Copy the owner ID</source>
        <translation>复制持有者 ID</translation>
    </message>
    <message>
        <source>Copy as &amp;redis-cli</source>
        <translation>复制为 redis-cli 命令(&amp;R)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation>Ctrl+Shift+C</translation>
    </message>
    <message>
        <source>Copy commands that read this lock, with force-expire as a comment</source>
        <translation>复制读取此锁的命令，并以注释附上强制过期的命令</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>过滤(&amp;F)</translation>
    </message>
    <message>
        <source>Type to filter the locks</source>
        <translation>输入以过滤锁</translation>
    </message>
    <message>
        <source>C&amp;lear filter, then selection</source>
        <translation>先清除过滤，再清除选择(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Acquire…</source>
        <translation>获取(&amp;A)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+A</source>
        <translation>Ctrl+Shift+A</translation>
    </message>
    <message>
        <source>Acquire a lock as an owner of your choice</source>
        <translation>以指定的持有者获取锁</translation>
    </message>
    <message>
        <source>&amp;Release…</source>
        <translation>释放(&amp;R)…</translation>
    </message>
    <message>
        <source>Ctrl+L</source>
        <translation>Ctrl+L</translation>
    </message>
    <message>
        <source>Release the lock as its owner</source>
        <translation>以持有者的名义释放锁</translation>
    </message>
    <message>
        <source>&amp;Extend…</source>
        <translation>续期(&amp;E)…</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>Set a new lease as the owner</source>
        <translation>以持有者的名义设置新的租约</translation>
    </message>
    <message>
        <source>&amp;Force-expire…</source>
        <translation>强制过期(&amp;F)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+X</source>
        <translation>Ctrl+Shift+X</translation>
    </message>
    <message>
        <source>Force-expire the lock if owner and hold count are unchanged</source>
        <translation>若持有者和重入次数未变，则强制锁过期</translation>
    </message>
    <message>
        <source>&amp;Scan now</source>
        <translation>立即扫描(&amp;S)</translation>
    </message>
    <message>
        <source>Ctrl+R</source>
        <translation>Ctrl+R</translation>
    </message>
    <message>
        <source>Scan the whole keyspace for locks now</source>
        <translation>立即扫描整个键空间以查找锁</translation>
    </message>
    <message>
        <source>&amp;Patterns…</source>
        <translation>匹配模式(&amp;P)…</translation>
    </message>
    <message>
        <source>Ctrl+P</source>
        <translation>Ctrl+P</translation>
    </message>
    <message>
        <source>Choose the key patterns to watch</source>
        <translation>选择要监视的键模式</translation>
    </message>
    <message>
        <source>&amp;Go to inspector</source>
        <translation>转到详情(&amp;G)</translation>
    </message>
    <message>
        <source>Ctrl+I</source>
        <translation>Ctrl+I</translation>
    </message>
    <message>
        <source>Show &amp;inspector</source>
        <translation>显示详情(&amp;I)</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>全屏(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;About Lockscope</source>
        <translation>关于 Lockscope(&amp;A)</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>purpose and shortcut</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>服务器(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Lock</source>
        <translation>锁(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Not connected to the server.</source>
        <translation>未连接到服务器。</translation>
    </message>
    <message>
        <source>Select a lock first.</source>
        <translation>请先选择一个锁。</translation>
    </message>
    <message>
        <source>This connection is read-only.</source>
        <translation>此连接为只读。</translation>
    </message>
    <message>
        <source>The owner is unknown.</source>
        <translation>持有者未知。</translation>
    </message>
    <message>
        <source>This key is too big to read whole. Lockscope cannot compare its owners, so it allows no action.</source>
        <translation>此键过大，无法完整读取。无法比较其持有者，因此不允许操作。</translation>
    </message>
    <message>
        <source>Not a recognized lock. Lockscope has no script for it.</source>
        <translation>不是可识别的锁，没有适用的脚本。</translation>
    </message>
    <message>
        <source>Show si&amp;mulation</source>
        <translation>显示模拟(&amp;M)</translation>
    </message>
    <message>
        <source>Simulate lock contention and faults</source>
        <translation>模拟锁竞争和故障</translation>
    </message>
    <message>
        <source>Simulate</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>Remove &amp;waiter…</source>
        <translation>移除等待者(&amp;W)…</translation>
    </message>
    <message>
        <source>Remove a dead waiter from the queue</source>
        <translation>从队列中移除失效等待者</translation>
    </message>
    <message>
        <source>&amp;Name process…</source>
        <translation>命名进程(&amp;N)…</translation>
    </message>
    <message>
        <source>Ctrl+M</source>
        <translation>Ctrl+M</translation>
    </message>
    <message>
        <source>Name this process. All its locks then show the name.</source>
        <translation>为此进程命名，其所有锁都会显示该名称。</translation>
    </message>
    <message>
        <source>F&amp;ind clients…</source>
        <translation>查找客户端(&amp;I)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+W</source>
        <translation>Ctrl+Shift+W</translation>
    </message>
    <message>
        <source>Find the clients that renew this lock or try to acquire it</source>
        <translation>查找续期此锁或尝试获取此锁的客户端</translation>
    </message>
    <message>
        <source>Family &amp;rules…</source>
        <translation>锁类型规则(&amp;R)…</translation>
    </message>
    <message>
        <source>Assign a family to locks that several libraries store alike</source>
        <translation>为多个库写法相同的锁指定锁类型</translation>
    </message>
    <message>
        <source>Find &amp;locks by content…</source>
        <translation>按内容查找锁(&amp;L)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+F</source>
        <translation>Ctrl+Shift+F</translation>
    </message>
    <message>
        <source>Read every key once, whatever its name, and list the locks</source>
        <translation>不论名称，读取每个键一次，并列出其中的锁</translation>
    </message>
    <message>
        <source>Show lock &amp;waits</source>
        <translation>显示锁等待(&amp;W)</translation>
    </message>
    <message>
        <source>Show which owners wait for each other, and deadlocks</source>
        <translation>显示哪些持有者互相等待，以及死锁</translation>
    </message>
    <message>
        <source>Lock waits</source>
        <translation>锁等待</translation>
    </message>
    <message>
        <source>No dead waiters found.</source>
        <translation>未发现失效等待者。</translation>
    </message>
    <message>
        <source>The owner ID does not identify a process.</source>
        <translation>此持有者 ID 未指明进程。</translation>
    </message>
    <message>
        <source>The lock is gone; only its wait queue is left.</source>
        <translation>锁已不存在，只剩其等待队列。</translation>
    </message>
    <message>
        <source>Waiters that are not subscribed here may be alive: %1.</source>
        <translation>此处看不到订阅的等待者可能仍存活：%1。</translation>
    </message>
    <message>
        <source>Show &amp;audit log</source>
        <translation>显示审计日志(&amp;A)</translation>
    </message>
    <message>
        <source>Show what you did to locks, here and with lockscope-cli</source>
        <translation>显示您在此处和用 lockscope-cli 对锁执行的操作</translation>
    </message>
    <message>
        <source>Audit log</source>
        <translation>审计日志</translation>
    </message>
    <message>
        <source>New &amp;window</source>
        <translation>新建窗口(&amp;W)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+N</source>
        <translation>Ctrl+Shift+N</translation>
    </message>
    <message>
        <source>Open another window, for another server</source>
        <translation>打开另一个窗口，用于另一个服务器</translation>
    </message>
    <message>
        <source>Open in new wind&amp;ow</source>
        <translation>在新窗口中打开(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Columns…</source>
        <translation>列(&amp;C)…</translation>
    </message>
    <message>
        <source>Choose the columns of the table</source>
        <translation>选择表格的列</translation>
    </message>
    <message>
        <source>C&amp;ompact rows</source>
        <translation>紧凑行(&amp;O)</translation>
    </message>
    <message>
        <source>Show more locks in lower rows</source>
        <translation>以较矮的行显示更多的锁</translation>
    </message>
    <message>
        <source>Select a single lock.</source>
        <translation>请只选择一个锁。</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Release %n lock(s)…</source>
        <translation>
            <numerusform>释放 %n 个锁(&amp;R)…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Force-expire %n lock(s)…</source>
        <translation>
            <numerusform>强制过期 %n 个锁(&amp;F)…</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop updating the display. Lockscope keeps watching the server.</source>
        <translation>停止更新显示。Lockscope 继续监视服务器。</translation>
    </message>
    <message>
        <source>Copy i&amp;ncident summary</source>
        <translation>复制事件摘要(&amp;N)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+I</source>
        <translation>Ctrl+Shift+I</translation>
    </message>
    <message>
        <source>Copy what is known of this lock, with its events, as text and Markdown</source>
        <translation>以文本和 Markdown 复制此锁的已知信息及其事件</translation>
    </message>
    <message>
        <source>&amp;Export locks…</source>
        <translation>导出锁(&amp;E)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+E</source>
        <translation>Ctrl+Shift+E</translation>
    </message>
    <message>
        <source>Write all locks that the table shows to a file, as CSV or JSON</source>
        <translation>将表中显示的所有锁写入文件（CSV 或 JSON）</translation>
    </message>
    <message>
        <source>Export &amp;selected…</source>
        <translation>导出所选(&amp;S)…</translation>
    </message>
    <message>
        <source>Write the selected locks to a file, as CSV or JSON</source>
        <translation>将所选的锁写入文件（CSV 或 JSON）</translation>
    </message>
    <message>
        <source>Recent and &amp;saved filters…</source>
        <translation>最近和已保存的过滤条件(&amp;S)…</translation>
    </message>
    <message>
        <source>Apply or save a filter (Alt+Down in the filter field)</source>
        <translation>应用或保存过滤条件（在过滤框中按 Alt+向下键）</translation>
    </message>
    <message>
        <source>Ctrl+Shift+U</source>
        <translation>Ctrl+Shift+U</translation>
    </message>
    <message>
        <source>Production is read-only: let actions through for 15 minutes, or no more</source>
        <translation>生产环境为只读：放行操作 15 分钟，或不再放行</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>详情面板</translation>
    </message>
    <message>
        <source>Show &amp;events</source>
        <translation>显示事件(&amp;E)</translation>
    </message>
    <message>
        <source>Show what happened to all locks and to the connection</source>
        <translation>显示所有锁与连接发生的事件</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>命令(&amp;C)…</translation>
    </message>
    <message>
        <source>Ctrl+K</source>
        <translation>Ctrl+K</translation>
    </message>
    <message>
        <source>Find a command by typing</source>
        <translation>通过输入查找命令</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts…</source>
        <translation>键盘快捷键(&amp;K)…</translation>
    </message>
    <message>
        <source>Show all commands with their keys, and change these</source>
        <translation>显示所有命令及其快捷键，并可更改</translation>
    </message>
    <message>
        <source>&amp;Unlock for 15 minutes</source>
        <translation>解锁 15 分钟(&amp;U)</translation>
    </message>
    <message>
        <source>L&amp;ock again</source>
        <translation>重新锁定(&amp;O)</translation>
    </message>
    <message>
        <source>Production is read-only until you unlock it.</source>
        <translation>生产环境在解锁前为只读。</translation>
    </message>
    <message>
        <source>Export e&amp;vents…</source>
        <translation>导出事件(&amp;V)…</translation>
    </message>
    <message>
        <source>Raw &amp;value…</source>
        <translation>原始值(&amp;V)…</translation>
    </message>
    <message>
        <source>Read what Redis stores under the lock&apos;s keys</source>
        <translation>读取 Redis 在此锁的各个键下存储的内容</translation>
    </message>
    <message>
        <source>&amp;Restore default layout</source>
        <translation>恢复默认布局(&amp;R)</translation>
    </message>
    <message>
        <source>Put the panels back where they were at first</source>
        <translation>将面板放回最初的位置</translation>
    </message>
    <message>
        <source>Write the events that match the panel&apos;s filter and kinds to a file, as CSV or JSON</source>
        <translation>将符合事件面板过滤条件和所选类型的事件写入文件（CSV 或 JSON）</translation>
    </message>
    <message>
        <source>Show &amp;timeline</source>
        <translation>显示时间线(&amp;T)</translation>
    </message>
    <message>
        <source>Show who held which lock when, and who waited</source>
        <translation>显示谁在何时持有哪个锁，以及谁在等待</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Open &amp;recording…</source>
        <translation>打开录制(&amp;R)…</translation>
    </message>
    <message>
        <source>Show the locks of a recording as they were, without a server</source>
        <translation>按当时的样子显示录制中的锁，无需服务器</translation>
    </message>
    <message>
        <source>R&amp;ecord…</source>
        <translation>录制(&amp;E)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+R</source>
        <translation>Ctrl+Shift+R</translation>
    </message>
    <message>
        <source>Record what happens to a file, to be looked at later</source>
        <translation>将发生的事情录制到文件，供以后查看</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>播放(&amp;P)</translation>
    </message>
    <message>
        <source>Let the recording go on by itself</source>
        <translation>让录制自行继续</translation>
    </message>
    <message>
        <source>Pre&amp;vious event</source>
        <translation>上一个事件(&amp;V)</translation>
    </message>
    <message>
        <source>Go back to the moment of the event before</source>
        <translation>回到上一个事件的时刻</translation>
    </message>
    <message>
        <source>Ne&amp;xt event</source>
        <translation>下一个事件(&amp;X)</translation>
    </message>
    <message>
        <source>Go to the next event</source>
        <translation>转到下一个事件</translation>
    </message>
    <message>
        <source>&amp;Go to time…</source>
        <translation>转到时间(&amp;G)…</translation>
    </message>
    <message>
        <source>Ctrl+T</source>
        <translation>Ctrl+T</translation>
    </message>
    <message>
        <source>Type the time of the recording that is to be shown</source>
        <translation>输入要显示的录制时间</translation>
    </message>
    <message>
        <source>Stop r&amp;ecording</source>
        <translation>停止录制(&amp;E)</translation>
    </message>
    <message>
        <source>This is a recording: nothing can be changed, or read from the server.</source>
        <translation>这是录制：不能更改任何内容，也不能从服务器读取。</translation>
    </message>
    <message>
        <source>Alert r&amp;ules…</source>
        <translation>告警规则(&amp;U)…</translation>
    </message>
    <message>
        <source>Choose what raises an alert, and what notifies</source>
        <translation>选择触发告警的规则以及是否通知</translation>
    </message>
    <message>
        <source>Show ale&amp;rts</source>
        <translation>显示告警(&amp;R)</translation>
    </message>
    <message>
        <source>Show what needs attention, and acknowledge or snooze it</source>
        <translation>显示需要关注的事项，并确认或暂停提醒</translation>
    </message>
    <message>
        <source>Alerts</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>Show ow&amp;ners</source>
        <translation>显示持有者(&amp;N)</translation>
    </message>
    <message>
        <source>Show locks by owner, process or host, and what a crash would leave</source>
        <translation>按持有者、进程或主机显示锁，以及崩溃后会留下什么</translation>
    </message>
    <message>
        <source>Owners</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Show &amp;statistics</source>
        <translation>显示统计(&amp;S)</translation>
    </message>
    <message>
        <source>Show how often each lock was acquired, and how long it was held and waited for</source>
        <translation>显示每个锁的获取频率、持有时长和等待时长</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Close recor&amp;ding</source>
        <translation>关闭录制(&amp;D)</translation>
    </message>
    <message>
        <source>Close this recording</source>
        <translation>关闭此录制</translation>
    </message>
    <message>
        <source>Wake the &amp;queue…</source>
        <translation>唤醒队列(&amp;Q)…</translation>
    </message>
    <message>
        <source>Wake the first waiter in a queue whose lock is gone</source>
        <translation>唤醒孤立队列中的第一个等待者</translation>
    </message>
    <message>
        <source>Only the queue of a lock that is gone can be woken.</source>
        <translation>只能唤醒锁已不存在的队列。</translation>
    </message>
    <message>
        <source>Fam&amp;ilies…</source>
        <translation>锁类型(&amp;I)…</translation>
    </message>
    <message>
        <source>List the known families, choose which are looked for, and add your own</source>
        <translation>列出已知的锁类型，选择要查找哪些，并添加自己的锁类型</translation>
    </message>
    <message>
        <source>P&amp;references…</source>
        <translation>首选项(&amp;R)…</translation>
    </message>
    <message>
        <source>Choose language, theme and text size</source>
        <translation>选择语言、主题和文字大小</translation>
    </message>
    <message>
        <source>Explain what is in focus</source>
        <translation>解释焦点所在的内容</translation>
    </message>
    <message>
        <source>&amp;What&apos;s this?</source>
        <translation>这是什么？(&amp;W)</translation>
    </message>
    <message>
        <source>Explain what you click next</source>
        <translation>解释接下来点击的内容</translation>
    </message>
    <message>
        <source>&amp;Tour of the demo</source>
        <translation>演示导览(&amp;T)</translation>
    </message>
    <message>
        <source>Mend a stuck lock of the demo in six steps</source>
        <translation>分六步修复演示中一个卡住的锁</translation>
    </message>
</context>
<context>
    <name>lockscope::MainWindow</name>
    <message>
        <source>Tool bar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>the demo&apos;s server</source>
        <translation>演示服务器</translation>
    </message>
    <message>
        <source>Demo</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>%1 — Lockscope</source>
        <translation>%1 — Lockscope</translation>
    </message>
    <message>
        <source>About Lockscope</source>
        <translation>关于 Lockscope</translation>
    </message>
    <message>
        <source>Lockscope %1</source>
        <translation>Lockscope %1</translation>
    </message>
    <message>
        <source>A monitor for the distributed locks that applications keep in Redis.

Free software under the GNU General Public License, version 3 or later.
Redis is a trademark of Redis Ltd., with which this program has no connection.</source>
        <translation>监视应用程序保存在 Redis 中的分布式锁。

自由软件，依据 GNU 通用公共许可证第 3 版或更高版本发布。
Redis 是 Redis Ltd. 的商标，本程序与该公司无关。</translation>
    </message>
    <message>
        <source>the simulation&apos;s server</source>
        <translation>模拟服务器</translation>
    </message>
    <message>
        <source>Simulation</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>No server is stored yet</source>
        <translation>尚未保存服务器</translation>
    </message>
    <message>
        <source>More commands</source>
        <translation>更多命令</translation>
    </message>
    <message>
        <source>Keychain</source>
        <translation>密钥环</translation>
    </message>
    <message>
        <source>Open recording</source>
        <translation>打开录制</translation>
    </message>
</context>
<context>
    <name>lockscope::MetricsBar</name>
    <message>
        <source>Commands</source>
        <translation>命令数</translation>
    </message>
</context>
<context>
    <name>lockscope::MonitorPage</name>
    <message>
        <source>The filter hides %1. Clear the filter to select it again.</source>
        <translation>过滤条件隐藏了 %1。清除过滤后可重新选择。</translation>
    </message>
    <message>
        <source>No lock has changed since then.</source>
        <translation>此后没有锁改变。</translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s) have changed since then.</source>
        <translation>
            <numerusform>此后有 %1 个锁改变。</numerusform>
        </translation>
    </message>
    <message>
        <source>Paused at %1</source>
        <translation>已于 %1 暂停</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>At most %1 locks can be selected</source>
        <translation>最多可选择 %1 个锁</translation>
    </message>
    <message>
        <source>The deadlocks have changed, too.</source>
        <translation>死锁也已改变。</translation>
    </message>
    <message>
        <source>This is production. No simulation can run on this server.</source>
        <translation>这是生产环境。此服务器上不能运行模拟。</translation>
    </message>
    <message>
        <source>%1 was not found among the locks of these patterns.</source>
        <translation>在这些模式的锁中未找到 %1。</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>from, to</comment>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>recording %1</source>
        <translation>录制 %1</translation>
    </message>
    <message>
        <source>This lock is not among the locks known now</source>
        <translation>此锁不在当前已知的锁中</translation>
    </message>
    <message>
        <source>Not connected to the server.</source>
        <translation>未连接到服务器。</translation>
    </message>
    <message>
        <source>This lock is not in the picture that is shown</source>
        <translation>此锁不在当前显示的画面中</translation>
    </message>
    <message>
        <source>%1 may be no lock and is hidden. Show the hidden keys to select it again.</source>
        <translation>%1 可能不是锁，已隐藏。显示隐藏的键后可再次选择它。</translation>
    </message>
</context>
<context>
    <name>lockscope::OrderHold</name>
    <message>
        <source>Update order</source>
        <translation>更新排序</translation>
    </message>
    <message numerus="yes">
        <source>%1 row(s) to move</source>
        <translation>
            <numerusform>%1 行待移动</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 new</source>
        <comment>locks</comment>
        <translation>新增 %1 个</translation>
    </message>
    <message>
        <source>%1 new above</source>
        <comment>locks</comment>
        <translation>上方新增 %1 个</translation>
    </message>
    <message>
        <source>Order kept: %1</source>
        <translation>排序已保持：%1</translation>
    </message>
    <message>
        <source>The selected lock is out of view</source>
        <translation>所选锁不在可见范围内</translation>
    </message>
    <message>
        <source>The selected row keeps its place</source>
        <translation>所选行保持原位</translation>
    </message>
    <message>
        <source>%1 to remove</source>
        <comment>rows</comment>
        <translation>%1 行待移除</translation>
    </message>
    <message>
        <source>Show lock</source>
        <translation>显示该锁</translation>
    </message>
    <message>
        <source>Rows keep their places while the mouse is over the table. Values are current.</source>
        <translation>鼠标位于表格上时，各行保持原位。数值是最新的。</translation>
    </message>
</context>
<context>
    <name>lockscope::OutcomeNotice</name>
    <message>
        <source>%1, %2</source>
        <comment>a date and time, what happened then</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>The audit log has the outcomes of earlier actions.</source>
        <translation>此前操作的结果见审计日志。</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>lockscope::Overview</name>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>需要关注</translation>
    </message>
    <message>
        <source>Most waited for</source>
        <translation>等待者最多</translation>
    </message>
    <message>
        <source>Held longest</source>
        <translation>持有最久</translation>
    </message>
    <message>
        <source>Families</source>
        <translation>锁类型</translation>
    </message>
    <message>
        <source>Not watched</source>
        <translation>未监视</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message numerus="yes">
        <source>and %1 more</source>
        <translation>
            <numerusform>另有 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Held unusually long</source>
        <translation>持有时间异常长</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a problem, a key</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>held %1</source>
        <comment>a time</comment>
        <translation>已持有 %1</translation>
    </message>
    <message>
        <source>held %1 by %2</source>
        <comment>a time, an owner</comment>
        <translation>%2 已持有 %1</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 个等待者</translation>
    </message>
    <message>
        <source>%1 waiting %2</source>
        <comment>a number, the longest time</comment>
        <translation>%1 个等待者，已等 %2</translation>
    </message>
    <message>
        <source>Nothing needs attention</source>
        <translation>没有需要关注的锁</translation>
    </message>
    <message>
        <source>Nothing needs attention so far: not all is read</source>
        <translation>目前没有需要关注的锁：尚未全部读取</translation>
    </message>
    <message>
        <source>No waiters are known</source>
        <translation>没有已知的等待者</translation>
    </message>
    <message>
        <source>No lock is known to be held</source>
        <translation>没有已知被持有的锁</translation>
    </message>
    <message>
        <source>No lock is known</source>
        <translation>没有已知的锁</translation>
    </message>
    <message>
        <source>Watch %1</source>
        <comment>a pattern</comment>
        <translation>监视 %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 key(s)</source>
        <translation>
            <numerusform>%1 个键</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %1 other key(s)</source>
        <translation>
            <numerusform>另有 %1 个其他键</numerusform>
        </translation>
    </message>
    <message>
        <source>No other key looks like a lock</source>
        <translation>没有其他像锁的键</translation>
    </message>
    <message>
        <source>Other keys: unknown</source>
        <translation>其他键：未知</translation>
    </message>
</context>
<context>
    <name>lockscope::OwnerDialog</name>
    <message>
        <source>Release a lock</source>
        <translation>释放锁</translation>
    </message>
    <message>
        <source>Extend a lock</source>
        <translation>锁续期</translation>
    </message>
    <message>
        <source>Remove a waiter</source>
        <translation>移除等待者</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>&amp;Lease in seconds</source>
        <translation>租约（秒）(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;One level; the lease is unchanged</source>
        <translation>一层；租约不变(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;All levels; the lock is free at once</source>
        <translation>全部；锁立即空闲(&amp;A)</translation>
    </message>
    <message>
        <source>Levels</source>
        <translation>释放范围</translation>
    </message>
    <message>
        <source>Waiter to remove</source>
        <translation>要移除的等待者</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Wake a queue</source>
        <translation>唤醒队列</translation>
    </message>
    <message>
        <source>Waiter to wake</source>
        <translation>要唤醒的等待者</translation>
    </message>
    <message>
        <source>&amp;Release</source>
        <translation>释放(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Extend</source>
        <translation>延长租约(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Wake</source>
        <translation>唤醒(&amp;W)</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>移除(&amp;M)</translation>
    </message>
</context>
<context>
    <name>lockscope::OwnerNames</name>
    <message>
        <source>%1 · thread %2</source>
        <translation>%1 · 线程 %2</translation>
    </message>
</context>
<context>
    <name>lockscope::OwnersModel</name>
    <message>
        <source>waits in its queue</source>
        <translation>在其队列中等待</translation>
    </message>
    <message>
        <source>The groups with the worst problems and the most waiters first</source>
        <translation>问题最严重、等待者最多的分组在前</translation>
    </message>
    <message>
        <source>Owner and its locks</source>
        <translation>持有者及其锁</translation>
    </message>
    <message>
        <source>Of a group: the state of the lock that most needs a look, where it is a problem</source>
        <translation>分组：最需要关注的锁的状态（仅当有问题时）</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Locks that the group holds; of a lock: its hold count</source>
        <translation>分组持有的锁数；对于锁：其重入次数</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>Locks in whose queues the group waits. Other waiters are not named.</source>
        <translation>分组在其队列中等待的锁。其他等待者没有名称。</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Waiters behind the locks, directly or through locks that waiters hold, each once</source>
        <translation>排在这些锁之后的等待者（直接等待，或等待其他等待者持有的锁），每个只计一次</translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>Of a group: the lock that it has held longest</source>
        <translation>分组：其持有最久的锁</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>持有时长</translation>
    </message>
</context>
<context>
    <name>lockscope::OwnersPanel</name>
    <message numerus="yes">
        <source>%n lock(s) would expire, at %1 at the latest, unless another client renews the lease.</source>
        <translation>
            <numerusform>%n 个锁会过期，最迟在 %1，除非其他客户端续期。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另外 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s) without expiry would stay until somebody ends them: %1.</source>
        <translation>
            <numerusform>%n 个永不过期的锁会一直保留，直到有人结束：%1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s) would stay for an unknown time: their expiry is unknown.</source>
        <translation>
            <numerusform>%n 个锁会保留多久未知：过期时间未知。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Its part of %n shared lock(s) would end, at %1 at the latest, unless another client renews it.</source>
        <translation>
            <numerusform>其在 %n 个共享锁中的份额会结束，最迟在 %1，除非其他客户端续期。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Its part of %n shared lock(s) has no expiry and would stay until somebody ends it.</source>
        <translation>
            <numerusform>其在 %n 个共享锁中的份额永不过期，会一直保留，直到有人结束。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Its part of %n shared lock(s) would stay for an unknown time: other owners may renew the lock.</source>
        <translation>
            <numerusform>其在 %n 个共享锁中的份额会保留多久未知：其他持有者可能续期。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %n waiter(s) in queues would wait for these locks.</source>
        <translation>
            <numerusform>队列中至少有 %n 个等待者会等待这些锁。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiter(s) in queues would wait for these locks.</source>
        <translation>
            <numerusform>队列中有 %n 个等待者会等待这些锁。</numerusform>
        </translation>
    </message>
    <message>
        <source>No waiters known. Polling clients cannot be counted.</source>
        <translation>没有已知的等待者。无法统计轮询的客户端。</translation>
    </message>
    <message>
        <source>Nobody waits for these locks.</source>
        <translation>没有等待者等待这些锁。</translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s) with waiters would block them until %1 at the latest. Then one waiter acquires it, and the others wait on.</source>
        <translation>
            <numerusform>%n 个有等待者的锁会阻塞等待者，最迟到 %1。之后一个等待者获取锁，其余继续等待。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s) with waiters would block them without limit, until somebody ends the lock or the waiters give up.</source>
        <translation>
            <numerusform>%n 个有等待者的锁会无限期阻塞等待者，直到有人结束锁或等待者放弃。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s) with waiters would block them for an unknown time.</source>
        <translation>
            <numerusform>%n 个有等待者的锁会阻塞等待者，时长未知。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) in wait queues would belong to a dead waiter.</source>
        <translation>
            <numerusform>等待队列中的 %n 个位置会属于失效等待者。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiter(s) behind these places.</source>
        <translation>
            <numerusform>这些位置之后有 %n 个等待者。</numerusform>
        </translation>
    </message>
    <message>
        <source>They may be held up until %1 at the latest, by the waiters&apos; clock.</source>
        <translation>它们可能受阻，最迟到 %1（按等待者的时钟）。</translation>
    </message>
    <message>
        <source>They may be held up; for how long is unknown.</source>
        <translation>它们可能受阻，时长未知。</translation>
    </message>
    <message>
        <source>If this owner crashed now:</source>
        <translation>如果此持有者现在崩溃：</translation>
    </message>
    <message>
        <source>If this process crashed now:</source>
        <translation>如果此进程现在崩溃：</translation>
    </message>
    <message>
        <source>These locks may belong to different owners: what is stored does not tell them apart.</source>
        <translation>这些锁可能属于不同的持有者：存储的内容无法区分。</translation>
    </message>
    <message>
        <source>Nothing known would be left.</source>
        <translation>不会留下任何已知的锁。</translation>
    </message>
    <message numerus="yes">
        <source>renewal overdue on %n lock(s), on the last one since %1</source>
        <translation>
            <numerusform>%n 个锁续期超时，最近一个自 %1 起</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>not subscribed at %n place(s) in wait queues</source>
        <translation>
            <numerusform>在等待队列的 %n 个位置未订阅频道</numerusform>
        </translation>
    </message>
    <message>
        <source>last renewal or acquisition seen at %1</source>
        <translation>最近一次续期或获取：%1</translation>
    </message>
    <message numerus="yes">
        <source>subscribed at %n place(s) in wait queues</source>
        <translation>
            <numerusform>在等待队列的 %n 个位置已订阅频道</numerusform>
        </translation>
    </message>
    <message>
        <source>Likely dead: %1. It may also be paused.</source>
        <translation>很可能已崩溃：%1。也可能只是暂停。</translation>
    </message>
    <message>
        <source>Not known to be dead: %1.</source>
        <translation>没有已崩溃的证据：%1。</translation>
    </message>
    <message>
        <source>Not known to be dead: no sign seen.</source>
        <translation>没有已崩溃的证据：未观察到任何迹象。</translation>
    </message>
    <message>
        <source>Owners unknown</source>
        <translation>持有者未知</translation>
    </message>
    <message>
        <source>Select an owner to see what it would leave behind.</source>
        <translation>选择一个持有者，查看它崩溃后会留下什么。</translation>
    </message>
    <message>
        <source>The owner ID does not tell its process, which may hold more locks.</source>
        <translation>持有者 ID 未指明进程，该进程可能持有更多锁。</translation>
    </message>
    <message>
        <source>As far as the data shown tells, which is %1 old.</source>
        <translation>根据当前显示的数据，数据已有 %1。</translation>
    </message>
    <message>
        <source>As far as what is known of its locks tells.</source>
        <translation>根据其锁的已知信息。</translation>
    </message>
    <message>
        <source>Select an owner that holds a lock.</source>
        <translation>请选择持有锁的持有者。</translation>
    </message>
    <message>
        <source>These locks may belong to different owners.</source>
        <translation>这些锁可能属于不同的持有者。</translation>
    </message>
    <message>
        <source>Force-expire every lock that the chosen group holds, after a list of them was shown</source>
        <translation>先列出所选分组持有的所有锁，再强制过期</translation>
    </message>
    <message>
        <source>owners: %1</source>
        <translation>持有者：%1</translation>
    </message>
    <message>
        <source>processes: %1</source>
        <translation>进程：%1</translation>
    </message>
    <message>
        <source>hosts and processes: %1</source>
        <translation>主机和进程：%1</translation>
    </message>
    <message>
        <source>owners of unknown processes: %1</source>
        <translation>进程未知的持有者：%1</translation>
    </message>
    <message>
        <source>matching: %1</source>
        <translation>匹配：%1</translation>
    </message>
    <message>
        <source>list shortened to the worst %1</source>
        <translation>列表只含问题最严重的 %1 个</translation>
    </message>
    <message>
        <source>still counting</source>
        <translation>仍在统计</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Filter table</source>
        <translation>筛选表格</translation>
    </message>
    <message>
        <source>Force-expire all…</source>
        <translation>全部强制过期…</translation>
    </message>
    <message>
        <source>Owners</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Group by</source>
        <translation>分组依据</translation>
    </message>
    <message>
        <source>Put together the locks of each owner, or of each process or host that owner IDs name</source>
        <translation>按持有者，或按持有者 ID 指明的进程或主机，汇总锁</translation>
    </message>
    <message>
        <source>Filter of the owners</source>
        <translation>持有者的筛选</translation>
    </message>
    <message>
        <source>Part of a name, of an ID or of a key</source>
        <translation>名称、ID 或键的一部分</translation>
    </message>
    <message>
        <source>Owners and their locks</source>
        <translation>持有者及其锁</translation>
    </message>
    <message>
        <source>What the chosen owner would leave behind</source>
        <translation>所选持有者会留下什么</translation>
    </message>
    <message>
        <source>Copy what is said of this owner</source>
        <translation>复制关于此持有者的说明</translation>
    </message>
    <message>
        <source>Show only the locks in the table that it holds or waits for, as they are now</source>
        <translation>表格只显示它现在持有或等待的锁</translation>
    </message>
    <message>
        <source>Subscriptions to the channels of these locks: %1. A process may have several, also the one that crashed.</source>
        <translation>对这些锁的频道的订阅：%1。一个进程可能有多个订阅，崩溃的进程也可能在其中。</translation>
    </message>
    <message>
        <source>If all owners that name this host crashed now:</source>
        <translation>如果带有此主机名的所有持有者现在崩溃：</translation>
    </message>
    <message>
        <source>Only dead waiters are known.</source>
        <translation>已知的只有失效等待者。</translation>
    </message>
    <message>
        <source>Of the locks known now, it holds none and waits for none in a queue.</source>
        <translation>在目前已知的锁中，它未持有任何锁，也未在任何队列中等待。</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>没有匹配项。</translation>
    </message>
    <message>
        <source>No lock is known to be held or waited for.</source>
        <translation>未发现有锁被持有或被等待。</translation>
    </message>
    <message numerus="yes">
        <source>signs of life from %1 of %n known</source>
        <comment>processes</comment>
        <translation>
            <numerusform>已知 %n 个中有 %1 个有存活迹象</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n likely dead or paused</source>
        <comment>processes</comment>
        <translation>
            <numerusform>%n 个很可能已崩溃或暂停</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unknown</source>
        <comment>processes</comment>
        <translation>
            <numerusform>%n 个未知</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n owner ID(s) name none</source>
        <comment>processes</comment>
        <translation>
            <numerusform>%n 个持有者 ID 未指明进程</numerusform>
        </translation>
    </message>
    <message>
        <source>Processes: %1.</source>
        <translation>进程：%1。</translation>
    </message>
</context>
<context>
    <name>lockscope::PagePanel</name>
    <message>
        <source>Filter</source>
        <translation>过滤</translation>
    </message>
</context>
<context>
    <name>lockscope::PatternsDialog</name>
    <message>
        <source>Key patterns</source>
        <translation>键模式</translation>
    </message>
    <message>
        <source>Patterns</source>
        <translation>匹配模式</translation>
    </message>
    <message>
        <source>The pattern is missing. Type at least one, such as lock:*</source>
        <translation>缺少模式。请至少输入一个，例如 lock:*</translation>
    </message>
    <message>
        <source>Lockscope reads the keys that match one of these patterns. With lock:*, lock_* and *:lock among them, it also reads the names that known families usually give their locks. Write one pattern per line, as for SCAN (* any characters, ? one, [ab] a choice).</source>
        <translation>Lockscope 读取匹配以下任一模式的键。其中同时含有 lock:*、lock_* 和 *:lock 时，还读取名称为已知锁类型常用锁名的键。每行一个模式，写法同 SCAN（* 任意字符，? 单个字符，[ab] 任选其一）。</translation>
    </message>
</context>
<context>
    <name>lockscope::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>%1%</source>
        <comment>percent</comment>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Text &amp;size</source>
        <translation>文字大小(&amp;S)</translation>
    </message>
    <message>
        <source>Language and text size take effect at the next start.</source>
        <translation>语言和文字大小在下次启动时生效。</translation>
    </message>
</context>
<context>
    <name>lockscope::ProcessNameDialog</name>
    <message>
        <source>Name a process</source>
        <translation>命名进程</translation>
    </message>
    <message>
        <source>Name the process behind this owner ID. All its locks and waiters then show the name. The name is kept on this computer for this server; a restarted process has another ID.</source>
        <translation>为此持有者 ID 对应的进程命名。其所有锁和等待都会显示该名称。名称保存在本机，仅用于此服务器；重新启动的进程会有另一个 ID。</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>for example order-service-3</source>
        <translation>例如 order-service-3</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>&amp;Process</source>
        <translation>进程(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
</context>
<context>
    <name>lockscope::RawValueDialog</name>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>string</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>hash</source>
        <translation>哈希</translation>
    </message>
    <message>
        <source>list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>set</source>
        <translation>集合</translation>
    </message>
    <message>
        <source>sorted set</source>
        <translation>有序集合</translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n 字节</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n element(s)</source>
        <translation>
            <numerusform>%n 个元素</numerusform>
        </translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>多于 %1</translation>
    </message>
    <message>
        <source>no expiry</source>
        <translation>永不过期</translation>
    </message>
    <message>
        <source>Nothing was stored under this key when it was read.</source>
        <translation>读取时此键不存在。</translation>
    </message>
    <message>
        <source>Lockscope does not read values of this type.</source>
        <translation>Lockscope 不读取此数据类型的值。</translation>
    </message>
    <message>
        <source>Cut: only the first %1 bytes were read.</source>
        <translation>已截断：只读取了前 %1 字节。</translation>
    </message>
    <message>
        <source>Cut: only %1 elements were read.</source>
        <translation>已截断：只读取了 %1 个元素。</translation>
    </message>
    <message>
        <source>Longer elements are cut after %1 bytes.</source>
        <translation>更长的元素在 %1 字节后截断。</translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation>文本(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;JSON</source>
        <translation>&amp;JSON</translation>
    </message>
    <message>
        <source>&amp;Hex</source>
        <translation>十六进制(&amp;H)</translation>
    </message>
    <message>
        <source>Raw value</source>
        <translation>原始值</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Key or channel</source>
        <translation>键或频道</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Keys and channels of the lock</source>
        <translation>此锁的键和频道</translation>
    </message>
    <message>
        <source>Not JSON, or not all of it was read</source>
        <translation>不是 JSON，或者没有读取全部内容</translation>
    </message>
    <message>
        <source>Copy &amp;name</source>
        <translation>复制名称(&amp;N)</translation>
    </message>
    <message>
        <source>Copy &amp;value</source>
        <translation>复制值(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Read again</source>
        <translation>重新读取(&amp;R)</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Read at %1. Later changes are not shown.</source>
        <translation>读取时间：%1。之后的变更不会显示。</translation>
    </message>
    <message numerus="yes">
        <source>%n subscriber(s)</source>
        <translation>
            <numerusform>%n 个订阅者</numerusform>
        </translation>
    </message>
    <message>
        <source>channel</source>
        <translation>频道</translation>
    </message>
</context>
<context>
    <name>lockscope::RecordController</name>
    <message>
        <source>The recording could not begin. %1</source>
        <translation>无法开始录制。%1</translation>
    </message>
    <message>
        <source>The end of the recording could not be written. %1</source>
        <translation>无法写入录制的结尾。%1</translation>
    </message>
    <message>
        <source>Recorded to %1: %2</source>
        <translation>已录制到 %1：%2</translation>
    </message>
    <message>
        <source>Recorded to %1: %2; events lost: %3</source>
        <translation>已录制到 %1：%2；丢失事件：%3</translation>
    </message>
    <message>
        <source>recording fails</source>
        <translation>录制失败</translation>
    </message>
    <message>
        <source>recording</source>
        <translation>正在录制</translation>
    </message>
    <message>
        <source>events lost: %1</source>
        <translation>丢失事件：%1</translation>
    </message>
    <message>
        <source>Recording to %1</source>
        <translation>正在录制到 %1</translation>
    </message>
    <message>
        <source>Events recorded: %1; lost: %2</source>
        <translation>已录制事件：%1；丢失：%2</translation>
    </message>
    <message>
        <source>Writing failed, and is tried again every few seconds. %1</source>
        <translation>写入失败，每隔几秒重试一次。%1</translation>
    </message>
</context>
<context>
    <name>lockscope::RecordDialog</name>
    <message>
        <source>&amp;Anonymous: replace keys, owners and hosts by hashes</source>
        <translation>匿名(&amp;A)：用哈希替换键、持有者和主机</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>Everything that Lockscope sees of the locks is written to a file, from now until you stop. A token is its holder&apos;s secret: whoever has the file may be able to release locks.</source>
        <translation>从现在起到您停止为止，Lockscope 看到的关于锁的一切都会写入文件。令牌是其持有者的秘密：拿到该文件的人可能能够释放锁。</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>浏览(&amp;B)…</translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Beyond it the oldest part is deleted</source>
        <translation>超出后删除最旧的部分</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>At &amp;most</source>
        <translation>上限(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Record</source>
        <translation>录制(&amp;R)</translation>
    </message>
    <message>
        <source>Record to</source>
        <translation>录制到</translation>
    </message>
</context>
<context>
    <name>lockscope::ReplayBar</name>
    <message>
        <source>Replay</source>
        <translation>回放</translation>
    </message>
    <message>
        <source>Time shown</source>
        <translation>显示的时间</translation>
    </message>
    <message>
        <source>Type a time and press Enter: 03:12, 03:12:05, or 2026-01-31 03:12 (%1)</source>
        <translation>输入时间并按回车：03:12、03:12:05 或 2026-01-31 03:12（%1）</translation>
    </message>
    <message>
        <source>%1×</source>
        <comment>so many times as fast</comment>
        <translation>%1×</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>How fast the recording is played</source>
        <translation>录制的播放速度</translation>
    </message>
    <message>
        <source>Recording: %1 — %2</source>
        <comment>its name, and the time shown</comment>
        <translation>录制：%1 — %2</translation>
    </message>
    <message>
        <source>Not live</source>
        <translation>非实时</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>times</comment>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>anonymous: keys, owners and hosts are hashes</source>
        <translation>匿名：键、持有者和主机均为哈希</translation>
    </message>
    <message>
        <source>reading what came before…</source>
        <translation>正在读取之前的内容…</translation>
    </message>
    <message>
        <source>This is no time. Type one such as 03:12 or 03:12:05.</source>
        <translation>这不是时间。请输入如 03:12 或 03:12:05 的时间。</translation>
    </message>
    <message>
        <source>The recording has no such time. It has %1 to %2.</source>
        <translation>录制中没有这个时间，其时间范围为 %1 至 %2。</translation>
    </message>
    <message>
        <source>reading this moment…</source>
        <translation>正在读取这一时刻…</translation>
    </message>
    <message numerus="yes">
        <source>begins at %1, ends at %2, lasts %3: the clock was set back %n time(s)</source>
        <translation>
            <numerusform>开始于 %1，结束于 %2，时长 %3：时钟被回拨 %n 次</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ResultView</name>
    <message numerus="yes">
        <source>%n violation(s)</source>
        <translation>
            <numerusform>%n 项违规</numerusform>
        </translation>
    </message>
    <message>
        <source>Expo&amp;rt…</source>
        <translation>导出(&amp;R)…</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Writes the report of the last run to a file, as JSON or as text</source>
        <translation>将最近一次运行的报告写入文件，格式为 JSON 或文本</translation>
    </message>
    <message>
        <source>The simulation did not run</source>
        <translation>未能运行模拟</translation>
    </message>
    <message>
        <source>So far</source>
        <translation>目前为止</translation>
    </message>
    <message>
        <source>Shows expectation and result when a run has ended.</source>
        <translation>运行结束后，这里会显示预期和实际结果。</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>预期</translation>
    </message>
    <message>
        <source>Custom setup, stopped</source>
        <translation>自定义设置，已中途停止</translation>
    </message>
    <message>
        <source>Custom setup, completed</source>
        <translation>自定义设置，已运行完毕</translation>
    </message>
    <message>
        <source>Stopped: no result</source>
        <translation>已中途停止：无结论</translation>
    </message>
    <message>
        <source>Expectation met</source>
        <translation>符合预期</translation>
    </message>
    <message>
        <source>Expectation not met</source>
        <translation>不符合预期</translation>
    </message>
    <message>
        <source>No violations</source>
        <translation>没有违规</translation>
    </message>
    <message>
        <source>Violations and figures</source>
        <translation>违规与指标</translation>
    </message>
    <message>
        <source>… and more</source>
        <translation>… 还有更多</translation>
    </message>
</context>
<context>
    <name>lockscope::RunLanes</name>
    <message>
        <source>Critical section</source>
        <translation>临界区</translation>
    </message>
    <message>
        <source>Lock %1</source>
        <comment>critical section of a lock</comment>
        <translation>锁 %1</translation>
    </message>
    <message>
        <source>server paused</source>
        <translation>服务器暂停</translation>
    </message>
    <message>
        <source>a process does not respond</source>
        <translation>有进程无响应</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <comment>state, duration</comment>
        <translation>%1，已持续 %2</translation>
    </message>
    <message>
        <source>releasing</source>
        <translation>释放中</translation>
    </message>
    <message>
        <source>empty</source>
        <comment>critical section</comment>
        <translation>空</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <comment>lane, moment</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>lease: %1 left</source>
        <translation>租约剩余 %1</translation>
    </message>
    <message>
        <source>lease expired %1 ago</source>
        <translation>租约已过期 %1</translation>
    </message>
    <message>
        <source>Key: %1</source>
        <translation>键：%1</translation>
    </message>
    <message>
        <source>No worker is in the critical section.</source>
        <translation>临界区内没有工作线程。</translation>
    </message>
    <message>
        <source>In the critical section, as the referee saw it: %1</source>
        <translation>裁判所见的临界区内：%1</translation>
    </message>
    <message>
        <source>At %1</source>
        <translation>%1 时</translation>
    </message>
    <message>
        <source>restart or flush</source>
        <translation>重启或清空</translation>
    </message>
    <message>
        <source>lease would end in %1</source>
        <translation>租约本应在 %1 后到期</translation>
    </message>
    <message>
        <source>lease would have ended %1 ago</source>
        <translation>租约本应已在 %1 前到期</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>counted from when the previous holder left, as the referee saw it</source>
        <translation>自裁判看到上一个持有者离开时起算</translation>
    </message>
    <message>
        <source>%1 events not recorded</source>
        <comment>too many</comment>
        <translation>%1 个事件未记录</translation>
    </message>
    <message>
        <source>%1 of %2 locks have a lane</source>
        <translation>%2 个锁中有 %1 个显示泳道</translation>
    </message>
    <message>
        <source>locked without expiry</source>
        <translation>已锁定，无过期时间</translation>
    </message>
    <message>
        <source>The lock was found without expiry then.</source>
        <translation>当时查到此锁无过期时间。</translation>
    </message>
</context>
<context>
    <name>lockscope::RunLegend</name>
    <message>
        <source>Holding</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>At the top: a worker is in the critical section, as the referee saw it. Below: a worker believes to hold the lock. Other colors: paused, crashed or disconnected.</source>
        <translation>顶部：裁判所见，工作线程在临界区内。下方：工作线程自认为持有锁。其他颜色：暂停、崩溃或已断开连接。</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>A worker waits for a lock. Each line in it is a refused attempt.</source>
        <translation>工作线程在等待锁。其中每条竖线是一次被拒绝的尝试。</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>More than one worker is in the critical section.</source>
        <translation>临界区内有多个工作线程。</translation>
    </message>
    <message>
        <source>Lease</source>
        <translation>租约</translation>
    </message>
    <message>
        <source>Renewed</source>
        <translation>续期</translation>
    </message>
    <message>
        <source>The lease was renewed.</source>
        <translation>租约已续期。</translation>
    </message>
    <message>
        <source>Wake-up</source>
        <translation>唤醒</translation>
    </message>
    <message>
        <source>From a release to the worker that its message woke, where that is known. Of more than 300 in sight none is shown: zoom in.</source>
        <translation>从一次释放指向被其消息唤醒的工作线程（仅在已知时显示）。视野内超过 300 个时不显示：请放大。</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Time left of a lease, as the worker knows it.</source>
        <translation>工作线程所知的租约剩余时间。</translation>
    </message>
    <message>
        <source>Cross: crash. Hourglass: lease expired (gray: it would have; its worker was gone). Open padlock: lock found gone. Clock: timed out. Dash: refused. Bolt: foreign release. Triangle: stale write. Octagon: overlap begins. Infinity: lock without expiry.</source>
        <translation>叉：崩溃。沙漏：租约过期（灰色：本应过期，其工作线程已不在）。打开的锁：发现锁已不在。时钟：超时。横线：被拒绝。闪电：误删他人锁。三角：过期写入。八边形：重叠开始。无穷：无过期时间的锁。</translation>
    </message>
</context>
<context>
    <name>lockscope::RunTimeline</name>
    <message>
        <source>Timeline of the run</source>
        <translation>运行的时间线</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Choose the run, or the phase of a scenario</source>
        <translation>选择运行或场景的阶段</translation>
    </message>
    <message>
        <source>Previous event</source>
        <translation>上一事件</translation>
    </message>
    <message>
        <source>Go to the previous event (P)</source>
        <translation>转到上一事件（P）</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Play the run in slow motion, or pause (Space)</source>
        <translation>以慢动作播放运行，或暂停（空格）</translation>
    </message>
    <message>
        <source>Next event</source>
        <translation>下一事件</translation>
    </message>
    <message>
        <source>Go to the next event (N)</source>
        <translation>转到下一事件（N）</translation>
    </message>
    <message>
        <source>in %1 s</source>
        <comment>a run is played in so long</comment>
        <translation>用时 %1 秒</translation>
    </message>
    <message>
        <source>Playing time</source>
        <translation>播放时长</translation>
    </message>
    <message>
        <source>Time in which the whole run is played</source>
        <translation>播放整次运行所用的时间</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Show the whole run again (A)</source>
        <translation>重新显示整次运行（A）</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Save picture…</source>
        <translation>保存图片…</translation>
    </message>
    <message>
        <source>Save the timeline as shown, as SVG or PNG</source>
        <translation>将当前显示的时间线保存为 SVG 或 PNG</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>moment, events</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Shows who held the lock when, once a simulation runs.</source>
        <translation>模拟运行后，显示谁在何时持有锁。</translation>
    </message>
</context>
<context>
    <name>lockscope::ScenarioForm</name>
    <message>
        <source>Expected</source>
        <translation>预期</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>This scenario disturbs the server or can leave a lock without expiry. It runs on a private server only.</source>
        <translation>此场景会干扰服务器，或可能留下无过期时间的锁，只能在私有服务器上运行。</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作线程</translation>
    </message>
    <message>
        <source>Number of workers; each has its own connections</source>
        <translation>工作线程数；每个都有自己的连接</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Number of processes that run the workers</source>
        <translation>运行工作线程的进程数</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>All workers start each round together</source>
        <translation>所有工作线程同时开始每一轮</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Duration of the run</source>
        <translation>运行时长</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>The same seed makes the same random choices</source>
        <translation>相同的随机种子产生相同的随机选择</translation>
    </message>
</context>
<context>
    <name>lockscope::ScrubSlider</name>
    <message>
        <source>Moment of the recording</source>
        <translation>录制的时刻</translation>
    </message>
</context>
<context>
    <name>lockscope::SearchDialog</name>
    <message>
        <source>Find locks by content</source>
        <translation>按内容查找锁</translation>
    </message>
    <message>
        <source>Uses at most 5% of one server core, in addition to watching. Keys to read: %1.</source>
        <translation>除监视本身外，最多占用服务器一个核的 5%。要读取的键：%1。</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Not started.</source>
        <translation>尚未开始。</translation>
    </message>
    <message>
        <source>Pattern to watch, and its locks</source>
        <translation>要监视的模式及其锁</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>锁类型</translation>
    </message>
    <message>
        <source>Locks found</source>
        <translation>找到的锁</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>查找(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Watch the chosen patterns</source>
        <translation>监视所选模式(&amp;W)</translation>
    </message>
    <message>
        <source>Waiting for the server…</source>
        <translation>正在等待服务器…</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>%1 of %2 keys read, locks found: %3</source>
        <translation>已读取 %2 个键中的 %1 个，找到的锁：%3</translation>
    </message>
    <message>
        <source>an unknown number of</source>
        <translation>未知数量</translation>
    </message>
    <message>
        <source>&amp;Search again</source>
        <translation>重新查找(&amp;S)</translation>
    </message>
    <message>
        <source>Stopped: %1</source>
        <translation>已停止：%1</translation>
    </message>
    <message>
        <source>All %1 keys read, locks found: %2. Choose patterns to watch.</source>
        <translation>已读取全部 %1 个键，找到的锁：%2。请选择要监视的模式。</translation>
    </message>
    <message>
        <source>watched already</source>
        <translation>已在监视</translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s)</source>
        <translation>
            <numerusform>%n 个锁</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>orphaned queue</source>
        <translation>孤立队列</translation>
    </message>
    <message>
        <source>Likely locks; other data can look the same</source>
        <translation>很可能是锁（其他数据也可能如此）</translation>
    </message>
    <message>
        <source>%1 %2 Their content is unknown.</source>
        <translation>%1%2这些键的内容未知。</translation>
    </message>
    <message>
        <source>All %1 keys read: no locks found.</source>
        <translation>已读取全部 %1 个键：未发现锁。</translation>
    </message>
    <message>
        <source>Reads every key of this database once, whatever its name, and lists certain and likely locks, and what says who may hold one. Plain tokens cannot be found by content.</source>
        <translation>不论名称，读取此数据库中的每个键一次，并列出确定和很可能的锁，以及内容表明可能的持有者的键。普通令牌无法按内容找到。</translation>
    </message>
    <message>
        <source>Ambiguous; only the content says who may hold them</source>
        <translation>类型不确定（仅内容表明可能的持有者）</translation>
    </message>
</context>
<context>
    <name>lockscope::SeedField</name>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Another seed, at random</source>
        <translation>随机换一个种子</translation>
    </message>
</context>
<context>
    <name>lockscope::ServerLabel</name>
    <message>
        <source>READ-ONLY</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 (read-only)</source>
        <translation>%1（只读）</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a server and its state</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Click to unlock for 15 minutes</source>
        <translation>单击以解锁 15 分钟</translation>
    </message>
    <message>
        <source>Click to lock again</source>
        <translation>单击以重新锁定</translation>
    </message>
    <message>
        <source>UNLOCKED, %1 left</source>
        <translation>已解锁，剩余 %1</translation>
    </message>
</context>
<context>
    <name>lockscope::SetupView</name>
    <message>
        <source>St&amp;art</source>
        <translation>开始(&amp;A)</translation>
    </message>
    <message>
        <source>St&amp;op</source>
        <translation>停止(&amp;O)</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>运行内容</translation>
    </message>
    <message>
        <source>Custom setup</source>
        <translation>自定义设置</translation>
    </message>
    <message>
        <source>Start the simulation</source>
        <translation>开始模拟</translation>
    </message>
    <message>
        <source>Stop the run and show the results so far</source>
        <translation>停止运行并显示到此为止的结果</translation>
    </message>
    <message>
        <source>Setup</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>lockscope::ShortcutsDialog</name>
    <message>
        <source>&amp;Assign</source>
        <translation>分配(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Usual keys</source>
        <translation>默认键(&amp;U)</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Type to find a command or its keys</source>
        <translation>输入以查找命令或其快捷键</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>查找命令</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令数</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Keys of the selected command</source>
        <translation>所选命令的快捷键</translation>
    </message>
    <message>
        <source>&amp;Keys:</source>
        <translation>快捷键(&amp;K)：</translation>
    </message>
    <message>
        <source>Reset a&amp;ll</source>
        <translation>全部重置(&amp;L)</translation>
    </message>
    <message>
        <source>These keys belong to “%1”. Choose others, or change that command first.</source>
        <translation>这些键属于“%1”。请选择其他键，或先更改该命令。</translation>
    </message>
    <message>
        <source>Press the keys in the field; leave it empty for none.</source>
        <translation>在输入框中按下快捷键；留空表示没有。</translation>
    </message>
    <message>
        <source>Select a command to change its keys.</source>
        <translation>选择一个命令以更改其快捷键。</translation>
    </message>
</context>
<context>
    <name>lockscope::SimulationPanel</name>
    <message>
        <source>This connection is read-only. No simulation can run on this server.</source>
        <translation>此连接为只读，不能在该服务器上运行模拟。</translation>
    </message>
    <message>
        <source>Simulation</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>L&amp;ive</source>
        <translation>实时(&amp;I)</translation>
    </message>
    <message>
        <source> — phase %1 of %2: %3</source>
        <comment>act, of how many, what is different in it</comment>
        <translation> — 第 %1 阶段，共 %2 阶段：%3</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>JSON, for programs (*.json)</source>
        <translation>JSON，供程序使用 (*.json)</translation>
    </message>
    <message>
        <source>Export the report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>Text, for people (*.txt)</source>
        <translation>文本，供人阅读 (*.txt)</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>时间线(&amp;T)</translation>
    </message>
    <message>
        <source>SVG, drawn anew at each size (*.svg)</source>
        <translation>SVG，可无损缩放 (*.svg)</translation>
    </message>
    <message>
        <source>Save the timeline</source>
        <translation>保存时间线</translation>
    </message>
    <message>
        <source>PNG, made of pixels (*.png)</source>
        <translation>PNG，像素图 (*.png)</translation>
    </message>
</context>
<context>
    <name>lockscope::SpokenLabel</name>
    <message>
        <source>%1: %2</source>
        <comment>name of a label, its text</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
</context>
<context>
    <name>lockscope::SshAskpass</name>
    <message>
        <source>SSH login - Lockscope</source>
        <translation>SSH 登录 - Lockscope</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
</context>
<context>
    <name>lockscope::StateCounts</name>
    <message>
        <source>Worker states</source>
        <translation>工作线程状态</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>count and state</comment>
        <translation>%1 个%2</translation>
    </message>
</context>
<context>
    <name>lockscope::StatisticsExport</name>
    <message numerus="yes">
        <source>Export the statistics of %n lock(s)</source>
        <translation>
            <numerusform>导出 %n 个锁的统计</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Statistics of %1 lock(s) written to %2</source>
        <translation>
            <numerusform>已将 %1 个锁的统计写入 %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::StatisticsModel</name>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>none seen</source>
        <translation>未观察到</translation>
    </message>
    <message>
        <source>%1%</source>
        <comment>percent</comment>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Holds seen from beginning to end: %1</source>
        <translation>完整观察到的持有：%1</translation>
    </message>
    <message>
        <source>Further holds, whose length is unknown or a lower bound: %1</source>
        <translation>其他持有（时长未知或为下限）：%1</translation>
    </message>
    <message>
        <source>Waits seen from beginning to end: %1</source>
        <translation>完整观察到的等待：%1</translation>
    </message>
    <message>
        <source>Further waits, whose length is a lower bound: %1</source>
        <translation>其他等待（时长为下限）：%1</translation>
    </message>
    <message>
        <source>Behind a waiter that was seen: %1</source>
        <translation>之前有等待者的：%1</translation>
    </message>
    <message>
        <source>Observed for %1, not for %2</source>
        <translation>已观察 %1，未观察 %2</translation>
    </message>
    <message>
        <source>Of holds that ended in this time and were seen from beginning to end</source>
        <translation>在此时间内结束、且完整观察到的持有</translation>
    </message>
    <message>
        <source>Locks that were held or waited for in this time</source>
        <translation>在此时间内被持有或等待的锁</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Acquired/s</source>
        <translation>获取/秒</translation>
    </message>
    <message>
        <source>Share of the acquisitions before which a waiter was seen</source>
        <translation>获取前已有等待者的比例</translation>
    </message>
    <message>
        <source>Contended</source>
        <translation>竞争比例</translation>
    </message>
    <message>
        <source>Acquisitions by an owner that held the lock already</source>
        <translation>已持有锁的持有者再次获取的次数</translation>
    </message>
    <message>
        <source>Re-entries</source>
        <translation>重入</translation>
    </message>
    <message>
        <source>Hold p50</source>
        <translation>持有 p50</translation>
    </message>
    <message>
        <source>Hold p95</source>
        <translation>持有 p95</translation>
    </message>
    <message>
        <source>The longest hold; a lower bound (≥) where its beginning or end was not seen</source>
        <translation>最长的持有；未观察到开始或结束时为下限（≥）</translation>
    </message>
    <message>
        <source>Hold max</source>
        <translation>最长持有</translation>
    </message>
    <message>
        <source>Wait p50</source>
        <translation>等待 p50</translation>
    </message>
    <message>
        <source>Wait p95</source>
        <translation>等待 p95</translation>
    </message>
    <message>
        <source>Wait max</source>
        <translation>最长等待</translation>
    </message>
    <message>
        <source>Waiting time of all waiters together in this time: what the lock costs</source>
        <translation>此时间内所有等待者的等待时间之和：锁造成的代价</translation>
    </message>
    <message>
        <source>Total wait</source>
        <translation>总等待</translation>
    </message>
    <message>
        <source>Waiters unknown: they leave no trace, or may not be read.</source>
        <translation>等待者未知：不留痕迹，或没有读取权限。</translation>
    </message>
    <message>
        <source>Acquisitions per second of the time in which they were counted; re-entries are not among them</source>
        <translation>计数时间内每秒的获取次数，不含重入</translation>
    </message>
    <message>
        <source>Acquisitions: at least %1</source>
        <translation>获取次数：至少 %1</translation>
    </message>
    <message>
        <source>Of the waits seen that ended in this time, each since the waiter was first seen in the queue; short ones are seen less often</source>
        <translation>此时间内结束且被看到的等待，各自从首次在等待队列中看到等待者起计算；短的等待较少被看到</translation>
    </message>
</context>
<context>
    <name>lockscope::StatisticsPanel</name>
    <message>
        <source>Show in timeline</source>
        <translation>在时间线中显示</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Last minute</source>
        <translation>最近 1 分钟</translation>
    </message>
    <message>
        <source>Last 5 minutes</source>
        <translation>最近 5 分钟</translation>
    </message>
    <message>
        <source>Last 15 minutes</source>
        <translation>最近 15 分钟</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>最近 1 小时</translation>
    </message>
    <message>
        <source>All history</source>
        <translation>全部历史</translation>
    </message>
    <message>
        <source>Time of the statistics</source>
        <translation>统计时间</translation>
    </message>
    <message>
        <source>Time of the statistics. A time selected in the timeline is taken over.</source>
        <translation>统计时间。在时间线中选择的时间会直接采用。</translation>
    </message>
    <message>
        <source>Filter of the statistics</source>
        <translation>统计的筛选</translation>
    </message>
    <message>
        <source>Part of a key</source>
        <translation>键的一部分</translation>
    </message>
    <message>
        <source>Show what happened to the selected lock in the timeline</source>
        <translation>在时间线中显示所选锁的经过</translation>
    </message>
    <message>
        <source>Write the rows shown to a file, as CSV or JSON</source>
        <translation>将显示的行写入文件（CSV 或 JSON）</translation>
    </message>
    <message>
        <source>Statistics of the locks</source>
        <translation>锁的统计</translation>
    </message>
    <message>
        <source>Selected in the timeline</source>
        <translation>时间线中选择的时间</translation>
    </message>
    <message>
        <source>locks: %1</source>
        <translation>锁：%1</translation>
    </message>
    <message>
        <source>matching: %1</source>
        <translation>匹配：%1</translation>
    </message>
    <message>
        <source>list shortened to %1</source>
        <translation>列表只含 %1 行</translation>
    </message>
    <message>
        <source>observed for %1 of %2</source>
        <translation>已观察 %1，共 %2</translation>
    </message>
    <message>
        <source>observed for %1</source>
        <translation>已观察 %1</translation>
    </message>
    <message>
        <source>No key matches.</source>
        <translation>没有匹配的键。</translation>
    </message>
    <message>
        <source>No lock was seen held or waited for in this time.</source>
        <translation>在这段时间内未观察到有锁被持有或等待。</translation>
    </message>
</context>
<context>
    <name>lockscope::StatusBar</name>
    <message>
        <source>connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>connection lost</source>
        <translation>连接已断开</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Change feed</source>
        <translation>变更通知</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Scan</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Scan cost</source>
        <translation>扫描开销</translation>
    </message>
    <message>
        <source>Age of the data</source>
        <translation>数据时效</translation>
    </message>
    <message>
        <source>Server time of the last scan</source>
        <translation>上一次扫描的服务器耗时</translation>
    </message>
    <message>
        <source>Time since the server last confirmed the data</source>
        <translation>服务器上次确认数据距今的时间</translation>
    </message>
    <message>
        <source>locks: %1</source>
        <translation>锁：%1</translation>
    </message>
    <message>
        <source>locks: %1, shown: %2</source>
        <translation>锁：%1，显示：%2</translation>
    </message>
    <message>
        <source>scanning: %1 of %2 keys</source>
        <translation>正在扫描：%1 / %2 个键</translation>
    </message>
    <message>
        <source>scanning: %1 keys</source>
        <translation>正在扫描：%1 个键</translation>
    </message>
    <message>
        <source>keys scanned: %1</source>
        <translation>已扫描 %1 个键</translation>
    </message>
    <message>
        <source>last scan: %1 ms server time</source>
        <translation>上次扫描：服务器耗时 %1 毫秒</translation>
    </message>
    <message>
        <source>data %1 old</source>
        <translation>数据距今 %1</translation>
    </message>
    <message>
        <source>no data yet</source>
        <translation>尚无数据</translation>
    </message>
    <message>
        <source>scanning: %1%</source>
        <translation>正在扫描：%1%</translation>
    </message>
    <message>
        <source>scanning: %1%, about %2 left</source>
        <translation>正在扫描：%1%，约剩 %2</translation>
    </message>
    <message>
        <source>%1 of %2 keys</source>
        <translation>%1 / %2 个键</translation>
    </message>
    <message>
        <source>data &lt; %1 s old</source>
        <translation>数据距今 &lt; %1 秒</translation>
    </message>
    <message>
        <source>Permissions</source>
        <translation>权限</translation>
    </message>
    <message>
        <source>nodes: %1</source>
        <translation>节点：%1</translation>
    </message>
    <message>
        <source>nodes: %1 of %2</source>
        <translation>节点：%1/%2</translation>
    </message>
    <message>
        <source>%1: ready, slots: %2</source>
        <translation>%1：就绪，槽数：%2</translation>
    </message>
    <message>
        <source>%1: not available</source>
        <translation>%1：不可用</translation>
    </message>
    <message>
        <source>Sentinels: %1 of %2</source>
        <translation>哨兵：%1/%2</translation>
    </message>
    <message>
        <source>Sentinels that answer: %1 of %2. They name the primary, and tell of a failover.</source>
        <translation>应答的哨兵：%1/%2。哨兵指明主节点，并通知故障转移。</translation>
    </message>
    <message>
        <source>A failover is under way.</source>
        <translation>故障转移正在进行。</translation>
    </message>
    <message>
        <source>A Sentinel cannot reach the primary.</source>
        <translation>有哨兵无法连接主节点。</translation>
    </message>
    <message>
        <source>certificate pinned</source>
        <translation>证书已固定</translation>
    </message>
    <message>
        <source>certificate not checked</source>
        <translation>未检查证书</translation>
    </message>
    <message>
        <source>unknown</source>
        <comment>keys scanned</comment>
        <translation>未知</translation>
    </message>
    <message>
        <source>servers: %1 of %2</source>
        <translation>服务器：%1/%2</translation>
    </message>
    <message>
        <source>Redlock group: a lock is held where a majority of the servers has it.</source>
        <translation>Redlock 组：多数服务器上存在的锁才算被持有。</translation>
    </message>
    <message>
        <source>%1: ready</source>
        <translation>%1：就绪</translation>
    </message>
    <message>
        <source>, selected: %1</source>
        <translation>，已选：%1</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>Eviction</source>
        <translation>驱逐</translation>
    </message>
    <message>
        <source>may evict locks, keys evicted: %1</source>
        <translation>可能驱逐锁，已驱逐的键：%1</translation>
    </message>
    <message>
        <source>%1, incomplete</source>
        <comment>keys scanned: 7</comment>
        <translation>%1，不完整</translation>
    </message>
</context>
<context>
    <name>lockscope::StoryLabel</name>
    <message>
        <source>Return shows this moment in the timeline</source>
        <translation>按回车键在时间线中显示此时刻</translation>
    </message>
    <message>
        <source>Show this moment in the timeline</source>
        <translation>在时间线中显示此时刻</translation>
    </message>
</context>
<context>
    <name>lockscope::ThroughputPlot</name>
    <message>
        <source>Acquisitions per second</source>
        <translation>每秒获取次数</translation>
    </message>
</context>
<context>
    <name>lockscope::TimelinePanel</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Timeline of the locks</source>
        <translation>锁的时间线</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Owners</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Lease</source>
        <translation>租约</translation>
    </message>
    <message>
        <source>Renewed</source>
        <translation>续期</translation>
    </message>
    <message>
        <source>The lease was renewed.</source>
        <translation>租约已续期。</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Follow the present (End)</source>
        <translation>跟随当前时间（End）</translation>
    </message>
    <message>
        <source>10 seconds</source>
        <translation>10 秒</translation>
    </message>
    <message>
        <source>1 minute</source>
        <translation>1 分钟</translation>
    </message>
    <message>
        <source>5 minutes</source>
        <translation>5 分钟</translation>
    </message>
    <message>
        <source>15 minutes</source>
        <translation>15 分钟</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 小时</translation>
    </message>
    <message>
        <source>Zoomed</source>
        <translation>已缩放</translation>
    </message>
    <message>
        <source>Time shown</source>
        <translation>显示的时间</translation>
    </message>
    <message>
        <source>older history dropped, begins at %1</source>
        <translation>较早的历史已丢弃，始于 %1</translation>
    </message>
    <message>
        <source>begins at %1</source>
        <translation>始于 %1</translation>
    </message>
    <message>
        <source>Show a lane for each lock, each owner, or each process named in owner IDs</source>
        <translation>为每个锁、每个持有者或持有者 ID 中的每个进程显示一条泳道</translation>
    </message>
    <message>
        <source>An owner holds the lock. Each inner line is one more hold.</source>
        <translation>持有者持有该锁。每条内线表示多重入一次。</translation>
    </message>
    <message>
        <source>Waiters in queue order, or their number. Cross-hatched: a dead waiter.</source>
        <translation>按队列顺序排列的等待者，或其数量。交叉线：失效等待者。</translation>
    </message>
    <message>
        <source>Time left, as a share of the longest lease seen. Dashed: no expiry.</source>
        <translation>剩余时间占所见最长租约的比例。虚线：永不过期。</translation>
    </message>
    <message>
        <source>Other endings</source>
        <translation>其他结束方式</translation>
    </message>
    <message>
        <source>Hourglass: expired. Bolt: force-expired. Question mark: gone, cause unknown. Circle: deadlock.</source>
        <translation>沙漏：已过期。闪电：已强制过期。问号：已消失，原因未知。圆环：死锁。</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Locks were not watched, changes may have been missed, or a change happened between two readings.</source>
        <translation>未监视锁、可能漏掉了变化，或变化发生在两次读取之间。</translation>
    </message>
    <message>
        <source>All history</source>
        <translation>全部历史</translation>
    </message>
    <message>
        <source>Time shown. Ctrl and the wheel, + and - zoom; 0 shows all history.</source>
        <translation>显示的时间。Ctrl 加滚轮、+ 和 - 缩放；0 显示全部历史。</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Follow the moment that is shown (End)</source>
        <translation>跟随所显示的时刻（End）</translation>
    </message>
</context>
<context>
    <name>lockscope::Tour</name>
    <message>
        <source>S&amp;kip</source>
        <translation>跳过(&amp;K)</translation>
    </message>
    <message>
        <source>Tour of the demo</source>
        <translation>演示导览</translation>
    </message>
    <message>
        <source>%1 of %2. %3</source>
        <comment>step, of how many, its text</comment>
        <translation>%1/%2&#x3000;%3</translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation>下一步(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>完成(&amp;D)</translation>
    </message>
    <message>
        <source>Each row is a lock of this Redis server, updated live. Locks that need attention come first.</source>
        <translation>每行是此 Redis 服务器上的一个锁，实时更新。需要关注的锁排在前面。</translation>
    </message>
    <message>
        <source>The state says what is wrong. Press F1 on a row to read what it means and what to do.</source>
        <translation>状态说明哪里有问题。在某一行按 F1，可查看其含义和处理方法。</translation>
    </message>
    <message>
        <source>This lock is now selected. Its queue is stuck: the first waiter has crashed, and those behind it wait until it times out.</source>
        <translation>已选中此锁。其队列卡住了：第一个等待者已崩溃，其后的等待者要等到它超时。</translation>
    </message>
    <message>
        <source>The inspector says who owns the selected lock, why it is held, how Lockscope knows, and what you can do.</source>
        <translation>详情面板说明所选锁的持有者、为何被持有、判断的依据，以及您可以做什么。</translation>
    </message>
    <message>
        <source>Press “Remove waiter…” here and confirm. The script checks first that the waiter is still dead.</source>
        <translation>请点击此处的“移除等待者…”并确认。脚本会先检查该等待者是否仍然失效。</translation>
    </message>
    <message>
        <source>The queue moves again. Events show what happened, and the audit log what you did. Open them here.</source>
        <translation>队列又能前进了。“事件”显示发生了什么，“审计日志”显示您做了什么。可在此处打开。</translation>
    </message>
</context>
<context>
    <name>lockscope::TraceEntry</name>
    <message>
        <source>%1 enters the critical section</source>
        <translation>%1 进入临界区</translation>
    </message>
    <message>
        <source>%1 leaves the critical section</source>
        <translation>%1 离开临界区</translation>
    </message>
    <message>
        <source>%1 crashes in the critical section</source>
        <translation>%1 在临界区内崩溃</translation>
    </message>
    <message>
        <source>%1 tries to acquire the lock</source>
        <translation>%1 尝试获取锁</translation>
    </message>
    <message>
        <source>%1 is refused</source>
        <translation>%1 被拒绝</translation>
    </message>
    <message>
        <source>%1 is woken by a message</source>
        <translation>%1 由消息唤醒</translation>
    </message>
    <message>
        <source>%1 has acquired the lock</source>
        <translation>%1 已获取锁</translation>
    </message>
    <message>
        <source>%1 has been handed the lock</source>
        <translation>%1 已接到移交的锁</translation>
    </message>
    <message>
        <source>%1 re-enters the lock</source>
        <translation>%1 重入锁</translation>
    </message>
    <message>
        <source>%1 has renewed the lease</source>
        <translation>%1 已续期租约</translation>
    </message>
    <message>
        <source>%1 is told that it no longer holds the lock</source>
        <translation>%1 得知自己不再持有锁</translation>
    </message>
    <message>
        <source>%1 continues without the lock</source>
        <translation>%1 未获得锁，继续执行</translation>
    </message>
    <message>
        <source>%1 times out</source>
        <translation>%1 超时</translation>
    </message>
    <message>
        <source>%1 begins to release the lock</source>
        <translation>%1 开始释放锁</translation>
    </message>
    <message>
        <source>%1 has released one level</source>
        <translation>%1 已释放一层</translation>
    </message>
    <message>
        <source>%1 has released the lock</source>
        <translation>%1 已释放锁</translation>
    </message>
    <message>
        <source>%1 has released the lock; waiters were notified</source>
        <translation>%1 已释放锁，并通知了等待者</translation>
    </message>
    <message>
        <source>%1 cannot release: the lock is gone or another&apos;s</source>
        <translation>%1 无法释放：锁已不在或属于其他持有者</translation>
    </message>
    <message>
        <source>%1 got no reply; outcome unknown</source>
        <translation>%1 未收到应答；结果未知</translation>
    </message>
    <message>
        <source>%1 is paused</source>
        <translation>%1 暂停</translation>
    </message>
    <message>
        <source>%1 continues after its pause</source>
        <translation>%1 暂停后继续</translation>
    </message>
    <message>
        <source>%1 crashes</source>
        <translation>%1 崩溃</translation>
    </message>
    <message>
        <source>%1 starts</source>
        <translation>%1 启动</translation>
    </message>
    <message>
        <source>%1 loses its connection</source>
        <translation>%1 断开连接</translation>
    </message>
    <message>
        <source>%1 is connected again</source>
        <translation>%1 已重新连接</translation>
    </message>
    <message>
        <source>%1 ends</source>
        <translation>%1 结束</translation>
    </message>
    <message>
        <source>the server is paused</source>
        <translation>服务器暂停</translation>
    </message>
    <message>
        <source>the server continues</source>
        <translation>服务器恢复</translation>
    </message>
    <message>
        <source>a process of workers does not respond</source>
        <translation>有工作线程进程无响应</translation>
    </message>
    <message>
        <source>a process of workers responds again</source>
        <translation>工作线程进程恢复响应</translation>
    </message>
    <message>
        <source>%1 (lock %2)</source>
        <comment>what a worker does</comment>
        <translation>%1（锁 %2）</translation>
    </message>
    <message>
        <source>a restart or flush of the server is ordered</source>
        <translation>已下令重启或清空服务器</translation>
    </message>
    <message>
        <source>the server responds after its restart or flush</source>
        <translation>服务器在重启或清空后有响应</translation>
    </message>
    <message>
        <source>%1: its last events may be missing</source>
        <translation>%1：其最后的事件可能缺失</translation>
    </message>
    <message>
        <source>the lock is found without expiry</source>
        <translation>查到锁无过期时间</translation>
    </message>
    <message>
        <source>the lock without expiry is no longer found so</source>
        <translation>此前无过期时间的锁已不再是原状</translation>
    </message>
</context>
<context>
    <name>lockscope::WaitPlot</name>
    <message>
        <source>Waiting times</source>
        <translation>等待时间</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>p50 %1 · p95 %2 · p99 %3</source>
        <translation>P50 %1 · P95 %2 · P99 %3</translation>
    </message>
    <message>
        <source>p99 %1</source>
        <translation>P99 %1</translation>
    </message>
</context>
<context>
    <name>lockscope::WaiterModel</name>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Waiter</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>lockscope::WaitersView</name>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>Wait queue</source>
        <translation>等待队列</translation>
    </message>
    <message numerus="yes">
        <source>The first %n waiter(s) are shown.</source>
        <translation>
            <numerusform>显示前 %n 个等待者。</numerusform>
        </translation>
    </message>
    <message>
        <source>Waiter %1</source>
        <translation>等待者 %1</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>持有者</translation>
    </message>
</context>
<context>
    <name>lockscope::WorkerModel</name>
    <message>
        <source>%1: %2, %3, for %4</source>
        <comment>worker: state, lock, time</comment>
        <translation>%1：%2，%3，已持续 %4</translation>
    </message>
    <message>
        <source>%1: %2 for %3</source>
        <comment>worker: state, time</comment>
        <translation>%1：%2，已持续 %3</translation>
    </message>
    <message>
        <source>, ×%1</source>
        <translation>，×%1</translation>
    </message>
    <message numerus="yes">
        <source>; acquired %n time(s)</source>
        <translation>
            <numerusform>；已获取 %n 次</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::WorkersView</name>
    <message>
        <source>&amp;Kill</source>
        <translation>终止(&amp;K)</translation>
    </message>
    <message>
        <source>Kills the selected worker, as kill -9 does. A lock of this worker stays until its lease expires</source>
        <translation>如同 kill -9 那样终止所选工作线程。其持有的锁会保留到租约到期</translation>
    </message>
    <message>
        <source>Kill a hol&amp;der</source>
        <translation>终止一个持有锁的工作线程(&amp;D)</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作线程</translation>
    </message>
    <message>
        <source>Select a worker to kill or pause it.</source>
        <translation>选择一个工作线程，将其终止或暂停。</translation>
    </message>
    <message>
        <source>Res&amp;ume</source>
        <translation>继续(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>Resumes the selected worker, as if no time had passed</source>
        <translation>让所选工作线程继续运行，如同时间未曾流逝</translation>
    </message>
    <message>
        <source>Pauses the selected worker and its clock. A pause longer than the lease loses the lock unnoticed</source>
        <translation>暂停所选工作线程及其时钟。暂停长于租约时，会在不知情中失去锁</translation>
    </message>
    <message>
        <source>Kills a worker that holds a lock at this moment, or the next one that does. The lock stays until its lease expires</source>
        <translation>终止一个此刻持有锁的工作线程；若没有，则终止下一个获取锁的工作线程。锁会保留到租约到期</translation>
    </message>
    <message>
        <source>Waiting for a worker that holds a lock…</source>
        <translation>正在等待有工作线程持有锁…</translation>
    </message>
    <message>
        <source>%1 was killed while it held a lock. The lock stays until its lease expires.</source>
        <translation>已终止持有锁的 %1。锁会保留到租约到期。</translation>
    </message>
    <message>
        <source>No worker held a lock for 2 s, so none was killed. Try again, or choose a longer hold time.</source>
        <translation>2 秒内没有工作线程持有锁，因此未终止任何工作线程。请重试，或选择更长的持锁时间。</translation>
    </message>
</context>
<context>
    <name>lockscope::app</name>
    <message>
        <source>nothing was sent</source>
        <translation>未发送任何请求</translation>
    </message>
    <message>
        <source>%1: hash chain broken at line %2: %3.</source>
        <translation>%1：哈希链在第 %2 行断裂：%3。</translation>
    </message>
    <message>
        <source>%1: hash chain intact, records: %2.</source>
        <translation>%1：哈希链完整，记录数：%2。</translation>
    </message>
    <message>
        <source>the audit log cannot be read: %1</source>
        <translation>无法读取审计日志：%1</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>锁类型</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>%1, hold count %2</source>
        <translation>%1，重入次数 %2</translation>
    </message>
    <message>
        <source>TTL</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>none</source>
        <comment>no TTL</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>no lock at %1</source>
        <translation>%1 处没有锁</translation>
    </message>
    <message numerus="yes">
        <source>%1 key(s)</source>
        <translation>
            <numerusform>%1 个键</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s)</source>
        <translation>
            <numerusform>%1 个锁</numerusform>
        </translation>
    </message>
    <message>
        <source>no lock</source>
        <comment>state</comment>
        <translation>非锁</translation>
    </message>
    <message>
        <source>problem</source>
        <comment>state</comment>
        <translation>有问题</translation>
    </message>
    <message>
        <source>held</source>
        <comment>state</comment>
        <translation>持有中</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 及另外 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 key(s)</source>
        <translation>
            <numerusform>%1 / %2 个键</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>keys scanned, locks found</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>No locks at %1. Scanned %2 in %3.</source>
        <translation>%1 上没有锁。扫描了 %2，用时 %3。</translation>
    </message>
    <message>
        <source>STATE</source>
        <comment>column of a table</comment>
        <translation>状态</translation>
    </message>
    <message>
        <source>FAMILY</source>
        <comment>column of a table</comment>
        <translation>类型</translation>
    </message>
    <message>
        <source>KEY</source>
        <comment>column of a table</comment>
        <translation>键</translation>
    </message>
    <message>
        <source>OWNER</source>
        <comment>column of a table</comment>
        <translation>持有者</translation>
    </message>
    <message>
        <source>HOLDS</source>
        <comment>column of a table</comment>
        <translation>重入次数</translation>
    </message>
    <message>
        <source>TTL</source>
        <comment>column of a table</comment>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>PROBLEMS</source>
        <comment>column of a table</comment>
        <translation>问题</translation>
    </message>
    <message>
        <source>%1 (%2 with problems). Scanned %3 in %4.</source>
        <translation>%1（%2 个有问题）。扫描了 %3，用时 %4。</translation>
    </message>
    <message>
        <source>Password for %1:</source>
        <translation>%1 的密码：</translation>
    </message>
    <message>
        <source>warning: %1</source>
        <translation>警告：%1</translation>
    </message>
    <message>
        <source>--askpass needs a terminal and a password.</source>
        <translation>--askpass 需要终端和密码。</translation>
    </message>
    <message>
        <source>reading all locks again</source>
        <translation>正在重新读取全部锁</translation>
    </message>
    <message>
        <source>Unknown option &apos;%1&apos;. See --help.</source>
        <translation>未知选项“%1”。参见 --help。</translation>
    </message>
    <message>
        <source>Write &apos;%1&apos; and its value as two words.</source>
        <translation>请将“%1”与其值分开，写成两个词。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; takes no value.</source>
        <translation>“%1”不带值。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; needs a value: %2.</source>
        <translation>“%1”需要一个值：%2。</translation>
    </message>
    <message>
        <source>The window takes options only. Give a server&apos;s address with -u.</source>
        <translation>窗口程序只接受选项。请用 -u 给出服务器地址。</translation>
    </message>
    <message>
        <source>The verb is missing, as in: lockscope-cli list. See --help.</source>
        <translation>缺少命令，例如：lockscope-cli list。参见 --help。</translation>
    </message>
    <message>
        <source>Give a server&apos;s address with -u.</source>
        <translation>请用 -u 给出服务器地址。</translation>
    </message>
    <message>
        <source>Unknown verb &apos;%1&apos;. See --help.</source>
        <translation>未知命令“%1”。参见 --help。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; needs a KEY.</source>
        <translation>“%1”需要 KEY。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; was given too many arguments. Quote a KEY with spaces.</source>
        <translation>“%1”的参数过多。含空格的 KEY 请加引号。</translation>
    </message>
    <message>
        <source>KEY must not be empty.</source>
        <translation>KEY 不能为空。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; belongs to lockscope-cli.</source>
        <translation>“%1”属于 lockscope-cli。</translation>
    </message>
    <message>
        <source>This verb does not take &apos;%1&apos;. See --help.</source>
        <translation>此命令不接受“%1”。参见 --help。</translation>
    </message>
    <message>
        <source>With --base64, KEY and owners must be base64 of at least one byte.</source>
        <translation>使用 --base64 时，KEY 和持有者必须是至少一个字节的 base64。</translation>
    </message>
    <message>
        <source>--demo starts its own server. Remove the options that name another server.</source>
        <translation>--demo 自带服务器。请去掉指定其他服务器的选项。</translation>
    </message>
    <message>
        <source>Give either a socket with -s or a host with -h, -p and --tls.</source>
        <translation>请用 -s 给出套接字，或用 -h、-p 和 --tls 给出主机，二者择一。</translation>
    </message>
    <message>
        <source>&apos;--%1&apos; needs --tls or a rediss:// address.</source>
        <translation>“--%1”需要 --tls 或 rediss:// 地址。</translation>
    </message>
    <message>
        <source>--cert and --key belong together.</source>
        <translation>--cert 与 --key 必须同时使用。</translation>
    </message>
    <message>
        <source>Usage: lockscope-cli [OPTIONS] VERB ...</source>
        <translation>用法：lockscope-cli [OPTIONS] VERB ...</translation>
    </message>
    <message>
        <source>Shows the distributed locks of a Redis server and acts on them.</source>
        <translation>显示并操作 Redis 服务器上的分布式锁。</translation>
    </message>
    <message>
        <source>Verbs:</source>
        <translation>命令：</translation>
    </message>
    <message>
        <source>Usage: lockscope [OPTIONS]</source>
        <translation>用法：lockscope [OPTIONS]</translation>
    </message>
    <message>
        <source>Shows the distributed locks of a Redis server, live.</source>
        <translation>实时显示 Redis 服务器上的分布式锁。</translation>
    </message>
    <message>
        <source>Connection:</source>
        <translation>连接：</translation>
    </message>
    <message>
        <source>Common:</source>
        <translation>通用：</translation>
    </message>
    <message>
        <source>KEY and ID are bytes; &apos;--&apos; ends the options.</source>
        <translation>KEY 和 ID 按字节处理；“--”表示选项结束。</translation>
    </message>
    <message>
        <source>-h takes a host&apos;s name or IP address alone. Give the port with -p, a socket with -s, a URI with -u.</source>
        <translation>-h 只接受主机名或 IP 地址。端口用 -p，套接字用 -s，URI 用 -u。</translation>
    </message>
    <message>
        <source>-s takes the path of a Unix socket.</source>
        <translation>-s 需要 Unix 套接字的路径。</translation>
    </message>
    <message>
        <source>The address after -u is not valid UTF-8. Percent-encode such bytes.</source>
        <translation>-u 后的地址不是有效的 UTF-8。请对这些字节进行百分号编码。</translation>
    </message>
    <message>
        <source>a password in the address after -u can be read by others on this machine: use --askpass or REDISCLI_AUTH</source>
        <translation>-u 地址中的密码可被本机其他用户读取：请使用 --askpass 或 REDISCLI_AUTH</translation>
    </message>
    <message>
        <source>a password after -a can be read by others on this machine: use --askpass or REDISCLI_AUTH</source>
        <translation>-a 后的密码可被本机其他用户读取：请使用 --askpass 或 REDISCLI_AUTH</translation>
    </message>
    <message>
        <source>Each --expect-holds must follow the --expect-owner that it belongs to.</source>
        <translation>每个 --expect-holds 必须跟在其所属的 --expect-owner 之后。</translation>
    </message>
    <message>
        <source>server&apos;s host name or IP address (localhost)</source>
        <translation>服务器的主机名或 IP 地址（localhost）</translation>
    </message>
    <message>
        <source>server&apos;s port (6379)</source>
        <translation>服务器的端口（6379）</translation>
    </message>
    <message>
        <source>server&apos;s Unix socket, instead of host and port</source>
        <translation>服务器的 Unix 套接字，代替主机和端口</translation>
    </message>
    <message>
        <source>number of the database (0)</source>
        <translation>数据库编号（0）</translation>
    </message>
    <message>
        <source>redis://[[user]:password@]host[:port][/db], rediss:// or unix://; other options win</source>
        <translation>redis://[[user]:password@]host[:port][/db]、rediss:// 或 unix://；其他选项优先</translation>
    </message>
    <message>
        <source>user to log in as</source>
        <translation>登录用户</translation>
    </message>
    <message>
        <source>password; others can read it: prefer --askpass or REDISCLI_AUTH</source>
        <translation>密码；会被他人读取：建议用 --askpass 或 REDISCLI_AUTH</translation>
    </message>
    <message>
        <source>prompt for the password</source>
        <translation>提示输入密码</translation>
    </message>
    <message>
        <source>encrypt the connection</source>
        <translation>加密连接</translation>
    </message>
    <message>
        <source>certificates to trust (PEM), instead of the system&apos;s</source>
        <translation>信任的证书（PEM），代替系统证书</translation>
    </message>
    <message>
        <source>client&apos;s certificate (PEM), with --key</source>
        <translation>客户端证书（PEM），与 --key 同用</translation>
    </message>
    <message>
        <source>client&apos;s private key (PEM), with --cert</source>
        <translation>客户端私钥（PEM），与 --cert 同用</translation>
    </message>
    <message>
        <source>name that the server&apos;s certificate must carry (the host)</source>
        <translation>服务器证书中必须包含的名称（主机名）</translation>
    </message>
    <message>
        <source>accept any certificate</source>
        <translation>接受任何证书</translation>
    </message>
    <message>
        <source>refuse every action</source>
        <translation>拒绝一切操作</translation>
    </message>
    <message>
        <source>use a private server with a running simulation; removed at the end</source>
        <translation>使用运行着模拟的私有服务器；结束时将其删除</translation>
    </message>
    <message>
        <source>print the version and end</source>
        <translation>显示版本并退出</translation>
    </message>
    <message>
        <source>print this and end</source>
        <translation>显示本帮助并退出</translation>
    </message>
    <message>
        <source>print JSON</source>
        <translation>输出 JSON</translation>
    </message>
    <message>
        <source>KEY and the given owners are base64</source>
        <translation>KEY 和给出的持有者为 base64</translation>
    </message>
    <message>
        <source>owner ID</source>
        <translation>持有者 ID</translation>
    </message>
    <message>
        <source>retry time in seconds while another owner holds the lock (0)</source>
        <translation>其他持有者持有锁时的重试时长，秒（0）</translation>
    </message>
    <message>
        <source>expected owner; repeatable</source>
        <translation>预期持有者；可重复</translation>
    </message>
    <message>
        <source>expected hold count of the preceding --expect-owner</source>
        <translation>前一个 --expect-owner 的预期重入次数</translation>
    </message>
    <message>
        <source>grace period in seconds before the lock expires (0)</source>
        <translation>多少秒后强制过期（默认立即）</translation>
    </message>
    <message>
        <source>scan once and list every lock</source>
        <translation>扫描一次，列出每个锁</translation>
    </message>
    <message>
        <source>show one lock</source>
        <translation>显示单个锁</translation>
    </message>
    <message>
        <source>acquire a lock as ID</source>
        <translation>以 ID 获取锁</translation>
    </message>
    <message>
        <source>release one level, or all levels</source>
        <translation>释放一层或全部</translation>
    </message>
    <message>
        <source>set a new lease if ID holds the lock</source>
        <translation>若由 ID 持有，则设置新的租约</translation>
    </message>
    <message>
        <source>expire the lock now if owner and hold count still match</source>
        <translation>若持有者和重入次数仍相符，则立即强制锁过期</translation>
    </message>
    <message>
        <source>check the hash chain of the audit log</source>
        <translation>检查审计日志的哈希链</translation>
    </message>
    <message>
        <source>simulate lock contention and faults, and print a report; on a private server unless one is given</source>
        <translation>模拟锁竞争和故障并输出报告；未指定服务器时使用私有服务器</translation>
    </message>
    <message>
        <source>Unknown scenario &apos;%1&apos;. Choose one of %2.</source>
        <translation>未知场景“%1”。请从 %2 中选择。</translation>
    </message>
    <message>
        <source>Unknown strategy &apos;%1&apos;. Choose one of %2.</source>
        <translation>未知策略“%1”。请从 %2 中选择。</translation>
    </message>
    <message>
        <source>preset with an expectation (README.md lists all)</source>
        <translation>带有预期的预设场景（见 README.md）</translation>
    </message>
    <message>
        <source>how waiters retry: poll, backoff, subscription</source>
        <translation>等待者如何重试：poll、backoff、subscription</translation>
    </message>
    <message>
        <source>retry interval (1)</source>
        <translation>重试间隔（1）</translation>
    </message>
    <message>
        <source>number of workers (8)</source>
        <translation>工作线程数（8）</translation>
    </message>
    <message>
        <source>number of processes for the workers (1)</source>
        <translation>运行工作线程的进程数（1）</translation>
    </message>
    <message>
        <source>number of locks (1)</source>
        <translation>锁的数目（1）</translation>
    </message>
    <message>
        <source>run R synchronized rounds instead of --duration</source>
        <translation>同步执行的轮数（与 --duration 二选一）</translation>
    </message>
    <message>
        <source>hold time: MS, uniform:A..B or exp:MEAN (1)</source>
        <translation>持锁时间：MS、uniform:A..B 或 exp:MEAN（1）</translation>
    </message>
    <message>
        <source>mean think time between iterations (0)</source>
        <translation>两次迭代之间的平均间隔时间（0）</translation>
    </message>
    <message>
        <source>try, timeout or block (block)</source>
        <translation>try、timeout 或 block（block）</translation>
    </message>
    <message>
        <source>wait timeout; implies --mode timeout (1000)</source>
        <translation>等待超时；即 --mode timeout（1000）</translation>
    </message>
    <message>
        <source>re-entry levels per iteration (1)</source>
        <translation>每次迭代的重入层数（1）</translation>
    </message>
    <message>
        <source>renew after each third of the lease</source>
        <translation>每过三分之一租约续期一次</translation>
    </message>
    <message>
        <source>retry after a lost reply without checking the lock</source>
        <translation>应答丢失后不检查锁就重试</translation>
    </message>
    <message>
        <source>share of iterations that crash while holding the lock</source>
        <translation>持有锁时崩溃的迭代比率</translation>
    </message>
    <message>
        <source>share of iterations that pause while holding the lock</source>
        <translation>持有锁时暂停的迭代比率</translation>
    </message>
    <message>
        <source>share of iterations that crash between SETNX and EXPIRE</source>
        <translation>在 SETNX 与 EXPIRE 之间崩溃的迭代比率</translation>
    </message>
    <message>
        <source>share of iterations whose watchdog stops</source>
        <translation>看门狗停止的迭代比率</translation>
    </message>
    <message>
        <source>share of iterations that lose a reply</source>
        <translation>应答丢失的迭代比率</translation>
    </message>
    <message>
        <source>pause, restart or flushall, during the run; repeatable</source>
        <translation>pause、restart 或 flushall，在运行期间发生；可重复</translation>
    </message>
    <message>
        <source>seed of all random choices (1)</source>
        <translation>所有随机选择的种子（1）</translation>
    </message>
    <message>
        <source>Give either --rounds or --duration.</source>
        <translation>--rounds 与 --duration 只能给出一个。</translation>
    </message>
    <message>
        <source>--timeout needs --mode timeout.</source>
        <translation>--timeout 需要 --mode timeout。</translation>
    </message>
    <message>
        <source>--poll needs --wake poll.</source>
        <translation>--poll 需要 --wake poll。</translation>
    </message>
    <message>
        <source>--pause needs --pause-rate.</source>
        <translation>--pause 需要 --pause-rate。</translation>
    </message>
    <message>
        <source>The scenario %1 sets %2 itself. Remove the option.</source>
        <translation>场景 %1 自行设定 %2。请去掉此选项。</translation>
    </message>
    <message>
        <source>%1 needs --strategy.</source>
        <translation>%1 需要 --strategy。</translation>
    </message>
    <message>
        <source>Give --scenario NAME or --strategy NAME. The scenarios are %1.</source>
        <translation>请给出 --scenario NAME 或 --strategy NAME。可用的场景：%1。</translation>
    </message>
    <message>
        <source>A simulation starts its own private server. Remove --demo.</source>
        <translation>模拟自带私有服务器。请去掉 --demo。</translation>
    </message>
    <message>
        <source>A simulation writes locks, so --read-only refuses to run it on %1. Remove the options that name a server to use a private one.</source>
        <translation>模拟会写入锁，因此 --read-only 拒绝在 %1 上运行。去掉指定服务器的选项即可使用私有服务器。</translation>
    </message>
    <message>
        <source>round %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>acquired: %1</source>
        <translation>已获取：%1</translation>
    </message>
    <message>
        <source>overlaps: %1</source>
        <translation>重叠：%1</translation>
    </message>
    <message>
        <source>lease time in seconds (simulate: 2)</source>
        <translation>租约时长，秒（simulate：2）</translation>
    </message>
    <message>
        <source>check-then-delete, compare-and-delete[-done], watched-transaction, unchecked-delete</source>
        <translation>check-then-delete、compare-and-delete[-done]、watched-transaction、unchecked-delete</translation>
    </message>
    <message>
        <source>pause length (1.5 leases; server: 400)</source>
        <translation>暂停时长（1.5 个租约；服务器：400）</translation>
    </message>
    <message>
        <source>change feed: %1</source>
        <translation>变更通知：%1</translation>
    </message>
    <message>
        <source>Reader: %1, hold count %2.</source>
        <translation>读者：%1，重入次数 %2。</translation>
    </message>
    <message>
        <source>Writer: %1, hold count %2.</source>
        <translation>写者：%1，重入次数 %2。</translation>
    </message>
    <message>
        <source>Owner: %1, hold count %2.</source>
        <translation>持有者：%1，重入次数 %2。</translation>
    </message>
    <message>
        <source>Owner: unknown.</source>
        <translation>持有者：未知。</translation>
    </message>
    <message>
        <source>worker name: %1</source>
        <translation>工作线程名称：%1</translation>
    </message>
    <message>
        <source>Last fencing token: %1.</source>
        <translation>最近的防护令牌：%1。</translation>
    </message>
    <message>
        <source>No expiry, which is the default of this family.</source>
        <translation>无过期时间，这是此锁类型的默认设置。</translation>
    </message>
    <message>
        <source>No expiry. This is a problem for this family.</source>
        <translation>无过期时间。对此锁类型而言这是问题。</translation>
    </message>
    <message>
        <source>Expires in %1 unless renewed. Holders of this family renew by default.</source>
        <translation>若不续期，%1后过期。此锁类型的持有者进程默认续期。</translation>
    </message>
    <message>
        <source>Expires in %1 unless renewed. Holders of this family do not renew by default.</source>
        <translation>若不续期，%1后过期。此锁类型的持有者进程默认不续期。</translation>
    </message>
    <message>
        <source>: subscribed</source>
        <translation>：已订阅</translation>
    </message>
    <message>
        <source>: not subscribed (dead, or joined just now)</source>
        <translation>：未订阅（已失效，或刚刚加入）</translation>
    </message>
    <message>
        <source>; times out in %1</source>
        <translation>；%1后超时</translation>
    </message>
    <message>
        <source>; timed out: the next request skips it</source>
        <translation>；已超时：下一个请求会跳过</translation>
    </message>
    <message>
        <source>Waiters: unknown. Polling clients leave no trace.</source>
        <translation>等待者：未知。轮询的客户端不留痕迹。</translation>
    </message>
    <message>
        <source>Waiters: unknown.</source>
        <translation>等待者：未知。</translation>
    </message>
    <message>
        <source>Waiters: at least %1 (subscribed processes; threads and polling clients cannot be counted).</source>
        <translation>等待者：至少 %1（已订阅的进程；线程和轮询的客户端无法统计）。</translation>
    </message>
    <message>
        <source>Waiters: %1 in the queue, in this order.</source>
        <translation>等待者：队列中有 %1 个，顺序如下。</translation>
    </message>
    <message>
        <source>Problem: %1</source>
        <translation>问题：%1</translation>
    </message>
    <message>
        <source>Effects of force-expire:</source>
        <translation>强制过期的影响：</translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>%1% of %2 keys, locks found: %3</source>
        <translation>%2 个键的 %1%，找到的锁：%3</translation>
    </message>
    <message>
        <source>PATTERN</source>
        <comment>column of a table</comment>
        <translation>模式</translation>
    </message>
    <message>
        <source>LOCKS</source>
        <comment>column of a table</comment>
        <translation>锁数</translation>
    </message>
    <message>
        <source>Patterns for these locks:</source>
        <translation>这些锁的模式：</translation>
    </message>
    <message>
        <source>The search ended early.</source>
        <translation>查找提前结束。</translation>
    </message>
    <message>
        <source>Plain tokens are not included: they cannot be found by content.</source>
        <translation>不含普通令牌：普通令牌无法按内容找到。</translation>
    </message>
    <message>
        <source>CLIENT</source>
        <comment>column of a table</comment>
        <translation>客户端</translation>
    </message>
    <message>
        <source>NAME</source>
        <comment>column of a table</comment>
        <translation>名称</translation>
    </message>
    <message>
        <source>ACTIVITY</source>
        <comment>column of a table</comment>
        <translation>行为</translation>
    </message>
    <message>
        <source>TIMES</source>
        <comment>column of a table</comment>
        <translation>次数</translation>
    </message>
    <message>
        <source>ID</source>
        <comment>column of a table</comment>
        <translation>标识</translation>
    </message>
    <message>
        <source>Clients found: %1, in %2 and %3 commands.</source>
        <translation>找到的客户端：%1；历时 %2，共 %3 条命令。</translation>
    </message>
    <message>
        <source>The search ended early: it reached the limit of commands.</source>
        <translation>查找提前结束：已达到命令数上限。</translation>
    </message>
    <message>
        <source>reading every command of the server for %1; costly for a busy server (Ctrl-C stops)</source>
        <translation>将在 %1内读取服务器的每条命令；繁忙的服务器开销很大（Ctrl-C 可停止）</translation>
    </message>
    <message>
        <source>expire only the given owners, such as one of several readers</source>
        <translation>只让给出的持有者过期，例如多个读者中的一个</translation>
    </message>
    <message>
        <source>dead waiter in the queue</source>
        <translation>队列中的失效等待者</translation>
    </message>
    <message>
        <source>explain the lock&apos;s state and the effects of force-expire</source>
        <translation>说明锁的状态，以及强制过期的影响</translation>
    </message>
    <message>
        <source>remove a dead waiter from a fair queue</source>
        <translation>从公平队列中移除失效等待者</translation>
    </message>
    <message>
        <source>find locks by content, whatever their names; reads every key</source>
        <translation>按内容查找锁，不论名称；读取每个键</translation>
    </message>
    <message>
        <source>find the clients of a lock by reading every command (MONITOR); costly</source>
        <translation>读取每条命令（MONITOR），查找锁的客户端；开销大</translation>
    </message>
    <message>
        <source>Family: %1 (%2). Candidates: %3, or an application&apos;s own format.</source>
        <translation>锁类型：%1（%2）。候选类型：%3，或应用自定义格式。</translation>
    </message>
    <message>
        <source>Family: %1 (%2); %3.</source>
        <translation>类型：%1（%2）；%3。</translation>
    </message>
    <message>
        <source>Waiters: none; no client waits for the lock of a job.</source>
        <translation>等待者：无；没有客户端等待作业的锁。</translation>
    </message>
    <message>
        <source>none: orphaned queue</source>
        <translation>无：孤立队列</translation>
    </message>
    <message>
        <source>Free permits: %1.</source>
        <translation>空闲许可：%1。</translation>
    </message>
    <message>
        <source>Waiters: at least %1 (polling clients cannot be counted). Known waiters:</source>
        <translation>等待者：至少 %1 个（轮询的客户端无法统计）。已知的等待者：</translation>
    </message>
    <message>
        <source>expires in %1</source>
        <translation>%1后过期</translation>
    </message>
    <message>
        <source>Permit expired; the next request can take it</source>
        <translation>许可已过期，下一个请求者可获取</translation>
    </message>
    <message>
        <source>interrupted while waiting for the reply: check %1 with the verb get before retrying</source>
        <translation>等待应答时中断：重试前请先用 get 命令查看 %1</translation>
    </message>
    <message>
        <source>interrupted before anything was sent: nothing was done</source>
        <translation>发送任何请求之前中断：未执行任何操作</translation>
    </message>
    <message>
        <source>Request %1 of %2 (%3 of %4 at %5): no outcome was recorded, so the request may have been carried out. Check the key before retrying.</source>
        <translation>请求 %1（%2，%3，键 %4，服务器 %5）：结果从未记录，请求可能已执行。重试前请先查看该键。</translation>
    </message>
    <message>
        <source>the result could not be written: %1</source>
        <translation>无法写入结果：%1</translation>
    </message>
    <message>
        <source>interrupted while writing the result: the output is cut off</source>
        <translation>写入结果时中断：输出不完整</translation>
    </message>
    <message>
        <source>interrupted before the result was ready: nothing is printed</source>
        <translation>得到结果之前中断：未输出任何内容</translation>
    </message>
    <message>
        <source>The expiry is unknown. The key has none, but this user may not read the expiry of its fields. Grant +hpttl.</source>
        <translation>到期时间未知。该键无过期时间，但当前用户无权读取其字段的过期时间。请授予 +hpttl。</translation>
    </message>
    <message>
        <source>No expiry.</source>
        <translation>无过期时间。</translation>
    </message>
    <message>
        <source>Expires in %1 unless renewed. Whether the library renews is unknown.</source>
        <translation>若不续期，%1后过期。该库是否续期未知。</translation>
    </message>
    <message>
        <source>: not subscribed here</source>
        <translation>：此处看不到订阅</translation>
    </message>
    <message>
        <source>Waiters: unknown, since the library is unknown. Polling clients leave no trace; other clients may use a channel or a queue.</source>
        <translation>等待者：未知，因为库未知。轮询的客户端不留痕迹；其他客户端可能使用频道或队列。</translation>
    </message>
    <message>
        <source>Waiters that are not subscribed here may be alive: %1.</source>
        <translation>此处看不到订阅的等待者可能仍存活：%1。</translation>
    </message>
    <message>
        <source>Evidence: %1.</source>
        <translation>依据：%1。</translation>
    </message>
    <message>
        <source>Certainty</source>
        <translation>确定性</translation>
    </message>
    <message>
        <source>unknown</source>
        <comment>TTL</comment>
        <translation>未知</translation>
    </message>
    <message>
        <source>Hidden: %1, probably no locks. Show with --all.</source>
        <translation>已隐藏 %1（可能不是锁）。可用 --all 显示。</translation>
    </message>
    <message>
        <source>Patterns used: %1. To find locks under other names, use --pattern or the verb search.</source>
        <translation>所用键模式：%1。若锁使用其他名称，请用 --pattern 或 search 命令查找。</translation>
    </message>
    <message>
        <source>No password was typed for the user %1, so nothing was sent. For a user without a password, give -a &apos;&apos; instead of --askpass.</source>
        <translation>未输入用户 %1 的密码，因此未发送任何请求。若该用户没有密码，请用 -a &apos;&apos; 代替 --askpass。</translation>
    </message>
    <message>
        <source>Likely locks; other data can look the same:</source>
        <translation>很可能是锁（其他数据也可能如此）：</translation>
    </message>
    <message>
        <source>Not all locks were read in that time. Give a longer --duration.</source>
        <translation>此时尚未读取全部锁。请延长 --duration。</translation>
    </message>
    <message>
        <source>Watching ended before the first reading was complete, so no event was printed. %1</source>
        <translation>监视在首次读取完成之前结束，因此未输出任何事件。%1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is given twice. Give the option once.</source>
        <translation>“%1”给出了两次：请只保留一个。</translation>
    </message>
    <message>
        <source>The user needs a password: give --askpass or set REDISCLI_AUTH. For a user without a password, give -a &apos;&apos;.</source>
        <translation>用户需要密码：请用 --askpass 或设置 REDISCLI_AUTH。若该用户没有密码，请用 -a &apos;&apos;。</translation>
    </message>
    <message>
        <source>Exit status: 0 done; 1 rejected by the lock&apos;s state; 2 wrong usage; 3 server not reached, login or
permission refused, or outcome unknown; 4 refused by --read-only; 5 result not written.</source>
        <translation>退出状态：0 已完成；1 锁状态不符，未执行；2 用法错误；3 无法连接服务器、服务器拒绝登录
或权限不足，或结果未知；4 因 --read-only 而拒绝；5 无法写入结果。</translation>
    </message>
    <message>
        <source>load budget in percent of one server core; 100: full speed (5; 25 for the first scan)</source>
        <translation>负载预算，占服务器单核的百分比；100：全速（5；首次扫描为 25）</translation>
    </message>
    <message>
        <source>share of iterations that pause during the release</source>
        <translation>释放时暂停的迭代比率</translation>
    </message>
    <message>
        <source>No locks could be read at %1. Unreadable keys: %2. %3 scanned in %4.</source>
        <translation>未能从 %1 读取任何锁。无法读取的键：%2。扫描了 %3，用时 %4。</translation>
    </message>
    <message>
        <source>Unreadable keys: %1.</source>
        <translation>无法读取的键：%1。</translation>
    </message>
    <message>
        <source>Unreadable keys: %1. Their content is unknown.</source>
        <translation>无法读取的键：%1。这些键的内容未知。</translation>
    </message>
    <message>
        <source>permitted again: %1</source>
        <comment>a permission</comment>
        <translation>恢复权限：%1</translation>
    </message>
    <message>
        <source>All keys can be read.</source>
        <translation>所有键均可读取。</translation>
    </message>
    <message>
        <source>nothing was sent: the key is probably no lock, and Lockscope has no script for it</source>
        <translation>未发送任何请求：该键可能不是锁，Lockscope 没有适用的脚本</translation>
    </message>
    <message>
        <source>nothing was sent: this is not a recognized lock, and Lockscope has no script for it</source>
        <translation>未发送任何请求：这不是可识别的锁，Lockscope 没有适用的脚本</translation>
    </message>
    <message>
        <source>Owner: %1.</source>
        <translation>持有者：%1。</translation>
    </message>
    <message>
        <source>Waiters: unknown, since this user may not read the lock&apos;s companion keys.</source>
        <translation>等待者：未知，因为此用户无权读取该锁的附属键。</translation>
    </message>
    <message>
        <source>The companion keys cannot be read. The lock may be of another family, such as a fair lock, a semaphore or a job&apos;s lock.</source>
        <translation>无权读取其附属键。锁可能属于其他类型，例如公平锁、信号量或作业的锁。</translation>
    </message>
    <message>
        <source>Force-expire is refused, because its effects depend on keys that cannot be read.</source>
        <translation>强制过期已拒绝，因为其影响取决于无权读取的键。</translation>
    </message>
    <message>
        <source>No locks known at %1: the companion keys of %2 cannot be read. Scanned %3 in %4.</source>
        <translation>%1 上没有已知的锁：%2的附属键无法读取。扫描了%3，用时 %4。</translation>
    </message>
    <message>
        <source>Keys with unreadable companion keys: %1. They may be locks, or of another family.</source>
        <translation>附属键无法读取的键：%1。它们可能是锁，或属于其他类型。</translation>
    </message>
    <message>
        <source>&apos;who&apos; takes at most 30 seconds, because it is costly for the server.</source>
        <translation>“who”最多 30 秒，因为对服务器的开销很大。</translation>
    </message>
    <message>
        <source>%1; new locks that match %2 are found by scans only, at best every %3: shorter ones can be missed</source>
        <translation>%1；匹配 %2 的新锁只能由扫描发现，最快每隔 %3一次：持续更短的锁可能遗漏</translation>
    </message>
    <message>
        <source>locks: %1, at %2; %3</source>
        <comment>how changes are heard</comment>
        <translation>锁：%1，位于 %2；%3</translation>
    </message>
    <message>
        <source>the locks of %1 are missing: %2</source>
        <translation>缺少 %1 的锁：%2</translation>
    </message>
    <message>
        <source>%1 is ready: reading its locks again</source>
        <translation>%1 已就绪：正在重新读取其锁</translation>
    </message>
    <message>
        <source>%1 keeps no locks any more</source>
        <translation>%1 不再保存任何锁</translation>
    </message>
    <message>
        <source>follow a cluster; any node of one is noticed without it</source>
        <translation>跟随集群；不加此选项也会识别集群节点</translation>
    </message>
    <message>
        <source>connect to B where the cluster announces A (HOST:PORT or HOST); repeatable</source>
        <translation>集群公布地址 A 时改为连接 B（HOST:PORT 或 HOST）；可重复</translation>
    </message>
    <message>
        <source>Password of the Sentinels of %1:</source>
        <translation>%1 的哨兵密码：</translation>
    </message>
    <message>
        <source>--sentinel-askpass needs a terminal and a password.</source>
        <translation>--sentinel-askpass 需要终端和密码。</translation>
    </message>
    <message>
        <source>The Sentinels name the server: leave out -h, -p and -s.</source>
        <translation>服务器由哨兵指明：请去掉 -h、-p 和 -s。</translation>
    </message>
    <message>
        <source>The Sentinels name the server: leave the socket out.</source>
        <translation>服务器由哨兵指明：请去掉套接字。</translation>
    </message>
    <message>
        <source>--sentinel needs --master NAME: the name of the primary that they watch.</source>
        <translation>--sentinel 需要 --master NAME：哨兵所监视的主节点名称。</translation>
    </message>
    <message>
        <source>&apos;--%1&apos; needs --sentinel or a redis-sentinel:// address.</source>
        <translation>&apos;--%1&apos; 需要 --sentinel 或 redis-sentinel:// 地址。</translation>
    </message>
    <message>
        <source>The Sentinels&apos; user needs a password: give --sentinel-askpass or set LOCKSCOPE_SENTINEL_AUTH.</source>
        <translation>哨兵用户需要密码：请用 --sentinel-askpass，或设置 LOCKSCOPE_SENTINEL_AUTH。</translation>
    </message>
    <message>
        <source>Sentinels (HOST:PORT) that name the server, with --master</source>
        <translation>指明服务器的哨兵（HOST:PORT），与 --master 一起使用</translation>
    </message>
    <message>
        <source>name of the primary that the Sentinels watch</source>
        <translation>哨兵所监视的主节点名称</translation>
    </message>
    <message>
        <source>user to log in as at the Sentinels</source>
        <translation>登录哨兵的用户</translation>
    </message>
    <message>
        <source>prompt for the Sentinels&apos; own password</source>
        <translation>提示输入哨兵自己的密码</translation>
    </message>
    <message>
        <source>read from a replica that the Sentinels name</source>
        <translation>从哨兵指明的副本读取</translation>
    </message>
    <message>
        <source>Passphrase of %1:</source>
        <translation>%1 的口令：</translation>
    </message>
    <message>
        <source>--key-askpass needs a terminal and a passphrase.</source>
        <translation>--key-askpass 需要终端和口令。</translation>
    </message>
    <message>
        <source>Give either --cacert or --cacertdir.</source>
        <translation>请只给出 --cacert 或 --cacertdir 之一。</translation>
    </message>
    <message>
        <source>--pin trusts one certificate, --insecure any: give either.</source>
        <translation>--pin 只信任一个证书，--insecure 信任任何证书：请只给出其一。</translation>
    </message>
    <message>
        <source>--key-askpass needs --key.</source>
        <translation>--key-askpass 需要 --key。</translation>
    </message>
    <message>
        <source>The password is also read from the environment variable REDISCLI_AUTH, the Sentinels&apos; from
LOCKSCOPE_SENTINEL_AUTH, the passphrase of a key from LOCKSCOPE_KEY_PASSPHRASE.</source>
        <translation>密码也会从环境变量 REDISCLI_AUTH 读取，哨兵的密码从
LOCKSCOPE_SENTINEL_AUTH 读取，私钥的口令从 LOCKSCOPE_KEY_PASSPHRASE 读取。</translation>
    </message>
    <message>
        <source>directory of certificates to trust (PEM)</source>
        <translation>受信任证书（PEM）所在目录</translation>
    </message>
    <message>
        <source>prompt for the passphrase of the key</source>
        <translation>提示输入私钥口令</translation>
    </message>
    <message>
        <source>trust the server&apos;s certificate by its fingerprint alone; repeatable</source>
        <translation>仅凭指纹信任服务器证书；可重复</translation>
    </message>
    <message>
        <source>Reading</source>
        <comment>what a permission is for</comment>
        <translation>读取</translation>
    </message>
    <message>
        <source>Acting</source>
        <comment>what a permission is for</comment>
        <translation>操作</translation>
    </message>
    <message>
        <source>%1: this login lacks %2</source>
        <translation>%1：此登录缺少 %2</translation>
    </message>
    <message>
        <source>%1: no permission is missing.</source>
        <translation>%1：不缺少权限。</translation>
    </message>
    <message>
        <source>%1: could not be checked: %2</source>
        <translation>%1：无法检查：%2</translation>
    </message>
    <message>
        <source>%1: this server does not have %2</source>
        <translation>%1：此服务器没有 %2</translation>
    </message>
    <message>
        <source>permissions to act are checked with commands that could act: not with --read-only</source>
        <translation>检查操作权限要用可能执行操作的命令：不能与 --read-only 同用</translation>
    </message>
    <message>
        <source>Request: %1</source>
        <translation>请申请：%1</translation>
    </message>
    <message>
        <source>&apos;acl check&apos; takes a role: monitor or operator.</source>
        <translation>“acl check”需要一个角色：monitor 或 operator。</translation>
    </message>
    <message>
        <source>&apos;acl&apos; takes a role: monitor, operator or sentinels; or check.</source>
        <translation>“acl”需要一个角色：monitor、operator 或 sentinels；或者 check。</translation>
    </message>
    <message>
        <source>6, 7, 8 (also Redis 7.4) or valkey (7)</source>
        <translation>6、7、8（也用于 Redis 7.4）或 valkey（7）</translation>
    </message>
    <message>
        <source>include what the verb who needs (CLIENT LIST and MONITOR)</source>
        <translation>包括动词 who 所需的权限（CLIENT LIST 和 MONITOR）</translation>
    </message>
    <message>
        <source>print the command that creates an ACL user with the permissions needed and no others</source>
        <translation>输出创建 ACL 用户的命令，只含所需权限</translation>
    </message>
    <message>
        <source>list the permissions that this login lacks</source>
        <translation>列出此登录缺少的权限</translation>
    </message>
    <message>
        <source>With several servers, give no other option of a server.</source>
        <translation>指定多个服务器时，请勿给出其他服务器选项。</translation>
    </message>
    <message>
        <source>&apos;--connect&apos; is given twice. Give the option once.</source>
        <translation>“--connect”给出了两次。请只给出一次。</translation>
    </message>
    <message>
        <source>server stored by the window under this name; lockscope: repeatable</source>
        <translation>窗口以此名称保存的服务器；lockscope 可多次给出</translation>
    </message>
    <message>
        <source>connect from that host, through a tunnel by the system&apos;s ssh</source>
        <translation>经由系统 ssh 的隧道，从该主机连接</translation>
    </message>
    <message>
        <source>%1: %2: not checked. %3</source>
        <translation>%1：%2：未检查。%3</translation>
    </message>
    <message>
        <source>a keyspace of unknown size</source>
        <comment>Scanned %2 in %3.</comment>
        <translation>大小未知的键空间</translation>
    </message>
    <message>
        <source>no lock at %1 on %2 of %3 servers; the others were not read</source>
        <translation>已读取 %3 个服务器中的 %2 个，%1 处没有锁；其余服务器未读取</translation>
    </message>
    <message>
        <source>The holder may count on the lock for %1 at most, allowing for clock drift.</source>
        <translation>计入时钟漂移后，持有者进程最多还能依赖此锁 %1。</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>unknown</source>
        <comment>state</comment>
        <translation>未知</translation>
    </message>
    <message>
        <source>SERVERS</source>
        <comment>column of a table</comment>
        <translation>服务器</translation>
    </message>
    <message>
        <source>The Redlock group names its servers: leave out -h, -p and -s.</source>
        <translation>Redlock 组已指定服务器：请勿再给出 -h、-p 与 -s。</translation>
    </message>
    <message>
        <source>Give either Sentinels or a Redlock group.</source>
        <translation>哨兵与 Redlock 组只能二选一。</translation>
    </message>
    <message>
        <source>&apos;simulate&apos; runs on one server. Name one, or none for a private server.</source>
        <translation>simulate 只在一个服务器上运行。请指定一个；不指定则使用私有服务器。</translation>
    </message>
    <message>
        <source>independent primaries (HOST:PORT) of a Redlock group, shown as one</source>
        <translation>Redlock 组的独立主节点（HOST:PORT），合并显示</translation>
    </message>
    <message>
        <source>Nothing was sent: in production an action needs --confirm KEY, the same key once more.</source>
        <translation>未发送任何内容：在生产环境中，操作需要 --confirm KEY，即再次给出相同的键。</translation>
    </message>
    <message>
        <source>How long locks have been held is unknown: %1</source>
        <translation>持锁时长未知：%1</translation>
    </message>
    <message>
        <source>%1 is damaged and was replaced: how long locks have been held is counted from this check on</source>
        <translation>%1 已损坏并已被替换：持锁时长从本次检查起计</translation>
    </message>
    <message>
        <source>First check with this state file: how long locks have been held is not known yet</source>
        <translation>首次使用此状态文件检查：持锁时长尚未知</translation>
    </message>
    <message>
        <source>The state file could not be written: %1</source>
        <translation>无法写入状态文件：%1</translation>
    </message>
    <message>
        <source>waiters: %1, limit %2</source>
        <translation>等待者：%1，上限 %2</translation>
    </message>
    <message>
        <source>waiters: at least %1, limit %2</source>
        <translation>等待者：至少 %1，上限 %2</translation>
    </message>
    <message>
        <source>same token %1 at every check since %2 (checks: %3, %4), limit %5; the token does not tell owners apart</source>
        <translation>自 %2 起每次检查令牌均为 %1（检查 %3 次，%4），上限 %5；该令牌无法区分持有者</translation>
    </message>
    <message>
        <source>held by %1 at every check since %2 (checks: %3, %4), limit %5</source>
        <translation>自 %2 起每次检查均由 %1 持有（检查 %3 次，%4），上限 %5</translation>
    </message>
    <message>
        <source>No findings</source>
        <translation>未发现违规</translation>
    </message>
    <message>
        <source>Findings: %1</source>
        <translation>违规：%1</translation>
    </message>
    <message>
        <source>Checked: %1</source>
        <translation>已检查：%1</translation>
    </message>
    <message>
        <source>Without expiry, but no problem: %1</source>
        <translation>无过期时间但不算问题：%1</translation>
    </message>
    <message>
        <source>Waiters unknown: %1</source>
        <translation>等待者未知：%1</translation>
    </message>
    <message>
        <source>Waiters counted in part: %1</source>
        <translation>等待者仅部分计数：%1</translation>
    </message>
    <message>
        <source>Time held: unknown</source>
        <translation>持锁时长：未知</translation>
    </message>
    <message>
        <source>Incomplete: not all locks were read</source>
        <translation>不完整：并非所有锁都已读取</translation>
    </message>
    <message>
        <source>Listening at %1 failed: %2</source>
        <translation>无法监听 %1：%2</translation>
    </message>
    <message>
        <source>other machines can read these metrics without a login</source>
        <translation>其他主机无需登录即可读取这些指标</translation>
    </message>
    <message>
        <source>Metrics at %1</source>
        <translation>指标地址：%1</translation>
    </message>
    <message>
        <source>--connect names the server: leave out -u, -h, -p, -s, --sentinel, --redlock and --environment.</source>
        <translation>--connect 已指定服务器：请勿再给出 -u、-h、-p、-s、--sentinel、--redlock 和 --environment。</translation>
    </message>
    <message>
        <source>--state needs --max-held SECONDS.</source>
        <translation>--state 需要 --max-held SECONDS。</translation>
    </message>
    <message>
        <source>development, staging or production: what actions ask for</source>
        <translation>development、staging 或 production：决定操作如何确认</translation>
    </message>
    <message>
        <source>show this lock first</source>
        <translation>首先显示此锁</translation>
    </message>
    <message>
        <source>the same key once more, as actions in production need it</source>
        <translation>再次给出相同的键，生产环境中的操作需要它</translation>
    </message>
    <message>
        <source>rule: no lock without expiry, whatever its library</source>
        <translation>规则：没有无过期时间的锁，不论使用哪个库</translation>
    </message>
    <message>
        <source>memory of --max-held (~/.local/state/lockscope/check-*.json)</source>
        <translation>--max-held 的记录文件（~/.local/state/lockscope/check-*.json）</translation>
    </message>
    <message>
        <source>scan once and print what breaks a rule (exit status 1); 3: not all was read. A release and
      acquisition by the same owner between two checks is not seen</source>
        <translation>扫描一次并输出违反规则的锁（退出状态 1）；3：未能全部读取。
      同一持有者在两次检查之间释放并重新获取，无法察觉</translation>
    </message>
    <message>
        <source>serve metrics for Prometheus over HTTP, without login</source>
        <translation>通过 HTTP 为 Prometheus 提供指标，无需登录</translation>
    </message>
    <message>
        <source>Deadlocks and dead waiters could not be confirmed: %1</source>
        <translation>无法确认死锁和失效的等待者：%1</translation>
    </message>
    <message>
        <source>Too many locks are suspected: deadlocks and dead waiters were confirmed at %1 at most</source>
        <translation>可疑的锁过多：最多只确认了 %1 的死锁和失效的等待者</translation>
    </message>
    <message>
        <source>Incomplete: not everything was confirmed</source>
        <translation>不完整：并非所有内容都已确认</translation>
    </message>
    <message>
        <source>A simulation writes locks and causes faults, so it does not run in production, which %1 is. Remove the options that name a server to use a private one.</source>
        <translation>模拟会写入锁并制造故障，因此不会在生产环境运行，而 %1 属于生产环境。去掉指定服务器的选项即可使用私有服务器。</translation>
    </message>
    <message>
        <source>Held since: unknown. One reading does not tell how long the lock has been held.</source>
        <translation>持有起始时间：未知。单次读取无法得知锁已持有多久。</translation>
    </message>
    <message>
        <source>Deadlock: unknown. Only a scan finds the locks that the owner waits for: run lockscope-cli check.</source>
        <translation>死锁：未知。只有扫描才能找到持有者正在等待的锁：请运行 lockscope-cli check。</translation>
    </message>
    <message>
        <source>writing failed, and is tried again every few seconds: %1</source>
        <translation>写入失败，每隔几秒重试：%1</translation>
    </message>
    <message>
        <source>recording again; the gap is recorded</source>
        <translation>已恢复录制；缺口已记录</translation>
    </message>
    <message>
        <source>Recording to %1</source>
        <translation>正在录制到 %1</translation>
    </message>
    <message>
        <source>Events recorded: %1; lost: %2; written: %3</source>
        <translation>已录制事件：%1；丢失：%2；已写入：%3</translation>
    </message>
    <message>
        <source>From %1 to %2 (%3); events: %4; files: %5 (%6)</source>
        <translation>从 %1 到 %2（%3）；事件：%4；文件：%5（%6）</translation>
    </message>
    <message>
        <source>Anonymous: keys, owners and hosts are hashes.</source>
        <translation>匿名：键、持有者和主机均为哈希值。</translation>
    </message>
    <message>
        <source>Gaps: none</source>
        <translation>缺口：无</translation>
    </message>
    <message>
        <source>Gaps:</source>
        <translation>缺口：</translation>
    </message>
    <message>
        <source>nothing is recorded of %1: the locks are as they were known last before it</source>
        <translation>%1 没有录制：所示为此前最后已知的锁</translation>
    </message>
    <message>
        <source>not all locks were known at %1: no connection, or not all read yet</source>
        <translation>%1 时并非所有锁都已知：没有连接，或尚未全部读取</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, for %2</source>
        <translation>%1，持续 %2</translation>
    </message>
    <message>
        <source>not all locks are known from here on</source>
        <translation>从此刻起并非所有锁都已知</translation>
    </message>
    <message>
        <source>The recording has no such time: it is of %1 to %2.</source>
        <translation>录制中没有该时间：其范围为 %1 至 %2。</translation>
    </message>
    <message>
        <source>There is nothing between --from and --to: the recording is of %1 to %2.</source>
        <translation>--from 与 --to 之间没有内容：录制范围为 %1 至 %2。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; needs a FILE.</source>
        <translation>“%1”需要 FILE。</translation>
    </message>
    <message>
        <source>release: all levels; list, replay: also hidden keys that are probably no locks</source>
        <translation>release：释放所有层；list、replay：也列出可能不是锁的键</translation>
    </message>
    <message>
        <source>record every change to a file until Ctrl-C</source>
        <translation>将每个变化录制到文件，直到 Ctrl-C</translation>
    </message>
    <message>
        <source>print the events of a recording, or its locks at one moment</source>
        <translation>输出录制中的事件，或某一时刻的锁</translation>
    </message>
    <message>
        <source>limit of all files of the recording; the oldest part goes (1000)</source>
        <translation>录制的所有文件的总上限；最旧的部分会被删除（1000）</translation>
    </message>
    <message>
        <source>replace keys, owners and hosts by hashes, the same by the same</source>
        <translation>用哈希值代替键、持有者和主机，相同者代之以相同值</translation>
    </message>
    <message>
        <source>list the locks as they were: 03:12, 2026-01-31T03:12:00[Z]</source>
        <translation>列出当时的锁：03:12、2026-01-31T03:12:00[Z]</translation>
    </message>
    <message>
        <source>print events from then on</source>
        <translation>输出此后的事件</translation>
    </message>
    <message>
        <source>print events until then</source>
        <translation>输出此前的事件</translation>
    </message>
    <message>
        <source>print time range, number of events, and gaps</source>
        <translation>输出时间范围、事件数和缺口</translation>
    </message>
    <message>
        <source>Give one of --info, --at, and --from with --to.</source>
        <translation>--info、--at、--from 与 --to 三者只能选一。</translation>
    </message>
    <message>
        <source>raised</source>
        <comment>an alert</comment>
        <translation>触发</translation>
    </message>
    <message>
        <source>raised again</source>
        <comment>an alert</comment>
        <translation>再次触发</translation>
    </message>
    <message>
        <source>ended</source>
        <comment>an alert</comment>
        <translation>结束</translation>
    </message>
    <message>
        <source>Watching %1 locks at %2.</source>
        <translation>正在监视 %2 上的 %1 个锁。</translation>
    </message>
    <message>
        <source>The alert command could not be started: %1</source>
        <translation>无法启动告警命令：%1</translation>
    </message>
    <message>
        <source>The alert command ran for %1 and was stopped.</source>
        <translation>告警命令运行了 %1，已被终止。</translation>
    </message>
    <message>
        <source>The alert command ended with exit status %1.</source>
        <translation>告警命令以退出状态 %1 结束。</translation>
    </message>
    <message>
        <source>The alert command was too slow: %1 alerts were not given to it.</source>
        <translation>告警命令太慢：有 %1 条告警未交给它。</translation>
    </message>
    <message>
        <source>duration in seconds (watch, alert, record: until Ctrl-C; simulate: 5; who: 3, at most 30)</source>
        <translation>持续秒数（watch、alert、record：直到 Ctrl-C；simulate：5；who：3，最多 30）</translation>
    </message>
    <message>
        <source>shell command that gets new alerts on its input, one JSON object per line</source>
        <translation>从标准输入读取新告警的 shell 命令，每行一个 JSON 对象</translation>
    </message>
    <message>
        <source>web address to which new alerts are posted as JSON</source>
        <translation>以 JSON 接收新告警的网址（POST）</translation>
    </message>
    <message>
        <source>watch, and tell what needs attention: problems, long holds, many waiters, deadlocks,
      stalled holders, lost connections</source>
        <translation>持续监视，报告需要注意的情况：问题、长时间持有、等待者过多、死锁、
      续期停滞的持有者、连接中断</translation>
    </message>
    <message>
        <source>%1 keys cannot be read: there are no alerts for their locks.</source>
        <translation>有 %1 个键无法读取：其锁没有告警。</translation>
    </message>
    <message>
        <source>%1 alerts are not known to have arrived.</source>
        <translation>有 %1 条告警不知是否送达。</translation>
    </message>
    <message>
        <source>More than %1 alerts of locks are open. Others are raised when some have ended.</source>
        <translation>未结束的锁告警超过 %1 条。其余告警在部分结束后触发。</translation>
    </message>
    <message>
        <source>The webhook at %1 answered with HTTP status %2.</source>
        <translation>%1 上的 webhook 返回 HTTP 状态 %2。</translation>
    </message>
    <message>
        <source>The webhook&apos;s host %1 was not found.</source>
        <translation>找不到 webhook 的主机 %1。</translation>
    </message>
    <message>
        <source>The webhook at %1 refused the connection.</source>
        <translation>%1 上的 webhook 拒绝了连接。</translation>
    </message>
    <message>
        <source>The webhook at %1 did not answer in time.</source>
        <translation>%1 上的 webhook 没有及时应答。</translation>
    </message>
    <message>
        <source>The webhook at %1 could not be reached.</source>
        <translation>无法连接 %1 上的 webhook。</translation>
    </message>
    <message>
        <source>%1 %2 alerts were not taken.</source>
        <translation>%1有 %2 条告警未被接收。</translation>
    </message>
    <message>
        <source>%1 The alerts are sent again.</source>
        <translation>%1告警将重新发送。</translation>
    </message>
    <message>
        <source>%1: its locks are not known from here on</source>
        <translation>%1：从此处起其锁未知</translation>
    </message>
    <message>
        <source>%1: its locks are known again</source>
        <translation>%1：其锁再次已知</translation>
    </message>
    <message>
        <source>record what the server tells to this file</source>
        <translation>将服务器告知的内容录制到此文件</translation>
    </message>
    <message>
        <source>show a recording instead of a server</source>
        <translation>显示录制而不是服务器</translation>
    </message>
    <message>
        <source>--replay needs no server: leave out --record, --demo and the options of a server.</source>
        <translation>--replay 不需要服务器：请去掉 --record、--demo 和服务器选项。</translation>
    </message>
    <message>
        <source>--max-size and --anonymous need --record FILE.</source>
        <translation>--max-size 和 --anonymous 需要 --record FILE。</translation>
    </message>
    <message>
        <source>--record records one server: give one --connect.</source>
        <translation>--record 只录制一个服务器：请只给出一个 --connect。</translation>
    </message>
    <message>
        <source>The alert command was ended by a signal.</source>
        <translation>告警命令被信号终止。</translation>
    </message>
    <message>
        <source>The webhook at %1 has no certificate that this machine trusts, or speaks no TLS.</source>
        <translation>%1 上的 webhook 没有本机信任的证书，或不支持 TLS。</translation>
    </message>
    <message>
        <source>The webhook at %1 closed the connection without an answer.</source>
        <translation>%1 上的 webhook 未应答就关闭了连接。</translation>
    </message>
    <message>
        <source>The webhook took too few alerts for too long: %1 alerts were not sent.</source>
        <translation>webhook 长时间接收的告警太少：有 %1 条告警未发送。</translation>
    </message>
    <message>
        <source>No locks at %1 match the filter (other locks: %2). Scanned %3 in %4.</source>
        <translation>%1 上没有与过滤条件匹配的锁（其他锁：%2）。扫描了 %3，用时 %4。</translation>
    </message>
    <message>
        <source>list only what matches, as in the window&apos;s filter: &apos;state:held owner:web-*&apos;</source>
        <translation>只列出匹配的锁，写法与窗口的过滤条件相同：&apos;state:held owner:web-*&apos;</translation>
    </message>
    <message>
        <source>share of iterations that hold ten times as long</source>
        <translation>持锁时间为十倍的迭代比率</translation>
    </message>
    <message>
        <source>%1 is needed.</source>
        <translation>需要 %1。</translation>
    </message>
    <message>
        <source>%1 takes UTF-8. Write other bytes as \xNN after key= or owner=.</source>
        <translation>%1 只接受 UTF-8。其他字节请在 key= 或 owner= 之后写作 \xNN。</translation>
    </message>
    <message>
        <source>%1 takes a family as list shows it: reentrant, token, …</source>
        <translation>%1 接受 list 所显示的类型：reentrant、token …</translation>
    </message>
    <message>
        <source>%1 takes a number of seconds, at least 0.001, as in 30 or 0.5.</source>
        <translation>%1 接受秒数，至少 0.001，例如 30 或 0.5。</translation>
    </message>
    <message>
        <source>%1 takes a percentage from 0.1 to 100, as in 25.</source>
        <translation>%1 接受 0.1 到 100 的百分比，例如 25。</translation>
    </message>
    <message>
        <source>%1 must not be empty.</source>
        <translation>%1 不能为空。</translation>
    </message>
    <message>
        <source>%1 takes a whole number from %2 to %3.</source>
        <translation>%1 接受 %2 到 %3 的整数。</translation>
    </message>
    <message>
        <source>%1 takes %2 or %3.</source>
        <translation>%1 的值为 %2 或 %3。</translation>
    </message>
    <message>
        <source>%1 takes a number of seconds, 0 or at least 0.001, as in 30 or 0.5.</source>
        <translation>%1 接受秒数，0 或至少 0.001，例如 30 或 0.5。</translation>
    </message>
    <message>
        <source>%1 takes HH:MM[:SS], a date and time as in 2026-01-31T03:12:00 (local) or 2026-01-31T03:12:00Z, or seconds since 1970.</source>
        <translation>%1 接受 HH:MM[:SS]、日期和时间，例如 2026-01-31T03:12:00（本地）或 2026-01-31T03:12:00Z，或自 1970 年起的秒数。</translation>
    </message>
    <message>
        <source>%1 takes a whole number from %2 to %3, or 0 for no such alert.</source>
        <translation>%1 需要 %2 到 %3 的整数，或用 0 关闭该告警。</translation>
    </message>
    <message>
        <source>%1 takes an address that starts with http:// or https://.</source>
        <translation>%1 需要以 http:// 或 https:// 开头的网址。</translation>
    </message>
    <message>
        <source>%1 takes the SHA-256 fingerprint of a certificate: 64 hexadecimal digits.</source>
        <translation>%1 的值为证书的 SHA-256 指纹：64 位十六进制数字。</translation>
    </message>
    <message>
        <source>%1 takes ANNOUNCED=REACHABLE, as in 10.0.0.5:6379=localhost:7001 or 10.0.0.5=localhost.</source>
        <translation>%1 的格式为“公布地址=可达地址”，例如 10.0.0.5:6379=localhost:7001 或 10.0.0.5=localhost。</translation>
    </message>
    <message>
        <source>%1 takes [USER@]HOST[:PORT], as in ops@bastion: a name that ssh knows.</source>
        <translation>%1 的值为 [USER@]HOST[:PORT]，例如 ops@bastion：ssh 认识的名称。</translation>
    </message>
    <message>
        <source>%1 takes HOST:PORT[,HOST:PORT...], as in host1:26379,host2.</source>
        <translation>%1 的值为 HOST:PORT[,HOST:PORT...]，例如 host1:26379,host2。</translation>
    </message>
    <message>
        <source>%1 takes the name under which the Sentinels know the primary.</source>
        <translation>%1 的值为哨兵所知的主节点名称。</translation>
    </message>
    <message>
        <source>%1 takes whole numbers.</source>
        <translation>%1 接受整数。</translation>
    </message>
    <message>
        <source>%1 takes whole milliseconds, up to one day.</source>
        <translation>%1 接受整毫秒数，最长一天。</translation>
    </message>
    <message>
        <source>%1 takes milliseconds, as in 5, 0.5, uniform:1..20 or exp:5.</source>
        <translation>%1 接受毫秒数，例如 5、0.5、uniform:1..20 或 exp:5。</translation>
    </message>
    <message>
        <source>%1 takes a share of all iterations, from 0 to 1, as in 0.05.</source>
        <translation>%1 接受占全部迭代的份额，从 0 到 1，例如 0.05。</translation>
    </message>
    <message>
        <source>print changes live, one event per line. Between two readings, what one owner releases
      and acquires again leaves no event</source>
        <translation>实时输出变化，每行一个事件。同一持有者在两次读取之间释放
      又重新获取的锁不产生事件</translation>
    </message>
    <message>
        <source>nothing was sent: whether this is a lock is unknown; name its --family to act on it</source>
        <translation>未发送任何内容：这是否是锁未知；请用 --family 指明其类型后再操作</translation>
    </message>
    <message>
        <source>%1 until the lock expires</source>
        <comment>a time</comment>
        <translation>距锁过期还有 %1</translation>
    </message>
    <message>
        <source>No expiry. Whether this is a lock is unknown.</source>
        <translation>无过期时间。这是否是锁未知。</translation>
    </message>
    <message>
        <source>No expiry. Which library wrote it, and whether that gives its locks an expiry, is unknown.</source>
        <translation>无过期时间。由哪个库写入、该库是否为其锁设置过期时间均未知。</translation>
    </message>
    <message>
        <source>Without expiry, family ambiguous: %1</source>
        <translation>无过期时间且类型不确定：%1</translation>
    </message>
    <message>
        <source>the locks of %1 more servers are missing</source>
        <translation>另有 %1 台服务器的锁缺失</translation>
    </message>
    <message>
        <source>Why it is held: %1</source>
        <translation>为何仍被持有：%1</translation>
    </message>
    <message>
        <source>Possible locks, of unknown content: %1.</source>
        <translation>可能的锁（内容未知）：%1。</translation>
    </message>
    <message>
        <source>possible</source>
        <comment>state</comment>
        <translation>可能是锁</translation>
    </message>
    <message>
        <source>The recorder&apos;s clock was set from %1 to %2.</source>
        <translation>录制机器的时钟由 %1 调整为 %2。</translation>
    </message>
    <message>
        <source>No client used the key. Search longer with --duration, up to 30 seconds.</source>
        <translation>没有客户端使用此键。可用 --duration 延长查找时间，最长 30 秒。</translation>
    </message>
    <message>
        <source>None of them was seen to hold the lock: a holder that does not renew sends nothing.</source>
        <translation>未观察到其中任何客户端持有此锁：不续期的持有者不发送任何命令。</translation>
    </message>
    <message>
        <source>Clients of the Unix socket cannot be told apart: each line may be several.</source>
        <translation>无法区分 Unix 套接字的各个客户端：每一行可能是多个客户端。</translation>
    </message>
    <message>
        <source>where to serve /metrics: 127.0.0.1:10121; :10121 for all addresses</source>
        <translation>提供 /metrics 的地址：127.0.0.1:10121；:10121 表示所有地址</translation>
    </message>
    <message>
        <source>%1 takes an IP address and a port, as in 127.0.0.1:10121, [::1]:10121, or :10121 for all addresses of this machine.</source>
        <translation>%1 的值为 IP 地址和端口，例如 127.0.0.1:10121、[::1]:10121；:10121 表示本机所有地址。</translation>
    </message>
    <message>
        <source>a lock without expiry whose family is ambiguous is printed and breaks no rule</source>
        <translation>类型不确定且无过期时间的锁会输出，但不违反规则</translation>
    </message>
    <message>
        <source>family: reentrant, token, ... (acquire: reentrant; else as found)</source>
        <translation>锁类型：reentrant、token 等（acquire：reentrant；其他：自动识别）</translation>
    </message>
    <message>
        <source>wake the first waiter in a queue whose lock is gone</source>
        <translation>唤醒孤立队列中的第一个等待者</translation>
    </message>
    <message>
        <source>rule: no problem as in list, no deadlock, no dead waiter (default, with open no expiry)</source>
        <translation>规则：无 list 所列问题、无死锁、无已死等待者；默认还列出含义不确定的无过期时间</translation>
    </message>
    <message>
        <source>key pattern to scan for; repeatable (lock:*, lock_*, *:lock, and families&apos; usual names)</source>
        <translation>要扫描的键模式；可重复（lock:*、lock_*、*:lock，以及各锁类型的常用锁名）</translation>
    </message>
    <message>
        <source>STORED AS</source>
        <comment>column of a table</comment>
        <translation>存储形式</translation>
    </message>
    <message>
        <source>USUAL NAMES</source>
        <comment>column of a table</comment>
        <translation>常用名称</translation>
    </message>
    <message>
        <source>FROM</source>
        <comment>column of a table</comment>
        <translation>来源</translation>
    </message>
    <message>
        <source>There is no family %1. See: lockscope-cli family list</source>
        <translation>没有锁类型 %1。请参见：lockscope-cli family list</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1: the family %2 is in order. Examples: %3.</source>
        <translation>%1：锁类型 %2 没有问题。示例：%3。</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>CERTAINTY</source>
        <comment>column of a table</comment>
        <translation>确定程度</translation>
    </message>
    <message>
        <source>KNOWN OF IT</source>
        <comment>column of a table</comment>
        <translation>已知信息</translation>
    </message>
    <message>
        <source>Locks of the family %1: %2. Candidates: %3. Other keys with such names: %4.</source>
        <translation>锁类型 %1 的锁：%2。候选：%3。同类名称的其他键：%4。</translation>
    </message>
    <message>
        <source>The first %1 are explained.</source>
        <translation>只解释前 %1 个。</translation>
    </message>
    <message>
        <source>The family has no usual names: say with --pattern where to look.</source>
        <translation>该锁类型没有常用名称：请用 --pattern 指明在哪里查找。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; needs a NAME.</source>
        <translation>“%1”需要 NAME。</translation>
    </message>
    <message>
        <source>read families from the files *.toml there, too</source>
        <translation>也从该目录的 *.toml 文件读取锁类型</translation>
    </message>
    <message>
        <source>list the families: which libraries and applications are known</source>
        <translation>列出锁类型：已知哪些库和应用</translation>
    </message>
    <message>
        <source>show what is known of a family</source>
        <translation>显示某个锁类型的已知信息</translation>
    </message>
    <message>
        <source>show what such a file finds on a server, and what it rejects</source>
        <translation>显示这种文件在服务器上找到什么、拒绝什么</translation>
    </message>
    <message>
        <source>no key %1</source>
        <translation>键 %1 不存在</translation>
    </message>
    <message>
        <source>No form of a family describes what %1 holds.</source>
        <translation>没有任何锁类型的形式能描述 %1 的内容。</translation>
    </message>
    <message>
        <source>draft such a file from what a key holds</source>
        <translation>根据某个键的内容起草这样的文件</translation>
    </message>
    <message>
        <source>Expires in %1 unless renewed. Some holders of this family renew: by an option of the library, or by what is built on it.</source>
        <translation>若不续期则在 %1 后过期。此类锁的部分持有者进程会续期：由库的选项或基于该库的程序进行。</translation>
    </message>
    <message>
        <source>Possible locks, of unknown content: %1. Show with --filter state:possible.</source>
        <translation>可能的锁（内容未知）：%1。用 --filter state:possible 显示。</translation>
    </message>
    <message>
        <source>(and %1 more: --json)</source>
        <translation>（另有 %1 个，见 --json）</translation>
    </message>
    <message>
        <source>held by %1 since %2 by its own clock (%3), limit %4</source>
        <translation>%1 自 %2 起持有（以其自身时钟为准，%3），上限 %4</translation>
    </message>
    <message>
        <source>heartbeat: %1</source>
        <translation>心跳：%1</translation>
    </message>
    <message>
        <source>matches, but nobody holds it</source>
        <translation>匹配，但无人持有</translation>
    </message>
    <message>
        <source>matches, but it is more certainly of another family: %1</source>
        <translation>匹配，但更确定地属于另一个锁类型：%1</translation>
    </message>
    <message>
        <source>Probably no locks: %1.</source>
        <translation>可能不是锁：%1。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; was given too many arguments.</source>
        <translation>“%1”的参数过多。</translation>
    </message>
    <message>
        <source>check files of families of your own</source>
        <translation>检查您自己的锁类型文件</translation>
    </message>
    <message numerus="yes">
        <source>%1 more key(s) may be locks, but match no pattern. To read these instead:%2</source>
        <translation>
            <numerusform>另有 %1 个键可能是锁，但不匹配任何键模式。若要改为读取它们：%2</numerusform>
        </translation>
    </message>
    <message>
        <source>Lock without a key (portalocker): the channel %1, held by the client %2 for at most %3.</source>
        <translation>没有键的锁（portalocker）：频道 %1，由客户端 %2 持有，最多已 %3。</translation>
    </message>
    <message>
        <source>Not listed, because of --limit: %1.</source>
        <translation>因 --limit 而未列出：%1。</translation>
    </message>
    <message>
        <source>list only the first N locks, in the order of their keys</source>
        <translation>只按键的顺序列出前 N 个锁</translation>
    </message>
    <message>
        <source>but its job is still in %1: the job has stalled, and the queue will give it to another worker</source>
        <translation>但其任务仍在 %1 中：任务已停滞，队列会将其交给其他工作进程</translation>
    </message>
    <message>
        <source>Ambiguous; only the content says who may hold them:</source>
        <translation>类型不确定（仅内容表明可能的持有者）：</translation>
    </message>
    <message>
        <source>Keys read: %1. Certain locks: %2. Likely locks: %3. Ambiguous: %4.</source>
        <translation>已读取的键：%1。确定的锁：%2。很可能的锁：%3。类型不确定：%4。</translation>
    </message>
    <message>
        <source>Names looked at: %1, names with the word for a lock, and those that known families usually give their locks. To find locks under other names, use --pattern or the verb search.</source>
        <translation>所查名称：%1、含有“lock”等词的名称，以及已知锁类型的常用锁名。若锁使用其他名称，请用 --pattern 或 search 命令查找。</translation>
    </message>
</context>
<context>
    <name>lockscope::bannerchoice</name>
    <message numerus="yes">
        <source>%n server(s) of the Redlock group are not available</source>
        <translation>
            <numerusform>Redlock 组的 %n 个服务器不可用</numerusform>
        </translation>
    </message>
    <message>
        <source>locks are known as far as the others tell</source>
        <translation>锁的状态以其余服务器为准</translation>
    </message>
    <message>
        <source>no lock&apos;s quorum can be known, and none can be acquired</source>
        <translation>无法判断锁是否达到多数，也无法获取锁</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) of the cluster are not available</source>
        <translation>
            <numerusform>集群的 %n 个节点不可用</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is not available</source>
        <translation>%1 不可用</translation>
    </message>
    <message>
        <source>what is shown in gray is as last read</source>
        <translation>灰色部分为上次读取的状态</translation>
    </message>
    <message>
        <source>its locks are unknown and not shown</source>
        <comment>of nodes</comment>
        <translation>其锁未知，未显示</translation>
    </message>
    <message>
        <source>No Sentinel answers</source>
        <translation>没有哨兵应答</translation>
    </message>
    <message>
        <source>%1 is still connected. A failover would be noticed only when that connection ends.</source>
        <translation>与 %1 的连接仍然有效。若发生故障转移，只有在该连接断开时才能察觉。</translation>
    </message>
    <message>
        <source>; </source>
        <comment>between two who wait for each other</comment>
        <translation>；</translation>
    </message>
    <message>
        <source>Deadlock: these owners wait for each other</source>
        <translation>死锁：以下持有者互相等待</translation>
    </message>
    <message numerus="yes">
        <source>%n deadlock(s): these owners wait for each other</source>
        <translation>
            <numerusform>%n 处死锁：以下持有者互相等待</numerusform>
        </translation>
    </message>
    <message>
        <source>%1.</source>
        <comment>a sentence of its words</comment>
        <translation>%1。</translation>
    </message>
    <message>
        <source>Lockscope is still connected and scans again within a minute, or at once with F5.</source>
        <translation>Lockscope 仍保持连接，会在一分钟内重新扫描；按 F5 可立即扫描。</translation>
    </message>
    <message>
        <source>Lockscope is still connected and retries automatically.</source>
        <translation>Lockscope 仍保持连接，会自动重试。</translation>
    </message>
    <message numerus="yes">
        <source>Next attempt in %n s.</source>
        <translation>
            <numerusform>%n 秒后重试。</numerusform>
        </translation>
    </message>
    <message>
        <source>Connecting now.</source>
        <translation>正在连接。</translation>
    </message>
    <message>
        <source>A failover is under way.</source>
        <translation>故障转移正在进行。</translation>
    </message>
    <message>
        <source>The data shown is %1 old.</source>
        <translation>所示数据为 %1前的。</translation>
    </message>
    <message>
        <source>Nothing has been read yet.</source>
        <translation>尚未读取任何数据。</translation>
    </message>
    <message>
        <source>Connecting to %1 again…</source>
        <translation>正在重新连接 %1…</translation>
    </message>
    <message>
        <source>This moment is being read</source>
        <translation>正在读取这一时刻</translation>
    </message>
    <message>
        <source>Until all of it is read, locks shown in gray may be those of another moment.</source>
        <translation>在全部读取之前，灰色显示的锁可能属于另一时刻。</translation>
    </message>
    <message>
        <source>Not all locks are known at this moment</source>
        <translation>此时刻并非所有锁都已知</translation>
    </message>
    <message>
        <source>%1. What is shown in gray is as it was known last.</source>
        <comment>why a recording lacks something</comment>
        <translation>%1。灰色内容为最后已知的状态。</translation>
    </message>
    <message>
        <source>Retry now</source>
        <translation>立即重试</translation>
    </message>
    <message>
        <source>Edit connection…</source>
        <translation>编辑连接…</translation>
    </message>
    <message>
        <source>Show lock waits</source>
        <translation>显示锁等待</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy ACL rule</source>
        <translation>复制 ACL 规则</translation>
    </message>
    <message>
        <source>Go to the next known moment</source>
        <translation>转到下一个已知时刻</translation>
    </message>
</context>
<context>
    <name>lockscope::effects</name>
    <message>
        <source>No waiter is notified. Polling waiters find the lock free at their next attempt.</source>
        <translation>不会通知等待者。轮询的等待者下次尝试时会发现锁已空闲。</translation>
    </message>
    <message>
        <source>A message on the channel %1 wakes all waiters.</source>
        <translation>频道 %1 上的消息会唤醒所有等待者。</translation>
    </message>
    <message>
        <source>A message on the channel %1 wakes one waiting thread of each process. Polling waiters find the lock free.</source>
        <translation>频道 %1 上的消息会唤醒每个进程中的一个等待线程。轮询的等待者会发现锁已空闲。</translation>
    </message>
    <message>
        <source>A message wakes the first waiter in the queue.</source>
        <translation>消息会唤醒队列中的第一个等待者。</translation>
    </message>
    <message>
        <source>The lock is handed to the first subscribed waiter in the queue.</source>
        <translation>锁会移交给队列中第一个已订阅的等待者。</translation>
    </message>
    <message>
        <source>The lock is handed to the first subscribed waiter in the queue: %1 is next.</source>
        <translation>锁会移交给队列中第一个已订阅的等待者：下一个是 %1。</translation>
    </message>
    <message numerus="yes">
        <source>%n wait(s) for it now.</source>
        <translation>
            <numerusform>目前有 %n 个在等待。</numerusform>
        </translation>
    </message>
    <message>
        <source>The holder is not notified and does not notice.</source>
        <translation>不会通知持有者进程，它也不会察觉。</translation>
    </message>
    <message>
        <source>The holder is not notified and may still be working. Its release will fail.</source>
        <translation>不会通知持有者进程，其可能仍在工作。其释放会失败。</translation>
    </message>
    <message>
        <source>Within about a minute another worker gets the job, while the old one may still be running it.</source>
        <translation>约一分钟内作业会交给另一个工作进程，而原来的可能仍在运行它。</translation>
    </message>
    <message>
        <source>The holder is not notified and may still be working. Its next renewal will fail.</source>
        <translation>不会通知持有者进程，其可能仍在工作。其下次续期会失败。</translation>
    </message>
    <message>
        <source>Unless another owner acquires the lock first, the holder&apos;s next renewal writes the lock again. Stop that process first.</source>
        <translation>若其间没有其他持有者获取该锁，持有者进程的下次续期会重新写入该锁。请先停止该进程。</translation>
    </message>
    <message>
        <source>The holder is not notified and may still be working. Its release deletes the key without a check, even if the next owner holds the lock.</source>
        <translation>不会通知持有者进程，其可能仍在工作。其释放会不经检查地删除该键，即使锁已由下一个持有者持有。</translation>
    </message>
    <message>
        <source>If this is a %1 lock, the holder&apos;s next renewal writes the lock again. Stop that process first.</source>
        <translation>若这是 %1 锁，持有者进程的下次续期会重新写入该锁。请先停止该进程。</translation>
    </message>
    <message>
        <source>If this is a %1 lock, the holder&apos;s release deletes the key without a check, even if the next owner holds the lock.</source>
        <translation>若这是 %1 锁，持有者进程的释放会不经检查地删除该键，即使锁已由下一个持有者持有。</translation>
    </message>
    <message>
        <source>If the holder still renews the lock, a grace period has no effect: the next renewal restores the lease.</source>
        <translation>若持有者进程仍在续期，宽限期不起作用：下次续期会恢复租期。</translation>
    </message>
    <message>
        <source>If %1 is not subscribed, it is removed from the queue. If it is still running, it joins the queue again at the end.</source>
        <translation>若 %1 未订阅，会将其移出队列。若它仍在运行，会重新加入队尾。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>two sentences, one after the other</comment>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>The next waiter acquires the free lock at its next attempt.</source>
        <translation>下一个等待者在其下次尝试时获取空闲的锁。</translation>
    </message>
    <message>
        <source>The lock is free, so the next waiter is woken.</source>
        <translation>锁已空闲，因此会唤醒下一个等待者。</translation>
    </message>
    <message>
        <source>A message wakes the first waiter in the queue, %1. If it is not subscribed, the first subscribed waiter is woken instead.</source>
        <translation>消息会唤醒队列中的第一个等待者 %1。若它未订阅，则改为唤醒第一个已订阅的等待者。</translation>
    </message>
    <message>
        <source>If this is a %1 lock, its waiters are not woken. Add a family rule first.</source>
        <translation>若这是 %1 锁，其等待者不会被唤醒。请先添加锁类型规则。</translation>
    </message>
    <message numerus="yes">
        <source>At least %n wait(s) for it now.</source>
        <translation>
            <numerusform>现在至少有 %n 个在等待它。</numerusform>
        </translation>
    </message>
    <message>
        <source>It cannot be force-expired: it stores no owners, only the count of free permits.</source>
        <translation>无法强制过期：它不存储持有者，只存储空闲许可的数量。</translation>
    </message>
    <message>
        <source>A message wakes the first waiter in the queue, %1, and those behind it up to the first whose subscription is seen here.</source>
        <translation>消息会唤醒队列中的第一个等待者 %1，以及其后直到第一个在此处看得到订阅的等待者。</translation>
    </message>
    <message>
        <source>The lock is handed to the first waiter in the queue that has not timed out: %1 is next.</source>
        <translation>锁会移交给队列中第一个未超时的等待者：下一个是 %1。</translation>
    </message>
    <message>
        <source>The holder is not notified and may still be working. Its library is not known: its release may fail, do nothing, or delete the next owner&apos;s lock.</source>
        <translation>不会通知持有者进程，该进程可能仍在工作。其库未知：释放可能失败、毫无效果，或删除下一个持有者的锁。</translation>
    </message>
    <message>
        <source>If this is a %1 lock, its holder&apos;s process exits if its next renewal finds no lock.</source>
        <translation>若这是 %1 锁，持有者进程在下次续期发现锁已不在时会退出。</translation>
    </message>
    <message>
        <source>The token alone proves little, so the time left is compared too. If it has risen, nothing is changed.</source>
        <translation>仅凭令牌不足以证明，因此还会比较剩余时间。若剩余时间增加，则不做任何更改。</translation>
    </message>
    <message>
        <source>None: this is not a recognized lock, and Lockscope has no script that expires it.</source>
        <translation>无：这不是可识别的锁，Lockscope 没有可使此键过期的脚本。</translation>
    </message>
    <message>
        <source>No effect: no subscription of %1 is seen here, but %2.</source>
        <translation>无效果：此处看不到 %1 的订阅，但%2。</translation>
    </message>
    <message>
        <source>The token alone proves little: the next owner&apos;s lock may be expired instead.</source>
        <translation>仅凭令牌不足以证明：可能会使下一个持有者的锁过期。</translation>
    </message>
    <message>
        <source>The holder&apos;s process exits if its next renewal finds no lock. On exit it deletes the key without a check, even if the next owner holds the lock.</source>
        <translation>若下次续期时锁已不在，持有者进程会退出。退出时它会不经检查地删除该键，即使锁已由下一个持有者持有。</translation>
    </message>
    <message>
        <source>Runs on all %1 servers of the group. A server that names another owner is left as it is.</source>
        <translation>在该组全部 %1 个服务器上执行。持有者不同的服务器保持不变。</translation>
    </message>
    <message>
        <source>If the lock is stored on several servers, force-expire it on most of them: connect to them as one Redlock group.</source>
        <translation>如果锁存储在多个服务器上，需在多数服务器上强制过期：请将这些服务器作为一个 Redlock 组连接。</translation>
    </message>
    <message>
        <source>To end a deadlock, force-expire one of its locks. The next waiter in its queue can then acquire that lock.</source>
        <translation>要解除死锁，请强制过期其中一个锁。其队列中的下一个等待者随后即可获取该锁。</translation>
    </message>
    <message numerus="yes">
        <source>%n process(es) subscribed to its channel now.</source>
        <translation>
            <numerusform>目前有 %n 个进程订阅了其频道。</numerusform>
        </translation>
    </message>
    <message>
        <source>The key is deleted if its whole content is still what was read. Whether it is a lock, who uses it and who waits for it is unknown: nobody is told.</source>
        <translation>若全部内容仍与读取时相同，则删除此键。它是否是锁、谁在使用、谁在等待均未知：不会通知任何人。</translation>
    </message>
    <message>
        <source>Runs on the servers of the group that can be reached: %1 of %2. A server that names another owner is left as it is.</source>
        <translation>在可连接的服务器上执行：%1／%2 台。持有者不同的服务器保持不变。</translation>
    </message>
    <message>
        <source>Timed-out waiters at the head of the queue are removed. Then a message wakes the first waiter, %1: if it is alive, it acquires the lock. If the lock is held by then, nothing is changed.</source>
        <translation>队首已超时的等待者会移除。随后消息会唤醒第一个等待者 %1：若它仍存活，将获取该锁。若届时锁已被持有，则不作任何更改。</translation>
    </message>
    <message>
        <source>The holder is not notified. What it notices is not known.</source>
        <translation>不会通知持有者进程。它会察觉到什么尚不清楚。</translation>
    </message>
    <message>
        <source>The holder&apos;s library learns of it at once and tells the holder.</source>
        <translation>持有者进程的库会立即得知，并告知持有者进程。</translation>
    </message>
    <message>
        <source>The holder&apos;s process exits if its next renewal finds the lock lost.</source>
        <translation>若下次续期时发现锁已失去，持有者进程会退出。</translation>
    </message>
    <message>
        <source>The lock may be renewed: by an option of its library, or by what is built on the library.</source>
        <translation>该锁可能会被续期：由其库的选项或基于该库的程序进行。</translation>
    </message>
</context>
<context>
    <name>lockscope::emptytable</name>
    <message>
        <source>No lock can be read</source>
        <translation>无法读取任何锁</translation>
    </message>
    <message>
        <source>No locks at the moment</source>
        <translation>当前没有锁</translation>
    </message>
    <message>
        <source>%1 keys scanned for
%2</source>
        <translation>已扫描 %1 个键，查找
%2</translation>
    </message>
    <message>
        <source>Scanning for locks…</source>
        <translation>正在扫描锁…</translation>
    </message>
    <message>
        <source>%1 keys scanned so far, for
%2</source>
        <translation>目前已扫描 %1 个键，查找
%2</translation>
    </message>
    <message>
        <source>This moment is being read</source>
        <translation>正在读取这一时刻</translation>
    </message>
    <message>
        <source>No locks at this moment</source>
        <translation>此时刻没有锁</translation>
    </message>
    <message>
        <source>Locks not known</source>
        <translation>锁未知</translation>
    </message>
    <message>
        <source>The recording has none of this time.</source>
        <translation>录制中此时没有锁。</translation>
    </message>
    <message>
        <source>usual names of known families</source>
        <translation>已知锁类型的常用锁名</translation>
    </message>
</context>
<context>
    <name>lockscope::familywords</name>
    <message>
        <source>node %1 (drawn at random when its process began)</source>
        <translation>节点 %1（进程启动时随机产生）</translation>
    </message>
    <message>
        <source>network address %1</source>
        <translation>网络地址 %1</translation>
    </message>
    <message>
        <source>certain: nothing else looks like this</source>
        <translation>确定：没有别的东西是这个样子</translation>
    </message>
    <message>
        <source>likely: something else could look like this, but hardly does</source>
        <translation>很可能：别的东西也可能是这个样子，但很少见</translation>
    </message>
    <message>
        <source>open: what is stored does not say whose it is</source>
        <translation>未定：所存内容说明不了它属于谁</translation>
    </message>
    <message>
        <source>began to try at %1, by its clock</source>
        <translation>按其时钟，于 %1 开始尝试</translation>
    </message>
    <message>
        <source>took it at %1, by its clock</source>
        <translation>按其时钟，于 %1 取得</translation>
    </message>
    <message>
        <source>on host %1</source>
        <translation>主机 %1</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>进程 %1</translation>
    </message>
    <message>
        <source>client %1</source>
        <translation>客户端 %1</translation>
    </message>
    <message>
        <source>thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>in transaction %1</source>
        <translation>事务 %1</translation>
    </message>
    <message>
        <source>job %1</source>
        <translation>作业 %1</translation>
    </message>
    <message>
        <source>its token number %1</source>
        <translation>其第 %1 个令牌</translation>
    </message>
    <message>
        <source>for the value with the hash %1</source>
        <translation>针对哈希为 %1 的值</translation>
    </message>
    <message>
        <source>adds: %1</source>
        <translation>附注：%1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>kinds of lock, one after the other</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <comment>kinds of lock, the last two</comment>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>permit %1</source>
        <translation>许可 %1</translation>
    </message>
    <message>
        <source>at least %1 (the client may count re-entries itself)</source>
        <translation>至少 %1（客户端可能自行记录重入）</translation>
    </message>
    <message>
        <source>Weak token: every holder writes this same text, so it does not tell holders apart.</source>
        <translation>弱令牌：所有持有者都写入相同的文本，因此无法区分持有者。</translation>
    </message>
    <message>
        <source>Weak token: a small number, such as a process ID, may be another holder&apos;s too.</source>
        <translation>弱令牌：进程 ID 之类的小数字也可能属于其他持有者。</translation>
    </message>
    <message>
        <source>content</source>
        <comment>evidence</comment>
        <translation>内容</translation>
    </message>
    <message>
        <source>name</source>
        <comment>evidence</comment>
        <translation>名称</translation>
    </message>
    <message>
        <source>companion keys</source>
        <comment>evidence</comment>
        <translation>附属键</translation>
    </message>
    <message>
        <source>lease</source>
        <comment>evidence</comment>
        <translation>租约</translation>
    </message>
    <message>
        <source>renewals seen</source>
        <comment>evidence</comment>
        <translation>观察到的续期</translation>
    </message>
    <message>
        <source>your rule</source>
        <comment>evidence</comment>
        <translation>您的规则</translation>
    </message>
    <message>
        <source>subscribers of its channel</source>
        <comment>evidence</comment>
        <translation>频道的订阅者</translation>
    </message>
    <message>
        <source>held it</source>
        <comment>seen to</comment>
        <translation>持有过</translation>
    </message>
    <message>
        <source>tried to acquire</source>
        <comment>seen to</comment>
        <translation>尝试获取</translation>
    </message>
    <message>
        <source>used the key (%1); what for is unknown</source>
        <translation>使用了此键（%1）；用途未知</translation>
    </message>
    <message>
        <source>nothing</source>
        <comment>evidence</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>Locks are looked for under these names.</source>
        <translation>会在这些名称下查找锁。</translation>
    </message>
    <message>
        <source>Such names are counted; with --pattern their locks are shown.</source>
        <translation>只统计这类名称；给出 --pattern 时才显示其锁。</translation>
    </message>
    <message>
        <source>Locks are not looked for under these names; the names help to tell whose they are.</source>
        <translation>不会在这些名称下查找锁；名称只帮助判断锁属于谁。</translation>
    </message>
    <message>
        <source>built in</source>
        <comment>family</comment>
        <translation>内置</translation>
    </message>
    <message>
        <source>Runbook: %1</source>
        <translation>操作手册：%1</translation>
    </message>
    <message>
        <source>Contact: %1</source>
        <translation>联系人：%1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Stored as: %1</source>
        <translation>存储形式：%1</translation>
    </message>
    <message>
        <source>Usual names: %1</source>
        <translation>常用名称：%1</translation>
    </message>
    <message>
        <source>Certain with: %1</source>
        <translation>确定的依据：%1</translation>
    </message>
    <message>
        <source>Likely with: %1</source>
        <translation>很可能的依据：%1</translation>
    </message>
    <message>
        <source>Its holder renews the lease while it lives.</source>
        <translation>持有者存活期间会续期租约。</translation>
    </message>
    <message>
        <source>It has no expiry by default.</source>
        <translation>默认没有过期时间。</translation>
    </message>
    <message>
        <source>When such a lock is ended by force:</source>
        <translation>强制结束这种锁时：</translation>
    </message>
    <message>
        <source>From: %1</source>
        <translation>来源：%1</translation>
    </message>
    <message>
        <source>Some holders renew the lease: by an option of the library, or by what is built on it.</source>
        <translation>部分持有者进程会续期：由库的选项或基于该库的程序进行。</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>类 %1</translation>
    </message>
    <message>
        <source>from the queue %1</source>
        <translation>来自队列 %1</translation>
    </message>
    <message>
        <source>Weak token: a time. It may tell when the lock was acquired or when it ends, but names no holder.</source>
        <translation>弱令牌：一个时间。它可能表示获取锁的时间或锁的结束时间，但不标明持有者。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>client, library</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Candidates by the holder&apos;s client library: %1.</source>
        <translation>按持有者的客户端库判断的候选类型：%1。</translation>
    </message>
</context>
<context>
    <name>lockscope::feedtext</name>
    <message>
        <source>%1: the server pushes every change at once.</source>
        <translation>%1：服务器立即推送每一次变化。</translation>
    </message>
    <message>
        <source>%1: the server pushes every change of a known lock. New locks appear with the next scan.</source>
        <translation>%1：服务器推送已知锁的每一次变化。新锁在下一次扫描时显示。</translation>
    </message>
    <message>
        <source>%1: the server publishes changes as keyspace notifications.</source>
        <translation>%1：服务器以键空间通知发布变化。</translation>
    </message>
    <message>
        <source>%1: the server pushes no changes. Known locks are polled, new locks appear with the next scan.</source>
        <translation>%1：服务器不推送变化。已知锁轮询读取，新锁在下一次扫描时显示。</translation>
    </message>
    <message>
        <source>%1 ago the server reported that every key may have changed. All locks are read again.</source>
        <translation>%1前，服务器报告所有键都可能已改变。正在重新读取全部锁。</translation>
    </message>
    <message>
        <source>%1 ago another client published to the server&apos;s own channel. All locks are read again.</source>
        <translation>%1前，另一客户端向服务器自己的频道发布了消息。正在重新读取全部锁。</translation>
    </message>
    <message>
        <source>%1 ago the change feed&apos;s connection was lost. All locks are read again.</source>
        <translation>%1前，变更通知的连接断开。正在重新读取全部锁。</translation>
    </message>
    <message>
        <source>%1 ago the change feed stopped answering. All locks are read again.</source>
        <translation>%1前，变更通知停止应答。正在重新读取全部锁。</translation>
    </message>
    <message>
        <source>%1 ago the server stopped pushing changes. All locks are read again.</source>
        <translation>%1前，服务器停止推送变化。正在重新读取全部锁。</translation>
    </message>
    <message>
        <source>change feed: tracking</source>
        <translation>变更通知：跟踪</translation>
    </message>
    <message>
        <source>change feed: tracking by key</source>
        <translation>变更通知：逐键跟踪</translation>
    </message>
    <message>
        <source>change feed: notifications</source>
        <translation>变更通知：键空间通知</translation>
    </message>
    <message>
        <source>change feed: polling</source>
        <translation>变更通知：轮询</translation>
    </message>
    <message>
        <source>Known locks are polled, and scans find new locks.</source>
        <translation>已知锁轮询读取，新锁由扫描发现。</translation>
    </message>
    <message>
        <source>The server can push new locks only if a pattern has a literal prefix.</source>
        <translation>只有模式带有固定前缀时，服务器才能推送新锁。</translation>
    </message>
    <message>
        <source>A better mode is not available: %1</source>
        <translation>更好的方式不可用：%1</translation>
    </message>
    <message>
        <source>The server reported that every key may have changed. All locks are read again.</source>
        <translation>服务器报告所有键可能已变更，正在重新读取所有锁。</translation>
    </message>
    <message>
        <source>Another client published to the server&apos;s own channel. All locks are read again.</source>
        <translation>另一个客户端向服务器自身的频道发布了消息，正在重新读取所有锁。</translation>
    </message>
    <message>
        <source>The change feed&apos;s connection was lost. All locks are read again.</source>
        <translation>变更通知的连接断开，正在重新读取所有锁。</translation>
    </message>
    <message>
        <source>The change feed stopped answering. All locks are read again.</source>
        <translation>变更通知停止响应，正在重新读取所有锁。</translation>
    </message>
    <message>
        <source>The server stopped pushing changes. All locks are read again.</source>
        <translation>服务器停止推送变更，正在重新读取所有锁。</translation>
    </message>
</context>
<context>
    <name>lockscope::momenttext</name>
    <message>
        <source>%1 is ready. Its locks are read again.</source>
        <translation>%1 已就绪，正在重新读取其锁。</translation>
    </message>
    <message>
        <source>%1 keeps no locks any more.</source>
        <translation>%1 不再保存锁。</translation>
    </message>
    <message>
        <source>All locks are read again.</source>
        <translation>正在重新读取所有锁。</translation>
    </message>
    <message>
        <source>; </source>
        <comment>between two who wait for each other</comment>
        <translation>；</translation>
    </message>
</context>
<context>
    <name>lockscope::permissiontext</name>
    <message>
        <source>Lockscope retries every %1. Scan now (F5) retries at once.</source>
        <translation>Lockscope 每 %1重试一次。“立即扫描”（F5）可立即重试。</translation>
    </message>
    <message>
        <source>unreadable: %1</source>
        <translation>无法读取：%1 个键</translation>
    </message>
    <message>
        <source>not permitted: %1</source>
        <translation>未授权：%1 项</translation>
    </message>
    <message>
        <source>No permission to scan for locks. New locks may be missing.</source>
        <translation>无权扫描锁。此处可能缺少新出现的锁。</translation>
    </message>
    <message>
        <source>No permission to read some locks any more. They are shown as last read.</source>
        <translation>已无权读取部分锁。这些锁显示的是最后一次读取的数据。</translation>
    </message>
    <message>
        <source>Lockscope retries a few of them every %1. Scan now (F5) retries all at once.</source>
        <translation>Lockscope 每隔 %1重试其中几个。“立即扫描”（F5）会立即重试全部。</translation>
    </message>
</context>
<context>
    <name>lockscope::permissionwords</name>
    <message>
        <source>Reading locks</source>
        <translation>读取锁</translation>
    </message>
    <message>
        <source>Finding locks</source>
        <translation>查找锁</translation>
    </message>
    <message>
        <source>Measuring the server load</source>
        <translation>测量服务器负载</translation>
    </message>
    <message>
        <source>Change feed</source>
        <translation>变更通知</translation>
    </message>
    <message>
        <source>Waiters and companion keys</source>
        <translation>等待者和附属键</translation>
    </message>
    <message>
        <source>%1: this user may not run %2.</source>
        <translation>%1：当前用户无权执行 %2。</translation>
    </message>
    <message>
        <source>%1: this user may not read these keys.</source>
        <translation>%1：当前用户无权读取这些键。</translation>
    </message>
    <message>
        <source>%1: this user may not subscribe to the channel.</source>
        <translation>%1：当前用户无权订阅该频道。</translation>
    </message>
    <message>
        <source>%1: refused. The server does not say whether the command or the key is forbidden: “%2”</source>
        <translation>%1：服务器已拒绝，但未说明禁止的是命令还是键：“%2”</translation>
    </message>
    <message>
        <source>1 key cannot be read: no permission.</source>
        <translation>1 个键无法读取：无权限。</translation>
    </message>
    <message>
        <source>%1 keys cannot be read: no permission.</source>
        <translation>%1 个键无法读取：无权限。</translation>
    </message>
    <message>
        <source>Request the missing permissions of: %1</source>
        <translation>请申请其中缺少的权限：%1</translation>
    </message>
    <message>
        <source>Request: %1</source>
        <translation>请申请：%1</translation>
    </message>
    <message>
        <source>The companion keys of 1 key cannot be read: no permission. Waiters and family of the lock may differ from what is shown.</source>
        <translation>1 个键的附属键无法读取：无权限。该锁的等待者和锁类型可能与所示不同。</translation>
    </message>
    <message>
        <source>The companion keys of %1 keys cannot be read: no permission. Waiters and families of these locks may differ from what is shown.</source>
        <translation>%1 个键的附属键无法读取：无权限。这些锁的等待者和锁类型可能与所示不同。</translation>
    </message>
</context>
<context>
    <name>lockscope::resettext</name>
    <message>
        <source>no known lock is gone</source>
        <translation>没有已知的锁消失</translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s) gone</source>
        <translation>
            <numerusform>%1 个锁消失</numerusform>
        </translation>
    </message>
    <message>
        <source>The replica was emptied at %1; %2.</source>
        <translation>副本于 %1 清空；%2。</translation>
    </message>
    <message>
        <source>The database was flushed at %1; %2.</source>
        <translation>数据库于 %1 清空；%2。</translation>
    </message>
    <message>
        <source>The server was restarted or replaced at %1; %2.</source>
        <translation>服务器于 %1 重启或更换；%2。</translation>
    </message>
    <message>
        <source>The database was found empty at %1; %2.</source>
        <translation>于 %1 发现数据库为空；%2。</translation>
    </message>
    <message>
        <source>Holders of these locks were not notified and may still be working.</source>
        <translation>这些锁的持有者进程未收到通知，可能仍在工作。</translation>
    </message>
    <message>
        <source>The server came back with data.</source>
        <translation>服务器恢复后仍有数据。</translation>
    </message>
    <message>
        <source>The server came back empty. Holders of these locks may still be working.</source>
        <translation>服务器恢复后没有数据。这些锁的持有者进程可能仍在工作。</translation>
    </message>
    <message>
        <source>The server came back empty.</source>
        <translation>服务器恢复后没有数据。</translation>
    </message>
    <message numerus="yes">
        <source>%n more such event(s), each with fewer or as many locks gone; the latest at %1.</source>
        <translation>
            <numerusform>另有 %n 次此类事件，每次消失的锁都不多于此；最近一次在 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>The server counts swaps without naming the databases; most known locks are gone since this one. Their holders were not notified and may still be working.</source>
        <translation>服务器只统计交换次数，不说明是哪些数据库；多数已知的锁自此次交换起消失。其持有者进程未收到通知，可能仍在工作。</translation>
    </message>
    <message>
        <source>The database was flushed or swapped, or every key was deleted or expired. The server does not report which.</source>
        <translation>数据库已清空或被交换，或所有键均已删除或过期。服务器未说明是哪一种。</translation>
    </message>
    <message>
        <source>The database was swapped with another (SWAPDB) at %1; %2.</source>
        <translation>数据库于 %1 与另一个交换（SWAPDB）；%2。</translation>
    </message>
    <message>
        <source>Locks acquired in the last moments before the failover may be lost: %1 may never have heard of them. Their holders were not notified and may still be working.</source>
        <translation>故障转移前最后时刻获取的锁可能已丢失：%1 可能从未收到它们。其持有者未收到通知，可能仍在工作。</translation>
    </message>
    <message>
        <source>%1 took over from %2 at %3; %4.</source>
        <translation>%1 于 %3 接替了 %2；%4。</translation>
    </message>
</context>
<context>
    <name>lockscope::scenario</name>
    <message>
        <source>Stopped early: the expectation was not checked.</source>
        <translation>中途停止：未检验预期。</translation>
    </message>
    <message>
        <source>The expectation was met.</source>
        <translation>符合预期。</translation>
    </message>
    <message>
        <source>The expectation was NOT met.</source>
        <translation>不符合预期。</translation>
    </message>
    <message>
        <source>Expected: %1</source>
        <translation>预期：%1</translation>
    </message>
    <message>
        <source>== %1 ==</source>
        <translation>== %1 ==</translation>
    </message>
</context>
<context>
    <name>lockscope::simulation</name>
    <message>
        <source>release %1</source>
        <translation>释放方式 %1</translation>
    </message>
    <message>
        <source>wake %1</source>
        <translation>唤醒方式 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n 个工作线程</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n process(es)</source>
        <translation>
            <numerusform>%n 个进程</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s)</source>
        <translation>
            <numerusform>%n 个锁</numerusform>
        </translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>随机种子 %1</translation>
    </message>
    <message>
        <source>stopped early</source>
        <translation>中途停止</translation>
    </message>
    <message>
        <source>acquired</source>
        <translation>已获取</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>of all attempts</comment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>已超时</translation>
    </message>
    <message>
        <source>commands per acquisition</source>
        <translation>每次获取的命令数</translation>
    </message>
    <message>
        <source>fairness (Jain)</source>
        <translation>公平性 (Jain)</translation>
    </message>
    <message>
        <source>acquisitions per worker</source>
        <translation>每个工作线程获取次数</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>fewest and most</comment>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>commands</source>
        <translation>命令数</translation>
    </message>
    <message>
        <source>round trip</source>
        <translation>往返时间</translation>
    </message>
    <message>
        <source>rounds</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>%1 valid, %2 voided</source>
        <translation>%1 有效，%2 作废</translation>
    </message>
    <message>
        <source>winners per round</source>
        <translation>每轮赢家数</translation>
    </message>
    <message>
        <source>lost locks</source>
        <translation>锁丢失</translation>
    </message>
    <message>
        <source>crashes</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>pauses</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>%1: p50 %2, p95 %3, p99 %4, longest %5</source>
        <translation>%1：p50 %2，p95 %3，p99 %4，最长 %5</translation>
    </message>
    <message>
        <source>overlap although the lease had not expired</source>
        <translation>重叠（互斥失效）：租约尚未到期</translation>
    </message>
    <message>
        <source>overlap after an expired lease or data loss of the server</source>
        <translation>重叠：发生在租约到期或服务器丢失数据之后</translation>
    </message>
    <message>
        <source>foreign release: another owner&apos;s lock was deleted</source>
        <translation>误删他人锁</translation>
    </message>
    <message>
        <source>lock without expiry</source>
        <translation>无过期时间的锁</translation>
    </message>
    <message>
        <source>lost wake-up: the lock was free, but a waiter was not woken</source>
        <translation>唤醒丢失：锁已空闲，等待者却未被唤醒</translation>
    </message>
    <message>
        <source>fencing token that did not increase</source>
        <translation>防护令牌（fencing token）未增长</translation>
    </message>
    <message>
        <source>stale write, accepted</source>
        <translation>过期写入（已接受）</translation>
    </message>
    <message>
        <source>leaked lock: still held after its owner released it</source>
        <translation>泄漏的锁：持有者释放后仍被持有</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <comment>number, what</comment>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>No violations.</source>
        <translation>没有违规。</translation>
    </message>
    <message>
        <source>Violations:</source>
        <translation>违规：</translation>
    </message>
    <message>
        <source>stale write, rejected by its fencing token</source>
        <translation>过期写入（被防护令牌拒绝）</translation>
    </message>
    <message>
        <source>attempted</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>acquired the lock</source>
        <translation>获取了锁</translation>
    </message>
    <message>
        <source>was refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>released</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>released nothing: the lock was lost</source>
        <translation>未释放任何锁：锁已丢失</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>resumed</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>found the lock lost</source>
        <translation>发现锁已丢失</translation>
    </message>
    <message>
        <source>%1  %2 ms  W%3  lock %4  %5</source>
        <comment>clock, since the start, worker, lock, what</comment>
        <translation>%1  %2 毫秒  W%3  锁 %4  %5</translation>
    </message>
    <message>
        <source>… and %1 more lines</source>
        <translation>… 及另外 %1 行</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>Handoff</source>
        <translation>直接移交</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/秒</translation>
    </message>
    <message>
        <source>Acquired</source>
        <translation>获取次数</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>尝试次数</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>被拒次数</translation>
    </message>
    <message>
        <source>Timed out</source>
        <translation>超时次数</translation>
    </message>
    <message>
        <source>Longest wait</source>
        <translation>最长等待</translation>
    </message>
    <message>
        <source>Fairness</source>
        <translation>公平性</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>差距</translation>
    </message>
    <message>
        <source>Locks lost</source>
        <translation>锁丢失</translation>
    </message>
    <message>
        <source>Crashes</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>Overlaps</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Foreign releases</source>
        <translation>误删他人锁</translation>
    </message>
    <message>
        <source>Locks without expiry</source>
        <translation>无过期时间的锁</translation>
    </message>
    <message>
        <source>Lost wake-ups</source>
        <translation>唤醒丢失</translation>
    </message>
    <message>
        <source>Repeated tokens</source>
        <translation>重复令牌</translation>
    </message>
    <message>
        <source>Stale writes</source>
        <translation>过期写入</translation>
    </message>
    <message>
        <source>Leaked locks</source>
        <translation>泄漏的锁</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Number of acquisitions.</source>
        <translation>获取次数。</translation>
    </message>
    <message>
        <source>Acquisitions per second.</source>
        <translation>每秒获取次数。</translation>
    </message>
    <message>
        <source>Number of attempts; a waiting worker counts once.</source>
        <translation>尝试次数；等待中的工作线程只计一次。</translation>
    </message>
    <message>
        <source>Number of refused single attempts.</source>
        <translation>单次尝试被拒绝的次数。</translation>
    </message>
    <message>
        <source>Number of wait timeouts.</source>
        <translation>等待超时的次数。</translation>
    </message>
    <message>
        <source>Median wait of all acquisitions.</source>
        <translation>获取的等待时间中位数。</translation>
    </message>
    <message>
        <source>99% of all acquisitions waited no longer.</source>
        <translation>99% 的获取等待时间不超过此值。</translation>
    </message>
    <message>
        <source>Longest wait of an acquisition.</source>
        <translation>获取的最长等待时间。</translation>
    </message>
    <message>
        <source>Median time from a holder&apos;s exit to a waiter&apos;s entry.</source>
        <translation>从持有者离开到等待者进入的时间中位数。</translation>
    </message>
    <message>
        <source>Redis commands per acquisition, including release and earlier attempts.</source>
        <translation>每次获取的 Redis 命令数，包括释放和此前的尝试。</translation>
    </message>
    <message>
        <source>Jain&apos;s index: 1 if all workers acquired equally often, near 0 if one worker acquired always.</source>
        <translation>Jain 指数：所有工作线程获取次数相等时为 1，始终由同一个获取时接近 0。</translation>
    </message>
    <message>
        <source>Difference between the most and the fewest acquisitions of a worker.</source>
        <translation>各工作线程获取次数的最大值与最小值之差。</translation>
    </message>
    <message>
        <source>Number of times a worker found its lock lost.</source>
        <translation>工作线程发现锁已丢失的次数。</translation>
    </message>
    <message>
        <source>Number of crashed workers.</source>
        <translation>崩溃的工作线程数。</translation>
    </message>
    <message>
        <source>Moments with two workers in the critical section at once.</source>
        <translation>两个工作线程同时处于临界区的时刻。</translation>
    </message>
    <message>
        <source>Releases that deleted another owner&apos;s lock.</source>
        <translation>误删其他持有者锁的释放次数。</translation>
    </message>
    <message>
        <source>Locks without expiry and without a holder.</source>
        <translation>无过期时间且无持有者进程的锁。</translation>
    </message>
    <message>
        <source>The lock was free, but a waiter was not woken.</source>
        <translation>锁已空闲，但等待者未被唤醒。</translation>
    </message>
    <message>
        <source>Fencing tokens that did not increase from one acquisition to the next.</source>
        <translation>未随获取递增的防护令牌（fencing token）。</translation>
    </message>
    <message>
        <source>Accepted writes of a worker that had lost the lock.</source>
        <translation>丢失锁的工作线程写入且被接受的次数。</translation>
    </message>
    <message>
        <source>Locks still held after their worker released them.</source>
        <translation>工作线程释放后仍被持有的锁。</translation>
    </message>
    <message>
        <source>Duration of the run.</source>
        <translation>运行时长。</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>启动中</translation>
    </message>
    <message>
        <source>The worker is connecting.</source>
        <translation>工作线程正在连接。</translation>
    </message>
    <message>
        <source>resting</source>
        <translation>休息中</translation>
    </message>
    <message>
        <source>The worker is between two iterations.</source>
        <translation>工作线程处于两次迭代之间。</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>The worker waits for a lock.</source>
        <translation>工作线程正在等待锁。</translation>
    </message>
    <message>
        <source>holding</source>
        <translation>持有中</translation>
    </message>
    <message>
        <source>The worker holds the lock and is in its critical section.</source>
        <translation>工作线程持有锁并处于临界区。</translation>
    </message>
    <message>
        <source>The worker and its clock are paused, as in a garbage collection.</source>
        <translation>工作线程及其时钟已暂停，如同进行垃圾回收。</translation>
    </message>
    <message>
        <source>The worker was killed. Its lock stays until the lease expires; then another worker replaces it.</source>
        <translation>工作线程已终止。其锁保留到租约到期，之后由另一工作线程接替。</translation>
    </message>
    <message>
        <source>disconnected</source>
        <translation>已断开</translation>
    </message>
    <message>
        <source>The worker has no connection and retries.</source>
        <translation>工作线程没有连接，正在重试。</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>The worker has finished.</source>
        <translation>工作线程已完成。</translation>
    </message>
    <message>
        <source>Custom setup: %1</source>
        <translation>自定义设置：%1</translation>
    </message>
    <message>
        <source>faults of the server</source>
        <translation>服务器故障</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>carried out, and planned</comment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <comment>strategies</comment>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>EXEC refused</source>
        <translation>EXEC 拒绝</translation>
    </message>
    <message>
        <source>%1/acq.</source>
        <comment>for each acquisition</comment>
        <translation>%1/次</translation>
    </message>
    <message>
        <source>Wait p50</source>
        <translation>等待时间 P50</translation>
    </message>
    <message>
        <source>Wait p99</source>
        <translation>等待时间 P99</translation>
    </message>
    <message>
        <source>Handoff p50</source>
        <translation>移交时间 P50</translation>
    </message>
    <message>
        <source>Commands per acquisition</source>
        <translation>每次获取的命令数</translation>
    </message>
    <message>
        <source>Transactions that did not run because the lock changed between check and delete.</source>
        <translation>因锁在检查与删除之间发生变化而未执行的事务。</translation>
    </message>
</context>
<context>
    <name>lockscope::verdictwords</name>
    <message>
        <source>Unknown: one reading does not tell whether the holder renews the lock.</source>
        <translation>未知：一次读取无法判断持有者是否续期。</translation>
    </message>
    <message>
        <source>Unknown: every holder may write this token, so a renewal and a new holder look alike.</source>
        <translation>未知：每个持有者都可能写入此令牌，因此续期与新的持有者看起来相同。</translation>
    </message>
    <message>
        <source>Unknown: the content does not tell whether anybody holds it.</source>
        <translation>未知：内容无法说明是否有人持有它。</translation>
    </message>
    <message>
        <source>Unknown: this user may not read the lock any more.</source>
        <translation>未知：此用户不再有权读取该锁。</translation>
    </message>
    <message>
        <source>Unknown.</source>
        <translation>未知。</translation>
    </message>
    <message>
        <source>It is being renewed: a process keeps it alive.</source>
        <translation>正在续期：有进程使其保持有效。</translation>
    </message>
    <message>
        <source>It is being renewed, and has been held longer than is usual for this key.</source>
        <translation>正在续期，且持有时间超过此键的通常时间。</translation>
    </message>
    <message>
        <source>The renewal is overdue: its holder is finishing, paused or dead.</source>
        <translation>续期已逾期：其持有者即将完成、已暂停或已死。</translation>
    </message>
    <message>
        <source>No renewal was seen: its lease is running out, whether its holder is alive or not.</source>
        <translation>未观察到续期：无论持有者是否存活，租约都将耗尽。</translation>
    </message>
    <message>
        <source>It has no expiry: only a release or a forced expiry ends it.</source>
        <translation>它没有过期时间：只有释放或强制过期才能结束。</translation>
    </message>
    <message>
        <source>Nobody holds it; its waiters are behind a dead one.</source>
        <translation>无人持有；其等待者排在一个已死的等待者之后。</translation>
    </message>
    <message>
        <source>Nobody holds it; nothing wakes its waiters.</source>
        <translation>无人持有；没有任何事物唤醒其等待者。</translation>
    </message>
    <message>
        <source>Let it finish: after a forced expiry it works on beside the next holder.</source>
        <translation>请让它完成：强制过期后，它会与下一个持有者同时工作。</translation>
    </message>
    <message>
        <source>Find its process and see what it waits for; after a forced expiry it works on beside the next holder.</source>
        <translation>请找到其进程并查看它在等待什么；强制过期后，它会与下一个持有者同时工作。</translation>
    </message>
    <message>
        <source>Look at its process, or wait for the expiry.</source>
        <translation>请查看其进程，或等待过期。</translation>
    </message>
    <message>
        <source>Wait for the expiry: it is the safe end.</source>
        <translation>请等待过期：这是安全的结束方式。</translation>
    </message>
    <message>
        <source>Find out whether its process is alive; if it is not, force-expire the lock.</source>
        <translation>请确认其进程是否存活；若已死，再强制过期。</translation>
    </message>
    <message>
        <source>Remove the dead waiter.</source>
        <translation>请移除已死的等待者。</translation>
    </message>
    <message>
        <source>Wake the queue.</source>
        <translation>请唤醒队列。</translation>
    </message>
    <message>
        <source>Grant the permission again.</source>
        <translation>请重新授予权限。</translation>
    </message>
    <message>
        <source>Find out which application writes the key before you touch it.</source>
        <translation>操作之前，请先弄清哪个应用写入此键。</translation>
    </message>
    <message>
        <source>Watch it for the length of its lease, or find the clients that use it.</source>
        <translation>请观察一个租约的时长，或查找使用它的客户端。</translation>
    </message>
    <message>
        <source>It has no expiry in Redis: what is stored says until when it holds.</source>
        <translation>它在 Redis 中没有过期时间：存储的内容说明了持有到何时。</translation>
    </message>
    <message>
        <source>The heartbeat of its holder has stopped: the process has crashed, or cannot reach the server.</source>
        <translation>持有者的心跳已停止：进程已崩溃，或无法连接服务器。</translation>
    </message>
    <message>
        <source>Make sure that its process has ended, then force-expire the lock.</source>
        <translation>请先确认其进程已结束，再强制过期该锁。</translation>
    </message>
    <message>
        <source>It has no expiry in Redis. What is stored is a time: of the acquisition, or after which others may acquire the lock.</source>
        <translation>它在 Redis 中没有到期时间。存储的是一个时间：获取锁的时间，或其他客户端可以获取锁的时间。</translation>
    </message>
</context>
<context>
    <name>lockscope::words</name>
    <message>
        <source>The host of %1 was not found. Check its spelling and this machine&apos;s name service.</source>
        <translation>找不到 %1 的主机。请检查拼写和本机的域名解析。</translation>
    </message>
    <message>
        <source>%1 refused the connection. Check the address and that the server is running.</source>
        <translation>%1 拒绝连接。请检查地址，并确认服务器正在运行。</translation>
    </message>
    <message>
        <source>%1 did not answer in time. Check the address and any firewall in between.</source>
        <translation>%1 未及时应答。请检查地址，以及其间的防火墙。</translation>
    </message>
    <message>
        <source>The socket %1 is missing or cannot be opened. Check that the server is running and that this user may open the socket.</source>
        <translation>套接字 %1 不存在或无法打开。请检查服务器是否正在运行，以及当前用户是否有权打开该套接字。</translation>
    </message>
    <message>
        <source>No secure connection to %1 could be made. Check the certificates, the server&apos;s name in its certificate, and that this port speaks TLS.</source>
        <translation>无法与 %1 建立安全连接。请检查证书、证书中的服务器名称，以及此端口是否使用 TLS。</translation>
    </message>
    <message>
        <source>The connection to %1 failed. Check the network and try again.</source>
        <translation>与 %1 的连接失败。请检查网络后重试。</translation>
    </message>
    <message>
        <source>Not connected to %1, so nothing was sent. Retry when the connection is back.</source>
        <translation>当前没有与 %1 的连接，因此未发送任何请求。请在恢复连接后重试。</translation>
    </message>
    <message>
        <source>The request to %1 was canceled before sending.</source>
        <translation>发往 %1 的请求在发送前已取消。</translation>
    </message>
    <message>
        <source>Outcome unknown: the connection to %1 was lost after sending, so the request may have been carried out. Check the lock before retrying.</source>
        <translation>结果未知：请求发送后与 %1 的连接断开，请求可能已执行。重试前请先查看锁。</translation>
    </message>
    <message>
        <source>%1 requires a password. Give one, and a user name if the server has users.</source>
        <translation>%1 要求密码。请提供密码；若服务器设有用户，还需用户名。</translation>
    </message>
    <message>
        <source>%1 refused the user name or password. Check both.</source>
        <translation>%1 拒绝了用户名或密码。请检查两者。</translation>
    </message>
    <message>
        <source>This user lacks a permission on %1. Request the permission, or log in as another user.</source>
        <translation>此用户在 %1 上缺少权限。请申请权限，或以其他用户登录。</translation>
    </message>
    <message>
        <source>%1 is still loading its data. Retry in a moment.</source>
        <translation>%1 仍在加载数据。请稍后重试。</translation>
    </message>
    <message>
        <source>%1 is busy with another client&apos;s script. Retry when the script has ended.</source>
        <translation>%1 正忙于运行其他客户端的脚本。请待其结束后重试。</translation>
    </message>
    <message>
        <source>%1 is moving keys between cluster nodes. Retry in a moment.</source>
        <translation>%1 正在集群节点间迁移键。请稍后重试。</translation>
    </message>
    <message>
        <source>The cluster that %1 belongs to is down. Check its nodes.</source>
        <translation>%1 所属的集群已下线。请检查其节点。</translation>
    </message>
    <message>
        <source>%1 rejects writes because saving to disk fails. The server&apos;s operator must fix the disk first.</source>
        <translation>%1 无法保存到磁盘，因此不接受写入。须先由其运维人员修复。</translation>
    </message>
    <message>
        <source>%1 has no memory left for new data. Locks can still be released or force-expired.</source>
        <translation>%1 已没有内存存放新数据。仍可释放锁或强制锁过期。</translation>
    </message>
    <message>
        <source>%1 rejects writes because too few replicas are in sync. Check the replicas.</source>
        <translation>%1 的同步副本过少，因此不接受写入。请检查副本。</translation>
    </message>
    <message>
        <source>%1 does not know the script, although it was just sent. Retry.</source>
        <translation>%1 不认识刚刚发送的脚本。请重试。</translation>
    </message>
    <message>
        <source>The key on %1 does not have the data type of this family. Check the key before acting.</source>
        <translation>%1 上的键的数据类型与此锁类型不符。操作前请先查看该键。</translation>
    </message>
    <message>
        <source>%1 has reached its client limit. Retry later, or raise maxclients.</source>
        <translation>%1 的客户端数已达上限。请稍后重试，或调高 maxclients。</translation>
    </message>
    <message>
        <source>%1 answered with an error.</source>
        <translation>%1 返回了错误。</translation>
    </message>
    <message>
        <source>%1 sent an unexpected reply. Check for a proxy in between.</source>
        <translation>%1 返回了意外的应答。请检查其间是否有代理。</translation>
    </message>
    <message>
        <source>Refused by read-only mode. Nothing was sent to %1.</source>
        <translation>只读模式已拒绝。未向 %1 发送任何请求。</translation>
    </message>
    <message>
        <source>The audit record cannot be written, so nothing was sent to %1.</source>
        <translation>无法写入审计记录，因此未向 %1 发送任何请求。</translation>
    </message>
    <message>
        <source>This request is not possible on %1.</source>
        <translation>无法向 %1 提出此请求。</translation>
    </message>
    <message>
        <source>Expires in %1.</source>
        <translation>将在 %1后过期。</translation>
    </message>
    <message>
        <source>Hold count: %1.</source>
        <translation>重入次数：%1。</translation>
    </message>
    <message>
        <source>The key could not be rechecked. Check the key before retrying.</source>
        <translation>未能复查该键。重试前请先查看该键。</translation>
    </message>
    <message>
        <source>Recheck: the key does not exist.</source>
        <translation>复查结果：该键不存在。</translation>
    </message>
    <message>
        <source>Recheck: the key exists, but its owner cannot be read.</source>
        <translation>复查结果：该键存在，但无法读取持有者。</translation>
    </message>
    <message>
        <source>The lock was acquired.</source>
        <translation>已获取锁。</translation>
    </message>
    <message>
        <source>The owner re-entered the lock.</source>
        <translation>持有者已重入锁。</translation>
    </message>
    <message>
        <source>Rejected: another owner holds the lock. Nothing was changed.</source>
        <translation>已拒绝：锁由另一持有者持有。未作任何更改。</translation>
    </message>
    <message>
        <source>The lock was released.</source>
        <translation>已释放锁。</translation>
    </message>
    <message>
        <source>Rejected: this owner does not hold the lock. Nothing was changed.</source>
        <translation>已拒绝：此持有者未持有锁。未作任何更改。</translation>
    </message>
    <message>
        <source>The lease was extended.</source>
        <translation>已延长租约。</translation>
    </message>
    <message>
        <source>The lock was force-expired.</source>
        <translation>已强制锁过期。</translation>
    </message>
    <message>
        <source>The lock was already gone. Nothing was changed.</source>
        <translation>锁已不存在。未作任何更改。</translation>
    </message>
    <message>
        <source>Rejected: the owner has changed. Nothing was changed.</source>
        <translation>已拒绝：持有者已改变。未作任何更改。</translation>
    </message>
    <message>
        <source>Rejected: the hold count has changed. Nothing was changed.</source>
        <translation>已拒绝：重入次数已改变。未作任何更改。</translation>
    </message>
    <message>
        <source>Rejected: not a recognized lock. Nothing was changed.</source>
        <translation>已拒绝：不是可识别的锁。未作任何更改。</translation>
    </message>
    <message>
        <source>Rejected: the hold count is invalid; it must be a whole number of at least 1. Nothing was changed.</source>
        <translation>已拒绝：重入次数无效，应为不小于 1 的整数。未作任何更改。</translation>
    </message>
    <message>
        <source>Outcome unknown: the connection was lost after sending, so the request may have been carried out.</source>
        <translation>结果未知：请求发送后连接断开，请求可能已执行。</translation>
    </message>
    <message>
        <source>the server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>%1 It said: “%2”</source>
        <translation>%1服务器称：“%2”</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>two sentences, one after the other</comment>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>Note: %1</source>
        <translation>注意：%1</translation>
    </message>
    <message>
        <source>No expiry: the lock never expires by itself.</source>
        <translation>无过期时间：锁不会自行过期。</translation>
    </message>
    <message>
        <source>Invalid hold count: it must be a whole number of at least 1.</source>
        <translation>重入次数无效：应为不小于 1 的整数。</translation>
    </message>
    <message>
        <source>Several owners; this family allows one.</source>
        <translation>有多个持有者，而此锁类型只允许一个。</translation>
    </message>
    <message>
        <source>The key has a lock&apos;s name, but its value cannot be a lock.</source>
        <translation>键的名称像锁，但其值不可能是锁。</translation>
    </message>
    <message>
        <source>The value is too big to read whole; only a part is shown.</source>
        <translation>值过大，无法完整读取，仅显示一部分。</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message>
        <source>%1 y %2 d</source>
        <translation>%1 年 %2 天</translation>
    </message>
    <message>
        <source>more than 1,000 years</source>
        <translation>超过 1,000 年</translation>
    </message>
    <message>
        <source>A required program did not start.</source>
        <translation>所需的程序未能启动。</translation>
    </message>
    <message>
        <source>The waiter was removed from the queue.</source>
        <translation>已从队列中移除等待者。</translation>
    </message>
    <message>
        <source>The waiter is not in the queue. Nothing was changed.</source>
        <translation>等待者不在队列中。未作任何更改。</translation>
    </message>
    <message>
        <source>Rejected: the waiter is subscribed, so it is alive. Nothing was changed.</source>
        <translation>已拒绝：等待者已订阅频道，说明仍存活。未作任何更改。</translation>
    </message>
    <message>
        <source>Dead waiter in the queue: the waiters behind it wait until its timeout.</source>
        <translation>队列中有失效等待者：其后的等待者要等到其超时。</translation>
    </message>
    <message>
        <source>Orphaned queue: the lock is gone, and nothing wakes its waiters.</source>
        <translation>孤立队列：锁已不存在，等待者不会被唤醒。</translation>
    </message>
    <message>
        <source>Rewritten after force-expire: the previous owner wrote the lock again.</source>
        <translation>强制过期后，原持有者又写回了锁。</translation>
    </message>
    <message>
        <source>Deadlock: this lock is in a cycle of waits.</source>
        <translation>死锁：此锁处于等待环中。</translation>
    </message>
    <message>
        <source>%1 does not answer as a Redis or Valkey server. Check the port, and whether it expects TLS.</source>
        <translation>%1 的应答不符合 Redis 或 Valkey 的协议。请检查端口，以及该端口是否要求 TLS。</translation>
    </message>
    <message>
        <source>%1 is part of a cluster, and the keys of this lock are in different slots. Nothing was done. Use a {hash tag} in the key, as in {order:7}.</source>
        <translation>%1 属于集群，而此锁的键位于不同的槽中。未执行任何操作。请在键中使用 {hash tag}，例如 {order:7}。</translation>
    </message>
    <message>
        <source>The scan of %1 was stopped because it cannot complete. Some locks may be missing. Check the server at this address, and any proxy in between.</source>
        <translation>已停止扫描 %1，因为扫描无法完成。可能缺少部分锁。请检查此地址上的服务器，以及其间的代理。</translation>
    </message>
    <message>
        <source>%1 has more locks than Lockscope can hold. Some locks are missing. Narrow the patterns.</source>
        <translation>%1 上的锁超出 Lockscope 的上限，缺少部分锁。请缩小键模式的范围。</translation>
    </message>
    <message>
        <source>Outcome unknown: the reply was not awaited, so the request may have been carried out.</source>
        <translation>结果未知：未等待应答，请求可能已执行。</translation>
    </message>
    <message>
        <source>Outcome unknown: the server sent an unexpected reply, so the request may have been carried out. Check for a proxy in between.</source>
        <translation>结果未知：服务器返回了意外的应答，请求可能已执行。请检查其间是否有代理。</translation>
    </message>
    <message>
        <source>Outcome unknown: the script failed, possibly after a change, so the request may have been carried out.</source>
        <translation>结果未知：脚本出错，出错前可能已作更改，请求可能已执行。</translation>
    </message>
    <message>
        <source>Rejected: the token is the same, but the time left has risen, so the lock was renewed or acquired again. Nothing was changed.</source>
        <translation>已拒绝：令牌相同，但剩余时间变长，说明锁已续期或再次获取。未作任何更改。</translation>
    </message>
    <message>
        <source>Rejected: the waiter is not subscribed here, but may be subscribed on another server. Check whether its process runs; a dead waiter times out by itself.</source>
        <translation>已拒绝：此处看不到该等待者的订阅，但等待者可能订阅在另一服务器上。请检查其进程是否在运行；失效等待者会自行超时。</translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s)</source>
        <translation>
            <numerusform>%1 个锁</numerusform>
        </translation>
    </message>
    <message>
        <source>The database was flushed: %1 gone.</source>
        <translation>数据库已清空：%1消失。</translation>
    </message>
    <message>
        <source>The server was restarted or replaced, and has data: %1 gone.</source>
        <translation>服务器已重启或更换，仍有数据：%1消失。</translation>
    </message>
    <message>
        <source>The server was restarted or replaced, and is empty: %1 gone.</source>
        <translation>服务器已重启或更换，没有数据：%1消失。</translation>
    </message>
    <message>
        <source>This user may not run “%1” on %2. Request +%1, or log in as another user.</source>
        <translation>当前用户无权在 %2 上执行“%1”。请申请 +%1，或以其他用户登录。</translation>
    </message>
    <message>
        <source>This user may not access a key on %1. Request a pattern that matches the key (~…), or log in as another user.</source>
        <translation>当前用户无权访问 %1 上的某个键。请申请与该键匹配的键模式（~…），或以其他用户登录。</translation>
    </message>
    <message>
        <source>No permission to read this lock any more. The data shown was read before.</source>
        <translation>已无权读取此锁。所示数据为此前读取的数据。</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <comment>owners</comment>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>; </source>
        <comment>between owners</comment>
        <translation>；</translation>
    </message>
    <message>
        <source>owner %1, hold count %2</source>
        <translation>持有者 %1，重入次数 %2</translation>
    </message>
    <message>
        <source>Only a part was read, and no expected owner is in that part.</source>
        <translation>只读取了一部分，其中没有预期持有者。</translation>
    </message>
    <message>
        <source>No expected owner holds the lock.</source>
        <translation>预期持有者都已不再持有锁。</translation>
    </message>
    <message>
        <source>Expected owners that still hold the lock: %1.</source>
        <translation>仍持有锁的预期持有者：%1。</translation>
    </message>
    <message>
        <source>Recheck: the key is a companion key of the lock %1.</source>
        <translation>复查结果：该键是锁 %1 的附属键。</translation>
    </message>
    <message>
        <source>Recheck: the value is probably no lock.</source>
        <translation>复查结果：该值可能不是锁。</translation>
    </message>
    <message>
        <source>Recheck failed: %1. Check the key before retrying.</source>
        <translation>复查失败：%1。重试前请先查看该键。</translation>
    </message>
    <message>
        <source>no reply described the key</source>
        <translation>没有应答说明该键的内容</translation>
    </message>
    <message>
        <source>Recheck: %1.</source>
        <translation>复查结果：%1。</translation>
    </message>
    <message>
        <source>The server was restarted or replaced: %1 gone.</source>
        <translation>服务器已重启或更换：%1消失。</translation>
    </message>
    <message>
        <source>owner %1</source>
        <translation>持有者 %1</translation>
    </message>
    <message>
        <source>The database was swapped with another (SWAPDB): %1 gone.</source>
        <translation>数据库已与另一个交换（SWAPDB）：%1消失。</translation>
    </message>
    <message>
        <source>The keyspace is empty, flushed, swapped or deleted key by key: %1 gone.</source>
        <translation>键空间为空（整体清空、被交换或逐键删除）：%1消失。</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 微秒</translation>
    </message>
    <message>
        <source>The nodes of the cluster at %1 disagree about where this key is. Nothing was done. Retry in a moment.</source>
        <translation>%1 集群的节点对该键所在位置的说法不一致。未执行任何操作。请稍后重试。</translation>
    </message>
    <message>
        <source>The cluster at %1 is moving this key to another node. Nothing was done. Retry in a moment.</source>
        <translation>%1 集群正在将该键迁移到另一个节点。未执行任何操作。请稍后重试。</translation>
    </message>
    <message>
        <source>The node of the cluster at %1 that keeps this key is not available. Check the node.</source>
        <translation>%1 集群中保存该键的节点不可用。请检查该节点。</translation>
    </message>
    <message>
        <source>A node of the cluster at %1 cannot be reached. Check the node, or give the address to connect to with --node-address.</source>
        <translation>无法连接 %1 集群的某个节点。请检查该节点，或用 --node-address 给出要连接的地址。</translation>
    </message>
    <message>
        <source>The server that the Sentinels name for %1 cannot be reached. Check that server, or give the address to connect to with --node-address.</source>
        <translation>无法连接哨兵为 %1 指明的服务器。请检查该服务器，或用 --node-address 给出要连接的地址。</translation>
    </message>
    <message>
        <source>No Sentinel tells which server is the primary of %1. Check the Sentinels&apos; addresses, and any firewall in between.</source>
        <translation>没有哨兵指明 %1 的主节点。请检查哨兵的地址以及中间的防火墙。</translation>
    </message>
    <message>
        <source>A Sentinel of %1 refused the request.</source>
        <translation>%1 的哨兵拒绝了请求。</translation>
    </message>
    <message>
        <source>%1 is a replica, where locks cannot be changed. Connect to its primary.</source>
        <translation>%1 是副本，不能在其上更改锁。请连接其主节点。</translation>
    </message>
    <message>
        <source>%1 is a replica that has lost its primary. Connect to another server.</source>
        <translation>%1 是已失去主节点的副本。请连接其他服务器。</translation>
    </message>
    <message>
        <source>%1 has taken over from %2: %3 gone. Locks acquired in the last moments before it may be lost, and their holders may still be working.</source>
        <translation>%1 已接替 %2：%3 已消失。此前最后时刻获取的锁可能已丢失，其持有者可能仍在工作。</translation>
    </message>
    <message>
        <source>The replica is copying the data of %1. What is shown may be old or incomplete.</source>
        <translation>副本正在复制 %1 的数据。所显示的内容可能陈旧或不完整。</translation>
    </message>
    <message>
        <source>The replica has no link to %1. What is shown may be old.</source>
        <translation>副本与 %1 没有连接。所显示的内容可能陈旧。</translation>
    </message>
    <message>
        <source>The replica lost its link to %1 %2 ago. Changes since are not shown.</source>
        <translation>副本与 %1 的连接已断开 %2。此后的变化未显示。</translation>
    </message>
    <message>
        <source>Read from a replica of %1. Changes that have not reached the replica are not shown.</source>
        <translation>读取自 %1 的副本。尚未到达副本的变化未显示。</translation>
    </message>
    <message>
        <source>No replica of %1 is up and in sync, as far as the Sentinels know. Check the replicas, or read from the primary.</source>
        <translation>据哨兵所知，%1 没有在线且同步的副本。请检查副本，或从主节点读取。</translation>
    </message>
    <message>
        <source>replica, copying its data</source>
        <translation>副本，正在复制数据</translation>
    </message>
    <message>
        <source>replica, no link</source>
        <translation>副本，无连接</translation>
    </message>
    <message>
        <source>replica, link down for %1</source>
        <translation>副本，连接已断开 %1</translation>
    </message>
    <message>
        <source>replica, link up</source>
        <translation>副本，连接正常</translation>
    </message>
    <message>
        <source>replica, last heard %1 ago</source>
        <translation>副本，上次收到数据在 %1前</translation>
    </message>
    <message>
        <source>No secure connection to %1: %2.</source>
        <translation>无法与 %1 建立安全连接：%2。</translation>
    </message>
    <message>
        <source>There is no SSH connection for %1. Check the SSH host and the network.</source>
        <translation>无法为 %1 建立 SSH 连接。请检查 SSH 主机和网络。</translation>
    </message>
    <message>
        <source>The SSH connection for %1 was refused.</source>
        <translation>用于 %1 的 SSH 连接被拒绝。</translation>
    </message>
    <message>
        <source>%1 cannot be reached from the SSH host. Check the address as seen from there, and that the server is running.</source>
        <translation>从 SSH 主机无法连接到 %1。请检查该主机所见的地址，以及服务器是否在运行。</translation>
    </message>
    <message>
        <source>%1 is not counted in the Redlock group. Give the addresses of independent primaries.</source>
        <translation>%1 不计入 Redlock 组。请给出独立主节点的地址。</translation>
    </message>
    <message>
        <source>Done on %1 of %2 servers.</source>
        <translation>已在 %2 个服务器中的 %1 个上完成。</translation>
    </message>
    <message>
        <source>No quorum: the owner has the lock on fewer than a majority of the servers, so another client may acquire it.</source>
        <translation>未达多数：持有者拥有此锁的服务器不足多数，其他客户端可能获取此锁。</translation>
    </message>
    <message>
        <source>Servers name different owners of this lock.</source>
        <translation>各服务器上此锁的持有者不一致。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>servers</comment>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>Held on %1 of %2 servers; %3 are needed.</source>
        <translation>在 %2 个服务器中的 %1 个上被持有；需要 %3 个。</translation>
    </message>
    <message>
        <source>No quorum: held on %1 of %2 servers; %3 are needed.</source>
        <translation>未达多数：在 %2 个服务器中的 %1 个上被持有；需要 %3 个。</translation>
    </message>
    <message>
        <source>Quorum unknown: held on %1 of %2 servers; %3 are needed, and not all can be read.</source>
        <translation>是否达到多数未知：在 %2 个服务器中的 %1 个上被持有；需要 %3 个，部分服务器无法读取。</translation>
    </message>
    <message>
        <source>Servers name different owners.</source>
        <translation>各服务器的持有者不一致。</translation>
    </message>
    <message>
        <source>held, no expiry</source>
        <translation>被持有，永不过期</translation>
    </message>
    <message>
        <source>held, %1 left</source>
        <translation>被持有，剩余 %1</translation>
    </message>
    <message>
        <source>other owner: %1, no expiry</source>
        <translation>其他持有者：%1，永不过期</translation>
    </message>
    <message>
        <source>other owner: %1, %2 left</source>
        <translation>其他持有者：%1，剩余 %2</translation>
    </message>
    <message>
        <source>not there</source>
        <comment>a key on a server</comment>
        <translation>不存在</translation>
    </message>
    <message>
        <source>a value that names no owner</source>
        <comment>a key on a server</comment>
        <translation>值中没有持有者</translation>
    </message>
    <message>
        <source>unknown</source>
        <comment>a key on a server</comment>
        <translation>未知</translation>
    </message>
    <message>
        <source>unknown; last read: held</source>
        <comment>a key on a server</comment>
        <translation>未知；上次读取：被持有</translation>
    </message>
    <message>
        <source>unknown; last read: %1</source>
        <comment>an owner</comment>
        <translation>未知；上次读取：%1</translation>
    </message>
    <message>
        <source>Released again.</source>
        <translation>已重新释放。</translation>
    </message>
    <message>
        <source>Rejected: another owner holds the lock on too many servers.</source>
        <translation>已拒绝：其他持有者在过多服务器上持有此锁。</translation>
    </message>
    <message>
        <source>Rejected: this owner does not hold the lock on most servers.</source>
        <translation>已拒绝：该持有者在多数服务器上不持有此锁。</translation>
    </message>
    <message>
        <source>The lock was already gone on most servers.</source>
        <translation>多数服务器上此锁已不存在。</translation>
    </message>
    <message>
        <source>Rejected: the owner has changed on most servers.</source>
        <translation>已拒绝：多数服务器上的持有者已改变。</translation>
    </message>
    <message>
        <source>Rejected: the hold count has changed on most servers.</source>
        <translation>已拒绝：多数服务器上的重入次数已改变。</translation>
    </message>
    <message>
        <source>Rejected on most servers.</source>
        <translation>多数服务器已拒绝。</translation>
    </message>
    <message>
        <source>Outcome unknown: too few servers of the group carried it out, and what the others have is not known.</source>
        <translation>结果未知：执行成功的服务器太少，其余服务器上的状态未知。</translation>
    </message>
    <message>
        <source>The key is on %1 of %2 servers and names no owner.</source>
        <translation>此键存在于 %2 个服务器中的 %1 个上，其中没有持有者。</translation>
    </message>
    <message>
        <source>Not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>Development</source>
        <translation>开发</translation>
    </message>
    <message>
        <source>Staging</source>
        <translation>预发布</translation>
    </message>
    <message>
        <source>Production</source>
        <translation>生产</translation>
    </message>
    <message>
        <source>Nothing was sent to %1: its environment asks for more than was confirmed.</source>
        <translation>未向 %1 发送任何内容：其环境要求更多的确认。</translation>
    </message>
    <message>
        <source>The recording of %1 cannot be read or written.</source>
        <translation>%1 的录制文件无法读取或写入。</translation>
    </message>
    <message>
        <source>nothing was recorded</source>
        <translation>未录制</translation>
    </message>
    <message>
        <source>more happened than could be written</source>
        <translation>发生的事件多到来不及写入</translation>
    </message>
    <message>
        <source>the file could not be written</source>
        <translation>文件无法写入</translation>
    </message>
    <message>
        <source>not all locks were known: no connection, or not all read yet</source>
        <translation>并非所有锁都已知：没有连接，或尚未全部读取</translation>
    </message>
    <message>
        <source>the file is damaged</source>
        <translation>文件已损坏</translation>
    </message>
    <message>
        <source>%1; events lost: at least %2</source>
        <comment>why a recording has a gap</comment>
        <translation>%1；丢失事件：至少 %2</translation>
    </message>
    <message>
        <source>The server may evict locks when its memory is full (maxmemory-policy %1). Keys evicted so far: %2</source>
        <translation>内存用尽时服务器可能驱逐锁（maxmemory-policy %1）。迄今已驱逐的键：%2</translation>
    </message>
    <message>
        <source>Undone: the lock was renewed during the grace period, so it does not expire.</source>
        <translation>未生效：锁在宽限期内被续期，因此不会过期。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a server of a group, what befell it</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Locks still held by a majority of the servers: %1.</source>
        <translation>多数服务器仍持有的锁：%1 个。</translation>
    </message>
    <message numerus="yes">
        <source>No node of the cluster keeps %1 slot(s): locks in them are missing.</source>
        <translation>
            <numerusform>集群中有 %1 个槽没有节点负责：其中的锁缺失。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 key(s) could not be read: no node of the cluster answers for them.</source>
        <translation>
            <numerusform>%1 个键无法读取：集群中没有节点负责这些键。</numerusform>
        </translation>
    </message>
    <message>
        <source>The first waiter in the queue was woken.</source>
        <translation>已唤醒队列中的第一个等待者。</translation>
    </message>
    <message>
        <source>Rejected: the lock is held, and its release wakes the queue. Nothing was changed.</source>
        <translation>已拒绝：锁正被持有，其释放会唤醒队列。未作任何更改。</translation>
    </message>
    <message>
        <source>Nobody waits in the queue.</source>
        <translation>队列中没有等待者。</translation>
    </message>
    <message>
        <source>The first waiter in the queue was notified, but nobody is subscribed here: it is dead, or subscribed on another server. remove-waiter takes a dead one out.</source>
        <translation>已通知队列中的第一个等待者，但此处无人订阅：它已失效，或订阅在另一服务器上。可用 remove-waiter 移除失效等待者。</translation>
    </message>
    <message>
        <source>Dead holder: its heartbeat has stopped.</source>
        <translation>持有者失效：其心跳已停止。</translation>
    </message>
    <message>
        <source>alive; counts as dead in %1 without another heartbeat</source>
        <translation>存活；若无新的心跳，%1后视为失效</translation>
    </message>
    <message>
        <source>alive when it was read</source>
        <translation>读取时存活</translation>
    </message>
    <message>
        <source>stopped; overdue for %1</source>
        <translation>已停止；已逾期 %1</translation>
    </message>
    <message>
        <source>stopped; it is not there any more</source>
        <translation>已停止；心跳已不存在</translation>
    </message>
    <message>
        <source>One hold was released; the lock is still held.</source>
        <translation>已释放一次持有；锁仍被持有。</translation>
    </message>
    <message>
        <source>Holds ended: %1.</source>
        <translation>已结束的持有：%1。</translation>
    </message>
</context>
<context>
    <name>phrases</name>
    <message>
        <source>redis-server is not installed: apt-get install redis-server</source>
        <translation>未安装 redis-server：apt-get install redis-server</translation>
    </message>
    <message>
        <source>redis-server does not start: %1</source>
        <translation>redis-server 无法启动：%1</translation>
    </message>
    <message>
        <source>This is not a recognized lock. Lockscope has no script that acquires or expires it.</source>
        <translation>这不是可识别的锁。Lockscope 没有可获取此键或使此键过期的脚本。</translation>
    </message>
    <message>
        <source>This lock belongs to a job in a queue. Acquiring the lock would stall the job. Pause the queue instead.</source>
        <translation>该锁属于队列中的一个作业，获取锁会使该作业停滞。请改为暂停队列。</translation>
    </message>
    <message>
        <source>This is a counter without owners. Lockscope could not identify your share. Acquire the lock with its own library.</source>
        <translation>这是没有持有者的计数器，无法识别您的份额。请用其自身的库获取。</translation>
    </message>
    <message>
        <source>Locks of the family %1 can be force-expired here, but not acquired. Acquire the lock with its own library.</source>
        <translation>锁类型为 %1 的锁在此可以强制过期，但不能获取。请用其自身的库获取。</translation>
    </message>
    <message>
        <source>This key belongs to the lock of a Bull or BullMQ job. Bull overwrites the key without checking the owner. Pause the queue instead.</source>
        <translation>此键属于 Bull 或 BullMQ 作业的锁。Bull 不检查持有者就直接覆盖该键。请改为暂停队列。</translation>
    </message>
    <message>
        <source>no connection in time</source>
        <translation>未能及时连接</translation>
    </message>
    <message>
        <source>the server sent an unexpected reply</source>
        <translation>服务器返回了意外的应答</translation>
    </message>
    <message>
        <source>the outcome is not in the audit log: %1</source>
        <translation>结果未写入审计日志：%1</translation>
    </message>
    <message>
        <source>read-only mode</source>
        <translation>只读模式</translation>
    </message>
    <message>
        <source>The key is empty. Give the lock&apos;s key.</source>
        <translation>键为空。请给出锁的键。</translation>
    </message>
    <message>
        <source>This is not a recognized lock: Lockscope has no script that could act on it, and nothing was sent.</source>
        <translation>这不是可识别的锁：Lockscope 没有可操作此键的脚本，未发送任何请求。</translation>
    </message>
    <message>
        <source>Locks of the family %1 have no wait queue.</source>
        <translation>锁类型为 %1 的锁没有等待队列。</translation>
    </message>
    <message>
        <source>Locks of the family %1 can only be released or extended by their own library. Force-expire is possible.</source>
        <translation>锁类型为 %1 的锁只能由其自身的库释放或延长。可以强制过期。</translation>
    </message>
    <message>
        <source>The owner ID is not one of Redisson, so its waiters would not be woken. Give UUID:number, as in 7c9e6679-7425-40de-944b-e07fc1f90ae7:1.</source>
        <translation>该持有者 ID 不符合 Redisson 的格式，其等待者不会被唤醒。请使用 UUID:数字，例如 7c9e6679-7425-40de-944b-e07fc1f90ae7:1。</translation>
    </message>
    <message>
        <source>The waiter is empty. Give the ID of the waiter to remove.</source>
        <translation>等待者为空。请给出要移除的等待者的 ID。</translation>
    </message>
    <message>
        <source>The owner is empty. Give the owner ID.</source>
        <translation>持有者为空。请给出持有者 ID。</translation>
    </message>
    <message>
        <source>The lease is missing. Give more than 0 seconds.</source>
        <translation>缺少租约。请给出大于 0 秒的值。</translation>
    </message>
    <message>
        <source>The family %1 does not name its keys like this, so companion keys cannot be found. Choose another family.</source>
        <translation>锁类型 %1 的键不是这样命名的，因此找不到附属键。请选择其他锁类型。</translation>
    </message>
    <message>
        <source>The expected owner is missing.</source>
        <translation>缺少预期持有者。</translation>
    </message>
    <message>
        <source>The same owner is given twice. Give each expected owner once.</source>
        <translation>同一持有者给出了两次。请将每个预期持有者各写一次。</translation>
    </message>
    <message>
        <source>Owners of the family %1 have a hold count of 1. Omit the hold count, or give 1.</source>
        <translation>锁类型 %1 的持有者的重入次数为 1。请省略重入次数，或填 1。</translation>
    </message>
    <message>
        <source>The owners of this semaphore are permits. Give a permit ID in hex.</source>
        <translation>此信号量的持有者是许可。请给出十六进制的许可 ID。</translation>
    </message>
    <message>
        <source>This semaphore stores no owners, only a count of free permits. No share can be expired.</source>
        <translation>此信号量不记录持有者，只记录空闲许可数量，无法使任何份额过期。</translation>
    </message>
    <message>
        <source>The grace period is out of range. Give more than 0 seconds.</source>
        <translation>宽限期超出范围。请给出大于 0 秒的值。</translation>
    </message>
    <message>
        <source>A grace period applies to all owners of the lock. Omit the grace period to expire only some of them.</source>
        <translation>宽限期适用于锁的所有持有者。若只让部分持有者过期，请省略宽限期。</translation>
    </message>
    <message>
        <source>Locks of the family %1 expire at once only. Omit the grace period.</source>
        <translation>锁类型为 %1 的锁只能立即过期。请省略宽限期。</translation>
    </message>
    <message>
        <source>%1, where the audit log is kept, belongs to another user.</source>
        <translation>存放审计日志的 %1 属于其他用户。</translation>
    </message>
    <message>
        <source>%1, where the audit log is kept, may be written by others: chmod go-w it.</source>
        <translation>存放审计日志的 %1 可被他人写入：请执行 chmod go-w。</translation>
    </message>
    <message>
        <source>%1 is a symbolic link: it is not followed.</source>
        <translation>%1 是符号链接：不予跟随。</translation>
    </message>
    <message>
        <source>%1 is not a regular file.</source>
        <translation>%1 不是普通文件。</translation>
    </message>
    <message>
        <source>%1 belongs to another user.</source>
        <translation>%1 属于其他用户。</translation>
    </message>
    <message>
        <source>%1 may be written by others: chmod 600 it.</source>
        <translation>%1 可被他人写入：请执行 chmod 600。</translation>
    </message>
    <message>
        <source>%1 has been locked by another program for too long.</source>
        <translation>%1 被其他程序锁定过久。</translation>
    </message>
    <message>
        <source>%1 does not end with an audit record: move it away.</source>
        <translation>%1 末尾不是审计记录：请将其移走。</translation>
    </message>
    <message>
        <source>%1 ends with a line that no audit record can have: move it away.</source>
        <translation>%1 的末行不可能是审计记录：请将其移走。</translation>
    </message>
    <message>
        <source>the record is cut off: its line does not end</source>
        <translation>记录被截断：该行没有结束</translation>
    </message>
    <message>
        <source>the line is longer than any record</source>
        <translation>该行比任何记录都长</translation>
    </message>
    <message>
        <source>the line is not a record</source>
        <translation>该行不是记录</translation>
    </message>
    <message>
        <source>it does not follow from the line before: one of the two was changed, or a line between them removed</source>
        <translation>与前一行不衔接：两行之一被改动，或其间有行被删除</translation>
    </message>
    <message>
        <source>its number is not that of its line</source>
        <translation>其序号与行号不符</translation>
    </message>
    <message>
        <source>The field &quot;%1&quot; is set by the log itself.</source>
        <translation>字段“%1”由日志自行设置。</translation>
    </message>
    <message>
        <source>A record of %1 bytes is too long.</source>
        <translation>%1 字节的记录过长。</translation>
    </message>
    <message>
        <source>it was closed %1 times within a minute, and rests for one</source>
        <translation>它在一分钟内被关闭了 %1 次，现暂停一分钟</translation>
    </message>
    <message>
        <source>%1 locks were found, and the search was ended</source>
        <translation>已找到 %1 个锁，查找已结束</translation>
    </message>
    <message>
        <source>SCAN did not answer a cursor and keys</source>
        <translation>SCAN 的应答不是游标和键</translation>
    </message>
    <message>
        <source>%1 locks are held, and no more</source>
        <translation>已保留 %1 个锁，达到上限</translation>
    </message>
    <message>
        <source>SCAN answered a cursor that is no number: %1</source>
        <translation>SCAN 返回的游标不是数字：%1</translation>
    </message>
    <message>
        <source>SCAN answered %1 names, where DBSIZE says %2 keys</source>
        <translation>SCAN 返回了 %1 个键名，而 DBSIZE 的结果是 %2 个键</translation>
    </message>
    <message>
        <source>SCAN answered the cursor %1 twice in one pass, after %2 calls</source>
        <translation>SCAN 在一轮扫描中两次返回游标 %1，共调用 %2 次</translation>
    </message>
    <message>
        <source>SCAN had not come round after %1 calls</source>
        <translation>SCAN 调用 %1 次后仍未完成一轮</translation>
    </message>
    <message>
        <source>HSCAN did not answer a cursor and fields</source>
        <translation>HSCAN 的应答不是游标和字段</translation>
    </message>
    <message>
        <source>ZRANGE did not answer members and scores</source>
        <translation>ZRANGE 没有返回成员和分数</translation>
    </message>
    <message>
        <source>SSCAN did not answer a cursor and members</source>
        <translation>SSCAN 没有返回游标和成员</translation>
    </message>
    <message>
        <source>the key changes its type faster than it can be read</source>
        <translation>键改变类型的速度快于读取的速度</translation>
    </message>
    <message>
        <source>PTTL did not answer a number</source>
        <translation>PTTL 的应答不是数字</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>no answer in time</source>
        <translation>未及时应答</translation>
    </message>
    <message>
        <source>the connection is closed</source>
        <translation>连接已关闭</translation>
    </message>
    <message>
        <source>the reply was lost</source>
        <translation>应答已丢失</translation>
    </message>
    <message>
        <source>no complete reply in time</source>
        <translation>未及时收到完整应答</translation>
    </message>
    <message>
        <source>no answer to the TLS greeting: the server may speak plain Redis on this port</source>
        <translation>TLS 握手无应答：服务器在此端口上可能使用不加密的 Redis 协议</translation>
    </message>
    <message>
        <source>a reply came that nothing had asked for</source>
        <translation>收到了未请求的应答</translation>
    </message>
    <message>
        <source>no complete reply within %1 ms</source>
        <translation>%1 毫秒内未收到完整应答</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>This server knows no users, as before Redis 6. Log in with the password alone, without a user.</source>
        <translation>此服务器不支持用户（Redis 6 之前的版本如此）。请只用密码登录，不填用户。</translation>
    </message>
    <message>
        <source>The server refused the login. It said: “%1”</source>
        <translation>服务器拒绝了登录，返回：“%1”</translation>
    </message>
    <message>
        <source>The server has no database %1. They are numbered from 0, and unless it is configured otherwise there are 16.</source>
        <translation>服务器没有数据库 %1。编号从 0 开始；若未另行配置，共有 16 个。</translation>
    </message>
    <message>
        <source>The server refused database %1. It said: “%2”</source>
        <translation>服务器拒绝了数据库 %1，返回：“%2”</translation>
    </message>
    <message>
        <source>a reply is larger than %1 bytes</source>
        <translation>应答超过 %1 字节</translation>
    </message>
    <message>
        <source>a bulk string does not end where its length says</source>
        <translation>批量字符串未在其长度所示处结束</translation>
    </message>
    <message>
        <source>a line is longer than %1 bytes</source>
        <translation>一行超过 %1 字节</translation>
    </message>
    <message>
        <source>a reply starts with byte %1, which RESP2 does not know</source>
        <translation>应答以字节 %1 开头，RESP2 中没有这种类型</translation>
    </message>
    <message>
        <source>a line does not end with CR LF</source>
        <translation>有一行未以 CR LF 结尾</translation>
    </message>
    <message>
        <source>a length is no number</source>
        <translation>长度不是数字</translation>
    </message>
    <message>
        <source>a value of %1 bytes was announced</source>
        <translation>声明了 %1 字节的值</translation>
    </message>
    <message>
        <source>a reply of more than %1 elements was announced</source>
        <translation>声明了超过 %1 个元素的应答</translation>
    </message>
    <message>
        <source>a reply is nested deeper than %1 levels</source>
        <translation>应答嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>The database must be a whole number from 0, as in redis://host:6379/2.</source>
        <translation>数据库必须是从 0 开始的整数，例如 redis://host:6379/2。</translation>
    </message>
    <message>
        <source>Before &apos;@&apos; write user:password, or :password for the default user.</source>
        <translation>“@”之前请写 user:password，默认用户请写 :password。</translation>
    </message>
    <message>
        <source>A &apos;%&apos; before &apos;@&apos; is not followed by two hexadecimal digits. Write a &apos;%&apos; in a user or password as %25.</source>
        <translation>“@”之前的“%”后面不是两位十六进制数字。用户名或密码中的“%”请写作 %25。</translation>
    </message>
    <message>
        <source>The port must be a number from 1 to 65535.</source>
        <translation>端口必须是 1 到 65535 的数字。</translation>
    </message>
    <message>
        <source>Between &apos;[&apos; and &apos;]&apos; an IPv6 address is expected, as in [::1]:6379.</source>
        <translation>“[”与“]”之间应为 IPv6 地址，例如 [::1]:6379。</translation>
    </message>
    <message>
        <source>After &apos;]&apos; only &apos;:&apos; and a port can follow.</source>
        <translation>“]”之后只能是“:”和端口。</translation>
    </message>
    <message>
        <source>Write an IPv6 address in brackets, as in [::1]:6379.</source>
        <translation>IPv6 地址请写在方括号中，例如 [::1]:6379。</translation>
    </message>
    <message>
        <source>The host is missing. Write it as in redis://localhost:6379.</source>
        <translation>缺少主机。请写作例如 redis://localhost:6379。</translation>
    </message>
    <message>
        <source>The host holds a character that no host name has.</source>
        <translation>主机中含有主机名不允许的字符。</translation>
    </message>
    <message>
        <source>This address can be read in two ways: in the user and password write &apos;@&apos; as %40, &apos;/&apos; as %2F, &apos;?&apos; as %3F and &apos;#&apos; as %23.</source>
        <translation>此地址有两种读法：用户名和密码中的“@”请写作 %40，“/”写作 %2F，“?”写作 %3F，“#”写作 %23。</translation>
    </message>
    <message>
        <source>The path of a socket must start with &apos;/&apos;, as in unix:///run/redis.sock.</source>
        <translation>套接字路径必须以“/”开头，例如 unix:///run/redis.sock。</translation>
    </message>
    <message>
        <source>A &apos;%&apos; in the path is not followed by two hexadecimal digits. Write it as %25.</source>
        <translation>路径中的“%”后面不是两位十六进制数字。请写作 %25。</translation>
    </message>
    <message>
        <source>The path of the socket holds a control character.</source>
        <translation>套接字路径中含有控制字符。</translation>
    </message>
    <message>
        <source>The address must start with redis://, rediss:// or unix://.</source>
        <translation>地址必须以 redis://、rediss:// 或 unix:// 开头。</translation>
    </message>
    <message>
        <source>The address is empty. Write it as in localhost:6379.</source>
        <translation>地址为空。请写作例如 localhost:6379。</translation>
    </message>
    <message>
        <source>The address holds a blank or an invisible character. In a user or password write it percent-encoded, as in %20.</source>
        <translation>地址中含有空格或不可见字符。在用户名或密码中请用百分号编码，例如 %20。</translation>
    </message>
    <message>
        <source>To log in, write redis://user:password@host:6379.</source>
        <translation>若要登录，请写作 redis://user:password@host:6379。</translation>
    </message>
    <message>
        <source>%1 is a directory: give a file</source>
        <translation>%1 是目录：请指定文件</translation>
    </message>
    <message>
        <source>%1 is a pipe or a device: give a regular file</source>
        <translation>%1 是管道或设备：请指定普通文件</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 is larger than %2 KB: it can&apos;t be certificates or a key</source>
        <translation>%1 大于 %2 KB：不可能是证书或私钥</translation>
    </message>
    <message>
        <source>the server closed the connection</source>
        <translation>服务器关闭了连接</translation>
    </message>
    <message>
        <source>%1 holds no certificate in PEM form</source>
        <translation>%1 中没有 PEM 格式的证书</translation>
    </message>
    <message>
        <source>there is no such socket</source>
        <translation>没有这个套接字</translation>
    </message>
    <message>
        <source>permission denied</source>
        <translation>权限不足</translation>
    </message>
    <message>
        <source>the peer closed the connection during the TLS handshake</source>
        <translation>对端在 TLS 握手期间关闭了连接</translation>
    </message>
    <message>
        <source>another worker</source>
        <translation>另一工作线程</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 held %2 since %3; %4 entered at %5.</source>
        <translation>%1 自 %3 起持有 %2；%4 于 %5 进入。</translation>
    </message>
    <message>
        <source>The first worker&apos;s lease had expired %1 before.</source>
        <translation>第一个工作线程的租约已在 %1前到期。</translation>
    </message>
    <message>
        <source>The second worker&apos;s lease had expired %1 before.</source>
        <translation>第二个工作线程的租约已在 %1前到期。</translation>
    </message>
    <message>
        <source>The server had lost its data in between.</source>
        <translation>其间服务器丢失了数据。</translation>
    </message>
    <message>
        <source>The first worker&apos;s lease had not expired.</source>
        <translation>第一个工作线程的租约尚未到期。</translation>
    </message>
    <message>
        <source>%1 released %2 at %3 and deleted the lock of %4, who had entered at %5.</source>
        <translation>%1 于 %3 释放 %2，却删除了 %4 的锁，后者已于 %5 进入。</translation>
    </message>
    <message>
        <source>%1 had no expiry at %2, and no running worker would release the lock.</source>
        <translation>%1 在 %2 时无过期时间，且没有运行中的工作线程会释放此锁。</translation>
    </message>
    <message>
        <source>%1 waited for its own timer until %2, although %3 had been free for %4.</source>
        <translation>%1 一直等到自己的定时器于 %2 到期，尽管 %3 已空闲 %4。</translation>
    </message>
    <message>
        <source>%1 entered %2 at %3 with the fencing token %4, not larger than %5 before it.</source>
        <translation>%1 于 %3 以防护令牌 %4 进入 %2，该令牌不大于此前的 %5。</translation>
    </message>
    <message>
        <source>%1 had entered %2 at %3 and wrote at %4, after another worker had entered; the write was accepted.</source>
        <translation>%1 于 %3 进入 %2，并在另一工作线程进入之后于 %4 写入；写入被接受。</translation>
    </message>
    <message>
        <source>%1 believed at %2 to have released %3, but the server still had it as the holder.</source>
        <translation>%1 于 %2 认为自己已释放 %3，但服务器仍将其记为持有者。</translation>
    </message>
    <message>
        <source>The name of a run takes letters, digits and &apos;-&apos;, %1 at most.</source>
        <translation>运行的名称由字母、数字和“-”组成，最多 %1 个字符。</translation>
    </message>
    <message>
        <source>Choose from 1 to %1 workers.</source>
        <translation>请选择 1 到 %1 个工作线程。</translation>
    </message>
    <message>
        <source>Choose from 1 to %1 processes: each needs a worker of its own, and %2 is the most.</source>
        <translation>请选择 1 到 %1 个进程：每个进程至少需要一个工作线程，且最多 %2 个进程。</translation>
    </message>
    <message>
        <source>Choose from 1 to %1 locks.</source>
        <translation>请选择 1 到 %1 个锁。</translation>
    </message>
    <message>
        <source>Choose from 1 to %1 rounds.</source>
        <translation>请选择 1 到 %1 轮。</translation>
    </message>
    <message>
        <source>A run lasts from 1 ms to 24 hours.</source>
        <translation>一次运行持续 1 毫秒到 24 小时。</translation>
    </message>
    <message>
        <source>Give each lock a key of its own.</source>
        <translation>请为每个锁各指定一个键。</translation>
    </message>
    <message>
        <source>The release %1 does not fit the strategy %2: leave it out, or choose unchecked-delete or a token strategy.</source>
        <translation>释放方式 %1 不适用于策略 %2：请去掉，或选择 unchecked-delete 或某个 token 策略。</translation>
    </message>
    <message>
        <source>Waiting by %1 does not fit the strategy %2, which has a way of its own: leave it out.</source>
        <translation>等待方式 %1 不适用于策略 %2，后者有自己的方式：请去掉。</translation>
    </message>
    <message>
        <source>Poll every 1 ms to 60 s.</source>
        <translation>轮询间隔为 1 毫秒到 60 秒。</translation>
    </message>
    <message>
        <source>A lease lasts from 10 ms to 24 hours.</source>
        <translation>租约为 10 毫秒到 24 小时。</translation>
    </message>
    <message>
        <source>The leases of %1 are whole seconds.</source>
        <translation>%1 的租约须为整秒数。</translation>
    </message>
    <message>
        <source>A hold time lasts from 0 ms to 1 hour.</source>
        <translation>持锁时间为 0 毫秒到 1 小时。</translation>
    </message>
    <message>
        <source>A think time lasts from 0 ms to 1 hour.</source>
        <translation>间隔时间为 0 毫秒到 1 小时。</translation>
    </message>
    <message>
        <source>A pause lasts from 0 ms to 1 hour.</source>
        <translation>暂停时间为 0 毫秒到 1 小时。</translation>
    </message>
    <message>
        <source>A timeout lasts from 0 ms to 24 hours.</source>
        <translation>超时为 0 毫秒到 24 小时。</translation>
    </message>
    <message>
        <source>Choose from 1 to %1 levels of re-entry.</source>
        <translation>请选择 1 到 %1 层重入。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be re-entered: the holder would wait for itself. Choose a re-entry of 1.</source>
        <translation>%1 不可重入：持有者会等待自己。请将重入层数设为 1。</translation>
    </message>
    <message>
        <source>A rate is a share of all iterations, from 0 to 1.</source>
        <translation>比率是占全部迭代的份额，从 0 到 1。</translation>
    </message>
    <message>
        <source>An iteration has at most one fault: the rates must not exceed 1 in total.</source>
        <translation>每次迭代最多一种故障：各比率之和不得超过 1。</translation>
    </message>
    <message>
        <source>Faults of the server are spread over a duration, and rounds have none: leave out one of both.</source>
        <translation>服务器故障分布在一段时长之内，而轮次没有时长：请去掉其中之一。</translation>
    </message>
    <message>
        <source>Only token-setnx can crash between SETNX and EXPIRE.</source>
        <translation>只有 token-setnx 会在 SETNX 与 EXPIRE 之间崩溃。</translation>
    </message>
    <message>
        <source>Only a plan with a watchdog can stop the watchdog.</source>
        <translation>只有带看门狗的计划才能停止看门狗。</translation>
    </message>
    <message>
        <source>An iteration acquires one or more of the plan&apos;s locks, each once.</source>
        <translation>一次迭代获取计划中的一个或多个锁，每个各一次。</translation>
    </message>
    <message>
        <source>The times of an iteration last from 0 ms to 1 hour.</source>
        <translation>一次迭代的各段时间为 0 毫秒到 1 小时。</translation>
    </message>
    <message>
        <source>A script needs a list of iterations for each worker.</source>
        <translation>脚本须为每个工作线程给出迭代列表。</translation>
    </message>
    <message>
        <source>A worker&apos;s script has at most %1 iterations.</source>
        <translation>一个工作线程的脚本最多有 %1 次迭代。</translation>
    </message>
    <message>
        <source>A simulation is running already: stop it first.</source>
        <translation>已有模拟正在运行：请先将其停止。</translation>
    </message>
    <message>
        <source>A simulation&apos;s keys begin with sim: and nothing else.</source>
        <translation>模拟的键必须以 sim: 开头。</translation>
    </message>
    <message>
        <source>This run can leave a lock without expiry, or disturb other clients, so it needs a private server. Remove the connection options, or choose the private server.</source>
        <translation>此次运行可能留下无过期时间的锁，或干扰其他客户端，因此需要私有服务器。请去掉连接选项，或选择私有服务器。</translation>
    </message>
    <message>
        <source>The key %1 exists already, so nothing was started. Wait until the key is gone, or choose another server.</source>
        <translation>键 %1 已存在，因此未启动任何内容。请等待该键消失，或选择其他服务器。</translation>
    </message>
    <message>
        <source>the server was lost during the run, and no worker could reconnect</source>
        <translation>服务器在运行期间断开，没有工作线程能重新连接</translation>
    </message>
    <message>
        <source>wait p99</source>
        <translation>等待时间 P99</translation>
    </message>
    <message>
        <source>at least 20 usual hold times (of %1)</source>
        <translation>至少为正常持锁时间的 20 倍（%1）</translation>
    </message>
    <message>
        <source>at least half a slow hold time (of %1)</source>
        <translation>至少为慢持锁时间的一半（%1）</translation>
    </message>
    <message>
        <source>commands per acquisition if all waiters wake</source>
        <translation>全部唤醒时，每次获取的命令数</translation>
    </message>
    <message>
        <source>at least three times handoff&apos;s %1</source>
        <translation>至少是直接移交（%1）的三倍</translation>
    </message>
    <message>
        <source>median handoff if all waiters wake</source>
        <translation>全部唤醒时，移交时间的中位数</translation>
    </message>
    <message>
        <source>later than handoff&apos;s %1</source>
        <translation>晚于直接移交（%1）</translation>
    </message>
    <message>
        <source>overlaps by %1</source>
        <translation>%1 的重叠</translation>
    </message>
    <message>
        <source>W%1 has its second lock</source>
        <translation>W%1 得到第二个锁</translation>
    </message>
    <message>
        <source>only when a lease expires, after about %1</source>
        <translation>要到某个租约到期，约 %1后</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>end of the run</source>
        <translation>运行结束</translation>
    </message>
    <message>
        <source>before a lease expires, %1</source>
        <translation>早于租约到期（%1）</translation>
    </message>
    <message>
        <source>most acquisitions of a worker over the fewest, handoff</source>
        <translation>各工作线程获取次数的最多与最少之比，直接移交</translation>
    </message>
    <message>
        <source>at most 1.10</source>
        <translation>至多 1.10</translation>
    </message>
    <message>
        <source>the same, polling</source>
        <translation>同一比值，轮询</translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>大于 %1</translation>
    </message>
    <message>
        <source>Jain&apos;s index, polling</source>
        <translation>Jain 指数，轮询</translation>
    </message>
    <message>
        <source>below handoff&apos;s %1</source>
        <translation>低于直接移交（%1）</translation>
    </message>
    <message>
        <source>time from the crashed holder&apos;s entry to the next entry</source>
        <translation>从崩溃持有者进入到下一个进入的时间</translation>
    </message>
    <message>
        <source>after the crashed holder&apos;s lease</source>
        <translation>崩溃持有者的租约到期之后</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>after %1 to %2</source>
        <translation>%1 至 %2 后</translation>
    </message>
    <message>
        <source>the first contender&apos;s wait</source>
        <translation>第一个竞争者的等待时间</translation>
    </message>
    <message>
        <source>at least the lease that was set, %1</source>
        <translation>至少为所设的租约（%1）</translation>
    </message>
    <message>
        <source>%1: expected %2, found %3</source>
        <translation>%1：预期 %2，实际 %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>met – %1</source>
        <translation>符合预期 – %1</translation>
    </message>
    <message>
        <source>NOT met – %1</source>
        <translation>不符合预期 – %1</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>rounds with simultaneous attempts</source>
        <translation>各次尝试同时到达的轮数</translation>
    </message>
    <message>
        <source>winners in each of these rounds</source>
        <translation>其中每一轮的赢家数</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n round(s) repeated, because the attempts were too far apart.</source>
        <translation>
            <numerusform>%1：%n 轮因各次尝试相隔过久而重做。</numerusform>
        </translation>
    </message>
    <message>
        <source>starts in time</source>
        <translation>按时开始</translation>
    </message>
    <message>
        <source>within %1</source>
        <translation>误差在 %1 以内</translation>
    </message>
    <message>
        <source>one later acquisition</source>
        <translation>一次较晚的获取</translation>
    </message>
    <message>
        <source>workers that acquired the lock, in order</source>
        <translation>依次获取锁的工作线程</translation>
    </message>
    <message>
        <source>refusals of B, which tried during A&apos;s lease</source>
        <translation>B 在 A 的租约期内尝试而被拒绝的次数</translation>
    </message>
    <message>
        <source>processes that acquired lock %1</source>
        <translation>获取锁 %1 的进程</translation>
    </message>
    <message>
        <source>releases of lock %1 by its holders</source>
        <translation>持有者释放锁 %1 的次数</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) repeated, because a start came too late.</source>
        <translation>
            <numerusform>%n 次运行因有开始过迟而重做。</numerusform>
        </translation>
    </message>
    <message>
        <source>could not subscribe</source>
        <translation>无法订阅</translation>
    </message>
    <message>
        <source>the script answered in an unknown form</source>
        <translation>脚本没有给出约定的应答</translation>
    </message>
    <message>
        <source>Processes need %1, which is missing. Install the file next to this program.</source>
        <translation>多进程需要 %1，但该文件不存在。请将其安装到本程序所在的目录。</translation>
    </message>
    <message>
        <source>a process of the run failed</source>
        <translation>本次运行的一个进程失败</translation>
    </message>
    <message>
        <source>A hash with owner and hold count; re-entrant. One script acquires, one releases.</source>
        <translation>存有持有者和重入次数的哈希；可重入。由一个脚本获取，一个脚本释放。</translation>
    </message>
    <message>
        <source>A string with a random token, written by SET with NX and PX.</source>
        <translation>存有随机令牌的字符串，以带 NX 和 PX 的 SET 写入。</translation>
    </message>
    <message>
        <source>A string with a random token, acquired and released by scripts.</source>
        <translation>存有随机令牌的字符串，由脚本获取和释放。</translation>
    </message>
    <message>
        <source>SETNX, then EXPIRE: two commands. A crash in between leaves a lock without expiry.</source>
        <translation>先 SETNX，再 EXPIRE：两条命令。在两者之间崩溃会留下无过期时间的锁。</translation>
    </message>
    <message>
        <source>A string with a token; the client counts re-entries.</source>
        <translation>存有令牌的字符串；由客户端计算重入次数。</translation>
    </message>
    <message>
        <source>As in Redisson: a hash with a hold count, a watchdog that renews the lease, and a channel that wakes all waiters.</source>
        <translation>与 Redisson 相同：带重入次数的哈希，为租约续期的看门狗，以及唤醒所有等待者的频道。</translation>
    </message>
    <message>
        <source>A fair queue in Redis: release hands the lock to the queue head and wakes only that waiter.</source>
        <translation>Redis 中的公平队列：释放时把锁直接移交给队首，且只唤醒该等待者。</translation>
    </message>
    <message>
        <source>Bull job lock</source>
        <translation>Bull 作业锁</translation>
    </message>
    <message>
        <source>BullMQ job lock</source>
        <translation>BullMQ 作业锁</translation>
    </message>
    <message>
        <source>The wait queue and the counter of fencing tokens are kept. A waiter whose subscription is not seen here still gets the lock: %1.</source>
        <translation>等待队列和防护令牌计数器保留。此处看不到订阅的等待者仍会获得锁：%1。</translation>
    </message>
    <message>
        <source>The wait queue and the counter of fencing tokens are kept. Unsubscribed waiters at the queue head are removed, if no other server can have their subscribers.</source>
        <translation>等待队列和防护令牌计数器保留。若订阅者不可能在其他服务器上，队首未订阅的等待者会移除。</translation>
    </message>
    <message>
        <source>Laravel cache lock</source>
        <translation>Laravel 缓存锁</translation>
    </message>
    <message>
        <source>DistributedLock.Redis lock</source>
        <translation>DistributedLock.Redis 锁</translation>
    </message>
    <message>
        <source>The remaining elements of its signal list are removed.</source>
        <translation>其信号列表中剩余的元素会被移除。</translation>
    </message>
    <message>
        <source>python-redis-lock lock</source>
        <translation>python-redis-lock 锁</translation>
    </message>
    <message>
        <source>An element pushed to its signal list wakes one waiter. After a grace period nothing is pushed, and the waiters are not woken.</source>
        <translation>向其信号列表推入一个元素会唤醒一个等待者。宽限期过后不推入元素，等待者不会被唤醒。</translation>
    </message>
    <message>
        <source>Redisson lock</source>
        <translation>Redisson 锁</translation>
    </message>
    <message>
        <source>redisson: as Redisson&apos;s RLock stores it</source>
        <translation>redisson：与 Redisson 的 RLock 存储方式相同</translation>
    </message>
    <message>
        <source>The holder is not notified and may still be working. It stops renewing within 10 s, and its unlock() throws.</source>
        <translation>不会通知持有者进程，其可能仍在工作。它会在 10 秒内停止续期，其 unlock() 会抛出异常。</translation>
    </message>
    <message>
        <source>The wait queue is kept, including waiters whose subscription is not seen here: %1. Only timed-out waiters at its head are removed.</source>
        <translation>等待队列保留，包括此处看不到订阅的等待者：%1。仅移除队首已超时的等待者。</translation>
    </message>
    <message>
        <source>The wait queue is kept. Timed-out waiters at its head are removed; without a grace period, unsubscribed ones too. After a grace period, the remaining waiters may wake up late.</source>
        <translation>等待队列保留。队首已超时的等待者会移除；若无宽限期，未订阅的也会移除。宽限期过后，其余等待者可能延迟唤醒。</translation>
    </message>
    <message>
        <source>The wait queue is kept. Timed-out waiters at its head are removed; without a grace period, unsubscribed ones too, if no other server can have their subscribers.</source>
        <translation>等待队列保留。队首已超时的等待者会移除；若无宽限期，且订阅者不可能在其他服务器上，则未订阅的也会移除。</translation>
    </message>
    <message>
        <source>Redisson fair lock</source>
        <translation>Redisson 公平锁</translation>
    </message>
    <message>
        <source>The holder is not notified and may still be working. If another owner has acquired the lock, the holder&apos;s unlock() throws. Otherwise it returns normally.</source>
        <translation>不会通知持有者进程，其可能仍在工作。若锁已由其他持有者获取，其 unlock() 会抛出异常，否则正常返回。</translation>
    </message>
    <message>
        <source>The counter of fencing tokens is kept, so the next token is still the largest.</source>
        <translation>防护令牌计数器保留，因此下一个令牌仍然最大。</translation>
    </message>
    <message>
        <source>Redisson fenced lock</source>
        <translation>Redisson 防护锁</translation>
    </message>
    <message>
        <source>This opens the latch, whatever its remaining count.</source>
        <translation>无论剩余计数为多少，门闩都会打开。</translation>
    </message>
    <message>
        <source>Redisson count-down latch</source>
        <translation>Redisson 倒计时门闩</translation>
    </message>
    <message>
        <source>Redisson lock of several values</source>
        <translation>Redisson 多值锁</translation>
    </message>
    <message>
        <source>The keys that time each reader&apos;s hold are removed too.</source>
        <translation>为各读者持有计时的键会一并移除。</translation>
    </message>
    <message>
        <source>Redisson read-write lock</source>
        <translation>Redisson 读写锁</translation>
    </message>
    <message>
        <source>Each permit is returned: the count of free permits rises by one.</source>
        <translation>每个许可都会归还：空闲许可的数量加一。</translation>
    </message>
    <message>
        <source>Redisson semaphore</source>
        <translation>Redisson 信号量</translation>
    </message>
    <message>
        <source>The permit&apos;s holder is not notified and may still be working. Its release() will fail.</source>
        <translation>不会通知许可的持有者进程，其可能仍在工作。其 release() 会失败。</translation>
    </message>
    <message>
        <source>re-entrant lock</source>
        <translation>可重入锁</translation>
    </message>
    <message>
        <source>reentrant: a hash with a hold count; the owner can re-enter</source>
        <translation>reentrant：带重入次数的哈希；持有者可重入</translation>
    </message>
    <message>
        <source>If no jobs wait, its lists and its entry in the digest index are removed too. A held runtime lock (:RUN) is kept.</source>
        <translation>若没有作业在等待，其列表和摘要索引中的条目也会移除。仍被持有的运行期锁（:RUN）保留。</translation>
    </message>
    <message>
        <source>sidekiq-unique-jobs lock</source>
        <translation>sidekiq-unique-jobs 锁</translation>
    </message>
    <message>
        <source>An element pushed to the queue of a waiting job wakes it.</source>
        <translation>向等待作业的队列推入一个元素会唤醒它。</translation>
    </message>
    <message>
        <source>Symfony lock</source>
        <translation>Symfony 锁</translation>
    </message>
    <message>
        <source>token lock</source>
        <translation>令牌锁</translation>
    </message>
    <message>
        <source>token: a string; not re-entrant</source>
        <translation>token：字符串；不可重入</translation>
    </message>
    <message>
        <source>No wake-up is sent, since the library is not known. Polling clients find the lock free; clients that wait for a message may not notice.</source>
        <translation>库未知，因此不发送唤醒消息。轮询的客户端会发现锁已空闲；等待消息的客户端可能不会察觉。</translation>
    </message>
    <message>
        <source>no known kind of lock</source>
        <translation>不是已知的锁类型</translation>
    </message>
    <message>
        <source>the server does not tell which replicas or other nodes there are</source>
        <translation>服务器未说明有哪些副本或其他节点</translation>
    </message>
    <message>
        <source>it may be subscribed to another node of the cluster</source>
        <translation>等待者可能订阅在集群的另一节点上</translation>
    </message>
    <message>
        <source>this is a replica, and it may be subscribed to another server</source>
        <translation>此服务器是副本，等待者可能订阅在另一服务器上</translation>
    </message>
    <message>
        <source>it may be subscribed to a replica of this server</source>
        <translation>等待者可能订阅在此服务器的副本上</translation>
    </message>
    <message>
        <source>node-redis-warlock lock</source>
        <translation>node-redis-warlock 锁</translation>
    </message>
    <message>
        <source>node-redisson lock</source>
        <translation>node-redisson 锁</translation>
    </message>
    <message>
        <source>A message on the channel %1 wakes subscribed waiters. If the stream redisson:events exists and this is no cluster, an entry wakes its readers. Otherwise they wait for the expiry that they have seen.</source>
        <translation>频道 %1 上的消息会唤醒已订阅的等待者。若流 redisson:events 存在且不是集群，会添加一个条目唤醒其读取者；否则它们会等到其所见的过期时间。</translation>
    </message>
    <message>
        <source>Without a grace period, Redisson&apos;s unlock message is published on the channel %1. Whether this lock&apos;s clients subscribe to it is unknown; polling clients find the lock free.</source>
        <translation>若无宽限期，会在频道 %1 上发布 Redisson 的解锁消息。该锁的客户端是否订阅此频道未知；轮询的客户端会发现锁已空闲。</translation>
    </message>
    <message>
        <source>A string with a random token; each acquisition gets a larger fencing token, so late writes can be rejected.</source>
        <translation>一个含随机令牌的字符串；每次获取都得到更大的防护令牌，因此可以拒绝迟到的写入。</translation>
    </message>
    <message>
        <source>another server has taken over</source>
        <translation>另一个服务器已接管</translation>
    </message>
    <message>
        <source>it is no node of the cluster any more</source>
        <translation>它已不再是集群的节点</translation>
    </message>
    <message>
        <source>the nodes of the cluster can&apos;t be understood</source>
        <translation>无法理解集群的节点信息</translation>
    </message>
    <message>
        <source>two nodes of the cluster are said to have one slot</source>
        <translation>同一个槽被指派给集群的两个节点</translation>
    </message>
    <message>
        <source>no slot belongs to any node</source>
        <translation>没有任何槽属于任何节点</translation>
    </message>
    <message>
        <source>Write the address of any node of the cluster with redis:// or rediss://.</source>
        <translation>请使用 redis:// 或 rediss:// 写出集群任一节点的地址。</translation>
    </message>
    <message>
        <source>its address: %1</source>
        <translation>其地址：%1</translation>
    </message>
    <message>
        <source>the node that keeps the key did not answer in time</source>
        <translation>保存该键的节点未及时响应</translation>
    </message>
    <message>
        <source>%1% loaded, about %2 s left</source>
        <translation>已加载 %1%，约剩 %2 秒</translation>
    </message>
    <message>
        <source>The Sentinel at %1 watches no server under the name %2.</source>
        <translation>%1 上的哨兵没有监视名为 %2 的服务器。</translation>
    </message>
    <message>
        <source>%1 says that it is a replica</source>
        <translation>%1 自称是副本</translation>
    </message>
    <message>
        <source>%1 says that it is no replica</source>
        <translation>%1 自称不是副本</translation>
    </message>
    <message>
        <source>its part in the replication has changed</source>
        <translation>其在复制中的角色已改变</translation>
    </message>
    <message>
        <source>what the Sentinel says of its servers can&apos;t be understood</source>
        <translation>无法理解哨兵对其服务器的描述</translation>
    </message>
    <message>
        <source>those that answer do not know of the last failover</source>
        <translation>应答的哨兵不知道最近一次故障转移</translation>
    </message>
    <message>
        <source>The Sentinel at %1 requires a password of its own. Give it with --sentinel-askpass or LOCKSCOPE_SENTINEL_AUTH, or in the form.</source>
        <translation>%1 上的哨兵需要自己的密码。请用 --sentinel-askpass 或 LOCKSCOPE_SENTINEL_AUTH 给出，或在表单中填写。</translation>
    </message>
    <message>
        <source>The Sentinel at %1 refused its user name or password, which are others than the server&apos;s. Check both.</source>
        <translation>%1 上的哨兵拒绝了其用户名或密码（与服务器的不同）。请检查两者。</translation>
    </message>
    <message>
        <source>This user may not ask the Sentinel at %1 for its servers. Request +sentinel|master there. It said: “%2”</source>
        <translation>该用户无权向 %1 上的哨兵查询其服务器。请在那里申请 +sentinel|master。它说：“%2”</translation>
    </message>
    <message>
        <source>The Sentinel at %1 watches no server under the name %2. It knows: %3.</source>
        <translation>%1 上的哨兵没有监视名为 %2 的服务器。它知道：%3。</translation>
    </message>
    <message>
        <source>This is a Redis Sentinel: it watches servers and keeps no locks itself. Give it with --sentinel, and the primary&apos;s name with --master, or write redis-sentinel://host:port/name.</source>
        <translation>这是 Redis 哨兵：它监视服务器，自身不保存锁。请用 --sentinel 给出它，用 --master 给出主节点名称，或写成 redis-sentinel://host:port/name。</translation>
    </message>
    <message>
        <source>There is no Redis Sentinel at %1, but a server that keeps data. Connect to it without naming a Sentinel.</source>
        <translation>%1 上不是 Redis 哨兵，而是保存数据的服务器。请不指定哨兵而直接连接。</translation>
    </message>
    <message>
        <source>The name under which the Sentinels know the primary is missing. Write it as in redis-sentinel://host1,host2/name.</source>
        <translation>缺少哨兵所知的主节点名称。请写成 redis-sentinel://host1,host2/name。</translation>
    </message>
    <message>
        <source>Write the address of Sentinels as in redis-sentinel://host1,host2/name.</source>
        <translation>哨兵地址请写成 redis-sentinel://host1,host2/name。</translation>
    </message>
    <message>
        <source>At most %1 Sentinels can be given.</source>
        <translation>最多可给出 %1 个哨兵。</translation>
    </message>
    <message>
        <source>With a Sentinel master name, write the Sentinels&apos; hosts alone, as in host1:26379,host2.</source>
        <translation>填写了哨兵主节点名称时，服务器一栏只写哨兵主机，例如 host1:26379,host2。</translation>
    </message>
    <message>
        <source>no file in %1 holds a certificate in PEM form</source>
        <translation>%1 中没有文件含有 PEM 格式的证书</translation>
    </message>
    <message>
        <source>%1 holds no private key in PEM form</source>
        <translation>%1 不含 PEM 格式的私钥</translation>
    </message>
    <message>
        <source>every user of this machine can read the key %1, which is a secret. Restrict it, as with chmod 600</source>
        <translation>私钥 %1 是机密，却可被本机所有用户读取。请限制其权限，例如 chmod 600</translation>
    </message>
    <message>
        <source>the key %1 has a passphrase. Give it with --key-askpass or LOCKSCOPE_KEY_PASSPHRASE, or in the form</source>
        <translation>私钥 %1 有口令。请用 --key-askpass 或 LOCKSCOPE_KEY_PASSPHRASE 给出，或在表单中填写</translation>
    </message>
    <message>
        <source>the passphrase does not open the key %1</source>
        <translation>口令无法打开私钥 %1</translation>
    </message>
    <message>
        <source>the server&apos;s certificate expired on %1. Renew it there, or check the clock of this machine</source>
        <translation>服务器证书已于 %1 过期。请在服务器上更新证书，或检查本机时钟</translation>
    </message>
    <message>
        <source>the server&apos;s certificate is valid from %1 on. Check the clock of this machine</source>
        <translation>服务器证书自 %1 起才有效。请检查本机时钟</translation>
    </message>
    <message>
        <source>the server&apos;s certificate is self-signed. Give it with --cacert, or trust it alone with --pin %1</source>
        <translation>服务器证书是自签名的。请用 --cacert 给出它，或用 --pin %1 只信任它</translation>
    </message>
    <message>
        <source>the server&apos;s certificate was issued by “%1”, which is not trusted here. Give that authority&apos;s certificate with --cacert, or trust the server&apos;s alone with --pin %2</source>
        <translation>服务器证书由“%1”签发，此处不信任它。请用 --cacert 给出该颁发机构的证书，或用 --pin %2 只信任服务器证书</translation>
    </message>
    <message>
        <source>the server&apos;s certificate is for %1, not for %2. Connect by such a name, or give it with --sni</source>
        <translation>服务器证书属于 %1，而不是 %2。请用这样的名称连接，或用 --sni 给出</translation>
    </message>
    <message>
        <source>the server requires a client certificate. Give one with --cert and --key</source>
        <translation>服务器要求客户端证书。请用 --cert 和 --key 给出</translation>
    </message>
    <message>
        <source>the server speaks only versions of TLS before 1.2, which are not safe. Enable TLS 1.2 there, as with tls-protocols</source>
        <translation>服务器只支持 1.2 之前的 TLS 版本，这些版本不安全。请在服务器上启用 TLS 1.2，例如用 tls-protocols</translation>
    </message>
    <message>
        <source>the client&apos;s certificate and key do not belong together</source>
        <translation>客户端证书与私钥不匹配</translation>
    </message>
    <message>
        <source>the server does not trust the authority of the client&apos;s certificate</source>
        <translation>服务器不信任客户端证书的颁发机构</translation>
    </message>
    <message>
        <source>the server says that the client&apos;s certificate has expired</source>
        <translation>服务器称客户端证书已过期</translation>
    </message>
    <message>
        <source>the server does not accept the client&apos;s certificate</source>
        <translation>服务器不接受客户端证书</translation>
    </message>
    <message>
        <source>the server does not speak TLS on this port</source>
        <translation>服务器在此端口上不使用 TLS</translation>
    </message>
    <message>
        <source>the server shows another certificate than the pinned one, with the fingerprint %1. If it was renewed, pin the new one</source>
        <translation>服务器出示的不是已固定的证书，其指纹为 %1。若证书已更新，请固定新证书</translation>
    </message>
    <message>
        <source>After ssh= write [USER@]HOST[:PORT], as ssh takes it.</source>
        <translation>ssh= 之后请写 [USER@]HOST[:PORT]，与 ssh 的写法相同。</translation>
    </message>
    <message>
        <source>After &apos;?&apos; only db=N and ssh=HOST are known.</source>
        <translation>“?”之后只支持 db=N 和 ssh=HOST。</translation>
    </message>
    <message>
        <source>The key of the SSH host %1 is not the one that ssh knows: the host was set up anew, or somebody is in between. Ask its operator before the old key is removed from known_hosts.</source>
        <translation>SSH 主机 %1 的密钥与 ssh 已知的不同：主机可能已重装，或者有人在中间截取。从 known_hosts 删除旧密钥之前，请先询问其管理员。</translation>
    </message>
    <message>
        <source>The key of the SSH host %1 is not known yet. Run &apos;%3&apos; once in a terminal, and compare the fingerprint before accepting it.</source>
        <translation>尚不认识 SSH 主机 %1 的密钥。请在终端中运行一次“%3”，核对指纹后再接受。</translation>
    </message>
    <message>
        <source>The SSH host %1 refused the login. Check that &apos;%3&apos; works in a terminal; a key with a passphrase has to be in the agent. ssh said: “%2”</source>
        <translation>SSH 主机 %1 拒绝了登录。请检查“%3”在终端中能否登录；有口令的密钥须已加入代理。ssh 的说明：“%2”</translation>
    </message>
    <message>
        <source>ssh cannot connect to %1 as it is set up. Check its configuration. It said: “%2”</source>
        <translation>按现有设置，ssh 无法连接到 %1。请检查其配置。它的说明：“%2”</translation>
    </message>
    <message>
        <source>ssh ended and said nothing</source>
        <translation>ssh 已结束，没有任何说明</translation>
    </message>
    <message>
        <source>The SSH host %1 forbids connections to %2 through it. Ask its operator to allow it (AllowTcpForwarding, PermitOpen). It said: “%3”</source>
        <translation>SSH 主机 %1 禁止经由它连接到 %2。请让其管理员放行（AllowTcpForwarding、PermitOpen）。它的说明：“%3”</translation>
    </message>
    <message>
        <source>no SSH login in time</source>
        <translation>SSH 登录超时</translation>
    </message>
    <message>
        <source>The program ssh is missing. Install OpenSSH&apos;s client (package openssh-client).</source>
        <translation>缺少程序 ssh。请安装 OpenSSH 客户端（软件包 openssh-client）。</translation>
    </message>
    <message>
        <source>No server is stored under the name “%1”. Connect to it once in the window, with a name.</source>
        <translation>没有以名称“%1”保存的服务器。请先在窗口中填写名称并连接一次。</translation>
    </message>
    <message>
        <source>No server is stored under the name “%1”. Stored: %2.</source>
        <translation>没有以名称“%1”保存的服务器。已保存：%2。</translation>
    </message>
    <message>
        <source>the server closed the connection instead of answering: this port may expect TLS, or belong to a proxy that knows neither INFO nor SCAN</source>
        <translation>服务器没有应答就关闭了连接：此端口可能要求 TLS，也可能属于既不支持 INFO 也不支持 SCAN 的代理</translation>
    </message>
    <message>
        <source>servers that may keep it until the lease expires: %1</source>
        <translation>在租约过期前可能仍保留此锁的服务器：%1 个</translation>
    </message>
    <message>
        <source>%1 of %2 servers are available, and %3 are needed</source>
        <translation>%2 个服务器中有 %1 个可用，需要 %3 个</translation>
    </message>
    <message>
        <source>%1 is a replica</source>
        <translation>%1 是副本</translation>
    </message>
    <message>
        <source>%1 is a node of a cluster</source>
        <translation>%1 是集群节点</translation>
    </message>
    <message>
        <source>%1 is the same server as %2</source>
        <translation>%1 与 %2 是同一个服务器</translation>
    </message>
    <message>
        <source>Give one host: any node of a cluster knows the others. Several Sentinels are written as in redis-sentinel://host1,host2/name, a Redlock group as in redis-redlock://host1,host2,host3.</source>
        <translation>请给出一个主机：集群的任一节点都知道其他节点。多个哨兵写作 redis-sentinel://host1,host2/name，Redlock 组写作 redis-redlock://host1,host2,host3。</translation>
    </message>
    <message>
        <source>Write the address of a Redlock group as in redis-redlock://host1,host2,host3.</source>
        <translation>Redlock 组的地址写作 redis-redlock://host1,host2,host3。</translation>
    </message>
    <message>
        <source>A Redlock group has at least two servers, as in host1:6379,host2:6379,host3:6379.</source>
        <translation>Redlock 组至少有两个服务器，例如 host1:6379,host2:6379,host3:6379。</translation>
    </message>
    <message>
        <source>A Redlock group can have at most %1 servers.</source>
        <translation>Redlock 组最多 %1 个服务器。</translation>
    </message>
    <message>
        <source>The Redlock group names %1 twice. Each server counts once.</source>
        <translation>Redlock 组中 %1 出现两次。每个服务器只计一次。</translation>
    </message>
    <message>
        <source>The servers took longer than the lease to answer. Give a longer lease.</source>
        <translation>服务器应答所用时间超过租约。请给出更长的租约。</translation>
    </message>
    <message>
        <source>the lock was released again on %1 servers</source>
        <translation>已在 %1 个服务器上重新释放此锁</translation>
    </message>
    <message>
        <source>in production the lock&apos;s name has to be typed</source>
        <translation>在生产环境中必须输入锁的名称</translation>
    </message>
    <message>
        <source>it was not confirmed</source>
        <translation>未经确认</translation>
    </message>
    <message>
        <source>it was written by a later version of Lockscope; use another file</source>
        <translation>由更新版本的 Lockscope 写入；请使用其他文件</translation>
    </message>
    <message>
        <source>it belongs to the checks of %1; use another file</source>
        <translation>属于对 %1 的检查；请使用其他文件</translation>
    </message>
    <message>
        <source>its directory is missing and cannot be made</source>
        <translation>所在目录不存在且无法创建</translation>
    </message>
    <message>
        <source>another check is using it</source>
        <translation>另一个检查正在使用</translation>
    </message>
    <message>
        <source>its directory is not writable</source>
        <translation>所在目录不可写</translation>
    </message>
    <message>
        <source>it is not a regular file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <source>others may write to it: chmod 600 it</source>
        <translation>其他用户可写：请执行 chmod 600</translation>
    </message>
    <message>
        <source>it is too big for a file of checks</source>
        <translation>文件过大，不是检查的状态文件</translation>
    </message>
    <message>
        <source>it is no file of checks</source>
        <translation>它不是 check 的状态文件</translation>
    </message>
    <message>
        <source>%1 holds nothing that can be read.</source>
        <translation>%1 中没有可读取的内容。</translation>
    </message>
    <message>
        <source>%1 is not a recording of Lockscope.</source>
        <translation>%1 不是 Lockscope 的录制文件。</translation>
    </message>
    <message>
        <source>%1 has format %2 of a newer Lockscope; this one reads formats up to %3. Update Lockscope.</source>
        <translation>%1 的格式为 %2，来自更新的 Lockscope；此版本最高可读取格式 %3。请更新 Lockscope。</translation>
    </message>
    <message>
        <source>Another program is recording to %1. Choose another file.</source>
        <translation>另一个程序正在录制到 %1。请选择其他文件。</translation>
    </message>
    <message>
        <source>handoff lock</source>
        <translation>直接移交锁</translation>
    </message>
    <message>
        <source>The connection was lost; why was not recorded.</source>
        <translation>连接已断开；原因未录制。</translation>
    </message>
    <message>
        <source>%1 holds %2 MB already, and may have %3 MB: most of it would be deleted. Allow more, or choose another file.</source>
        <translation>%1 已有 %2 MB，上限为 %3 MB：其中大部分会被删除。请提高上限，或选择其他文件。</translation>
    </message>
    <message>
        <source>%1 cannot hold that many locks and waiters. Narrow the patterns.</source>
        <translation>%1 容纳不下这么多锁和等待者。请缩小键模式的范围。</translation>
    </message>
    <message>
        <source>Expected: a part of the key</source>
        <translation>接下来：键的一部分</translation>
    </message>
    <message>
        <source>Expected: a part of an owner ID or of a process name</source>
        <translation>接下来：持有者 ID 或进程名称的一部分</translation>
    </message>
    <message>
        <source>Expected: a time, such as 10s, 500ms, 5m or 2h</source>
        <translation>接下来：时间，例如 10s、500ms、5m 或 2h</translation>
    </message>
    <message>
        <source>Expected: a number</source>
        <translation>接下来：一个数字</translation>
    </message>
    <message>
        <source>State of the lock</source>
        <translation>锁的状态</translation>
    </message>
    <message>
        <source>Expected: a state, such as held or stalled</source>
        <translation>接下来：状态，例如 held 或 stalled</translation>
    </message>
    <message>
        <source>Part of an owner ID or process name, or a pattern with *</source>
        <translation>持有者 ID 或进程名称的一部分，或含 * 的模式</translation>
    </message>
    <message>
        <source>Part of the key, or a pattern with *</source>
        <translation>键的一部分，或含 * 的模式</translation>
    </message>
    <message>
        <source>Family that wrote the lock</source>
        <translation>写入该锁的锁类型</translation>
    </message>
    <message>
        <source>Expected: a family, such as reentrant or token</source>
        <translation>接下来：锁类型，例如 reentrant 或 token</translation>
    </message>
    <message>
        <source>Problem of the lock</source>
        <translation>锁的问题</translation>
    </message>
    <message>
        <source>Expected: a problem, such as no-expiry, or any</source>
        <translation>接下来：问题，例如 no-expiry，或 any</translation>
    </message>
    <message>
        <source>Time left: less than</source>
        <translation>剩余时间：少于</translation>
    </message>
    <message>
        <source>Time left: more than</source>
        <translation>剩余时间：多于</translation>
    </message>
    <message>
        <source>Held for: more than</source>
        <translation>持有时长：多于</translation>
    </message>
    <message>
        <source>Held for: less than</source>
        <translation>持有时长：少于</translation>
    </message>
    <message>
        <source>Known waiters: more than</source>
        <translation>已知等待者：多于</translation>
    </message>
    <message>
        <source>Known waiters: less than</source>
        <translation>已知等待者：少于</translation>
    </message>
    <message>
        <source>Known waiters: exactly</source>
        <translation>已知等待者：恰好</translation>
    </message>
    <message>
        <source>Part of the address of the node</source>
        <translation>节点地址的一部分</translation>
    </message>
    <message>
        <source>Expected: a part of a node&apos;s address</source>
        <translation>接下来：节点地址的一部分</translation>
    </message>
    <message>
        <source>Exactly this owner ID</source>
        <translation>恰好是此持有者 ID</translation>
    </message>
    <message>
        <source>Expected: a whole owner ID</source>
        <translation>接下来：完整的持有者 ID</translation>
    </message>
    <message>
        <source>Exactly this key</source>
        <translation>恰好是此键</translation>
    </message>
    <message>
        <source>Expected: a whole key</source>
        <translation>接下来：完整的键</translation>
    </message>
    <message>
        <source>Exactly this node</source>
        <translation>恰好是此节点</translation>
    </message>
    <message>
        <source>Expected: the address of a node</source>
        <translation>接下来：节点的完整地址</translation>
    </message>
    <message>
        <source>Expected: a closing quotation mark</source>
        <translation>接下来：右引号</translation>
    </message>
    <message>
        <source>No lock contains “%1”. Continue with a token, or press Return.</source>
        <translation>没有锁包含“%1”。请继续输入，或按回车键。</translation>
    </message>
    <message>
        <source>“%1” needs a value.</source>
        <translation>“%1”需要一个值。</translation>
    </message>
    <message>
        <source>A quotation mark is not closed.</source>
        <translation>引号未闭合。</translation>
    </message>
    <message>
        <source>“%1” has a backslash that escapes nothing. Write \\ for a backslash and \xNN for a byte.</source>
        <translation>“%1”中的反斜杠没有转义任何内容。反斜杠请写作 \\，字节请写作 \xNN。</translation>
    </message>
    <message>
        <source>“%1” needs a number, such as waiters&gt;=2.</source>
        <translation>“%1”需要一个数字，例如 waiters&gt;=2。</translation>
    </message>
    <message>
        <source>“%1” needs a time, such as 10s, 500ms, 5m or 2h.</source>
        <translation>“%1”需要一个时间，例如 10s、500ms、5m 或 2h。</translation>
    </message>
    <message>
        <source>No family is called “%1”. Try reentrant, token or another name from the Family column.</source>
        <translation>没有名为“%1”的锁类型。请用 reentrant、token 或“锁类型”列中显示的其他名称。</translation>
    </message>
    <message>
        <source>No state is called “%1”. Try %2.</source>
        <translation>没有名为“%1”的状态。可用：%2。</translation>
    </message>
    <message>
        <source>No problem is called “%1”. Try %2.</source>
        <translation>没有名为“%1”的问题。可用：%2。</translation>
    </message>
    <message numerus="yes">
        <source>%1 waiter(s).</source>
        <translation>
            <numerusform>%1 个等待者。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %1 waiter(s).</source>
        <translation>
            <numerusform>至少 %1 个等待者。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 dead waiter(s) in the queue: waiters behind wait until the timeout.</source>
        <translation>
            <numerusform>队列中有 %1 个失效等待者：其后的等待者须等到其超时。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %1 dead waiter(s) in the queue: waiters behind wait until the timeout.</source>
        <translation>
            <numerusform>队列中至少有 %1 个失效等待者：其后的等待者须等到其超时。</numerusform>
        </translation>
    </message>
    <message>
        <source>Deadlock</source>
        <translation>死锁</translation>
    </message>
    <message>
        <source>&amp;Deadlock</source>
        <translation>死锁(&amp;D)</translation>
    </message>
    <message>
        <source>Owners wait for each other. Confirmed by two readings.</source>
        <translation>持有者互相等待。经两次读取确认。</translation>
    </message>
    <message>
        <source>The owners of these locks wait for each other: %1</source>
        <translation>以下锁的持有者互相等待：%1</translation>
    </message>
    <message>
        <source>Connection lost</source>
        <translation>连接中断</translation>
    </message>
    <message>
        <source>&amp;Connection lost</source>
        <translation>连接中断(&amp;C)</translation>
    </message>
    <message>
        <source>The server, or one of several, cannot be reached: nothing is known of its locks.</source>
        <translation>无法连接服务器（或其中一台）：其锁的状态未知。</translation>
    </message>
    <message>
        <source>Nothing is known of the locks on %1 until it can be reached again.</source>
        <translation>在重新连上 %1 之前，其上的锁情况未知。</translation>
    </message>
    <message>
        <source>Nothing is known of the locks until the server can be reached again.</source>
        <translation>在重新连上服务器之前，锁的情况未知。</translation>
    </message>
    <message>
        <source>Locks gone at once</source>
        <translation>大量锁同时消失</translation>
    </message>
    <message>
        <source>Locks &amp;gone at once</source>
        <translation>大量锁同时消失(&amp;G)</translation>
    </message>
    <message>
        <source>The server was flushed, restarted or replaced.</source>
        <translation>服务器被清空、重启或替换。</translation>
    </message>
    <message>
        <source>Stalled holder with waiters</source>
        <translation>持有者续期停滞且有等待者</translation>
    </message>
    <message>
        <source>&amp;Stalled holder with waiters</source>
        <translation>持有者续期停滞且有等待者(&amp;S)</translation>
    </message>
    <message>
        <source>The owner&apos;s renewal is overdue while others wait: its process has probably crashed.</source>
        <translation>持有者续期超时且有其他等待者：其进程可能已崩溃。</translation>
    </message>
    <message>
        <source>The renewal by %1 is overdue: its process has probably crashed, hangs or was paused. %2</source>
        <translation>%1 的续期超时：其进程可能已崩溃、卡住或被暂停。%2</translation>
    </message>
    <message>
        <source>No expiry</source>
        <translation>永不过期</translation>
    </message>
    <message>
        <source>No e&amp;xpiry</source>
        <translation>永不过期(&amp;X)</translation>
    </message>
    <message>
        <source>A lock has no expiry, and its library gives its locks one.</source>
        <translation>锁没有过期时间，而其库会为锁设置过期时间。</translation>
    </message>
    <message>
        <source>Held by %1 without expiry: the lock stays until it is released.</source>
        <translation>由 %1 持有且永不过期：锁会一直存在，直到被释放。</translation>
    </message>
    <message>
        <source>rule: at most N waiters per lock; an unknown number breaks no rule (alert: 20)</source>
        <translation>规则：每个锁最多 N 个等待者；数目未知不算违反（alert：20）</translation>
    </message>
    <message>
        <source>Many waiters</source>
        <translation>等待者过多</translation>
    </message>
    <message>
        <source>More &amp;waiters than</source>
        <translation>等待者多于(&amp;W)</translation>
    </message>
    <message>
        <source>As far as waiters can be counted.</source>
        <translation>仅限可计数的等待者。</translation>
    </message>
    <message>
        <source>Most waiters</source>
        <translation>等待者上限</translation>
    </message>
    <message>
        <source>%2 Held by %1.</source>
        <translation>%2持有者：%1。</translation>
    </message>
    <message>
        <source>Dead waiters</source>
        <translation>失效等待者</translation>
    </message>
    <message>
        <source>&amp;More dead waiters than</source>
        <translation>失效等待者多于(&amp;M)</translation>
    </message>
    <message>
        <source>Waiters in the queue that will not wake.</source>
        <translation>队列中不会再被唤醒的等待者。</translation>
    </message>
    <message>
        <source>Most dead waiters</source>
        <translation>失效等待者上限</translation>
    </message>
    <message>
        <source>rule: no owner that every check, or alert, has seen for longer; see metrics.md</source>
        <translation>规则：没有被每次检查（或 alert）看到超过此时长的持有者；见 metrics.md</translation>
    </message>
    <message>
        <source>Held too long</source>
        <translation>持有时间过长</translation>
    </message>
    <message>
        <source>&amp;Held longer than</source>
        <translation>持有时间超过(&amp;H)</translation>
    </message>
    <message>
        <source>One owner has held a lock for longer, at least.</source>
        <translation>同一持有者持有锁的时间至少超过此值。</translation>
    </message>
    <message>
        <source>Longest hold</source>
        <translation>最长持有时间</translation>
    </message>
    <message>
        <source>Held by %1 for at least %2. The limit is %3.</source>
        <translation>由 %1 持有至少 %2。上限为 %3。</translation>
    </message>
    <message>
        <source>Unusually long hold</source>
        <translation>持有时间异常长</translation>
    </message>
    <message>
        <source>Held &amp;longer than usual</source>
        <translation>持有时间超过通常值(&amp;L)</translation>
    </message>
    <message>
        <source>Multiple of the usual hold</source>
        <translation>通常持有时间的倍数</translation>
    </message>
    <message>
        <source>The strategy&apos;s own method.</source>
        <translation>策略自身的方式。</translation>
    </message>
    <message>
        <source>GET, compare in the client, DEL: changes in between go unnoticed. Not safe.</source>
        <translation>GET，在客户端比较，再 DEL：其间的变化不会被发现。不安全。</translation>
    </message>
    <message>
        <source>One script compares and deletes; a lock that is gone already counts as not released.</source>
        <translation>由一个脚本比较并删除；锁已不存在时，视为未释放。</translation>
    </message>
    <message>
        <source>One script compares and deletes; a lock that is gone already counts as done.</source>
        <translation>由一个脚本比较并删除；锁已不存在时，视为已完成。</translation>
    </message>
    <message>
        <source>WATCH, GET, MULTI, DEL, EXEC: a change in between makes it fail.</source>
        <translation>WATCH、GET、MULTI、DEL、EXEC：其间若有更改则失败。</translation>
    </message>
    <message>
        <source>DEL without a check of the owner. Not safe.</source>
        <translation>不检查持有者就 DEL。不安全。</translation>
    </message>
    <message>
        <source>Retries after a fixed time.</source>
        <translation>经过固定时间后重试。</translation>
    </message>
    <message>
        <source>Retries after a random time that grows from 1 to 20 ms.</source>
        <translation>经过随机时间后重试，该时间从 1 毫秒增长到 20 毫秒。</translation>
    </message>
    <message>
        <source>Each release is published, and all waiters retry at once.</source>
        <translation>每次释放都会发布，所有等待者立即重试。</translation>
    </message>
    <message>
        <source>Tries once. If refused, continues without the lock.</source>
        <translation>只尝试一次。若被拒绝，则不持有锁而继续。</translation>
    </message>
    <message>
        <source>Waits up to the timeout, then continues without the lock.</source>
        <translation>等待至超时，之后不持有锁而继续。</translation>
    </message>
    <message>
        <source>Waits until the lock is acquired.</source>
        <translation>一直等待，直到获取锁。</translation>
    </message>
    <message>
        <source>The private server pauses, then continues</source>
        <translation>私有服务器暂停片刻后继续运行</translation>
    </message>
    <message>
        <source>The private server is killed and started again, empty</source>
        <translation>私有服务器终止后重新启动，数据为空</translation>
    </message>
    <message>
        <source>FLUSHALL: all keys are gone at once</source>
        <translation>FLUSHALL：所有键同时消失</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>How a worker acquires the lock</source>
        <translation>工作线程获取锁的方式</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放方式</translation>
    </message>
    <message>
        <source>How a worker releases the lock</source>
        <translation>工作线程释放锁的方式</translation>
    </message>
    <message>
        <source>Retry by</source>
        <translation>重试方式</translation>
    </message>
    <message>
        <source>How a waiting worker retries</source>
        <translation>等待中的工作线程如何重试</translation>
    </message>
    <message>
        <source>Poll interval</source>
        <translation>轮询间隔</translation>
    </message>
    <message>
        <source>Time between two attempts</source>
        <translation>两次尝试之间的时间</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作线程</translation>
    </message>
    <message>
        <source>Number of workers; each has its own connections</source>
        <translation>工作线程数；每个都有自己的连接</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Number of processes that run the workers</source>
        <translation>运行工作线程的进程数</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Number of locks; each iteration acquires one</source>
        <translation>锁的数量；每次迭代获取其中一个</translation>
    </message>
    <message>
        <source>Number of rounds</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Lease</source>
        <translation>租约</translation>
    </message>
    <message>
        <source>Time after which an unrenewed lock expires</source>
        <translation>锁未续期时的过期时间</translation>
    </message>
    <message>
        <source>Hold time</source>
        <translation>持锁时间</translation>
    </message>
    <message>
        <source>Time in the critical section</source>
        <translation>在临界区内的时间</translation>
    </message>
    <message>
        <source>Lock waits</source>
        <translation>锁等待</translation>
    </message>
    <message>
        <source>What a worker does while another worker holds the lock</source>
        <translation>其他工作线程持有锁时的行为</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>Wait time before a worker gives up</source>
        <translation>工作线程放弃前的等待时间</translation>
    </message>
    <message>
        <source>Wait timeout</source>
        <translation>等待超时</translation>
    </message>
    <message>
        <source>Re-entry</source>
        <translation>重入</translation>
    </message>
    <message>
        <source>Number of times a worker acquires the same lock (re-entry levels)</source>
        <translation>工作线程获取同一个锁的次数（重入层数）</translation>
    </message>
    <message>
        <source>Watchdog</source>
        <translation>看门狗</translation>
    </message>
    <message>
        <source>Renews the lock after each third of the lease while the worker runs</source>
        <translation>工作线程运行期间，每过三分之一租约续期一次</translation>
    </message>
    <message>
        <source>Crashes</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>Iterations in which the worker crashes while it holds the lock</source>
        <translation>工作线程在持有锁时崩溃的迭代</translation>
    </message>
    <message>
        <source>Pauses</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Iterations in which the worker pauses while it holds the lock</source>
        <translation>工作线程在持有锁时暂停的迭代</translation>
    </message>
    <message>
        <source>Pause length</source>
        <translation>暂停时长</translation>
    </message>
    <message>
        <source>Length of a pause; longer than the lease, the lock is lost</source>
        <translation>一次暂停的时长；长于租约时，锁会丢失</translation>
    </message>
    <message>
        <source>1.5 leases</source>
        <translation>1.5 个租约</translation>
    </message>
    <message>
        <source>Split crash</source>
        <translation>中途崩溃</translation>
    </message>
    <message>
        <source>Iterations in which the worker crashes between SETNX and EXPIRE: the lock has no expiry</source>
        <translation>工作线程在 SETNX 与 EXPIRE 之间崩溃的迭代：锁没有过期时间</translation>
    </message>
    <message>
        <source>Watchdog stops</source>
        <translation>看门狗停止</translation>
    </message>
    <message>
        <source>Iterations in which renewals stop while the worker continues</source>
        <translation>续期停止而工作线程仍在工作的迭代</translation>
    </message>
    <message>
        <source>Lost replies</source>
        <translation>应答丢失</translation>
    </message>
    <message>
        <source>Iterations in which the server acts, but its reply is lost</source>
        <translation>服务器已执行、但应答丢失的迭代</translation>
    </message>
    <message>
        <source>Slow release</source>
        <translation>释放缓慢</translation>
    </message>
    <message>
        <source>Iterations in which the worker pauses in its release: between check and delete, or before a script, which does both in one step</source>
        <translation>工作线程在释放时暂停的迭代：在检查与删除之间，或在一步完成两者的脚本之前</translation>
    </message>
    <message>
        <source>Long holds</source>
        <translation>长时间持锁</translation>
    </message>
    <message>
        <source>Iterations in which the worker holds the lock ten times as long</source>
        <translation>工作线程持锁时间为十倍的迭代</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>The same seed makes the same random choices</source>
        <translation>相同的随机种子产生相同的随机选择</translation>
    </message>
    <message>
        <source>Lock evicted</source>
        <translation>锁被驱逐</translation>
    </message>
    <message>
        <source>Lock e&amp;victed</source>
        <translation>锁被驱逐(&amp;V)</translation>
    </message>
    <message>
        <source>The server removed a lock to free memory.</source>
        <translation>服务器为释放内存移除了一个锁。</translation>
    </message>
    <message>
        <source>Held by %1 until the server removed it to free memory. That owner may still be working: a next one may not be alone.</source>
        <translation>由 %1 持有，直到服务器为释放内存将其移除。该持有者可能仍在工作：下一个持有者可能并非唯一。</translation>
    </message>
    <message>
        <source>The server removed it to free memory.</source>
        <translation>服务器为释放内存将其移除。</translation>
    </message>
    <message>
        <source>Stalled holder without waiters</source>
        <translation>持有者续期停滞且无等待者</translation>
    </message>
    <message>
        <source>S&amp;talled holder without waiters</source>
        <translation>持有者续期停滞且无等待者(&amp;T)</translation>
    </message>
    <message>
        <source>The owner&apos;s renewal is overdue, and nobody is known to wait: see what it was doing.</source>
        <translation>持有者续期超时，且没有已知的等待者：请查看它当时在做什么。</translation>
    </message>
    <message>
        <source>The renewal by %1 is overdue: its process has probably crashed, hangs or was paused. Nobody is known to wait.</source>
        <translation>%1 的续期超时：其进程可能已崩溃、卡住或被暂停。没有已知的等待者。</translation>
    </message>
    <message>
        <source>Several owners</source>
        <translation>多个持有者</translation>
    </message>
    <message>
        <source>Several ow&amp;ners</source>
        <translation>多个持有者(&amp;N)</translation>
    </message>
    <message>
        <source>A lock has several owners, and one may hold it.</source>
        <translation>锁有多个持有者，而只允许一个。</translation>
    </message>
    <message>
        <source>Held by %1 at once, and one may hold it.</source>
        <translation>同时由 %1 持有，而只允许一个持有者。</translation>
    </message>
    <message>
        <source>No quorum</source>
        <translation>未达多数</translation>
    </message>
    <message>
        <source>No &amp;quorum</source>
        <translation>未达多数(&amp;Q)</translation>
    </message>
    <message>
        <source>No owner has a lock on a majority of the servers.</source>
        <translation>没有持有者在多数服务器上拥有此锁。</translation>
    </message>
    <message>
        <source>On too few servers by %1: no owner has it on a majority of them.</source>
        <translation>%1 拥有此锁的服务器不足：没有持有者在多数服务器上拥有它。</translation>
    </message>
    <message>
        <source>Orphaned queue</source>
        <translation>孤立队列</translation>
    </message>
    <message>
        <source>&amp;Orphaned queue</source>
        <translation>孤立队列(&amp;O)</translation>
    </message>
    <message>
        <source>A queue whose lock is gone: nobody will wake those that stand in it.</source>
        <translation>锁已不存在的队列：其中的等待者不会被唤醒。</translation>
    </message>
    <message>
        <source>Its lock is gone, and its queue is not: nobody will wake those that stand in it.</source>
        <translation>锁已不存在，但等待队列仍在：其中的等待者不会被唤醒。</translation>
    </message>
    <message>
        <source>rule: at most N dead waiters per lock (0)</source>
        <translation>规则：每个锁最多 N 个失效等待者（0）</translation>
    </message>
    <message>
        <source>rule: no hold far longer than the key&apos;s others and TIMES its usual one; 0: none (10)</source>
        <translation>规则：持有时长不远超该键的其他持有，且不超过其通常时长的 TIMES 倍；0：无此规则（10）</translation>
    </message>
    <message>
        <source>Far longer than 99.8% of the key&apos;s holds, and so many times their median.</source>
        <translation>远长于该键 99.8% 的持有，且为其中位数的若干倍。</translation>
    </message>
    <message>
        <source>Held by %1 for at least %2. Of %4 holds of this key that were seen, 99.8% lasted %5 at most; %3 counts as unusual.</source>
        <translation>由 %1 持有至少 %2。在看到的该键 %4 次持有中，99.8% 不超过 %5；达到 %3 即视为异常。</translation>
    </message>
    <message>
        <source>servers where another owner has the lock: %1; expect that owner, too, to expire it there</source>
        <translation>有 %1 台服务器上的锁属于其他持有者；如需一并强制过期，请同时给出该持有者</translation>
    </message>
    <message>
        <source>Whether it was a lock, and who used it, is unknown: its content was as it had been read.</source>
        <translation>它是否是锁、由谁使用均未知：其内容与读取时相同。</translation>
    </message>
    <message>
        <source>No expiry, family ambiguous</source>
        <translation>无过期时间，类型不确定</translation>
    </message>
    <message>
        <source>No expiry, &amp;family ambiguous</source>
        <translation>无过期时间，类型不确定(&amp;F)</translation>
    </message>
    <message>
        <source>A lock has no expiry, and whether its library gives its locks one is unknown.</source>
        <translation>某个锁没有过期时间，其库是否为锁设置过期时间未知。</translation>
    </message>
    <message>
        <source>Held by %1 without expiry; the family is ambiguous.</source>
        <translation>由 %1 持有，无过期时间；类型不确定。</translation>
    </message>
    <message>
        <source>&apos;%1://&apos; is not known. The address must start with redis://, rediss://, redis-sentinel:// or unix://.</source>
        <translation>无法识别“%1://”。地址必须以 redis://、rediss://、redis-sentinel:// 或 unix:// 开头。</translation>
    </message>
    <message>
        <source>Without expiry: what that means</source>
        <translation>无过期时间：其含义</translation>
    </message>
    <message>
        <source>Expected: any, problem, open or usual</source>
        <translation>应为：any、problem、open 或 usual</translation>
    </message>
    <message>
        <source>“no-expiry:%1” is unknown. Try %2.</source>
        <translation>“no-expiry:%1”未知。可用：%2。</translation>
    </message>
    <message>
        <source>One winner</source>
        <translation>唯一赢家</translation>
    </message>
    <message>
        <source>Forty workers try once at the same moment for the same lock, fifty times.</source>
        <translation>四十个工作线程在同一时刻对同一个锁各尝试一次，共五十轮。</translation>
    </message>
    <message>
        <source>In every round exactly one worker acquires the lock.</source>
        <translation>每一轮都恰好有一个工作线程获取锁。</translation>
    </message>
    <message>
        <source>Four in sequence</source>
        <translation>四者依次</translation>
    </message>
    <message>
        <source>Each of four workers works twice as long as its lease. A tries at once, B after 30 ms, C from 60 ms for 101 ms, D blocks from 150 ms.</source>
        <translation>四个工作线程各自的工作时间都是租约的两倍。A 立即尝试，B 在 30 毫秒后尝试，C 从 60 毫秒起尝试 101 毫秒，D 从 150 毫秒起阻塞等待。</translation>
    </message>
    <message>
        <source>A acquires the lock, B does not, C acquires when A&apos;s lease has expired, then D. Their work overlaps, and no late release frees another owner&apos;s lock.</source>
        <translation>A 获取锁，B 未获取，C 在 A 的租约到期后获取，然后是 D。它们的工作相互重叠，但没有迟到的释放误删他人的锁。</translation>
    </message>
    <message>
        <source>releases by A after its lease that freed another owner&apos;s lock</source>
        <translation>A 在租约到期后释放、却误删他人锁的次数</translation>
    </message>
    <message>
        <source>overlaps, since each works longer than its lease</source>
        <translation>因各自工作时间长于租约而产生的重叠</translation>
    </message>
    <message>
        <source>overlaps that no expired lease explains</source>
        <translation>无法以租约到期解释的重叠</translation>
    </message>
    <message>
        <source>Five processes, two locks</source>
        <translation>五个进程，两个锁</translation>
    </message>
    <message>
        <source>Five processes wake at the same moment, and each tries once for the first lock and then for the second one.</source>
        <translation>五个进程在同一时刻醒来，各自先对第一个锁、再对第二个锁尝试一次。</translation>
    </message>
    <message>
        <source>Each lock has at most one holder at any time. A late process may acquire a lock just released.</source>
        <translation>每个锁在任何时刻最多有一个持有者。较晚的进程可以获取刚释放的锁。</translation>
    </message>
    <message>
        <source>attempts of five processes for two locks</source>
        <translation>五个进程对两个锁的尝试次数</translation>
    </message>
    <message>
        <source>overlaps on one lock</source>
        <translation>同一个锁的重叠次数</translation>
    </message>
    <message>
        <source>A lock without expiry</source>
        <translation>没有过期时间的锁</translation>
    </message>
    <message>
        <source>A client crashes between SETNX and EXPIRE.</source>
        <translation>一个客户端在 SETNX 与 EXPIRE 之间崩溃。</translation>
    </message>
    <message>
        <source>Without contenders, the lock never expires. Contenders find no expiry, set one, and continue when the lock has expired.</source>
        <translation>没有竞争者时，锁永不过期。竞争者发现无过期时间后会设置一个，待锁过期后继续。</translation>
    </message>
    <message>
        <source>alone</source>
        <translation>独自</translation>
    </message>
    <message>
        <source>locks without expiry</source>
        <translation>无过期时间的锁</translation>
    </message>
    <message>
        <source>with contenders</source>
        <translation>有竞争者</translation>
    </message>
    <message>
        <source>contenders that acquired the lock in the end</source>
        <translation>最终获取锁的竞争者</translation>
    </message>
    <message>
        <source>Foreign release</source>
        <translation>误删他人锁</translation>
    </message>
    <message>
        <source>A holder works longer than its lease, then deletes the lock, which another worker owns by now. A third worker waits.</source>
        <translation>一个持有者的工作时间长于租约，随后删除了此时已属于另一工作线程的锁。第三个工作线程正在等待。</translation>
    </message>
    <message>
        <source>An unchecked delete causes an overlap of the second and third worker. A delete that compares the owner does not.</source>
        <translation>不检查的删除会使第二个和第三个工作线程重叠。先比较持有者的删除则不会。</translation>
    </message>
    <message>
        <source>foreign releases</source>
        <translation>误删他人锁</translation>
    </message>
    <message>
        <source>overlaps although the lease had not expired</source>
        <translation>租约尚未到期时的重叠</translation>
    </message>
    <message>
        <source>Paused holder</source>
        <translation>持有者暂停</translation>
    </message>
    <message>
        <source>A holder pauses beyond its lease, as in a long garbage collection, then writes as if it still held the lock.</source>
        <translation>一个持有者暂停到租约到期之后，如同长时间的垃圾回收，随后仍像持有锁那样写入。</translation>
    </message>
    <message>
        <source>The workers overlap. Without fencing tokens the stale write is accepted; with tokens the write is rejected.</source>
        <translation>工作线程发生重叠。没有防护令牌（fencing token）时，过期写入被接受；有防护令牌时则被拒绝。</translation>
    </message>
    <message>
        <source>without fencing</source>
        <translation>无防护</translation>
    </message>
    <message>
        <source>overlaps because the lease expired during the pause</source>
        <translation>因暂停期间租约到期而产生的重叠</translation>
    </message>
    <message>
        <source>stale writes accepted</source>
        <translation>过期写入（已接受）</translation>
    </message>
    <message>
        <source>with fencing tokens</source>
        <translation>有防护令牌</translation>
    </message>
    <message>
        <source>stale writes rejected by their token</source>
        <translation>过期写入（已拒绝）</translation>
    </message>
    <message>
        <source>Crashed holder</source>
        <translation>持有者崩溃</translation>
    </message>
    <message>
        <source>Workers crash while they hold the lock.</source>
        <translation>工作线程在持有锁时崩溃。</translation>
    </message>
    <message>
        <source>No worker acquires the lock before the crashed holder&apos;s lease expires; one does soon after.</source>
        <translation>在崩溃持有者的租约到期之前没有工作线程获取锁；到期后很快有一个获取。</translation>
    </message>
    <message>
        <source>one crash</source>
        <translation>一次崩溃</translation>
    </message>
    <message>
        <source>repeated crashes</source>
        <translation>反复崩溃</translation>
    </message>
    <message>
        <source>crashes</source>
        <translation>崩溃次数</translation>
    </message>
    <message>
        <source>lost wake-ups</source>
        <translation>唤醒丢失</translation>
    </message>
    <message>
        <source>Work longer than the lease</source>
        <translation>工作时间长于租约</translation>
    </message>
    <message>
        <source>A worker needs more than three leases for its work: once with a watchdog, once with a stopped watchdog.</source>
        <translation>一个工作线程的工作需要三个以上的租约：一次有看门狗，一次看门狗已停止。</translation>
    </message>
    <message>
        <source>With the watchdog there is no overlap. Without it, another worker enters when the lease has expired.</source>
        <translation>有看门狗时没有重叠；没有时，租约到期后会有另一工作线程进入。</translation>
    </message>
    <message>
        <source>renewed</source>
        <translation>持续续期</translation>
    </message>
    <message>
        <source>overlaps in work longer than the lease</source>
        <translation>工作时间长于租约时的重叠</translation>
    </message>
    <message>
        <source>workers that acquired the lock</source>
        <translation>获取锁的工作线程</translation>
    </message>
    <message>
        <source>watchdog stopped</source>
        <translation>看门狗停止</translation>
    </message>
    <message>
        <source>Convoy</source>
        <translation>车队效应</translation>
    </message>
    <message>
        <source>Twenty workers hold the lock for 1 ms each; one iteration in a hundred takes 200 ms.</source>
        <translation>二十个工作线程各持有锁 1 毫秒；每一百次迭代中有一次持有 200 毫秒。</translation>
    </message>
    <message>
        <source>The few slow holders decide how long all workers wait: wait p99 is a multiple of the usual hold time.</source>
        <translation>少数慢持有者决定所有工作线程的等待时间：等待时间 P99 是正常持锁时间的许多倍。</translation>
    </message>
    <message>
        <source>slow holders</source>
        <translation>慢持有者</translation>
    </message>
    <message>
        <source>overlaps</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Thundering herd</source>
        <translation>惊群</translation>
    </message>
    <message>
        <source>The same load twice: once each release wakes every waiter, once each release hands the lock to the queue head.</source>
        <translation>同样的负载运行两次：一次每次释放都唤醒所有等待者，一次把锁直接移交给队首。</translation>
    </message>
    <message>
        <source>The herd costs at least three times as many commands per acquisition, and the next waiter acquires later.</source>
        <translation>惊群使每次获取的命令数至少增至三倍，下一个等待者也更晚获取锁。</translation>
    </message>
    <message>
        <source>all waiters wake</source>
        <translation>全部唤醒</translation>
    </message>
    <message>
        <source>handoff</source>
        <translation>直接移交</translation>
    </message>
    <message>
        <source>Two locks in opposite order</source>
        <translation>以相反顺序获取两个锁</translation>
    </message>
    <message>
        <source>Two workers acquire the same two locks in opposite order.</source>
        <translation>两个工作线程以相反的顺序获取同样的两个锁。</translation>
    </message>
    <message>
        <source>Each waits for the other until a lease expires; a timeout ends the wait sooner. In the same order there is no deadlock.</source>
        <translation>双方互相等待，直到某个租约到期；有超时则更早结束。顺序相同时不会死锁。</translation>
    </message>
    <message>
        <source>opposite order</source>
        <translation>相反顺序</translation>
    </message>
    <message>
        <source>opposite order, with timeouts</source>
        <translation>相反顺序，带超时</translation>
    </message>
    <message>
        <source>workers that time out and release their first lock</source>
        <translation>等待超时并释放第一个锁的工作线程</translation>
    </message>
    <message>
        <source>the same order</source>
        <translation>相同顺序</translation>
    </message>
    <message>
        <source>workers that time out</source>
        <translation>等待超时的工作线程</translation>
    </message>
    <message>
        <source>Fair and unfair</source>
        <translation>公平与不公平</translation>
    </message>
    <message>
        <source>The same load twice: once waiters poll every 10 ms, once they wait in a queue.</source>
        <translation>同样的负载运行两次：一次等待者每 10 毫秒轮询，一次在队列中等待。</translation>
    </message>
    <message>
        <source>In the queue all workers acquire equally often, within a tenth; polling workers do not.</source>
        <translation>在队列中，所有工作线程获取锁的次数相等，相差在十分之一以内；轮询时则不然。</translation>
    </message>
    <message>
        <source>polling every 10 ms</source>
        <translation>每 10 毫秒轮询</translation>
    </message>
    <message>
        <source>Three levels</source>
        <translation>三层重入</translation>
    </message>
    <message>
        <source>A worker acquires a lock that it already holds, three levels deep.</source>
        <translation>一个工作线程获取其已持有的锁，深达三层。</translation>
    </message>
    <message>
        <source>Re-entrant locks count each level and are released level by level. With a plain token lock the worker waits for itself until its timeout.</source>
        <translation>可重入锁逐层计数，并逐层释放。使用普通令牌锁时，工作线程会等待自己，直到超时。</translation>
    </message>
    <message>
        <source>levels counted, and released one by one</source>
        <translation>逐层计数并逐层释放的层数</translation>
    </message>
    <message>
        <source>waits for the worker&apos;s own lock, ended by a timeout</source>
        <translation>等待自己的锁、由超时结束的次数</translation>
    </message>
    <message>
        <source>Lost reply</source>
        <translation>应答丢失</translation>
    </message>
    <message>
        <source>The server acquires the lock for a worker, but the connection breaks before the reply arrives.</source>
        <translation>服务器已为工作线程获取了锁，但连接在应答到达之前断开。</translation>
    </message>
    <message>
        <source>A blind retry counts twice and leaks the lock. A check first, or a request that is safe to repeat, does not.</source>
        <translation>盲目重试会计数两次，并造成锁泄漏。先检查，或使用可安全重复的请求，则不会。</translation>
    </message>
    <message>
        <source>leaked locks</source>
        <translation>泄漏的锁</translation>
    </message>
    <message>
        <source>acquisitions, as the worker counted them</source>
        <translation>工作线程统计的获取次数</translation>
    </message>
    <message>
        <source>blind retry</source>
        <translation>盲目重试</translation>
    </message>
    <message>
        <source>checks first</source>
        <translation>先检查</translation>
    </message>
    <message>
        <source>A pause in the release</source>
        <translation>释放时暂停</translation>
    </message>
    <message>
        <source>A holder pauses in its release until its lease has expired and another owner has the lock; a third worker waits. Once between check and delete, once in a watched transaction, once before a script, which leaves no gap to pause in.</source>
        <translation>一个持有锁的工作线程在释放时暂停，直到租约过期且另一持有者获取了锁；第三个工作线程正在等待。依次为：在检查与删除之间、在受监视（WATCH）的事务中、在脚本之前（脚本中没有可暂停的间隙）。</translation>
    </message>
    <message>
        <source>Check-then-delete deletes the other owner&apos;s lock. The watched transaction is refused by EXEC, and the script finds another owner: neither deletes anything.</source>
        <translation>先检查后删除会误删另一持有者的锁。受监视的事务由 EXEC 拒绝，脚本则发现持有者不同：两者都不删除任何内容。</translation>
    </message>
    <message>
        <source>pauses between check and delete</source>
        <translation>检查与删除之间的暂停</translation>
    </message>
    <message>
        <source>transactions that EXEC refused</source>
        <translation>EXEC 拒绝的事务</translation>
    </message>
    <message>
        <source>pauses before the script, which checks and deletes in one step</source>
        <translation>脚本之前的暂停（脚本一步完成检查和删除）</translation>
    </message>
    <message>
        <source>No expiry. Whether this is a lock is unknown.</source>
        <translation>无过期时间。是否为锁未知。</translation>
    </message>
    <message>
        <source>A key of the family %1 keeps more than the lock, so it is not deleted here. End the lock with its own application.</source>
        <translation>锁类型 %1 的键不只保存锁，因此这里不会删除它。请用其自身的应用结束该锁。</translation>
    </message>
    <message>
        <source>expected %1: “%2”, found “%3”</source>
        <translation>应为 %1：“%2”，实际为“%3”</translation>
    </message>
    <message>
        <source>expected %1</source>
        <translation>应为%1</translation>
    </message>
    <message>
        <source>unknown key “%1”. Known here: %2</source>
        <translation>未知的键“%1”。此处已知：%2</translation>
    </message>
    <message>
        <source>one of: %1</source>
        <translation>其中之一：%1</translation>
    </message>
    <message>
        <source>%1 texts at most</source>
        <translation>最多 %1 个文本</translation>
    </message>
    <message>
        <source>a name of small letters, digits and hyphens: name = &quot;my-lock&quot;</source>
        <translation>由小写字母、数字和连字符组成的名称：name = &quot;my-lock&quot;</translation>
    </message>
    <message>
        <source>%1 globs at most</source>
        <translation>最多 %1 个模式</translation>
    </message>
    <message>
        <source>%1 fields at most</source>
        <translation>最多 %1 个字段</translation>
    </message>
    <message>
        <source>a form: [[form]] with value = &quot;…&quot;; %1 at most</source>
        <translation>一种形式：带 value = &quot;…&quot; 的 [[form]]；最多 %1 个</translation>
    </message>
    <message>
        <source>in an example: key, value, fields, members or set, and is = &quot;certain&quot;, &quot;likely&quot;, &quot;ambiguous&quot; or &quot;none&quot;</source>
        <translation>示例中应有：key，value、fields、members 或 set，以及 is = &quot;certain&quot;、&quot;likely&quot;、&quot;ambiguous&quot; 或 &quot;none&quot;</translation>
    </message>
    <message>
        <source>the file is larger than %1 KiB</source>
        <translation>文件大于 %1 KiB</translation>
    </message>
    <message>
        <source>too many dots in one line</source>
        <translation>一行中的点过多</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a list of texts: [&quot;…&quot;]</source>
        <translation>文本列表：[&quot;…&quot;]</translation>
    </message>
    <message>
        <source>tables: [[…]]</source>
        <translation>表：[[…]]</translation>
    </message>
    <message>
        <source>a table: { name = &quot;…&quot; }</source>
        <translation>一个表：{ name = &quot;…&quot; }</translation>
    </message>
    <message>
        <source>a duration: &quot;30s&quot;, &quot;10m&quot;, &quot;7d&quot;</source>
        <translation>时长：&quot;30s&quot;、&quot;10m&quot;、&quot;7d&quot;</translation>
    </message>
    <message>
        <source>a text: &quot;…&quot;</source>
        <translation>文本：&quot;…&quot;</translation>
    </message>
    <message>
        <source>“field” or “fields”: what is in the hash</source>
        <translation>“field”或“fields”：哈希中的内容</translation>
    </message>
    <message>
        <source>“member”: what is in the set</source>
        <translation>“member”：集合中的内容</translation>
    </message>
    <message>
        <source>“value”, “json” or “empty”: what is in the string</source>
        <translation>“value”、“json”或“empty”：字符串的内容</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>a hash</source>
        <translation>哈希</translation>
    </message>
    <message>
        <source>a set</source>
        <translation>集合</translation>
    </message>
    <message>
        <source>a sorted set</source>
        <translation>有序集合</translation>
    </message>
    <message>
        <source>another type</source>
        <translation>其他类型</translation>
    </message>
    <message>
        <source>%1: nothing is expected at byte %2</source>
        <translation>%1：第 %2 字节处不应再有内容</translation>
    </message>
    <message>
        <source>%1: expected %2 at byte %3</source>
        <translation>%1：第 %3 字节处应为 %2</translation>
    </message>
    <message>
        <source>the string is not empty</source>
        <translation>字符串不为空</translation>
    </message>
    <message>
        <source>the field %1 is missing</source>
        <translation>缺少字段 %1</translation>
    </message>
    <message>
        <source>the name is one of names.not</source>
        <translation>名称属于 names.not</translation>
    </message>
    <message>
        <source>the name is none of names.usual</source>
        <translation>名称不属于 names.usual</translation>
    </message>
    <message>
        <source>the key holds %1, not %2</source>
        <translation>该键存储的是%1，不是%2</translation>
    </message>
    <message>
        <source>“)” at the end of the length</source>
        <translation>长度末尾的“)”</translation>
    </message>
    <message>
        <source>a type: %1</source>
        <translation>类型：%1</translation>
    </message>
    <message>
        <source>a time: iso-time, epoch-ms, epoch-s, uuid1 or hex-uuid1</source>
        <translation>时间：iso-time、epoch-ms、epoch-s、uuid1 或 hex-uuid1</translation>
    </message>
    <message>
        <source>a number of bytes, as in “base64-of(16)”</source>
        <translation>字节数，例如“base64-of(16)”</translation>
    </message>
    <message>
        <source>a length from 0 to 512, as in “hex(32)” or “alnum(10-12)”</source>
        <translation>0 到 512 的长度，例如“hex(32)”或“alnum(10-12)”</translation>
    </message>
    <message>
        <source>“}” at the end of the part</source>
        <translation>部分末尾的“}”</translation>
    </message>
    <message>
        <source>another type than “rest” between brackets</source>
        <translation>方括号中除“rest”以外的类型</translation>
    </message>
    <message>
        <source>“]” before the next “[”</source>
        <translation>下一个“[”之前的“]”</translation>
    </message>
    <message>
        <source>“[” before “]”, or “\]” for a literal one</source>
        <translation>“]”之前的“[”，或用“\]”表示字面的方括号</translation>
    </message>
    <message>
        <source>a character after “\”</source>
        <translation>“\”之后的一个字符</translation>
    </message>
    <message>
        <source>24 parts at most</source>
        <translation>最多 24 个部分</translation>
    </message>
    <message>
        <source>“]” at the end</source>
        <translation>末尾的“]”</translation>
    </message>
    <message>
        <source>512 bytes at most</source>
        <translation>最多 512 字节</translation>
    </message>
    <message>
        <source>one “rest” at most: nothing tells where the first ends</source>
        <translation>最多一个“rest”：无从得知第一个在哪里结束</translation>
    </message>
    <message>
        <source>another file of the family %1 has a higher version</source>
        <translation>锁类型 %1 的另一个文件版本更高</translation>
    </message>
    <message>
        <source>the family %1 is part of the program. Choose another name</source>
        <translation>锁类型 %1 是程序的一部分。请另选名称</translation>
    </message>
    <message>
        <source>the built-in family %1 has a higher version</source>
        <translation>内置锁类型 %1 的版本更高</translation>
    </message>
    <message>
        <source>there are more than %1 files</source>
        <translation>文件多于 %1 个</translation>
    </message>
    <message>
        <source>%1:%2:%3: %4</source>
        <translation>%1:%2:%3: %4</translation>
    </message>
    <message>
        <source>this example is also a lock of the family %1</source>
        <translation>此示例同时是锁类型 %1 的锁</translation>
    </message>
    <message>
        <source>there is no example: [[example]] with key, value and is makes the file test itself</source>
        <translation>没有示例：带 key、value 和 is 的 [[example]] 可使文件自行测试</translation>
    </message>
    <message>
        <source>a value</source>
        <translation>一个值</translation>
    </message>
    <message>
        <source>The holder is not notified and may still be working. If it refreshes the lock, that fails; its release does not.</source>
        <translation>不会通知持有者进程，它可能仍在工作。它若刷新锁，会失败；其释放则不会失败。</translation>
    </message>
    <message>
        <source>The server is part of a cluster that has no database %1. Leave the number out: a cluster has database 0 only, unless “cluster-databases” says more.</source>
        <translation>此服务器属于集群，该集群没有数据库 %1。请去掉编号：除非 cluster-databases 另有设置，集群只有数据库 0。</translation>
    </message>
    <message>
        <source>the string is no JSON object</source>
        <translation>该字符串不是 JSON 对象</translation>
    </message>
    <message>
        <source>key, and fields of a record</source>
        <translation>键，以及记录的字段</translation>
    </message>
    <message>
        <source>a part {ends:…}: “past-end” means that its moment is past</source>
        <translation>一个 {ends:…} 部分：“past-end” 表示其时刻已过</translation>
    </message>
    <message>
        <source>a part without “{” in it, or “\{” for a literal one</source>
        <translation>其中不含“{”的部分，或用“\{”表示字面字符</translation>
    </message>
    <message>
        <source>such letters in quotes or comments alone</source>
        <translation>此类字符只能出现在引号或注释中</translation>
    </message>
    <message>
        <source>%1 companions at most</source>
        <translation>最多 %1 个附属键</translation>
    </message>
    <message>
        <source>the moment of a heartbeat: “score” of a member, or {since:…} or {ends:…} in a field</source>
        <translation>心跳的时刻：成员的“score”，或字段中的 {since:…} 或 {ends:…}</translation>
    </message>
    <message>
        <source>dead_after: the age at which the holder is dead</source>
        <translation>dead_after：心跳多旧时持有者视为失效</translation>
    </message>
    <message>
        <source>“free” in a form with “fields”: the field and its value that set-field writes</source>
        <translation>在带“fields”的形式中写“free”：set-field 要写入的字段及其值</translation>
    </message>
    <message>
        <source>“key”: the names that speak for the family</source>
        <translation>“key”：能说明锁类型的名称</translation>
    </message>
    <message>
        <source>“type = &quot;sorted-set&quot;”: “lock” is of a queue</source>
        <translation>“type = &quot;sorted-set&quot;”：“lock” 用于队列</translation>
    </message>
    <message>
        <source>field: with {owner}, and value: with {holds:…}</source>
        <translation>field：含 {owner}；value：含 {holds:…}</translation>
    </message>
    <message>
        <source>only key, and locks that are hashes with a field for each owner</source>
        <translation>只需 key，且锁是每个持有者一个字段的哈希</translation>
    </message>
    <message>
        <source>parts of a lock&apos;s name or owner in “key”: {%1} is none</source>
        <translation>“key”中须为锁的名称或持有者的组成部分：{%1} 不是</translation>
    </message>
</context>
</TS>
