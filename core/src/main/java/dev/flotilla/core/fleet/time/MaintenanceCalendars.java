package dev.flotilla.core.fleet.time;

import dev.flotilla.core.fleet.column.ReferenceColumn;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.UpgradePolicy;
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
public final class MaintenanceCalendars {

    /** As long as nobody knows how long attempts take. */
    public static final long ANY_PACE = Long.MAX_VALUE;

    /** A control plane has fewer members, of which the first is started only if all of them fit. */
    private static final int MEMBERS = 16;

    /** Beginnings and ends of windows that are looked at for the next one that is long enough. */
    private static final int MOST_EDGES = 200;

    private static final long WEEK = 7L * 24 * 3_600_000;

    /** Milliseconds for a megabyte, at a megabit a second. */
    private static final long MEGABYTE_OVER_MEGABIT = 8_000;

    private static final Comparator<TimeZoneName> BY_NAME = Comparator.comparing(TimeZoneName::id);

    private final Map<PolicyScope, UpgradePolicy> policies;
    private final Map<TimeZoneName, TimeZoneClock> clocks = new LinkedHashMap<>();

    /** The time zone that each cluster says it is in. */
    private final ReferenceColumn<TimeZoneName> zones = new ReferenceColumn<>();

    /** How many clusters say that they are in a zone. */
    private final SortedMap<TimeZoneName, Integer> clusters = new TreeMap<>(BY_NAME);

    /** When a window opens or closes next; at once, if anything has changed about them. */
    private long nextEdge;

    /** How long attempts take, at most, of which that became known since it was looked. */
    private long paced;

    /** Whether there may be windows at all: mostly there are none, and nobody has to look. */
    private boolean any = true;

    private final Closing lastOfSite = new Closing();
    private final Closing lastOfRollout = new Closing();

    /** What was answered last: the machines of a cluster, and mostly those of the next one, ask the same. */
    private static final class Closing {
        private List<MaintenanceWindow> windows = List.of();
        private @Nullable TimeZoneName zone;
        private long now;
        private long closes;

        boolean isOf(List<MaintenanceWindow> asked, @Nullable TimeZoneName where, long at) {
            return now == at && windows.equals(asked) && Objects.equals(zone, where);
        }

        void become(List<MaintenanceWindow> asked, @Nullable TimeZoneName where, long at, long answer) {
            windows = asked;
            zone = where;
            now = at;
            closes = answer;
        }

        void forget() {
            windows = List.of();
        }
    }

    public MaintenanceCalendars(Map<PolicyScope, UpgradePolicy> policies) {
        this.policies = policies;
    }

    public void put(TimeZoneName zone, @Nullable TimeZoneRules rules) {
        if (rules == null) {
            clocks.remove(zone);
        } else {
            clocks.put(zone, new TimeZoneClock(rules));
        }
        change();
    }

    /** A cluster is in another zone than before, as far as it says so. */
    public void setTimeZone(ClusterState cluster, @Nullable String zone) {
        TimeZoneName before = zones.get(cluster.number());
        TimeZoneName now = zone == null ? null : new TimeZoneName(zone);
        if (Objects.equals(before, now)) {
            return;
        }
        zones.set(cluster.number(), now);
        if (before != null) {
            clusters.computeIfPresent(before, (name, count) -> count == 1 ? null : count - 1);
        }
        if (now != null && clusters.merge(now, 1, Integer::sum) == 1) {
            change();
        }
    }

    public void change() {
        nextEdge = 0;
        any = true;
        lastOfSite.forget();
        lastOfRollout.forget();
    }

    /**
     * Attempts take as long, or took before. Whether they fit is another question only where a window is about to close: what
     * is open is open until the next edge at least.
     */
    public void setExpectedDuration(long millis) {
        paced = Math.max(paced, millis);
    }

    public long nextEdge() {
        return nextEdge;
    }

