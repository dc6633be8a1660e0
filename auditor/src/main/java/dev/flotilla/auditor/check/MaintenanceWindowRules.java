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

/** A start, and the last instant of its command, leave enough time before the maintenance windows that count are over. */
final class MaintenanceWindowRules {
    private static final long CLOSED = Long.MIN_VALUE;
    private static final long ESTIMATE = 30 * 60_000L;
    private static final long WEEK = 7 * 24 * 3_600_000L;
    private static final long ENOUGH = 20;
    private static final long BITS = 8;
    private static final long FIRST_BOUND = 1000;

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;

    MaintenanceWindowRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    /** The rest of a control plane that has begun is started whatever the hour. */
    void check(StartDecision startDecision, WorkerCommand.@Nullable UpgradeMachine command) {
        MachineRow machine = startDecision.machine();
        RolloutRef rolloutRef = startDecision.attempt().rollout();
        if (machine.controlPlane() && fleetTables.membership().hasBegunControlPlane(machine, rolloutRef)) {
            return;
        }
        CampaignStatus campaign = startDecision.campaign();
        held(
                startDecision,
                command,
                campaign == null
                        ? fleetTables.intents(machine.site()).windows()
                        : campaign.spec().windows());
        UpgradePolicy own = fleetTables.policy(machine.site());
        UpgradePolicy all = fleetTables.policy("fleet");
        held(
                startDecision,
                command,
                own != null && !own.windows().isEmpty() ? own.windows() : all == null ? List.of() : all.windows());
    }

    private void held(
            StartDecision startDecision,
            WorkerCommand.@Nullable UpgradeMachine command,
            List<MaintenanceWindow> windows) {
        if (windows.isEmpty()) {
            return;
        }
        MachineRow machine = startDecision.machine();
        long end = end(machine, windows, startDecision.decidedAt());
        long takes = takes(startDecision);
        auditFindings.require(
                end != CLOSED && startDecision.decidedAt() + takes <= end,
                AuditInvariant.GATES,
                machine.id() + " started and may take " + takes + " ms, its window "
                        + (end == CLOSED ? "is closed" : "closes in " + (end - startDecision.decidedAt())));
        auditFindings.require(
                end == CLOSED || command == null || command.leaseExpiresAt() + takes <= end,
                AuditInvariant.STOP,
                machine.id() + " may be called too late for its window");
    }

    /** When the open windows are over, with those that open when these close: a week's worth, for some are always open. */
    private long end(MachineRow machine, List<MaintenanceWindow> windows, long at) {
        long end = CLOSED;
        long before;
        do {
            before = end;
            for (MaintenanceWindow maintenanceWindow : windows) {
                end = Math.max(
                        end,
                        closes(maintenanceWindow, zone(maintenanceWindow, machine), before == CLOSED ? at : before));
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

    private static long closes(MaintenanceWindow maintenanceWindow, @Nullable TimeZoneRules zone, long at) {
        if (zone == null) {
            return CLOSED;
        }
        LocalDate today = LocalDateTime.ofEpochSecond(Math.floorDiv(at, 1000L) + offset(zone, at), 0, ZoneOffset.UTC)
                .toLocalDate();
        for (int back = 1; back >= 0; back--) {
            LocalDate day = today.minusDays(back);
            LocalDate last = maintenanceWindow.to().isAfter(maintenanceWindow.from()) ? day : day.plusDays(1);
            long closes = shows(zone, last, maintenanceWindow.to());
            if (maintenanceWindow.opensOnDay(day) && shows(zone, day, maintenanceWindow.from()) <= at && at < closes) {
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

    /** The first instant at which clocks show a time, or a later one since they leave it out. */
    private static long shows(TimeZoneRules zone, LocalDate day, LocalTime time) {
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

    private long takes(StartDecision startDecision) {
        MachineRow machine = startDecision.machine();
        RolloutRef rolloutRef = startDecision.attempt().rollout();
        Long usual = startDecision.campaign() == null ? null : usual(startDecision.campaign(), classOf(machine));
        long each = usual == null ? estimate(machine.site()) : usual;
        long left = 0;
        for (MachineRow other : fleetTables.machinesOf(machine.cluster())) {
            MachineStatus status = fleetTables.status(other.id());
            RolloutEntry rolloutEntry = status == null ? null : status.entry(rolloutRef);
            boolean flies = status != null && status.isInFlightFor(rolloutRef);
            boolean over = !flies && (other.optOut() || (rolloutEntry != null && rolloutEntry.hasEnded()));
            left += other.controlPlane() && !over && fleetTables.membership().isSelected(other, rolloutRef) ? 1 : 0;
        }
        return machine.controlPlane() ? each * Math.max(1, left) : each;
    }

    /** Under what its durations are counted: its role, and the value of the label that its policy tells them apart by. */
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

    /** What ninety-five of a hundred attempts of a class took at most, by buckets that grow by a quarter; null while too few. */
    private @Nullable Long usual(CampaignStatus campaign, String machineClass) {
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
            if (total >= ENOUGH && seen * 100 >= total * 95) {
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
