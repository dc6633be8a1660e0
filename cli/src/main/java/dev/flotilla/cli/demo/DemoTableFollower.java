package dev.flotilla.cli.demo;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Follows tables and journal through Kafka alone, without asking any Flotilla process. */
final class DemoTableFollower implements AutoCloseable {
    private static final List<Table> OF_FLEET = List.of(
            Table.POLICIES,
            Table.CAMPAIGNS,
            Table.ORDERS,
            Table.APPROVALS,
            Table.FREEZES,
            Table.AUDITOR_ORDERS,
            Table.CAMPAIGN_STATUS,
            Table.HEAD,
            Table.REJECTED,
            Table.JOURNAL);
    private static final List<Table> OF_SITE = List.of(Table.INVENTORY, Table.INTENTS, Table.STATUS);

    private static final Set<Table> WATCHERS = EnumSet.of(Table.INVENTORY, Table.INTENTS);

    private static final Set<String> TOLD = labels(EnumSet.of(
            DecisionEvent.LEADER_ELECTED,
            DecisionEvent.CAMPAIGN_ACCEPTED,
            DecisionEvent.CAMPAIGN_COMPLETED,
            DecisionEvent.WAVE_OPENED,
            DecisionEvent.WAVE_CLOSED,
            DecisionEvent.MACHINE_QUARANTINED,
            DecisionEvent.ATTEMPT_FAILED,
            DecisionEvent.ATTEMPT_UNKNOWN,
            DecisionEvent.REJECTED));

    private static final Set<String> ENDS = labels(EnumSet.of(
            DecisionEvent.ATTEMPT_SUCCEEDED,
            DecisionEvent.ATTEMPT_FAILED,
            DecisionEvent.MACHINE_QUARANTINED,
            DecisionEvent.ATTEMPT_CANCELLED,
            DecisionEvent.ATTEMPT_LEASE_EXPIRED,
            DecisionEvent.ATTEMPT_DEFERRED,
            DecisionEvent.ATTEMPT_VANISHED));

    /** Events that a worker's report causes. */
    private static final Set<String> REPORTED = labels(EnumSet.of(
            DecisionEvent.ATTEMPT_STEP_REACHED,
            DecisionEvent.ATTEMPT_SUCCEEDED,
            DecisionEvent.ATTEMPT_FAILED,
            DecisionEvent.ATTEMPT_CANCELLED,
            DecisionEvent.ATTEMPT_DEFERRED));

    /** Pause between polls: more is not visible, and the demonstrated processes need the CPUs. */
    private static final Duration PACE = Duration.ofMillis(200);

    private static final String ABOUT_ATTEMPTS = "attempt-";

    private final TableReader view;
    private final MachineStatusTracker board;
    private final Consumer<DemoEvent> events;
    private final FleetState state = new FleetState();
    private final Set<MachineKey> known = new HashSet<>();
    private final Set<SiteId> heard = new HashSet<>();
    private final Map<SiteId, Long> lastReports = new LinkedHashMap<>();
    private final Map<SiteId, Long> lastWrites = new LinkedHashMap<>();
    private @Nullable Instant accepted;
    private @Nullable Instant lastEnd;
    private long lastStart;
    private long lastStir = System.nanoTime();
    private long seq;

    DemoTableFollower(String bootstrap, DemoSpec spec, MachineStatusTracker board, Consumer<DemoEvent> events) {
        this.board = board;
        this.events = events;
        List<TablePartition> places = new ArrayList<>();
        OF_FLEET.forEach(table -> places.add(TablePartition.of(table)));
        for (SiteId site : spec.fleet().sites()) {
            OF_SITE.forEach(table -> places.add(TablePartition.of(table, site)));
        }
        this.view = TableReader.withFetchInterval(bootstrap, places, PACE);
    }

    private static Set<String> labels(Set<DecisionEvent> events) {
        return events.stream().map(DecisionEvent::label).collect(Collectors.toUnmodifiableSet());
    }

    /** Reads new records, waiting at most for the given time. */
    void poll(Duration wait) {
        view.poll(wait).forEach(this::take);
    }

    private void take(TableRecord tableRecord) {
        if (tableRecord.fact() instanceof JournalRecord journal) {
            decided(journal, tableRecord.appendedAt());
            return;
        }
        SiteId site = tableRecord.place().site();
        if (site != null && WATCHERS.contains(tableRecord.place().table())) {
            lastWrites.put(site, tableRecord.appendedAt());
        }
        state.put(tableRecord.fact());
        board.put(tableRecord.fact());
        if (tableRecord.fact() instanceof SiteHead head) {
            if (head.silentSince() == null) {
                heard.add(head.site());
            } else {
                heard.remove(head.site());
            }
        }
    }

    private void decided(JournalRecord journal, long appended) {
        seq = Math.max(seq, journal.seq());
        journal.changes().forEach(rowChange -> {
            if (rowChange instanceof MachineRow row) {
                known.add(row.key());
            }
        });
        String event = journal.event();
        if (event.equals(DecisionEvent.CAMPAIGN_ACCEPTED.label()) && accepted == null) {
            accepted = journal.decidedAt();
        }
        if (event.startsWith(ABOUT_ATTEMPTS)) {
            lastStir = System.nanoTime();
        }
        if (event.equals(DecisionEvent.ATTEMPT_ADMITTED.label())) {
            lastStart = appended;
        }
        MachineKey reported = REPORTED.contains(event) ? RecordKeyFormat.machine(journal.subject()) : null;
        if (reported != null) {
            lastReports.put(reported.site(), appended);
        }
        if (ENDS.contains(event)) {
            lastEnd = journal.decidedAt();
        }
        if (TOLD.contains(event)) {
            events.accept(new DemoEvent(event, journal.subject(), journal.reason()));
        }
    }

    /** Whether the orchestrator has read every machine and receives heartbeats of every site. */
    boolean isFleetComplete(DemoSpec spec) {
        return known.size() == spec.sites().machines()
                && heard.size() == spec.sites().sites();
    }

    /** The fleet state, for queries of the core. */
    FleetState state() {
        return state;
    }

    /** Time of the campaign's acceptance; null for not yet. */
    @Nullable
    Instant accepted() {
        return accepted;
    }

    /** Time of the last end of an attempt. */
    @Nullable
    Instant lastEnd() {
        return lastEnd;
    }

    /** Time at which the broker appended the last start, in milliseconds. */
    long lastStart() {
        return lastStart;
    }

    /**
     * Time at which the broker appended the last decision on a report of a site's workers, in milliseconds; 0 for
     * never.
     */
    long lastReport(SiteId site) {
        return lastReports.getOrDefault(site, 0L);
    }

    /** Time at which the broker appended the last row of a site's watcher, in milliseconds; 0 for never. */
    long lastWrite(SiteId site) {
        return lastWrites.getOrDefault(site, 0L);
    }

    /** Time since the last decision about any attempt. */
    Duration quiet() {
        return Duration.ofNanos(System.nanoTime() - lastStir);
    }

    /** Number of the last journal record that was read. */
    long seq() {
        return seq;
    }

    @Override
    public void close() {
        view.close();
    }
}
