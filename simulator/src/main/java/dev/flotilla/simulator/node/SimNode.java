package dev.flotilla.simulator.node;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A simulated node with its k8sd. Random faults occur only until a given time; after that it behaves correctly. */
public final class SimNode {
    private static final int MINUTE = 60_000;

    private final String name;
    private final VirtualClockScheduler scheduler;
    private final Transcript transcript;
    private final NodeCallLedger ledger;
    private final SeededRandom chance;
    private final List<Runnable> watchers = new ArrayList<>();
    private final NodeSnapChanges changes;
    private final NodeRevisionState revisions;
    private final SimNodeUpgrades nodeUpgrades;
    private final long faultsEnd;
    private final double speed;
    private NodeFaultProfile faultProfile;
    private SiteSnapStore store = new SiteSnapStore();
    private boolean isReady = true;
    private boolean isRemoved;
    private boolean badCredentials;
    private boolean anonymous;
    private @Nullable ScriptedChangeEnd nextChangeEnd;
    private long unreachableUntil;
    private long unreadyUntil;
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
        this.revisions = new NodeRevisionState(scheduler.now(), revision);
        this.faultProfile = temper;
        this.scheduler = scheduler;
        this.transcript = transcript;
        this.ledger = ledger;
        this.changes = new NodeSnapChanges(ledger);
        this.nodeUpgrades = new SimNodeUpgrades(this, scheduler, ledger, chance.split("node upgrades"));
        this.chance = chance;
        this.faultsEnd = faultsEnd;
        this.speed = speed;
    }

    public String name() {
        return name;
    }

    public void watch(Runnable watcher) {
        watchers.add(watcher);
    }

    public int revision() {
        return revisions.running();
    }

    /** The revision that its Node object shows. The kubelet writes it, and cannot while the node is unreachable. */
    public int revisionInNodeObject() {
        return revisions.inNodeObject();
    }

    /** The revision that its k8sd has recorded in the cluster's database; not updated while the database is closed. */
    public int revisionInK8sdDatabase() {
        return revisions.inK8sdDatabase();
    }

    /** Lets k8sd record the running revision only while the database is open. */
    public void writeRevisionWhile(BooleanSupplier databaseIsOpen) {
        revisions.writeToDatabaseWhile(databaseIsOpen);
    }

    /** Sets how the node's next change ends. */
    public void scriptNextChangeEnd(ScriptedChangeEnd scriptedChangeEnd) {
        nextChangeEnd = scriptedChangeEnd;
    }

    /** Whether a revision that a target means or has meant in this site ran at any time since an instant. */
    public boolean ranSince(long since, UpgradeTarget target) {
        return store.hasMeant(target, revision -> revisions.ranSince(since, revision));
    }

    /** Whether its system UUID and provider id do not distinguish it from other nodes. */
    public boolean isAnonymous() {
        return anonymous;
    }

    public SimNode placeInSite(SiteSnapStore siteStore, boolean isAnonymous) {
        store = siteStore;
        anonymous = isAnonymous;
        return this;
    }

    public String version() {
        return SnapReleases.version(revisions.running());
    }

    public boolean isReady() {
        return isReady && !isRemoved;
    }

    public boolean isRemoved() {
        return isRemoved;
    }

    /** Whether k8sd and the kubelet answer at all. */
    public boolean isReachable() {
        return !isRemoved && scheduler.now() >= unreachableUntil;
    }

    public boolean isRefreshing() {
        return changes.isAnyRunning();
    }

    /** Handles the call: starts a refresh, or returns why not. */
    public RefreshCallResult refresh(MachineKey machine, UpgradeTarget target, long attempt, String caller) {
        if (!isReachable()) {
            return new RefreshCallResult.NotSent();
        }
        RefreshCallResult outcome = decideResult(target);
        boolean rejected =
                outcome instanceof RefreshCallResult.NodeBusy || outcome instanceof RefreshCallResult.CallRejected;
        boolean lost = !rejected && drawFault(faultProfile.loses());
        String changeId =
                outcome instanceof RefreshCallResult.ChangeStarted changeStarted ? changeStarted.changeId() : "";
        ledger.add(new NodeCallLedger.NodeCall(
                machine, scheduler.now(), changeId, !changeId.isEmpty(), rejected, !lost, attempt, caller));
        transcript.append(
                name,
                () -> "is called for attempt " + attempt + " to " + target + ": "
                        + outcome.getClass().getSimpleName() + " " + changeId + (lost ? ", the response is lost" : ""));
        if (!changeId.isEmpty()) {
            startChange(changeId, store.revision(target), true);
        }
        return lost ? new RefreshCallResult.NoAnswer() : outcome;
    }

    private RefreshCallResult decideResult(UpgradeTarget target) {
        if (badCredentials) {
            return new RefreshCallResult.CallRejected();
        }
        if (changes.isAnyRunning()) {
            return new RefreshCallResult.NodeBusy();
        }
        return store.revision(target) == revisions.running()
                ? new RefreshCallResult.NothingToDo()
                : new RefreshCallResult.ChangeStarted(changes.nextId());
    }

    /** The status of a change, as snapd names it; empty if the id is unknown, null if the node is unreachable. */
    public @Nullable String status(String changeId) {
        return isReachable() ? changes.status(changeId) : null;
    }

    /** The status of a change, whether or not the node is reachable; empty if the id is unknown. */
    String changeStatus(String id) {
        return changes.status(id);
    }

    /** The objects that have a controller upgrade it, if k8sd does not. */
    public SimNodeUpgrades nodeUpgrades() {
        return nodeUpgrades;
    }

    void startNodeUpgrade(String id, long attempt, UpgradeTarget target) {
        transcript.append(name, () -> "has NodeUpgrade " + id + " for attempt " + attempt + " to " + target);
        startChange(id, store.revision(target), true);
    }

    /** Stops a NodeUpgrade between two steps, unless it has ended or hangs. */
    void abortNodeUpgrade(String id) {
        if (!isRemoved && changes.abort(id)) {
            transcript.append(name, () -> "aborts NodeUpgrade " + id + ", runs " + revisions.running());
            publishState();
        }
    }

    /** The error that snapd reports for a failed change. */
    public String error(String changeId) {
        return changes.error(changeId);
    }

    /**
     * Refreshes as a node under pebble does: it reports success immediately and copies the file a few seconds later.
     */
    public void copyLocalFile(MachineKey machine, UpgradeTarget target) {
        ledger.add(new NodeCallLedger.NodeCall(machine, scheduler.now(), "0", true, false, true, 0, "k8sd"));
        if (!drawFault(faultProfile.lies())) {
            after(5_000, () -> {
                setRevision(SnapReleases.revision(target));
                makeUnreachable(10_000);
            });
        }
    }

    private void startChange(String changeId, int target, boolean startedByCall) {
        SnapChange change = changes.start(changeId, startedByCall);
        long duration = chance.around(faultProfile.middleMillis(), faultProfile.spreadPercent());
        long down = Math.min(duration, chance.between(10_000, 50_000));
        after(duration - down, () -> stopForRefresh(change, down));
        if (drawFault(faultProfile.dies())) {
            long death = scheduler.now() + toWorldTime(chance.between(1000, duration));
            if (death < faultsEnd) {
                scheduler.at(death, this::removeMachine);
            }
        }
        boolean fails = (startedByCall && faultProfile.alwaysFails()) || drawFault(faultProfile.errors());
        boolean lies = drawFault(faultProfile.lies());
        ScriptedChangeEnd scripted = nextChangeEnd;
        nextChangeEnd = null;
        if (scripted != null) {
            after(duration, () -> endChange(change, scripted));
            return;
        }
        if (drawFault(faultProfile.hangs())) {
            boolean waits = chance.percent(50);
            after(duration / 2, () -> {
                if (change.status() == SnapChange.SnapChangeStatus.DOING && waits) {
                    change.setStatus(SnapChange.SnapChangeStatus.WAIT);
                }
            });
            // In the end an operator finds the hanging change and finishes it.
            scheduler.at(
                    Math.max(
                            scheduler.now() + toWorldTime(duration),
                            Math.min(faultsEnd, scheduler.now() + 6L * 60 * MINUTE)),
                    () -> endChange(change, target, false, false));
            return;
        }
        if (drawFault(faultProfile.reboots())) {
            after(duration / 2, () -> reboot(chance.between(20_000, 90_000)));
        }
        after(duration, () -> endChange(change, target, fails, lies));
    }

    /** Runs an action after a period of the node's own time. */
    private void after(long length, Runnable action) {
        scheduler.after(toWorldTime(length), action);
    }

    private long toWorldTime(long length) {
        return Math.round(length / speed);
    }

    private void stopForRefresh(SnapChange change, long down) {
        if (changes.isRunning(change) && change.status() == SnapChange.SnapChangeStatus.DOING && !isRemoved) {
            makeUnreachable(down + 2000);
        }
    }

    private void endChange(SnapChange change, ScriptedChangeEnd scriptedChangeEnd) {
        change.setStatus(scriptedChangeEnd.changeStatus(), scriptedChangeEnd.error());
        if (change.status().isFinal()) {
            changes.end(change);
        }
        publishState();
    }

    private void endChange(SnapChange change, int target, boolean fails, boolean lies) {
        if (!changes.isRunning(change)) {
            return;
        }
        changes.end(change);
        if (isRemoved) {
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
                setRevision(target);
            }
        }
        transcript.append(
                name,
                () -> "change " + change.id() + " is " + change.status().label() + ", runs " + revisions.running());
        if (drawFault(faultProfile.forgets())) {
            changes.forget(change);
        }
        if (drawFault(faultProfile.unready())) {
            long length = chance.between(2 * MINUTE, 40 * MINUTE);
            unreadyUntil = scheduler.now() + toWorldTime(length);
            setReady(false);
            after(length, this::recoverIfDue);
        }
        publishState();
    }

    private void setRevision(int next) {
        revisions.run(scheduler.now(), next);
    }

    boolean drawFault(int share) {
        return share > 0 && scheduler.now() < faultsEnd && chance.percent(share);
    }

    /** Makes the node unreachable and not Ready for a while. */
    public void makeUnreachable(long length) {
        unreachableUntil = Math.max(unreachableUntil, scheduler.now() + toWorldTime(length));
        setReady(false);
        after(length, this::recoverIfDue);
    }

    /** Reboots the machine. */
    public void reboot(long length) {
        boots++;
        makeUnreachable(length);
    }

    /** How many times the machine has booted. */
    public int boots() {
        return boots;
    }

    private void recoverIfDue() {
        if (scheduler.now() >= Math.max(unreachableUntil, unreadyUntil)) {
            setReady(true);
        }
    }

    public void setReady(boolean value) {
        if (isReady != value) {
            isReady = value;
            publishState();
        }
    }

    public boolean acceptsToken() {
        return !badCredentials;
    }

    public void setBadCredentials(boolean value) {
        badCredentials = value;
    }

    NodeFaultProfile faultProfile() {
        return faultProfile;
    }

    public void setFaultProfile(NodeFaultProfile next) {
        faultProfile = next;
    }

    /** Starts a refresh without a call, as snapd does several times a day. */
    public void startUnsolicitedRefresh(int target) {
        if (!changes.isAnyRunning() && !isRemoved) {
            transcript.append(name, () -> "refreshes without a call to " + target);
            startChange(changes.nextId(), target, false);
        }
    }

    /** Removes the machine under the node. */
    public void removeMachine() {
        if (!isRemoved) {
            transcript.append(name, () -> "is removed");
            isRemoved = true;
            changes.endRunning();
            publishState();
        }
    }

    /** Repairs the node: it runs, is Ready and reachable. */
    public void repair() {
        isRemoved = false;
        badCredentials = false;
        unreachableUntil = Math.min(unreachableUntil, scheduler.now());
        unreadyUntil = unreachableUntil;
        setReady(true);
        publishState();
    }

    /** Updates what the node shows of itself, and notifies the watchers. */
    public void publishState() {
        if (isReachable()) {
            revisions.publish();
        }
        watchers.forEach(Runnable::run);
    }
}
