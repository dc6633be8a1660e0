package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignSpec.Wave;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.MaintenanceWindow;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.TimeZoneRules;
import dev.flotilla.auditor.wire.UpgradePolicy;
import dev.flotilla.auditor.wire.WaveStatus;
import dev.flotilla.auditor.wire.WorkerCommand;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a start, and the end of its command lease, leave enough time before the applicable maintenance windows
 * close.
 */
final class MaintenanceWindowRules {
    private static final long CLOSED = Long.MIN_VALUE;
    private static final long ESTIMATE = 30 * 60_000L;
    private static final long WEEK = 7 * 24 * 3_600_000L;
    private static final long MIN_SAMPLE = 20;
    private static final long BITS = 8;
    private static final long FIRST_BOUND = 1000;

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;

    MaintenanceWindowRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    /** The rest of a control plane that has started upgrading may start outside windows. */
    void check(StartDecision startDecision, WorkerCommand.@Nullable UpgradeMachine command) {
        MachineRow machine = startDecision.machine();
        RolloutRef rolloutRef = startDecision.attempt().rollout();
        if (machine.controlPlane() && fleetTables.membership().hasStartedControlPlane(machine, rolloutRef)) {
            return;
        }
        CampaignStatus campaign = startDecision.campaign();
        checkWindows(
                startDecision,
                command,
                campaign == null
                        ? fleetTables.policies().intents(machine.site()).windows()
                        : campaign.spec().windows());
        UpgradePolicy own = fleetTables.policy(machine.site());
        UpgradePolicy all = fleetTables.policy("fleet");
        checkWindows(
                startDecision,
                command,
                own != null && !own.windows().isEmpty() ? own.windows() : all == null ? List.of() : all.windows());
    }

    /** Whether the windows of a campaign and of the policy are open for a machine. */
    boolean areOpen(MachineRow machine, CampaignStatus campaign, long at) {
        UpgradePolicy own = fleetTables.policy(machine.site());
        UpgradePolicy all = fleetTables.policy("fleet");
        List<MaintenanceWindow> ofPolicy =
                own != null && !own.windows().isEmpty() ? own.windows() : all == null ? List.of() : all.windows();
        return (ofPolicy.isEmpty() || windowEnd(machine, ofPolicy, at) != CLOSED)
                && (campaign.spec().windows().isEmpty()
                        || windowEnd(machine, campaign.spec().windows(), at) != CLOSED);
    }

    private void checkWindows(
            StartDecision startDecision,
            WorkerCommand.@Nullable UpgradeMachine command,
            List<MaintenanceWindow> windows) {
        if (windows.isEmpty()) {
            return;
        }
        MachineRow machine = startDecision.machine();
        long end = windowEnd(machine, windows, startDecision.decidedAt());
        long expected = expectedDuration(startDecision);
        auditFindings.require(
                end != CLOSED && startDecision.decidedAt() + expected <= end,
                AuditInvariant.GATES,
                machine.id() + " started and is expected to take " + expected + " ms, but its window "
                        + (end == CLOSED ? "is closed" : "closes in " + (end - startDecision.decidedAt())));
        auditFindings.require(
                end == CLOSED || command == null || command.leaseExpiresAt() + expected <= end,
                AuditInvariant.STOP,
                machine.id() + " has a command lease that ends too late for its window");
    }

    /**
     * When the open windows close, including windows that open when these close: a week at most, because some are
     * always open.
     */
    private long windowEnd(MachineRow machine, List<MaintenanceWindow> windows, long at) {
        long end = CLOSED;
        long before;
        do {
            before = end;
            for (MaintenanceWindow maintenanceWindow : windows) {
                end = Math.max(
                        end,
                        closingTime(
                                maintenanceWindow, zone(maintenanceWindow, machine), before == CLOSED ? at : before));
            }
        } while (end > before && end < at + WEEK);
        return end;
    }

    private @Nullable TimeZoneRules zone(MaintenanceWindow maintenanceWindow, MachineRow machine) {
        ClusterRow cluster = fleetTables.cluster(machine.cluster());
        UpgradePolicy own = fleetTables.policy(machine.site());
        UpgradePolicy all = fleetTables.policy("fleet");
        String name = maintenanceWindow.zone();
        name = name == null && cluster != null ? cluster.timeZone() : name;
        name = name == null && own != null ? own.timeZone() : name;
        name = name == null && all != null ? all.timeZone() : name;
        return name == null ? null : fleetTables.zone(name);
    }

