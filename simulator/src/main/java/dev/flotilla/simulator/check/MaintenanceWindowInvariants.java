package dev.flotilla.simulator.check;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.DurationHistogram;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maintenance windows: a window that applies is open at a start, and stays open as long as the upgrade is expected to
 * take.
 */
final class MaintenanceWindowInvariants {
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration ESTIMATE = Duration.ofMinutes(30);
    private static final int MIN_SAMPLE = 20;

    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;
    private final RolloutMembers rolloutMembers;

    MaintenanceWindowInvariants(ReferenceFleetState rows, ViolationLog violationLog, RolloutMembers rolloutMembers) {
        this.rows = rows;
        this.violationLog = violationLog;
        this.rolloutMembers = rolloutMembers;
    }

    void check(MachineRow machine, RolloutRef rolloutRef, Decision decision) {
        if (machine.role() == MachineRole.CONTROL_PLANE && rolloutMembers.isControlPlaneStarted(machine, rolloutRef)) {
            return;
        }
        CampaignStatus campaign = rows.campaign(rolloutRef);
        List<MaintenanceWindow> own = campaign == null
                ? rows.intentRule(machine.key().site()).windows()
                : campaign.acceptedCampaign().spec().windows();
        checkWindows(machine, rolloutRef, campaign, decision, own);
        checkWindows(
                machine,
                rolloutRef,
                campaign,
                decision,
                windowsOfPolicies(machine.key().site()));
    }

