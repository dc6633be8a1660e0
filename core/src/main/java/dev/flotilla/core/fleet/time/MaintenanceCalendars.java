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

/** Evaluates maintenance windows: the known time zones, the clusters' time zones, and when windows are open there. */
public final class MaintenanceCalendars {

    /** A change of a duration that was or is unknown. */
    public static final long ANY_PACE = Long.MAX_VALUE;

    /** The maximum number of control-plane members that must fit before the first one starts. */
    private static final int MEMBERS = 16;

    /** Maximum number of window edges that are checked for the next window that is long enough. */
    private static final int MAX_EDGES = 200;

    private static final long WEEK = 7L * 24 * 3_600_000;

    /** Milliseconds for one megabyte at one megabit a second. */
    private static final long MEGABYTE_OVER_MEGABIT = 8_000;

    private static final Comparator<TimeZoneName> BY_NAME = Comparator.comparing(TimeZoneName::id);

    private final Map<PolicyScope, UpgradePolicy> policies;
    private final Map<TimeZoneName, LocalTimeCalculator> clocks = new LinkedHashMap<>();

    /** The time zone of each cluster. */
    private final ReferenceColumn<TimeZoneName> zones = new ReferenceColumn<>();

    /** Number of clusters in each time zone. */
    private final SortedMap<TimeZoneName, Integer> clusters = new TreeMap<>(BY_NAME);

    /** When a window opens or closes next; at once after any change. */
    private long nextEdge;

    /** The longest duration that has changed since the last check. */
    private long longestChanged;

    /** Whether there may be windows at all; usually there are none, and no check is needed. */
    private boolean mayHaveWindows = true;

    private final Closing lastOfSite = new Closing();
    private final Closing lastOfRollout = new Closing();

