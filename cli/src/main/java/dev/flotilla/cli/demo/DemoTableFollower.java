package dev.flotilla.cli.demo;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Follows tables and journal through Kafka alone, without asking any Flotilla process. */
public final class DemoTableFollower implements AutoCloseable {
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

    private static final Set<String> SHOWN_EVENTS = labels(EnumSet.of(
            DecisionEvent.LEADER_ELECTED,
            DecisionEvent.CAMPAIGN_ACCEPTED,
            DecisionEvent.CAMPAIGN_COMPLETED,
            DecisionEvent.WAVE_OPENED,
            DecisionEvent.WAVE_CLOSED,
            DecisionEvent.MACHINE_QUARANTINED,
            DecisionEvent.ATTEMPT_FAILED,
            DecisionEvent.ATTEMPT_UNKNOWN,
            DecisionEvent.REJECTED));

    private static final Set<String> END_EVENTS = labels(EnumSet.of(
            DecisionEvent.ATTEMPT_SUCCEEDED,
            DecisionEvent.ATTEMPT_FAILED,
            DecisionEvent.MACHINE_QUARANTINED,
            DecisionEvent.ATTEMPT_CANCELLED,
            DecisionEvent.ATTEMPT_ABORTED,
            DecisionEvent.ATTEMPT_LEASE_EXPIRED,
            DecisionEvent.ATTEMPT_DEFERRED,
            DecisionEvent.ATTEMPT_VANISHED));

    /** Events that a worker's report causes. */
    private static final Set<String> REPORT_EVENTS = labels(EnumSet.of(
            DecisionEvent.ATTEMPT_STEP_REACHED,
            DecisionEvent.ATTEMPT_SUCCEEDED,
            DecisionEvent.ATTEMPT_FAILED,
            DecisionEvent.ATTEMPT_CANCELLED,
            DecisionEvent.ATTEMPT_ABORTED,
            DecisionEvent.ATTEMPT_DEFERRED));

    /** Pause between polls: more is not visible, and the demonstrated processes need the CPUs. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private static final String ATTEMPT_EVENT_PREFIX = "attempt-";

    private final TableReader view;
    private final MachineStatusTracker board;
    private final Consumer<DemoEvent> events;
    private final FleetState state = new FleetState();
    private final Map<MachineKey, UpgradeProvider> known = new HashMap<>();
    private final Set<SiteId> sitesWithHeartbeat = new HashSet<>();
    private final Map<SiteId, Long> lastReports = new LinkedHashMap<>();
    private final Map<SiteId, Long> lastWrites = new LinkedHashMap<>();
    private @Nullable Instant accepted;
    private @Nullable Instant lastEnd;
    private long lastStart;
    private long lastAttemptEventNanos = System.nanoTime();
    private long seq;

    public DemoTableFollower(String bootstrap, DemoSpec spec, MachineStatusTracker board, Consumer<DemoEvent> events) {
        this.board = board;
        this.events = events;
        List<TablePartition> places = new ArrayList<>();
        OF_FLEET.forEach(table -> places.add(TablePartition.of(table)));
        for (SiteId site : spec.fleet().sites()) {
            OF_SITE.forEach(table -> places.add(TablePartition.of(table, site)));
        }
        this.view = TableReader.withFetchInterval(bootstrap, places, POLL_INTERVAL);
    }

    private static Set<String> labels(Set<DecisionEvent> events) {
        return events.stream().map(DecisionEvent::label).collect(Collectors.toUnmodifiableSet());
    }

    /** Reads new records, waiting at most for the given time. */
    public void poll(Duration wait) {
        view.poll(wait).forEach(this::applyRecord);
    }

    private void applyRecord(TableRecord tableRecord) {
        if (tableRecord.rowChange() instanceof JournalRecord journal) {
            applyDecision(journal, tableRecord.appendedAt());
            return;
        }
        SiteId site = tableRecord.tablePartition().site();
        if (site != null && WATCHERS.contains(tableRecord.tablePartition().table())) {
            lastWrites.put(site, tableRecord.appendedAt());
        }
        state.put(tableRecord.rowChange());
        board.put(tableRecord.rowChange());
        if (tableRecord.rowChange() instanceof SiteHead head) {
            if (head.silentSince() == null) {
                sitesWithHeartbeat.add(head.site());
            } else {
                sitesWithHeartbeat.remove(head.site());
            }
        }
    }

    private void applyDecision(JournalRecord journal, long appended) {
        seq = Math.max(seq, journal.seq());
        journal.changes().forEach(rowChange -> {
            if (rowChange instanceof MachineRow row) {
                known.put(row.key(), row.provider());
            }
        });
        String event = journal.event();
        if (event.equals(DecisionEvent.CAMPAIGN_ACCEPTED.label()) && accepted == null) {
            accepted = journal.decidedAt();
        }
        if (event.startsWith(ATTEMPT_EVENT_PREFIX)) {
            lastAttemptEventNanos = System.nanoTime();
        }
        if (event.equals(DecisionEvent.ATTEMPT_ADMITTED.label())) {
            lastStart = appended;
        }
        MachineKey reported = REPORT_EVENTS.contains(event) ? RecordKeyFormat.machine(journal.subject()) : null;
        if (reported != null) {
            lastReports.put(reported.site(), appended);
        }
        if (END_EVENTS.contains(event)) {
            lastEnd = journal.decidedAt();
        }
        if (SHOWN_EVENTS.contains(event)) {
            events.accept(new DemoEvent(event, journal.subject(), journal.reason()));
        }
    }

    /** Whether the orchestrator has read every machine and receives heartbeats of every site. */
    public boolean isFleetComplete(DemoSpec spec) {
        return known.size() == spec.sites().machines()
                && sitesWithHeartbeat.size() == spec.sites().sites();
    }

    /** The number of machines by the provider that the watchers have found. */
    SortedMap<UpgradeProvider, Integer> countProviders() {
        SortedMap<UpgradeProvider, Integer> machines = new TreeMap<>();
        known.values().forEach(provider -> machines.merge(provider, 1, Integer::sum));
        return machines;
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
    Duration timeSinceDecision() {
        return Duration.ofNanos(System.nanoTime() - lastAttemptEventNanos);
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
