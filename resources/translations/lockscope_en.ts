<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Explanation</name>
    <message numerus="yes">
        <source>Renewed %n time(s) while watched: some process keeps it alive.</source>
        <translation>
            <numerusform>Renewed %n time while watched: some process keeps it alive.</numerusform>
            <numerusform>Renewed %n times while watched: some process keeps it alive.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Renewed %n time(s) while watched, but not lately. Without another renewal it ends at %1.</source>
        <translation>
            <numerusform>Renewed %n time while watched, but not lately. Without another renewal it ends at %1.</numerusform>
            <numerusform>Renewed %n times while watched, but not lately. Without another renewal it ends at %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Renewed or acquired again %n time(s) while watched: its token does not tell which. Unless that happens again it ends at %1.</source>
        <translation>
            <numerusform>Renewed or acquired again %n time while watched: its token does not tell which. Unless that happens again it ends at %1.</numerusform>
            <numerusform>Renewed or acquired again %n times while watched: its token does not tell which. Unless that happens again it ends at %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LockText</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stand in the queue.</source>
        <translation>
            <numerusform>%n stands in the queue.</numerusform>
            <numerusform>%n stand in the queue.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them is dead: the others wait for it too.</source>
        <translation>
            <numerusform>%n of them is dead: the others wait for it too.</numerusform>
            <numerusform>%n of them are dead: the others wait for them too.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n processes listen at least; their threads are not counted.</source>
        <translation>
            <numerusform>%n process listens at least; its threads are not counted.</numerusform>
            <numerusform>%n processes listen at least; their threads are not counted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wait at least. Those that poll are not seen.</source>
        <translation>
            <numerusform>%n waits at least. Those that poll are not seen.</numerusform>
            <numerusform>%n wait at least. Those that poll are not seen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stand in the queue; all are dead.</source>
        <translation>
            <numerusform>%n stands in the queue; it is dead.</numerusform>
            <numerusform>%n stand in the queue; all are dead.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ConfirmServerDialog</name>
    <message numerus="yes">
        <source>%n worker(s) will contend there as fast as they can, over up to %1 connections.</source>
        <translation>
            <numerusform>%n worker will contend there as fast as it can, over up to %1 connections.</numerusform>
            <numerusform>%n workers will contend there as fast as they can, over up to %1 connections.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::EventModel</name>
    <message numerus="yes">
        <source>%n other(s) hold it</source>
        <comment>follows an owner who came or went</comment>
        <translation>
            <numerusform>%n other holds it</numerusform>
            <numerusform>%n others hold it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ForceExpireDialog</name>
    <message numerus="yes">
        <source>all %n holds</source>
        <translation>
            <numerusform>the %n hold</numerusform>
            <numerusform>all %n holds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::HiddenLine</name>
    <message numerus="yes">
        <source>%1 key(s) that look like no locks are shown</source>
        <translation>
            <numerusform>%1 key that looks like no lock is shown</numerusform>
            <numerusform>%1 keys that look like no locks are shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 hidden key(s) that look like no locks</source>
        <translation>
            <numerusform>%1 hidden key that looks like no lock</numerusform>
            <numerusform>%1 hidden keys that look like no locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::LockDetails</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::LockSummary</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::LockWaitsPanel</name>
    <message numerus="yes">
        <source>Deadlock: %n wait for each other</source>
        <translation>
            <numerusform>Deadlock: %n waits for itself</numerusform>
            <numerusform>Deadlock: %n wait for each other</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n locks are waited for</source>
        <translation>
            <numerusform>%n lock is waited for</numerusform>
            <numerusform>%n locks are waited for</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::MonitorPage</name>
    <message numerus="yes">
        <source>Next try in %n s.</source>
        <translation>
            <numerusform>Next try in %n s.</numerusform>
            <numerusform>Next try in %n s.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n deadlocks: none of these can go on by itself</source>
        <translation>
            <numerusform>%n deadlock: none of these can go on by itself</numerusform>
            <numerusform>%n deadlocks: none of these can go on by itself</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::OutsideLine</name>
    <message numerus="yes">
        <source>%1 key(s) look like locks but match no pattern</source>
        <translation>
            <numerusform>%1 key looks like a lock but matches no pattern</numerusform>
            <numerusform>%1 keys look like locks but match no pattern</numerusform>
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
    <name>lockscope::WaitersView</name>
    <message numerus="yes">
        <source>The first %n are shown.</source>
        <translation>
            <numerusform>The first %n is shown.</numerusform>
            <numerusform>The first %n are shown.</numerusform>
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
        <source>%1 key(s)</source>
        <translation>
            <numerusform>%1 key</numerusform>
            <numerusform>%1 keys</numerusform>
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
        <source>%1 more key(s) look like locks but match no pattern. Patterns for them: %2</source>
        <translation>
            <numerusform>%1 more key looks like a lock but matches no pattern. Pattern for this key: %2</numerusform>
            <numerusform>%1 more keys look like locks but match no pattern. Patterns for them: %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::effects</name>
    <message numerus="yes">
        <source>%n wait(s) for it now.</source>
        <translation>
            <numerusform>%n waits for it now.</numerusform>
            <numerusform>%n wait for it now.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n process(es) listen(s) for it now.</source>
        <translation>
            <numerusform>%n process listens for it now.</numerusform>
            <numerusform>%n processes listen for it now.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %n wait(s) for it now.</source>
        <translation>
            <numerusform>At least %n waits for it now.</numerusform>
            <numerusform>At least %n wait for it now.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::resettext</name>
    <message numerus="yes">
        <source>%1 lock(s) gone</source>
        <translation>
            <numerusform>%1 lock gone</numerusform>
            <numerusform>%1 locks gone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other such event(s), with no more locks gone in each; the latest at %1.</source>
        <translation>
            <numerusform>%n other such event, with no more locks gone; at %1.</numerusform>
            <numerusform>%n other such events, with no more locks gone in each; the latest at %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::simulation</name>
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
</context>
<context>
    <name>lockscope::words</name>
    <message numerus="yes">
        <source>%1 lock(s)</source>
        <translation>
            <numerusform>%1 lock</numerusform>
            <numerusform>%1 locks</numerusform>
        </translation>
    </message>
</context>
</TS>
