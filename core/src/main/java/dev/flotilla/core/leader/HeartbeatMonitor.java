package dev.flotilla.core.leader;

import dev.flotilla.core.decision.DecisionInput;
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

/** Monitors heartbeats: the core receives an input only when a site falls silent or sends heartbeats again. */
public final class HeartbeatMonitor {
    /** Maximum difference between the clocks of leader and broker. */
    public static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    private final Function<SiteId, Duration> heartbeatTimeout;
    private final Map<SiteId, Long> lastHeartbeats = new LinkedHashMap<>();
    private final Set<SiteId> silent = new LinkedHashSet<>();
    private final Set<SiteId> unreported = new LinkedHashSet<>();

    /**
     * A site without a head row, or with adopted topics, counts as silent until its first heartbeat; the others start
     * with a full timeout.
     *
     * @param silentAfter the heartbeat timeout of a site by the current policies
     */
    public HeartbeatMonitor(
            Collection<SiteId> sites, Map<SiteId, SiteHead> heads, Function<SiteId, Duration> silentAfter, long now) {
        this.heartbeatTimeout = silentAfter;
        for (SiteId site : sites) {
            monitorSite(site, heads.get(site), now);
        }
    }

    /** Monitors one more site. */
    public void monitorSite(SiteId site, @Nullable SiteHead head, long now) {
        lastHeartbeats.put(site, now);
        if (head == null || head.isAdoptedAndUnread()) {
            unreported.add(site);
            silent.add(site);
        } else if (head.silentSince() != null) {
            silent.add(site);
        }
    }

    /**
     * Records a heartbeat with the time at which the broker appended it. A time in the future counts as now: a broker
     * whose clock is an hour ahead must not keep a silent site alive for an hour.
     */
    public void recordHeartbeat(SiteId site, long appendedAt, long now) {
        lastHeartbeats.merge(site, Math.min(appendedAt, now + MAX_CLOCK_DIFFERENCE.toMillis()), Math::max);
    }

    /** The transitions since the last poll. */
    public List<DecisionInput> pollTransitions(long now, Instant at) {
        List<DecisionInput> transitions = new ArrayList<>();
        for (Map.Entry<SiteId, Long> entry : lastHeartbeats.entrySet()) {
            SiteId site = entry.getKey();
            boolean timedOut = now - entry.getValue() > timeoutMillis(site);
            if (unreported.remove(site)) {
                transitions.add(new DecisionInput.HeartbeatLost(site, at));
            }
            if (timedOut && silent.add(site)) {
                transitions.add(new DecisionInput.HeartbeatLost(site, at));
            }
        }
        return transitions;
    }

    /** Whether this heartbeat ends a silence; if so, the site is no longer silent. */
    public boolean endsSilence(SiteId site, long appendedAt, long now) {
        return now - appendedAt <= timeoutMillis(site) && silent.remove(site);
    }

    private long timeoutMillis(SiteId site) {
        return heartbeatTimeout.apply(site).toMillis();
    }
}
