<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Explanation</name>
    <message>
        <source>Nobody is known to hold this: it is no lock of a kind that is known.</source>
        <translation>看不出由谁持有：这不是已知类型的锁。</translation>
    </message>
    <message>
        <source>No expiry: it will never end by itself.</source>
        <translation>没有过期时间：永远不会自行结束。</translation>
    </message>
    <message>
        <source>Its lease has run out: the server is being asked.</source>
        <translation>租约已到期：正在向服务器确认。</translation>
    </message>
    <message>
        <source>Its lease is being renewed: the holder is alive.</source>
        <translation>租约正在续期：持有者存活。</translation>
    </message>
    <message>
        <source>It was renewed before, but now falls: its holder finishes, hangs or is dead. Ends at %1.</source>
        <translation>之前曾续期，现在只减不增：持有者正在收尾、已挂起或已死亡。将于 %1 结束。</translation>
    </message>
    <message>
        <source>Falls without renewal: its holder finishes in time or is dead. Ends at %1.</source>
        <translation>剩余时间递减且无续期：持有者会按时完成，或已死亡。将于 %1 结束。</translation>
    </message>
    <message>
        <source>a time beyond every calendar</source>
        <translation>超出日历范围的时间</translation>
    </message>
    <message>
        <source>Gives back one level, or all, in the owner&apos;s name.</source>
        <translation>以持有者的名义释放一层或全部。</translation>
    </message>
    <message>
        <source>Gives the lock back in the owner&apos;s name.</source>
        <translation>以持有者的名义释放锁。</translation>
    </message>
    <message>
        <source>Sets the lease anew, if the owner still holds it.</source>
        <translation>若持有者仍持有该锁，则重设租约。</translation>
    </message>
    <message>
        <source>Ends it, if it is still what you see. Its holder is not told.</source>
        <translation>若锁仍与所见一致，则结束它。不会通知持有者。</translation>
    </message>
</context>
<context>
    <name>LockFilter</name>
    <message>
        <source>A quotation mark is not closed.</source>
        <translation>引号未闭合。</translation>
    </message>
    <message>
        <source>“%1” needs a time, such as 10s, 500ms, 5m or 2h.</source>
        <translation>“%1”需要一个时间，例如 10s、500ms、5m 或 2h。</translation>
    </message>
    <message>
        <source>“%1:” needs a value.</source>
        <translation>“%1:”需要一个值。</translation>
    </message>
    <message>
        <source>No family is called “%1”. Try reentrant, token or unknown.</source>
        <translation>没有名为“%1”的类型。可用：reentrant、token 或 unknown。</translation>
    </message>
    <message>
        <source>No state is called “%1”. Try held, renewed, expiring, no-expiry, corrupt or ended.</source>
        <translation>没有名为“%1”的状态。可用：held、renewed、expiring、no-expiry、corrupt 或 ended。</translation>
    </message>
    <message>
        <source>No problem is called “%1”. Try any, no-expiry, bad-count, several-owners or wrong-type.</source>
        <translation>没有名为“%1”的问题。可用：any、no-expiry、bad-count、several-owners 或 wrong-type。</translation>
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
        <translation>无过期</translation>
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
</context>
<context>
    <name>LockText</name>
    <message>
        <source>no expiry</source>
        <translation>无过期</translation>
    </message>
    <message>
        <source>bad count</source>
        <translation>计数错误</translation>
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
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 及另外 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PrivateServer</name>
    <message>
        <source>redis-server is not installed: apt-get install redis-server</source>
        <translation>未安装 redis-server：apt-get install redis-server</translation>
    </message>
    <message>
        <source>redis-server does not start: %1</source>
        <translation>redis-server 无法启动：%1</translation>
    </message>
</context>
<context>
    <name>RedisCli</name>
    <message>
        <source># Ends the lock, if it is still as seen:</source>
        <translation># 若锁仍与所见一致，则结束它：</translation>
    </message>
</context>
<context>
    <name>lockscope::AcquireDialog</name>
    <message>
        <source>Acquire a lock</source>
        <translation>获取锁</translation>
    </message>
    <message>
        <source>Acquire</source>
        <translation>获取</translation>
    </message>
    <message>
        <source>reentrant: a counted hash; its owner may take it again</source>
        <translation>reentrant：带计数的哈希；持有者可再次获取</translation>
    </message>
    <message>
        <source>token: a string; not re-entrant</source>
        <translation>token：字符串；不可重入</translation>
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
</context>
<context>
    <name>lockscope::ActionDialog</name>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>A lock needs a key: type its name.</source>
        <translation>锁需要一个键：请输入键名。</translation>
    </message>
    <message>
        <source>A lock needs an owner: type an id that nobody else uses.</source>
        <translation>锁需要持有者：请输入一个无人使用的标识。</translation>
    </message>
    <message>
        <source>The lease is a number of seconds, at least 0.001, such as 30 or 0.5.</source>
        <translation>租约是秒数，至少 0.001，例如 30 或 0.5。</translation>
    </message>
    <message>
        <source>Asking the server…</source>
        <translation>正在询问服务器…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>lockscope::Banner</name>
    <message>
        <source>Connection</source>
        <translation>连接</translation>
    </message>