    private static long closingTime(MaintenanceWindow maintenanceWindow, @Nullable TimeZoneRules zone, long at) {
        if (zone == null) {
            return CLOSED;
        }
        LocalDate today = LocalDateTime.ofEpochSecond(Math.floorDiv(at, 1000L) + offset(zone, at), 0, ZoneOffset.UTC)
                .toLocalDate();
        for (int back = 1; back >= 0; back--) {
            LocalDate day = today.minusDays(back);
            LocalDate last = maintenanceWindow.to().isAfter(maintenanceWindow.from()) ? day : day.plusDays(1);
            long closes = instantOf(zone, last, maintenanceWindow.to());
            if (maintenanceWindow.opensOnDay(day)
                    && instantOf(zone, day, maintenanceWindow.from()) <= at
                    && at < closes) {
                return closes;
            }
        }
        return CLOSED;
    }

    private static long offset(TimeZoneRules zone, long at) {
        long offset = zone.initialOffset();
        for (TimeZoneRules.OffsetTransition offsetTransition : zone.changes()) {
            offset = offsetTransition.at() <= at ? offsetTransition.offset() : offset;
        }
        return offset;
    }

    /** The first instant at which clocks show a local time, or a later one if they skip it. */
    private static long instantOf(TimeZoneRules zone, LocalDate day, LocalTime time) {
        long local = day.atTime(time).toEpochSecond(ZoneOffset.UTC);
        long begin = Long.MIN_VALUE;
        long offset = zone.initialOffset();
        for (TimeZoneRules.OffsetTransition offsetTransition : zone.changes()) {
            long shown = Math.max(begin, (local - offset) * 1000);
            if (shown < offsetTransition.at()) {
                return shown;
            }
            begin = offsetTransition.at();
            offset = offsetTransition.offset();
        }
        return Math.max(begin, (local - offset) * 1000);
    }

    private long expectedDuration(StartDecision startDecision) {
        MachineRow machine = startDecision.machine();
        RolloutRef rolloutRef = startDecision.attempt().rollout();
        Long measured =
                startDecision.campaign() == null ? null : percentile95(startDecision.campaign(), classOf(machine));
        long each = measured == null ? estimate(machine.site()) : measured;
        long remaining = 0;
        for (MachineRow other : fleetTables.machinesOf(machine.cluster())) {
            MachineStatus status = fleetTables.status(other.id());
            RolloutEntry rolloutEntry = status == null ? null : status.entry(rolloutRef);
            boolean inFlight = status != null && status.isInFlightFor(rolloutRef);
            boolean over = !inFlight && (other.optOut() || (rolloutEntry != null && rolloutEntry.hasEnded()));
            remaining +=
                    other.controlPlane() && !over && fleetTables.membership().isSelected(other, rolloutRef) ? 1 : 0;
        }
        return machine.controlPlane() ? each * Math.max(1, remaining) : each;
    }

    /** The class under which its durations are counted: its role, and the value of the class label of its policy. */
    private String classOf(MachineRow machine) {
        UpgradePolicy own = fleetTables.policy(machine.site());
        UpgradePolicy all = fleetTables.policy("fleet");
        String label =
                own != null && own.classLabel() != null ? own.classLabel() : all == null ? null : all.classLabel();
        String value = label == null ? null : machine.labels().values().get(label);
        return (machine.controlPlane() ? "control-plane" : "worker")
                + (value == null || value.isEmpty() ? "" : "/" + value);
    }

    private long estimate(String site) {
        UpgradePolicy own = fleetTables.policy(site);
        UpgradePolicy all = fleetTables.policy("fleet");
        Long stated = own != null && own.estimate() != null ? own.estimate() : all == null ? null : all.estimate();
        Long size = own != null && own.downloadMegabytes() != null
                ? own.downloadMegabytes()
                : all == null ? null : all.downloadMegabytes();
        Long rate = own != null && own.linkMegabits() != null
                ? own.linkMegabits()
                : all == null ? null : all.linkMegabits();
        long download = size == null || rate == null ? 0 : size * BITS * 1000 / rate;
        return (stated == null ? ESTIMATE : stated) + download;
    }

    /**
     * The 95th percentile of the durations of a class, in buckets that grow by a quarter; null if there are too few.
     */
    private @Nullable Long percentile95(CampaignStatus campaign, String machineClass) {
        SortedMap<Integer, Long> counts = new TreeMap<>();
        long total = 0;
        for (Wave wave : campaign.spec().waves()) {
            WaveStatus row = fleetTables.wave(campaign, wave.name());
            if (row != null && row.durations().get(machineClass) != null) {
                row.durations().get(machineClass).forEach((bucket, count) -> counts.merge(bucket, count, Long::sum));
            }
        }
        for (long count : counts.values()) {
            total += count;
        }
        long seen = 0;
        for (var bucket : counts.entrySet()) {
            seen += bucket.getValue();
            if (total >= MIN_SAMPLE && seen * 100 >= total * 95) {
                long bound = FIRST_BOUND;
                for (int i = 0; i < bucket.getKey(); i++) {
                    bound += bound / 4;
                }
                return bound;
            }
        }
        return null;
    }
}
