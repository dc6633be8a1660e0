package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.Command;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.Entry;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.PolicyRow;
import dev.flotilla.auditor.wire.Spec.Wave;
import dev.flotilla.auditor.wire.WaveStatus;
import dev.flotilla.auditor.wire.Window;
import dev.flotilla.auditor.wire.ZoneRow;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A start, and the last instant of its command, leave enough time before the maintenance windows that count are over. */
final class WindowRules {
    private static final long CLOSED = Long.MIN_VALUE;
    private static final long ESTIMATE = 30 * 60_000L;
    private static final long WEEK = 7 * 24 * 3_600_000L;
    private static final long ENOUGH = 20;
    private static final long BITS = 8;
    private static final long FIRST_BOUND = 1000;

    private final Fleet fleet;
    private final Findings findings;

    WindowRules(Fleet fleet, Findings findings) {
        this.fleet = fleet;
        this.findings = findings;
    }

    /** The rest of a control plane that has begun is started whatever the hour. */
    void check(Start start, Command.@Nullable Upgrade command) {
        MachineRow machine = start.machine();
        Driver driver = start.attempt().driver();
        if (machine.controlPlane() && fleet.members().controlPlaneBegun(machine, driver)) {
            return;
        }
        CampaignStatus campaign = start.campaign();
        held(
                start,
                command,
                campaign == null
                        ? fleet.intents(machine.site()).windows()
                        : campaign.spec().windows());
        PolicyRow own = fleet.policy(machine.site());
        PolicyRow all = fleet.policy("fleet");
        held(
                start,
                command,
                own != null && !own.windows().isEmpty() ? own.windows() : all == null ? List.of() : all.windows());
    }

    private void held(Start start, Command.@Nullable Upgrade command, List<Window> windows) {
        if (windows.isEmpty()) {
            return;
        }
        MachineRow machine = start.machine();
        long end = end(machine, windows, start.at());
        long takes = takes(start);
        findings.require(
                end != CLOSED && start.at() + takes <= end,
                Invariant.GATES,
                machine.id() + " started and may take " + takes + " ms, its window "
                        + (end == CLOSED ? "is closed" : "closes in " + (end - start.at())));
        findings.require(
                end == CLOSED || command == null || command.notAfter() + takes <= end,
                Invariant.STOP,
                machine.id() + " may be called too late for its window");
    }

    /** When the open windows are over, with those that open when these close: a week's worth, for some are always open. */
    private long end(MachineRow machine, List<Window> windows, long at) {
        long end = CLOSED;
        long before;
        do {
            before = end;
            for (Window window : windows) {
                end = Math.max(end, closes(window, zone(window, machine), before == CLOSED ? at : before));
            }
        } while (end > before && end < at + WEEK);
        return end;
    }

    private @Nullable ZoneRow zone(Window window, MachineRow machine) {
        ClusterRow cluster = fleet.cluster(machine.cluster());
        PolicyRow own = fleet.policy(machine.site());
        PolicyRow all = fleet.policy("fleet");
        String name = window.zone();
        name = name == null && cluster != null ? cluster.timeZone() : name;
        name = name == null && own != null ? own.timeZone() : name;
        name = name == null && all != null ? all.timeZone() : name;
        return name == null ? null : fleet.zone(name);
    }

    private static long closes(Window window, @Nullable ZoneRow zone, long at) {
        if (zone == null) {
            return CLOSED;
        }
        LocalDate today = LocalDateTime.ofEpochSecond(Math.floorDiv(at, 1000L) + offset(zone, at), 0, ZoneOffset.UTC)
                .toLocalDate();
        for (int back = 1; back >= 0; back--) {
            LocalDate day = today.minusDays(back);
            LocalDate last = window.to().isAfter(window.from()) ? day : day.plusDays(1);
            long closes = shows(zone, last, window.to());
            if (window.opensOn(day) && shows(zone, day, window.from()) <= at && at < closes) {
                return closes;
            }
        }
        return CLOSED;
    }

    private static long offset(ZoneRow zone, long at) {
        long offset = zone.initialOffset();
        for (ZoneRow.Change change : zone.changes()) {
            offset = change.at() <= at ? change.offset() : offset;
        }
        return offset;
    }

    /** The first instant at which clocks show a time, or a later one since they leave it out. */
    private static long shows(ZoneRow zone, LocalDate day, LocalTime time) {
        long local = day.atTime(time).toEpochSecond(ZoneOffset.UTC);
        long begin = Long.MIN_VALUE;
        long offset = zone.initialOffset();
        for (ZoneRow.Change change : zone.changes()) {
            long shown = Math.max(begin, (local - offset) * 1000);
            if (shown < change.at()) {
                return shown;
            }
            begin = change.at();
            offset = change.offset();
        }
        return Math.max(begin, (local - offset) * 1000);
    }

    private long takes(Start start) {
        MachineRow machine = start.machine();
        Driver driver = start.attempt().driver();
        Long usual = start.campaign() == null ? null : usual(start.campaign(), classOf(machine));
        long each = usual == null ? estimate(machine.site()) : usual;
        long left = 0;
        for (MachineRow other : fleet.machinesOf(machine.cluster())) {
            MachineStatus status = fleet.status(other.id());
            Entry entry = status == null ? null : status.entry(driver);
            boolean flies = status != null && status.inFlightFor(driver);
            boolean over = !flies && (other.optOut() || (entry != null && entry.ended()));
            left += other.controlPlane() && !over && fleet.members().selected(other, driver) ? 1 : 0;
        }
        return machine.controlPlane() ? each * Math.max(1, left) : each;
    }

    /** Under what its durations are counted: its role, and the value of the label that its policy tells them apart by. */
    private String classOf(MachineRow machine) {
        PolicyRow own = fleet.policy(machine.site());
        PolicyRow all = fleet.policy("fleet");
        String label =
                own != null && own.classLabel() != null ? own.classLabel() : all == null ? null : all.classLabel();
        String value = label == null ? null : machine.labels().values().get(label);
        return (machine.controlPlane() ? "control-plane" : "worker")
                + (value == null || value.isEmpty() ? "" : "/" + value);
    }

    private long estimate(String site) {
        PolicyRow own = fleet.policy(site);
        PolicyRow all = fleet.policy("fleet");
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
            WaveStatus row = fleet.wave(campaign, wave.name());
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
