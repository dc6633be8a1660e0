package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Heartbeat;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import org.jspecify.annotations.Nullable;

/** A site: its rows, and how many of its machines there are and are in flight. */
public final class Site {
    private final SiteId id;

    @Nullable
    Heartbeat heartbeat;

    @Nullable
    SiteHead head;

    @Nullable
    SiteStatus status;

    /** What annotations ask for here; null while they have never asked for anything. */
    @Nullable
    IntentsRollout intents;

    int machines;
    int inFlight;

    /** Those in flight for an annotation, also one that is not there any more. */
    int asked;

    Site(SiteId id) {
        this.id = id;
    }

    public SiteId id() {
        return id;
    }

    /** What the watcher last said of itself; its instant is not kept. Null before it has said anything. */
    public @Nullable Heartbeat heartbeat() {
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

    /** Machines in flight here: by their rows, or by the head row while they cannot be read. */
    public int inFlight() {
        return isUnread() && head != null ? head.inFlight() : inFlight;
    }

    /** Whether its topics could not be read, so that nothing but its head row is known. */
    public boolean isUnread() {
        return head != null && head.unreachableSince() != null && heartbeat == null && machines == 0;
    }
}
