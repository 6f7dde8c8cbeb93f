<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Alerts</name>
    <message numerus="yes">
        <source>%1 (%n times)</source>
        <comment>raised again so often</comment>
        <translation>
            <numerusform>%1 (%n time)</numerusform>
            <numerusform>%1 (%n times)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more alert(s)</source>
        <translation>
            <numerusform>%n more alert</numerusform>
            <numerusform>%n more alerts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LockLanes</name>
    <message numerus="yes">
        <source>%n owner(s)</source>
        <translation>
            <numerusform>%n owner</numerusform>
            <numerusform>%n owners</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OwnerLanes</name>
    <message numerus="yes">
        <source>%n lock(s)</source>
        <translation>
            <numerusform>%n lock</numerusform>
            <numerusform>%n locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ActionSeriesDialog</name>
    <message numerus="yes">
        <source>Release %n lock(s)</source>
        <translation>
            <numerusform>Release %n lock</numerusform>
            <numerusform>Release %n locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Force-expire %n lock(s)</source>
        <translation>
            <numerusform>Force-expire %n lock</numerusform>
            <numerusform>Force-expire %n locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Include %n lock(s) that other owners hold too; they lose it</source>
        <translation>
            <numerusform>&amp;Include %n lock that other owners hold too; they lose it</numerusform>
            <numerusform>&amp;Include %n locks that other owners hold too; they lose it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Release %n lock(s)</source>
        <translation>
            <numerusform>&amp;Release %n lock</numerusform>
            <numerusform>&amp;Release %n locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Force-expire %n lock(s)</source>
        <translation>
            <numerusform>&amp;Force-expire %n lock</numerusform>
            <numerusform>&amp;Force-expire %n locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ConfirmServerDialog</name>
    <message numerus="yes">
        <source>%n worker(s) will contend over up to %1 connections.</source>
        <translation>
            <numerusform>%n worker will contend over up to %1 connections.</numerusform>
            <numerusform>%n workers will contend over up to %1 connections.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ConnectionTestView</name>
    <message numerus="yes">
        <source>%n primary server(s)</source>
        <translation>
            <numerusform>%n primary server</numerusform>
            <numerusform>%n primary servers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::EventModel</name>
    <message numerus="yes">
        <source>%n other owner(s)</source>
        <comment>follows an owner who came or went</comment>
        <translation>
            <numerusform>%n other owner</numerusform>
            <numerusform>%n other owners</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::EventsPanel</name>
    <message numerus="yes">
        <source>%n newer</source>
        <translation>
            <numerusform>%n newer</numerusform>
            <numerusform>%n newer</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ForceExpireDialog</name>
    <message numerus="yes">
        <source>all %n owner(s)</source>
        <translation>
            <numerusform>%n owner</numerusform>
            <numerusform>all %n owners</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::HiddenLine</name>
    <message numerus="yes">
        <source>%1 probable non-lock(s) shown</source>
        <translation>
            <numerusform>%1 probable non-lock shown</numerusform>
            <numerusform>%1 probable non-locks shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 probable non-lock(s) hidden</source>
        <translation>
            <numerusform>%1 probable non-lock hidden</numerusform>
            <numerusform>%1 probable non-locks hidden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 possible lock(s)</source>
        <translation>
            <numerusform>%1 possible lock</numerusform>
            <numerusform>%1 possible locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ImportDialog</name>
    <message numerus="yes">
        <source>%n more line(s) that cannot be read</source>
        <translation>
            <numerusform>%n more line that cannot be read</numerusform>
            <numerusform>%n more lines that cannot be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Import %n server(s)</source>
        <translation>
            <numerusform>Import %n server</numerusform>
            <numerusform>Import %n servers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::LockDetails</name>
    <message numerus="yes">
        <source>not known yet (%n hold(s) seen)</source>
        <translation>
            <numerusform>not known yet (%n hold seen)</numerusform>
            <numerusform>not known yet (%n holds seen)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 to %2 (median %3, of %n hold(s) seen)</source>
        <translation>
            <numerusform>%1 to %2 (median %3, of %n hold seen)</numerusform>
            <numerusform>%1 to %2 (median %3, of %n holds seen)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::LockWaitsPanel</name>
    <message numerus="yes">
        <source>Deadlock: %n owner(s) wait for each other</source>
        <translation>
            <numerusform>Deadlock: %n owner waits for itself</numerusform>
            <numerusform>Deadlock: %n owners wait for each other</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s) with waiters</source>
        <translation>
            <numerusform>%n lock with waiters</numerusform>
            <numerusform>%n locks with waiters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::MainActions</name>
    <message numerus="yes">
        <source>&amp;Release %n lock(s)…</source>
        <translation>
            <numerusform>&amp;Release %n lock…</numerusform>
            <numerusform>&amp;Release %n locks…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Force-expire %n lock(s)…</source>
        <translation>
            <numerusform>&amp;Force-expire %n lock…</numerusform>
            <numerusform>&amp;Force-expire %n locks…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::MonitorPage</name>
    <message numerus="yes">
        <source>%1 lock(s) have changed since then.</source>
        <translation>
            <numerusform>%1 lock has changed since then.</numerusform>
            <numerusform>%1 locks have changed since then.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::OrderHold</name>
    <message numerus="yes">
        <source>%1 row(s) to move</source>
        <translation>
            <numerusform>%1 row to move</numerusform>
            <numerusform>%1 rows to move</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::Overview</name>
    <message numerus="yes">
        <source>and %1 other key(s)</source>
        <translation>
            <numerusform>and %1 other key</numerusform>
            <numerusform>and %1 other keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s)</source>
        <translation>
            <numerusform>%1 lock</numerusform>
            <numerusform>%1 locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::RawValueDialog</name>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n byte</numerusform>
            <numerusform>%n bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n element(s)</source>
        <translation>
            <numerusform>%n element</numerusform>
            <numerusform>%n elements</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n subscriber(s)</source>
        <translation>
            <numerusform>%n subscriber</numerusform>
            <numerusform>%n subscribers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ReplayBar</name>
    <message numerus="yes">
        <source>%1 to %2, %3 long: the clock was set back %n time(s)</source>
        <translation>
            <numerusform>%1 to %2, %3 long: the clock was set back %n time</numerusform>
            <numerusform>%1 to %2, %3 long: the clock was set back %n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ResultView</name>
    <message numerus="yes">
        <source>%n violation(s)</source>
        <translation>
            <numerusform>%n violation</numerusform>
            <numerusform>%n violations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::SearchDialog</name>
    <message numerus="yes">
        <source>%n lock(s)</source>
        <translation>
            <numerusform>%n lock</numerusform>
            <numerusform>%n locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::StatisticsExport</name>
    <message numerus="yes">
        <source>Export the statistics of %n lock(s)</source>
        <translation>
            <numerusform>Export the statistics of %n lock</numerusform>
            <numerusform>Export the statistics of %n locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Statistics of %1 lock(s) written to %2</source>
        <translation>
            <numerusform>Statistics of %1 lock written to %2</numerusform>
            <numerusform>Statistics of %1 locks written to %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::WaitersView</name>
    <message numerus="yes">
        <source>The first %n waiter(s) are shown.</source>
        <translation>
            <numerusform>The first %n waiter is shown.</numerusform>
            <numerusform>The first %n waiters are shown.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::WorkerModel</name>
    <message numerus="yes">
        <source>; acquired %n time(s)</source>
        <translation>
            <numerusform>; acquired %n time</numerusform>
            <numerusform>; acquired %n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::app</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 key(s)</source>
        <translation>
            <numerusform>%1 of %2 key</numerusform>
            <numerusform>%1 of %2 keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 other key(s) may be locks. Read them with:%2</source>
        <translation>
            <numerusform>%1 other key may be a lock. Read it with:%2</numerusform>
            <numerusform>%1 other keys may be locks. Read them with:%2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more (--json prints all)</source>
        <translation>
            <numerusform>and %n more (--json prints all)</numerusform>
            <numerusform>and %n more (--json prints all)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 → %2, %n time(s); at %3 by %4</source>
        <comment>outer and inner lock</comment>
        <translation>
            <numerusform>%1 → %2, %n time; at %3 by %4</numerusform>
            <numerusform>%1 → %2, %n times; at %3 by %4</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Owners of %n lock(s) name no thread: their orders are unknown.</source>
        <translation>
            <numerusform>Owners of %n lock name no thread: its orders are unknown.</numerusform>
            <numerusform>Owners of %n locks name no thread: their orders are unknown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Force-expire %n lock(s)</source>
        <translation>
            <numerusform>Force-expire %n lock</numerusform>
            <numerusform>Force-expire %n locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>phrases</name>
    <message numerus="yes">
        <source>%1 waiter(s).</source>
        <translation>
            <numerusform>%1 waiter.</numerusform>
            <numerusform>%1 waiters.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %1 waiter(s).</source>
        <translation>
            <numerusform>At least %1 waiter.</numerusform>
            <numerusform>At least %1 waiters.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 dead waiter(s) in the queue.</source>
        <translation>
            <numerusform>%1 dead waiter in the queue.</numerusform>
            <numerusform>%1 dead waiters in the queue.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %1 dead waiter(s) in the queue.</source>
        <translation>
            <numerusform>At least %1 dead waiter in the queue.</numerusform>
            <numerusform>At least %1 dead waiters in the queue.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n round(s) repeated: attempts too far apart.</source>
        <translation>
            <numerusform>%1: %n round repeated: attempts too far apart.</numerusform>
            <numerusform>%1: %n rounds repeated: attempts too far apart.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) repeated: late start.</source>
        <translation>
            <numerusform>%n run repeated: late start.</numerusform>
            <numerusform>%n runs repeated: late start.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n process(es) subscribed to its channel.</source>
        <translation>
            <numerusform>%n process subscribed to its channel.</numerusform>
            <numerusform>%n processes subscribed to its channel.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s)</source>
        <translation>
            <numerusform>%1 lock</numerusform>
            <numerusform>%1 locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 key(s) cannot be read: no permission.</source>
        <translation>
            <numerusform>%1 key cannot be read: no permission.</numerusform>
            <numerusform>%1 keys cannot be read: no permission.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 slot(s) have no node; their locks are missing.</source>
        <translation>
            <numerusform>%1 slot has no node; its locks are missing.</numerusform>
            <numerusform>%1 slots have no node; their locks are missing.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 key(s) could not be read: no node answers.</source>
        <translation>
            <numerusform>%1 key could not be read: no node answers.</numerusform>
            <numerusform>%1 keys could not be read: no node answers.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n worker</numerusform>
            <numerusform>%n workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n process(es)</source>
        <translation>
            <numerusform>%n process</numerusform>
            <numerusform>%n processes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lock(s)</source>
        <translation>
            <numerusform>%n lock</numerusform>
            <numerusform>%n locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Export %n event(s)</source>
        <translation>
            <numerusform>Export %n event</numerusform>
            <numerusform>Export %n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 event(s) written to %2</source>
        <translation>
            <numerusform>%1 event written to %2</numerusform>
            <numerusform>%1 events written to %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 key(s)</source>
        <translation>
            <numerusform>%1 key</numerusform>
            <numerusform>%1 keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Export %n lock(s)</source>
        <translation>
            <numerusform>Export %n lock</numerusform>
            <numerusform>Export %n locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s) written to %2</source>
        <translation>
            <numerusform>%1 lock written to %2</numerusform>
            <numerusform>%1 locks written to %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n server(s) of the Redlock group are not available</source>
        <translation>
            <numerusform>%n server of the Redlock group is not available</numerusform>
            <numerusform>%n servers of the Redlock group are not available</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) of the cluster are not available</source>
        <translation>
            <numerusform>%n node of the cluster is not available</numerusform>
            <numerusform>%n nodes of the cluster are not available</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n deadlock(s): these owners wait for each other</source>
        <translation>
            <numerusform>%n deadlock: these owners wait for each other</numerusform>
            <numerusform>%n deadlocks: these owners wait for each other</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Next attempt in %n s.</source>
        <translation>
            <numerusform>Next attempt in %n s.</numerusform>
            <numerusform>Next attempt in %n s.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s) gone</source>
        <translation>
            <numerusform>%1 lock gone</numerusform>
            <numerusform>%1 locks gone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more such event(s), the latest at %1.</source>
        <translation>
            <numerusform>%n more such event, at %1.</numerusform>
            <numerusform>%n more such events, the latest at %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Renewed %n time(s) while watched: a process keeps the lock alive.</source>
        <translation>
            <numerusform>Renewed %n time while watched: a process keeps the lock alive.</numerusform>
            <numerusform>Renewed %n times while watched: a process keeps the lock alive.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Renewed or acquired again %n time(s). Expires at %1 otherwise.</source>
        <translation>
            <numerusform>Renewed or acquired again %n time. Expires at %1 otherwise.</numerusform>
            <numerusform>Renewed or acquired again %n times. Expires at %1 otherwise.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Renewed %n time(s) while watched, but not lately. Expires at %1 unless renewed.</source>
        <translation>
            <numerusform>Renewed %n time while watched, but not lately. Expires at %1 unless renewed.</numerusform>
            <numerusform>Renewed %n times while watched, but not lately. Expires at %1 unless renewed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n dead)</source>
        <translation>
            <numerusform>%1 (%n dead)</numerusform>
            <numerusform>%1 (%n dead)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiter(s) in the queue.</source>
        <translation>
            <numerusform>%n waiter in the queue.</numerusform>
            <numerusform>%n waiters in the queue.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiter(s) in the queue, all dead.</source>
        <translation>
            <numerusform>%n waiter in the queue, dead.</numerusform>
            <numerusform>%n waiters in the queue, all dead.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n dead waiter(s), delaying any waiters behind.</source>
        <translation>
            <numerusform>%n dead waiter, delaying any waiters behind.</numerusform>
            <numerusform>%n dead waiters, delaying any waiters behind.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %n waiter(s). Polling clients cannot be counted.</source>
        <translation>
            <numerusform>At least %n waiter. Polling clients cannot be counted.</numerusform>
            <numerusform>At least %n waiters. Polling clients cannot be counted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %n process(es) subscribed; threads are not counted.</source>
        <translation>
            <numerusform>At least %n process subscribed; threads are not counted.</numerusform>
            <numerusform>At least %n processes subscribed; threads are not counted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiter(s) behind this lock</source>
        <translation>
            <numerusform>%n waiter behind this lock</numerusform>
            <numerusform>%n waiters behind this lock</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %n waiter(s) behind this lock</source>
        <translation>
            <numerusform>At least %n waiter behind this lock</numerusform>
            <numerusform>At least %n waiters behind this lock</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>share of %n lock(s)</source>
        <translation>
            <numerusform>share of %n lock</numerusform>
            <numerusform>share of %n locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %n waiter(s) in their queues.</source>
        <translation>
            <numerusform>At least %n waiter in their queues.</numerusform>
            <numerusform>At least %n waiters in their queues.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiter(s) in their queues.</source>
        <translation>
            <numerusform>%n waiter in their queues.</numerusform>
            <numerusform>%n waiters in their queues.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) in wait queues would be dead.</source>
        <translation>
            <numerusform>%n place in wait queues would be dead.</numerusform>
            <numerusform>%n places in wait queues would be dead.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiter(s) behind these places.</source>
        <translation>
            <numerusform>%n waiter stands behind these places.</numerusform>
            <numerusform>%n waiters stand behind these places.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>renewal overdue on %n lock(s), latest since %1</source>
        <translation>
            <numerusform>renewal overdue on %n lock, since %1</numerusform>
            <numerusform>renewal overdue on %n locks, latest since %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>not subscribed at %n place(s) in wait queues</source>
        <translation>
            <numerusform>not subscribed at %n place in wait queues</numerusform>
            <numerusform>not subscribed at %n places in wait queues</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>subscribed at %n place(s) in wait queues</source>
        <translation>
            <numerusform>subscribed at %n place in wait queues</numerusform>
            <numerusform>subscribed at %n places in wait queues</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n with signs of life</source>
        <comment>processes</comment>
        <translation>
            <numerusform>%1 of %n with signs of life</numerusform>
            <numerusform>%1 of %n with signs of life</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n likely dead or paused</source>
        <comment>processes</comment>
        <translation>
            <numerusform>%n likely dead or paused</numerusform>
            <numerusform>%n likely dead or paused</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unknown</source>
        <comment>processes</comment>
        <translation>
            <numerusform>%n unknown</numerusform>
            <numerusform>%n unknown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n owner ID(s) without one</source>
        <comment>processes</comment>
        <translation>
            <numerusform>%n owner ID without one</numerusform>
            <numerusform>%n owner IDs without one</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 to %2: waited %3 in %n episode(s)</source>
        <translation>
            <numerusform>%1 to %2: waited %3 in %n episode</numerusform>
            <numerusform>%1 to %2: waited %3 in %n episodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not all waiters of %n held lock(s) can be seen.</source>
        <translation>
            <numerusform>Not all waiters of %n held lock can be seen.</numerusform>
            <numerusform>Not all waiters of %n held locks can be seen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No permission for companion keys of %1 lock(s): waiters, families and dead holders may be wrong.</source>
        <translation>
            <numerusform>No permission for companion keys of %1 lock: waiters, families and dead holders may be wrong.</numerusform>
            <numerusform>No permission for companion keys of %1 locks: waiters, families and dead holders may be wrong.</numerusform>
        </translation>
    </message>
</context>
</TS>
