package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.Scope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.ZoneName;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Window;
import dev.flotilla.schemas.row.ZoneRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The time zones that are known, where clusters are, and what maintenance windows come to there. */
final class Calendars {

    /** As long as nobody knows how long attempts take. */
    static final long ANY_PACE = Long.MAX_VALUE;

    /** A control plane has fewer members, of which the first is started only if all of them fit. */
    private static final int MEMBERS = 16;

    /** Beginnings and ends of windows that are looked at for the next one that is long enough. */
    private static final int MOST_EDGES = 200;

    private static final long WEEK = 7L * 24 * 3_600_000;

    /** Milliseconds for a megabyte, at a megabit a second. */
    private static final long MEGABYTE_OVER_MEGABIT = 8_000;

    private static final Comparator<ZoneName> BY_NAME = Comparator.comparing(ZoneName::id);

    private final Map<Scope, Policy> policies;
    private final Map<ZoneName, ZoneTime> clocks = new LinkedHashMap<>();

    /** How many clusters say that they are in a zone. */
    private final SortedMap<ZoneName, Integer> clusters = new TreeMap<>(BY_NAME);

    /** When a window opens or closes next; at once, if anything has changed about them. */
    private long edge;

    /** How long attempts take, at most, of which that became known since it was looked. */
    private long paced;

    /** Whether there may be windows at all: mostly there are none, and nobody has to look. */
    private boolean any = true;

    private final Closing lastOfSite = new Closing();
    private final Closing lastOfRollout = new Closing();

    /** What was answered last: the machines of a cluster, and mostly those of the next one, ask the same. */
    private static final class Closing {
        private List<Window> windows = List.of();
        private @Nullable ZoneName zone;
        private long now;
        private long closes;

        boolean isOf(List<Window> asked, @Nullable ZoneName where, long at) {
            return now == at && windows.equals(asked) && Objects.equals(zone, where);
        }

        void become(List<Window> asked, @Nullable ZoneName where, long at, long answer) {
            windows = asked;
            zone = where;
            now = at;
            closes = answer;
        }

        void forget() {
            windows = List.of();
        }
    }

    Calendars(Map<Scope, Policy> policies) {
        this.policies = policies;
    }

    void put(ZoneName zone, @Nullable ZoneRules rules) {
        if (rules == null) {
            clocks.remove(zone);
        } else {
            clocks.put(zone, new ZoneTime(rules));
        }
        change();
    }

    /** A cluster is in another zone than before, as far as it says so. */
    void locate(Cluster cluster, @Nullable String zone) {
        ZoneName before = cluster.zone;
        ZoneName now = zone == null ? null : new ZoneName(zone);
        if (Objects.equals(before, now)) {
            return;
        }
        cluster.zone = now;
        if (before != null) {
            clusters.computeIfPresent(before, (name, count) -> count == 1 ? null : count - 1);
        }
        if (now != null && clusters.merge(now, 1, Integer::sum) == 1) {
            change();
        }
    }

    void change() {
        edge = 0;
        any = true;
        lastOfSite.forget();
        lastOfRollout.forget();
    }

    /**
     * Attempts take as long, or took before. Whether they fit is another question only where a window is about to close: what
     * is open is open until the next edge at least.
     */
    void pace(long millis) {
        paced = Math.max(paced, millis);
    }

    long edge() {
        return edge;
    }

    /** Whether windows may have opened or closed since this was asked last. */
    boolean pass(List<CampaignRollout> campaigns, long now) {
        boolean fits = paced <= (edge - now) / MEMBERS;
        paced = 0;
        if (now < edge && fits) {
            return false;
        }
        any = hasWindows(campaigns);
        edge = any ? next(campaigns, now) : ZoneTime.NEVER;
        return any;
    }