</context>
<context>
    <name>lockscope::Commands</name>
    <message>
        <source>&amp;New connection…</source>
        <translation>新建连接(&amp;N)…</translation>
    </message>
    <message>
        <source>Watch another server</source>
        <translation>监视另一台服务器</translation>
    </message>
    <message>
        <source>&amp;Disconnect</source>
        <translation>断开连接(&amp;D)</translation>
    </message>
    <message>
        <source>Stop watching this server</source>
        <translation>停止监视此服务器</translation>
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
        <source>Copy the owner&apos;s id</source>
        <translation>复制持有者标识</translation>
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
        <source>Copy commands that read this lock and, as a comment, end it</source>
        <translation>复制读取此锁的命令，并以注释附上结束它的命令</translation>
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
        <source>Take a lock as an owner of your choice</source>
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
        <source>Give the lock back in its owner&apos;s name</source>
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
        <source>Set the lease anew in the owner&apos;s name</source>
        <translation>以持有者的名义重设租约</translation>
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
        <source>End the lock, if it is still what you see here</source>
        <translation>若锁仍与此处所见一致，则结束它</translation>
    </message>
    <message>
        <source>&amp;Sweep now</source>
        <translation>立即扫描(&amp;S)</translation>
    </message>
    <message>
        <source>Ctrl+R</source>
        <translation>Ctrl+R</translation>
    </message>
    <message>
        <source>Search the whole keyspace for locks now</source>
        <translation>立即在整个键空间中查找锁</translation>
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
        <source>Choose which keys count as locks</source>
        <translation>选择哪些键算作锁</translation>
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
        <source>There is no connection at the moment.</source>
        <translation>当前没有连接。</translation>
    </message>
    <message>
        <source>Choose a lock first.</source>
        <translation>请先选择一个锁。</translation>
    </message>
    <message>
        <source>This connection is read-only: nothing may be changed on the server.</source>
        <translation>此连接为只读：不得更改服务器上的任何内容。</translation>
    </message>
    <message>
        <source>No owner is known.</source>
        <translation>持有者未知。</translation>
    </message>
    <message>
        <source>This key is too big to be read whole: what can&apos;t be compared isn&apos;t acted on.</source>
        <translation>此键过大，无法完整读取：无法比较的内容不予操作。</translation>
    </message>
    <message>
        <source>What is stored here is no lock that a script of ours knows: it isn&apos;t acted on.</source>
        <translation>此处存储的不是本程序脚本所认识的锁：不予操作。</translation>
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
        <source>See and act on the locks that applications keep in Redis.</source>
        <translation>查看并操作应用程序保存在 Redis 中的锁。</translation>
    </message>
    <message>
        <source>Starts a private redis-server with a few dozen workers, and removes it at the end</source>
        <translation>启动一个带数十个工作者的私有 redis-server，结束时将其删除</translation>
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
</context>
<context>
    <name>lockscope::ConnectionForm</name>
    <message>
        <source>&amp;Read-only: nothing can be changed on the server</source>
        <translation>只读：不能更改服务器上的任何内容(&amp;R)</translation>
    </message>
    <message>
        <source>host, host:port, redis://user:password@host:port/db, rediss://… (TLS), unix:///path?db=N</source>
        <translation>主机、主机:端口、redis://用户:密码@主机:端口/库、rediss://…（TLS）、unix:///路径?db=N</translation>
    </message>
    <message>
        <source>optional, such as “orders, production”</source>
        <translation>可选，例如“订单，生产环境”</translation>
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
        <source>asked for each time, never stored</source>
        <translation>每次询问，从不保存</translation>
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
        <source>Unwound</source>
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
        <source>Owner, time left</source>
        <translation>持有者，剩余时间</translation>
    </message>
</context>
<context>
    <name>lockscope::ExtendDialog</name>
    <message>
        <source>Extend a lock</source>
        <translation>锁续期</translation>
    </message>
    <message>
        <source>Extend</source>
        <translation>续期</translation>
    </message>
    <message>
        <source>In the name of</source>
        <translation>以其名义</translation>
    </message>
    <message>
        <source>&amp;Lease in seconds, from now</source>
        <translation>租约（秒，从现在起）(&amp;L)</translation>
    </message>
</context>
<context>
    <name>lockscope::ForceExpireDialog</name>
    <message>
        <source>Force-expire a lock</source>
        <translation>强制锁过期</translation>
    </message>
    <message>
        <source>Force-expire</source>
        <translation>强制过期</translation>
    </message>
    <message>
        <source>&amp;Leave it so many seconds:</source>
        <translation>保留若干秒(&amp;L)：</translation>
    </message>
    <message>
        <source>The holder is not told and may still be working: from then on it works without the lock, beside whoever takes it next. </source>
        <translation>不会通知持有者，它可能仍在工作：此后它将在没有锁的情况下工作，与下一个获取者并行。</translation>
    </message>
    <message>
        <source>Waiters that listen are woken; those that poll find it free.</source>
        <translation>监听的等待者会被唤醒；轮询的等待者会发现锁已空闲。</translation>
    </message>
    <message>
        <source>Waiters find it free at their next try.</source>
        <translation>等待者下次尝试时会发现锁已空闲。</translation>
    </message>
    <message>
        <source>If its owner or its holds are no longer what is shown here, the server refuses and nothing is done.</source>
        <translation>如果持有者或重入次数已与此处所示不同，服务器会拒绝，不做任何操作。</translation>
    </message>
    <message>
        <source>Seconds until it ends</source>
        <translation>距结束的秒数</translation>
    </message>
    <message>
        <source>The lock ended while this was open</source>
        <translation>此窗口打开期间，锁已结束</translation>
    </message>
    <message>
        <source>The number of holds changed while this was open</source>
        <translation>此窗口打开期间，重入次数已改变</translation>
    </message>
    <message>
        <source>The owner changed while this was open</source>
        <translation>此窗口打开期间，持有者已改变</translation>
    </message>
    <message>
        <source>%1: nothing will be done. Close this and look again.</source>
        <translation>%1：不会执行任何操作。请关闭此窗口后重新查看。</translation>
    </message>
    <message>
        <source>This is a number of seconds, such as 10 or 0.5.</source>
        <translation>此处为秒数，例如 10 或 0.5。</translation>
    </message>
