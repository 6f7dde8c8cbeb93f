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
    <name>Help</name>
    <message>
        <source>help.md</source>
        <comment>file of the help in this language</comment>
        <translation>help.zh_CN.md</translation>
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
        <source>Unknown: not watched, or changes may have been missed</source>
        <translation>未知：未监视，或可能遗漏了变更</translation>
    </message>
    <message numerus="yes">
        <source>%n owner(s)</source>
        <translation>
            <numerusform>%n 个持有者</numerusform>
        </translation>
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
        <translation>锁类型(&amp;F)</translation>
    </message>
    <message>
        <source>This lock is of the family %1. %2</source>
        <translation>此锁的类型为 %1。%2</translation>
    </message>
    <message>
        <source>&amp;Acquire</source>
        <translation>获取(&amp;A)</translation>
    </message>
</context>
<context>
    <name>lockscope::ActionDialog</name>
    <message>
        <source>Type the lock&apos;s key.</source>
        <translation>请输入锁的键。</translation>
    </message>
    <message>
        <source>Type an owner ID that no other client uses.</source>
        <translation>请输入其他客户端未使用的持有者 ID。</translation>
    </message>
    <message>
        <source>Type the lease in seconds, at least 0.001.</source>
        <translation>请输入租约秒数，至少 0.001。</translation>
    </message>
    <message>
        <source>Waiting for the server…</source>
        <translation>正在等待服务器…</translation>
    </message>
</context>
<context>
    <name>lockscope::ActionSeriesDialog</name>
    <message>
        <source>Several owners: release one by one</source>
        <translation>多个持有者：请逐个释放</translation>
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
        <source>Release &amp;all levels</source>
        <translation>释放所有层(&amp;A)</translation>
    </message>
    <message>
        <source>Effects on the selected lock</source>
        <translation>对所选锁的影响</translation>
    </message>
    <message>
        <source>Expires each lock only if owner and hold count are unchanged.</source>
        <translation>仅当持有者和重入次数未变时才使各锁过期。</translation>
    </message>
    <message>
        <source>Releases each lock only if its owner still holds it.</source>
        <translation>仅当持有者仍持有时才释放各锁。</translation>
    </message>
    <message>
        <source>Stops at a lost connection or an unknown outcome.</source>
        <translation>连接丢失或结果未知时停止。</translation>
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
    <message>
        <source>Other owners lose the lock too, unnotified: %1.</source>
        <translation>其他持有者也会失去锁，且不会收到通知：%1。</translation>
    </message>
    <message>
        <source>Ends only this owner&apos;s hold.</source>
        <translation>只结束该持有者的持有。</translation>
    </message>
    <message>
        <source>Owner: %1</source>
        <translation>持有者：%1</translation>
    </message>
    <message>
        <source>If still working, it continues without its locks.</source>
        <translation>持有者进程若仍在工作，将在没有锁的情况下继续。</translation>
    </message>
    <message>
        <source>The list has %1 of its %2 locks.</source>
        <translation>列表包含其 %2 个锁中的 %1 个。</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Include %n lock(s) that other owners hold too; they lose it</source>
        <translation>
            <numerusform>包括其他持有者也持有的 %n 个锁（这些持有者将失去锁）(&amp;I)</numerusform>
        </translation>
    </message>
    <message>
        <source>renewing</source>
        <translation>正在续期</translation>
    </message>
    <message>
        <source>renewal overdue</source>
        <translation>续期超时</translation>
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
    <message>
        <source>Checks first that the holder&apos;s heartbeat is still stopped.</source>
        <translation>先确认持有者的心跳仍处于停止状态。</translation>
    </message>
    <message>
        <source>no current heartbeat</source>
        <translation>无有效心跳</translation>
    </message>
</context>
<context>
    <name>lockscope::AlertCommands</name>
    <message>
        <source>Alerts</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>This alert concerns the server</source>
        <translation>此告警针对服务器</translation>
    </message>
    <message>
        <source>Not snoozed: at most %1 snoozes</source>
        <translation>未暂停提醒：最多暂停 %1 条</translation>
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
        <source>Rules are stored with this server.</source>
        <translation>规则随服务器保存。</translation>
    </message>
    <message>
        <source>Rules of a private server are not stored.</source>
        <translation>私有服务器的规则不保存。</translation>
    </message>
    <message>
        <source> s</source>
        <comment>seconds, after a number</comment>
        <translation> 秒</translation>
    </message>
    <message>
        <source> × usual</source>
        <comment>after a number</comment>
        <translation> × 通常值</translation>
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
        <source>No rule is on: no alerts.</source>
        <translation>未启用规则，不会有告警。</translation>
    </message>
    <message>
        <source>No notification service: alerts appear only in the list.</source>
        <translation>没有通知服务，告警只显示在列表中。</translation>
    </message>
    <message>
        <source>A few notifications per minute; the rest are counted.</source>
        <translation>每分钟最多几条通知，其余只计数。</translation>
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
        <source>Stop notifications of these alerts until they end (A)</source>
        <translation>在告警结束前不再通知 (A)</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo the last acknowledgement or snooze (%1)</source>
        <translation>撤销上次确认或暂停提醒 (%1)</translation>
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
        <source>No alert of the shown kinds.</source>
        <translation>没有所选种类的告警。</translation>
    </message>
    <message>
        <source>No alerts yet. Alerts need this window open.</source>
        <translation>尚无告警。窗口打开时才会检查。</translation>
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
        <source>Locks are not judged: not connected.</source>
        <translation>未连接，不判断锁。</translation>
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
        <source>not recorded yet</source>
        <translation>尚未记录</translation>
    </message>
    <message>
        <source>not recorded; possibly carried out</source>
        <translation>未记录，可能已执行</translation>
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
    <message>
        <source>Acquire</source>
        <translation>获取</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Extend</source>
        <translation>延长</translation>
    </message>
    <message>
        <source>Force-expire</source>
        <translation>强制过期</translation>
    </message>
    <message>
        <source>Remove waiter</source>
        <translation>移除等待者</translation>
    </message>
    <message>
        <source>Wake queue</source>
        <translation>唤醒队列</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>探测</translation>
    </message>
</context>
<context>
    <name>lockscope::AuditPanel</name>
    <message>
        <source>Only %1</source>
        <translation>仅 %1</translation>
    </message>
    <message>
        <source>Hide requests to other server addresses</source>
        <translation>隐藏发往其他服务器地址的请求</translation>
    </message>
    <message>
        <source>Filter of the audit log</source>
        <translation>筛选审计日志</translation>
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
        <source>%1 does not exist: no actions recorded.</source>
        <translation>%1 不存在：没有操作记录。</translation>
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
        <source>%1: hash chain intact, records: %2. A cut-off end would go unnoticed.</source>
        <translation>%1：哈希链完整，记录数：%2。末尾被截断无法察觉。</translation>
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
        <source>Check the hash chain of the whole file</source>
        <translation>检查整个文件的哈希链</translation>
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
    <name>lockscope::BlamePanel</name>
    <message>
        <source>list shortened to %1</source>
        <translation>列表只含 %1 行</translation>
    </message>
    <message>
        <source>Nobody was seen waiting in this time.</source>
        <translation>此时段未见等待者。</translation>
    </message>
    <message>
        <source>Episodes, the most waited for first:</source>
        <translation>等待时段，等待最多的在前：</translation>
    </message>
    <message>
        <source>Blame</source>
        <translation>阻塞归因</translation>
    </message>
    <message>
        <source>Time of the waits</source>
        <translation>等待的时段</translation>
    </message>
    <message>
        <source>Show in timeline</source>
        <translation>在时间线中显示</translation>
    </message>
    <message>
        <source>Copy summary</source>
        <translation>复制摘要</translation>
    </message>
    <message>
        <source>By lock</source>
        <translation>按锁</translation>
    </message>
    <message>
        <source>By owner</source>
        <translation>按持有者</translation>
    </message>
    <message>
        <source>By process</source>
        <translation>按进程</translation>
    </message>
    <message>
        <source>By host</source>
        <translation>按主机</translation>
    </message>
    <message>
        <source>By pair</source>
        <translation>按双方</translation>
    </message>
    <message>
        <source>Blame by</source>
        <translation>归因方式</translation>
    </message>
    <message>
        <source>Rank locks, root blockers, or pairs of holder and waiter</source>
        <translation>按锁、根阻塞者，或持有者与等待者双方排序</translation>
    </message>
    <message>
        <source>Copy the waits of this time for a ticket</source>
        <translation>复制此时段的等待，用于工单</translation>
    </message>
    <message>
        <source>Waits by blocker</source>
        <translation>按阻塞者列出的等待</translation>
    </message>
    <message>
        <source>Lasted</source>
        <translation>持续</translation>
    </message>
    <message>
        <source>Most waiters</source>
        <translation>最多等待者</translation>
    </message>
    <message>
        <source>Time of all waiters together</source>
        <translation>所有等待者的时间之和</translation>
    </message>
    <message>
        <source>Times without a break in which somebody waited</source>
        <translation>一直有人等待的时段</translation>
    </message>
    <message>
        <source>From the first waiter to the last</source>
        <translation>从第一个等待者到最后一个</translation>
    </message>
    <message>
        <source>Who held the lock, what that one waited for, and so on, when most was waited</source>
        <translation>等待最多时谁持有锁、它又在等什么，依此类推</translation>
    </message>
</context>
<context>
    <name>lockscope::ClientFinderDialog</name>
    <message>
        <source>Find clients</source>
        <translation>查找客户端</translation>
    </message>
    <message>
        <source>Reads all commands of the server for a while (MONITOR).</source>
        <translation>在一段时间内读取服务器的所有命令（MONITOR）。</translation>
    </message>
    <message>
        <source>A busy server can lose half of its throughput meanwhile.</source>
        <translation>期间繁忙的服务器可能损失一半吞吐量。</translation>
    </message>
    <message>
        <source> s</source>
        <comment>seconds, behind a number</comment>
        <translation> 秒</translation>
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
        <source>Ended early: the limit of commands was reached.</source>
        <translation>提前结束：已达命令上限。</translation>
    </message>
    <message>
        <source>No client used this key. Many libraries renew every 10 s: search longer.</source>
        <translation>没有客户端使用该键。许多库每 10 秒续期，请延长查找时间。</translation>
    </message>
    <message>
        <source>No holder seen. Many libraries renew every 10 s: search longer.</source>
        <translation>未见持有者进程。许多库每 10 秒续期，请延长查找时间。</translation>
    </message>
    <message>
        <source>On a Unix socket, a line may be several clients.</source>
        <translation>Unix 套接字上一行可能是多个客户端。</translation>
    </message>
</context>
<context>
    <name>lockscope::CommandBar</name>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
</context>
<context>
    <name>lockscope::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Type to find a command</source>
        <translation>输入以查找命令</translation>
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
        <source>Run “%1” on %2?</source>
        <translation>在 %2 上运行“%1”？</translation>
    </message>
    <message>
        <source>“%1” runs on a private server only.</source>
        <translation>“%1”只能在私有服务器上运行。</translation>
    </message>
    <message>
        <source>Writes only keys that start with sim:, with a lease of at most %1, and deletes them at the end.</source>
        <translation>只写入以 sim: 开头的键，租约最长 %1，结束时删除。</translation>
    </message>
    <message>
        <source>This run can disturb the server or leave locks.</source>
        <translation>此次运行可能干扰服务器或留下锁。</translation>
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
        <source>Writes only keys that start with sim:, with an expiry of at most 24 hours (fencing tokens), and deletes them at the end.</source>
        <translation>只写入以 sim: 开头的键，过期时间最长 24 小时（防护令牌），结束时删除。</translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s) will contend over up to %1 connections.</source>
        <translation>
            <numerusform>%n 个工作线程将通过最多 %1 个连接竞争。</numerusform>
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
        <source>See and manage locks in Redis.</source>
        <translation>查看和管理 Redis 中的锁。</translation>
    </message>
    <message>
        <source>Start a private server with contending workers</source>
        <translation>启动私有服务器，由多个工作线程竞争</translation>
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
        <source>Simulate contention and faults on a private server</source>
        <translation>在私有服务器上模拟竞争与故障</translation>
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
        <source>Try each step of connecting. Changes nothing.</source>
        <translation>逐步尝试连接，不做任何更改。</translation>
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
        <source>Forget its &amp;password</source>
        <translation>忘记其密码(&amp;P)</translation>
    </message>
    <message>
        <source>Waiting for the keychain… The system may ask you to unlock it.</source>
        <translation>正在等待密钥环… 系统可能要求解锁。</translation>
    </message>
    <message>
        <source>The password was removed from the keychain.</source>
        <translation>密码已从密钥环中删除。</translation>
    </message>
    <message>
        <source>With --insecure, kept passwords are not used. Type it.</source>
        <translation>使用 --insecure 时不使用保存的密码，请输入。</translation>
    </message>
    <message>
        <source>Opening %1…</source>
        <translation>正在打开 %1…</translation>
    </message>
    <message>
        <source>%1 It came from the keychain. Type another one, or untick the box.</source>
        <translation>%1 它来自密钥环。请输入新的，或取消勾选。</translation>
    </message>
    <message>
        <source>Shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>%1 (shared)</source>
        <translation>%1（共享）</translation>
    </message>
    <message>
        <source>Export servers…</source>
        <translation>导出服务器…</translation>
    </message>
    <message>
        <source>Export servers</source>
        <translation>导出服务器</translation>
    </message>
    <message>
        <source>Server list (*.servers)</source>
        <translation>服务器列表 (*.servers)</translation>
    </message>
    <message>
        <source>Servers exported, without passwords.</source>
        <translation>已导出服务器，不含密码。</translation>
    </message>
    <message>
        <source>From %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>Copy &amp;link</source>
        <translation>复制链接(&amp;L)</translation>
    </message>
</context>
<context>
    <name>lockscope::ConnectionForm</name>
    <message>
        <source>&amp;Read-only: block all actions</source>
        <translation>只读：禁止所有操作(&amp;R)</translation>
    </message>
    <message>
        <source>Login and TLS</source>
        <translation>登录与 TLS</translation>
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
        <source>User, password and certificates cleared: they belong to %1.</source>
        <translation>已清除属于 %1 的用户名、密码和证书。</translation>
    </message>
    <message>
        <source>Changing the server clears these fields.</source>
        <translation>更改服务器会清空这些字段。</translation>
    </message>
    <message>
        <source>The user %1 needs a password; any text if none is required.</source>
        <translation>用户 %1 需要密码；若服务器不要求，可任意填写。</translation>
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
        <source>ANNOUNCED=REACHABLE, separated by commas, for nodes with unreachable addresses</source>
        <translation>ANNOUNCED=REACHABLE，用逗号分隔，用于地址不可达的节点</translation>
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
        <source>Write node addresses like 10.0.0.5:6379=localhost:7001, separated by commas.</source>
        <translation>节点地址形如 10.0.0.5:6379=localhost:7001，用逗号分隔。</translation>
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
        <source>Give the certificate&apos;s SHA-256 fingerprint: 64 hexadecimal digits.</source>
        <translation>请填写证书的 SHA-256 指纹：64 位十六进制数字。</translation>
    </message>
    <message>
        <source>Accept exactly this certificate. Compare its fingerprint with the server&apos;s first:
%1</source>
        <translation>只接受此证书。请先与服务器的指纹核对：
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
        <source>Tunnel through this host with ssh. The server address is as seen from there.</source>
        <translation>用 ssh 经该主机建立隧道。服务器地址以该主机所见为准。</translation>
    </message>
    <message>
        <source>SS&amp;H host</source>
        <translation>SSH 主机(&amp;H)</translation>
    </message>
    <message>
        <source>Write the SSH host as [USER@]HOST[:PORT].</source>
        <translation>SSH 主机格式：[USER@]HOST[:PORT]。</translation>
    </message>
    <message>
        <source>Redlock group of several servers</source>
        <translation>由多个服务器组成的 Redlock 组</translation>
    </message>
    <message>
        <source>The server field then lists the group&apos;s servers, separated by commas.</source>
        <translation>此时服务器一栏列出组内各服务器，用逗号分隔。</translation>
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
        <source>Not set: actions need confirmation</source>
        <translation>未设置：操作需要确认</translation>
    </message>
    <message>
        <source>Development: actions without input run at once</source>
        <translation>开发：无需输入的操作立即执行</translation>
    </message>
    <message>
        <source>Staging: actions ask to be confirmed</source>
        <translation>预发布：操作需要确认</translation>
    </message>
    <message>
        <source>Production: locked; actions ask for the key</source>
        <translation>生产：默认锁定，操作时需输入键</translation>
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
        <source>Passwords and passphrase, for this user and address</source>
        <translation>此用户和地址的密码及口令</translation>
    </message>
    <message>
        <source>in the keychain; type to replace</source>
        <translation>在密钥环中；输入即替换</translation>
    </message>
    <message>
        <source>kept after the login</source>
        <translation>登录成功后保存</translation>
    </message>
    <message>
        <source>their own, if any</source>
        <translation>若有各自的密码</translation>
    </message>
    <message>
        <source>prints a password that ends, such as a cloud&apos;s token</source>
        <translation>输出会过期的密码，例如云服务令牌</translation>
    </message>
    <message>
        <source>Program and arguments, run without a shell, again before the password ends.
First line: the password; second, if any: its life in seconds.</source>
        <translation>程序和参数，不经 shell 运行，密码到期前再次运行。
第一行：密码；第二行（可选）：有效期（秒）。</translation>
    </message>
    <message>
        <source>Password command</source>
        <translation>密码命令</translation>
    </message>
    <message>
        <source>printed by the command</source>
        <translation>由命令输出</translation>
    </message>
    <message>
        <source>SSH, Sentinel, cluster, Redlock and probe</source>
        <translation>SSH、哨兵、集群、Redlock 与探测</translation>
    </message>
    <message>
        <source>Command that asks whether a lock&apos;s holder is alive, with {host}, {process}, {thread}, {owner}, {key} or {family}. Run from the inspector, without a shell.</source>
        <translation>询问锁的持有者进程是否存活的命令，可含 {host}、{process}、{thread}、{owner}、{key} 或 {family}。从详情面板运行，不经过 shell。</translation>
    </message>
    <message>
        <source>Holder probe</source>
        <translation>持有者探测</translation>
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
        <source>A replica of %1. Change locks at the primary.</source>
        <translation>%1 的副本。请在主节点更改锁。</translation>
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
        <source>This user lacks %1. Some locks cannot be watched.</source>
        <translation>该用户缺少 %1，部分锁无法监视。</translation>
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
    <message>
        <source>Fit for locks</source>
        <translation>是否适合存放锁</translation>
    </message>
    <message>
        <source>No risk found by INFO.</source>
        <translation>INFO 中未发现风险。</translation>
    </message>
    <message>
        <source>INFO does not tell: %1</source>
        <translation>INFO 未提供：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::ConsentDialog</name>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
</context>
<context>
    <name>lockscope::ConsentField</name>
    <message>
        <source>Production: type %1 to go on</source>
        <translation>生产环境：输入 %1 以继续</translation>
    </message>
    <message>
        <source>&amp;Do not ask again in this connection</source>
        <translation>本次连接中不再询问(&amp;D)</translation>
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
        <source>Already held at the first reading.</source>
        <translation>首次读取时已被持有。</translation>
    </message>
    <message>
        <source>Acquired since the last reading.</source>
        <translation>自上次读取后获取。</translation>
    </message>
    <message>
        <source>The hold count has grown.</source>
        <translation>重入次数增加。</translation>
    </message>
    <message>
        <source>The hold count fell; the lock is still held.</source>
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
        <source>Gone when its lease ended.</source>
        <translation>租约过期时消失。</translation>
    </message>
    <message>
        <source>The owner changed since the last reading.</source>
        <translation>自上次读取后持有者已改变。</translation>
    </message>
    <message>
        <source>The lease was removed; the lock has no expiry.</source>
        <translation>租约已移除，锁无过期时间。</translation>
    </message>
    <message>
        <source>Force-expired by this user, according to the audit log.</source>
        <translation>审计日志显示由该用户强制过期。</translation>
    </message>
    <message>
        <source>Connection lost; events are missed.</source>
        <translation>连接已断开，期间的事件会遗漏。</translation>
    </message>
    <message>
        <source>Reconnected; all locks are read again.</source>
        <translation>已重新连接，正在重新读取所有锁。</translation>
    </message>
    <message>
        <source>The change feed switched modes.</source>
        <translation>变更通知已切换模式。</translation>
    </message>
    <message>
        <source>Changes may have been missed; all locks are read again.</source>
        <translation>可能遗漏了变更，正在重新读取所有锁。</translation>
    </message>
    <message>
        <source>Owners wait for each other; confirmed twice.</source>
        <translation>持有者互相等待，两次确认。</translation>
    </message>
    <message>
        <source>A wait of the deadlock ended.</source>
        <translation>死锁中的一个等待已结束。</translation>
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
        <source>Deleted by an unknown client before its lease ended.</source>
        <translation>租约结束前被某个客户端删除，执行者未知。</translation>
    </message>
    <message>
        <source>The lock is gone; possible causes are listed.</source>
        <translation>锁已消失；列出可能原因。</translation>
    </message>
    <message>
        <source>Evicted</source>
        <translation>已被驱逐</translation>
    </message>
    <message>
        <source>Evicted; the holder may still be working.</source>
        <translation>已被驱逐，持有者进程可能仍在工作。</translation>
    </message>
    <message>
        <source>Its database was emptied. The holder may still be working.</source>
        <translation>数据库被清空，持有者进程可能仍在工作。</translation>
    </message>
    <message>
        <source>Overwritten</source>
        <translation>已被覆盖</translation>
    </message>
    <message>
        <source>Its key was overwritten with something else.</source>
        <translation>其键被写入了其他内容。</translation>
    </message>
    <message>
        <source>Renamed</source>
        <translation>已重命名</translation>
    </message>
    <message>
        <source>Its key was renamed or moved.</source>
        <translation>其键被重命名或移走。</translation>
    </message>
    <message>
        <source>Lost in a failover</source>
        <translation>在故障转移中丢失</translation>
    </message>
    <message>
        <source>The new primary lacks the lock. The holder may still be working.</source>
        <translation>新主节点没有该锁，持有者进程可能仍在工作。</translation>
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
        <source>renewals had stopped</source>
        <comment>follows: Expired</comment>
        <translation>续期已停止</translation>
    </message>
</context>
<context>
    <name>lockscope::EventsPanel</name>
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
        <source>Show only events of the selected lock</source>
        <translation>只显示选中锁的事件</translation>
    </message>
    <message>
        <source>Filter of the events</source>
        <translation>事件的筛选条件</translation>
    </message>
    <message>
        <source>Words match key, owner, event or details.</source>
        <translation>词匹配键、持有者、事件或详情。</translation>
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
        <source>No event matches.</source>
        <translation>没有匹配的事件。</translation>
    </message>
    <message>
        <source>Only events of this lock</source>
        <translation>仅此锁的事件</translation>
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
        <source>Look for locks under this family&apos;s usual names.</source>
        <translation>按此锁类型的常用键名查找锁。</translation>
    </message>
    <message>
        <source>Details of the family</source>
        <translation>锁类型详情</translation>
    </message>
    <message>
        <source>Files left out: %1. Search “left out” for reasons.</source>
        <translation>忽略的文件：%1。搜索“left out”查看原因。</translation>
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
        <source>A recording has no values for a draft.</source>
        <translation>录制中没有可用于起草的值。</translation>
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
        <source>File left out at start:</source>
        <translation>启动时忽略的文件：</translation>
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
        <source>No family form describes this key.</source>
        <translation>没有锁类型的形式描述该键。</translation>
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
        <source>A recording has no values to try.</source>
        <translation>录制中没有可试的值。</translation>
    </message>
    <message>
        <source>Whole server: lockscope-cli family try FILE</source>
        <translation>整个服务器：lockscope-cli family try FILE</translation>
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
        <source>Saved as %1. Used from the next start.</source>
        <translation>已保存为 %1，下次启动时生效。</translation>
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
        <source>Assign a family to keys of a pattern (* any characters, ? one, [ab] a choice). The first matching rule applies; certain families stay.</source>
        <translation>为符合模式的键指定锁类型（* 任意字符，? 一个字符，[ab] 其一）。首条匹配的规则生效；确定的锁类型不变。</translation>
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
        <source>Faults</source>
        <translation>故障</translation>
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
        <source>Ends after</source>
        <translation>结束条件</translation>
    </message>
    <message>
        <source>Time: workers run freely. Rounds: all start together, one iteration each</source>
        <translation>时间：工作线程自由运行。轮次：同时开始，各执行一次</translation>
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
        <source>%1. Only on a private server.</source>
        <translation>%1。仅限私有服务器。</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <translation>算法</translation>
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
        <source>Export failed</source>
        <translation>导出失败</translation>
    </message>
    <message>
        <source>JSON, for programs (*.json)</source>
        <translation>JSON，供程序使用 (*.json)</translation>
    </message>
</context>
<context>
    <name>lockscope::FilterChips</name>
    <message>
        <source>%1: %2</source>
        <comment>a filter, a number of locks</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>More ▾</source>
        <comment>filters</comment>
        <translation>更多 ▾</translation>
    </message>
    <message>
        <source>More filters</source>
        <translation>更多筛选</translation>
    </message>
</context>
<context>
    <name>lockscope::FilterMenu</name>
    <message>
        <source>&amp;Save this filter…</source>
        <translation>保存此筛选条件(&amp;S)…</translation>
    </message>
    <message>
        <source>Save the filter</source>
        <translation>保存筛选条件</translation>
    </message>
    <message>
        <source>Recent filters</source>
        <translation>最近的筛选条件</translation>
    </message>
    <message>
        <source>No filter has been applied yet</source>
        <translation>尚未使用筛选</translation>
    </message>
    <message>
        <source>&amp;Forget recent filters</source>
        <translation>清除最近的筛选条件(&amp;F)</translation>
    </message>
    <message>
        <source>Saved filters</source>
        <translation>已保存的筛选条件</translation>
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
        <translation>重命名筛选条件</translation>
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
        <translation>从筛选条件中移除 %1</translation>
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
        <source>The hold count has changed</source>
        <translation>重入次数已改变</translation>
    </message>
    <message>
        <source>The owner has changed</source>
        <translation>持有者已改变</translation>
    </message>
    <message>
        <source>%1: nothing was done. Close and check the lock again.</source>
        <translation>%1：未执行任何操作。请关闭并重新检查该锁。</translation>
    </message>
    <message>
        <source>Type the grace period in seconds, such as 10.</source>
        <translation>请输入宽限秒数，如 10。</translation>
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
    <message>
        <source>The content has changed</source>
        <translation>内容已改变</translation>
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
        <source>%1 probable non-lock(s) shown</source>
        <translation>
            <numerusform>显示了 %1 个可能不是锁的键</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 probable non-lock(s) hidden</source>
        <translation>
            <numerusform>隐藏了 %1 个可能不是锁的键</numerusform>
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
        <source>optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>&amp;Group</source>
        <translation>分组(&amp;G)</translation>
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
        <source>Passwords are left out.</source>
        <translation>不含密码。</translation>
    </message>
    <message>
        <source>One server per line: ADDRESS or NAME = ADDRESS. Also reads exported lists.</source>
        <translation>每行一个服务器：ADDRESS 或 NAME = ADDRESS。也可读入导出的列表。</translation>
    </message>