    private boolean hasWindows(List<CampaignRollout> campaigns) {
        for (int i = 0; i < campaigns.size(); i++) {
            if (campaigns.get(i).windowsAhead()) {
                return true;
            }
        }
        for (Policy policy : policies.values()) {
            if (!ofAny(policy).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private long next(List<CampaignRollout> campaigns, long now) {
        long next = ZoneTime.NEVER;
        SortedSet<ZoneName> zones = zones(campaigns);
        for (CampaignRollout campaign : campaigns) {
            for (Window window :
                    campaign.windowsAhead() ? campaign.spec().terms().windows() : List.<Window>of()) {
                next = Math.min(next, next(window, zones, now));
            }
        }
        for (Policy policy : policies.values()) {
            for (Window window : ofAny(policy)) {
                next = Math.min(next, next(window, zones, now));
            }
        }
        return next;
    }

    /** All windows of a policy: those of whatever is started, and those of what annotations ask for. */
    private static List<Window> ofAny(Policy policy) {
        if (policy.intents() == null || policy.intents().windows().isEmpty()) {
            return policy.calendar().windows();
        }
        List<Window> windows = new ArrayList<>(policy.calendar().windows());
        windows.addAll(policy.intents().windows());
        return windows;
    }

    private long next(Window window, Collection<ZoneName> zones, long now) {
        long next = ZoneTime.NEVER;
        for (ZoneName zone : window.zone() == null ? zones : List.of(window.zone())) {
            ZoneTime clock = clocks.get(zone);
            next = clock == null ? next : Math.min(next, clock.next(window, now));
        }
        return next;
    }

    /** Every zone that anybody names, as long as there are windows at all. */
    SortedSet<ZoneName> zones(List<CampaignRollout> campaigns) {
        SortedSet<ZoneName> zones = new TreeSet<>(BY_NAME);
        if (!hasWindows(campaigns)) {
            return zones;
        }
        List<Window> windows = new ArrayList<>();
        campaigns.forEach(campaign -> windows.addAll(campaign.spec().terms().windows()));
        for (Policy policy : policies.values()) {
            windows.addAll(ofAny(policy));
            if (policy.calendar().timeZone() != null) {
                zones.add(policy.calendar().timeZone());
            }
        }
        for (Window window : windows) {
            if (window.zone() != null) {
                zones.add(window.zone());
            }
        }
        zones.addAll(clusters.keySet());
        return zones;
    }

    /** Where a cluster is; null where nobody says. */
    @Nullable
    ZoneName zoneOf(Cluster cluster) {
        if (cluster.zone != null) {
            return cluster.zone;
        }
        return said(cluster.site().id(), Policy.Calendar::timeZone);
    }

    /** What a site's own policy says, or else the fleet's; null where neither does. */
    private <T> @Nullable T said(SiteId site, Function<Policy.Calendar, @Nullable T> what) {
        Policy own = policies.get(site);
        T said = own == null ? null : what.apply(own.calendar());
        if (said != null) {
            return said;
        }
        Policy fleet = policies.get(Fleet.FLEET);
        return fleet == null ? null : what.apply(fleet.calendar());
    }

    /** The windows in which anything may be started in a site; none for at any time. */
    private List<Window> windowsOf(SiteId site) {
        List<Window> windows = said(site, calendar -> calendar.windows().isEmpty() ? null : calendar.windows());
        return windows == null ? List.of() : windows;
    }

    /** Whether the rules of a zone are known. */
    boolean knows(ZoneName zone) {
        return clocks.containsKey(zone);
    }

    /** The windows that a rollout has to keep in a cluster: those of the site's policy, and its own. */
    List<Window> windows(Rollout rollout, Cluster cluster) {
        List<Window> windows = new ArrayList<>(windowsOf(cluster.site().id()));
        windows.addAll(rollout.rules().windows());
        return windows;
    }

    /** When the windows of a cluster's policy and of a rollout are over that are open now; {@link ZoneTime#CLOSED} if not. */
    long closes(Rollout rollout, Cluster cluster, long now) {
        if (!any) {
            return ZoneTime.NEVER;
        }
        long ofSite = closes(windowsOf(cluster.site().id()), cluster, now, lastOfSite);
        return ofSite == ZoneTime.CLOSED
                ? ofSite
                : Math.min(ofSite, closes(rollout.rules().windows(), cluster, now, lastOfRollout));
    }

    /** When the windows of a cluster's policy and of a rollout are open next for so long; null if not soon. */
    @Nullable
    Instant opens(Rollout rollout, Cluster cluster, long now, long takes) {
        ZoneName own = zoneOf(cluster);
        List<ZoneName> zones = own == null ? List.of() : List.of(own);
        List<Window> windows = windows(rollout, cluster);
        long at = now;
        for (int i = 0; i < MOST_EDGES && at < ZoneTime.NEVER; i++) {
            long closes = closes(rollout, cluster, at);
            if (closes == ZoneTime.NEVER || closes - at >= Math.max(1, takes)) {
                return Instant.ofEpochMilli(at);
            }
            long next = ZoneTime.NEVER;
            for (Window window : windows) {
                next = Math.min(next, next(window, zones, at));
            }
            at = next;
        }
        return null;
    }

    private long closes(List<Window> windows, Cluster cluster, long now, Closing last) {
        if (windows.isEmpty()) {
            return ZoneTime.NEVER;
        }
        ZoneName zone = zoneOf(cluster);
        if (!last.isOf(windows, zone, now)) {
            last.become(windows, zone, now, closes(windows, zone, now));
        }
        return last.closes;
    }

    /** One that opens when another closes goes on from there; what is open for a week need not be looked at further. */
    private long closes(List<Window> windows, @Nullable ZoneName own, long now) {
        long until = ZoneTime.CLOSED;
        long from = now;
        do {
            for (int i = 0; i < windows.size(); i++) {
                ZoneName zone =
                        windows.get(i).zone() == null ? own : windows.get(i).zone();
                ZoneTime clock = zone == null ? null : clocks.get(zone);
                until = clock == null ? until : Math.max(until, clock.closesIfOpen(windows.get(i), from));
            }
            if (until <= from) {
                return until;
            }
            from = until;
        } while (until - now < WEEK);
        return until;
    }

    /** How long an attempt is likely to take: of a hundred of its class ninety-five took no longer, else an estimate. What
     * other classes take is no answer. */
    long takes(Rollout rollout, Machine machine) {
        SiteId site = machine.site();
        String name = DurationBuckets.name(
                machine.role(),
                Times.of(policies.get(Fleet.FLEET), policies.get(site)).machineClass(machine));
        long known = rollout instanceof CampaignRollout campaign ? campaign.takes(name) : 0;
        if (known > 0) {
            return known;
        }
        Duration estimate = said(site, Policy.Calendar::estimate);
        Integer size = said(site, Policy.Calendar::downloadMegabytes);
        Integer rate = said(site, Policy.Calendar::linkMegabits);
        long download = size == null || rate == null ? 0 : size * MEGABYTE_OVER_MEGABIT / rate;
        return (estimate == null ? Policy.Calendar.USUAL_ESTIMATE : estimate).toMillis() + download;
    }
}