</context>
<context>
    <name>lockscope::InspectorPanel</name>
    <message>
        <source>Inspector</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>No lock chosen</source>
        <translation>未选择锁</translation>
    </message>
    <message>
        <source>Choose a lock to see who holds it and what can be done.</source>
        <translation>选择一个锁，查看由谁持有以及可以做什么。</translation>
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
        <source>Owner</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>已持有</translation>
    </message>
    <message>
        <source>Ends at</source>
        <translation>截止时间</translation>
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
        <translation>类型</translation>
    </message>
    <message>
        <source>Database</source>
        <translation>数据库</translation>
    </message>
    <message>
        <source>Events seen</source>
        <translation>观察到的事件</translation>
    </message>
    <message>
        <source>  (count: %1)</source>
        <translation>（计数：%1）</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>Gone</source>
        <translation>已消失</translation>
    </message>
    <message>
        <source>This lock is gone. Below is what was last seen.</source>
        <translation>此锁已消失。以下为最后所见。</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>%1, the last %2 ago</source>
        <translation>%1，最近一次在 %2前</translation>
    </message>
</context>
<context>
    <name>lockscope::LeaseBar</name>
    <message>
        <source>Share of the lease that is left</source>
        <translation>租约剩余比例</translation>
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
        <translation>类型</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>重入</translation>
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
        <source>Filter: words in key or owner, ttl&lt;10s, held&gt;5m, owner:x, state:no-expiry, -not</source>
        <translation>过滤：键或持有者中的词、ttl&lt;10s、held&gt;5m、owner:x、state:no-expiry、-排除</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>过滤</translation>
    </message>
    <message>
        <source>Words must all match the key or an owner. Also key:x  owner:x  family:token  state:held
problem:no-expiry  ttl&lt;10s  held&gt;=5m ; a leading - means not; quotes keep words together.</source>
        <translation>所有词都须与键或持有者匹配。还可用 key:x  owner:x  family:token  state:held
problem:no-expiry  ttl&lt;10s  held&gt;=5m；前置 - 表示排除；引号使多个词成为一体。</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>No expiry</source>
        <translation>无过期</translation>
    </message>
    <message>
        <source>Expiring</source>
        <translation>即将过期</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
</context>
<context>
    <name>lockscope::Look</name>
    <message>
        <source>no connection in time</source>
        <translation>未能及时连接</translation>
    </message>
</context>
<context>
    <name>lockscope::MainWindow</name>
    <message>
        <source>Tool bar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
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
        <source>%1 (read-only) — Lockscope</source>
        <translation>%1（只读） — Lockscope</translation>
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
</context>
<context>
    <name>lockscope::MonitorPage</name>
    <message>
        <source>What is shown is %1 old.</source>
        <translation>所示数据为 %1前的。</translation>
    </message>
    <message>
        <source>Nothing has been read yet.</source>
        <translation>尚未读取任何数据。</translation>
    </message>
    <message>
        <source>The connection stands; it is tried again.</source>
        <translation>连接仍在；正在重试。</translation>
    </message>
    <message>
        <source>Connecting to %1 again…</source>
        <translation>正在重新连接 %1…</translation>
    </message>
    <message numerus="yes">
        <source>Next try in %n s.</source>
        <translation>
            <numerusform>%n 秒后重试。</numerusform>
        </translation>
    </message>
    <message>
        <source>Trying now.</source>
        <translation>正在重试。</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>立即重试</translation>
    </message>
    <message>
        <source>Edit connection…</source>
        <translation>编辑连接…</translation>
    </message>
    <message>
        <source>No locks at the moment</source>
        <translation>当前没有锁</translation>
    </message>
    <message>
        <source>%1 keys were looked through for
%2</source>
        <translation>已检查 %1 个键，查找
%2</translation>
    </message>
    <message>
        <source>Looking for locks…</source>
        <translation>正在查找锁…</translation>
    </message>
    <message>
        <source>%1 keys so far, for
%2</source>
        <translation>目前已检查 %1 个键，查找
%2</translation>
    </message>
</context>
<context>
    <name>lockscope::PatternsDialog</name>
    <message>
        <source>Patterns of locks</source>
        <translation>锁的匹配模式</translation>
    </message>
    <message>
        <source>Keys that match one of these count as locks: one pattern a line, as Redis&apos; SCAN takes them (* any characters, ? one, [ab] a choice).</source>
        <translation>匹配其中任一模式的键算作锁：每行一个模式，写法同 Redis 的 SCAN（* 任意字符，? 单个字符，[ab] 任选其一）。</translation>
    </message>
    <message>
        <source>Patterns</source>
        <translation>匹配模式</translation>
    </message>
    <message>
        <source>Without a pattern nothing would be found: type at least one, such as lock:*</source>
        <translation>没有模式就找不到任何锁：请至少输入一个，例如 lock:*</translation>
    </message>
