package dev.flotilla.simulator.node;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A node, and the k8sd on it. It is faulty only as long as faults are on; then it does what it is told. */
public final class SimNode {
    private static final int FIRST_CHANGE = 100;
    private static final int MINUTE = 60_000;

    private final String name;
    private final VirtualClockScheduler scheduler;
    private final Transcript transcript;
    private final NodeCallLedger ledger;
    private final SeededRandom chance;
    private final List<Runnable> watchers = new ArrayList<>();
    private final Map<String, SnapChange> changes = new LinkedHashMap<>();
    private final NodeRevisionHistory history = new NodeRevisionHistory();
    private final long faultsEnd;
    private final double speed;
    private NodeFaultProfile temper;
    private SiteSnapStore store = new SiteSnapStore();
    private int revision;
    private int revisionInNodeObject;
    private boolean isReady = true;
    private boolean isGone;
    private boolean badCredentials;
    private boolean anonymous;
    private BooleanSupplier database = () -> true;
    private int revisionInK8sdDatabase;
    private @Nullable ScriptedChangeEnd nextEnding;
    private long awayUntil;
    private long unreadyUntil;
    private @Nullable SnapChange running;
    private int nextChange = FIRST_CHANGE;
    private int boots = 1;

    public SimNode(
            String name,
            int revision,
            NodeFaultProfile temper,
            VirtualClockScheduler scheduler,
            Transcript transcript,
            NodeCallLedger ledger,
            SeededRandom chance,
            long faultsEnd,
            double speed) {
        this.name = name;
        this.revision = revision;
        this.revisionInNodeObject = revision;
        this.revisionInK8sdDatabase = revision;
        this.temper = temper;
        this.scheduler = scheduler;
        this.transcript = transcript;
        this.ledger = ledger;
        this.chance = chance;
        this.faultsEnd = faultsEnd;
        this.speed = speed;
        history.add(scheduler.now(), revision);
    }

    public String name() {
        return name;
    }

    public NodeFaultProfile temper() {
        return temper;
    }

    public void watch(Runnable watcher) {
        watchers.add(watcher);
    }

    public int revision() {
        return revision;
    }

    /** The revision that its Node object shows: its kubelet writes that, and not while it is away. */
    public int revisionInNodeObject() {
        return revisionInNodeObject;
    }

    /** The revision that its k8sd has written of it: not while its database is closed. */
    public int revisionInK8sdDatabase() {
        return revisionInK8sdDatabase;
    }

    /** Its k8sd writes what runs only while this says so. */
    public void writeRevisionWhile(BooleanSupplier databaseIsOpen) {
        database = databaseIsOpen;
    }

    /** How its next change ends. */
    public void scriptNextChangeEnd(ScriptedChangeEnd scriptedChangeEnd) {
        nextEnding = scriptedChangeEnd;
    }

    /** Whether what an option means here, or has meant, ran at any instant since. */
    public boolean ranSince(long since, UpgradeTarget option) {
        return store.hasMeant(option, revision -> history.ranSince(since, revision));
    }

    /** Whether its board and its provider tell nothing of it that others do not tell too. */
    public boolean isAnonymous() {
        return anonymous;
    }

    public SimNode standsIn(SiteSnapStore where, boolean isAnonymous) {
        store = where;
        anonymous = isAnonymous;
        return this;
    }

    public String version() {
        return SnapReleases.version(revision);
    }

    public boolean isReady() {
        return isReady && !isGone;
    }

    public boolean isGone() {
        return isGone;
    }

    /** Whether k8sd and the kubelet can be asked at all. */
    public boolean isReachable() {
        return !isGone && scheduler.now() >= awayUntil;
    }

    public boolean isRefreshing() {
        return running != null;
    }

