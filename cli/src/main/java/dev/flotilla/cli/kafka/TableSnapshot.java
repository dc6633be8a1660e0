package dev.flotilla.cli.kafka;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.leader.ConsistentCut;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All rows of some tables as of one instant. */
public final class TableSnapshot {
    private final ConsistentCut consistentCut;
    private final List<RowChange> rowChanges;
    private final List<RowChange> undecidedRows;
    private final Set<SiteId> readSites;
    private final List<UnreadableRow> unreadableRows;
    private final Map<RowKey, TableRow> rows = new LinkedHashMap<>();

    TableSnapshot(
            ConsistentCut consistentCut,
            List<RowChange> facts,
            List<RowChange> undecided,
            Set<SiteId> read,
            List<UnreadableRow> unreadable) {
        this.consistentCut = consistentCut;
        this.readSites = read;
        this.unreadableRows = List.copyOf(unreadable);
        this.rowChanges = List.copyOf(facts);
        this.undecidedRows = List.copyOf(undecided);
        for (RowChange rowChange : facts) {
            if (rowChange instanceof TableRow row) {
                rows.put(row.rowKey(), row);
            }
        }
    }

    /** The head row; {@link FleetHead#NONE} if there has never been a leader. */
    public FleetHead head() {
        return consistentCut.head();
    }

    /** Whether there has ever been a leader. */
    public boolean isDecidedOn() {
        return consistentCut.head().term() > 0;
    }

    public SortedMap<SiteId, SiteHead> siteHeads() {
        SortedMap<SiteId, SiteHead> sorted =
                new TreeMap<>((one, other) -> one.name().compareTo(other.name()));
        sorted.putAll(consistentCut.sites());
        return sorted;
    }

    /** All rows of a type. */
    public <R extends TableRow> List<R> rows(Class<R> type) {
        return rows.values().stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** The row of a key, or null. */
    public <R extends TableRow> @Nullable R row(RowKey at, Class<R> type) {
        TableRow row = rows.get(at);
        return type.isInstance(row) ? type.cast(row) : null;
    }

    /**
     * Time of a site's last heartbeat; null for none. It is read from the newest rows, decided on or not, because the
     * fleet state does not keep it.
     */
    public @Nullable Instant lastHeartbeat(SiteId site) {
        RowKey at = new RowKey(Table.INVENTORY, site);
        WatcherHeartbeat known = row(at, WatcherHeartbeat.class);
        Instant last = known == null ? null : known.sentAt();
        for (RowChange rowChange : undecidedRows) {
            if (rowChange instanceof WatcherHeartbeat later && later.rowKey().equals(at)) {
                last = later.sentAt();
            }
        }
        return last;
    }

    /** Rows of operators and sites that no orchestrator has decided on yet. */
    public List<RowChange> undecidedRows() {
        return undecidedRows;
    }

    /** Rows that count and that this version cannot read. */
    public List<UnreadableRow> unreadableRows() {
        return unreadableRows;
    }

    /** The fleet state without derived state, for callers that refresh it themselves. */
    public FleetState state() {
        FleetState state = new FleetState();
        rowChanges.forEach(state::put);
        readSites.forEach(state::markRestored);
        return state;
    }

    /**
     * The fleet state for a forecast in which nothing fails: a node that is not ready during its upgrade is ready
     * afterwards, so it counts as ready. Meanwhile its open attempt makes it unavailable.
     */
    public FleetState forecastState() {
        FleetState state = state();
        for (MachineStatus status : rows(MachineStatus.class)) {
            MachineRow machine = row(new RowKey(Table.INVENTORY, status.key()), MachineRow.class);
            if (status.attempt() != null && machine != null && !machine.ready()) {
                state.put(machine.withReadyNode());
            }
        }
        return state;
    }

    /** The fleet state with derived state as of an instant, for reading numbers. */
    public FleetState recountedState(Instant now) {
        FleetState state = state();
        state.refreshDerivedState(GateChain.standard(), now);
        return state;
    }

    /** Instant for evaluating gates: now, but not before the newest decision. */
    public Instant now() {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return now.isBefore(consistentCut.head().decidedAt())
                ? consistentCut.head().decidedAt()
                : now;
    }
}