</context>
<context>
    <name>lockscope::ReleaseDialog</name>
    <message>
        <source>Release a lock</source>
        <translation>释放锁</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>In the name of</source>
        <translation>以其名义</translation>
    </message>
    <message>
        <source>&amp;One level: the lease stays as it is</source>
        <translation>一层：租约保持不变(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;All levels: the lock is free at once</source>
        <translation>全部：锁立即空闲(&amp;A)</translation>
    </message>
    <message>
        <source>Give back</source>
        <translation>释放范围</translation>
    </message>
    <message>
        <source>The holder is not told: if it still works, it works without the lock from then on.</source>
        <translation>不会通知持有者：若它仍在工作，此后将在没有锁的情况下工作。</translation>
    </message>
</context>
<context>
    <name>lockscope::SeenLock</name>
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
        <source>Owner seen</source>
        <translation>所见持有者</translation>
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
</context>
<context>
    <name>lockscope::ServerLabel</name>
    <message>
        <source>%1, read-only</source>
        <translation>%1，只读</translation>
    </message>
    <message>
        <source>READ-ONLY</source>
        <translation>只读</translation>
    </message>
</context>
<context>
    <name>lockscope::StatusLine</name>
    <message>
        <source>connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Redis %1 %2</source>
        <translation>Redis %1 %2</translation>
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
        <source>Feed</source>
        <translation>更新方式</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Cost of a sweep</source>
        <translation>扫描开销</translation>
    </message>
    <message>
        <source>Age of the data</source>
        <translation>数据时效</translation>
    </message>
    <message>
        <source>feed: polling</source>
        <translation>更新方式：轮询</translation>
    </message>
    <message>
        <source>Known locks are read again and again, and the keyspace is swept for new ones.</source>
        <translation>反复读取已知的锁，并扫描键空间以发现新锁。</translation>
    </message>
    <message>
        <source>Upper bound of the server&apos;s time that the last sweep took</source>
        <translation>上次扫描占用服务器时间的上限</translation>
    </message>
    <message>
        <source>How long ago the server last confirmed what is shown</source>
        <translation>服务器上次确认所示内容距今多久</translation>
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
        <source>sweeping: %1 of %2 keys</source>
        <translation>正在扫描：%1 / %2 个键</translation>
    </message>
    <message>
        <source>sweeping: %1 keys</source>
        <translation>正在扫描：%1 个键</translation>
    </message>
    <message>
        <source>%1 keys swept</source>
        <translation>已扫描 %1 个键</translation>
    </message>
    <message>
        <source>sweep: %1 ms of the server</source>
        <translation>扫描：占用服务器 %1 毫秒</translation>
    </message>
    <message>
        <source>data %1 old</source>
        <translation>数据距今 %1</translation>
    </message>
    <message>
        <source>no data yet</source>
        <translation>尚无数据</translation>
    </message>
</context>
<context>
    <name>lockscope::Transport</name>
    <message>
        <source>%1 can&apos;t be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 holds no certificate in PEM form</source>
        <translation>%1 中没有 PEM 格式的证书</translation>
    </message>
    <message>
        <source>%1 holds no certificate in PEM form, or it needs a passphrase</source>
        <translation>%1 中没有 PEM 格式的证书，或需要口令</translation>
    </message>
    <message>
        <source>%1 holds no private key in PEM form, or it needs a passphrase</source>
        <translation>%1 中没有 PEM 格式的私钥，或需要口令</translation>
    </message>
    <message>
        <source>the server closed the connection</source>
        <translation>服务器关闭了连接</translation>
    </message>
    <message>
        <source>the peer closed the connection during the TLS handshake</source>
        <translation>对端在 TLS 握手期间关闭了连接</translation>
    </message>
    <message>
        <source>there is no such socket</source>
        <translation>没有这个套接字</translation>
    </message>
    <message>
        <source>permission denied</source>
        <translation>权限不足</translation>
    </message>
</context>
<context>
    <name>lockscope::app</name>
    <message>
        <source>nothing was sent</source>
        <translation>未发送任何请求</translation>
    </message>
    <message>
        <source>%1: broken at line %2: %3.</source>
        <translation>%1：链在第 %2 行断裂：%3。</translation>
    </message>
    <message>
        <source>%1: the chain holds, records: %2.</source>
        <translation>%1：链完整，记录数：%2。</translation>
    </message>
    <message>
        <source>Request %1 was sent, and its outcome was never recorded.</source>
        <translation>请求 %1 已发送，但其结果从未被记录。</translation>
    </message>
    <message>
        <source>the audit file can&apos;t be read: %1</source>
        <translation>无法读取审计文件：%1</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>%1, holds %2</source>
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
        <source>check</source>
        <comment>state</comment>
        <translation>需检查</translation>
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
        <source>No locks at %1: %2 swept in %3.</source>
        <translation>%1 上没有锁：扫描了 %2，用时 %3。</translation>
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
        <source>%1, %2 with problems; %3 swept in %4.</source>
        <translation>%1，其中 %2 个有问题；扫描了 %3，用时 %4。</translation>
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
        <source>everything is read again</source>
        <translation>正在重新读取全部内容</translation>
    </message>
    <message>
        <source>locks: %1, at %2, watched by polling</source>
        <translation>锁：%1，服务器：%2，以轮询方式监视</translation>
    </message>
    <message>
        <source>The option &apos;%1&apos; is not known. See --help.</source>
        <translation>未知选项“%1”。参见 --help。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2) is not supported yet by this version.</source>
        <translation>此版本尚不支持“%1”（%2）。</translation>
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
        <source>&apos;%1&apos; is not supported yet by this version.</source>
        <translation>此版本尚不支持“%1”。</translation>
    </message>
    <message>
        <source>The window takes options only. Give a server&apos;s address with -u.</source>
        <translation>窗口程序只接受选项。请用 -u 给出服务器地址。</translation>
    </message>
    <message>
        <source>Say what to do, as in: lockscope-cli list. See --help.</source>
        <translation>请指明要做什么，例如：lockscope-cli list。参见 --help。</translation>
    </message>
    <message>
        <source>Give a server&apos;s address with -u.</source>
        <translation>请用 -u 给出服务器地址。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not known. See --help.</source>
        <translation>未知命令“%1”。参见 --help。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; needs a KEY.</source>
        <translation>“%1”需要 KEY。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; was given too many words. Quote a KEY with blanks.</source>
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
        <source>&apos;%1&apos; does not belong to this verb. See --help.</source>
        <translation>“%1”不适用于此命令。参见 --help。</translation>
    </message>
    <message>
        <source>With --base64, KEY and owners must be base64 of at least one byte.</source>
        <translation>使用 --base64 时，KEY 和持有者必须是至少一个字节的 base64。</translation>
    </message>
    <message>
        <source>--demo brings its own server: leave out the options that name another.</source>
        <translation>--demo 自带服务器：请去掉指定其他服务器的选项。</translation>
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
        <source>A user needs a password: give --askpass or set REDISCLI_AUTH.</source>
        <translation>用户需要密码：请使用 --askpass 或设置 REDISCLI_AUTH。</translation>
    </message>
    <message>
        <source>--owner ID is needed.</source>
        <translation>需要 --owner ID。</translation>
    </message>
    <message>
        <source>--lease SECONDS is needed.</source>
        <translation>需要 --lease SECONDS。</translation>
    </message>
    <message>
        <source>--expect-owner ID is needed: the owner that was seen.</source>
        <translation>需要 --expect-owner ID：即所见的持有者。</translation>
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
        <source>The password is also read from the environment variable REDISCLI_AUTH.</source>
        <translation>也会从环境变量 REDISCLI_AUTH 读取密码。</translation>
    </message>
    <message>
        <source>KEY and ID are bytes; &apos;--&apos; ends the options.</source>
        <translation>KEY 和 ID 按字节处理；“--”表示选项结束。</translation>
    </message>
    <message>
        <source>Exit status: 0 done; 1 the state said no; 2 wrong usage; 3 the server could not be reached, refused the
