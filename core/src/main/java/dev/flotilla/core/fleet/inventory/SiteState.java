package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A site: its rows, and how many of its machines there are and are in flight. */
public final class SiteState {
    private final SiteId id;

    private @Nullable WatcherHeartbeat heartbeat;

    private @Nullable SiteHead head;

    private @Nullable SiteStatus status;

    /** Whether any of its rows but the head row has been read, or all of them and there were none. */
    private boolean restored;

    private int machines;
    private int inFlight;

    /** Those in flight for an annotation, also one that is not there any more. */
    private int intentsInFlight;

    SiteState(SiteId id) {
        this.id = id;
    }

    /** What its watcher says of itself, without who and when that was. */
    public void put(WatcherHeartbeat row) {
        heartbeat = new WatcherHeartbeat(
                row.site(), row.managementUid(), "", Instant.EPOCH, row.withheldRemovals(), row.mode(), null, null);
    }

    public void removeHeartbeat() {
        heartbeat = null;
    }

    public void putHead(@Nullable SiteHead row) {
        head = row;
    }

    public void putStatus(@Nullable SiteStatus row) {
        status = row;
    }

    public boolean isRestored() {
        return restored;
    }

    public void markRestored() {
        restored = true;
    }

    void addMachines(int change) {
        machines += change;
    }

    /** Replaces what a cluster of the site counted before. */
    public void replaceCounts(ClusterCounts before, ClusterCounts now) {
        inFlight += now.inFlight() - before.inFlight();
        intentsInFlight += now.intentsInFlight() - before.intentsInFlight();
    }

    /** Machines in flight for an annotation, also for one that is not there any more. */
    public int intentsInFlight() {
        return intentsInFlight;
    }

    public SiteId id() {
        return id;
    }

    /** What the watcher last said of itself; its instant is not kept. Null before it has said anything. */
    public @Nullable WatcherHeartbeat heartbeat() {
        return heartbeat;
    }

    /** How we stand to it; null before there was anything to say. */
    public @Nullable SiteHead head() {
        return head;
    }

    public @Nullable SiteStatus status() {
        return status;
    }

    public int machines() {
        return machines;
    }

    /** Machines in flight here: by their rows, or by the head row where none of them was read and nobody wrote them off. */
    public int inFlight() {
        return isWrittenOff() ? 0 : head == null || restored ? inFlight : head.inFlight();
    }

    /** Whether it counts by its head row alone: its rows were not read, whatever that says, or it was written off. */
    public boolean isUnrestored() {
        return head != null && (!restored || head.isWrittenOff());
    }

    /** Whether somebody has given it up, as long as its topics cannot be used. */
    public boolean isWrittenOff() {
        return head != null && head.isWrittenOff();
    }

    /** Whether nobody knows how its machines stand, and nobody has given them up. */
    public boolean isAwaited() {
        return isUnrestored() && !isWrittenOff();
    }

    /** The numbers below which open attempts are written off here; zero for none. */
    public long writtenOffBelow() {
        long said = status == null ? 0 : status.writtenOffBeforeAttempt();
        return head == null || head.writeOff() == null
                ? said
                : Math.max(said, head.writeOff().beforeAttempt());
    }
}