    /** Whether windows may have opened or closed since this was asked last. */
    public boolean pollEdges(List<? extends ScheduledRollout> campaigns, long now) {
        boolean fits = paced <= (nextEdge - now) / MEMBERS;
        paced = 0;
        if (now < nextEdge && fits) {
            return false;
        }
        any = hasWindows(campaigns);
        nextEdge = any ? next(campaigns, now) : TimeZoneClock.NEVER;
        return any;
    }

    private boolean hasWindows(List<? extends ScheduledRollout> campaigns) {
        for (int i = 0; i < campaigns.size(); i++) {
            if (campaigns.get(i).hasWindowsAhead()) {
                return true;
            }
        }
        for (UpgradePolicy policy : policies.values()) {
            if (!ofAny(policy).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private long next(List<? extends ScheduledRollout> campaigns, long now) {
        long next = TimeZoneClock.NEVER;
        SortedSet<TimeZoneName> zones = zones(campaigns);
        for (ScheduledRollout campaign : campaigns) {
            for (MaintenanceWindow window :
                    campaign.hasWindowsAhead() ? campaign.windows() : List.<MaintenanceWindow>of()) {
                next = Math.min(next, next(window, zones, now));
            }
        }
        for (UpgradePolicy policy : policies.values()) {
            for (MaintenanceWindow window : ofAny(policy)) {
                next = Math.min(next, next(window, zones, now));
            }
        }
        return next;
    }

    /** All windows of a policy: those of whatever is started, and those of what annotations ask for. */
    private static List<MaintenanceWindow> ofAny(UpgradePolicy policy) {
        if (policy.intentRule() == null || policy.intentRule().windows().isEmpty()) {
            return policy.calendar().windows();
        }
        List<MaintenanceWindow> windows = new ArrayList<>(policy.calendar().windows());
        windows.addAll(policy.intentRule().windows());
        return windows;
    }

    private long next(MaintenanceWindow window, Collection<TimeZoneName> zones, long now) {
        long next = TimeZoneClock.NEVER;
        for (TimeZoneName zone : window.timeZone() == null ? zones : List.of(window.timeZone())) {
            TimeZoneClock clock = clocks.get(zone);
            next = clock == null ? next : Math.min(next, clock.next(window, now));
        }
        return next;
    }

    /** Every zone that anybody names, as long as there are windows at all. */
    public SortedSet<TimeZoneName> zones(List<? extends ScheduledRollout> campaigns) {
        SortedSet<TimeZoneName> zones = new TreeSet<>(BY_NAME);
        if (!hasWindows(campaigns)) {
            return zones;
        }
        List<MaintenanceWindow> windows = new ArrayList<>();
        campaigns.forEach(campaign -> windows.addAll(campaign.windows()));
        for (UpgradePolicy policy : policies.values()) {
            windows.addAll(ofAny(policy));
            if (policy.calendar().timeZone() != null) {
                zones.add(policy.calendar().timeZone());
            }
        }
        for (MaintenanceWindow window : windows) {
            if (window.timeZone() != null) {
                zones.add(window.timeZone());
            }
        }
        zones.addAll(clusters.keySet());
        return zones;
    }

    /** Where a cluster is; null where nobody says. */
    public @Nullable TimeZoneName zoneOf(ClusterState cluster) {
        TimeZoneName own = zones.get(cluster.number());
        return own != null ? own : said(cluster.site().id(), UpgradePolicy.MaintenanceCalendar::timeZone);
    }

    /** What a site's own policy says, or else the fleet's; null where neither does. */
    private <T> @Nullable T said(SiteId site, Function<UpgradePolicy.MaintenanceCalendar, @Nullable T> what) {
        UpgradePolicy own = policies.get(site);
        T said = own == null ? null : what.apply(own.calendar());
        if (said != null) {
            return said;
        }
        UpgradePolicy fleet = policies.get(FleetScope.FLEET);
        return fleet == null ? null : what.apply(fleet.calendar());
    }

    /** The windows in which anything may be started in a site; none for at any time. */
    private List<MaintenanceWindow> windowsOf(SiteId site) {
        List<MaintenanceWindow> windows =
                said(site, calendar -> calendar.windows().isEmpty() ? null : calendar.windows());
        return windows == null ? List.of() : windows;
    }

    /** Whether the rules of a zone are known. */
    public boolean knows(TimeZoneName zone) {
        return clocks.containsKey(zone);
    }

    /** The windows that a rollout has to keep in a cluster: those of the site's policy, and its own. */
    public List<MaintenanceWindow> windows(ScheduledRollout rollout, ClusterState cluster) {
        List<MaintenanceWindow> windows =
                new ArrayList<>(windowsOf(cluster.site().id()));
        windows.addAll(rollout.windows());
        return windows;
    }

    /** When the windows of a cluster's policy and of a rollout are over that are open now; {@link TimeZoneClock#CLOSED} if not. */
    public long closesAt(ScheduledRollout rollout, ClusterState cluster, long now) {
        if (!any) {
            return TimeZoneClock.NEVER;
        }
        long ofSite = closesAt(windowsOf(cluster.site().id()), cluster, now, lastOfSite);
        return ofSite == TimeZoneClock.CLOSED
                ? ofSite
                : Math.min(ofSite, closesAt(rollout.windows(), cluster, now, lastOfRollout));
    }

    /** When the windows of a cluster's policy and of a rollout are open next for so long; null if not soon. */
    public @Nullable Instant opensAt(ScheduledRollout rollout, ClusterState cluster, long now, long takes) {
        TimeZoneName own = zoneOf(cluster);
        List<TimeZoneName> zones = own == null ? List.of() : List.of(own);
        List<MaintenanceWindow> windows = windows(rollout, cluster);
        long at = now;
        for (int i = 0; i < MOST_EDGES && at < TimeZoneClock.NEVER; i++) {
            long closes = closesAt(rollout, cluster, at);
            if (closes == TimeZoneClock.NEVER || closes - at >= Math.max(1, takes)) {
                return Instant.ofEpochMilli(at);
            }
            long next = TimeZoneClock.NEVER;
            for (MaintenanceWindow window : windows) {
                next = Math.min(next, next(window, zones, at));
            }
            at = next;
        }
        return null;
    }

    private long closesAt(List<MaintenanceWindow> windows, ClusterState cluster, long now, Closing last) {
        if (windows.isEmpty()) {
            return TimeZoneClock.NEVER;
        }
        TimeZoneName zone = zoneOf(cluster);
        if (!last.isOf(windows, zone, now)) {
            last.become(windows, zone, now, closesAt(windows, zone, now));
        }
        return last.closes;
    }

    /** One that opens when another closes goes on from there; what is open for a week need not be looked at further. */
    private long closesAt(List<MaintenanceWindow> windows, @Nullable TimeZoneName own, long now) {
        long until = TimeZoneClock.CLOSED;
        long from = now;
        do {
            for (int i = 0; i < windows.size(); i++) {
                TimeZoneName zone =
                        windows.get(i).timeZone() == null ? own : windows.get(i).timeZone();
                TimeZoneClock clock = zone == null ? null : clocks.get(zone);
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
    public long expectedDurationMillis(ScheduledRollout rollout, MachineView machine) {
        SiteId site = machine.site();
        String name = DurationPercentiles.name(
                machine.role(),
                AttemptTimeouts.of(policies.get(FleetScope.FLEET), policies.get(site))
                        .machineClass(machine));
        long known = rollout.expectedDurationMillis(name);
        if (known > 0) {
            return known;
        }
        Duration estimate = said(site, UpgradePolicy.MaintenanceCalendar::estimate);
        Integer size = said(site, UpgradePolicy.MaintenanceCalendar::downloadMegabytes);
        Integer rate = said(site, UpgradePolicy.MaintenanceCalendar::linkMegabits);
        long download = size == null || rate == null ? 0 : size * MEGABYTE_OVER_MEGABIT / rate;
        return (estimate == null ? UpgradePolicy.MaintenanceCalendar.DEFAULT_ESTIMATE : estimate).toMillis() + download;
    }
}