login or the permission, or the outcome is unknown; 4 refused by --read-only.</source>
        <translation>退出状态：0 完成；1 状态不允许；2 用法错误；3 无法连接服务器、登录或权限被拒绝，
或结果未知；4 被 --read-only 拒绝。</translation>
    </message>
    <message>
        <source>A duration is a number of seconds from 0, as in 30 or 0.5.</source>
        <translation>时长是不小于 0 的秒数，例如 30 或 0.5。</translation>
    </message>
    <message>
        <source>The name of a file must not be empty.</source>
        <translation>文件名不能为空。</translation>
    </message>
    <message>
        <source>--sni takes a host&apos;s name.</source>
        <translation>--sni 需要主机名。</translation>
    </message>
    <message>
        <source>--user must not be empty. Leave it out for the default user.</source>
        <translation>--user 不能为空。使用默认用户时请省略。</translation>
    </message>
    <message>
        <source>--owner must not be empty.</source>
        <translation>--owner 不能为空。</translation>
    </message>
    <message>
        <source>--pattern must not be empty.</source>
        <translation>--pattern 不能为空。</translation>
    </message>
    <message>
        <source>-h takes a host&apos;s name or IP address alone. Give the port with -p, a socket with -s, a URI with -u.</source>
        <translation>-h 只接受主机名或 IP 地址。端口用 -p，套接字用 -s，URI 用 -u。</translation>
    </message>
    <message>
        <source>-p takes a port from 1 to 65535.</source>
        <translation>-p 接受 1 到 65535 的端口号。</translation>
    </message>
    <message>
        <source>-n takes a database&apos;s number, from 0.</source>
        <translation>-n 接受从 0 开始的数据库编号。</translation>
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
        <source>--family takes reentrant or token.</source>
        <translation>--family 接受 reentrant 或 token。</translation>
    </message>
    <message>
        <source>--lease takes a number of seconds, at least 0.001, as in 30 or 0.5.</source>
        <translation>--lease 接受秒数，至少 0.001，例如 30 或 0.5。</translation>
    </message>
    <message>
        <source>--expect-owner must not be empty.</source>
        <translation>--expect-owner 不能为空。</translation>
    </message>
    <message>
        <source>The same owner is given twice by --expect-owner.</source>
        <translation>--expect-owner 重复给出了同一持有者。</translation>
    </message>
    <message>
        <source>Each --expect-holds must follow the --expect-owner that it belongs to.</source>
        <translation>每个 --expect-holds 必须跟在其所属的 --expect-owner 之后。</translation>
    </message>
    <message>
        <source>--expect-holds takes a whole number, at least 1.</source>
        <translation>--expect-holds 接受不小于 1 的整数。</translation>
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
        <source>ask for the password</source>
        <translation>询问密码</translation>
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
        <source>cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>keys that are locks; repeatable (lock:*, lock_*, *:lock)</source>
        <translation>哪些键是锁；可重复（lock:*、lock_*、*:lock）</translation>
    </message>
    <message>
        <source>refuse every action</source>
        <translation>拒绝一切操作</translation>
    </message>
    <message>
        <source>use a private server with a running simulation, removed at the end</source>
        <translation>使用运行着模拟的私有服务器，结束时将其删除</translation>
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
        <source>KEY and the owners given are base64</source>
        <translation>KEY 和给出的持有者为 base64</translation>
    </message>
    <message>
        <source>who holds, or is to hold, the lock</source>
        <translation>持有或将要持有锁的持有者</translation>
    </message>
    <message>
        <source>how long the lock is to last</source>
        <translation>锁的租约时长</translation>
    </message>
    <message>
        <source>reentrant or token (reentrant)</source>
        <translation>reentrant 或 token（reentrant）</translation>
    </message>
    <message>
        <source>try so long while another holds it (0)</source>
        <translation>锁被他人持有时重试的时长（0）</translation>
    </message>
    <message>
        <source>release every level</source>
        <translation>释放全部层级</translation>
    </message>
    <message>
        <source>owner that was seen; repeatable</source>
        <translation>所见的持有者；可重复</translation>
    </message>
    <message>
        <source>holds that were seen of the owner before it</source>
        <translation>前一持有者的所见重入次数</translation>
    </message>
    <message>
        <source>end the lock in so long instead of now</source>
        <translation>在此时长后而非立即结束锁</translation>
    </message>
    <message>
        <source>diagnosis</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>end after so long (until Ctrl-C)</source>
        <translation>运行多久后结束（直到 Ctrl-C）</translation>
    </message>
    <message>
        <source>one sweep, every lock found</source>
        <translation>扫描一次，列出找到的每个锁</translation>
    </message>
    <message>
        <source>one lock</source>
        <translation>单个锁</translation>
    </message>
    <message>
        <source>acquire as ID</source>
        <translation>以 ID 获取锁</translation>
    </message>
    <message>
        <source>release one level, or all</source>
        <translation>释放一层或全部</translation>
    </message>
    <message>
        <source>set the lease anew, if ID holds it</source>
        <translation>若由 ID 持有，则重设租约</translation>
    </message>
    <message>
        <source>end it, if what is stored is still what was seen</source>
        <translation>若存储内容仍与所见一致，则结束它</translation>
    </message>
    <message>
        <source>the live feed, an event a line</source>
        <translation>实时事件，每行一个</translation>
    </message>
    <message>
        <source>check the chain of the audit file</source>
        <translation>检查审计文件的链</translation>
    </message>