    /** The call: begins a refresh, or says why not. */
    public RefreshCallResult refresh(MachineKey machine, UpgradeTarget target, long attempt, String caller) {
        if (!isReachable()) {
            return new RefreshCallResult.NotSent();
        }
        RefreshCallResult outcome = answer(target);
        boolean refused =
                outcome instanceof RefreshCallResult.NodeBusy || outcome instanceof RefreshCallResult.CallRejected;
        boolean lost = !refused && faulty(temper.loses());
        String changeId =
                outcome instanceof RefreshCallResult.ChangeStarted changeStarted ? changeStarted.changeId() : "";
        ledger.add(new NodeCallLedger.NodeCall(
                machine, scheduler.now(), changeId, !changeId.isEmpty(), refused, !lost, attempt, caller));
        transcript.append(
                name,
                () -> "is called for attempt " + attempt + " to " + target + ": "
                        + outcome.getClass().getSimpleName() + " " + changeId + (lost ? ", the answer is lost" : ""));
        if (!changeId.isEmpty()) {
            begin(changeId, store.revision(target), true);
        }
        return lost ? new RefreshCallResult.NoAnswer() : outcome;
    }

    private RefreshCallResult answer(UpgradeTarget target) {
        if (badCredentials) {
            return new RefreshCallResult.CallRejected();
        }
        if (running != null) {
            return new RefreshCallResult.NodeBusy();
        }
        return store.revision(target) == revision
                ? new RefreshCallResult.NothingToDo()
                : new RefreshCallResult.ChangeStarted(Integer.toString(nextChange++));
    }

    /** The status of a change, in snapd's words; empty where the id is unknown, null where nobody answers. */
    public @Nullable String status(String changeId) {
        if (!isReachable()) {
            return null;
        }
        SnapChange change = changes.get(changeId);
        return change == null ? "" : change.status().label();
    }

    /** What snapd says of a change that was not done. */
    public String error(String changeId) {
        SnapChange change = changes.get(changeId);
        return change == null ? "" : change.error();
    }

    /** As a node under pebble does it: says at once that it is done, and copies the file some seconds later. */
    public void copies(MachineKey machine, UpgradeTarget target) {
        ledger.add(new NodeCallLedger.NodeCall(machine, scheduler.now(), "0", true, false, true, 0, "k8sd"));
        if (!faulty(temper.lies())) {
            after(5_000, () -> {
                runs(SnapReleases.revision(target));
                away(10_000);
            });
        }
    }

    private void begin(String changeId, int target, boolean ours) {
        SnapChange change = new SnapChange(changeId, ours);
        changes.put(changeId, change);
        running = change;
        if (ours) {
            ledger.refreshStarted();
        }
        long duration = chance.around(temper.middleMillis(), temper.spreadPercent());
        long down = Math.min(duration, chance.between(10_000, 50_000));
        after(duration - down, () -> goesDown(change, down));
        if (faulty(temper.dies())) {
            long death = scheduler.now() + real(chance.between(1000, duration));
            if (death < faultsEnd) {
                scheduler.at(death, this::removeMachine);
            }
        }
        boolean fails = (ours && temper.alwaysFails()) || faulty(temper.errors());
        boolean lies = faulty(temper.lies());
        ScriptedChangeEnd scripted = nextEnding;
        nextEnding = null;
        if (scripted != null) {
            after(duration, () -> ends(change, scripted));
            return;
        }
        if (faulty(temper.hangs())) {
            boolean waits = chance.percent(50);
            after(duration / 2, () -> {
                if (change.status() == SnapChange.SnapChangeStatus.DOING && waits) {
                    change.setStatus(SnapChange.SnapChangeStatus.WAIT);
                }
            });
            // Somebody finds it in the end and gives it the kick it needs.
            scheduler.at(
                    Math.max(scheduler.now() + real(duration), Math.min(faultsEnd, scheduler.now() + 6L * 60 * MINUTE)),
                    () -> ends(change, target, false, false));
            return;
        }
        if (faulty(temper.reboots())) {
            after(duration / 2, () -> reboot(chance.between(20_000, 90_000)));
        }
        after(duration, () -> ends(change, target, fails, lies));
    }

    /** Does something when so much of the node's own time has gone by. */
    private void after(long length, Runnable action) {
        scheduler.after(real(length), action);
    }

