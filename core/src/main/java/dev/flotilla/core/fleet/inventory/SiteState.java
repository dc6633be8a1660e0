package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A site: its rows, its machines, and how many are in flight. */
public final class SiteState {
    private final SiteId id;

    private @Nullable WatcherHeartbeat heartbeat;

    private @Nullable SiteHead head;

    private @Nullable SiteStatus status;

    /** Whether its rows have been read, or at least one row besides the head row. */
    private boolean restored;

    private int machines;
    private int inFlight;
    private int preparing;

    /** Machines in flight for intents, including removed ones. */
    private int intentsInFlight;

    SiteState(SiteId id) {
        this.id = id;
    }

    /** Applies the heartbeat, without its watcher and time. */
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

    /** Replaces the former counts of a cluster. */
    public void replaceCounts(ClusterCounts before, ClusterCounts now) {
        inFlight += now.inFlight() - before.inFlight();
        intentsInFlight += now.intentsInFlight() - before.intentsInFlight();
        preparing += now.preparing() - before.preparing();
    }

    /** Machines with a command to prepare them out. */
    public int preparing() {
        return preparing;
    }

    /** Machines in flight for intents, including removed ones. */
    public int intentsInFlight() {
        return intentsInFlight;
    }

    public SiteId id() {
        return id;
    }

    /** The last heartbeat without its time; null for none. */
    public @Nullable WatcherHeartbeat heartbeat() {
        return heartbeat;
    }

    /** The head row of the site; null for none. */
    public @Nullable SiteHead head() {
        return head;
    }

    /** Whether its topics cannot be used, so that a leader may know only its head row. */
    public boolean isUnreachable() {
        return head != null && head.unreachableSince() != null;
    }

    public @Nullable SiteStatus status() {
        return status;
    }

    public int machines() {
        return machines;
    }

    /** Machines in flight: by the rows, or by the head row if no row was read and the site is not written off. */
    public int inFlight() {
        return isWrittenOff() ? 0 : head == null || restored ? inFlight : head.inFlight();
    }

    /** Whether only its head row counts, because its rows were not read or it was written off. */
    public boolean isUnrestored() {
        return head != null && (!restored || head.isWrittenOff());
    }

    /** Whether the site is written off, while its topics cannot be used. */
    public boolean isWrittenOff() {
        return head != null && head.isWrittenOff();
    }

    /** Whether the progress of its machines is unknown and the site is not written off. */
    public boolean isAwaited() {
        return isUnrestored() && !isWrittenOff();
    }

    /** Attempts with lower ids are written off; zero for none. */
    public long writtenOffBelow() {
        long said = status == null ? 0 : status.writtenOffBeforeAttempt();
        return head == null || head.writeOff() == null
                ? said
                : Math.max(said, head.writeOff().beforeAttempt());
    }
}