</context>
<context>
    <name>lockscope::auditlog</name>
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
</context>
<context>
    <name>lockscope::connection</name>
    <message>
        <source>no answer to the TLS greeting: the server may speak plain Redis on this port</source>
        <translation>TLS 握手无应答：服务器在此端口上可能使用不加密的 Redis 协议</translation>
    </message>
    <message>
        <source>no answer in time</source>
        <translation>未及时应答</translation>
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
        <source>read-only mode</source>
        <translation>只读模式</translation>
    </message>
    <message>
        <source>the server closed the connection instead of answering: this port may expect TLS</source>
        <translation>服务器没有应答就关闭了连接：此端口可能需要 TLS</translation>
    </message>
</context>
<context>
    <name>lockscope::inspector</name>
    <message>
        <source>PTTL did not answer a number</source>
        <translation>PTTL 的应答不是数字</translation>
    </message>
    <message>
        <source>HSCAN did not answer a cursor and fields</source>
        <translation>HSCAN 的应答不是游标和字段</translation>
    </message>
</context>
<context>
    <name>lockscope::operations</name>
    <message>
        <source>the script answered in an unknown form</source>
        <translation>脚本应答的格式未知</translation>
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
        <source>The key is empty: name the lock.</source>
        <translation>键为空：请给出锁的名称。</translation>
    </message>
    <message>
        <source>No family is known for this key, so there is no script that could act on it.</source>
        <translation>此键的类型未知，因此没有可对其操作的脚本。</translation>
    </message>
    <message>
        <source>The owner is empty: say who holds, or is to hold, the lock.</source>
        <translation>持有者为空：请指明由谁持有或将要持有锁。</translation>
    </message>
    <message>
        <source>A lease is needed: more than 0 seconds.</source>
        <translation>需要租约：大于 0 秒。</translation>
    </message>
    <message>
        <source>The owner that was seen is needed.</source>
        <translation>需要所见的持有者。</translation>
    </message>
    <message>
        <source>The grace is out of range: give more than 0 seconds.</source>
        <translation>宽限时间超出范围：请给出大于 0 秒的值。</translation>
    </message>