    private long real(long length) {
        return Math.round(length / speed);
    }

    private void goesDown(SnapChange change, long down) {
        if (running == change && change.status() == SnapChange.SnapChangeStatus.DOING && !isGone) {
            away(down + 2000);
        }
    }

    private void ends(SnapChange change, ScriptedChangeEnd scriptedChangeEnd) {
        change.setStatus(scriptedChangeEnd.changeStatus(), scriptedChangeEnd.error());
        if (change.status().isFinal()) {
            running = null;
            if (change.ours()) {
                ledger.refreshEnded();
            }
        }
        changed();
    }

    private void ends(SnapChange change, int target, boolean fails, boolean lies) {
        if (running != change) {
            return;
        }
        running = null;
        if (change.ours()) {
            ledger.refreshEnded();
        }
        if (isGone) {
            return;
        }
        if (fails) {
            change.setStatus(chance.pick(List.of(
                    SnapChange.SnapChangeStatus.ERROR,
                    SnapChange.SnapChangeStatus.ERROR,
                    SnapChange.SnapChangeStatus.UNDONE)));
        } else {
            change.setStatus(SnapChange.SnapChangeStatus.DONE);
            if (!lies) {
                runs(target);
            }
        }
        transcript.append(
                name, () -> "change " + change.id() + " is " + change.status().label() + ", runs " + revision);
        if (faulty(temper.forgets())) {
            changes.remove(change.id());
        }
        if (faulty(temper.unready())) {
            long length = chance.between(2 * MINUTE, 40 * MINUTE);
            unreadyUntil = scheduler.now() + real(length);
            setReady(false);
            after(length, this::comesBack);
        }
        changed();
    }

    private void runs(int next) {
        revision = next;
        history.add(scheduler.now(), next);
    }

    private boolean faulty(int share) {
        return share > 0 && scheduler.now() < faultsEnd && chance.percent(share);
    }

    /** Restarts: away for a while, not Ready, then as before. */
    public void away(long length) {
        awayUntil = Math.max(awayUntil, scheduler.now() + real(length));
        setReady(false);
        after(length, this::comesBack);
    }

    /** The machine under it restarts. */
    public void reboot(long length) {
        boots++;
        away(length);
    }

    /** How many times the machine under it has started. */
    public int boots() {
        return boots;
    }

    private void comesBack() {
        if (scheduler.now() >= Math.max(awayUntil, unreadyUntil)) {
            setReady(true);
        }
    }

    public void setReady(boolean value) {
        if (isReady != value) {
            isReady = value;
            changed();
        }
    }

    public boolean acceptsToken() {
        return !badCredentials;
    }

    public void setBadCredentials(boolean value) {
        badCredentials = value;
    }

    public void setTemper(NodeFaultProfile next) {
        temper = next;
    }

    /** snapd refreshes by itself, several times a day. */
    public void startUnsolicitedRefresh(int target) {
        if (running == null && !isGone) {
            transcript.append(name, () -> "refreshes by itself to " + target);
            begin(Integer.toString(nextChange++), target, false);
        }
    }

    /** The machine under it is gone. */
    public void removeMachine() {
        if (!isGone) {
            transcript.append(name, () -> "vanishes");
            isGone = true;
            if (running != null && running.ours()) {
                ledger.refreshEnded();
            }
            running = null;
            changed();
        }
    }

    /** Somebody mends it: it runs, is Ready, and answers. */
    public void repair() {
        if (isGone) {
            isGone = false;
        }
        badCredentials = false;
        awayUntil = Math.min(awayUntil, scheduler.now());
        unreadyUntil = awayUntil;
        setReady(true);
        changed();
    }

    /** Shows itself as it is, as far as it can. */
    public void changed() {
        if (isReachable()) {
            revisionInNodeObject = revision;
            revisionInK8sdDatabase = database.getAsBoolean() ? revision : revisionInK8sdDatabase;
        }
        for (Runnable watcher : watchers) {
            watcher.run();
        }
    }
}
