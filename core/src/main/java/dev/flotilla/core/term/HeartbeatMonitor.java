package dev.flotilla.core.term;

import dev.flotilla.core.DecisionInput;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Judges heartbeats: the core hears of a site only when it falls silent or is heard again. */
public final class HeartbeatMonitor {
    /** So far the clocks of a leader and of a broker may lie apart. */
    public static final Duration CLOCKS_APART = Duration.ofSeconds(5);

    private final Function<SiteId, Duration> silentAfter;
    private final Map<SiteId, Long> lastHeard = new LinkedHashMap<>();
    private final Set<SiteId> silent = new LinkedHashSet<>();
    private final Set<SiteId> unsaid = new LinkedHashSet<>();

    /**
     * A site that no head row speaks of, or whose topics were adopted, counts as silent until it is heard; others get one more
     * chance.
     *
     * @param silentAfter how old a site's heartbeat may be, as the policies say now
     */
    public HeartbeatMonitor(
            Collection<SiteId> sites, Map<SiteId, SiteHead> heads, Function<SiteId, Duration> silentAfter, long now) {
        this.silentAfter = silentAfter;
        for (SiteId site : sites) {
            monitorSite(site, heads.get(site), now);
        }
    }

    /** Listens to one more site. */
    public void monitorSite(SiteId site, @Nullable SiteHead head, long now) {
        lastHeard.put(site, now);
        if (head == null || head.isAwaitingRead()) {
            unsaid.add(site);
            silent.add(site);
        } else if (head.silentSince() != null) {
            silent.add(site);
        }
    }

    /**
     * A heartbeat was read, with the instant at which the broker took it. One that is ahead of our clock counts as of now: a
     * broker whose clock is an hour ahead must not keep a silent site heard for an hour.
     */
    public void recordHeartbeat(SiteId site, long appended, long now) {
        lastHeard.merge(site, Math.min(appended, now + CLOCKS_APART.toMillis()), Math::max);
    }

    /** What changed since it was asked last. */
    public List<DecisionInput> pollTransitions(long now, Instant at) {
        List<DecisionInput> edges = new ArrayList<>();
        for (Map.Entry<SiteId, Long> entry : lastHeard.entrySet()) {
            SiteId site = entry.getKey();
            boolean late = now - entry.getValue() > silence(site);
            if (unsaid.remove(site)) {
                edges.add(new DecisionInput.HeartbeatLost(site, at));
            }
            if (late && silent.add(site)) {
                edges.add(new DecisionInput.HeartbeatLost(site, at));
            }
        }
        return edges;
    }

    /** Whether this heartbeat ends a silence. */
    public boolean endsSilence(SiteId site, long appended, long now) {
        return now - appended <= silence(site) && silent.remove(site);
    }

    private long silence(SiteId site) {
        return silentAfter.apply(site).toMillis();
    }
}