</context>
<context>
    <name>lockscope::resp</name>
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
</context>
<context>
    <name>lockscope::serveraddress</name>
    <message>
        <source>The database must be a whole number from 0, as in redis://host:6379/2.</source>
        <translation>数据库必须是从 0 开始的整数，例如 redis://host:6379/2。</translation>
    </message>
    <message>
        <source>After &apos;?&apos; only db=N is known.</source>
        <translation>“?”之后只能是 db=N。</translation>
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
        <source>Several hosts in one address (Cluster, Sentinel) are not supported yet.</source>
        <translation>尚不支持一个地址中有多个主机（Cluster、Sentinel）。</translation>
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
        <source>Sentinel addresses are not supported yet.</source>
        <translation>尚不支持 Sentinel 地址。</translation>
    </message>
    <message>
        <source>Cluster addresses are not supported yet.</source>
        <translation>尚不支持 Cluster 地址。</translation>
    </message>
    <message>
        <source>&apos;%1://&apos; is not known. The address must start with redis://, rediss:// or unix://.</source>
        <translation>未知的“%1://”。地址必须以 redis://、rediss:// 或 unix:// 开头。</translation>
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
</context>
<context>
    <name>lockscope::sweep</name>
    <message>
        <source>SCAN did not answer a cursor and keys</source>
        <translation>SCAN 的应答不是游标和键</translation>
    </message>