    /** Whether windows allow a start; for the check of which rollout goes first. */
    boolean allowsStart(MachineRow machine, CampaignStatus campaign, Instant at) {
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), campaign.uid());
        return allowsStart(
                        machine,
                        rolloutRef,
                        campaign,
                        at,
                        campaign.acceptedCampaign().spec().windows())
                && allowsStart(
                        machine,
                        rolloutRef,
                        campaign,
                        at,
                        windowsOfPolicies(machine.key().site()));
    }

    private boolean allowsStart(
            MachineRow machine,
            RolloutRef rolloutRef,
            CampaignStatus campaign,
            Instant at,
            List<MaintenanceWindow> windows) {
        Instant end = windows.isEmpty() ? Instant.MAX : endOfWindows(machine, windows, at);
        return end != null
                && (windows.isEmpty()
                        || !at.plus(expectedDuration(machine, rolloutRef, campaign))
                                .isAfter(end));
    }

    private void checkWindows(
            MachineRow machine,
            RolloutRef rolloutRef,
            @Nullable CampaignStatus campaign,
            Decision decision,
            List<MaintenanceWindow> windows) {
        if (windows.isEmpty()) {
            return;
        }
        Instant end = endOfWindows(machine, windows, decision.at());
        Duration expected = expectedDuration(machine, rolloutRef, campaign);
        violationLog.require(
                end != null && !decision.at().plus(expected).isAfter(end),
                Invariant.WINDOW,
                machine.key() + " started at " + decision.at() + " and is expected to take " + expected
                        + ", but its window " + (end == null ? "is closed" : "closes at " + end));
        for (RowChange rowChange : decision.changes()) {
            if (end != null && rowChange instanceof WorkerCommand.UpgradeMachine command) {
                violationLog.require(
                        !command.leaseExpiresAt().plus(expected).isAfter(end),
                        Invariant.WINDOW_CALL,
                        machine.key() + " may be called until " + command.leaseExpiresAt()
                                + ", but its window closes at " + end);
            }
        }
    }

    private List<MaintenanceWindow> windowsOfPolicies(SiteId site) {
        UpgradePolicy own = rows.policy(site);
        UpgradePolicy fleet = rows.policy(FleetScope.FLEET);
        return own != null && !own.calendar().windows().isEmpty()
                ? own.calendar().windows()
                : fleet == null ? List.of() : fleet.calendar().windows();
    }

    /** When the open windows, and those that follow without a gap, close; null if none is open. */
    private @Nullable Instant endOfWindows(MachineRow machine, List<MaintenanceWindow> windows, Instant at) {
        Instant end = null;
        Instant from = at;
        boolean longer = true;
        while (longer && (end == null || end.isBefore(at.plus(WEEK)))) {
            longer = false;
            for (MaintenanceWindow window : windows) {
                Instant closes = closes(window, zone(window, machine), from);
                if (closes != null && (end == null || closes.isAfter(end))) {
                    end = closes;
                    longer = true;
                }
            }
            from = end == null ? from : end;
        }
        return end;
    }

    private @Nullable ZoneRules zone(MaintenanceWindow window, MachineRow machine) {
        ClusterRow cluster = rows.cluster(machine.clusterKey());
        UpgradePolicy own = rows.policy(machine.key().site());
        UpgradePolicy fleet = rows.policy(FleetScope.FLEET);
        TimeZoneName name = window.timeZone();
        if (name == null && cluster != null && cluster.timeZone() != null) {
            name = new TimeZoneName(cluster.timeZone());
        } else if (name == null) {
            name = own != null && own.calendar().timeZone() != null
                    ? own.calendar().timeZone()
                    : fleet == null ? null : fleet.calendar().timeZone();
        }
        return name == null ? null : rules(name);
    }

    private @Nullable ZoneRules rules(TimeZoneName name) {
        dev.flotilla.schemas.row.TimeZoneRules row = rows.timeZoneRules(name);
        if (row == null) {
            return null;
        }
        ZoneOffset first = ZoneOffset.ofTotalSeconds(row.initialOffsetSeconds());
        ZoneOffset before = first;
        List<ZoneOffsetTransition> transitions = new ArrayList<>();
        for (var transition : row.transitions()) {
            ZoneOffset after = ZoneOffset.ofTotalSeconds(transition.offsetSeconds());
            transitions.add(ZoneOffsetTransition.of(LocalDateTime.ofInstant(transition.at(), before), before, after));
            before = after;
        }
        return ZoneRules.of(first, first, List.of(), transitions, List.of());
    }

    private static @Nullable Instant closes(MaintenanceWindow window, @Nullable ZoneRules zone, Instant at) {
        if (zone == null) {
            return null;
        }
        LocalDate today = LocalDateTime.ofInstant(at, zone.getOffset(at)).toLocalDate();
        for (LocalDate day : List.of(today.minusDays(1), today)) {
            boolean opens = window.date() != null
                    ? window.date().equals(day)
                    : window.days().isEmpty() || window.days().contains(day.getDayOfWeek());
            LocalDate last = window.toMinute() > window.fromMinute() ? day : day.plusDays(1);
            Instant begin = firstInstantOf(zone, day.atStartOfDay().plusMinutes(window.fromMinute()));
            Instant end = firstInstantOf(zone, last.atStartOfDay().plusMinutes(window.toMinute()));
            if (opens && !at.isBefore(begin) && at.isBefore(end)) {
                return end;
            }
        }
        return null;
    }

    /** The first instant at which clocks show a local time; the clock change itself if they skip it. */
    private static Instant firstInstantOf(ZoneRules zone, LocalDateTime local) {
        List<ZoneOffset> offsets = zone.getValidOffsets(local);
        return offsets.isEmpty() ? zone.getTransition(local).getInstant() : local.toInstant(offsets.get(0));
    }

    private Duration expectedDuration(MachineRow machine, RolloutRef rolloutRef, @Nullable CampaignStatus campaign) {
        Duration perMachine = campaign == null ? null : percentile95(campaign, classOf(machine));
        if (perMachine == null) {
            perMachine = estimate(machine.key().site());
        }
        long left = 0;
        for (MachineRow other : rows.machines(machine.clusterKey())) {
            MachineStatus status = rows.status(other.key());
            RolloutEntry entry = ReferenceFleetState.entry(status, rolloutRef);
            boolean inFlight = ReferenceFleetState.inFlight(status, rolloutRef);
            boolean over = !inFlight
                    && (other.optOut() || (entry != null && entry.outcome().hasEnded()));
            left += other.role() == MachineRole.CONTROL_PLANE && rolloutMembers.isMember(other, rolloutRef) && !over
                    ? 1
                    : 0;
        }
        return machine.role() == MachineRole.CONTROL_PLANE ? perMachine.multipliedBy(Math.max(1, left)) : perMachine;
    }

    /** The estimate of the policies: a duration, plus the time for the download. */
    private Duration estimate(SiteId site) {
        UpgradePolicy.MaintenanceCalendar own = calendar(rows.policy(site));
        UpgradePolicy.MaintenanceCalendar fleet = calendar(rows.policy(FleetScope.FLEET));
        Duration estimate = own.estimate() != null ? own.estimate() : fleet.estimate();
        Integer size = own.downloadMegabytes() != null ? own.downloadMegabytes() : fleet.downloadMegabytes();
        Integer rate = own.linkMegabits() != null ? own.linkMegabits() : fleet.linkMegabits();
        return (estimate == null ? ESTIMATE : estimate)
                .plusMillis(size == null || rate == null ? 0 : 1000L * size * 8 / rate);
    }

    private static UpgradePolicy.MaintenanceCalendar calendar(@Nullable UpgradePolicy policy) {
        return policy == null ? UpgradePolicy.MaintenanceCalendar.NONE : policy.calendar();
    }

    /** The class under which its durations are counted: its role, and the value of the policy's class label. */
    private String classOf(MachineRow machine) {
        UpgradePolicy own = rows.policy(machine.key().site());
        UpgradePolicy fleet = rows.policy(FleetScope.FLEET);
        String label =
                own != null && own.classLabel() != null ? own.classLabel() : fleet == null ? null : fleet.classLabel();
        String value = label == null ? null : machine.labels().get(label);
        return machine.role().label() + (value == null || value.isEmpty() ? "" : "/" + value);
    }

    /** The 95th percentile of the durations of a class in a campaign; null while there are too few. */
    private @Nullable Duration percentile95(CampaignStatus campaign, String machineClass) {
        int[] counts = new int[64];
        long total = 0;
        for (Wave wave : campaign.acceptedCampaign().spec().waves()) {
            WaveStatus row = rows.wave(campaign, wave.name());
            for (DurationHistogram durationHistogram : row == null ? List.<DurationHistogram>of() : row.durations()) {
                for (int i = 0;
                        i < counts.length && durationHistogram.machineClass().equals(machineClass);
                        i++) {
                    counts[i] += durationHistogram.counts().get(i);
                    total += durationHistogram.counts().get(i);
                }
            }
        }
        long bound = 1000;
        long counted = 0;
        for (int i = 0; i < counts.length && total >= MIN_SAMPLE; i++) {
            counted += counts[i];
            if (counted * 100 >= total * 95) {
                return Duration.ofMillis(bound);
            }
            bound += bound / 4;
        }
        return null;
    }
}