</context>
<context>
    <name>lockscope::InspectorPanel</name>
    <message>
        <source>Events seen</source>
        <translation>观察到的事件</translation>
    </message>
    <message>
        <source>Gone. The last reading is below.</source>
        <translation>已消失。以下为最后一次读取。</translation>
    </message>
    <message>
        <source>Details of the lock</source>
        <translation>锁的详情</translation>
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
        <source>No password in the keychain. Type it.</source>
        <translation>密钥环中没有密码，请输入。</translation>
    </message>
    <message>
        <source>The password of %1 was not kept. %2</source>
        <translation>%1 的密码未保存。%2</translation>
    </message>
    <message>
        <source>The password may still be in the keychain entry %1. %2</source>
        <translation>密码可能仍在密钥环条目 %1 中。%2</translation>
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
        <source>No keychain. Start GNOME Keyring, KWallet or another one.</source>
        <translation>没有密钥环，请启动 GNOME Keyring、KWallet 等。</translation>
    </message>
    <message>
        <source>The kept password belongs to other certificates or node addresses. Type it.</source>
        <translation>保存的密码对应其他证书或节点地址，请输入。</translation>
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
    <message>
        <source>&amp;Timeline</source>
        <translation>时间线(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Workers</source>
        <translation>工作线程(&amp;W)</translation>
    </message>
</context>
<context>
    <name>lockscope::LockActionController</name>
    <message>
        <source>Nothing to undo: the lease would have ended</source>
        <translation>无可撤销：租约已到期</translation>
    </message>
</context>
<context>
    <name>lockscope::LockCommands</name>
    <message>
        <source>Incident summary copied</source>
        <translation>已复制现场摘要</translation>
    </message>
    <message>
        <source>ACL rule copied</source>
        <translation>已复制 ACL 规则</translation>
    </message>
    <message>
        <source>Replica: change locks at its primary, %1.</source>
        <translation>副本：请在主节点 %1 更改锁。</translation>
    </message>
    <message>
        <source>Replica: change locks at its primary.</source>
        <translation>副本：请在主节点更改锁。</translation>
    </message>
    <message>
        <source>Not exported: still reading the recording.</source>
        <translation>未导出：仍在读取录制。</translation>
    </message>
    <message>
        <source>No link: the address is local to the SSH host, or the key is too long</source>
        <translation>无法生成链接：地址仅在 SSH 主机上有效，或键过长</translation>
    </message>
    <message>
        <source>Link copied</source>
        <translation>链接已复制</translation>
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
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Owner details</source>
        <translation>持有者详情</translation>
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
        <source>%1, the last %2 ago</source>
        <translation>%1，最近一次在 %2前</translation>
    </message>
    <message>
        <source>Permits free</source>
        <translation>空闲许可</translation>
    </message>
    <message>
        <source>Evidence: %1</source>
        <translation>依据：%1</translation>
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
        <source>%1, slot %2</source>
        <translation>%1，槽 %2</translation>
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
        <translation>持有时长是通常的 %1 倍</translation>
    </message>
    <message>
        <source>Held ≥ %1 times as long as usual</source>
        <translation>持有时长 ≥ 通常的 %1 倍</translation>
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
        <source>%1: %2, or an application&apos;s own format. Add a family rule if you know.</source>
        <translation>%1：%2，或应用自有格式。如能确定，请添加锁类型规则。</translation>
    </message>
</context>
<context>
    <name>lockscope::LockFilterBar</name>
    <message>
        <source>Filter: words in key or owner, ttl&lt;10s, held&gt;5m, owner:x, state:no-expiry, -not</source>
        <translation>筛选：键或持有者中的词、ttl&lt;10s、held&gt;5m、owner:x、state:no-expiry、-排除</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Saved and recent filters</source>
        <translation>已保存和最近的筛选条件</translation>
    </message>
    <message>
        <source>All words must match (help: F1)</source>
        <translation>所有词都须匹配（帮助：F1）</translation>
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
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Expected owner</source>
        <translation>预期持有者</translation>
    </message>
    <message>
        <source>the lock is gone</source>
        <translation>锁已消失</translation>
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
        <source>Expected content</source>
        <translation>预期内容</translation>
    </message>
</context>
<context>
    <name>lockscope::LockWaitsPanel</name>
    <message>
        <source>No waiters found.</source>
        <translation>未发现等待者。</translation>
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
        <source>Only wait queues show chains and cycles. Elsewhere, subscribed processes give a lower bound (≥).</source>
        <translation>只有等待队列显示链和环。其他锁以已订阅的进程数为下限（≥）。</translation>
    </message>
    <message>
        <source>Waiters behind the lock, direct or indirect.</source>
        <translation>直接或间接等待该锁的等待者。</translation>
    </message>
    <message>
        <source>Total wait</source>
        <translation>总等待</translation>
    </message>
    <message>
        <source>Since each waiter was first seen.</source>
        <translation>从首次看到各等待者起计算。</translation>
    </message>
</context>
<context>
    <name>lockscope::LocksPage</name>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>No lock matches the filter</source>
        <translation>没有符合筛选条件的锁</translation>
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
        <source>&amp;Disconnect</source>
        <translation>断开连接(&amp;D)</translation>
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
        <source>Copy &amp;key</source>
        <translation>复制键(&amp;K)</translation>
    </message>
    <message>
        <source>Copy &amp;owner</source>
        <translation>复制持有者(&amp;O)</translation>
    </message>
    <message>
        <source>Copy as &amp;redis-cli</source>
        <translation>复制为 redis-cli 命令(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>筛选(&amp;F)</translation>
    </message>
    <message>
        <source>C&amp;lear filter, then selection</source>
        <translation>先清除筛选，再清除选择(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Acquire…</source>
        <translation>获取(&amp;A)…</translation>
    </message>
    <message>
        <source>Acquire a lock as an owner you name</source>
        <translation>以指定的持有者获取锁</translation>
    </message>
    <message>
        <source>&amp;Release…</source>
        <translation>释放(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Extend…</source>
        <translation>延长租约(&amp;E)…</translation>
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
        <source>Expire the lock if its holds are unchanged</source>
        <translation>仅当持有未变时使锁过期</translation>
    </message>
    <message>
        <source>&amp;Scan now</source>
        <translation>立即扫描(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Patterns…</source>
        <translation>模式(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Go to inspector</source>
        <translation>转到详情面板(&amp;G)</translation>
    </message>
    <message>
        <source>Show &amp;inspector</source>
        <translation>显示详情面板(&amp;I)</translation>
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
        <source>Too big to read whole and compare.</source>
        <translation>太大，无法完整读取和比较。</translation>
    </message>
    <message>
        <source>Not a recognized lock.</source>
        <translation>不是可识别的锁。</translation>
    </message>
    <message>
        <source>Show si&amp;mulation</source>
        <translation>显示模拟(&amp;M)</translation>
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
        <source>&amp;Name process…</source>
        <translation>命名进程(&amp;N)…</translation>
    </message>
    <message>
        <source>Name this process in all its locks</source>
        <translation>为该进程命名，其所有锁都会显示</translation>
    </message>
    <message>
        <source>F&amp;ind clients…</source>
        <translation>查找客户端(&amp;I)…</translation>
    </message>
    <message>
        <source>Family &amp;rules…</source>
        <translation>锁类型规则(&amp;R)…</translation>
    </message>
    <message>
        <source>Find &amp;locks by content…</source>
        <translation>按内容查找锁(&amp;L)…</translation>
    </message>
    <message>
        <source>Show lock &amp;waits</source>
        <translation>显示锁等待(&amp;W)</translation>
    </message>
    <message>
        <source>Show who waits for whom, and deadlocks</source>
        <translation>显示等待关系与死锁</translation>
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
        <source>Waiters not subscribed here may be alive: %1.</source>
        <translation>未在此订阅的等待者可能存活：%1。</translation>
    </message>
    <message>
        <source>Show &amp;audit log</source>
        <translation>显示审计日志(&amp;A)</translation>
    </message>
    <message>
        <source>New &amp;window</source>
        <translation>新建窗口(&amp;W)</translation>
    </message>
    <message>
        <source>Open in new wind&amp;ow</source>
        <translation>在新窗口中打开(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Columns…</source>
        <translation>列(&amp;C)…</translation>
    </message>
    <message>
        <source>C&amp;ompact rows</source>
        <translation>紧凑行(&amp;O)</translation>
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
        <source>Freeze the display; watching goes on</source>
        <translation>冻结显示，监视继续</translation>
    </message>
    <message>
        <source>Copy i&amp;ncident summary</source>
        <translation>复制现场摘要(&amp;N)</translation>
    </message>
    <message>
        <source>Copy the lock&apos;s state and events as Markdown</source>
        <translation>以 Markdown 复制该锁的状态与事件</translation>
    </message>
    <message>
        <source>&amp;Export locks…</source>
        <translation>导出锁(&amp;E)…</translation>
    </message>
    <message>
        <source>Export &amp;selected…</source>
        <translation>导出所选(&amp;S)…</translation>
    </message>
    <message>
        <source>Recent and &amp;saved filters…</source>
        <translation>最近和已保存的筛选条件(&amp;S)…</translation>
    </message>
    <message>
        <source>Allow or block actions on production</source>
        <translation>允许或禁止对生产环境的操作</translation>
    </message>
    <message>
        <source>Show &amp;events</source>
        <translation>显示事件(&amp;E)</translation>
    </message>
    <message>
        <source>Show events of all locks and of the connection</source>
        <translation>显示所有锁和连接的事件</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>命令(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts…</source>
        <translation>键盘快捷键(&amp;K)…</translation>
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
        <source>Show what Redis stores for this lock</source>
        <translation>显示 Redis 中存储的内容</translation>
    </message>
    <message>
        <source>&amp;Restore default layout</source>
        <translation>恢复默认布局(&amp;R)</translation>
    </message>
    <message>
        <source>Show &amp;timeline</source>
        <translation>显示时间线(&amp;T)</translation>
    </message>
    <message>
        <source>Show who held or awaited each lock, and when</source>
        <translation>显示各锁何时由谁持有、谁等待</translation>
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
        <source>Replay a recording, without a server</source>
        <translation>回放录制，无需服务器</translation>
    </message>
    <message>
        <source>R&amp;ecord…</source>
        <translation>录制(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>播放(&amp;P)</translation>
    </message>
    <message>
        <source>Pre&amp;vious event</source>
        <translation>上一个事件(&amp;V)</translation>
    </message>
    <message>
        <source>Ne&amp;xt event</source>
        <translation>下一个事件(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Go to time…</source>
        <translation>转到时间(&amp;G)…</translation>
    </message>
    <message>
        <source>Stop r&amp;ecording</source>
        <translation>停止录制(&amp;E)</translation>
    </message>
    <message>
        <source>Not available in a recording.</source>
        <translation>录制中不可用。</translation>
    </message>
    <message>
        <source>Alert r&amp;ules…</source>
        <translation>告警规则(&amp;U)…</translation>
    </message>
    <message>
        <source>Show ale&amp;rts</source>
        <translation>显示告警(&amp;R)</translation>
    </message>
    <message>
        <source>Show what needs attention</source>
        <translation>显示需要关注的问题</translation>
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
        <source>Show locks by owner, process or host</source>
        <translation>按持有者、进程或主机显示锁</translation>
    </message>
    <message>
        <source>Show &amp;statistics</source>
        <translation>显示统计(&amp;S)</translation>
    </message>
    <message>
        <source>Show acquisitions, hold times and waits per lock</source>
        <translation>显示每个锁的获取次数、持有和等待时间</translation>
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
        <source>Wake the &amp;queue…</source>
        <translation>唤醒队列(&amp;Q)…</translation>
    </message>
    <message>
        <source>Wake the first waiter of an orphaned queue</source>
        <translation>唤醒孤立队列的首位等待者</translation>
    </message>
    <message>
        <source>Only orphaned queues can be woken.</source>
        <translation>只能唤醒孤立队列。</translation>
    </message>
    <message>
        <source>Fam&amp;ilies…</source>
        <translation>锁类型(&amp;I)…</translation>
    </message>
    <message>
        <source>P&amp;references…</source>
        <translation>首选项(&amp;R)…</translation>
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
        <source>Running…</source>
        <translation>运行中…</translation>
    </message>
    <message>
        <source>Show &amp;blame</source>
        <translation>显示阻塞归因(&amp;B)</translation>
    </message>
    <message>
        <source>Blame</source>
        <translation>阻塞归因</translation>
    </message>
    <message>
        <source>Show who made whom wait, and how long</source>
        <translation>显示谁让谁等待、等了多久</translation>
    </message>
    <message>
        <source>Cop&amp;y link</source>
        <translation>复制链接(&amp;Y)</translation>
    </message>
    <message>
        <source>Copy a link to the lock at this moment, without passwords</source>
        <translation>复制指向此锁和当前时刻的链接，不含密码</translation>
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
        <source>A monitor for distributed locks in Redis.

Free software (GNU GPL, version 3 or later).
Redis is a trademark of Redis Ltd., which has no part in this program.</source>
        <translation>Redis 分布式锁监视器。

自由软件（GNU GPL 第 3 版或更新版本）。
Redis 是 Redis Ltd. 的商标，该公司与本程序无关。</translation>
    </message>
    <message>
        <source>the simulation&apos;s server</source>
        <translation>模拟服务器</translation>
    </message>
    <message>
        <source>No server is stored yet</source>
        <translation>尚未保存服务器</translation>
    </message>
    <message>
        <source>Keychain</source>
        <translation>密钥环</translation>
    </message>
    <message>
        <source>Open recording</source>
        <translation>打开录制</translation>
    </message>
    <message>
        <source>A link names this server, and it is not stored. Check the address before you connect.</source>
        <translation>此服务器来自链接，尚未保存。连接前请核对地址。</translation>
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
        <source>The filter hides %1. Clear it to select the lock.</source>
        <translation>%1 被筛选隐藏，清除筛选即可选中。</translation>
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
        <source>Production: no simulation can run here.</source>
        <translation>生产环境：不能运行模拟。</translation>
    </message>
    <message>
        <source>%1 is not among the locks of these patterns.</source>
        <translation>这些模式的锁中没有 %1。</translation>
    </message>
    <message>
        <source>recording %1</source>
        <translation>录制 %1</translation>
    </message>
    <message>
        <source>This lock is not known now</source>
        <translation>目前没有此锁</translation>
    </message>
    <message>
        <source>This lock is not shown at this moment</source>
        <translation>此刻没有显示该锁</translation>
    </message>
    <message>
        <source>%1 may be no lock and is hidden. Show hidden keys to select it.</source>
        <translation>%1 可能不是锁，已隐藏。显示隐藏的键即可选中。</translation>
    </message>
    <message>
        <source>The recording does not contain %1.</source>
        <translation>录制文件不包含 %1。</translation>
    </message>
    <message>
        <source>The link is from %1. This window knows only what happens from now on. To see that moment, open a recording of it.</source>
        <translation>此链接的时刻是 %1。本窗口只记录从现在起发生的事。要查看该时刻，请打开对应的录制文件。</translation>
    </message>
    <message>
        <source>%1 is not among the locks of this moment.</source>
        <translation>此刻的锁中没有 %1。</translation>
    </message>
</context>
<context>
    <name>lockscope::OrderHold</name>
    <message>
        <source>Rows stay in place under the mouse; values are current.</source>
        <translation>鼠标下的行不移动，数值保持最新。</translation>
    </message>
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
</context>
<context>
    <name>lockscope::OutcomeNotice</name>
    <message>
        <source>%1, %2</source>
        <comment>a date and time, what happened then</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Earlier outcomes are in the audit log.</source>
        <translation>更早的结果见审计日志。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>lockscope::Overview</name>
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
        <source>No lock has a problem</source>
        <translation>没有锁存在问题</translation>
    </message>
    <message>
        <source>None known so far</source>
        <translation>暂未发现</translation>
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
    <message numerus="yes">
        <source>%1 lock(s)</source>
        <translation>
            <numerusform>%1 个锁</numerusform>
        </translation>
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
        <translation>延长租约</translation>
    </message>
    <message>
        <source>Remove a waiter</source>
        <translation>移除等待者</translation>
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
        <source>Worst problems and most waiters first</source>
        <translation>问题最严重、等待者最多的在前</translation>
    </message>
    <message>
        <source>Owner and its locks</source>
        <translation>持有者及其锁</translation>
    </message>
    <message>
        <source>Worst state of the group&apos;s locks</source>
        <translation>该组锁中最严重的状态</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Locks of the group; for a lock, its hold count</source>
        <translation>该组的锁数；对单个锁为重入次数</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>Queues in which the group waits</source>
        <translation>该组所在的等待队列</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Waiters behind these locks, direct or indirect, each once</source>
        <translation>直接或间接等待这些锁的等待者，各计一次</translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>Longest hold of the group</source>
        <translation>该组最长的持有</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>持有时长</translation>
    </message>
</context>
<context>
    <name>lockscope::OwnersPanel</name>
    <message>
        <source>These locks may belong to different owners.</source>
        <translation>这些锁可能属于不同的持有者。</translation>
    </message>
    <message>
        <source>Select an owner to see what a crash would leave.</source>
        <translation>选择持有者以查看崩溃后会留下什么。</translation>
    </message>
    <message>
        <source>The process is unknown; it may hold more locks.</source>
        <translation>进程未知，可能持有更多锁。</translation>
    </message>
    <message>
        <source>By data that is %1 old.</source>
        <translation>依据 %1 前的数据。</translation>
    </message>
    <message>
        <source>By what is known of its locks.</source>
        <translation>依据已知的锁信息。</translation>
    </message>
    <message>
        <source>Select an owner that holds a lock.</source>
        <translation>请选择持有锁的持有者。</translation>
    </message>
    <message>
        <source>Force-expire all locks of this group; lists them first</source>
        <translation>强制过期该组的所有锁；先列出</translation>
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
        <source>Filter table</source>
        <translation>筛选表格</translation>
    </message>
    <message>
        <source>Force-expire all…</source>
        <translation>全部强制过期…</translation>
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
        <source>Group locks by owner, process or host</source>
        <translation>按持有者、进程或主机分组</translation>
    </message>
    <message>
        <source>Filter of the owners</source>
        <translation>持有者的筛选</translation>
    </message>
    <message>
        <source>Part of a name, ID or key</source>
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
        <source>Copy this text</source>
        <translation>复制此文本</translation>
    </message>
    <message>
        <source>Filter the table to its locks</source>
        <translation>在表格中只显示其锁</translation>
    </message>
    <message>
        <source>It holds no known lock and waits in no queue.</source>
        <translation>未持有已知的锁，也不在任何队列中等待。</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>没有匹配项。</translation>
    </message>
    <message>
        <source>No lock is known to be held or waited for.</source>
        <translation>未发现有锁被持有或被等待。</translation>
    </message>
</context>
<context>
    <name>lockscope::PagePanel</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
</context>
<context>
    <name>lockscope::PanelDocks</name>
    <message>
        <source>Panels</source>
        <translation>面板</translation>
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
        <translation>模式</translation>
    </message>
    <message>
        <source>Type at least one pattern, such as lock:*</source>
        <translation>请至少输入一个模式，如 lock:*</translation>
    </message>
    <message>
        <source>One pattern per line, as for SCAN. With lock:*, lock_* and *:lock, known families&apos; usual names are read too.</source>
        <translation>每行一个模式，同 SCAN。含 lock:*、lock_* 和 *:lock 时，还会读取已知锁类型的常用键名。</translation>
    </message>
    <message>
        <source>Patterns are stored with this server.</source>
        <translation>匹配模式随此服务器保存。</translation>
    </message>
</context>
<context>
    <name>lockscope::PeriodBox</name>
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
        <source>Selected in the timeline</source>
        <translation>时间线中选择的时间</translation>
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
        <source>Language and text size apply at the next start.</source>
        <translation>语言和字号在下次启动时生效。</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Reduce &amp;motion</source>
        <translation>减少动态效果(&amp;M)</translation>
    </message>
    <message>
        <source>Stop blinking and gliding; the timeline moves once a second</source>
        <translation>停止闪烁和滑动；时间线每秒移动一次</translation>
    </message>
</context>
<context>
    <name>lockscope::ProbeView</name>
    <message>
        <source>Probe</source>
        <translation>探测</translation>
    </message>
    <message>
        <source>Run probe</source>
        <translation>运行探测</translation>
    </message>
    <message>
        <source>running…</source>
        <translation>正在运行…</translation>
    </message>
</context>
<context>
    <name>lockscope::ProcessNameDialog</name>
    <message>
        <source>Name a process</source>
        <translation>命名进程</translation>
    </message>
    <message>
        <source>Its locks and waiters show this name, on this computer only. A restarted process has another ID.</source>
        <translation>该进程的锁和等待者会显示此名称，仅限本机。进程重启后 ID 会改变。</translation>
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
        <source>&amp;Process</source>
        <translation>进程(&amp;P)</translation>
    </message>
</context>
<context>
    <name>lockscope::RawValueDialog</name>
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
        <source>The key was empty when read.</source>
        <translation>读取时该键不存在。</translation>
    </message>
    <message>
        <source>Values of this type are not read.</source>
        <translation>不读取此类型的值。</translation>
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
        <source>Keys and channels of the lock</source>
        <translation>此锁的键和频道</translation>
    </message>
    <message>
        <source>Not JSON, or read in part</source>
        <translation>不是 JSON，或只读取了一部分</translation>
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
        <source>The end of the recording was not written. %1</source>
        <translation>录制的结尾未写入。%1</translation>
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
        <source>Events recorded: %1; lost: %2</source>
        <translation>已录制事件：%1；丢失：%2</translation>
    </message>
    <message>
        <source>Writing failed; retrying. %1</source>
        <translation>写入失败，正在重试。%1</translation>
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
        <source>Records all locks until you stop. The file holds tokens, which can release locks.</source>
        <translation>录制所有锁，直到您停止。文件含有可用于释放锁的令牌。</translation>
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
        <source>The oldest part is deleted beyond this</source>
        <translation>超出时删除最旧部分</translation>
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
        <source>Type a time such as 03:12 or 03:12:05.</source>
        <translation>请输入时间，如 03:12 或 03:12:05。</translation>
    </message>
    <message>
        <source>The recording covers %1 to %2.</source>
        <translation>录制范围为 %1 至 %2。</translation>
    </message>
    <message>
        <source>reading this moment…</source>
        <translation>正在读取这一时刻…</translation>
    </message>
    <message numerus="yes">
        <source>%1 to %2, %3 long: the clock was set back %n time(s)</source>
        <translation>
            <numerusform>%1 至 %2，时长 %3：时钟回拨 %n 次</numerusform>
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
        <source>E&amp;xport…</source>
        <translation>导出(&amp;X)…</translation>
    </message>
    <message>
        <source>Save the report as JSON or text</source>
        <translation>将报告保存为 JSON 或文本</translation>
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
    <message>
        <source>Found</source>
        <translation>实际</translation>
    </message>
</context>
<context>
    <name>lockscope::RunLanes</name>
    <message>
        <source>Critical section</source>
        <translation>临界区</translation>
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
        <source>In the critical section, by the referee: %1</source>
        <translation>临界区内（裁判所见）：%1</translation>
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
        <source>since the previous holder left, by the referee</source>
        <translation>自上一持有者离开起，由裁判计时</translation>
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
        <source>Top lane: as the referee saw it. Below: as the worker believes. Other colors: paused, crashed, disconnected.</source>
        <translation>顶部泳道：裁判所见。下方：工作线程自认为。其他颜色：已暂停、已崩溃、已断开连接。</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Waiting for a lock; each line is a refused attempt.</source>
        <translation>正在等待锁；每条竖线是一次被拒绝的尝试。</translation>
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
        <source>From a release to the worker that it woke; zoom in if hidden.</source>
        <translation>从释放到被唤醒的工作线程；未显示时请放大。</translation>
    </message>
    <message>
        <source>Time left, as the worker knows it.</source>
        <translation>剩余时间（以工作线程所知为准）。</translation>
    </message>
    <message>
        <source>Cross: crash. Hourglass: lease expired (gray: worker gone). Open padlock: lock gone. Clock: timed out. Dash: refused. Bolt: foreign release. Triangle: stale write. Octagon: overlap. Infinity: no expiry.</source>
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
        <source>Choose the phase</source>
        <translation>选择阶段</translation>
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
        <source>Save as SVG or PNG</source>
        <translation>保存为 SVG 或 PNG</translation>
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
</context>
<context>
    <name>lockscope::ScenarioCards</name>
    <message>
        <source>Scenarios</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Custom setup</source>
        <translation>自定义设置</translation>
    </message>
    <message>
        <source>Choose strategy, workers, times and faults.</source>
        <translation>自选策略、工作线程、时间和故障。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>button, scenario</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>lockscope::ScenarioForm</name>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Runs on a private server only.</source>
        <translation>只在私有服务器上运行。</translation>
    </message>
    <message>
        <source>All workers start each round together</source>
        <translation>所有工作线程同时开始每一轮</translation>
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
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
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
        <source>Ambiguous; only the content says who may hold them</source>
        <translation>锁类型不确定（仅内容表明可能的持有者）</translation>
    </message>
    <message>
        <source>Tick a pattern first</source>
        <translation>请先勾选一个模式</translation>
    </message>
    <message>
        <source>Reads every key once, with at most 5% of one server core. Plain tokens are not found.</source>
        <translation>读取每个键一次，最多占用一个服务器核心的 5%。普通令牌无法找到。</translation>
    </message>
    <message>
        <source>Keys to read: %1</source>
        <translation>要读取的键：%1</translation>
    </message>
    <message>
        <source>All %1 keys read in %2, locks found: %3.</source>
        <translation>在 %2内读取了全部 %1 个键，找到的锁：%3。</translation>
    </message>
    <message>
        <source>Stopped after %1: %2</source>
        <translation>%1后停止：%2</translation>
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
        <source>Find a command or key</source>
        <translation>查找命令或快捷键</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
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
        <source>“%1” has these keys. Choose others.</source>
        <translation>“%1”已使用这些键，请另选。</translation>
    </message>
    <message>
        <source>Press the keys; leave empty for none.</source>
        <translation>按下快捷键；留空表示无。</translation>
    </message>
    <message>
        <source>Select a command to change its keys.</source>
        <translation>选择一个命令以更改其快捷键。</translation>
    </message>
</context>
<context>
    <name>lockscope::SimulationPanel</name>
    <message>
        <source>Read-only connection: no simulation can run here.</source>
        <translation>只读连接：不能运行模拟。</translation>
    </message>
    <message>
        <source> — phase %1 of %2: %3</source>
        <comment>act, of how many, what is different in it</comment>
        <translation> — 第 %1 阶段，共 %2 阶段：%3</translation>
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
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Export the report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>文本 (*.txt)</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>SVG (*.svg)</source>
        <translation>SVG (*.svg)</translation>
    </message>
    <message>
        <source>Save the timeline</source>
        <translation>保存时间线</translation>
    </message>
    <message>
        <source>PNG (*.png)</source>
        <translation>PNG (*.png)</translation>
    </message>
    <message>
        <source>St&amp;op</source>
        <translation>停止(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Settin&amp;gs</source>
        <translation>设置(&amp;G)</translation>
    </message>
    <message>
        <source>S&amp;cenarios</source>
        <translation>场景(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Monitor</source>
        <translation>监视(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Monitor (%1)</source>
        <comment>shortcut</comment>
        <translation>监视 (%1)(&amp;M)</translation>
    </message>
    <message>
        <source>Not connected to the server.</source>
        <translation>未连接到服务器。</translation>
    </message>
    <message>
        <source>Simulation</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>End the running simulation?</source>
        <translation>结束正在运行的模拟？</translation>
    </message>
    <message>
        <source>Its report is lost.</source>
        <translation>报告不会保留。</translation>
    </message>
    <message>
        <source>&amp;End</source>
        <translation>结束(&amp;E)</translation>
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
        <source>%1%</source>
        <comment>percent</comment>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Holds seen from beginning to end: %1</source>
        <translation>完整观察到的持有：%1</translation>
    </message>
    <message>
        <source>Further holds of unknown length: %1</source>
        <translation>其他时长未知的持有：%1</translation>
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
        <source>Holds that ended in this time, seen from beginning to end</source>
        <translation>此时段内结束且全程可见的持有</translation>
    </message>
    <message>
        <source>Locks held or waited for in this time</source>
        <translation>此时段内被持有或等待的锁</translation>
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
        <source>Share of acquisitions with a waiter before</source>
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
        <source>Longest hold; ≥ where its beginning or end was not seen</source>
        <translation>最长持有；未见开始或结束时为 ≥</translation>
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
        <source>Waiting time of all waiters together</source>
        <translation>所有等待者的等待时间合计</translation>
    </message>
    <message>
        <source>Total wait</source>
        <translation>总等待</translation>
    </message>
    <message>
        <source>Waiters unknown: no trace, or no permission.</source>
        <translation>等待者未知：无痕迹或无权限。</translation>
    </message>
    <message>
        <source>Acquisitions per second of counted time, without re-entries</source>
        <translation>计数时间内每秒获取次数，不含重入</translation>
    </message>
    <message>
        <source>Acquisitions: at least %1</source>
        <translation>获取次数：至少 %1</translation>
    </message>
    <message>
        <source>Waits that ended in this time, since first seen in the queue; short ones are often missed</source>
        <translation>此时段内结束的等待，自首次见于队列起；短等待常被遗漏</translation>
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
        <source>Time of the statistics</source>
        <translation>统计时间</translation>
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
        <source>Statistics of the locks</source>
        <translation>锁的统计</translation>
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
        <source>observed %1 of %2</source>
        <translation>观察 %1，共 %2</translation>
    </message>
    <message>
        <source>observed %1</source>
        <translation>观察 %1</translation>
    </message>
    <message>
        <source>No key matches.</source>
        <translation>没有匹配的键。</translation>
    </message>
    <message>
        <source>Export all rows and columns as CSV or JSON</source>
        <translation>将所有行和列导出为 CSV 或 JSON</translation>
    </message>
    <message>
        <source>no figures: %1</source>
        <translation>无数据：%1</translation>
    </message>
    <message>
        <source>Nothing measured yet: %1</source>
        <translation>尚无测量值：%1</translation>
    </message>
    <message>
        <source>Nothing measured in this time.</source>
        <translation>此时段内没有测量值。</translation>
    </message>
    <message>
        <source>Blame</source>
        <translation>阻塞归因</translation>
    </message>
    <message>
        <source>Show who made whom wait, and how long</source>
        <translation>显示谁让谁等待、等了多久</translation>
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
        <source>not connected</source>
        <translation>未连接</translation>
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
        <source>Sentinels that answer: %1 of %2</source>
        <translation>应答的哨兵：%1 / %2</translation>
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
        <source>servers: %1 of %2</source>
        <translation>服务器：%1/%2</translation>
    </message>
    <message>
        <source>Redlock group: held if a majority of servers has it.</source>
        <translation>Redlock 组：多数服务器持有即为持有。</translation>
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
        <source>A lane per lock, owner or process</source>
        <translation>每个锁、持有者或进程一条泳道</translation>
    </message>
    <message>
        <source>Each inner line is one more hold.</source>
        <translation>每条内线表示多一次重入。</translation>
    </message>
    <message>
        <source>Waiters in queue order, or their number. Cross-hatched: a dead waiter.</source>
        <translation>按队列顺序排列的等待者，或其数量。交叉线：失效等待者。</translation>
    </message>
    <message>
        <source>Share of the longest lease seen. Dashed: no expiry.</source>
        <translation>占所见最长租约的比例。虚线：无过期时间。</translation>
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
        <source>Not watched, or changes may have been missed.</source>
        <translation>未监视，或可能遗漏了变更。</translation>
    </message>
    <message>
        <source>All history</source>
        <translation>全部历史</translation>
    </message>
    <message>
        <source>Ctrl and the wheel, + and - zoom; 0 shows all history.</source>
        <translation>Ctrl 加滚轮、+ 和 - 缩放；0 显示全部历史。</translation>
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
        <source>Each row is a lock, updated live. Locks that need attention come first.</source>
        <translation>每行是一个锁，实时更新。需要关注的锁排在前面。</translation>
    </message>
    <message>
        <source>The state says what is wrong. F1 explains it and what to do.</source>
        <translation>状态说明哪里有问题。按 F1 可查看其含义和处理方法。</translation>
    </message>
    <message>
        <source>The inspector shows who owns the selected lock, why it is held, the evidence, and what you can do.</source>
        <translation>详情面板显示所选锁的持有者、被持有的原因、判断依据，以及您可以做什么。</translation>
    </message>
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
        <source>This lock is now selected. In the state “Dead waiter”, the first waiter has crashed and blocks the queue until its timeout.</source>
        <translation>已选中此锁。状态为“有失效等待者”时，首位等待者已崩溃，在超时前一直阻塞队列。</translation>
    </message>
    <message>
        <source>While the waiter is dead, press “Remove waiter…” here and confirm. A script checks again that it is dead.</source>
        <translation>等待者失效期间，请点击此处的“移除等待者…”并确认。脚本会再次检查它是否失效。</translation>
    </message>
    <message>
        <source>Events show what happened, and the audit log what you did. Open them here.</source>
        <translation>事件显示发生了什么，审计日志显示您的操作。可在此打开。</translation>
    </message>
</context>
<context>
    <name>lockscope::TraceEntry</name>
    <message>
        <source>%1 enters</source>
        <translation>%1 进入临界区</translation>
    </message>
    <message>
        <source>%1 leaves</source>
        <translation>%1 离开临界区</translation>
    </message>
    <message>
        <source>%1 crashes in the critical section</source>
        <translation>%1 在临界区内崩溃</translation>
    </message>
    <message>
        <source>%1 tries to acquire</source>
        <translation>%1 尝试获取锁</translation>
    </message>
    <message>
        <source>%1 is refused</source>
        <translation>%1 被拒绝</translation>
    </message>
    <message>
        <source>%1 is woken</source>
        <translation>%1 被唤醒</translation>
    </message>
    <message>
        <source>%1 acquires</source>
        <translation>%1 已获取锁</translation>
    </message>
    <message>
        <source>%1 is handed the lock</source>
        <translation>%1 已接到移交的锁</translation>
    </message>
    <message>
        <source>%1 re-enters</source>
        <translation>%1 重入锁</translation>
    </message>
    <message>
        <source>%1 renews the lease</source>
        <translation>%1 已续期租约</translation>
    </message>
    <message>
        <source>%1 finds the lock lost</source>
        <translation>%1 发现锁已丢失</translation>
    </message>
    <message>
        <source>%1 continues without the lock</source>
        <translation>%1 没有锁，继续执行</translation>
    </message>
    <message>
        <source>%1 times out</source>
        <translation>%1 超时</translation>
    </message>
    <message>
        <source>%1 begins to release</source>
        <translation>%1 开始释放锁</translation>
    </message>
    <message>
        <source>%1 releases one level</source>
        <translation>%1 已释放一层</translation>
    </message>
    <message>
        <source>%1 releases the lock</source>
        <translation>%1 已释放锁</translation>
    </message>
    <message>
        <source>%1 releases the lock and notifies waiters</source>
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
        <source>%1 continues</source>
        <translation>%1 恢复运行</translation>
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
        <source>a process does not respond</source>
        <translation>有进程无响应</translation>
    </message>
    <message>
        <source>a process responds again</source>
        <translation>进程恢复响应</translation>
    </message>
    <message>
        <source>%1 (lock %2)</source>
        <comment>what a worker does</comment>
        <translation>%1（锁 %2）</translation>
    </message>
    <message>
        <source>server restart or flush ordered</source>
        <translation>已下令重启或清空服务器</translation>
    </message>
    <message>
        <source>the server responds again</source>
        <translation>服务器恢复响应</translation>
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
        <source>the lock without expiry has changed</source>
        <translation>此前无过期时间的锁已改变</translation>
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
        <source>Kill the selected worker, as kill -9 does</source>
        <translation>像 kill -9 一样终止所选工作线程</translation>
    </message>
    <message>
        <source>Kill a hol&amp;der</source>
        <translation>终止一个持有锁的工作线程(&amp;D)</translation>
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
        <source>Resume the selected worker</source>
        <translation>恢复所选工作线程</translation>
    </message>
    <message>
        <source>Pause the selected worker and its clock</source>
        <translation>暂停所选工作线程及其时钟</translation>
    </message>
    <message>
        <source>Kill a worker that holds a lock</source>
        <translation>终止一个持有锁的工作线程</translation>
    </message>
    <message>
        <source>Waiting for a worker that holds a lock…</source>
        <translation>正在等待有工作线程持有锁…</translation>
    </message>
    <message>
        <source>%1 was killed while holding a lock, which stays until its lease expires.</source>
        <translation>%1 在持有锁时被终止，锁保留到租约过期。</translation>
    </message>
    <message>
        <source>No worker held a lock for 2 s.</source>
        <translation>2 秒内没有工作线程持有锁。</translation>
    </message>
</context>
<context>
    <name>lockscope::app</name>
    <message>
        <source>nothing was sent</source>
        <translation>未发送任何请求</translation>
    </message>
    <message>
        <source>%1: hash chain intact, records: %2.</source>
        <translation>%1：哈希链完整，记录数：%2。</translation>
    </message>
    <message>
        <source>%1, hold count %2</source>
        <translation>%1，重入次数 %2</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>no lock at %1</source>
        <translation>%1 处没有锁</translation>
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
        <source>STATE</source>
        <comment>column of a table</comment>
        <translation>状态</translation>
    </message>
    <message>
        <source>FAMILY</source>
        <comment>column of a table</comment>
        <translation>锁类型</translation>
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
        <source>PROBLEMS</source>
        <comment>column of a table</comment>
        <translation>问题</translation>
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
        <source>Give a server&apos;s address with -u.</source>
        <translation>请用 -u 给出服务器地址。</translation>
    </message>
    <message>
        <source>Unknown verb &apos;%1&apos;. See --help.</source>
        <translation>未知命令“%1”。参见 --help。</translation>
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
        <source>prompt for the password</source>
        <translation>提示输入密码</translation>
    </message>
    <message>
        <source>encrypt the connection</source>
        <translation>加密连接</translation>
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
        <source>print JSON</source>
        <translation>输出 JSON</translation>
    </message>
    <message>
        <source>owner ID</source>
        <translation>持有者 ID</translation>
    </message>
    <message>
        <source>expected owner; repeatable</source>
        <translation>预期持有者；可重复</translation>
    </message>
    <message>
        <source>show one lock</source>
        <translation>显示单个锁</translation>
    </message>
    <message>
        <source>release one level, or all levels</source>
        <translation>释放一层或全部</translation>
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
        <source>: subscribed</source>
        <translation>：已订阅</translation>
    </message>
    <message>
        <source>; times out in %1</source>
        <translation>；%1后超时</translation>
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
        <source>Problem: %1</source>
        <translation>问题：%1</translation>
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
        <source>remove a dead waiter from a fair queue</source>
        <translation>从公平队列中移除失效等待者</translation>
    </message>
    <message>
        <source>Family: %1 (%2); %3.</source>
        <translation>锁类型：%1（%2）；%3。</translation>
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
        <source>expires in %1</source>
        <translation>%1后过期</translation>
    </message>
    <message>
        <source>No expiry.</source>
        <translation>无过期时间。</translation>
    </message>
    <message>
        <source>: not subscribed here</source>
        <translation>：此处看不到订阅</translation>
    </message>
    <message>
        <source>Evidence: %1.</source>
        <translation>依据：%1。</translation>
    </message>
    <message>
        <source>Unreadable keys: %1.</source>
        <translation>无法读取的键：%1。</translation>
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
        <source>Owner: %1.</source>
        <translation>持有者：%1。</translation>
    </message>
    <message>
        <source>locks: %1, at %2; %3</source>
        <comment>how changes are heard</comment>
        <translation>锁：%1，位于 %2；%3</translation>
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
        <source>%1: this server does not have %2</source>
        <translation>%1：此服务器没有 %2</translation>
    </message>
    <message>
        <source>%1: %2: not checked. %3</source>
        <translation>%1：%2：未检查。%3</translation>
    </message>
    <message>
        <source>SERVERS</source>
        <comment>column of a table</comment>
        <translation>服务器</translation>
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
        <source>Waiters unknown: %1</source>
        <translation>等待者未知：%1</translation>
    </message>
    <message>
        <source>Time held: unknown</source>
        <translation>持锁时长：未知</translation>
    </message>
    <message>
        <source>Listening at %1 failed: %2</source>
        <translation>无法监听 %1：%2</translation>
    </message>
    <message>
        <source>Metrics at %1</source>
        <translation>指标地址：%1</translation>
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
        <source>%1, for %2</source>
        <translation>%1，持续 %2</translation>
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
        <source>%1 until the lock expires</source>
        <comment>a time</comment>
        <translation>距锁过期还有 %1</translation>
    </message>
    <message>
        <source>Why it is held: %1</source>
        <translation>为何仍被持有：%1</translation>
    </message>
    <message>
        <source>possible</source>
        <comment>state</comment>
        <translation>可能是锁</translation>
    </message>
    <message>
        <source>STORED AS</source>
        <comment>column of a table</comment>
        <translation>存储形式</translation>
    </message>
    <message>
        <source>USUAL NAMES</source>
        <comment>column of a table</comment>
        <translation>常用键名</translation>
    </message>
    <message>
        <source>FROM</source>
        <comment>column of a table</comment>
        <translation>来源</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>CERTAINTY</source>
        <comment>column of a table</comment>
        <translation>确定性</translation>
    </message>
    <message>
        <source>DETAILS</source>
        <comment>column of a table</comment>
        <translation>已知信息</translation>
    </message>
    <message>
        <source>The first %1 are explained.</source>
        <translation>只解释前 %1 个。</translation>
    </message>
    <message>
        <source>no key %1</source>
        <translation>键 %1 不存在</translation>
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
        <source>Probably no locks: %1.</source>
        <translation>可能不是锁：%1。</translation>
    </message>
    <message>
        <source>Keys read: %1. Certain locks: %2. Likely locks: %3. Ambiguous: %4.</source>
        <translation>已读取的键：%1。确定的锁：%2。很可能的锁：%3。锁类型不确定：%4。</translation>
    </message>
    <message>
        <source>%1: not checked: %2</source>
        <translation>%1：未检查：%2</translation>
    </message>
    <message>
        <source>not checked with --read-only</source>
        <translation>使用 --read-only 时不检查</translation>
    </message>
    <message>
        <source>nothing was sent: possibly no lock; use --family to act</source>
        <translation>未发送：可能不是锁；用 --family 指定后再操作</translation>
    </message>
    <message>
        <source>nothing was sent: not a recognized lock</source>
        <translation>未发送任何命令：不是可识别的锁</translation>
    </message>
    <message>
        <source>interrupted before the reply: check %1 with get before retrying</source>
        <translation>收到应答前中断：重试前请用 get 检查 %1</translation>
    </message>
    <message>
        <source>interrupted: nothing was sent</source>
        <translation>已中断：未发送任何命令</translation>
    </message>
    <message>
        <source>Nothing was sent: production actions need --confirm KEY.</source>
        <translation>未发送任何命令：生产环境的操作需要 --confirm KEY。</translation>
    </message>
    <message>
        <source>No alerts for %1 unreadable keys.</source>
        <translation>%1 个无法读取的键没有告警。</translation>
    </message>
    <message>
        <source>Delivery unknown: %1 alerts.</source>
        <translation>%1 条告警的送达结果未知。</translation>
    </message>
    <message>
        <source>More than %1 alerts are open; others wait.</source>
        <translation>未结束的告警超过 %1 个，其余等待。</translation>
    </message>
    <message>
        <source>Alert command not started: %1</source>
        <translation>告警命令未能启动：%1</translation>
    </message>
    <message>
        <source>Alert command stopped after %1.</source>
        <translation>告警命令运行 %1 后被停止。</translation>
    </message>
    <message>
        <source>Alert command ended by a signal.</source>
        <translation>告警命令被信号终止。</translation>
    </message>
    <message>
        <source>Alert command failed with exit status %1.</source>
        <translation>告警命令失败，退出状态 %1。</translation>
    </message>
    <message>
        <source>Alert command too slow: %1 alerts were dropped.</source>
        <translation>告警命令太慢：丢弃了 %1 条告警。</translation>
    </message>
    <message>
        <source>Webhook %1: HTTP status %2.</source>
        <translation>Webhook %1：HTTP 状态 %2。</translation>
    </message>
    <message>
        <source>Webhook %1: host not found.</source>
        <translation>Webhook %1：找不到主机。</translation>
    </message>
    <message>
        <source>Webhook %1: connection refused.</source>
        <translation>Webhook %1：连接被拒绝。</translation>
    </message>
    <message>
        <source>Webhook %1: no TLS, or no trusted certificate.</source>
        <translation>Webhook %1：不支持 TLS，或证书不受信任。</translation>
    </message>
    <message>
        <source>Webhook %1: connection closed without a reply.</source>
        <translation>Webhook %1：未应答即关闭连接。</translation>
    </message>
    <message>
        <source>Webhook %1: timeout.</source>
        <translation>Webhook %1：超时。</translation>
    </message>
    <message>
        <source>Webhook %1: not reached.</source>
        <translation>Webhook %1：无法连接。</translation>
    </message>
    <message>
        <source>Webhook too slow: %1 alerts were dropped.</source>
        <translation>Webhook 太慢：丢弃了 %1 条告警。</translation>
    </message>
    <message>
        <source>%1 %2 alerts were refused.</source>
        <translation>%1 %2 条告警被拒绝。</translation>
    </message>
    <message>
        <source>%1 Retrying.</source>
        <translation>%1 正在重试。</translation>
    </message>
    <message>
        <source>Request %1 of %2 (%3 of %4 at %5): outcome not recorded. Check the key before retrying.</source>
        <translation>请求 %1：%2（%4 的 %3，时间 %5）没有记录结果。重试前请检查该键。</translation>
    </message>
    <message>
        <source>audit log not readable: %1</source>
        <translation>无法读取审计日志：%1</translation>
    </message>
    <message>
        <source>deadlocks and dead waiters not confirmed: %1</source>
        <translation>死锁和失效等待者未能确认：%1</translation>
    </message>
    <message>
        <source>deadlocks and dead waiters are confirmed at %1 only</source>
        <translation>死锁和失效等待者只在 %1 确认</translation>
    </message>
    <message>
        <source>hold times unknown: %1</source>
        <translation>持锁时间未知：%1</translation>
    </message>
    <message>
        <source>hold times not known yet: first check with this state file</source>
        <translation>持锁时间尚未知：首次使用此状态文件</translation>
    </message>
    <message>
        <source>state file not written: %1</source>
        <translation>状态文件未写入：%1</translation>
    </message>
    <message>
        <source>%1 was damaged: hold times start at this check</source>
        <translation>%1 已损坏：持有时间从本次检查算起</translation>
    </message>
    <message>
        <source>same token %1 at every check since %2 (checks: %3, %4), limit %5; owners may differ</source>
        <translation>自 %2 起每次检查（%3 次，%4）都是同一令牌 %1，上限 %5；持有者可能不同</translation>
    </message>
    <message>
        <source>No expiry. The family is ambiguous.</source>
        <translation>无过期时间。锁类型不确定。</translation>
    </message>
    <message>
        <source>Without expiry, ambiguous: %1</source>
        <translation>无过期时间，锁类型不确定：%1</translation>
    </message>
    <message>
        <source>Without expiry, no problem: %1</source>
        <translation>无过期时间，但不是问题：%1</translation>
    </message>
    <message>
        <source>Waiters partly counted: %1</source>
        <translation>等待者部分计数：%1</translation>
    </message>
    <message>
        <source>Incomplete: unread locks</source>
        <translation>不完整：有未读取的锁</translation>
    </message>
    <message>
        <source>Incomplete: unconfirmed findings</source>
        <translation>不完整：有未确认的发现</translation>
    </message>
    <message>
        <source>result not written: %1</source>
        <translation>结果未写入：%1</translation>
    </message>
    <message>
        <source>interrupted: the output is incomplete</source>
        <translation>已中断：输出不完整</translation>
    </message>
    <message>
        <source>interrupted: no result</source>
        <translation>已中断：没有结果</translation>
    </message>
    <message>
        <source>locks of %1 missing: %2</source>
        <translation>缺少 %1 的锁：%2</translation>
    </message>
    <message>
        <source>locks of %1 more servers missing</source>
        <translation>另有 %1 台服务器的锁缺失</translation>
    </message>
    <message>
        <source>%1; new locks of %2 are found by scans (every %3 or slower)</source>
        <translation>%1；%2 的新锁靠扫描发现（每 %3 或更慢）</translation>
    </message>
    <message>
        <source>Family: %1 (%2). Candidates: %3, or a custom format.</source>
        <translation>锁类型：%1（%2）。候选类型：%3，或自定义格式。</translation>
    </message>
    <message>
        <source>No expiry, the default of this family.</source>
        <translation>无过期时间，这是此锁类型的默认行为。</translation>
    </message>
    <message>
        <source>No expiry, a problem for this family.</source>
        <translation>无过期时间，对此锁类型是问题。</translation>
    </message>
    <message>
        <source>Expires in %1 unless renewed.</source>
        <translation>若不续期，%1后过期。</translation>
    </message>
    <message>
        <source>Renewals by this library: unknown.</source>
        <translation>该库是否续期：未知。</translation>
    </message>
    <message>
        <source>Some holders of this family renew.</source>
        <translation>此锁类型的部分持有者会续期。</translation>
    </message>
    <message>
        <source>Holders of this family renew by default.</source>
        <translation>此锁类型的持有者默认续期。</translation>
    </message>
    <message>
        <source>Holders of this family do not renew by default.</source>
        <translation>此锁类型的持有者默认不续期。</translation>
    </message>
    <message>
        <source>: not subscribed (dead or new)</source>
        <translation>：未订阅频道（已失效或刚加入）</translation>
    </message>
    <message>
        <source>; timed out</source>
        <translation>；已超时</translation>
    </message>
    <message>
        <source>Waiters: unknown, since the companion keys cannot be read.</source>
        <translation>等待者：未知，附属键无法读取。</translation>
    </message>
    <message>
        <source>Waiters: none; no client waits for a job&apos;s lock.</source>
        <translation>等待者：无；没有客户端等待作业的锁。</translation>
    </message>
    <message>
        <source>Waiters: at least %1 (subscribed processes).</source>
        <translation>等待者：至少 %1（已订阅的进程）。</translation>
    </message>
    <message>
        <source>Waiters: %1, in queue order.</source>
        <translation>等待者：%1，按队列顺序。</translation>
    </message>
    <message>
        <source>Waiters: at least %1 (polling clients cannot be counted).</source>
        <translation>等待者：至少 %1（轮询的客户端无法统计）。</translation>
    </message>
    <message>
        <source>Unsubscribed waiters may be alive: %1.</source>
        <translation>未订阅的等待者可能仍在运行：%1。</translation>
    </message>
    <message>
        <source>The lock is valid for %1 at most, allowing for clock drift.</source>
        <translation>扣除时钟漂移，锁最多还有效 %1。</translation>
    </message>
    <message>
        <source>Companion keys cannot be read; the family may differ.</source>
        <translation>附属键无法读取，锁类型可能不同。</translation>
    </message>
    <message>
        <source>Held since: unknown.</source>
        <translation>持有起始时间：未知。</translation>
    </message>
    <message>
        <source>Deadlock: unknown. Run lockscope-cli check.</source>
        <translation>死锁：未知。请运行 lockscope-cli check。</translation>
    </message>
    <message>
        <source>Force-expire is refused: its effects depend on unreadable keys.</source>
        <translation>拒绝强制过期：其影响取决于无法读取的键。</translation>
    </message>
    <message>
        <source>other machines can read the metrics without a login</source>
        <translation>其他机器无需登录即可读取指标</translation>
    </message>
    <message>
        <source>Unknown family %1. See lockscope-cli family list.</source>
        <translation>未知的锁类型 %1。参见 lockscope-cli family list。</translation>
    </message>
    <message>
        <source>%1: the family %2 is valid. Examples: %3.</source>
        <translation>%1：锁类型 %2 有效。示例：%3。</translation>
    </message>
    <message>
        <source>matches, but the family is more likely %1</source>
        <translation>匹配，但锁类型更可能是 %1</translation>
    </message>
    <message>
        <source>Locks of the family %1: %2. Candidates: %3. Other keys: %4.</source>
        <translation>锁类型 %1 的锁：%2。候选：%3。其他键：%4。</translation>
    </message>
    <message>
        <source>No family form fits %1.</source>
        <translation>%1 不符合任何锁类型的格式。</translation>
    </message>
    <message>
        <source>The family has no usual names. Give --pattern.</source>
        <translation>该锁类型没有常用键名。请指定 --pattern。</translation>
    </message>
    <message>
        <source>but its job is still in %1: stalled, and will go to another worker</source>
        <translation>但其作业仍在 %1 中：已停滞，将交给另一个 worker</translation>
    </message>
    <message>
        <source>no lock at %1 on %2 of %3 servers; others unread</source>
        <translation>%1 处没有锁（%3 台服务器中的 %2 台）；其余未读取</translation>
    </message>
    <message>
        <source>Patterns: %1. Find others with --pattern or search.</source>
        <translation>模式：%1。其他锁用 --pattern 或 search 查找。</translation>
    </message>
    <message>
        <source>Omitted by --limit: %1.</source>
        <translation>因 --limit 省略：%1。</translation>
    </message>
    <message>
        <source>Possible locks: %1.</source>
        <translation>可能的锁：%1。</translation>
    </message>
    <message>
        <source>Lock without a key (portalocker): channel %1, held by client %2 for at most %3.</source>
        <translation>没有键的锁（portalocker）：频道 %1，由客户端 %2 持有，最长 %3。</translation>
    </message>
    <message>
        <source>%1 needs a terminal and a password.</source>
        <translation>%1 需要终端和密码。</translation>
    </message>
    <message>
        <source>Sentinels&apos; password for %1:</source>
        <translation>%1 的哨兵密码：</translation>
    </message>
    <message>
        <source>No password for the user %1. Give -a &apos;&apos; if there is none.</source>
        <translation>用户 %1 没有密码。若无密码，请指定 -a &apos;&apos;。</translation>
    </message>
    <message>
        <source>writing failed, retrying: %1</source>
        <translation>写入失败，正在重试：%1</translation>
    </message>
    <message>
        <source>recording again, with a gap</source>
        <translation>恢复录制，中间有缺口</translation>
    </message>
    <message>
        <source>Clock set from %1 to %2.</source>
        <translation>时钟从 %1 调到 %2。</translation>
    </message>
    <message>
        <source>not recorded at %1: showing the last known locks</source>
        <translation>%1 没有录制：显示此前最后已知的锁</translation>
    </message>
    <message>
        <source>incomplete at %1: not all locks were read</source>
        <translation>%1 时不完整：并非所有锁都已读取</translation>
    </message>
    <message>
        <source>%1: locks unknown from here on</source>
        <translation>%1：此后锁的状态未知</translation>
    </message>
    <message>
        <source>%1: locks known again</source>
        <translation>%1：锁的状态恢复已知</translation>
    </message>
    <message>
        <source>%1: no locks any more</source>
        <translation>%1：不再有锁</translation>
    </message>
    <message>
        <source>locks unknown from here on</source>
        <translation>此后锁的状态未知</translation>
    </message>
    <message>
        <source>Nothing recorded then. The recording is from %1 to %2.</source>
        <translation>该时间没有录制。录制范围为 %1 至 %2。</translation>
    </message>
    <message>
        <source>Likely locks:</source>
        <translation>很可能是锁：</translation>
    </message>
    <message>
        <source>Ambiguous:</source>
        <translation>不确定：</translation>
    </message>
    <message>
        <source>Keys with unreadable companion keys: %1.</source>
        <translation>附属键无法读取的键：%1。</translation>
    </message>
    <message>
        <source>Plain tokens cannot be found by content.</source>
        <translation>纯令牌锁无法按内容查找。</translation>
    </message>
    <message numerus="yes">
        <source>%1 other key(s) may be locks. Read them with:%2</source>
        <translation>
            <numerusform>另有 %1 个键可能是锁。读取方法：%2</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: reading all locks again</source>
        <translation>%1：正在重新读取所有锁</translation>
    </message>
    <message>
        <source>Give a longer --duration.</source>
        <translation>请延长 --duration。</translation>
    </message>
    <message>
        <source>No events: ended before the first reading was complete. %1</source>
        <translation>没有事件：首次读取完成前已结束。%1</translation>
    </message>
    <message>
        <source>No client used the key. Search longer with --duration (30 at most).</source>
        <translation>没有客户端使用该键。请用 --duration 延长查找（最多 30）。</translation>
    </message>
    <message>
        <source>No holder found: without renewals, a holder sends nothing.</source>
        <translation>未找到持有者进程：不续期的持有者不发送命令。</translation>
    </message>
    <message>
        <source>Unix socket: each line may be several clients.</source>
        <translation>Unix 套接字：每行可能是多个客户端。</translation>
    </message>
    <message>
        <source>The search ended early, at its limit of commands.</source>
        <translation>查找已达命令上限，提前结束。</translation>
    </message>
    <message>
        <source>reading all commands for %1; costly for a busy server (Ctrl-C stops)</source>
        <translation>读取所有命令 %1；服务器繁忙时开销很大（Ctrl-C 停止）</translation>
    </message>
    <message>
        <source>Usage: %1</source>
        <translation>用法：%1</translation>
    </message>
    <message>
        <source>Other options: lockscope-cli --help</source>
        <translation>其他选项：lockscope-cli --help</translation>
    </message>
    <message>
        <source>Passwords from the environment: %1</source>
        <translation>密码取自环境变量：%1</translation>
    </message>
    <message>
        <source>Exit status: 0 done; 1 rejected by the lock&apos;s state; 2 wrong usage; 3 server not reached,
permission refused or outcome unknown; 4 read-only; 5 result not written</source>
        <translation>退出状态：0 完成；1 锁状态不符；2 用法错误；3 服务器无法连接、
权限不足或结果未知；4 只读模式；5 结果未写入</translation>
    </message>
    <message>
        <source>The verb is missing. See --help.</source>
        <translation>缺少命令。参见 --help。</translation>
    </message>
    <message>
        <source>Too many arguments for %1. Quote values with spaces.</source>
        <translation>%1 的参数太多。含空格的值请加引号。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is given twice.</source>
        <translation>“%1”重复。</translation>
    </message>
    <message>
        <source>%1 does not take &apos;%2&apos;. See --help.</source>
        <translation>%1 不接受“%2”。参见 --help。</translation>
    </message>
    <message>
        <source>With --base64, KEY and owners must be base64.</source>
        <translation>使用 --base64 时，KEY 和持有者必须是 base64。</translation>
    </message>
    <message>
        <source>The user needs a password: --askpass, REDISCLI_AUTH, or -a &apos;&apos; for none.</source>
        <translation>该用户需要密码：--askpass、REDISCLI_AUTH，或 -a &apos;&apos;（无密码）。</translation>
    </message>
    <message>
        <source>%1 takes at most 30 seconds.</source>
        <translation>%1 最多 30 秒。</translation>
    </message>
    <message>
        <source>%1 takes UTF-8, other bytes as \xNN after key= or owner=.</source>
        <translation>%1 接受 UTF-8；其他字节在 key= 或 owner= 后写作 \xNN。</translation>
    </message>
    <message>
        <source>--expect-holds must follow its --expect-owner.</source>
        <translation>--expect-holds 必须跟在对应的 --expect-owner 之后。</translation>
    </message>
    <message>
        <source>key pattern; repeatable (lock:*, lock_*, *:lock, families&apos; usual names)</source>
        <translation>键模式；可重复（lock:*、lock_*、*:lock、各锁类型的常用键名）</translation>
    </message>
    <message>
        <source>filter, as in &apos;state:held owner:web-*&apos;</source>
        <translation>筛选条件，例如 &apos;state:held owner:web-*&apos;</translation>
    </message>
    <message>
        <source>first N locks by key</source>
        <translation>按键排序的前 N 个锁</translation>
    </message>
    <message>
        <source>use a temporary server with a simulation</source>
        <translation>使用带模拟的临时服务器</translation>
    </message>
    <message>
        <source>safety of actions</source>
        <translation>操作的安全级别</translation>
    </message>
    <message>
        <source>lock to select</source>
        <translation>要选中的锁</translation>
    </message>
    <message>
        <source>repeat the key, for actions in production</source>
        <translation>重复键名，生产环境的操作需要</translation>
    </message>
    <message>
        <source>print the version</source>
        <translation>显示版本</translation>
    </message>
    <message>
        <source>print help; for a verb: lockscope-cli VERB --help</source>
        <translation>显示帮助；单个命令的帮助：lockscope-cli VERB --help</translation>
    </message>
    <message>
        <source>KEY and owners are base64</source>
        <translation>KEY 和持有者为 base64</translation>
    </message>
    <message>
        <source>%1 takes seconds, at least 0.001.</source>
        <translation>%1 接受秒数，至少 0.001。</translation>
    </message>
    <message>
        <source>maximum wait for the lock (0)</source>
        <translation>等待锁的最长时间（0）</translation>
    </message>
    <message>
        <source>expected hold count of the owner before it</source>
        <translation>前一个持有者的预期重入次数</translation>
    </message>
    <message>
        <source>dead waiter</source>
        <translation>失效等待者</translation>
    </message>
    <message>
        <source>grace period (0)</source>
        <translation>宽限期（0）</translation>
    </message>
    <message>
        <source>explain state and effects of force-expire</source>
        <translation>说明状态和强制过期的影响</translation>
    </message>
    <message>
        <source>include permissions for who (CLIENT LIST, MONITOR)</source>
        <translation>包括 who 所需的权限（CLIENT LIST、MONITOR）</translation>
    </message>
    <message>
        <source>list all locks</source>
        <translation>列出所有锁</translation>
    </message>
    <message>
        <source>acquire a lock</source>
        <translation>获取锁</translation>
    </message>
    <message>
        <source>set a new lease</source>
        <translation>设置新租约</translation>
    </message>
    <message>
        <source>expire a lock if owner and hold count match</source>
        <translation>持有者和重入次数相符时使锁过期</translation>
    </message>
    <message>
        <source>wake the head of an orphaned queue</source>
        <translation>唤醒孤立队列的队首</translation>
    </message>
    <message>
        <source>print events live; quick changes may be missed</source>
        <translation>实时打印事件；可能遗漏快速变化</translation>
    </message>
    <message>
        <source>report broken rules until stopped</source>
        <translation>持续报告违反规则的情况</translation>
    </message>
    <message>
        <source>scan once for broken rules (exit status 1; 3: incomplete)</source>
        <translation>扫描一次，检查是否违反规则（违反：退出状态 1；不完整：3）</translation>
    </message>
    <message>
        <source>serve metrics for Prometheus, without login</source>
        <translation>为 Prometheus 提供指标，无需登录</translation>
    </message>
    <message>
        <source>record changes to a file</source>
        <translation>把变化录制到文件</translation>
    </message>
    <message>
        <source>print a recording&apos;s events, or locks at one moment</source>
        <translation>输出录制的事件，或某一时刻的锁</translation>
    </message>
    <message>
        <source>find locks by content; reads every key</source>
        <translation>按内容查找锁；读取每个键</translation>
    </message>
    <message>
        <source>find clients of a lock (MONITOR, costly)</source>
        <translation>查找锁的客户端（MONITOR，开销大）</translation>
    </message>
    <message>
        <source>check the audit log&apos;s hash chain</source>
        <translation>检查审计日志的哈希链</translation>
    </message>
    <message>
        <source>print ACL SETUSER with the permissions needed</source>
        <translation>输出带所需权限的 ACL SETUSER</translation>
    </message>
    <message>
        <source>list missing permissions</source>
        <translation>列出缺少的权限</translation>
    </message>
    <message>
        <source>simulate contention and faults on a private server</source>
        <translation>在私有服务器上模拟竞争和故障</translation>
    </message>
    <message>
        <source>list known families</source>
        <translation>列出已知的锁类型</translation>
    </message>
    <message>
        <source>show a family</source>
        <translation>显示一个锁类型</translation>
    </message>
    <message>
        <source>check your family files</source>
        <translation>检查自定义锁类型文件</translation>
    </message>
    <message>
        <source>try a family file on a server</source>
        <translation>在服务器上试用锁类型文件</translation>
    </message>
    <message>
        <source>draft a family file from a key</source>
        <translation>根据键起草锁类型文件</translation>
    </message>
    <message>
        <source>%1 takes %2, as in %3.</source>
        <translation>%1 接受 %2，例如 %3。</translation>
    </message>
    <message>
        <source>%1 needs %2.</source>
        <translation>%1 需要 %2。</translation>
    </message>
    <message>
        <source>Give either %1 or %2.</source>
        <translation>%1 和 %2 只能选一个。</translation>
    </message>
    <message>
        <source>%1 takes seconds: 0, or at least 0.001.</source>
        <translation>%1 接受秒数：0，或至少 0.001。</translation>
    </message>
    <message>
        <source>show a recording</source>
        <translation>显示录制</translation>
    </message>
    <message>
        <source>size limit; the oldest part is deleted (1000)</source>
        <translation>大小上限；最旧的部分会被删除（1000）</translation>
    </message>
    <message>
        <source>hash keys, owners and hosts</source>
        <translation>对键、持有者和主机取哈希</translation>
    </message>
    <message>
        <source>list the locks at this time, as in 03:12 or 2026-01-31T03:12:00[Z]</source>
        <translation>列出该时刻的锁，例如 03:12 或 2026-01-31T03:12:00[Z]</translation>
    </message>
    <message>
        <source>first event time</source>
        <translation>第一个事件的时间</translation>
    </message>
    <message>
        <source>last event time</source>
        <translation>最后一个事件的时间</translation>
    </message>
    <message>
        <source>print time range, event count and gaps</source>
        <translation>输出时间范围、事件数和缺口</translation>
    </message>
    <message>
        <source>--replay needs no server. Remove --record, --demo and the server options.</source>
        <translation>--replay 不需要服务器。请去掉 --record、--demo 和服务器选项。</translation>
    </message>
    <message>
        <source>--record takes one server. Give one --connect.</source>
        <translation>--record 只接受一台服务器。请只指定一个 --connect。</translation>
    </message>
    <message>
        <source>%1 takes a whole number from %2 to %3, or 0 for none.</source>
        <translation>%1 接受 %2 到 %3 的整数，0 表示无。</translation>
    </message>
    <message>
        <source>rule: no lock without expiry, of any family</source>
        <translation>规则：任何类型的锁都有过期时间</translation>
    </message>
    <message>
        <source>allow locks without expiry of an ambiguous family</source>
        <translation>允许锁类型不确定的锁没有过期时间</translation>
    </message>
    <message>
        <source>shell command that reads alerts as JSON lines</source>
        <translation>读取告警（JSON 行）的 shell 命令</translation>
    </message>
    <message>
        <source>post alerts as JSON to this address</source>
        <translation>把告警以 JSON 发送到此地址</translation>
    </message>
    <message>
        <source>state file of --max-held</source>
        <translation>--max-held 的状态文件</translation>
    </message>
    <message>
        <source>-h takes a host; -p is for a port, -s a socket, -u a URI.</source>
        <translation>-h 为主机；端口用 -p，套接字用 -s，URI 用 -u。</translation>
    </message>
    <message>
        <source>-u takes UTF-8. Percent-encode other bytes.</source>
        <translation>-u 接受 UTF-8。其他字节请用百分号编码。</translation>
    </message>
    <message>
        <source>host name or IP address (localhost)</source>
        <translation>主机名或 IP 地址（localhost）</translation>
    </message>
    <message>
        <source>port (6379)</source>
        <translation>端口（6379）</translation>
    </message>
    <message>
        <source>Unix socket</source>
        <translation>Unix 套接字</translation>
    </message>
    <message>
        <source>database (0)</source>
        <translation>数据库（0）</translation>
    </message>
    <message>
        <source>redis://[[user]:password@]host[:port][/db], rediss://, unix://; overridden by other options</source>
        <translation>redis://[[user]:password@]host[:port][/db]、rediss://、unix://；其他选项优先</translation>
    </message>
    <message>
        <source>server stored in the window; lockscope: repeatable</source>
        <translation>窗口中保存的服务器；lockscope：可重复</translation>
    </message>
    <message>
        <source>user</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>password, readable by other users</source>
        <translation>密码，其他用户可读取</translation>
    </message>
    <message>
        <source>trusted certificates, PEM (the system&apos;s)</source>
        <translation>受信任的证书，PEM（系统证书）</translation>
    </message>
    <message>
        <source>directory of trusted certificates, PEM</source>
        <translation>受信任证书的目录，PEM</translation>
    </message>
    <message>
        <source>client certificate, PEM</source>
        <translation>客户端证书，PEM</translation>
    </message>
    <message>
        <source>private key, PEM</source>
        <translation>私钥，PEM</translation>
    </message>
    <message>
        <source>prompt for the key&apos;s passphrase</source>
        <translation>提示输入密钥口令</translation>
    </message>
    <message>
        <source>name in the server certificate (the host)</source>
        <translation>服务器证书中的名称（主机）</translation>
    </message>
    <message>
        <source>trust only the certificate with this fingerprint; repeatable</source>
        <translation>只信任此指纹的证书；可重复</translation>
    </message>
    <message>
        <source>%1 takes 64 hexadecimal digits.</source>
        <translation>%1 接受 64 位十六进制数字。</translation>
    </message>
    <message>
        <source>follow a cluster (also detected without -c)</source>
        <translation>跟随集群（不带 -c 也会识别）</translation>
    </message>
    <message>
        <source>connect to B for the announced address A; repeatable</source>
        <translation>对公布的地址 A 改为连接 B；可重复</translation>
    </message>
    <message>
        <source>connect through an ssh tunnel</source>
        <translation>通过 ssh 隧道连接</translation>
    </message>
    <message>
        <source>Sentinels, HOST:PORT</source>
        <translation>哨兵，HOST:PORT</translation>
    </message>
    <message>
        <source>primary watched by the Sentinels</source>
        <translation>哨兵监视的主节点</translation>
    </message>
    <message>
        <source>user at the Sentinels</source>
        <translation>哨兵的用户</translation>
    </message>
    <message>
        <source>prompt for the Sentinels&apos; password</source>
        <translation>提示输入哨兵的密码</translation>
    </message>
    <message>
        <source>independent primaries of a Redlock group, HOST:PORT</source>
        <translation>Redlock 组的独立主节点，HOST:PORT</translation>
    </message>
    <message>
        <source>read from a replica named by the Sentinels</source>
        <translation>从哨兵给出的副本读取</translation>
    </message>
    <message>
        <source>The scenario %1 sets %2 itself.</source>
        <translation>场景 %1 自行设置 %2。</translation>
    </message>
    <message>
        <source>preset with an expectation</source>
        <translation>带预期的预设</translation>
    </message>
    <message>
        <source>more families (*.toml files)</source>
        <translation>更多锁类型（*.toml 文件）</translation>
    </message>
    <message>
        <source>lease time</source>
        <translation>租约时长</translation>
    </message>
    <message>
        <source>family</source>
        <translation>锁类型</translation>
    </message>
    <message>
        <source>include hidden keys</source>
        <translation>包括隐藏的键</translation>
    </message>
    <message>
        <source>expire only these owners, such as one reader</source>
        <translation>只使这些持有者过期，例如某个读者</translation>
    </message>
    <message>
        <source>duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>load budget, of one server core</source>
        <translation>负载预算，占服务器一个核心的百分比</translation>
    </message>
    <message>
        <source>address of /metrics; :PORT for all addresses</source>
        <translation>/metrics 的地址；所有地址用 :PORT</translation>
    </message>
    <message>
        <source>server version; for Redis 7.4: 8</source>
        <translation>服务器版本；Redis 7.4 用 8</translation>
    </message>
    <message>
        <source>KEY is base64</source>
        <translation>KEY 为 base64</translation>
    </message>
    <message>
        <source>release all levels</source>
        <translation>释放所有层</translation>
    </message>
    <message>
        <source>longest hold of one owner, across checks</source>
        <translation>单个持有者的最长持有时间（跨多次检查）</translation>
    </message>
    <message>
        <source>rule: no problem, deadlock or dead waiter (default)</source>
        <translation>规则：无问题、死锁或失效等待者（默认）</translation>
    </message>
    <message>
        <source>%1, lock-like names, and known families&apos; names</source>
        <translation>%1、类似锁的键名、已知锁类型的键名</translation>
    </message>
    <message>
        <source>an unknown number of keys</source>
        <comment>Scanned %1 in %2.</comment>
        <translation>数量未知的键</translation>
    </message>
    <message>
        <source>Scanned %1 in %2.</source>
        <translation>扫描了 %1，用时 %2。</translation>
    </message>
    <message>
        <source>%1 (%2 with problems). %3</source>
        <translation>%1（%2 个有问题）。%3</translation>
    </message>
    <message>
        <source>No locks at %1 match the filter (other locks: %2). %3</source>
        <translation>%1 上没有符合筛选条件的锁（其他锁：%2）。%3</translation>
    </message>
    <message>
        <source>No locks could be read at %1. Unreadable keys: %2. %3</source>
        <translation>未能从 %1 读取任何锁。无法读取的键：%2。%3</translation>
    </message>
    <message>
        <source>No locks known at %1. Unreadable companion keys: %2. %3</source>
        <translation>%1 上没有已知的锁。无法读取的附属键：%2。%3</translation>
    </message>
    <message>
        <source>No locks at %1. %2</source>
        <translation>%1 上没有锁。%2</translation>
    </message>
    <message>
        <source>Show with %1.</source>
        <translation>用 %1 显示。</translation>
    </message>
    <message>
        <source>No simulation on %1 (%2). Remove the server options to use a private server.</source>
        <translation>不在 %1 上模拟（%2）。去掉服务器选项即可使用私有服务器。</translation>
    </message>
    <message>
        <source>WAITED</source>
        <comment>column of a table</comment>
        <translation>等待</translation>
    </message>
    <message>
        <source>EPISODES</source>
        <comment>column of a table</comment>
        <translation>段数</translation>
    </message>
    <message>
        <source>LOCK</source>
        <comment>column of a table</comment>
        <translation>锁</translation>
    </message>
    <message>
        <source>BLOCKED BY</source>
        <comment>column of a table</comment>
        <translation>阻塞者</translation>
    </message>
    <message>
        <source>FOR</source>
        <comment>column of a table</comment>
        <translation>时长</translation>
    </message>
    <message>
        <source>WAITERS</source>
        <comment>column of a table</comment>
        <translation>等待者</translation>
    </message>
    <message numerus="yes">
        <source>and %n more (--json prints all)</source>
        <translation>
            <numerusform>另有 %n 行（--json 输出全部）</numerusform>
        </translation>
    </message>
    <message>
        <source>Can deadlock:</source>
        <translation>可能死锁：</translation>
    </message>
    <message>
        <source>Can deadlock if more threads do it:</source>
        <translation>若有更多线程这样做，可能死锁：</translation>
    </message>
    <message>
        <source>Harmless, within outer locks:</source>
        <translation>无害，在外层锁之内：</translation>
    </message>
    <message>
        <source>Harmless, within %1:</source>
        <translation>无害，在 %1 之内：</translation>
    </message>
    <message numerus="yes">
        <source>%1 → %2, %n time(s); at %3 by %4</source>
        <comment>outer and inner lock</comment>
        <translation>
            <numerusform>%1 → %2，%n 次；%3，%4</numerusform>
        </translation>
    </message>
    <message>
        <source>Orders of two locks: %1; contradictions: %2, can deadlock: %3</source>
        <translation>两锁顺序：%1；相互矛盾：%2，可能死锁：%3</translation>
    </message>
    <message>
        <source>print who made others wait, and how long</source>
        <translation>输出谁让谁等待，等待多久</translation>
    </message>
    <message>
        <source>print locks acquired in contradicting orders</source>
        <translation>输出以相互矛盾的顺序获取的锁</translation>
    </message>
    <message>
        <source>FROM</source>
        <comment>column of a table, a time</comment>
        <translation>开始</translation>
    </message>
    <message>
        <source>Perhaps contradicting; both locks were seen together for %1 only:</source>
        <translation>可能相互矛盾；两个锁仅同时出现 %1：</translation>
    </message>
    <message numerus="yes">
        <source>Owners of %n lock(s) name no thread: their orders are unknown.</source>
        <translation>
            <numerusform>有 %n 个锁的持有者未标明线程：其顺序未知。</numerusform>
        </translation>
    </message>
    <message>
        <source>rank the blame by</source>
        <translation>阻塞统计的排序依据</translation>
    </message>
    <message>
        <source>Give one of --info, --at, --blame and --order. --from and --to go alone, or with --blame or --order.</source>
        <translation>只能给出 --info、--at、--blame、--order 之一。--from 和 --to 可单独使用，或与 --blame、--order 合用。</translation>
    </message>
    <message>
        <source>no usable heartbeat: not kept, unreadable, or its time makes no sense</source>
        <translation>没有可用的心跳：未保存、无法读取，或时间不合理</translation>
    </message>
    <message>
        <source>changed between two readings</source>
        <translation>两次读取之间有变化</translation>
    </message>
    <message>
        <source>the holder&apos;s record is missing; an old client version looks the same</source>
        <translation>缺少持有者的记录；旧版客户端也会如此</translation>
    </message>
    <message>
        <source>the hold count differs from the holders&apos; counts</source>
        <translation>重入次数与各持有者的次数不符</translation>
    </message>
    <message>
        <source>others may hold the lock too, and one hold cannot end alone</source>
        <translation>可能还有其他持有者，且无法单独结束其中一个</translation>
    </message>
    <message>
        <source>the server may have evicted the heartbeat</source>
        <translation>心跳可能已被服务器淘汰</translation>
    </message>
    <message>
        <source>heartbeats on a replica may be late</source>
        <translation>副本上的心跳可能滞后</translation>
    </message>
    <message>
        <source>Nothing was sent: read-only.</source>
        <translation>未发送任何命令：只读模式。</translation>
    </message>
    <message>
        <source>Nothing was sent: production actions need --confirm %1.</source>
        <translation>未发送任何命令：在生产环境中操作需要 --confirm %1。</translation>
    </message>
    <message>
        <source>Orphans of Redlock groups are not supported.</source>
        <translation>不支持查找 Redlock 组的孤立锁。</translation>
    </message>
    <message>
        <source>reading %1 again in %2</source>
        <comment>locks, a time</comment>
        <translation>%2 后再次读取 %1</translation>
    </message>
    <message>
        <source>%1 of %2 ended</source>
        <comment>locks</comment>
        <translation>已处理 %1 / %2</translation>
    </message>
    <message>
        <source>expired at %1</source>
        <translation>于 %1 过期</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>heartbeat of %1 in %2: %3; unchanged for at least %4, intervals: %5</source>
        <translation>%1 的心跳（%2）：%3；至少 %4 未变化，间隔数：%5</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>未发送</translation>
    </message>
    <message>
        <source>Other owners keep the lock.</source>
        <translation>其他持有者继续持有此锁。</translation>
    </message>
    <message>
        <source>Orphans: %1. Likely: %2. Unknown: %3. Alive: %4.</source>
        <translation>孤立锁：%1。很可能：%2。未知：%3。存活：%4。</translation>
    </message>
    <message>
        <source>force-expire the proven orphans one by one</source>
        <translation>逐个强制过期已证实的孤立锁</translation>
    </message>
    <message>
        <source>only this family&apos;s heartbeats</source>
        <translation>仅检查此锁类型的心跳</translation>
    </message>
    <message>
        <source>with --end: locks per minute</source>
        <translation>与 --end 合用：每分钟处理的锁数</translation>
    </message>
    <message>
        <source>repeat the server&apos;s name, for --end in production</source>
        <translation>重复服务器名称，用于生产环境中的 --end</translation>
    </message>
    <message>
        <source>list locks of gone holders (exit status 1; 3: not all known)</source>
        <translation>列出持有者已消失的锁（退出码 1；3：部分未知）</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>Locks: %1, violated: %2, undecided: %3; events: %4</source>
        <translation>锁：%1，违反：%2，无法判定：%3；事件：%4</translation>
    </message>
    <message>
        <source>TIME</source>
        <comment>column of a table</comment>
        <translation>时间</translation>
    </message>
    <message>
        <source>LINE</source>
        <comment>column of a table</comment>
        <translation>行</translation>
    </message>
    <message>
        <source>PROCESS</source>
        <comment>column of a table</comment>
        <translation>进程</translation>
    </message>
    <message>
        <source>OPERATION</source>
        <comment>column of a table</comment>
        <translation>操作</translation>
    </message>
    <message>
        <source>TOKEN</source>
        <comment>column of a table</comment>
        <translation>令牌</translation>
    </message>
    <message>
        <source>print the events that show a violation</source>
        <translation>打印证明违反的事件</translation>
    </message>
    <message>
        <source>check a history of operations, or a recording (exit status 1: violated, 3: undecided)</source>
        <translation>检查操作历史或录制文件（退出状态 1：违反，3：无法判定）</translation>
    </message>
    <message>
        <source>write the operations to a file, for verify</source>
        <translation>将操作写入文件，供 verify 检查</translation>
    </message>
    <message>
        <source>Locks then: lockscope-cli replay %1 --at %2</source>
        <translation>当时的锁：lockscope-cli replay %1 --at %2</translation>
    </message>
    <message>
        <source>estimate polling clients for a named user, too (CLIENT LIST)</source>
        <translation>以具名用户登录时也估算轮询客户端数（CLIENT LIST）</translation>
    </message>
    <message>
        <source>No lock matches --pattern.</source>
        <translation>没有锁符合 --pattern。</translation>
    </message>
    <message>
        <source>the server may have refused heartbeats</source>
        <translation>服务器可能已拒绝心跳写入</translation>
    </message>
    <message>
        <source>Examples:</source>
        <translation>示例：</translation>
    </message>
    <message>
        <source>Unknown verb &apos;%1&apos;. Did you mean &apos;%2&apos;?</source>
        <translation>未知动词“%1”。是否想输入“%2”？</translation>
    </message>
    <message>
        <source>no window: no display (DISPLAY, WAYLAND_DISPLAY), or no Qt platform plugin. In a terminal: lockscope-cli top</source>
        <translation>无法打开窗口：没有显示（DISPLAY、WAYLAND_DISPLAY）或缺少 Qt 平台插件。在终端中使用：lockscope-cli top</translation>
    </message>
    <message>
        <source>rules for locks</source>
        <translation>针对锁的规则</translation>
    </message>
    <message>
        <source>check whether the server is fit for locks (INFO), no locks</source>
        <translation>检查服务器是否适合存放锁（INFO），不检查锁</translation>
    </message>
    <message>
        <source>connect through a proxy: http://HOST:PORT (CONNECT) or socks5://HOST:PORT</source>
        <translation>通过代理连接：http://HOST:PORT（CONNECT）或 socks5://HOST:PORT</translation>
    </message>
    <message>
        <source>top cannot use this terminal (TERM=%1). Use list or watch.</source>
        <translation>top 无法使用此终端（TERM=%1）。请改用 list 或 watch。</translation>
    </message>
    <message>
        <source>top needs a terminal. Use list or watch.</source>
        <translation>top 需要终端。请改用 list 或 watch。</translation>
    </message>
    <message>
        <source>interrupted before the reply: check the lock with get before retrying</source>
        <translation>在收到应答前中断：重试前先用 get 检查该锁</translation>
    </message>
    <message>
        <source>Read-only mode: no actions.</source>
        <translation>只读模式：不能执行操作。</translation>
    </message>
    <message>
        <source>demo server</source>
        <translation>演示服务器</translation>
    </message>
    <message>
        <source>read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>ops/s: %1</source>
        <comment>of a server</comment>
        <translation>每秒命令数：%1</translation>
    </message>
    <message>
        <source>reading locks: %1%</source>
        <translation>正在读取锁：%1%</translation>
    </message>
    <message>
        <source>data &lt; %1 s old</source>
        <translation>数据距今 &lt; %1 秒</translation>
    </message>
    <message>
        <source>data %1 old</source>
        <translation>数据距今 %1</translation>
    </message>
    <message>
        <source>PAUSED %1, changed: %2</source>
        <comment>a time, a number of locks</comment>
        <translation>已暂停 %1，变化：%2</translation>
    </message>
    <message>
        <source>This is a recording: no actions.</source>
        <translation>这是录制文件：不能执行操作。</translation>
    </message>
    <message>
        <source>Recording: %1</source>
        <translation>录制：%1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>times from the begin of a recording</comment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>anonymous</source>
        <translation>已匿名</translation>
    </message>
    <message>
        <source>with --replay: begin at this time</source>
        <translation>配合 --replay：从此时间开始</translation>
    </message>
    <message>
        <source>show locks live in the terminal, the worst first; inspect and force-expire</source>
        <translation>在终端实时显示锁，问题最严重的在前；可查看详情、强制过期</translation>
    </message>
    <message>
        <source>The owner or hold count has changed</source>
        <translation>持有者或重入次数已改变</translation>
    </message>
    <message>
        <source>%1, owner %2</source>
        <comment>a lock</comment>
        <translation>%1，持有者 %2</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message numerus="yes">
        <source>Force-expire %n lock(s)</source>
        <translation>
            <numerusform>强制过期 %n 个锁</numerusform>
        </translation>
    </message>
    <message>
        <source>Force-expire a lock</source>
        <translation>强制锁过期</translation>
    </message>
    <message>
        <source>%1 of %2 done. Esc: send no more</source>
        <comment>locks</comment>
        <translation>已完成 %1 / %2。Esc：不再发送</translation>
    </message>
    <message>
        <source>Type %1 and press Enter; Esc cancels</source>
        <translation>输入 %1 并按 Enter；Esc 取消</translation>
    </message>
    <message>
        <source>Not %1</source>
        <comment>a typed word is another</comment>
        <translation>不是 %1</translation>
    </message>
    <message>
        <source>Latest events:</source>
        <translation>最近的事件：</translation>
    </message>
    <message>
        <source>Deadlock: these owners wait for each other</source>
        <translation>死锁：以下持有者互相等待</translation>
    </message>
    <message>
        <source>No waiters are known. Polling clients leave no trace.</source>
        <translation>没有已知的等待者。轮询的客户端不留痕迹。</translation>
    </message>
    <message>
        <source>Further waits are left out.</source>
        <translation>其余等待未列出。</translation>
    </message>
    <message>
        <source>waiting: %1</source>
        <translation>等待者：%1</translation>
    </message>
    <message>
        <source>back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>previous or next change</source>
        <translation>上一个或下一个变化</translation>
    </message>
    <message>
        <source>inspect</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>inspect a lock: state, evidence, effects of force-expire</source>
        <translation>查看锁的详情：状态、依据、强制过期的影响</translation>
    </message>
    <message>
        <source>filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>filter, as in state:stalled owner:web-* -key:test held&gt;5m</source>
        <translation>筛选，例如 state:stalled owner:web-* -key:test held&gt;5m</translation>
    </message>
    <message>
        <source>force-expire</source>
        <translation>强制过期</translation>
    </message>
    <message>
        <source>force-expire the tagged locks, or the one at the cursor</source>
        <translation>强制过期已标记的锁，或光标处的锁</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>lock waits: who waits for whom</source>
        <translation>锁等待：谁在等待谁</translation>
    </message>
    <message>
        <source>help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>tag</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>tag a lock</source>
        <translation>标记锁</translation>
    </message>
    <message>
        <source>sort</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>sort by the next column; S: by the previous one</source>
        <translation>按下一列排序；S：按上一列</translation>
    </message>
    <message>
        <source>reverse the order</source>
        <translation>反转顺序</translation>
    </message>
    <message>
        <source>pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>pause the display; watching goes on</source>
        <translation>暂停显示；监视继续</translation>
    </message>
    <message>
        <source>move; the cursor stays with its lock</source>
        <translation>移动；光标跟随所在的锁</translation>
    </message>
    <message>
        <source>move by a page</source>
        <translation>翻页</translation>
    </message>
    <message>
        <source>a fiftieth of the recording back or forward</source>
        <translation>后退或前进录制时长的五十分之一</translation>
    </message>
    <message>
        <source>follow the worst lock again</source>
        <translation>重新停在问题最严重的锁上</translation>
    </message>
    <message>
        <source>last lock</source>
        <translation>最后一个锁</translation>
    </message>
    <message>
        <source>remove all tags; dismiss a notice</source>
        <translation>清除所有标记；关闭提示</translation>
    </message>
    <message>
        <source>scan again, or reconnect now</source>
        <translation>重新扫描，或立即重连</translation>
    </message>
    <message>
        <source>redraw the screen</source>
        <translation>重绘屏幕</translation>
    </message>
    <message>
        <source>scroll</source>
        <translation>滚动</translation>
    </message>
    <message>
        <source>The worst damage stands first: deadlocks, blocked waiters, invalid values, locks without expiry, unusually long holds, other problems.</source>
        <translation>按危害排序：死锁、被阻塞的等待者、无效的值、无过期时间的锁、持有异常久的锁、其他问题。</translation>
    </message>
    <message>
        <source>≥ at least, ≤ at most: not all was seen.</source>
        <translation>≥ 至少，≤ 至多：并未观察到全过程。</translation>
    </message>
    <message>
        <source>locks: %1</source>
        <translation>锁：%1</translation>
    </message>
    <message>
        <source>shown: %1</source>
        <translation>显示：%1</translation>
    </message>
    <message>
        <source>filter: %1</source>
        <translation>筛选：%1</translation>
    </message>
    <message>
        <source>problems: %1</source>
        <translation>问题：%1</translation>
    </message>
    <message>
        <source>tagged: %1</source>
        <translation>已标记：%1</translation>
    </message>
    <message>
        <source>with waiters: %1</source>
        <translation>有等待者：%1</translation>
    </message>
    <message>
        <source>No lock matches the filter. Press / to change it.</source>
        <translation>没有锁符合筛选条件。按 / 修改。</translation>
    </message>
    <message>
        <source>No locks.</source>
        <translation>没有锁。</translation>
    </message>
    <message>
        <source>model to check against</source>
        <translation>用于检查的模型</translation>
    </message>
    <message>
        <source>other users can read the password after %1: use %2</source>
        <translation>其他用户可以读取 %1 后面的密码：请使用 %2</translation>
    </message>
    <message>
        <source>A lock that has changed is not force-expired. Press Esc and check it again.</source>
        <translation>已改变的锁不会被强制过期。请按 Esc 并重新检查。</translation>
    </message>
    <message>
        <source>Done. Esc: back</source>
        <translation>已完成。Esc：返回</translation>
    </message>
    <message>
        <source>The tagged lock is gone</source>
        <translation>已标记的锁已不存在</translation>
    </message>
    <message>
        <source>No lock is chosen.</source>
        <translation>未选择锁。</translation>
    </message>
    <message>
        <source>The key is too long to be shown and typed. Use force-expire with --confirm.</source>
        <translation>键过长，无法显示和输入。请使用 force-expire 并加 --confirm。</translation>
    </message>
    <message>
        <source>program, without a shell, that prints the password; run again before it ends</source>
        <translation>输出密码的程序（不经 shell）；密码到期前再次运行</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>探测</translation>
    </message>
    <message>
        <source>ask COMMAND whether the holder is alive, as in &apos;ssh {host} kill -0 {process}&apos;</source>
        <translation>用 COMMAND 询问持有者进程是否存活，如 &apos;ssh {host} kill -0 {process}&apos;</translation>
    </message>
</context>
<context>
    <name>phrases</name>
    <message>
        <source>redis-server does not start: %1</source>
        <translation>redis-server 无法启动：%1</translation>
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
        <source>Locks of the family %1 have no wait queue.</source>
        <translation>锁类型为 %1 的锁没有等待队列。</translation>
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
        <source>the line is not a record</source>
        <translation>该行不是记录</translation>
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
        <source>the limit of %1 locks is reached</source>
        <translation>已达 %1 个锁的上限</translation>
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
        <source>no complete reply within %1 ms</source>
        <translation>%1 毫秒内未收到完整应答</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>The server refused the login. It said: “%1”</source>
        <translation>服务器拒绝了登录，返回：“%1”</translation>
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
        <source>a line is longer than %1 bytes</source>
        <translation>一行超过 %1 字节</translation>
    </message>
    <message>
        <source>a line does not end with CR LF</source>
        <translation>有一行未以 CR LF 结尾</translation>
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
        <source>Before &apos;@&apos; write user:password, or :password for the default user.</source>
        <translation>“@”之前请写 user:password，默认用户请写 :password。</translation>
    </message>
    <message>
        <source>The port is a number from 1 to 65535.</source>
        <translation>端口为 1 至 65535 的数字。</translation>
    </message>
    <message>
        <source>To log in, write redis://user:password@host:6379.</source>
        <translation>若要登录，请写作 redis://user:password@host:6379。</translation>
    </message>
    <message>
        <source>the server closed the connection</source>
        <translation>服务器关闭了连接</translation>
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
        <source>The name of a run takes letters, digits and &apos;-&apos;, %1 at most.</source>
        <translation>运行的名称由字母、数字和“-”组成，最多 %1 个字符。</translation>
    </message>
    <message>
        <source>Give each lock a key of its own.</source>
        <translation>请为每个锁各指定一个键。</translation>
    </message>
    <message>
        <source>wait p99</source>
        <translation>等待时间 P99</translation>
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
        <source>at most 1.10</source>
        <translation>至多 1.10</translation>
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
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>after %1 to %2</source>
        <translation>%1 至 %2 后</translation>
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
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
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
        <source>could not subscribe</source>
        <translation>无法订阅</translation>
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
        <source>Laravel cache lock</source>
        <translation>Laravel 缓存锁</translation>
    </message>
    <message>
        <source>DistributedLock.Redis lock</source>
        <translation>DistributedLock.Redis 锁</translation>
    </message>
    <message>
        <source>python-redis-lock lock</source>
        <translation>python-redis-lock 锁</translation>
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
        <source>Redisson fair lock</source>
        <translation>Redisson 公平锁</translation>
    </message>
    <message>
        <source>Redisson fenced lock</source>
        <translation>Redisson 防护锁</translation>
    </message>
    <message>
        <source>Redisson count-down latch</source>
        <translation>Redisson 闭锁（CountDownLatch）</translation>
    </message>
    <message>
        <source>Redisson lock of several values</source>
        <translation>Redisson 多值锁</translation>
    </message>
    <message>
        <source>Redisson read-write lock</source>
        <translation>Redisson 读写锁</translation>
    </message>
    <message>
        <source>Redisson semaphore</source>
        <translation>Redisson 信号量</translation>
    </message>
    <message>
        <source>The permit&apos;s holder is not notified and may still be working. Its release() will fail.</source>
        <translation>不会通知许可的持有者进程，它可能仍在工作。其 release() 会失败。</translation>
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
        <source>sidekiq-unique-jobs lock</source>
        <translation>sidekiq-unique-jobs 锁</translation>
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
        <source>no known kind of lock</source>
        <translation>不是已知的锁类型</translation>
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
        <source>another server has taken over</source>
        <translation>另一个服务器已接管</translation>
    </message>
    <message>
        <source>its address: %1</source>
        <translation>其地址：%1</translation>
    </message>
    <message>
        <source>%1% loaded, about %2 s left</source>
        <translation>已加载 %1%，约剩 %2 秒</translation>
    </message>
    <message>
        <source>With a master name, write only Sentinel hosts, like host1:26379,host2.</source>
        <translation>填写主节点名时，这里只写哨兵主机，如 host1:26379,host2。</translation>
    </message>
    <message>
        <source>the passphrase does not open the key %1</source>
        <translation>口令无法打开私钥 %1</translation>
    </message>
    <message>
        <source>ssh ended without a message</source>
        <translation>ssh 已结束，没有输出信息</translation>
    </message>
    <message>
        <source>no SSH login in time</source>
        <translation>SSH 登录超时</translation>
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
        <source>the lock was released again on %1 servers</source>
        <translation>已在 %1 个服务器上重新释放此锁</translation>
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
        <source>%1 holds nothing that can be read.</source>
        <translation>%1 中没有可读取的内容。</translation>
    </message>
    <message>
        <source>handoff lock</source>
        <translation>直接移交锁</translation>
    </message>
    <message>
        <source>%1 cannot hold that many locks and waiters. Narrow the patterns.</source>
        <translation>%1 容纳不下这么多锁和等待者。请缩小键模式的范围。</translation>
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
        <source>part of an owner ID or process name; * matches any</source>
        <translation>持有者 ID 或进程名的一部分；* 匹配任意</translation>
    </message>
    <message>
        <source>Part of the key, or a pattern with *</source>
        <translation>键的一部分，或含 * 的模式</translation>
    </message>
    <message>
        <source>Expected: a closing quotation mark</source>
        <translation>接下来：右引号</translation>
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
        <source>“%1”: a backslash escapes nothing. Write \\ for it, and \xNN for a byte.</source>
        <translation>“%1”：反斜杠未转义任何字符。请写 \\，字节写 \xNN。</translation>
    </message>
    <message>
        <source>“%1” needs a number, such as waiters&gt;=2.</source>
        <translation>“%1”需要一个数字，例如 waiters&gt;=2。</translation>
    </message>
    <message>
        <source>“%1” needs a time, such as 10s, 500ms, 5m or 2h.</source>
        <translation>“%1”需要一个时间，例如 10s、500ms、5m 或 2h。</translation>
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
        <source>&amp;Connection lost</source>
        <translation>连接中断(&amp;C)</translation>
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
        <source>&amp;Stalled holder with waiters</source>
        <translation>持有者续期停滞且有等待者(&amp;S)</translation>
    </message>
    <message>
        <source>No e&amp;xpiry</source>
        <translation>永不过期(&amp;X)</translation>
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
        <source>Held too long</source>
        <translation>持有时间过长</translation>
    </message>
    <message>
        <source>&amp;Held longer than</source>
        <translation>持有时间超过(&amp;H)</translation>
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
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放方式</translation>
    </message>
    <message>
        <source>Retry by</source>
        <translation>重试方式</translation>
    </message>
    <message>
        <source>Poll interval</source>
        <translation>轮询间隔</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作线程</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Lease</source>
        <translation>租约</translation>
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
        <source>at most</source>
        <translation>最长</translation>
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
        <source>Watchdog</source>
        <translation>看门狗</translation>
    </message>
    <message>
        <source>Crashes</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>Pauses</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Pause length</source>
        <translation>暂停时长</translation>
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
        <source>Watchdog stops</source>
        <translation>看门狗停止</translation>
    </message>
    <message>
        <source>Lost replies</source>
        <translation>应答丢失</translation>
    </message>
    <message>
        <source>Slow release</source>
        <translation>释放缓慢</translation>
    </message>
    <message>
        <source>Long holds</source>
        <translation>长时间持锁</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Lock e&amp;victed</source>
        <translation>锁被驱逐(&amp;V)</translation>
    </message>
    <message>
        <source>The server removed a lock to free memory.</source>
        <translation>服务器为释放内存驱逐了一个锁。</translation>
    </message>
    <message>
        <source>S&amp;talled holder without waiters</source>
        <translation>持有者续期停滞且无等待者(&amp;T)</translation>
    </message>
    <message>
        <source>Several ow&amp;ners</source>
        <translation>多个持有者(&amp;N)</translation>
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
        <source>&amp;Orphaned queue</source>
        <translation>孤立队列(&amp;O)</translation>
    </message>
    <message>
        <source>No expiry, &amp;family ambiguous</source>
        <translation>无过期时间，锁类型不确定(&amp;F)</translation>
    </message>
    <message>
        <source>One winner</source>
        <translation>唯一赢家</translation>
    </message>
    <message>
        <source>Four in sequence</source>
        <translation>四者依次</translation>
    </message>
    <message>
        <source>A client crashes between SETNX and EXPIRE.</source>
        <translation>一个客户端在 SETNX 与 EXPIRE 之间崩溃。</translation>
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
        <source>Foreign release</source>
        <translation>误删他人锁</translation>
    </message>
    <message>
        <source>foreign releases</source>
        <translation>误删他人锁</translation>
    </message>
    <message>
        <source>Paused holder</source>
        <translation>持有者暂停</translation>
    </message>
    <message>
        <source>stale writes accepted</source>
        <translation>过期写入（已接受）</translation>
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
        <source>one crash</source>
        <translation>一次崩溃</translation>
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
        <source>renewed</source>
        <translation>持续续期</translation>
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
        <source>all waiters wake</source>
        <translation>全部唤醒</translation>
    </message>
    <message>
        <source>handoff</source>
        <translation>直接移交</translation>
    </message>
    <message>
        <source>opposite order</source>
        <translation>相反顺序</translation>
    </message>
    <message>
        <source>Fair and unfair</source>
        <translation>公平与不公平</translation>
    </message>
    <message>
        <source>Lost reply</source>
        <translation>应答丢失</translation>
    </message>
    <message>
        <source>leaked locks</source>
        <translation>泄漏的锁</translation>
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
        <source>No expiry. Possibly not a lock.</source>
        <translation>无过期时间。可能不是锁。</translation>
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
        <source>a name of small letters, digits and hyphens: name = &quot;my-lock&quot;</source>
        <translation>由小写字母、数字和连字符组成的名称：name = &quot;my-lock&quot;</translation>
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
        <source>a type: %1</source>
        <translation>类型：%1</translation>
    </message>
    <message>
        <source>a time: iso-time, epoch-ms, epoch-s, uuid1 or hex-uuid1</source>
        <translation>时间：iso-time、epoch-ms、epoch-s、uuid1 或 hex-uuid1</translation>
    </message>
    <message>
        <source>another type than “rest” between brackets</source>
        <translation>方括号中除“rest”以外的类型</translation>
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
        <source>512 bytes at most</source>
        <translation>最多 512 字节</translation>
    </message>
    <message>
        <source>a value</source>
        <translation>一个值</translation>
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
        <source>a part without “{” in it, or “\{” for a literal one</source>
        <translation>其中不含“{”的部分，或用“\{”表示字面字符</translation>
    </message>
    <message>
        <source>such letters in quotes or comments alone</source>
        <translation>此类字符只能出现在引号或注释中</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Check, then delete</source>
        <translation>先检查后删除</translation>
    </message>
    <message>
        <source>Compare and delete</source>
        <translation>比较并删除</translation>
    </message>
    <message>
        <source>Compare and delete; gone is done</source>
        <translation>比较并删除（已消失视为完成）</translation>
    </message>
    <message>
        <source>Watched transaction</source>
        <translation>WATCH 事务</translation>
    </message>
    <message>
        <source>Delete without check</source>
        <translation>不检查直接删除</translation>
    </message>
    <message>
        <source>Poll</source>
        <translation>轮询</translation>
    </message>
    <message>
        <source>Random backoff</source>
        <translation>随机退避</translation>
    </message>
    <message>
        <source>Subscription</source>
        <translation>订阅</translation>
    </message>
    <message>
        <source>Try once</source>
        <translation>只尝试一次</translation>
    </message>
    <message>
        <source>Fair queue with handoff</source>
        <translation>公平队列，直接移交</translation>
    </message>
    <message>
        <source>As in Redisson</source>
        <translation>与 Redisson 相同</translation>
    </message>
    <message>
        <source>Hash with hold count</source>
        <translation>带重入次数的哈希</translation>
    </message>
    <message>
        <source>Token, counted by the client</source>
        <translation>令牌，客户端计数</translation>
    </message>
    <message>
        <source>Token with fencing</source>
        <translation>带防护令牌</translation>
    </message>
    <message>
        <source>Token, by scripts</source>
        <translation>令牌，脚本</translation>
    </message>
    <message>
        <source>Token, SET NX PX</source>
        <translation>令牌，SET NX PX</translation>
    </message>
    <message>
        <source>Token, SETNX then EXPIRE</source>
        <translation>令牌，先 SETNX 后 EXPIRE</translation>
    </message>
    <message>
        <source>Not a recognized lock: no action is possible.</source>
        <translation>不是可识别的锁，无法操作。</translation>
    </message>
    <message>
        <source>This key belongs to a job&apos;s lock; acquiring it would stall the job. Pause the queue instead.</source>
        <translation>此键属于作业的锁，获取它会使作业停滞。请改为暂停队列。</translation>
    </message>
    <message>
        <source>This counter stores no owners; use its own library.</source>
        <translation>此计数器不存储持有者，请使用其自身的库。</translation>
    </message>
    <message>
        <source>Locks of the family %1 can only be force-expired here.</source>
        <translation>锁类型 %1 的锁在此只能强制过期。</translation>
    </message>
    <message>
        <source>production requires typing the lock&apos;s name</source>
        <translation>生产环境要求输入锁的名称</translation>
    </message>
    <message>
        <source>not confirmed</source>
        <translation>未经确认</translation>
    </message>
    <message>
        <source>The answers came after the lease&apos;s end. Give a longer lease.</source>
        <translation>应答晚于租约结束。请给更长的租约。</translation>
    </message>
    <message>
        <source>another owner has the lock on %1 servers; expect that owner, too</source>
        <translation>有 %1 个服务器上的锁属于其他持有者；如需一并过期，请将其列为预期持有者</translation>
    </message>
    <message>
        <source>Whether this was a lock is unknown; its content was unchanged.</source>
        <translation>内容未变；无法确定是否为锁。</translation>
    </message>
    <message>
        <source>A key of the family %1 keeps more than the lock. End the lock with its own application.</source>
        <translation>锁类型 %1 的键不只保存锁。请用其自身的应用结束该锁。</translation>
    </message>
    <message>
        <source>The owner is missing.</source>
        <translation>缺少持有者。</translation>
    </message>
    <message>
        <source>Give each expected owner once.</source>
        <translation>每个预期持有者只能给出一次。</translation>
    </message>
    <message>
        <source>The family %1 allows only a hold count of 1.</source>
        <translation>锁类型 %1 的重入次数只能是 1。</translation>
    </message>
    <message>
        <source>The grace period is out of range.</source>
        <translation>宽限期超出范围。</translation>
    </message>
    <message>
        <source>A grace period applies to all owners. Omit it to expire only some.</source>
        <translation>宽限期适用于所有持有者。要只使部分过期，请省略它。</translation>
    </message>
    <message>
        <source>The family %1 allows no grace period.</source>
        <translation>锁类型 %1 不支持宽限期。</translation>
    </message>
    <message>
        <source>The waiter is missing.</source>
        <translation>缺少等待者。</translation>
    </message>
    <message>
        <source>The lease is missing or invalid.</source>
        <translation>缺少租约，或租约无效。</translation>
    </message>
    <message>
        <source>The key is missing.</source>
        <translation>缺少键。</translation>
    </message>
    <message numerus="yes">
        <source>%1 dead waiter(s) in the queue.</source>
        <translation>
            <numerusform>队列中有 %1 个失效等待者。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %1 dead waiter(s) in the queue.</source>
        <translation>
            <numerusform>队列中至少有 %1 个失效等待者。</numerusform>
        </translation>
    </message>
    <message>
        <source>Locks are unknown until the server is reachable again.</source>
        <translation>在重新连上服务器之前，锁的情况未知。</translation>
    </message>
    <message>
        <source>Evicted while held by %1, possibly still working.</source>
        <translation>由 %1 持有时被驱逐，持有者进程可能仍在工作。</translation>
    </message>
    <message>
        <source>Renewal by %1 overdue: probably crashed, hung or paused. %2</source>
        <translation>%1 续期超时：很可能已崩溃、无响应或暂停。%2</translation>
    </message>
    <message>
        <source>Renewal by %1 overdue: probably crashed, hung or paused.</source>
        <translation>%1 续期超时：很可能已崩溃、无响应或暂停。</translation>
    </message>
    <message>
        <source>%1 has the lock on too few servers.</source>
        <translation>%1 拥有此锁的服务器不足。</translation>
    </message>
    <message>
        <source>The lock is gone, and nothing wakes its queue.</source>
        <translation>锁已不存在，且没有什么会唤醒其队列。</translation>
    </message>
    <message>
        <source>No expiry, although the library sets one.</source>
        <translation>无过期时间，而该库通常会设置。</translation>
    </message>
    <message>
        <source>Held by %1 without expiry.</source>
        <translation>由 %1 持有，无过期时间。</translation>
    </message>
    <message>
        <source>Counts known waiters only.</source>
        <translation>只统计已知的等待者。</translation>
    </message>
    <message>
        <source>Far longer than 99.8% of the key&apos;s holds and this multiple of their median.</source>
        <translation>远长于该键 99.8% 的持有，且达到其中位数的这个倍数。</translation>
    </message>
    <message>
        <source>Held by %1 for at least %2; unusual from %3. Of %4 holds, 99.8% lasted at most %5.</source>
        <translation>%1 已持有至少 %2；超过 %3 属异常。%4 次持有中 99.8% 不超过 %5。</translation>
    </message>
    <message>
        <source>%1 at most</source>
        <translation>最多 %1 个</translation>
    </message>
    <message>
        <source>a part {ends:…}</source>
        <translation>{ends:…} 部分</translation>
    </message>
    <message>
        <source>“field” or “fields”</source>
        <translation>“field”或“fields”</translation>
    </message>
    <message>
        <source>“value”, “json” or “empty”</source>
        <translation>“value”、“json”或“empty”</translation>
    </message>
    <message>
        <source>a part of the lock&apos;s name or owner, not {%1}</source>
        <translation>锁的名称或持有者的组成部分，而不是 {%1}</translation>
    </message>
    <message>
        <source>only key, and locks that are hashes of owners</source>
        <translation>只需 key，且锁是持有者的哈希</translation>
    </message>
    <message>
        <source>field with {owner}, and value with {holds:…}</source>
        <translation>含 {owner} 的 field，和含 {holds:…} 的 value</translation>
    </message>
    <message>
        <source>the heartbeat&apos;s time: “score”, or {since:…} or {ends:…} in a field</source>
        <translation>心跳的时刻：“score”，或字段中的 {since:…} 或 {ends:…}</translation>
    </message>
    <message>
        <source>“free” in a form with “fields”, for set-field</source>
        <translation>set-field 须在带“fields”的形式中有“free”</translation>
    </message>
    <message>
        <source>Bull overwrites this key without checking its owner. Pause the queue instead.</source>
        <translation>Bull 不检查持有者就直接覆盖此键。请改为暂停队列。</translation>
    </message>
    <message>
        <source>The wait queue and the fencing counter are kept. Waiters not subscribed here still get the lock: %1.</source>
        <translation>等待队列和防护令牌计数器保留。未在此处订阅的等待者仍会获得锁：%1。</translation>
    </message>
    <message>
        <source>The wait queue and the fencing counter are kept. Provably unsubscribed waiters at the queue head are removed.</source>
        <translation>等待队列和防护令牌计数器保留。队首确定未订阅的等待者会移除。</translation>
    </message>
    <message>
        <source>A message on the channel %1 wakes subscribed waiters. Outside a cluster, readers of an existing stream redisson:events are woken too.</source>
        <translation>频道 %1 上的消息会唤醒已订阅的等待者。若不是集群且流 redisson:events 存在，也会唤醒其读取者。</translation>
    </message>
    <message>
        <source>Its signal list wakes one waiter; with a grace period, none.</source>
        <translation>其信号列表唤醒一个等待者；有宽限期时不唤醒。</translation>
    </message>
    <message>
        <source>The rest of its signal list is removed.</source>
        <translation>其信号列表的剩余部分会移除。</translation>
    </message>
    <message>
        <source>The owner ID must be UUID:number, as in 7c9e6679-7425-40de-944b-e07fc1f90ae7:1.</source>
        <translation>持有者 ID 必须为 UUID:数字，例如 7c9e6679-7425-40de-944b-e07fc1f90ae7:1。</translation>
    </message>
    <message>
        <source>The holder is not notified and may still be working. It stops renewing within 10 s; its unlock() throws.</source>
        <translation>不会通知持有者进程，它可能仍在工作。它会在 10 秒内停止续期，unlock() 会抛出异常。</translation>
    </message>
    <message>
        <source>The wait queue is kept, except timed-out waiters at its head. Not subscribed here: %1.</source>
        <translation>保留等待队列，队首已超时的除外。未在此订阅：%1。</translation>
    </message>
    <message>
        <source>The wait queue is kept, except timed-out waiters at its head; without a grace period, provably unsubscribed ones too. After a grace period, the others may wake late.</source>
        <translation>等待队列保留，但移除队首已超时的等待者；若无宽限期，确定未订阅的也会移除。宽限期过后，其余等待者可能延迟醒来。</translation>
    </message>
    <message>
        <source>The holder is not notified and may still be working. If another owner has acquired the lock, its unlock() throws.</source>
        <translation>不会通知持有者进程，它可能仍在工作。若锁已由其他持有者获取，其 unlock() 会抛出异常。</translation>
    </message>
    <message>
        <source>The fencing counter is kept, so tokens keep increasing.</source>
        <translation>防护令牌计数器保留，令牌继续递增。</translation>
    </message>
    <message>
        <source>The latch opens, whatever its count.</source>
        <translation>闭锁立即打开，剩余计数作废。</translation>
    </message>
    <message>
        <source>The readers&apos; timeout keys are removed too.</source>
        <translation>各读者的超时键会一并移除。</translation>
    </message>
    <message>
        <source>Give a permit ID in hex as the owner.</source>
        <translation>请以十六进制的许可 ID 作为持有者。</translation>
    </message>
    <message>
        <source>This semaphore stores no owners and cannot be force-expired.</source>
        <translation>此信号量不记录持有者，无法强制过期。</translation>
    </message>
    <message>
        <source>Each permit is returned to the free ones.</source>
        <translation>每个许可都会归还。</translation>
    </message>
    <message>
        <source>Without a grace period, a message is published on the channel %1. Whether clients subscribe is unknown; polling clients find the lock free.</source>
        <translation>若无宽限期，将在频道 %1 上发布消息。客户端是否订阅未知；轮询的客户端会发现锁空闲。</translation>
    </message>
    <message>
        <source>A waiting job is woken through its queue.</source>
        <translation>通过队列唤醒等待的作业。</translation>
    </message>
    <message>
        <source>If no jobs wait, its lists and digest entry are removed. A runtime lock (:RUN) is kept.</source>
        <translation>若没有等待的作业，其列表和摘要项也会移除。运行时锁（:RUN）保留。</translation>
    </message>
    <message>
        <source>The holder is not notified and may still be working. Its refresh will fail, but not its release.</source>
        <translation>不会通知持有者进程，它可能仍在工作。其续期会失败，释放则不会。</translation>
    </message>
    <message>
        <source>No wake-up is sent: the library is unknown. Polling clients find the lock free.</source>
        <translation>不发送唤醒：库未知。轮询的客户端会发现锁空闲。</translation>
    </message>
    <message>
        <source>Keys of the family %1 have other names. Choose another family.</source>
        <translation>锁类型 %1 的键不是这样命名的。请选择其他锁类型。</translation>
    </message>
    <message>
        <source>a length, as in “base64-of(16)”</source>
        <translation>长度，例如“base64-of(16)”</translation>
    </message>
    <message>
        <source>one “rest” at most</source>
        <translation>最多一个“rest”</translation>
    </message>
    <message>
        <source>the family %1 exists in a higher version</source>
        <translation>锁类型 %1 已有更高版本</translation>
    </message>
    <message>
        <source>the family %1 is built in; choose another name</source>
        <translation>锁类型 %1 是内置的；请另选名称</translation>
    </message>
    <message>
        <source>more than %1 files</source>
        <translation>文件多于 %1 个</translation>
    </message>
    <message>
        <source>%1 is writable by others. Run chmod go-w on it.</source>
        <translation>%1 可被他人写入。请对其执行 chmod go-w。</translation>
    </message>
    <message>
        <source>Another program keeps %1 locked.</source>
        <translation>另一个程序一直锁定 %1。</translation>
    </message>
    <message>
        <source>%1 does not end with an audit record. Move it away.</source>
        <translation>%1 末尾不是审计记录。请将其移走。</translation>
    </message>
    <message>
        <source>the record is cut off</source>
        <translation>记录被截断</translation>
    </message>
    <message>
        <source>it does not follow the line before: a line was changed or removed</source>
        <translation>与前一行不衔接：有行被改动或删除</translation>
    </message>
    <message>
        <source>its number is not its line number</source>
        <translation>其序号与行号不符</translation>
    </message>
    <message>
        <source>it was written by a newer Lockscope; use another file</source>
        <translation>由更新版本的 Lockscope 写入；请使用其他文件</translation>
    </message>
    <message>
        <source>it is not a file of checks</source>
        <translation>不是 check 的状态文件</translation>
    </message>
    <message>
        <source>the server does not list other nodes</source>
        <translation>服务器未列出其他节点</translation>
    </message>
    <message>
        <source>it may be subscribed on another server</source>
        <translation>等待者可能订阅在另一服务器上</translation>
    </message>
    <message>
        <source>closed %1 times within a minute; paused for one</source>
        <translation>一分钟内被关闭 %1 次，现暂停一分钟</translation>
    </message>
    <message>
        <source>stopped at %1 locks</source>
        <translation>找到 %1 个锁后停止</translation>
    </message>
    <message>
        <source>unexpected reply to %1</source>
        <translation>%1 的应答异常</translation>
    </message>
    <message>
        <source>SCAN returned an invalid cursor: %1</source>
        <translation>SCAN 返回了无效游标：%1</translation>
    </message>
    <message>
        <source>SCAN returned %1 names, DBSIZE %2 keys</source>
        <translation>SCAN 返回了 %1 个键名，DBSIZE 为 %2 个键</translation>
    </message>
    <message>
        <source>SCAN returned the cursor %1 twice, after %2 calls</source>
        <translation>SCAN 两次返回游标 %1，共调用 %2 次</translation>
    </message>
    <message>
        <source>SCAN was not complete after %1 calls</source>
        <translation>SCAN 调用 %1 次后仍未完成</translation>
    </message>
    <message>
        <source>the key&apos;s type keeps changing</source>
        <translation>键的类型不断改变</translation>
    </message>
    <message>
        <source>%1 is not a Lockscope recording.</source>
        <translation>%1 不是 Lockscope 的录制文件。</translation>
    </message>
    <message>
        <source>%1 has %2 MB; a limit of %3 MB would delete most of it. Raise the limit.</source>
        <translation>%1 有 %2 MB；%3 MB 的上限会删除其大部分。请提高上限。</translation>
    </message>
    <message>
        <source>Another program is recording to %1.</source>
        <translation>另一个程序正在录制到 %1。</translation>
    </message>
    <message>
        <source>The connection was lost; the reason is not recorded.</source>
        <translation>连接已断开；原因未录制。</translation>
    </message>
    <message>
        <source>no answer to TLS: the port may not use it</source>
        <translation>TLS 无应答：端口可能未启用</translation>
    </message>
    <message>
        <source>the server closed the connection without answering: it may expect TLS, or be an unfit proxy</source>
        <translation>服务器未应答即关闭连接：可能要求 TLS，或者是不适用的代理</translation>
    </message>
    <message>
        <source>an unsolicited reply</source>
        <translation>收到了未请求的应答</translation>
    </message>
    <message>
        <source>The Sentinel at %1 does not know %2.</source>
        <translation>%1 上的哨兵不认识 %2。</translation>
    </message>
    <message>
        <source>it has left the cluster</source>
        <translation>已离开集群</translation>
    </message>
    <message>
        <source>%1 is not a replica</source>
        <translation>%1 不是副本</translation>
    </message>
    <message>
        <source>its replication role has changed</source>
        <translation>其复制角色已改变</translation>
    </message>
    <message>
        <source>the Sentinels that answer do not know of the last failover</source>
        <translation>应答的哨兵不知道最近一次故障转移</translation>
    </message>
    <message>
        <source>The Sentinel at %1 requires a password. Use --sentinel-askpass, LOCKSCOPE_SENTINEL_AUTH or the form.</source>
        <translation>%1 上的哨兵需要密码。请使用 --sentinel-askpass、LOCKSCOPE_SENTINEL_AUTH 或表单。</translation>
    </message>
    <message>
        <source>The Sentinel at %1 refused its own user name or password. Check both.</source>
        <translation>%1 上的哨兵拒绝了其用户名或密码。请检查两者。</translation>
    </message>
    <message>
        <source>This user may not query the Sentinel at %1. Request +sentinel|master there. It said: “%2”</source>
        <translation>该用户无权查询 %1 上的哨兵。请在那里申请 +sentinel|master。返回：“%2”</translation>
    </message>
    <message>
        <source>The Sentinel at %1 does not know %2. It knows: %3.</source>
        <translation>%1 上的哨兵不认识 %2。它知道：%3。</translation>
    </message>
    <message>
        <source>two nodes have the same slot</source>
        <translation>两个节点拥有同一个槽</translation>
    </message>
    <message>
        <source>no node has slots</source>
        <translation>没有节点拥有槽</translation>
    </message>
    <message>
        <source>Redis before 6 has no users. Log in without one.</source>
        <translation>Redis 6 之前没有用户，请不带用户名登录。</translation>
    </message>
    <message>
        <source>This cluster has no database %1, usually only 0.</source>
        <translation>此集群没有数据库 %1，通常只有 0。</translation>
    </message>
    <message>
        <source>The server has no database %1. Usual are 0 to 15.</source>
        <translation>服务器没有数据库 %1，通常为 0 至 15。</translation>
    </message>
    <message>
        <source>This is a Redis Sentinel, which keeps no locks. Use --sentinel and --master, or redis-sentinel://host:port/name.</source>
        <translation>这是 Redis 哨兵，不保存锁。请使用 --sentinel 和 --master，或 redis-sentinel://host:port/name。</translation>
    </message>
    <message>
        <source>%1 is a data server, not a Sentinel. Connect to it directly.</source>
        <translation>%1 是数据服务器，不是哨兵。请直接连接。</translation>
    </message>
    <message>
        <source>a bulk string has the wrong length</source>
        <translation>批量字符串的长度不符</translation>
    </message>
    <message>
        <source>unknown reply type: byte %1</source>
        <translation>未知的应答类型：字节 %1</translation>
    </message>
    <message>
        <source>invalid length</source>
        <translation>长度无效</translation>
    </message>
    <message>
        <source>The database must be a whole number, as in redis://host:6379/2.</source>
        <translation>数据库必须是整数，例如 redis://host:6379/2。</translation>
    </message>
    <message>
        <source>After ssh= write [USER@]HOST[:PORT].</source>
        <translation>ssh= 之后请写 [USER@]HOST[:PORT]。</translation>
    </message>
    <message>
        <source>Write a literal &apos;%&apos; as %25.</source>
        <translation>字符“%”请写作 %25。</translation>
    </message>
    <message>
        <source>Give one host, redis-sentinel://host1,host2/name or redis-redlock://host1,host2,host3.</source>
        <translation>请给出一个主机、redis-sentinel://host1,host2/name 或 redis-redlock://host1,host2,host3。</translation>
    </message>
    <message>
        <source>Write an IPv6 address as in [::1]:6379.</source>
        <translation>IPv6 地址请写作例如 [::1]:6379。</translation>
    </message>
    <message>
        <source>The host is missing.</source>
        <translation>缺少主机。</translation>
    </message>
    <message>
        <source>Invalid character in the host or path.</source>
        <translation>主机或路径中有无效字符。</translation>
    </message>
    <message>
        <source>Write Sentinels as in redis-sentinel://host1,host2/name.</source>
        <translation>哨兵请写作例如 redis-sentinel://host1,host2/name。</translation>
    </message>
    <message>
        <source>The address is ambiguous. In the user and password, write &apos;@&apos; as %40, &apos;/&apos; as %2F, &apos;?&apos; as %3F and &apos;#&apos; as %23.</source>
        <translation>地址有歧义。用户名和密码中的“@”请写作 %40，“/”写作 %2F，“?”写作 %3F，“#”写作 %23。</translation>
    </message>
    <message>
        <source>The socket path must start with &apos;/&apos;, as in unix:///run/redis.sock.</source>
        <translation>套接字路径必须以“/”开头，例如 unix:///run/redis.sock。</translation>
    </message>
    <message>
        <source>Write a Redlock group as in redis-redlock://host1,host2,host3.</source>
        <translation>Redlock 组请写作例如 redis-redlock://host1,host2,host3。</translation>
    </message>
    <message>
        <source>Give any node of the cluster, as in redis://host:6379.</source>
        <translation>请给出集群的任一节点，例如 redis://host:6379。</translation>
    </message>
    <message>
        <source>The address must start with redis://, rediss://, redis-sentinel://, redis-redlock:// or unix://.</source>
        <translation>地址须以 redis://、rediss://、redis-sentinel://、redis-redlock:// 或 unix:// 开头。</translation>
    </message>
    <message>
        <source>At most %1 servers can be given.</source>
        <translation>最多可给出 %1 个服务器。</translation>
    </message>
    <message>
        <source>A Redlock group needs at least two servers.</source>
        <translation>Redlock 组至少需要两个服务器。</translation>
    </message>
    <message>
        <source>The Redlock group names %1 twice.</source>
        <translation>Redlock 组中 %1 出现两次。</translation>
    </message>
    <message>
        <source>The address contains a blank or invisible character. Percent-encode it (%20).</source>
        <translation>地址含空格或不可见字符，请用百分号编码（%20）。</translation>
    </message>
    <message>
        <source>The key of the SSH host %1 has changed: a new host, or an intercepted connection. Ask its operator first.</source>
        <translation>SSH 主机 %1 的密钥已改变：主机已更换，或连接被拦截。请先询问其管理员。</translation>
    </message>
    <message>
        <source>The key of the SSH host %1 is unknown. Run &apos;%3&apos; once in a terminal and compare the fingerprint.</source>
        <translation>SSH 主机 %1 的密钥未知。请在终端中运行一次“%3”并核对指纹。</translation>
    </message>
    <message>
        <source>The SSH host %1 refused the login. Check &apos;%3&apos; in a terminal; a key with a passphrase must be in the agent. ssh said: “%2”</source>
        <translation>SSH 主机 %1 拒绝了登录。请在终端中检查“%3”；有口令的密钥须在代理中。ssh 返回：“%2”</translation>
    </message>
    <message>
        <source>ssh cannot connect to %1. Check its configuration. It said: “%2”</source>
        <translation>ssh 无法连接到 %1。请检查其配置。返回：“%2”</translation>
    </message>
    <message>
        <source>The SSH host %1 forbids forwarding to %2. Ask its operator (AllowTcpForwarding, PermitOpen). It said: “%3”</source>
        <translation>SSH 主机 %1 禁止转发到 %2。请联系其管理员（AllowTcpForwarding、PermitOpen）。返回：“%3”</translation>
    </message>
    <message>
        <source>The program ssh is missing. Install the package openssh-client.</source>
        <translation>缺少程序 ssh。请安装软件包 openssh-client。</translation>
    </message>
    <message>
        <source>No stored server is called “%1”. Connect to it once in the window.</source>
        <translation>没有名为“%1”的已保存服务器。请先在窗口中连接一次。</translation>
    </message>
    <message>
        <source>No stored server is called “%1”. Stored: %2.</source>
        <translation>没有名为“%1”的已保存服务器。已保存：%2。</translation>
    </message>
    <message>
        <source>%1 is not a regular file</source>
        <translation>%1 不是普通文件</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 is larger than %2 KB</source>
        <translation>%1 大于 %2 KB</translation>
    </message>
    <message>
        <source>no PEM certificate in %1</source>
        <translation>%1 中没有 PEM 证书</translation>
    </message>
    <message>
        <source>no PEM private key in %1</source>
        <translation>%1 中没有 PEM 私钥</translation>
    </message>
    <message>
        <source>all users can read the key %1. Run chmod 600 on it</source>
        <translation>所有用户都能读取私钥 %1。请对其执行 chmod 600</translation>
    </message>
    <message>
        <source>the key %1 has a passphrase. Use --key-askpass, LOCKSCOPE_KEY_PASSPHRASE or the form</source>
        <translation>私钥 %1 有口令。请使用 --key-askpass、LOCKSCOPE_KEY_PASSPHRASE 或表单</translation>
    </message>
    <message>
        <source>the certificate expired on %1. Renew it, or check the clock</source>
        <translation>证书已于 %1 过期。请更新，或检查时钟</translation>
    </message>
    <message>
        <source>the certificate is valid only from %1. Check the clock</source>
        <translation>证书自 %1 起才有效。请检查时钟</translation>
    </message>
    <message>
        <source>the certificate is self-signed. Use --cacert, or --pin %1</source>
        <translation>证书为自签名。请使用 --cacert 或 --pin %1</translation>
    </message>
    <message>
        <source>the certificate&apos;s issuer “%1” is not trusted. Use --cacert, or --pin %2</source>
        <translation>证书颁发者“%1”不受信任。请使用 --cacert 或 --pin %2</translation>
    </message>
    <message>
        <source>the certificate is for %1, not %2. Connect by that name, or use --sni</source>
        <translation>证书属于 %1 而非 %2。请以该名称连接，或使用 --sni</translation>
    </message>
    <message>
        <source>the server requires a client certificate. Use --cert and --key</source>
        <translation>服务器要求客户端证书。请使用 --cert 和 --key</translation>
    </message>
    <message>
        <source>the server speaks only TLS before 1.2. Enable TLS 1.2 there (tls-protocols)</source>
        <translation>服务器只支持 1.2 之前的 TLS。请在服务器上启用 TLS 1.2（tls-protocols）</translation>
    </message>
    <message>
        <source>the client&apos;s certificate and key do not match</source>
        <translation>客户端证书与私钥不匹配</translation>
    </message>
    <message>
        <source>the server does not trust the client certificate&apos;s issuer</source>
        <translation>服务器不信任客户端证书的颁发者</translation>
    </message>
    <message>
        <source>the client&apos;s certificate has expired</source>
        <translation>客户端证书已过期</translation>
    </message>
    <message>
        <source>the server rejects the client&apos;s certificate</source>
        <translation>服务器不接受客户端证书</translation>
    </message>
    <message>
        <source>the server does not use TLS on this port</source>
        <translation>服务器在此端口上不使用 TLS</translation>
    </message>
    <message>
        <source>the certificate is not the pinned one; its fingerprint is %1. If renewed, pin the new one</source>
        <translation>证书不是已固定的那个，其指纹为 %1。若已更新，请固定新证书</translation>
    </message>
    <message>
        <source>no such socket</source>
        <translation>没有这个套接字</translation>
    </message>
    <message>
        <source>The first lease had expired %1 earlier.</source>
        <translation>第一个租约已在 %1前过期。</translation>
    </message>
    <message>
        <source>The second lease had expired %1 earlier.</source>
        <translation>第二个租约已在 %1前过期。</translation>
    </message>
    <message>
        <source>The server had lost its data.</source>
        <translation>服务器此前丢失了数据。</translation>
    </message>
    <message>
        <source>The first lease had not expired.</source>
        <translation>第一个租约尚未过期。</translation>
    </message>
    <message>
        <source>%1 released %2 at %3 and deleted the lock of %4, entered at %5.</source>
        <translation>%1 于 %3 释放 %2，删除了 %4 的锁（于 %5 进入）。</translation>
    </message>
    <message>
        <source>%1 had no expiry at %2 and no worker to release the lock.</source>
        <translation>%1 于 %2 没有过期时间，也没有工作线程会释放。</translation>
    </message>
    <message>
        <source>%1 was not woken: it retried at %2, when %3 had been free for %4.</source>
        <translation>%1 未被唤醒：于 %2 重试，当时 %3 已空闲 %4。</translation>
    </message>
    <message>
        <source>%1 entered %2 at %3 with fencing token %4, not above the previous %5.</source>
        <translation>%1 于 %3 进入 %2，防护令牌 %4 不大于之前的 %5。</translation>
    </message>
    <message>
        <source>%1, in %2 since %3, wrote at %4 after another worker had entered. The write was accepted.</source>
        <translation>%1 自 %3 起在 %2 中，于 %4 写入，此前另一个工作线程已进入。写入被接受。</translation>
    </message>
    <message>
        <source>%1 counted %3 as released at %2, but still owned the lock.</source>
        <translation>%1 于 %2 认为已释放 %3，但仍持有锁。</translation>
    </message>
    <message>
        <source>The strategy&apos;s own method</source>
        <translation>策略自身的方式</translation>
    </message>
    <message>
        <source>Not safe: GET, compare in the client, DEL</source>
        <translation>不安全：GET，客户端比较，DEL</translation>
    </message>
    <message>
        <source>One script compares and deletes; a missing lock counts as not released</source>
        <translation>脚本比较并删除；锁不存在视为未释放</translation>
    </message>
    <message>
        <source>One script compares and deletes; a missing lock counts as released</source>
        <translation>脚本比较并删除；锁不存在视为已释放</translation>
    </message>
    <message>
        <source>WATCH, GET, MULTI, DEL, EXEC; fails on a change in between</source>
        <translation>WATCH、GET、MULTI、DEL、EXEC；其间有变化则失败</translation>
    </message>
    <message>
        <source>Not safe: DEL without a check of the owner</source>
        <translation>不安全：DEL，不检查持有者</translation>
    </message>
    <message>
        <source>Retry after a fixed time</source>
        <translation>固定时间后重试</translation>
    </message>
    <message>
        <source>Retry after a random, growing time (1 to 20 ms)</source>
        <translation>随机递增时间后重试（1 至 20 毫秒）</translation>
    </message>
    <message>
        <source>Retry when a release is published, all at once</source>
        <translation>释放消息发布后，全部同时重试</translation>
    </message>
    <message>
        <source>Wait up to the timeout</source>
        <translation>最多等到超时</translation>
    </message>
    <message>
        <source>Wait until the lock is acquired</source>
        <translation>一直等到获取锁</translation>
    </message>
    <message>
        <source>Pause the server</source>
        <translation>暂停服务器</translation>
    </message>
    <message>
        <source>Kill the server and restart it empty</source>
        <translation>终止服务器并以空数据重启</translation>
    </message>
    <message>
        <source>Delete all keys</source>
        <translation>删除所有键</translation>
    </message>
    <message>
        <source>How workers acquire the lock</source>
        <translation>工作线程获取锁的方式</translation>
    </message>
    <message>
        <source>How workers release the lock</source>
        <translation>工作线程释放锁的方式</translation>
    </message>
    <message>
        <source>How waiting workers retry</source>
        <translation>等待的工作线程重试的方式</translation>
    </message>
    <message>
        <source>Locks; an iteration uses one</source>
        <translation>锁的数量；每次迭代使用一个</translation>
    </message>
    <message>
        <source>Synchronized rounds, instead of a duration</source>
        <translation>同步轮数，代替时长</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Think time</source>
        <translation>间隔时间</translation>
    </message>
    <message>
        <source>Mean think time between iterations</source>
        <translation>两次迭代的平均间隔时间</translation>
    </message>
    <message>
        <source>Workers&apos; reaction to a held lock</source>
        <translation>锁已被持有时的处理方式</translation>
    </message>
    <message>
        <source>Maximum wait for the lock</source>
        <translation>等待锁的最长时间</translation>
    </message>
    <message>
        <source>%1 can&apos;t be re-entered. Choose a re-entry of 1.</source>
        <translation>%1 不可重入。请将重入层数设为 1。</translation>
    </message>
    <message>
        <source>Re-entry levels per iteration</source>
        <translation>每次迭代的重入层数</translation>
    </message>
    <message>
        <source>Renew the lock every third of the lease</source>
        <translation>每过三分之一租约续期一次</translation>
    </message>
    <message>
        <source>Retry after a lost reply without a check</source>
        <translation>应答丢失后不检查就重试</translation>
    </message>
    <message>
        <source>Holder crashes, as share of iterations</source>
        <translation>持有者进程崩溃的迭代比例</translation>
    </message>
    <message>
        <source>Holder pauses, as share of iterations</source>
        <translation>持有者进程暂停的迭代比例</translation>
    </message>
    <message>
        <source>Pause length; beyond the lease, the lock is lost</source>
        <translation>暂停时长；超过租约则失去锁</translation>
    </message>
    <message>
        <source>Only token-setnx has a gap between SETNX and EXPIRE.</source>
        <translation>只有 token-setnx 在 SETNX 和 EXPIRE 之间有间隙。</translation>
    </message>
    <message>
        <source>Share of crashes between SETNX and EXPIRE</source>
        <translation>SETNX 与 EXPIRE 之间崩溃的比例</translation>
    </message>
    <message>
        <source>Without a watchdog, none can stop.</source>
        <translation>没有看门狗，就无法使看门狗停止。</translation>
    </message>
    <message>
        <source>Watchdog stops, as share of iterations</source>
        <translation>看门狗停止的迭代比例</translation>
    </message>
    <message>
        <source>Lost replies, as share of iterations</source>
        <translation>应答丢失的迭代比例</translation>
    </message>
    <message>
        <source>Pauses in release, as share of iterations</source>
        <translation>释放时暂停的迭代比例</translation>
    </message>
    <message>
        <source>Tenfold hold times, as share of iterations</source>
        <translation>持锁时间为十倍的迭代比例</translation>
    </message>
    <message>
        <source>Fault of the private server; repeatable</source>
        <translation>私有服务器的故障；可重复</translation>
    </message>
    <message>
        <source>%1: choose %2 to %3.</source>
        <translation>%1：请选择 %2 到 %3。</translation>
    </message>
    <message>
        <source>Rates are shares of all iterations, from 0 to 1.</source>
        <translation>比例是所有迭代中的份额，从 0 到 1。</translation>
    </message>
    <message>
        <source>Together, the rates must not exceed 1.</source>
        <translation>各比例之和不得超过 1。</translation>
    </message>
    <message>
        <source>Choose 1 to %1 processes, at most one per worker.</source>
        <translation>请选择 1 到 %1 个进程，每个工作线程最多一个。</translation>
    </message>
    <message>
        <source>Server faults need a duration instead of rounds.</source>
        <translation>服务器故障需要时长，不能用轮数。</translation>
    </message>
    <message>
        <source>The strategy %1 does not support %2.</source>
        <translation>策略 %1 不支持 %2。</translation>
    </message>
    <message>
        <source>%1 needs a lease in whole seconds.</source>
        <translation>%1 的租约须为整秒。</translation>
    </message>
    <message>
        <source>Invalid script: %1.</source>
        <translation>脚本无效：%1。</translation>
    </message>
    <message>
        <source>%1 is missing next to this program.</source>
        <translation>此程序旁缺少 %1。</translation>
    </message>
    <message>
        <source>a worker process failed</source>
        <translation>一个工作进程失败</translation>
    </message>
    <message>
        <source>Stop the running simulation first.</source>
        <translation>请先停止正在运行的模拟。</translation>
    </message>
    <message>
        <source>Simulation keys must begin with sim:.</source>
        <translation>模拟的键必须以 sim: 开头。</translation>
    </message>
    <message>
        <source>This run can disturb other clients. Use a private server.</source>
        <translation>此次运行可能干扰其他客户端。请使用私有服务器。</translation>
    </message>
    <message>
        <source>Not started: the key %1 exists. Wait, or choose another server.</source>
        <translation>未开始：键 %1 已存在。请等待或另选服务器。</translation>
    </message>
    <message>
        <source>server lost during the run</source>
        <translation>运行中失去服务器</translation>
    </message>
    <message>
        <source>simultaneous rounds</source>
        <translation>同步的轮次</translation>
    </message>
    <message>
        <source>winners per round</source>
        <translation>每轮赢家数</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n round(s) repeated: attempts too far apart.</source>
        <translation>
            <numerusform>%1：重复了 %n 轮：各次尝试相隔太远。</numerusform>
        </translation>
    </message>
    <message>
        <source>acquisitions in order</source>
        <translation>获取的顺序</translation>
    </message>
    <message>
        <source>refusals of B during A&apos;s lease</source>
        <translation>A 的租约内 B 被拒绝的次数</translation>
    </message>
    <message>
        <source>acquisitions of lock %1</source>
        <translation>锁 %1 的获取次数</translation>
    </message>
    <message>
        <source>releases of lock %1</source>
        <translation>锁 %1 的释放次数</translation>
    </message>
    <message>
        <source>first contender&apos;s wait</source>
        <translation>第一个竞争者的等待时间</translation>
    </message>
    <message>
        <source>time until the next entry</source>
        <translation>到下一次进入的时间</translation>
    </message>
    <message>
        <source>after the lease</source>
        <translation>租约之后</translation>
    </message>
    <message>
        <source>at least 20 hold times of %1</source>
        <translation>至少 20 个持锁时间（%1）</translation>
    </message>
    <message>
        <source>at least half of %1</source>
        <translation>至少 %1 的一半</translation>
    </message>
    <message>
        <source>W%1&apos;s second lock</source>
        <translation>W%1 的第二个锁</translation>
    </message>
    <message>
        <source>after about %1, a lease</source>
        <translation>约 %1（一个租约）后</translation>
    </message>
    <message>
        <source>before %1, a lease</source>
        <translation>%1（一个租约）之前</translation>
    </message>
    <message>
        <source>commands per acquisition, herd</source>
        <translation>每次获取的命令数，惊群</translation>
    </message>
    <message>
        <source>at least three times %1</source>
        <translation>至少 %1 的三倍</translation>
    </message>
    <message>
        <source>median handoff, herd</source>
        <translation>移交时间中位数，惊群</translation>
    </message>
    <message>
        <source>overlaps, %1</source>
        <translation>重叠，%1</translation>
    </message>
    <message>
        <source>most acquisitions over fewest, handoff</source>
        <translation>获取次数最多与最少之比，直接移交</translation>
    </message>
    <message>
        <source>most acquisitions over fewest, polling</source>
        <translation>获取次数最多与最少之比，轮询</translation>
    </message>
    <message>
        <source>less than %1</source>
        <translation>少于 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) repeated: late start.</source>
        <translation>
            <numerusform>重复了 %n 次运行：启动过晚。</numerusform>
        </translation>
    </message>
    <message>
        <source>Install redis-server: apt-get install redis-server</source>
        <translation>请安装 redis-server：apt-get install redis-server</translation>
    </message>
    <message>
        <source>Fair queue: release hands the lock to the queue head and wakes only that waiter</source>
        <translation>公平队列：释放时把锁直接移交给队首，只唤醒队首</translation>
    </message>
    <message>
        <source>Redisson&apos;s: hash with hold count, watchdog, and a channel that wakes all waiters</source>
        <translation>同 Redisson：带重入次数的哈希、看门狗、唤醒所有等待者的频道</translation>
    </message>
    <message>
        <source>Hash with owner and hold count, by scripts; re-entrant</source>
        <translation>含持有者和重入次数的哈希，用脚本；可重入</translation>
    </message>
    <message>
        <source>unknown reply of the script</source>
        <translation>脚本的应答未知</translation>
    </message>
    <message>
        <source>String with a token; the client counts re-entries</source>
        <translation>含令牌的字符串；客户端计算重入次数</translation>
    </message>
    <message>
        <source>String with a random token, and a fencing token to reject stale writes</source>
        <translation>含随机令牌的字符串，另有防护令牌用于拒绝过期写入</translation>
    </message>
    <message>
        <source>String with a random token, by scripts</source>
        <translation>含随机令牌的字符串，用脚本</translation>
    </message>
    <message>
        <source>String with a random token, by SET NX PX</source>
        <translation>含随机令牌的字符串，用 SET NX PX</translation>
    </message>
    <message>
        <source>SETNX, then EXPIRE; a crash in between leaves no expiry</source>
        <translation>先 SETNX 后 EXPIRE；其间崩溃则锁无过期时间</translation>
    </message>
    <message>
        <source>State, such as held or stalled</source>
        <translation>状态，例如 held 或 stalled</translation>
    </message>
    <message>
        <source>Family, such as reentrant or token</source>
        <translation>锁类型，例如 reentrant 或 token</translation>
    </message>
    <message>
        <source>Problem, such as no-expiry, or any</source>
        <translation>问题，例如 no-expiry，或 any</translation>
    </message>
    <message>
        <source>No expiry: any, problem, open or usual</source>
        <translation>无过期时间：any、problem、open 或 usual</translation>
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
        <source>Known waiters</source>
        <translation>已知等待者</translation>
    </message>
    <message>
        <source>Part of the node&apos;s address</source>
        <translation>节点地址的一部分</translation>
    </message>
    <message>
        <source>Whole owner ID</source>
        <translation>完整的持有者 ID</translation>
    </message>
    <message>
        <source>Whole key</source>
        <translation>完整的键</translation>
    </message>
    <message>
        <source>Whole address of the node</source>
        <translation>完整的节点地址</translation>
    </message>
    <message>
        <source>No lock contains “%1”.</source>
        <translation>没有锁包含“%1”。</translation>
    </message>
    <message>
        <source>No family is called “%1”. See the Family column.</source>
        <translation>没有名为“%1”的锁类型。请参阅“锁类型”列。</translation>
    </message>
    <message>
        <source>“%1” is unknown. Try %2.</source>
        <translation>“%1”未知。可用：%2。</translation>
    </message>
    <message>
        <source>example also matches the family %1</source>
        <translation>示例也匹配锁类型 %1</translation>
    </message>
    <message>
        <source>no [[example]] with key, value and is</source>
        <translation>没有含 key、value 和 is 的 [[example]]</translation>
    </message>
    <message>
        <source>Forty workers try for one lock at the same moment, fifty times.</source>
        <translation>四十个工作线程同时尝试获取一个锁，共五十轮。</translation>
    </message>
    <message>
        <source>One worker per round acquires the lock.</source>
        <translation>每轮只有一个工作线程获取锁。</translation>
    </message>
    <message>
        <source>Four workers A to D start one after another and hold the lock for two leases.</source>
        <translation>工作线程 A 到 D 依次启动，持锁时间为两个租约。</translation>
    </message>
    <message>
        <source>B is refused; C and D acquire when a lease expires. Work overlaps, but no late release deletes another owner&apos;s lock.</source>
        <translation>B 被拒绝；C 和 D 在租约过期后获取锁。工作有重叠，但迟到的释放不会删除他人的锁。</translation>
    </message>
    <message>
        <source>unexplained overlaps</source>
        <translation>无法解释的重叠</translation>
    </message>
    <message>
        <source>Five processes</source>
        <translation>五个进程</translation>
    </message>
    <message>
        <source>Five processes start together. Each tries once for the first lock, then for the second.</source>
        <translation>五个进程同时启动，各尝试一次第一个锁，再尝试一次第二个锁。</translation>
    </message>
    <message>
        <source>Each lock has at most one holder at a time.</source>
        <translation>每个锁同时最多一个持有者。</translation>
    </message>
    <message>
        <source>attempts</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>Lock without expiry</source>
        <translation>无过期时间的锁</translation>
    </message>
    <message>
        <source>Alone, the lock never expires. Contenders set an expiry and acquire the lock after it.</source>
        <translation>没有竞争者时，锁永不过期。竞争者会设置过期时间，并在过期后获取锁。</translation>
    </message>
    <message>
        <source>acquisitions by contenders</source>
        <translation>竞争者的获取次数</translation>
    </message>
    <message>
        <source>A holder outlasts its lease, then deletes the lock of the next owner. A third worker waits.</source>
        <translation>持有者超出租约，然后删除下一个持有者的锁。第三个工作线程在等待。</translation>
    </message>
    <message>
        <source>An unchecked delete causes an overlap. A delete that compares the owner does not.</source>
        <translation>不检查就删除会造成重叠。比较持有者后删除则不会。</translation>
    </message>
    <message>
        <source>A holder pauses beyond its lease, as in a long garbage collection, then writes.</source>
        <translation>持有者暂停超过租约（例如长时间垃圾回收），然后写入。</translation>
    </message>
    <message>
        <source>The workers overlap. Fencing tokens reject the stale write; otherwise the write is accepted.</source>
        <translation>工作线程重叠。防护令牌拒绝过期写入；否则写入被接受。</translation>
    </message>
    <message>
        <source>without tokens</source>
        <translation>无令牌</translation>
    </message>
    <message>
        <source>with tokens</source>
        <translation>有令牌</translation>
    </message>
    <message>
        <source>stale writes rejected</source>
        <translation>被拒绝的过期写入</translation>
    </message>
    <message>
        <source>The next worker acquires the lock soon after the crashed holder&apos;s lease expires, not before.</source>
        <translation>崩溃持有者的租约到期后不久，下一个工作线程获取锁，不会提前。</translation>
    </message>
    <message>
        <source>many crashes</source>
        <translation>多次崩溃</translation>
    </message>
    <message>
        <source>A worker holds the lock for three leases, once with a watchdog, once with a stopped watchdog.</source>
        <translation>一个工作线程持锁三个租约：一次有看门狗，一次看门狗停止。</translation>
    </message>
    <message>
        <source>The watchdog prevents an overlap. If the watchdog stops, another worker enters when the lease expires.</source>
        <translation>看门狗防止重叠。看门狗停止后，租约一到期，另一个工作线程就进入。</translation>
    </message>
    <message>
        <source>acquisitions</source>
        <translation>获取次数</translation>
    </message>
    <message>
        <source>Twenty workers hold the lock for 1 ms, in one of 100 iterations for 200 ms.</source>
        <translation>二十个工作线程每次持锁 1 毫秒，每 100 次迭代有一次持锁 200 毫秒。</translation>
    </message>
    <message>
        <source>A few slow holders delay all workers: wait p99 is a multiple of the usual hold time.</source>
        <translation>少数慢持有者拖慢所有工作线程：等待时间 p99 是通常持锁时间的数倍。</translation>
    </message>
    <message>
        <source>A release wakes every waiter, or hands the lock to the queue head, under the same load.</source>
        <translation>同样的负载下，释放唤醒所有等待者，或把锁直接移交给队首。</translation>
    </message>
    <message>
        <source>The herd needs at least three times as many commands per acquisition, and handoffs take longer.</source>
        <translation>惊群时每次获取的命令数至少为三倍，移交也更慢。</translation>
    </message>
    <message>
        <source>Two workers acquire two locks in opposite order.</source>
        <translation>两个工作线程以相反的顺序获取两个锁。</translation>
    </message>
    <message>
        <source>with timeouts</source>
        <translation>有超时</translation>
    </message>
    <message>
        <source>timeouts</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>same order</source>
        <translation>相同顺序</translation>
    </message>
    <message>
        <source>Waiters poll every 10 ms, or wait in a queue, under the same load.</source>
        <translation>同样的负载下，等待者每 10 毫秒轮询一次，或在队列中等待。</translation>
    </message>
    <message>
        <source>In the queue, acquisitions per worker differ by at most a tenth; with polling, by more.</source>
        <translation>排队时，各工作线程的获取次数最多相差十分之一；轮询时相差更多。</translation>
    </message>
    <message>
        <source>polling</source>
        <translation>轮询</translation>
    </message>
    <message>
        <source>Re-entrancy</source>
        <translation>可重入</translation>
    </message>
    <message>
        <source>A worker acquires its own lock three levels deep.</source>
        <translation>工作线程对自己的锁获取三层。</translation>
    </message>
    <message>
        <source>Re-entrant locks count the levels. With a token lock, the worker waits for itself until its timeout.</source>
        <translation>可重入锁计算层数。令牌锁的工作线程等待自己，直到超时。</translation>
    </message>
    <message>
        <source>levels released</source>
        <translation>释放的层数</translation>
    </message>
    <message>
        <source>The connection breaks after the lock is acquired, before the reply arrives.</source>
        <translation>锁已获取，但连接在应答到达前中断。</translation>
    </message>
    <message>
        <source>A blind retry counts twice and leaks the lock. A check or a repeatable request prevents the leak.</source>
        <translation>盲目重试会计数两次并泄漏锁。先检查或可重复的请求可防止泄漏。</translation>
    </message>
    <message>
        <source>Gap in release</source>
        <translation>释放中的间隙</translation>
    </message>
    <message>
        <source>A holder pauses in its release until another owner has the lock. A third worker waits.</source>
        <translation>持有者在释放中暂停，直到另一个持有者得到锁。第三个工作线程在等待。</translation>
    </message>
    <message>
        <source>Check-then-delete deletes the other owner&apos;s lock. The watched transaction and the script delete nothing.</source>
        <translation>先检查后删除会删除他人的锁。受监视的事务和脚本不删除任何内容。</translation>
    </message>
    <message>
        <source>pauses</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>refused transactions</source>
        <translation>被拒绝的事务</translation>
    </message>
    <message>
        <source>most waiters per lock</source>
        <translation>每个锁的等待者上限</translation>
    </message>
    <message>
        <source>most dead waiters per lock (0)</source>
        <translation>每个锁的失效等待者上限（0）</translation>
    </message>
    <message>
        <source>longest hold of one owner</source>
        <translation>单个持有者的最长持有时间</translation>
    </message>
    <message>
        <source>unusual hold, from TIMES the key&apos;s median; 0: off (10)</source>
        <translation>异常持有：达到该键中位数的 TIMES 倍；0：关闭（10）</translation>
    </message>
    <message>
        <source>as found, or reentrant</source>
        <translation>与现有锁相同，否则 reentrant</translation>
    </message>
    <message>
        <source>until Ctrl-C</source>
        <translation>直到 Ctrl-C</translation>
    </message>
    <message>
        <source>5; first scan: 25</source>
        <translation>5；首次扫描：25</translation>
    </message>
    <message>
        <source>as found</source>
        <translation>与现有锁相同</translation>
    </message>
    <message>
        <source>3, maximum 30</source>
        <translation>3，最多 30</translation>
    </message>
    <message>
        <source>Effects of force-expire:</source>
        <translation>强制过期的影响：</translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s)</source>
        <translation>
            <numerusform>%1 个锁</numerusform>
        </translation>
    </message>
    <message>
        <source>Change feed</source>
        <translation>变更通知</translation>
    </message>
    <message>
        <source>Request: %1</source>
        <translation>请申请：%1</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>Expected: %1</source>
        <translation>预期：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s)</source>
        <translation>
            <numerusform>%n 个锁</numerusform>
        </translation>
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
        <source>More commands</source>
        <translation>更多命令</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>查找命令</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>Owners</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Audit log</source>
        <translation>审计日志</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>服务器(&amp;S)</translation>
    </message>
    <message>
        <source>Not connected to the server.</source>
        <translation>未连接到服务器。</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 及另外 %2 个</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>owners: %1</source>
        <translation>持有者：%1</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>%1: hash chain broken at line %2: %3.</source>
        <translation>%1：哈希链在第 %2 行断裂：%3。</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Environment</source>
        <translation>环境(&amp;E)</translation>
    </message>
    <message>
        <source>Permissions</source>
        <translation>权限</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>锁类型</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Lock %1</source>
        <translation>锁 %1</translation>
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
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>到 %1 为止</translation>
    </message>
    <message>
        <source>Permit expired; the next request can take it</source>
        <translation>许可已过期，下一个请求者可获取</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
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
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message numerus="yes">
        <source>%1 key(s)</source>
        <translation>
            <numerusform>%1 个键</numerusform>
        </translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>&amp;Lease in seconds</source>
        <translation>租约（秒）(&amp;L)</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>The lock is gone</source>
        <translation>锁已不存在</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
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
        <source>With waiters</source>
        <translation>有等待者</translation>
    </message>
    <message>
        <source>Expiring</source>
        <translation>即将过期</translation>
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
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Certainty</source>
        <translation>确定性</translation>
    </message>
    <message>
        <source>No quorum</source>
        <translation>未达多数</translation>
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
        <source>No permission</source>
        <translation>无权限</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Gone</source>
        <translation>已消失</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Recording to %1</source>
        <translation>正在录制到 %1</translation>
    </message>
    <message>
        <source>A failover is under way.</source>
        <translation>故障转移正在进行。</translation>
    </message>
    <message>
        <source>This moment is being read</source>
        <translation>正在读取这一时刻</translation>
    </message>
    <message>
        <source>Copy ACL rule</source>
        <translation>复制 ACL 规则</translation>
    </message>
    <message>
        <source>Simulation</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>TTL</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>two sentences, one after the other</comment>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>Queue head: %1.</source>
        <translation>队首：%1。</translation>
    </message>
    <message>
        <source>A message on the channel %1 wakes one waiting thread per process.</source>
        <translation>频道 %1 上的消息会唤醒每个进程的一个等待线程。</translation>
    </message>
    <message>
        <source>A message on the channel %1 wakes all waiters.</source>
        <translation>频道 %1 上的消息会唤醒所有等待者。</translation>
    </message>
    <message>
        <source>A message wakes the queued waiters up to the first that is subscribed here.</source>
        <translation>消息会唤醒队列中直到第一个在此处订阅的等待者。</translation>
    </message>
    <message>
        <source>A message wakes the first subscribed waiter in the queue.</source>
        <translation>消息会唤醒队列中第一个已订阅的等待者。</translation>
    </message>
    <message>
        <source>The lock is handed to the first waiter in the queue that has not timed out.</source>
        <translation>锁会移交给队列中第一个未超时的等待者。</translation>
    </message>
    <message>
        <source>The lock is handed to the first subscribed waiter in the queue.</source>
        <translation>锁会移交给队列中第一个已订阅的等待者。</translation>
    </message>
    <message>
        <source>No waiter is notified; polling clients find the lock free.</source>
        <translation>不会通知等待者；轮询的客户端会发现锁已空闲。</translation>
    </message>
    <message numerus="yes">
        <source>%n process(es) subscribed to its channel.</source>
        <translation>
            <numerusform>%n 个进程订阅了其频道。</numerusform>
        </translation>
    </message>
    <message>
        <source>Its release deletes the key unchecked, even the next owner&apos;s lock.</source>
        <translation>释放时不经检查就删除该键，即使锁已由下一个持有者持有。</translation>
    </message>
    <message>
        <source>The holder&apos;s next renewal may write the lock again. Stop that process first.</source>
        <translation>持有者进程的下次续期可能重新写入锁。请先停止该进程。</translation>
    </message>
    <message>
        <source>The holder&apos;s process exits when its next renewal finds the lock gone.</source>
        <translation>下次续期发现锁已不在时，持有者进程会退出。</translation>
    </message>
    <message>
        <source>If the family is %1: %2</source>
        <translation>若锁类型为 %1：%2</translation>
    </message>
    <message>
        <source>Waiters are not woken. Add a family rule first.</source>
        <translation>不会唤醒等待者。请先添加锁类型规则。</translation>
    </message>
    <message>
        <source>The time left is compared too; if it has risen, nothing is changed.</source>
        <translation>还会比较剩余时间；若有增加，则不做更改。</translation>
    </message>
    <message>
        <source>The next owner&apos;s lock may be expired instead.</source>
        <translation>过期的可能是下一个持有者的锁。</translation>
    </message>
    <message>
        <source>The holder is not notified and may still be working.</source>
        <translation>不会通知持有者进程，它可能仍在工作。</translation>
    </message>
    <message>
        <source>Its release may fail, do nothing, or delete the next owner&apos;s lock.</source>
        <translation>释放时可能失败、无效果，或删除下一个持有者的锁。</translation>
    </message>
    <message>
        <source>The holder is not notified and does not notice.</source>
        <translation>不会通知持有者进程，它也不会察觉。</translation>
    </message>
    <message>
        <source>Its release will fail.</source>
        <translation>其释放会失败。</translation>
    </message>
    <message>
        <source>Within about a minute another worker gets the job; the previous worker may still be running it.</source>
        <translation>约一分钟内作业会交给另一个工作进程；原来的工作进程可能仍在运行它。</translation>
    </message>
    <message>
        <source>Its next renewal will fail.</source>
        <translation>其下次续期会失败。</translation>
    </message>
    <message>
        <source>The holder&apos;s library notifies it at once.</source>
        <translation>持有者进程的库会立即通知它。</translation>
    </message>
    <message>
        <source>On exit it deletes the key unchecked, even the next owner&apos;s lock.</source>
        <translation>退出时不经检查就删除该键，即使锁已由下一个持有者持有。</translation>
    </message>
    <message>
        <source>Deletes the key if its content is unchanged. Whether it is a lock is unknown.</source>
        <translation>仅当内容未变时删除该键。是否是锁未知。</translation>
    </message>
    <message>
        <source>None: not a recognized lock.</source>
        <translation>无：不是可识别的锁。</translation>
    </message>
    <message>
        <source>If the holder still renews the lock, a grace period has no effect.</source>
        <translation>若持有者进程仍在续期，宽限期不起作用。</translation>
    </message>
    <message>
        <source>Runs on %1 of %2 servers of the group, except those that name another owner.</source>
        <translation>在该组 %2 个服务器中的 %1 个上执行，持有者不同的除外。</translation>
    </message>
    <message>
        <source>If on several servers, connect to them as one Redlock group first.</source>
        <translation>若锁在多个服务器上，请先作为 Redlock 组连接。</translation>
    </message>
    <message>
        <source>To end the deadlock, force-expire one of its locks.</source>
        <translation>要解除死锁，请强制过期其中一个锁。</translation>
    </message>
    <message>
        <source>No effect: %1 is not subscribed here, but %2.</source>
        <translation>无效果：%1 未在此处订阅，但%2。</translation>
    </message>
    <message>
        <source>If %1 is not subscribed, it is removed from the queue. If still running, it rejoins at the end.</source>
        <translation>若 %1 未订阅，会将其移出队列。若它仍在运行，会重新加入队尾。</translation>
    </message>
    <message>
        <source>The next waiter acquires the free lock at its next attempt.</source>
        <translation>下一个等待者在其下次尝试时获取空闲的锁。</translation>
    </message>
    <message>
        <source>The next waiter is woken.</source>
        <translation>会唤醒下一个等待者。</translation>
    </message>
    <message>
        <source>If the lock is still free: removes timed-out waiters at the queue head, then wakes the first waiter, %1.</source>
        <translation>若锁仍空闲：移除队首已超时的等待者，然后唤醒首位等待者 %1。</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 微秒</translation>
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
        <source>Host of %1 not found. Check spelling and DNS.</source>
        <translation>找不到 %1 的主机。请检查拼写和 DNS。</translation>
    </message>
    <message>
        <source>%1 refused the connection. Check the address and the server.</source>
        <translation>%1 拒绝连接。请检查地址和服务器。</translation>
    </message>
    <message>
        <source>%1 did not answer in time. Check the address and any firewall.</source>
        <translation>%1 未及时应答。请检查地址和防火墙。</translation>
    </message>
    <message>
        <source>The socket %1 cannot be opened. Check the server and your permissions.</source>
        <translation>无法打开套接字 %1。请检查服务器和权限。</translation>
    </message>
    <message>
        <source>No secure connection to %1. Check the certificates and the port.</source>
        <translation>无法与 %1 建立安全连接。请检查证书和端口。</translation>
    </message>
    <message>
        <source>A node of the cluster at %1 cannot be reached. Check it, or use --node-address.</source>
        <translation>无法连接 %1 集群的一个节点。请检查，或使用 --node-address。</translation>
    </message>
    <message>
        <source>%1 is not counted in the Redlock group. Give independent primaries.</source>
        <translation>%1 不计入 Redlock 组。请给出独立的主节点。</translation>
    </message>
    <message>
        <source>The primary that the Sentinels name for %1 cannot be reached. Check it, or use --node-address.</source>
        <translation>无法连接哨兵为 %1 给出的主节点。请检查，或使用 --node-address。</translation>
    </message>
    <message>
        <source>No Sentinel names the primary of %1. Check their addresses.</source>
        <translation>没有哨兵给出 %1 的主节点。请检查其地址。</translation>
    </message>
    <message>
        <source>The Sentinels know no usable replica of %1. Check the replicas, or read from the primary.</source>
        <translation>哨兵不知道 %1 的可用副本。请检查副本，或从主节点读取。</translation>
    </message>
    <message>
        <source>No SSH connection for %1. Check host and network.</source>
        <translation>%1 没有 SSH 连接。请检查主机和网络。</translation>
    </message>
    <message>
        <source>The SSH host cannot reach %1. Check the address as seen from there.</source>
        <translation>SSH 主机无法连接 %1。请检查从该处所见的地址。</translation>
    </message>
    <message>
        <source>The connection to %1 failed. Check the network.</source>
        <translation>与 %1 的连接失败。请检查网络。</translation>
    </message>
    <message>
        <source>%1 is not a Redis or Valkey server, or expects TLS. Check the port.</source>
        <translation>%1 不是 Redis 或 Valkey 服务器，或要求 TLS。请检查端口。</translation>
    </message>
    <message>
        <source>Not connected to %1; nothing was sent.</source>
        <translation>未连接 %1；未发送任何请求。</translation>
    </message>
    <message>
        <source>The request to %1 was canceled before sending.</source>
        <translation>发往 %1 的请求在发送前已取消。</translation>
    </message>
    <message>
        <source>Outcome unknown: the connection to %1 was lost after sending. Check the lock before retrying.</source>
        <translation>结果未知：请求发送后与 %1 的连接断开。重试前请先查看锁。</translation>
    </message>
    <message>
        <source>%1 requires a password, perhaps with a user name.</source>
        <translation>%1 要求密码，可能还需要用户名。</translation>
    </message>
    <message>
        <source>%1 refused the user name or password. Check both.</source>
        <translation>%1 拒绝了用户名或密码。请检查两者。</translation>
    </message>
    <message>
        <source>This user lacks a permission on %1. Request it.</source>
        <translation>该用户在 %1 上缺少权限，请申请。</translation>
    </message>
    <message>
        <source>%1 is still loading its data. Retry later.</source>
        <translation>%1 仍在加载数据。请稍后重试。</translation>
    </message>
    <message>
        <source>%1 is running another client&apos;s script. Retry later.</source>
        <translation>%1 正在运行其他客户端的脚本。请稍后重试。</translation>
    </message>
    <message>
        <source>Nothing was done: the nodes at %1 disagree about this key&apos;s slot. Retry.</source>
        <translation>未执行：%1 的各节点对此键所在的槽不一致。请重试。</translation>
    </message>
    <message>
        <source>Nothing was done: the cluster at %1 is moving this key. Retry.</source>
        <translation>未执行：%1 的集群正在迁移此键。请重试。</translation>
    </message>
    <message>
        <source>This key&apos;s node in the cluster at %1 is down. Check the node.</source>
        <translation>%1 集群中保存该键的节点不可用。请检查该节点。</translation>
    </message>
    <message>
        <source>%1 is moving keys between nodes. Retry.</source>
        <translation>%1 正在节点间迁移键。请重试。</translation>
    </message>
    <message>
        <source>The cluster of %1 is down. Check its nodes.</source>
        <translation>%1 所属的集群已下线。请检查其节点。</translation>
    </message>
    <message>
        <source>Nothing was done: this lock&apos;s keys are in different slots of %1. Use a {hash tag}.</source>
        <translation>未执行：此锁的键位于 %1 的不同槽。请使用 {hash tag}。</translation>
    </message>
    <message>
        <source>%1 is a read-only replica. Connect to its primary.</source>
        <translation>%1 是只读副本。请连接其主节点。</translation>
    </message>
    <message>
        <source>%1 rejects writes: saving to disk fails. Check its disk.</source>
        <translation>%1 拒绝写入：保存到磁盘失败。请检查磁盘。</translation>
    </message>
    <message>
        <source>%1 is out of memory. Locks can still be released.</source>
        <translation>%1 内存不足。仍可释放锁。</translation>
    </message>
    <message>
        <source>%1 rejects writes: too few replicas in sync.</source>
        <translation>%1 拒绝写入：同步的副本太少。</translation>
    </message>
    <message>
        <source>%1 is a replica without its primary. Connect to another server.</source>
        <translation>%1 是失去主节点的副本。请连接其他服务器。</translation>
    </message>
    <message>
        <source>%1 lost the script that was just sent. Retry.</source>
        <translation>%1 丢失了刚刚发送的脚本。请重试。</translation>
    </message>
    <message>
        <source>The key on %1 does not have this family&apos;s data type.</source>
        <translation>%1 上的键的数据类型与此锁类型不符。</translation>
    </message>
    <message>
        <source>%1 has reached maxclients. Retry later, or raise it.</source>
        <translation>%1 已达到 maxclients。请稍后重试或提高它。</translation>
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
        <source>The scan of %1 cannot complete; locks may be missing. Check any proxy.</source>
        <translation>%1 的扫描无法完成，可能缺少锁。请检查代理。</translation>
    </message>
    <message>
        <source>%1 has too many locks; some are missing. Narrow the patterns.</source>
        <translation>%1 上的锁过多，缺少部分锁。请缩小键模式的范围。</translation>
    </message>
    <message>
        <source>Refused by read-only mode. Nothing was sent to %1.</source>
        <translation>只读模式已拒绝。未向 %1 发送任何请求。</translation>
    </message>
    <message>
        <source>Nothing was sent to %1: its environment requires confirmation.</source>
        <translation>未向 %1 发送任何内容：其环境要求确认。</translation>
    </message>
    <message>
        <source>Nothing was sent to %1: the audit log cannot be written.</source>
        <translation>未向 %1 发送：审计日志无法写入。</translation>
    </message>
    <message>
        <source>A Sentinel of %1 refused the request.</source>
        <translation>%1 的哨兵拒绝了请求。</translation>
    </message>
    <message>
        <source>The SSH connection for %1 was refused.</source>
        <translation>用于 %1 的 SSH 连接被拒绝。</translation>
    </message>
    <message>
        <source>The recording of %1 cannot be read or written.</source>
        <translation>%1 的录制文件无法读取或写入。</translation>
    </message>
    <message>
        <source>This request is not possible on %1.</source>
        <translation>无法向 %1 提出此请求。</translation>
    </message>
    <message>
        <source>A required program did not start.</source>
        <translation>所需的程序未能启动。</translation>
    </message>
    <message>
        <source>No permission for “%1” on %2. Request +%1.</source>
        <translation>在 %2 上无权执行“%1”。请申请 +%1。</translation>
    </message>
    <message>
        <source>This user may not access a key on %1. Request a matching pattern (~…).</source>
        <translation>该用户无权访问 %1 上的键。请申请匹配的模式 (~…)。</translation>
    </message>
    <message>
        <source>the server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>No secure connection to %1: %2.</source>
        <translation>无法与 %1 建立安全连接：%2。</translation>
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
        <source>node %1 (random per process)</source>
        <translation>节点 %1（每个进程随机产生）</translation>
    </message>
    <message>
        <source>network address %1</source>
        <translation>网络地址 %1</translation>
    </message>
    <message>
        <source>nothing</source>
        <comment>evidence</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>Searched by default.</source>
        <translation>默认会查找。</translation>
    </message>
    <message>
        <source>Only counted by default; shown with --pattern.</source>
        <translation>默认只计数；给出 --pattern 时显示。</translation>
    </message>
    <message>
        <source>Not searched; the names help identify the family.</source>
        <translation>不搜索；键名只用于识别锁类型。</translation>
    </message>
    <message>
        <source>no family fits</source>
        <translation>不符合任何锁类型</translation>
    </message>
    <message>
        <source>certain: nothing else looks like this</source>
        <translation>确定：内容特征唯一</translation>
    </message>
    <message>
        <source>likely: other content rarely looks like this</source>
        <translation>很可能：其他内容很少有此特征</translation>
    </message>
    <message>
        <source>ambiguous: the content fits several families</source>
        <translation>不确定：内容符合多个锁类型</translation>
    </message>
    <message>
        <source>first tried at %1 (its clock)</source>
        <translation>于 %1 首次尝试（以其时钟为准）</translation>
    </message>
    <message>
        <source>acquired at %1 (its clock)</source>
        <translation>于 %1 获取（以其时钟为准）</translation>
    </message>
    <message>
        <source>host %1</source>
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
        <source>permit %1</source>
        <translation>许可 %1</translation>
    </message>
    <message>
        <source>transaction %1</source>
        <translation>事务 %1</translation>
    </message>
    <message>
        <source>job %1</source>
        <translation>作业 %1</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>类 %1</translation>
    </message>
    <message>
        <source>queue %1</source>
        <translation>队列 %1</translation>
    </message>
    <message>
        <source>token number %1</source>
        <translation>令牌序号 %1</translation>
    </message>
    <message>
        <source>value with hash %1</source>
        <translation>哈希为 %1 的值</translation>
    </message>
    <message>
        <source>metadata: %1</source>
        <translation>元数据：%1</translation>
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
        <source>used the key (%1)</source>
        <translation>使用了此键（%1）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>client, library</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Candidates by client library: %1.</source>
        <translation>按客户端库判断的候选类型：%1。</translation>
    </message>
    <message>
        <source>Weak token: all holders write the same text.</source>
        <translation>弱令牌：所有持有者都写入相同的文本。</translation>
    </message>
    <message>
        <source>Weak token: another holder may have the same number.</source>
        <translation>弱令牌：其他持有者可能有相同的数字。</translation>
    </message>
    <message>
        <source>Weak token: a time identifies no holder.</source>
        <translation>弱令牌：时间不能标识持有者。</translation>
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
        <source>subscribers</source>
        <comment>evidence</comment>
        <translation>订阅者</translation>
    </message>
    <message>
        <source>your rule</source>
        <comment>evidence</comment>
        <translation>您的规则</translation>
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
        <source>Stored as: %1</source>
        <translation>存储形式：%1</translation>
    </message>
    <message>
        <source>Usual names: %1</source>
        <translation>常用键名：%1</translation>
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
        <source>The holder renews the lease.</source>
        <translation>持有者进程会续期。</translation>
    </message>
    <message>
        <source>Some holders renew the lease.</source>
        <translation>部分持有者进程会续期。</translation>
    </message>
    <message>
        <source>No expiry by default.</source>
        <translation>默认无过期时间。</translation>
    </message>
    <message>
        <source>From: %1</source>
        <translation>来源：%1</translation>
    </message>
    <message>
        <source>Expires in %1.</source>
        <translation>将在 %1后过期。</translation>
    </message>
    <message>
        <source>Holds ended: %1.</source>
        <translation>已结束的持有：%1。</translation>
    </message>
    <message>
        <source>Hold count: %1.</source>
        <translation>重入次数：%1。</translation>
    </message>
    <message>
        <source>Outcome unknown: the connection was lost after sending.</source>
        <translation>结果未知：请求发送后连接断开。</translation>
    </message>
    <message>
        <source>Outcome unknown: the reply was not awaited.</source>
        <translation>结果未知：未等待应答。</translation>
    </message>
    <message>
        <source>Outcome unknown: too few servers of the group confirmed it.</source>
        <translation>结果未知：确认的服务器太少。</translation>
    </message>
    <message>
        <source>Outcome unknown: the server sent an unexpected reply.</source>
        <translation>结果未知：服务器返回了意外的应答。</translation>
    </message>
    <message>
        <source>Outcome unknown: the script failed, possibly after a change.</source>
        <translation>结果未知：脚本出错，此前可能已作更改。</translation>
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
        <source>Rejected: another owner holds the lock.</source>
        <translation>已拒绝，未执行：锁由另一持有者持有。</translation>
    </message>
    <message>
        <source>The lock was released.</source>
        <translation>已释放锁。</translation>
    </message>
    <message>
        <source>One hold was released; the lock is still held.</source>
        <translation>已释放一次持有；锁仍被持有。</translation>
    </message>
    <message>
        <source>Rejected: this owner does not hold the lock.</source>
        <translation>已拒绝，未执行：此持有者未持有锁。</translation>
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
        <source>The lock was already gone.</source>
        <translation>锁已不存在。</translation>
    </message>
    <message>
        <source>Rejected: the owner has changed.</source>
        <translation>已拒绝，未执行：持有者已改变。</translation>
    </message>
    <message>
        <source>Rejected: the hold count has changed.</source>
        <translation>已拒绝，未执行：重入次数已改变。</translation>
    </message>
    <message>
        <source>Rejected: not a recognized lock.</source>
        <translation>已拒绝，未执行：不是可识别的锁。</translation>
    </message>
    <message>
        <source>Rejected: the hold count is invalid.</source>
        <translation>已拒绝，未执行：重入次数无效。</translation>
    </message>
    <message>
        <source>The waiter was removed from the queue.</source>
        <translation>已从队列中移除等待者。</translation>
    </message>
    <message>
        <source>The waiter is not in the queue.</source>
        <translation>等待者不在队列中。</translation>
    </message>
    <message>
        <source>Rejected: the waiter is subscribed, so it is alive.</source>
        <translation>已拒绝，未执行：等待者已订阅频道，说明仍存活。</translation>
    </message>
    <message>
        <source>Rejected: the time left has risen (renewed or acquired again).</source>
        <translation>已拒绝：剩余时间增加（已续期或重新获取）。</translation>
    </message>
    <message>
        <source>Rejected: the waiter may be subscribed on another server. A dead waiter times out by itself.</source>
        <translation>已拒绝，未执行：等待者可能订阅在另一服务器上。失效等待者会自行超时。</translation>
    </message>
    <message>
        <source>The first waiter in the queue was woken.</source>
        <translation>已唤醒队列中的第一个等待者。</translation>
    </message>
    <message>
        <source>Undone: the lock was renewed during the grace period.</source>
        <translation>未生效：锁在宽限期内已续期。</translation>
    </message>
    <message>
        <source>Rejected: the lock is held; its release wakes the queue.</source>
        <translation>已拒绝，未执行：锁正被持有，其释放会唤醒队列。</translation>
    </message>
    <message>
        <source>The queue has no waiters.</source>
        <translation>队列中没有等待者。</translation>
    </message>
    <message>
        <source>The queue head was notified, but is not subscribed here. If it is dead, use remove-waiter.</source>
        <translation>已通知队首等待者，但其未在此处订阅。若已失效，请使用 remove-waiter。</translation>
    </message>
    <message>
        <source>No majority. %1</source>
        <translation>未达多数。%1</translation>
    </message>
    <message>
        <source>%1: %2 gone.</source>
        <translation>%1：%2消失。</translation>
    </message>
    <message>
        <source>Locks acquired just before may be lost while their holders still work.</source>
        <translation>此前刚获取的锁可能已丢失，而其持有者进程可能仍在工作。</translation>
    </message>
    <message>
        <source>The database was flushed</source>
        <translation>数据库已清空</translation>
    </message>
    <message>
        <source>The database was swapped (SWAPDB)</source>
        <translation>数据库已交换（SWAPDB）</translation>
    </message>
    <message>
        <source>The server was restarted or replaced</source>
        <translation>服务器已重启或更换</translation>
    </message>
    <message>
        <source>%1 took over from %2</source>
        <translation>%1 已接替 %2</translation>
    </message>
    <message>
        <source>The database was found empty</source>
        <translation>数据库已为空</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a server of a group, what befell it</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Locks still held by a majority: %1.</source>
        <translation>多数服务器仍持有的锁：%1 个。</translation>
    </message>
    <message>
        <source>Done on %1 of %2 servers.</source>
        <translation>已在 %2 个服务器中的 %1 个上完成。</translation>
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
        <source>Invalid hold count: must be a whole number of at least 1.</source>
        <translation>重入次数无效：应为不小于 1 的整数。</translation>
    </message>
    <message>
        <source>Several owners; this family allows one.</source>
        <translation>有多个持有者，而此锁类型只允许一个。</translation>
    </message>
    <message>
        <source>The key has a lock&apos;s name, but not a lock&apos;s value.</source>
        <translation>键的名称像锁，但其值不是锁。</translation>
    </message>
    <message>
        <source>The value is too big; only a part is shown.</source>
        <translation>值过大，仅显示一部分。</translation>
    </message>
    <message>
        <source>Dead waiter: delays any waiter behind it until its timeout.</source>
        <translation>失效等待者：在其超时前会拖延其后的等待者。</translation>
    </message>
    <message>
        <source>Orphaned queue: the lock is gone, and nothing wakes its waiters.</source>
        <translation>孤立队列：锁已不存在，无法唤醒其等待者。</translation>
    </message>
    <message>
        <source>The previous owner rewrote the lock after force-expire.</source>
        <translation>强制过期后，原持有者又写回了锁。</translation>
    </message>
    <message>
        <source>Deadlock: this lock is in a cycle of waits.</source>
        <translation>死锁：此锁处于等待环中。</translation>
    </message>
    <message>
        <source>No quorum: another client may acquire the lock.</source>
        <translation>未达多数：其他客户端可能获取锁。</translation>
    </message>
    <message>
        <source>Servers name different owners.</source>
        <translation>各服务器的持有者不一致。</translation>
    </message>
    <message>
        <source>No permission to read this lock any more; data is old.</source>
        <translation>不再有读取此锁的权限，数据已过时。</translation>
    </message>
    <message>
        <source>alive; dead in %1 without a heartbeat</source>
        <translation>存活；若无心跳，%1后视为失效</translation>
    </message>
    <message>
        <source>alive when it was read</source>
        <translation>读取时存活</translation>
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
        <source>%1: no permission for the command or the key: “%2”</source>
        <translation>%1：无权执行命令或访问键：“%2”</translation>
    </message>
    <message numerus="yes">
        <source>%1 key(s) cannot be read: no permission.</source>
        <translation>
            <numerusform>%1 个键无法读取：无权限。</numerusform>
        </translation>
    </message>
    <message>
        <source>Request what is missing of: %1</source>
        <translation>请申请其中缺少的权限：%1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>servers</comment>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>The key is on %1 of %2 servers and names no owner.</source>
        <translation>此键存在于 %2 个服务器中的 %1 个上，其中没有持有者。</translation>
    </message>
    <message>
        <source>held on %1 of %2 servers; %3 are needed</source>
        <translation>在 %2 个服务器中的 %1 个上被持有；需要 %3 个</translation>
    </message>
    <message>
        <source>Quorum: %1.</source>
        <translation>已达多数：%1。</translation>
    </message>
    <message>
        <source>No quorum: %1.</source>
        <translation>未达多数：%1。</translation>
    </message>
    <message>
        <source>Quorum unknown: %1.</source>
        <translation>是否达到多数未知：%1。</translation>
    </message>
    <message>
        <source>held, no expiry</source>
        <translation>被持有，无过期时间</translation>
    </message>
    <message>
        <source>held, %1 left</source>
        <translation>被持有，剩余 %1</translation>
    </message>
    <message>
        <source>other owner: %1, no expiry</source>
        <translation>其他持有者：%1，无过期时间</translation>
    </message>
    <message>
        <source>other owner: %1, %2 left</source>
        <translation>其他持有者：%1，剩余 %2</translation>
    </message>
    <message>
        <source>a value that names no owner</source>
        <comment>a key on a server</comment>
        <translation>值中没有持有者</translation>
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
        <source>; </source>
        <comment>between owners</comment>
        <translation>；</translation>
    </message>
    <message>
        <source>owner %1</source>
        <translation>持有者 %1</translation>
    </message>
    <message>
        <source>owner %1, hold count %2</source>
        <translation>持有者 %1，重入次数 %2</translation>
    </message>
    <message>
        <source>No expected owner in the part that was read.</source>
        <translation>已读取的部分中没有预期持有者。</translation>
    </message>
    <message>
        <source>No expected owner holds the lock.</source>
        <translation>预期持有者都已不再持有锁。</translation>
    </message>
    <message>
        <source>Expected owners still holding the lock: %1.</source>
        <translation>仍持有锁的预期持有者：%1。</translation>
    </message>
    <message>
        <source>Recheck failed. Check the key before retrying.</source>
        <translation>复查失败。重试前请先查看该键。</translation>
    </message>
    <message>
        <source>Recheck: the key does not exist.</source>
        <translation>复查结果：该键不存在。</translation>
    </message>
    <message>
        <source>Recheck: the key belongs to the lock %1.</source>
        <translation>复查结果：该键属于锁 %1。</translation>
    </message>
    <message>
        <source>Recheck: probably not a lock.</source>
        <translation>复查结果：可能不是锁。</translation>
    </message>
    <message>
        <source>Recheck: the key exists; its owner cannot be read.</source>
        <translation>复查结果：该键存在；无法读取持有者。</translation>
    </message>
    <message>
        <source>Recheck failed: %1. Check the key before retrying.</source>
        <translation>复查失败：%1。重试前请先查看该键。</translation>
    </message>
    <message>
        <source>Recheck: %1.</source>
        <translation>复查结果：%1。</translation>
    </message>
    <message>
        <source>nothing was recorded</source>
        <translation>未录制</translation>
    </message>
    <message>
        <source>too many events to write</source>
        <translation>事件多到来不及写入</translation>
    </message>
    <message>
        <source>the file could not be written</source>
        <translation>文件无法写入</translation>
    </message>
    <message>
        <source>not all locks were known</source>
        <translation>并非所有锁都已知</translation>
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
        <source>== %1 ==</source>
        <translation>== %1 ==</translation>
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
        <source>The server may evict locks (maxmemory-policy %1). Keys evicted: %2</source>
        <translation>服务器可能驱逐锁（maxmemory-policy %1）。已驱逐的键：%2</translation>
    </message>
    <message>
        <source>The replica is copying data from %1; locks may be old or missing.</source>
        <translation>副本正在从 %1 复制数据，锁可能过时或缺失。</translation>
    </message>
    <message>
        <source>The replica has no link to %1; locks may be old.</source>
        <translation>副本与 %1 无连接，锁可能过时。</translation>
    </message>
    <message>
        <source>The replica lost its link to %1 %2 ago; later changes are missing.</source>
        <translation>副本与 %1 的连接已断开 %2；缺少此后的变化。</translation>
    </message>
    <message>
        <source>Read from a replica of %1; latest changes may be missing.</source>
        <translation>从 %1 的副本读取，可能缺少最新变更。</translation>
    </message>
    <message numerus="yes">
        <source>%1 slot(s) have no node; their locks are missing.</source>
        <translation>
            <numerusform>%1 个槽没有节点；其中的锁缺失。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 key(s) could not be read: no node answers.</source>
        <translation>
            <numerusform>%1 个键无法读取：没有节点应答。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <comment>strategies</comment>
        <translation>%1 和 %2</translation>
    </message>
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
    <message>
        <source>seed %1</source>
        <translation>随机种子 %1</translation>
    </message>
    <message>
        <source>stopped early</source>
        <translation>中途停止</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>of all attempts</comment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 valid, %2 voided</source>
        <translation>%1 有效，%2 作废</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>carried out, and planned</comment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>EXEC refused</source>
        <translation>EXEC 拒绝</translation>
    </message>
    <message>
        <source>%1: p50 %2, p95 %3, p99 %4, longest %5</source>
        <translation>%1：p50 %2，p95 %3，p99 %4，最长 %5</translation>
    </message>
    <message>
        <source>overlap before the lease expired</source>
        <translation>重叠（互斥失效）：租约尚未到期</translation>
    </message>
    <message>
        <source>overlap after lease expiry or server data loss</source>
        <translation>重叠：租约到期或服务器丢失数据之后</translation>
    </message>
    <message>
        <source>foreign release: another owner&apos;s lock deleted</source>
        <translation>误删他人锁</translation>
    </message>
    <message>
        <source>lock without expiry</source>
        <translation>无过期时间的锁</translation>
    </message>
    <message>
        <source>lost wake-up: lock free, waiter not woken</source>
        <translation>唤醒丢失：锁已空闲，等待者未被唤醒</translation>
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
        <source>leaked lock: still held after release</source>
        <translation>泄漏的锁：释放后仍被持有</translation>
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
        <source>Unknown: one reading does not show renewals.</source>
        <translation>未知：一次读取看不出是否续期。</translation>
    </message>
    <message>
        <source>Unknown: with this weak token, a renewal looks like a new holder.</source>
        <translation>未知：令牌过弱，无法区分续期与新的持有者。</translation>
    </message>
    <message>
        <source>Unknown: the content does not tell whether it is held.</source>
        <translation>未知：内容看不出是否被持有。</translation>
    </message>
    <message>
        <source>Unknown: no permission to read the lock any more.</source>
        <translation>未知：已无权读取该锁。</translation>
    </message>
    <message>
        <source>Unknown.</source>
        <translation>未知。</translation>
    </message>
    <message>
        <source>Renewed: a process keeps the lock alive.</source>
        <translation>正在续期：有进程保持该锁有效。</translation>
    </message>
    <message>
        <source>Renewed, but held longer than usual for this key.</source>
        <translation>正在续期，但持有时间长于此键的通常时间。</translation>
    </message>
    <message>
        <source>Renewal overdue: the holder is finishing, paused or dead.</source>
        <translation>续期超时：持有者进程即将完成、已暂停或已崩溃。</translation>
    </message>
    <message>
        <source>No renewal seen: the lease is running out.</source>
        <translation>未观察到续期：租约即将过期。</translation>
    </message>
    <message>
        <source>No expiry in Redis. The value is the time of acquisition or of expiry.</source>
        <translation>在 Redis 中无过期时间。其值为获取时间或过期时间。</translation>
    </message>
    <message>
        <source>No expiry in Redis: the value says when it ends.</source>
        <translation>Redis 中无过期时间：其值说明何时结束。</translation>
    </message>
    <message>
        <source>No expiry: only a release or force-expire ends the lock.</source>
        <translation>无过期时间：只有释放或强制过期才能结束此锁。</translation>
    </message>
    <message>
        <source>Nobody holds the lock; a dead waiter blocks the queue.</source>
        <translation>无人持有锁；失效等待者阻塞了队列。</translation>
    </message>
    <message>
        <source>Nobody holds the lock; nothing wakes its waiters.</source>
        <translation>无人持有锁，且没有什么会唤醒其等待者。</translation>
    </message>
    <message>
        <source>Let the holder finish: force-expire does not stop it.</source>
        <translation>请让持有者进程完成：强制过期不会使其停止。</translation>
    </message>
    <message>
        <source>Find out what the holder waits for; force-expire does not stop it.</source>
        <translation>请查明持有者进程在等什么；强制过期不会停止它。</translation>
    </message>
    <message>
        <source>Check the holder&apos;s process, or wait for the expiry.</source>
        <translation>请检查持有者进程，或等待过期。</translation>
    </message>
    <message>
        <source>Wait for the expiry.</source>
        <translation>请等待过期。</translation>
    </message>
    <message>
        <source>Force-expire only if the holder&apos;s process has ended.</source>
        <translation>仅当持有者进程已结束时才强制过期。</translation>
    </message>
    <message>
        <source>Remove the dead waiter.</source>
        <translation>请移除失效等待者。</translation>
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
        <source>First find out which application writes the key.</source>
        <translation>请先查明哪个应用写入此键。</translation>
    </message>
    <message>
        <source>Watch the lock for one lease, or find its clients.</source>
        <translation>请观察一个租约的时长，或查找其客户端。</translation>
    </message>
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
    <message>
        <source>Not saved: too large for PNG. Save as SVG.</source>
        <translation>未保存：对 PNG 太大，请存为 SVG。</translation>
    </message>
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
    <message numerus="yes">
        <source>%n server(s) of the Redlock group are not available</source>
        <translation>
            <numerusform>Redlock 组的 %n 个服务器不可用</numerusform>
        </translation>
    </message>
    <message>
        <source>locks are known only from the others</source>
        <translation>锁信息只来自其余服务器</translation>
    </message>
    <message>
        <source>no lock can be acquired</source>
        <translation>无法获取锁</translation>
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
        <source>gray rows are as last read</source>
        <translation>灰色行为最后读取的状态</translation>
    </message>
    <message>
        <source>its locks are not shown</source>
        <comment>of nodes</comment>
        <translation>其锁不显示</translation>
    </message>
    <message>
        <source>No Sentinel answers</source>
        <translation>没有哨兵应答</translation>
    </message>
    <message>
        <source>%1 is still connected; a failover is noticed late.</source>
        <translation>%1 仍保持连接；发现故障转移会延迟。</translation>
    </message>
    <message>
        <source>; </source>
        <comment>between two who wait for each other</comment>
        <translation>；</translation>
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
        <source>Still connected; scans again within a minute, or now with F5.</source>
        <translation>仍已连接；一分钟内重新扫描，或按 F5 立即扫描。</translation>
    </message>
    <message>
        <source>Still connected; retrying.</source>
        <translation>仍已连接，正在重试。</translation>
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
        <source>Gray rows may be outdated until all is read.</source>
        <translation>全部读取前，灰色行可能已过时。</translation>
    </message>
    <message>
        <source>Not all locks are known at this moment</source>
        <translation>此时刻并非所有锁都已知</translation>
    </message>
    <message>
        <source>%1. Gray rows are as last known.</source>
        <comment>why a recording lacks something</comment>
        <translation>%1。灰色行为最后已知的状态。</translation>
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
        <source>Go to the next known moment</source>
        <translation>转到下一个已知时刻</translation>
    </message>
    <message>
        <source>usual names of known families</source>
        <translation>已知锁类型的常用键名</translation>
    </message>
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
        <source>No locks at this moment</source>
        <translation>此时刻没有锁</translation>
    </message>
    <message>
        <source>Locks not known</source>
        <translation>锁未知</translation>
    </message>
    <message>
        <source>%1: the server pushes every change.</source>
        <translation>%1：服务器推送所有变更。</translation>
    </message>
    <message>
        <source>%1: the server pushes changes of known locks; scans find new ones.</source>
        <translation>%1：服务器推送已知锁的变更，扫描发现新锁。</translation>
    </message>
    <message>
        <source>%1: changes come as keyspace notifications.</source>
        <translation>%1：变更以键空间通知到达。</translation>
    </message>
    <message>
        <source>%1: known locks are polled; scans find new ones.</source>
        <translation>%1：轮询已知锁，扫描发现新锁。</translation>
    </message>
    <message>
        <source>The server reported that every key may have changed.</source>
        <translation>服务器报告所有键都可能已变更。</translation>
    </message>
    <message>
        <source>Another client published to the server&apos;s own channel.</source>
        <translation>其他客户端向服务器自有频道发布了消息。</translation>
    </message>
    <message>
        <source>The change feed&apos;s connection was lost.</source>
        <translation>变更通知的连接已断开。</translation>
    </message>
    <message>
        <source>The change feed stopped answering.</source>
        <translation>变更通知停止响应。</translation>
    </message>
    <message>
        <source>The server stopped pushing changes.</source>
        <translation>服务器停止推送变更。</translation>
    </message>
    <message>
        <source>%1 (%2 ago)</source>
        <comment>a change feed&apos;s gap</comment>
        <translation>%1（%2 前）</translation>
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
        <source>%1 All locks are read again.</source>
        <translation>%1 正在重新读取所有锁。</translation>
    </message>
    <message>
        <source>Known locks are polled; scans find new ones.</source>
        <translation>轮询已知锁，扫描发现新锁。</translation>
    </message>
    <message>
        <source>New locks are pushed only for patterns with a literal prefix.</source>
        <translation>只有带固定前缀的模式才能推送新锁。</translation>
    </message>
    <message>
        <source>A better mode is not available: %1</source>
        <translation>更好的方式不可用：%1</translation>
    </message>
    <message>
        <source>%1 is ready; reading its locks.</source>
        <translation>%1 已就绪，正在读取其锁。</translation>
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
        <source>A few are retried every %1, all now with F5.</source>
        <translation>每 %1 重试少量，或按 F5 立即全部重试。</translation>
    </message>
    <message>
        <source>Retried every %1, or now with F5.</source>
        <translation>每 %1 重试，或按 F5 立即重试。</translation>
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
        <source>No permission to scan: new locks may be missing.</source>
        <translation>无扫描权限：可能缺少新锁。</translation>
    </message>
    <message>
        <source>Some locks may no longer be read; shown as last read.</source>
        <translation>部分锁不再有读取权限，显示最后读取的状态。</translation>
    </message>
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
        <source>Holders were not notified and may still be working.</source>
        <translation>未通知持有者进程，它们可能仍在工作。</translation>
    </message>
    <message>
        <source>Likely this swap: most known locks went with it. Holders may still be working.</source>
        <translation>很可能由此次交换造成：大多数已知锁随之消失。持有者进程可能仍在工作。</translation>
    </message>
    <message>
        <source>The server came back with data.</source>
        <translation>服务器恢复后仍有数据。</translation>
    </message>
    <message>
        <source>The server came back empty.</source>
        <translation>服务器恢复后没有数据。</translation>
    </message>
    <message>
        <source>The server came back empty. Holders may still be working.</source>
        <translation>服务器恢复后为空。持有者进程可能仍在工作。</translation>
    </message>
    <message>
        <source>Locks acquired just before may be missing on %1; their holders may still be working.</source>
        <translation>之前刚获取的锁可能不在 %1 上；其持有者进程可能仍在工作。</translation>
    </message>
    <message>
        <source>Flushed, swapped, or all keys deleted or expired; the server does not report which.</source>
        <translation>被清空、交换，或所有键被删除或过期；服务器未说明是哪种。</translation>
    </message>
    <message>
        <source>%1 at %2; %3.</source>
        <translation>%1（%2）；%3。</translation>
    </message>
    <message>
        <source>The replica was emptied</source>
        <translation>副本已清空</translation>
    </message>
    <message numerus="yes">
        <source>%n more such event(s), the latest at %1.</source>
        <translation>
            <numerusform>另有 %n 次此类事件，最近一次 %1。</numerusform>
        </translation>
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
        <source>Number of attempts; a waiting worker counts once.</source>
        <translation>尝试次数；等待中的工作线程只计一次。</translation>
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
        <source>Wait p50</source>
        <translation>等待时间 P50</translation>
    </message>
    <message>
        <source>Wait p99</source>
        <translation>等待时间 P99</translation>
    </message>
    <message>
        <source>Longest wait</source>
        <translation>最长等待</translation>
    </message>
    <message>
        <source>Handoff p50</source>
        <translation>移交时间 P50</translation>
    </message>
    <message>
        <source>Median time from exit to the next entry.</source>
        <translation>从离开到下一次进入的中位时间。</translation>
    </message>
    <message>
        <source>Commands per acquisition</source>
        <translation>每次获取的命令数</translation>
    </message>
    <message>
        <source>Fairness</source>
        <translation>公平性</translation>
    </message>
    <message>
        <source>Jain&apos;s index: 1 if all workers acquired equally often.</source>
        <translation>Jain 指数：所有工作线程获取次数相同时为 1。</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>差距</translation>
    </message>
    <message>
        <source>Most minus fewest acquisitions of a worker.</source>
        <translation>各工作线程获取次数的最大差值。</translation>
    </message>
    <message>
        <source>Locks lost</source>
        <translation>锁丢失</translation>
    </message>
    <message>
        <source>Transactions refused because the lock had changed.</source>
        <translation>因锁已改变而被拒绝的事务。</translation>
    </message>
    <message>
        <source>Overlaps</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Times with two workers in the critical section.</source>
        <translation>两个工作线程同处临界区的次数。</translation>
    </message>
    <message>
        <source>Foreign releases</source>
        <translation>误删他人锁</translation>
    </message>
    <message>
        <source>Releases that deleted another owner&apos;s lock.</source>
        <translation>误删其他持有者锁的释放次数。</translation>
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
        <source>The lock was free, but a waiter was not woken.</source>
        <translation>锁已空闲，但等待者未被唤醒。</translation>
    </message>
    <message>
        <source>Repeated tokens</source>
        <translation>重复令牌</translation>
    </message>
    <message>
        <source>Fencing tokens that did not increase.</source>
        <translation>未递增的防护令牌。</translation>
    </message>
    <message>
        <source>Stale writes</source>
        <translation>过期写入</translation>
    </message>
    <message>
        <source>Accepted writes without the lock.</source>
        <translation>失去锁后仍被接受的写入。</translation>
    </message>
    <message>
        <source>Leaked locks</source>
        <translation>泄漏的锁</translation>
    </message>
    <message>
        <source>Locks still held after their worker released them.</source>
        <translation>工作线程释放后仍被持有的锁。</translation>
    </message>
    <message>
        <source>%1/acq.</source>
        <comment>for each acquisition</comment>
        <translation>%1/次</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/秒</translation>
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
        <source>The worker waits for a lock.</source>
        <translation>工作线程正在等待锁。</translation>
    </message>
    <message>
        <source>holding</source>
        <translation>持有中</translation>
    </message>
    <message>
        <source>In its critical section, holding the lock.</source>
        <translation>持有锁，处于临界区。</translation>
    </message>
    <message>
        <source>Paused with its clock, as in a garbage collection.</source>
        <translation>连同其时钟一起暂停，如垃圾回收。</translation>
    </message>
    <message>
        <source>Killed. Its lock stays until the lease expires; then another worker replaces it.</source>
        <translation>已被终止。其锁保留到租约过期，之后由另一个工作线程接替。</translation>
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
        <source>Inspector</source>
        <translation>详情面板</translation>
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
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
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
        <source>no expiry</source>
        <translation>永不过期</translation>
    </message>
    <message>
        <source>At %1</source>
        <translation>时间：%1</translation>
    </message>
    <message>
        <source>Expiry unknown: no permission. Grant +hpttl.</source>
        <translation>过期时间未知：无权限。请授予 +hpttl。</translation>
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
    <message>
        <source># First, in another terminal:</source>
        <translation># 先在另一个终端中运行：</translation>
    </message>
    <message>
        <source># Force-expires the lock only if owner and hold count are unchanged:</source>
        <translation># 仅当持有者和重入次数未变时强制过期：</translation>
    </message>
    <message>
        <source>Named process</source>
        <translation>已命名的进程</translation>
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
        <source>Renewal overdue for the usual watchdog: the holder is paused or crashed, unless the lease is fixed. Expires at %1.</source>
        <translation>按常见看门狗，续期已超时：除非租约固定，否则持有者进程已暂停或崩溃。%1 过期。</translation>
    </message>
    <message>
        <source>Renewal overdue: earlier renewals came with ≥ %1% of the lease left. The holder is finishing, paused or crashed. Expires at %2.</source>
        <translation>续期超时：以往续期时租约至少剩余 %1%。持有者进程即将结束、已暂停或崩溃。%2 过期。</translation>
    </message>
    <message>
        <source>No permission to read any more. Last read %1 ago; may have been released.</source>
        <translation>不再有读取权限。%1 前最后读取，可能已释放。</translation>
    </message>
    <message>
        <source>Not a lock by its content; owner unknown.</source>
        <translation>从内容看不是锁，持有者未知。</translation>
    </message>
    <message>
        <source>Possibly a lock, by name or lease; may not be held.</source>
        <translation>从键名或租约看可能是锁，未必被持有。</translation>
    </message>
    <message>
        <source>Possibly a lock of an application&apos;s own format.</source>
        <translation>可能是应用自有格式的锁。</translation>
    </message>
    <message>
        <source>Not a recognized lock; owner unknown.</source>
        <translation>不是可识别的锁，持有者未知。</translation>
    </message>
    <message>
        <source>No expiry, as usual for this family. The holder may be gone.</source>
        <translation>无过期时间，此锁类型默认如此。持有者进程可能已不存在。</translation>
    </message>
    <message>
        <source>The lease has run out; rechecking.</source>
        <translation>租约已过期，正在复查。</translation>
    </message>
    <message numerus="yes">
        <source>Renewed %n time(s) while watched: a process keeps the lock alive.</source>
        <translation>
            <numerusform>监视期间已续期 %n 次：有进程在维持此锁。</numerusform>
        </translation>
    </message>
    <message>
        <source>Renewed: the holder is alive.</source>
        <translation>正在续期：持有者进程存活。</translation>
    </message>
    <message numerus="yes">
        <source>Renewed or acquired again %n time(s). Expires at %1 otherwise.</source>
        <translation>
            <numerusform>已续期或重新获取 %n 次。否则将于 %1 过期。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Renewed %n time(s) while watched, but not lately. Expires at %1 unless renewed.</source>
        <translation>
            <numerusform>监视期间续期 %n 次，但近期没有。若不续期，将于 %1 过期。</numerusform>
        </translation>
    </message>
    <message>
        <source>Re-entered while watched: the owner was alive then. Expires at %1 unless renewed.</source>
        <translation>监视期间有重入，当时持有者存活。若不续期，将于 %1 过期。</translation>
    </message>
    <message>
        <source>No renewal seen. Expires at %1 unless renewed.</source>
        <translation>未见续期。若不续期，将于 %1 过期。</translation>
    </message>
    <message>
        <source>As read %1 ago; later changes are unknown.</source>
        <translation>%1 前读取，之后的变化未知。</translation>
    </message>
    <message>
        <source>As read %1 ago: expires at %2 unless renewed or released since.</source>
        <translation>%1 前读取：若之后未续期或释放，将于 %2 过期。</translation>
    </message>
    <message>
        <source>Expiry was due at %1. Read %2 ago; later renewals are unknown.</source>
        <translation>应于 %1 过期。%2 前读取，之后是否续期未知。</translation>
    </message>
    <message>
        <source>a time beyond the calendar</source>
        <translation>超出日历范围的时间</translation>
    </message>
    <message>
        <source>Releases one or all levels as the owner.</source>
        <translation>以持有者身份释放一层或所有层。</translation>
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
        <source>Expires the lock if owner and hold count are unchanged. The holder is not notified.</source>
        <translation>仅当持有者和重入次数未变时使锁过期。不会通知持有者进程。</translation>
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
        <source>no quorum</source>
        <translation>未达多数</translation>
    </message>
    <message>
        <source>owners differ</source>
        <translation>持有者不一致</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>held unusually long</source>
        <translation>持有时间异常长</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>已过期</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n dead)</source>
        <translation>
            <numerusform>%1（%n 个已失效）</numerusform>
        </translation>
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
        <source>%n waiter(s) in the queue, all dead.</source>
        <translation>
            <numerusform>队列中有 %n 个等待者，全部失效。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n dead waiter(s), delaying any waiters behind.</source>
        <translation>
            <numerusform>%n 个失效等待者，会拖延其后的等待者。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %n waiter(s). Polling clients cannot be counted.</source>
        <translation>
            <numerusform>至少 %n 个等待者。轮询的客户端无法统计。</numerusform>
        </translation>
    </message>
    <message>
        <source>No waiters are known at the moment.</source>
        <translation>目前没有已知的等待者。</translation>
    </message>
    <message numerus="yes">
        <source>At least %n process(es) subscribed; threads are not counted.</source>
        <translation>
            <numerusform>至少 %n 个进程已订阅；线程无法统计。</numerusform>
        </translation>
    </message>
    <message>
        <source>No subscribed waiters. Polling clients cannot be counted.</source>
        <translation>没有已订阅的等待者。轮询的客户端无法统计。</translation>
    </message>
    <message>
        <source>No client waits for the lock of a job.</source>
        <translation>没有客户端等待作业的锁。</translation>
    </message>
    <message>
        <source>Unknown: the library is unknown, and polling leaves no trace.</source>
        <translation>未知：库未知，轮询不留痕迹。</translation>
    </message>
    <message>
        <source>Unknown: clients of such a lock only poll.</source>
        <translation>未知：这类锁的客户端只轮询。</translation>
    </message>
    <message>
        <source>Held far longer than usual for this key.</source>
        <translation>持有时间远长于此键的通常时间。</translation>
    </message>
    <message>
        <source>stalled</source>
        <translation>续期停滞</translation>
    </message>
    <message>
        <source>dead: not subscribed</source>
        <translation>已失效：未订阅频道</translation>
    </message>
    <message>
        <source>subscribed</source>
        <translation>已订阅</translation>
    </message>
    <message>
        <source>not subscribed now</source>
        <translation>当前未订阅</translation>
    </message>
    <message>
        <source>not subscribed here</source>
        <translation>此处看不到订阅</translation>
    </message>
    <message>
        <source>%1 holds %2 and waits for %3</source>
        <translation>%1 持有 %2，等待 %3</translation>
    </message>
    <message>
        <source>The owner waits for %1.</source>
        <translation>持有者正在等待 %1。</translation>
    </message>
    <message>
        <source>The owner waits for %1 (owner: %2).</source>
        <translation>持有者正在等待 %1（其持有者：%2）。</translation>
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
        <source>%1: %2 for this lock, %3 for locks of these waiters.</source>
        <translation>%1：%2 个等待此锁，%3 个等待这些等待者的锁。</translation>
    </message>
    <message>
        <source>Expire by %1 unless another client renews: %2.</source>
        <translation>最迟于 %1 过期（除非其他客户端续期）：%2。</translation>
    </message>
    <message>
        <source>Stay until removed (no expiry): %1.</source>
        <translation>一直存在，直到移除（无过期时间）：%1。</translation>
    </message>
    <message>
        <source>Stay for an unknown time: %1.</source>
        <translation>存在时长未知：%1。</translation>
    </message>
    <message>
        <source>Block waiters until %1 at the latest: %2.</source>
        <translation>最迟阻塞等待者到 %1：%2。</translation>
    </message>
    <message>
        <source>Block waiters without limit: %1.</source>
        <translation>无限期阻塞等待者：%1。</translation>
    </message>
    <message>
        <source>Block waiters for an unknown time: %1.</source>
        <translation>阻塞等待者，时长未知：%1。</translation>
    </message>
    <message numerus="yes">
        <source>share of %n lock(s)</source>
        <translation>
            <numerusform>%n 个共享锁中的份额</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %n waiter(s) in their queues.</source>
        <translation>
            <numerusform>其队列中至少有 %n 个等待者。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiter(s) in their queues.</source>
        <translation>
            <numerusform>其队列中有 %n 个等待者。</numerusform>
        </translation>
    </message>
    <message>
        <source>Subscriptions to these locks: %1. A process may have several.</source>
        <translation>对这些锁的订阅：%1。一个进程可能有多个。</translation>
    </message>
    <message>
        <source>Only dead waiters are known.</source>
        <translation>已知的只有失效等待者。</translation>
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
        <source>%n place(s) in wait queues would be dead.</source>
        <translation>
            <numerusform>等待队列中 %n 个位置将失效。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiter(s) behind these places.</source>
        <translation>
            <numerusform>这些位置之后有 %n 个等待者。</numerusform>
        </translation>
    </message>
    <message>
        <source>They may be blocked until %1 (waiters&apos; clock).</source>
        <translation>可能被阻塞到 %1（等待者时钟）。</translation>
    </message>
    <message>
        <source>They may be blocked for an unknown time.</source>
        <translation>可能被阻塞，时长未知。</translation>
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
        <source>If all owners on this host crashed now:</source>
        <translation>如果此主机上的所有持有者现在崩溃：</translation>
    </message>
    <message>
        <source>These locks may belong to different owners.</source>
        <translation>这些锁可能属于不同的持有者。</translation>
    </message>
    <message>
        <source>Nothing known would be left.</source>
        <translation>不会留下任何已知的锁。</translation>
    </message>
    <message numerus="yes">
        <source>renewal overdue on %n lock(s), latest since %1</source>
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
        <source>no sign seen</source>
        <translation>未观察到任何迹象</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n with signs of life</source>
        <comment>processes</comment>
        <translation>
            <numerusform>%n 个中 %1 个有存活迹象</numerusform>
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
        <source>%n owner ID(s) without one</source>
        <comment>processes</comment>
        <translation>
            <numerusform>%n 个持有者 ID 未指明进程</numerusform>
        </translation>
    </message>
    <message>
        <source>Processes: %1.</source>
        <translation>进程：%1。</translation>
    </message>
    <message>
        <source>Owners unknown</source>
        <translation>持有者未知</translation>
    </message>
    <message>
        <source>Acquisitions per worker</source>
        <translation>每个工作线程的获取次数</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令数</translation>
    </message>
    <message>
        <source>Round trip</source>
        <translation>往返时间</translation>
    </message>
    <message>
        <source>Winners per round</source>
        <translation>每轮赢家数</translation>
    </message>
    <message>
        <source>Server faults</source>
        <translation>服务器故障</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Held by %1.</source>
        <translation>持有者：%1。</translation>
    </message>
    <message>
        <source>Owners diffe&amp;r</source>
        <translation>持有者不一致(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Invalid hold count</source>
        <translation>重入次数无效(&amp;I)</translation>
    </message>
    <message>
        <source>Rewritten after force-ex&amp;pire</source>
        <translation>强制过期后又被写回(&amp;P)</translation>
    </message>
    <message>
        <source>no owner</source>
        <translation>无持有者</translation>
    </message>
    <message>
        <source>dead waiter %1</source>
        <translation>失效等待者 %1</translation>
    </message>
    <message>
        <source>deadlock with %1</source>
        <translation>与 %1 死锁</translation>
    </message>
    <message>
        <source>%1, waiter: %2</source>
        <translation>%1，等待者：%2</translation>
    </message>
    <message>
        <source>No locks in this recording</source>
        <translation>此录制中没有锁</translation>
    </message>
    <message numerus="yes">
        <source>%1 to %2: waited %3 in %n episode(s)</source>
        <translation>
            <numerusform>%1 至 %2：等待 %3，共 %n 段</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 for %2, others</source>
        <comment>a blocker, a time</comment>
        <translation>%1（%2）等</translation>
    </message>
    <message>
        <source>Blocked by</source>
        <translation>阻塞者</translation>
    </message>
    <message>
        <source>Waited</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>等待时段</translation>
    </message>
    <message>
        <source>Root blocker</source>
        <translation>根阻塞者</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>&amp;Opposite lock order</source>
        <translation>相反的加锁顺序(&amp;O)</translation>
    </message>
    <message>
        <source>They block each other until a lease or timeout expires. The same order prevents the deadlock. The order alone tells of it beforehand.</source>
        <translation>它们互相阻塞，直到租约或超时到期。相同的顺序可避免死锁。仅凭加锁顺序就能预先看出。</translation>
    </message>
    <message>
        <source>opposite order, one after the other</source>
        <translation>相反的顺序，先后进行</translation>
    </message>
    <message>
        <source>Rejected: the lock or its holder&apos;s heartbeat has changed.</source>
        <translation>已拒绝，未执行：该锁或其持有者的心跳已变化。</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>longer than %1 bytes.</source>
        <translation>超过 %1 字节。</translation>
    </message>
    <message>
        <source>No operations. Give a recording or JSON lines.</source>
        <translation>没有操作。请指定录制文件或 JSON 行文件。</translation>
    </message>
    <message>
        <source>no JSON object (byte %1).</source>
        <translation>不是 JSON 对象（字节 %1）。</translation>
    </message>
    <message>
        <source>more than %1 events. Split the file by lock.</source>
        <translation>超过 %1 个事件。请按锁拆分文件。</translation>
    </message>
    <message>
        <source>&apos;type&apos; must be invoke, ok, fail, info, model or gap.</source>
        <translation>“type”必须为 invoke、ok、fail、info、model 或 gap。</translation>
    </message>
    <message>
        <source>&apos;model&apos; must be %1.</source>
        <translation>“model”必须为 %1。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be from %2 to %3.</source>
        <translation>“%1”必须在 %2 到 %3 之间。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is missing.</source>
        <translation>缺少“%1”。</translation>
    </message>
    <message>
        <source>&apos;operation&apos; must be %1.</source>
        <translation>“operation”必须为 %1。</translation>
    </message>
    <message>
        <source>process %1 has not ended its operation of line %2. End it with ok, fail or info, or name each thread.</source>
        <translation>进程 %1 在第 %2 行的操作尚未结束。请用 ok、fail 或 info 结束，或为每个线程单独命名。</translation>
    </message>
    <message>
        <source>process %1 ends an operation that it has not invoked.</source>
        <translation>进程 %1 结束了未发起的操作。</translation>
    </message>
    <message>
        <source>another operation than process %1 invoked in line %2.</source>
        <translation>与进程 %1 在第 %2 行发起的操作不同。</translation>
    </message>
    <message>
        <source>&apos;token&apos; must be a whole number.</source>
        <translation>“token”必须为非负整数。</translation>
    </message>
    <message>
        <source>&apos;mode&apos; must be read or write.</source>
        <translation>“mode”必须为 read 或 write。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no number, or out of range.</source>
        <translation>“%1”不是数字，或超出范围。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is missing. Give it in ns, or in ms as &apos;%1_ms&apos;.</source>
        <translation>缺少“%1”。请以 ns 为单位给出，或以“%1_ms”给出毫秒数。</translation>
    </message>
    <message>
        <source>%1 acquired the lock again while holding it.</source>
        <translation>%1 持有该锁时再次获取了它。</translation>
    </message>
    <message>
        <source>%1&apos;s %2 succeeded without a hold.</source>
        <comment>an owner, an operation</comment>
        <translation>%1 未持有该锁，但其 %2 成功了。</translation>
    </message>
    <message>
        <source>%1&apos;s release succeeded while %2 held the lock.</source>
        <translation>%2 持有该锁时，%1 的释放成功了。</translation>
    </message>
    <message>
        <source>%1&apos;s write was accepted although %2 had the lock since.</source>
        <translation>%2 已获得该锁，但 %1 的写入仍被接受。</translation>
    </message>
    <message>
        <source>%1 got token %2, which is not above all earlier ones.</source>
        <translation>%1 获得的令牌 %2 不大于之前的所有令牌。</translation>
    </message>
    <message>
        <source>%1 waited longer than %2, but acquired the lock later.</source>
        <translation>%1 等待的时间比 %2 长，但更晚获取该锁。</translation>
    </message>
    <message>
        <source>%1 acquired more permits than were free (%2 in total).</source>
        <translation>%1 获取的许可多于空闲许可（总数 %2）。</translation>
    </message>
    <message>
        <source>%1 and %2 held the lock at once.</source>
        <translation>%1 和 %2 同时持有该锁。</translation>
    </message>
    <message>
        <source>holds</source>
        <comment>a promise</comment>
        <translation>成立</translation>
    </message>
    <message>
        <source>violated</source>
        <translation>违反</translation>
    </message>
    <message>
        <source>can&apos;t be decided</source>
        <translation>无法判定</translation>
    </message>
    <message>
        <source>Consistent only if an operation of unknown outcome took effect.</source>
        <translation>仅当某个结果未知的操作已生效时才一致。</translation>
    </message>
    <message>
        <source>Consistent only if clocks differed, by %1 at most.</source>
        <translation>仅当时钟存在偏差（最多 %1）时才一致。</translation>
    </message>
    <message>
        <source>Operations may be missing: the history has gaps.</source>
        <translation>可能缺少操作：历史存在中断。</translation>
    </message>
    <message>
        <source>Too many orders are possible. Check a shorter period.</source>
        <translation>可能的顺序过多。请检查更短的时段。</translation>
    </message>
    <message>
        <source>The clock of a process was set back (line %1).</source>
        <translation>某进程的时钟被回拨（第 %1 行）。</translation>
    </message>
    <message>
        <source>Quick changes may be missing: the recording polled.</source>
        <translation>可能缺少短暂的变化：录制采用轮询。</translation>
    </message>
    <message>
        <source>Several owners may hold this lock.</source>
        <translation>此锁可由多个持有者持有。</translation>
    </message>
    <message>
        <source>The number of permits is unknown. Add it in a model line.</source>
        <translation>许可总数未知。请在 model 行中给出。</translation>
    </message>
    <message>
        <source>the file&apos;s, or mutex</source>
        <translation>文件中的，否则为 mutex</translation>
    </message>
    <message>
        <source>Two threads acquired two locks in opposite order: they can deadlock.</source>
        <translation>两个线程以相反的顺序取得两个锁：可能死锁。</translation>
    </message>
    <message>
        <source>Two threads acquired these locks in opposite order: %1. They can deadlock.</source>
        <translation>两个线程以相反的顺序取得这些锁：%1。它们可能死锁。</translation>
    </message>
    <message numerus="yes">
        <source>Not all waiters of %n held lock(s) can be seen.</source>
        <translation>
            <numerusform>有 %n 个被持有的锁无法看到全部等待者。</numerusform>
        </translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a text or a number.</source>
        <translation>“%1”必须是文本或数字。</translation>
    </message>
    <message>
        <source>INFO does not tell it.</source>
        <translation>INFO 未提供。</translation>
    </message>
    <message>
        <source>No key is evicted (%1).</source>
        <translation>不会逐出键（%1）。</translation>
    </message>
    <message>
        <source>A full server evicts keys with an expiry (%1).</source>
        <translation>内存用满时会逐出带过期时间的键（%1）。</translation>
    </message>
    <message>
        <source>A full server evicts any key (%1).</source>
        <translation>内存用满时会逐出任意键（%1）。</translation>
    </message>
    <message>
        <source>Evicted since its start: %1.</source>
        <translation>启动以来逐出：%1。</translation>
    </message>
    <message>
        <source>An evicted lock can be acquired while its holder works.</source>
        <translation>锁被逐出后，持有者仍在工作时他人也能获取。</translation>
    </message>
    <message>
        <source>Set maxmemory-policy noeviction, or keep locks on a server of their own.</source>
        <translation>设置 maxmemory-policy noeviction，或将锁放在单独的服务器上。</translation>
    </message>
    <message>
        <source>%1% of maxmemory is used.</source>
        <translation>已用 maxmemory 的 %1%。</translation>
    </message>
    <message>
        <source>The system may end the server, and its locks with it.</source>
        <translation>系统可能终止服务器，锁随之丢失。</translation>
    </message>
    <message>
        <source>Raise maxmemory, or delete data.</source>
        <translation>调高 maxmemory，或删除数据。</translation>
    </message>
    <message>
        <source>Set maxmemory.</source>
        <translation>设置 maxmemory。</translation>
    </message>
    <message>
        <source>The server is loading its data.</source>
        <translation>服务器正在加载数据。</translation>
    </message>
    <message>
        <source>Until then no lock is acquired or renewed.</source>
        <translation>加载完成前无法获取或续期锁。</translation>
    </message>
    <message>
        <source>The last write to disk failed.</source>
        <translation>最近一次写盘失败。</translation>
    </message>
    <message>
        <source>The server may refuse writes: no lock is acquired or renewed.</source>
        <translation>服务器可能拒绝写入：无法获取或续期锁。</translation>
    </message>
    <message>
        <source>Read the server&apos;s log.</source>
        <translation>查看服务器日志。</translation>
    </message>
    <message>
        <source>The append-only file is on. A crash forgets about 2 s with appendfsync everysec.</source>
        <translation>AOF 已开启。appendfsync everysec 时，崩溃约丢失 2 s 的数据。</translation>
    </message>
    <message>
        <source>No append-only file. A crash now forgets %1 changes, those of the last %2.</source>
        <translation>未开启 AOF。此刻崩溃将丢失 %1 次更改（最近 %2）。</translation>
    </message>
    <message>
        <source>No append-only file: a crash forgets what came after the last snapshot.</source>
        <translation>未开启 AOF：崩溃将丢失最近一次快照之后的数据。</translation>
    </message>
    <message>
        <source>A forgotten lock can be acquired while its holder works.</source>
        <translation>锁丢失后，持有者仍在工作时他人也能获取。</translation>
    </message>
    <message>
        <source>Set appendonly yes, or restart a crashed server only after the longest lease.</source>
        <translation>设置 appendonly yes，或在最长租期过后再重启崩溃的服务器。</translation>
    </message>
    <message>
        <source>Started %1 ago.</source>
        <translation>%1前启动。</translation>
    </message>
    <message>
        <source>Locks from before it may be forgotten while their holders work.</source>
        <translation>此前的锁可能已丢失，而持有者仍在工作。</translation>
    </message>
    <message>
        <source>This is a replica.</source>
        <translation>这是副本。</translation>
    </message>
    <message>
        <source>This replica has lost its primary.</source>
        <translation>该副本已与主节点断开。</translation>
    </message>
    <message>
        <source>Its locks are those of a moment ago.</source>
        <translation>副本上的锁是稍早的状态。</translation>
    </message>
    <message>
        <source>Ask the primary.</source>
        <translation>请查询主节点。</translation>
    </message>
    <message>
        <source>Too few replicas are in reach.</source>
        <translation>可用副本过少。</translation>
    </message>
    <message>
        <source>The server refuses writes: no lock is acquired or renewed.</source>
        <translation>服务器拒绝写入：无法获取或续期锁。</translation>
    </message>
    <message>
        <source>Bring replicas back, or lower min-replicas-to-write.</source>
        <translation>恢复副本，或调低 min-replicas-to-write。</translation>
    </message>
    <message>
        <source>No replica.</source>
        <translation>没有副本。</translation>
    </message>
    <message>
        <source>While this server is away, no lock is acquired or renewed.</source>
        <translation>服务器不可用期间无法获取或续期锁。</translation>
    </message>
    <message>
        <source>Replication is asynchronous: a failover can forget a lock that is held.</source>
        <translation>复制是异步的：故障转移可能丢失仍被持有的锁。</translation>
    </message>
    <message>
        <source>See why the replica is behind.</source>
        <translation>排查副本落后的原因。</translation>
    </message>
    <message>
        <source>Set min-replicas-to-write 1, which limits that but does not end it. Check fencing tokens where two holders must not be.</source>
        <translation>设置 min-replicas-to-write 1 可减轻但不能杜绝。绝不允许两个持有者时，请检查防护令牌。</translation>
    </message>
    <message>
        <source>%1 of %2 clients are connected.</source>
        <translation>已连接 %1 个客户端，上限 %2。</translation>
    </message>
    <message>
        <source>A holder that reconnects may be refused, and cannot renew.</source>
        <translation>重新连接的持有者可能被拒绝，无法续期。</translation>
    </message>
    <message>
        <source>Raise maxclients, or close unused connections.</source>
        <translation>调高 maxclients，或关闭闲置连接。</translation>
    </message>
    <message>
        <source>The last fork stopped the server for %1.</source>
        <translation>最近一次 fork 使服务器停顿 %1。</translation>
    </message>
    <message>
        <source>Renewals come late: short leases end while their holders work.</source>
        <translation>续期会延迟：租期短的锁会在持有者工作时过期。</translation>
    </message>
    <message>
        <source>Use leases of several times that, and turn transparent huge pages off.</source>
        <translation>租期应为停顿的数倍，并关闭透明大页。</translation>
    </message>
    <message>
        <source>SET takes no NX with PX: a crash between SETNX and EXPIRE leaves a lock for ever.</source>
        <translation>SET 不支持 NX 与 PX 同用：在 SETNX 与 EXPIRE 之间崩溃会留下永不过期的锁。</translation>
    </message>
    <message>
        <source>Upgrade the server.</source>
        <translation>升级服务器。</translation>
    </message>
    <message>
        <source>Replicas show locks that have expired.</source>
        <translation>副本会显示已过期的锁。</translation>
    </message>
    <message>
        <source>It has no client tracking: Lockscope needs keyspace notifications, or polls.</source>
        <translation>不支持客户端跟踪：Lockscope 需要键空间通知，否则轮询。</translation>
    </message>
    <message>
        <source>risk</source>
        <comment>of a server</comment>
        <translation>风险</translation>
    </message>
    <message>
        <source>note</source>
        <comment>of a server</comment>
        <translation>注意</translation>
    </message>
    <message>
        <source>good</source>
        <comment>of a server</comment>
        <translation>良好</translation>
    </message>
    <message>
        <source>Without memory, no lock is acquired.</source>
        <translation>内存不足时无法获取锁。</translation>
    </message>
    <message>
        <source>After proxy= write http://HOST:PORT or socks5://HOST:PORT.</source>
        <translation>proxy= 之后请写 http://HOST:PORT 或 socks5://HOST:PORT。</translation>
    </message>
    <message>
        <source>After &apos;?&apos; only db=N, ssh=HOST and proxy=URL are known.</source>
        <translation>“?”之后仅支持 db=N、ssh=HOST 和 proxy=URL。</translation>
    </message>
    <message>
        <source># redis-cli has no option for a proxy.</source>
        <translation># redis-cli 没有代理选项。</translation>
    </message>
    <message>
        <source>the proxy refuses the login (LOCKSCOPE_PROXY_AUTH)</source>
        <translation>代理拒绝登录（LOCKSCOPE_PROXY_AUTH）</translation>
    </message>
    <message>
        <source>Holder likely de&amp;ad</source>
        <translation>持有者可能已失效(&amp;A)</translation>
    </message>
    <message>
        <source>a length from 0 to %1, as in “hex(32)”</source>
        <translation>0 到 %1 的长度，例如“hex(32)”</translation>
    </message>
    <message>
        <source>A holder is likely dead: no current heartbeat.</source>
        <translation>某个持有者可能已失效：无有效心跳。</translation>
    </message>
    <message>
        <source>missing; it may be late or refused by the server</source>
        <translation>缺失；可能延迟，或被服务器拒绝</translation>
    </message>
    <message>
        <source>missing; overdue for %1</source>
        <translation>缺失；已逾期 %1</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>不存在</translation>
    </message>
    <message numerus="yes">
        <source>No permission for companion keys of %1 lock(s): waiters, families and dead holders may be wrong.</source>
        <translation>
            <numerusform>无权读取 %1 个锁的附属键：等待者、锁类型和失效持有者可能有误。</numerusform>
        </translation>
    </message>
    <message>
        <source>A holder is likely dead: no current heartbeat. Possible: crash, pause, lost connection, lost heartbeat.</source>
        <translation>某个持有者可能已失效：无有效心跳。可能原因：崩溃、暂停、连接中断、心跳丢失。</translation>
    </message>
    <message>
        <source>Force-expire only if the processes of all holders have ended.</source>
        <translation>仅当所有持有者进程都已结束时才强制过期。</translation>
    </message>
    <message>
        <source>Holder likely dead</source>
        <translation>持有者可能已失效</translation>
    </message>
    <message>
        <source>holder likely dead</source>
        <translation>持有者可能已失效</translation>
    </message>
    <message>
        <source>The server uses %1% of the machine&apos;s memory.</source>
        <translation>服务器占用主机内存的 %1%。</translation>
    </message>
    <message>
        <source>The server evicts keys, or refuses writes.</source>
        <translation>服务器会逐出键，或拒绝写入。</translation>
    </message>
    <message>
        <source>Two servers take writes (%1).</source>
        <translation>两台服务器都接受写入（%1）。</translation>
    </message>
    <message>
        <source>Each can give the same lock to another holder.</source>
        <translation>同一把锁可能在两台服务器上分别被获取。</translation>
    </message>
    <message>
        <source>Use one primary for locks.</source>
        <translation>锁只使用一个主节点。</translation>
    </message>
    <message>
        <source>Replicas: %1, in sync: %2</source>
        <translation>副本：%1，已同步：%2</translation>
    </message>
    <message>
        <source>; the farthest was heard of %1 ago.</source>
        <translation>；最落后的副本上次应答在 %1前。</translation>
    </message>
    <message>
        <source>No fork since the start.</source>
        <translation>启动以来没有 fork。</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>命令为空</translation>
    </message>
    <message>
        <source>no password within %1 s</source>
        <translation>%1 秒内没有密码</translation>
    </message>
    <message>
        <source>“%1” cannot be started</source>
        <translation>无法启动“%1”</translation>
    </message>
    <message>
        <source>exit status %1. It said: “%2”</source>
        <translation>退出状态 %1。输出：“%2”</translation>
    </message>
    <message>
        <source>it printed no password</source>
        <translation>没有输出密码</translation>
    </message>
    <message>
        <source>the password that it printed has ended</source>
        <translation>输出的密码已过期</translation>
    </message>
    <message>
        <source>The password command for %1 failed.</source>
        <translation>%1 的密码命令失败。</translation>
    </message>
    <message>
        <source>Another probe is running.</source>
        <translation>另一个探测正在运行。</translation>
    </message>
    <message>
        <source>A probe is a program, and arguments in which {host}, {process}, {thread}, {owner}, {key} and {family} may stand.</source>
        <translation>探测命令由程序和参数组成，参数中可含 {host}、{process}、{thread}、{owner}、{key} 和 {family}。</translation>
    </message>
    <message>
        <source>The owner tells no %1.</source>
        <translation>持有者未给出 %1。</translation>
    </message>
    <message>
        <source>The owner&apos;s %1 is not safe in a command.</source>
        <translation>持有者的 %1 用于命令不安全。</translation>
    </message>
    <message>
        <source>The lock names no owner.</source>
        <translation>该锁没有已知的持有者。</translation>
    </message>
    <message>
        <source>exit %1</source>
        <comment>of a program, with its status</comment>
        <translation>退出状态 %1</translation>
    </message>
    <message>
        <source>ended by a signal</source>
        <translation>被信号终止</translation>
    </message>
    <message>
        <source>killed after %1</source>
        <translation>%1后被终止</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未能启动</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a time, how a program ended</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Only development, staging or production, and read-only can follow the address.</source>
        <translation>地址之后只能写 development、staging 或 production，以及 read-only。</translation>
    </message>
    <message>
        <source>Only the files of shared lists include others.</source>
        <translation>只有共享列表文件可以包含其他文件。</translation>
    </message>
    <message>
        <source>larger than %1 bytes</source>
        <translation>超过 %1 字节</translation>
    </message>
    <message>
        <source>more than %1 lines</source>
        <translation>超过 %1 行</translation>
    </message>
    <message>
        <source>No such file or folder: %1</source>
        <translation>没有此文件或文件夹：%1</translation>
    </message>
    <message>
        <source>The password is not used: others can read this file.</source>
        <translation>未使用密码：其他人可以读取此文件。</translation>
    </message>
    <message>
        <source>more than %1 servers</source>
        <translation>超过 %1 个服务器</translation>
    </message>
    <message>
        <source>The name “%1” is already that of another server.</source>
        <translation>名称“%1”已用于另一个服务器。</translation>
    </message>
    <message>
        <source>Shared lists have more faults.</source>
        <translation>共享列表中还有其他错误。</translation>
    </message>
    <message>
        <source>This link is not one that Lockscope makes.</source>
        <translation>此链接不是 Lockscope 生成的。</translation>
    </message>
    <message>
        <source>This link says how to reach or log in to its server, which a link must not. Nothing of it is used.</source>
        <translation>此链接包含连接方式或登录信息，链接不允许这样做。已全部忽略。</translation>
    </message>
    <message>
        <source>A newer Lockscope wrote the settings. Changes are not kept. Update Lockscope.</source>
        <translation>设置由更新版本的 Lockscope 写入，本次更改不会保存。请更新 Lockscope。</translation>
    </message>
    <message>
        <source>written for a newer Lockscope; update it</source>
        <translation>此文件适用于更新版本的 Lockscope；请更新 Lockscope</translation>
    </message>
    <message>
        <source>A newer Lockscope wrote %1. Update Lockscope.</source>
        <translation>%1 由更新版本的 Lockscope 写入。请更新 Lockscope。</translation>
    </message>
    <message>
        <source>it tracks no prefixes</source>
        <translation>服务器不支持按前缀跟踪</translation>
    </message>
    <message>
        <source>A newer Lockscope wrote %1: format %2, and this one reads up to %3. Update Lockscope.</source>
        <translation>%1 由更新版本的 Lockscope 写入：其格式为 %2，本版本最高支持 %3。请更新 Lockscope。</translation>
    </message>
    <message>
        <source>A newer Lockscope stored the servers. Update Lockscope, or give the server&apos;s address.</source>
        <translation>服务器列表由更新版本的 Lockscope 保存。请更新 Lockscope，或直接给出服务器地址。</translation>
    </message>
    <message>
        <source>Without --storage-tier, a full Garnet drops its oldest keys, locks too.</source>
        <translation>若未启用 --storage-tier，Garnet 内存占满后会丢弃最旧的键，包括锁。</translation>
    </message>
    <message>
        <source>Restart a crashed server only after the longest lease.</source>
        <translation>服务器崩溃后，等最长的租约过期再重启。</translation>
    </message>
    <message>
        <source>Check fencing tokens where two holders must not be.</source>
        <translation>在绝不允许两个持有者并存之处，请检查防护令牌（fencing token）。</translation>
    </message>
    <message>
        <source>It tracks no prefixes and notifies of expiries alone: Lockscope polls. Scripts that read keys which they are not given are refused.</source>
        <translation>它不支持按前缀跟踪，且只通知过期：Lockscope 改用轮询。读取未声明的键的脚本会被拒绝。</translation>
    </message>
    <message>
        <source>It has neither client tracking nor notifications: Lockscope polls. Actions are scripts, and refused unless it was started with --lua.</source>
        <translation>它既无客户端跟踪也无键空间通知：Lockscope 改用轮询。操作以脚本执行，启动时未加 --lua 则会被拒绝。</translation>
    </message>
    <message>
        <source>Lockscope does not know how it differs from Redis.</source>
        <translation>Lockscope 不了解它与 Redis 的差异。</translation>
    </message>
</context>
</TS>