</context>
<context>
    <name>lockscope::words</name>
    <message>
        <source>The host of %1 can&apos;t be found. Check its spelling and this machine&apos;s name service.</source>
        <translation>找不到 %1 的主机。请检查拼写和本机的域名解析。</translation>
    </message>
    <message>
        <source>Nothing listens at %1. Is the server running, and is this the right port?</source>
        <translation>%1 上没有监听者。服务器在运行吗？端口是否正确？</translation>
    </message>
    <message>
        <source>%1 did not answer in time. Check the address, and that no firewall stands in between.</source>
        <translation>%1 未及时应答。请检查地址，以及其间是否有防火墙。</translation>
    </message>
    <message>
        <source>The socket %1 is missing or may not be opened. Is the server running, and is this user allowed to open its socket?</source>
        <translation>套接字 %1 不存在或无法打开。服务器在运行吗？当前用户有权打开其套接字吗？</translation>
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
        <source>What answers at %1 does not speak as a Redis server does. Check the port, and whether it expects TLS.</source>
        <translation>%1 的应答不像 Redis 服务器。请检查端口，以及是否需要 TLS。</translation>
    </message>
    <message>
        <source>There is no connection to %1 at the moment: nothing was sent. Try again once it is back.</source>
        <translation>当前没有与 %1 的连接：未发送任何请求。请在恢复连接后重试。</translation>
    </message>
    <message>
        <source>The request to %1 was cancelled before it was sent.</source>
        <translation>发往 %1 的请求在发送前已取消。</translation>
    </message>
    <message>
        <source>The connection to %1 was lost after the request was sent: it may have been carried out. Look at the lock before trying again.</source>
        <translation>请求发送后与 %1 的连接断开：请求可能已执行。重试前请先查看锁。</translation>
    </message>
    <message>
        <source>%1 asks for a password. Give one, and a user name where the server has users.</source>
        <translation>%1 要求密码。请提供密码；若服务器设有用户，还需用户名。</translation>
    </message>
    <message>
        <source>%1 refused the user name or password. Check both.</source>
        <translation>%1 拒绝了用户名或密码。请检查两者。</translation>
    </message>
    <message>
        <source>This user lacks a permission on %1. Ask for it, or log in as another user.</source>
        <translation>此用户在 %1 上缺少权限。请申请权限，或以其他用户登录。</translation>
    </message>
    <message>
        <source>%1 is still loading its data. Try again in a moment.</source>
        <translation>%1 仍在加载数据。请稍后重试。</translation>
    </message>
    <message>
        <source>%1 is busy running another client&apos;s script. Try again when it has ended.</source>
        <translation>%1 正忙于运行其他客户端的脚本。请待其结束后重试。</translation>
    </message>
    <message>
        <source>%1 is part of a cluster, and this key is on another node. Clusters are not supported yet: connect to that node.</source>
        <translation>%1 属于集群，此键位于另一节点。尚不支持集群：请连接到该节点。</translation>
    </message>
    <message>
        <source>%1 is moving this key to another node of its cluster. Clusters are not supported yet.</source>
        <translation>%1 正将此键迁移到集群的另一节点。尚不支持集群。</translation>
    </message>
    <message>
        <source>%1 is moving keys between cluster nodes. Try again in a moment.</source>
        <translation>%1 正在集群节点间迁移键。请稍后重试。</translation>
    </message>
    <message>
        <source>The cluster that %1 belongs to is down. Check its nodes.</source>
        <translation>%1 所属的集群已下线。请检查其节点。</translation>
    </message>
    <message>
        <source>%1 is a replica and takes no writes. Connect to its master.</source>
        <translation>%1 是副本，不接受写入。请连接到其主节点。</translation>
    </message>
    <message>
        <source>%1 takes no writes because it can&apos;t save to its disk. Its operator must mend that first.</source>
        <translation>%1 无法保存到磁盘，因此不接受写入。须先由其运维人员修复。</translation>
    </message>
    <message>
        <source>%1 has no memory left for new data. Locks can still be released or ended.</source>
        <translation>%1 已没有内存存放新数据。仍可释放或结束锁。</translation>
    </message>
    <message>
        <source>%1 takes no writes because too few of its replicas are in step. Check the replicas.</source>
        <translation>%1 的同步副本过少，因此不接受写入。请检查副本。</translation>
    </message>
    <message>
        <source>%1 is a replica that has lost its master. Connect to another node.</source>
        <translation>%1 是与主节点失联的副本。请连接到其他节点。</translation>
    </message>
    <message>
        <source>%1 does not know the script, although it was just sent. Try again.</source>
        <translation>%1 不认识刚刚发送的脚本。请重试。</translation>
    </message>
    <message>
        <source>The key on %1 holds another type than a lock of this family has. Look at it before acting.</source>
        <translation>%1 上的键的数据类型与此类锁不符。操作前请先查看。</translation>
    </message>
    <message>
        <source>%1 has reached its limit of clients. Try again later, or raise maxclients.</source>
        <translation>%1 的客户端数已达上限。请稍后重试，或调高 maxclients。</translation>
    </message>
    <message>
        <source>%1 answered with an error.</source>
        <translation>%1 返回了错误。</translation>
    </message>
    <message>
        <source>%1 sent a reply that this command never has. Is there a proxy in between?</source>
        <translation>%1 发来了此命令不可能有的应答。其间有代理吗？</translation>
    </message>
    <message>
        <source>Refused: this program runs in read-only mode. Nothing was sent to %1.</source>
        <translation>已拒绝：本程序以只读模式运行。未向 %1 发送任何请求。</translation>
    </message>
    <message>
        <source>The audit record can&apos;t be written, so nothing was sent to %1.</source>
        <translation>无法写入审计记录，因此未向 %1 发送任何请求。</translation>
    </message>
    <message>
        <source>This can&apos;t be asked of %1.</source>
        <translation>无法向 %1 提出此请求。</translation>
    </message>
    <message>
        <source>It ends in %1.</source>
        <translation>将在 %1后结束。</translation>
    </message>
    <message>
        <source>Holds: %1.</source>
        <translation>重入次数：%1。</translation>
    </message>
    <message>
        <source>The key could not be read since: look at it before trying again.</source>
        <translation>此后未能读取该键：重试前请先查看。</translation>
    </message>
    <message>
        <source>A look at the key just now: nothing is there.</source>
        <translation>刚刚查看该键：不存在。</translation>
    </message>
    <message>
        <source>A look at the key just now: it is there, but no owner can be read.</source>
        <translation>刚刚查看该键：存在，但读不出持有者。</translation>
    </message>
    <message>
        <source>A look at the key just now: owner %1, holds %2.</source>
        <translation>刚刚查看该键：持有者 %1，重入次数 %2。</translation>
    </message>
    <message>
        <source>The lock was acquired.</source>
        <translation>已获取锁。</translation>
    </message>
    <message>
        <source>The owner held the lock already and holds it once more.</source>
        <translation>持有者已持有该锁，现又重入一次。</translation>
    </message>
    <message>
        <source>Another owner holds the lock: nothing was changed.</source>
        <translation>锁由另一持有者持有：未作任何更改。</translation>
    </message>
    <message>
        <source>The lock was released.</source>
        <translation>已释放锁。</translation>
    </message>
    <message>
        <source>One level was released; the owner still holds the lock.</source>
        <translation>已释放一层；持有者仍持有锁。</translation>
    </message>
    <message>
        <source>The lock is not held by this owner: nothing was changed.</source>
        <translation>锁不由此持有者持有：未作任何更改。</translation>
    </message>
    <message>
        <source>The lease was set anew.</source>
        <translation>已重设租约。</translation>
    </message>
    <message>
        <source>The lock&apos;s end was forced.</source>
        <translation>已强制锁过期。</translation>
    </message>
    <message>
        <source>The lock was gone already: nothing was changed.</source>
        <translation>锁已不存在：未作任何更改。</translation>
    </message>
    <message>
        <source>Refused: the owner is no longer the one that was seen. Nothing was changed.</source>
        <translation>已拒绝：持有者已不是所见的持有者。未作任何更改。</translation>
    </message>
    <message>
        <source>Refused: the owner&apos;s holds are no longer those that were seen. Nothing was changed.</source>
        <translation>已拒绝：重入次数已与所见不同。未作任何更改。</translation>
    </message>
    <message>
        <source>What is stored there is no lock of a known family: nothing was changed.</source>
        <translation>所存内容不是已知类型的锁：未作任何更改。</translation>
    </message>
    <message>
        <source>The stored count of holds is not a number of at least 1: nothing was changed.</source>
        <translation>存储的重入次数不是不小于 1 的数字：未作任何更改。</translation>
    </message>
    <message>
        <source>The connection was lost after the request was sent: it may have been carried out.</source>
        <translation>请求发送后连接断开：请求可能已执行。</translation>
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
        <source>No expiry: it will never end by itself.</source>
        <translation>没有过期时间：永远不会自行结束。</translation>
    </message>
    <message>
        <source>The stored count of holds is not a number of at least 1.</source>
        <translation>存储的重入次数不是不小于 1 的数字。</translation>
    </message>
    <message>
        <source>More than one owner where only one can be.</source>
        <translation>只能有一个持有者，却有多个。</translation>
    </message>
    <message>
        <source>It has a lock&apos;s name, but holds no value that a lock could have.</source>
        <translation>名称像锁，但其值不是锁可能有的值。</translation>
    </message>
    <message>
        <source>It holds more than is read of a lock: shown in part.</source>
        <translation>内容超出对锁的读取上限：仅显示一部分。</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1.%2 s</source>
        <translation>%1.%2 秒</translation>
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
</context>
</TS>
