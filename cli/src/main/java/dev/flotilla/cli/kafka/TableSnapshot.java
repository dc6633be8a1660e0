package dev.flotilla.cli.kafka;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.term.ConsistentCut;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tables as they were at one instant. */
public final class TableSnapshot {
    private final ConsistentCut consistentCut;
    private final List<RowChange> facts;
    private final List<RowChange> undecidedRows;
    private final Set<SiteId> read;
    private final Map<RowKey, TableRow> rows = new LinkedHashMap<>();

    TableSnapshot(ConsistentCut consistentCut, List<RowChange> facts, List<RowChange> undecided, Set<SiteId> read) {
        this.consistentCut = consistentCut;
        this.read = read;
        this.facts = List.copyOf(facts);
        this.undecidedRows = List.copyOf(undecided);
        for (RowChange rowChange : facts) {
            if (rowChange instanceof TableRow row) {
                rows.put(row.rowKey(), row);
            }
        }
    }

    /** How far the orchestrator had decided; {@link FleetHead#NONE} where none has ever run. */
    public FleetHead head() {
        return consistentCut.head();
    }

    /** Whether any orchestrator has ever led on these tables. */
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

    /** The row at a place, or null. */
    public <R extends TableRow> @Nullable R row(RowKey at, Class<R> type) {
        TableRow row = rows.get(at);
        return type.isInstance(row) ? type.cast(row) : null;
    }

    /**
     * What a site's watcher said last of when it was; null where it has never said anything. The state keeps no instants of
     * heartbeats: the newest rows do, also those on which nobody has decided yet.
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

    /** What operators and sites have written and nobody has decided on yet. */
    public List<RowChange> undecidedRows() {
        return undecidedRows;
    }

    /** The state that the orchestrator had then, with its counts not brought up to date: for what settles it itself. */
    public FleetState state() {
        FleetState state = new FleetState();
        facts.forEach(state::put);
        read.forEach(state::markRestored);
        return state;
    }

    /** The same with everything counted, as of an instant: what figures are read from. */
    public FleetState recountedState(Instant now) {
        FleetState state = state();
        state.refreshDerivedState(GateChain.standard(), now);
        return state;
    }

    /** The instant as of which questions are answered: now, and never before the newest decision. */
    public Instant now() {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return now.isBefore(consistentCut.head().decidedAt())
                ? consistentCut.head().decidedAt()
                : now;
    }
}