    /** The last answer: the machines of a cluster, and usually of the next one, ask the same question. */
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
            clocks.put(zone, new LocalTimeCalculator(rules));
        }
        change();
    }

    /** Sets the time zone of a cluster, if its row names one. */
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
        mayHaveWindows = true;
        lastOfSite.forget();
        lastOfRollout.forget();
    }

    /**
     * Records a changed duration. It matters only if a window is about to close: what is open stays open at least until
     * the next edge.
     */
    public void setExpectedDuration(long millis) {
        longestChanged = Math.max(longestChanged, millis);
    }

    public long nextEdge() {
        return nextEdge;
    }

    /** Whether windows may have opened or closed since the last call. */
    public boolean pollEdges(List<? extends ScheduledRollout> campaigns, long now) {
        boolean fits = longestChanged <= (nextEdge - now) / MEMBERS;
        longestChanged = 0;
        if (now < nextEdge && fits) {
            return false;
        }
        mayHaveWindows = hasWindows(campaigns);
        nextEdge = mayHaveWindows ? nextEdgeOf(campaigns, now) : LocalTimeCalculator.NEVER;
        return mayHaveWindows;
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

    private long nextEdgeOf(List<? extends ScheduledRollout> campaigns, long now) {
        long next = LocalTimeCalculator.NEVER;
        SortedSet<TimeZoneName> zones = zones(campaigns);
        for (ScheduledRollout campaign : campaigns) {
            for (MaintenanceWindow window :
                    campaign.hasWindowsAhead() ? campaign.windows() : List.<MaintenanceWindow>of()) {
                next = Math.min(next, nextEdgeOf(window, zones, now));
            }
        }
        for (UpgradePolicy policy : policies.values()) {
            for (MaintenanceWindow window : ofAny(policy)) {
                next = Math.min(next, nextEdgeOf(window, zones, now));
            }
        }
        return next;
    }

    /** All windows of a policy: for all rollouts, and for intents. */
    private static List<MaintenanceWindow> ofAny(UpgradePolicy policy) {
        if (policy.intentRule() == null || policy.intentRule().windows().isEmpty()) {
            return policy.calendar().windows();
        }
        List<MaintenanceWindow> windows = new ArrayList<>(policy.calendar().windows());
        windows.addAll(policy.intentRule().windows());
        return windows;
    }

    private long nextEdgeOf(MaintenanceWindow window, Collection<TimeZoneName> zones, long now) {
        long next = LocalTimeCalculator.NEVER;
        for (TimeZoneName zone : window.timeZone() == null ? zones : List.of(window.timeZone())) {
            LocalTimeCalculator clock = clocks.get(zone);
            next = clock == null ? next : Math.min(next, clock.next(window, now));
        }
        return next;
    }

    /** All time zones in use, if there are windows at all. */
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

    /** The time zone of a cluster; null if unknown. */
    public @Nullable TimeZoneName zoneOf(ClusterState cluster) {
        TimeZoneName own = zones.get(cluster.number());
        return own != null ? own : settingOf(cluster.site().id(), UpgradePolicy.MaintenanceCalendar::timeZone);
    }

    /** A setting of the site's policy, otherwise of the fleet's; null if neither has it. */
    private <T> @Nullable T settingOf(SiteId site, Function<UpgradePolicy.MaintenanceCalendar, @Nullable T> what) {
        UpgradePolicy own = policies.get(site);
        T said = own == null ? null : what.apply(own.calendar());
        if (said != null) {
            return said;
        }
        UpgradePolicy fleet = policies.get(FleetScope.FLEET);
        return fleet == null ? null : what.apply(fleet.calendar());
    }

    /** The windows of a site for all rollouts; none for at any time. */
    private List<MaintenanceWindow> windowsOf(SiteId site) {
        List<MaintenanceWindow> windows =
                settingOf(site, calendar -> calendar.windows().isEmpty() ? null : calendar.windows());
        return windows == null ? List.of() : windows;
    }

    /** Whether the rules of a time zone are known. */
    public boolean knows(TimeZoneName zone) {
        return clocks.containsKey(zone);
    }

    /** The windows of a rollout in a cluster: those of the site's policy and its own. */
    public List<MaintenanceWindow> windows(ScheduledRollout rollout, ClusterState cluster) {
        List<MaintenanceWindow> windows =
                new ArrayList<>(windowsOf(cluster.site().id()));
        windows.addAll(rollout.windows());
        return windows;
    }

    /** When the open windows of a rollout in a cluster close; {@link LocalTimeCalculator#CLOSED} if one is closed. */
    public long closesAt(ScheduledRollout rollout, ClusterState cluster, long now) {
        if (!mayHaveWindows) {
            return LocalTimeCalculator.NEVER;
        }
        long ofSite = closesAt(windowsOf(cluster.site().id()), cluster, now, lastOfSite);
        return ofSite == LocalTimeCalculator.CLOSED
                ? ofSite
                : Math.min(ofSite, closesAt(rollout.windows(), cluster, now, lastOfRollout));
    }

    /** When the windows of a rollout in a cluster are next open for a duration; null if not soon. */
    public @Nullable Instant opensAt(ScheduledRollout rollout, ClusterState cluster, long now, long takes) {
        TimeZoneName own = zoneOf(cluster);
        List<TimeZoneName> zones = own == null ? List.of() : List.of(own);
        List<MaintenanceWindow> windows = windows(rollout, cluster);
        long at = now;
        for (int i = 0; i < MAX_EDGES && at < LocalTimeCalculator.NEVER; i++) {
            long closes = closesAt(rollout, cluster, at);
            if (closes == LocalTimeCalculator.NEVER || closes - at >= Math.max(1, takes)) {
                return Instant.ofEpochMilli(at);
            }
            long next = LocalTimeCalculator.NEVER;
            for (MaintenanceWindow window : windows) {
                next = Math.min(next, nextEdgeOf(window, zones, at));
            }
            at = next;
        }
        return null;
    }

    private long closesAt(List<MaintenanceWindow> windows, ClusterState cluster, long now, Closing last) {
        if (windows.isEmpty()) {
            return LocalTimeCalculator.NEVER;
        }
        TimeZoneName zone = zoneOf(cluster);
        if (!last.isOf(windows, zone, now)) {
            last.become(windows, zone, now, closesAt(windows, zone, now));
        }
        return last.closes;
    }

    /** Adjacent windows count as one; a window that is open for a week needs no further check. */
    private long closesAt(List<MaintenanceWindow> windows, @Nullable TimeZoneName own, long now) {
        long until = LocalTimeCalculator.CLOSED;
        long from = now;
        do {
            for (int i = 0; i < windows.size(); i++) {
                TimeZoneName zone =
                        windows.get(i).timeZone() == null ? own : windows.get(i).timeZone();
                LocalTimeCalculator clock = zone == null ? null : clocks.get(zone);
                until = clock == null ? until : Math.max(until, clock.closesIfOpen(windows.get(i), from));
            }
            if (until <= from) {
                return until;
            }
            from = until;
        } while (until - now < WEEK);
        return until;
    }

    /**
     * The expected duration of an attempt: what 95 % of its class did not exceed, otherwise an estimate. Other classes
     * do not count.
     */
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
        Duration estimate = settingOf(site, UpgradePolicy.MaintenanceCalendar::estimate);
        Integer size = settingOf(site, UpgradePolicy.MaintenanceCalendar::downloadMegabytes);
        Integer rate = settingOf(site, UpgradePolicy.MaintenanceCalendar::linkMegabits);
        long download = size == null || rate == null ? 0 : size * MEGABYTE_OVER_MEGABIT / rate;
        return (estimate == null ? UpgradePolicy.MaintenanceCalendar.DEFAULT_ESTIMATE : estimate).toMillis() + download;
    }
}
