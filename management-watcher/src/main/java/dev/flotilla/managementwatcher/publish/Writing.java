package dev.flotilla.managementwatcher.publish;

import dev.flotilla.managementwatcher.mode.FoundMode;
import dev.flotilla.managementwatcher.report.Reporting;
import dev.flotilla.managementwatcher.report.StatusBoard;
import dev.flotilla.managementwatcher.view.Projection;
import dev.flotilla.managementwatcher.view.SiteView;
import dev.flotilla.runtime.kafka.ComponentAcls;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.TransactionalRowWriter;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A life as the one writer of a site's tables: it begins with fencing whoever wrote before, and with reading what they say. What
 * is known of them is true for so long alone.
 */
final class Writing implements AutoCloseable {
    /** A site of which something was not seen for so long is not being watched. */
    static final Duration BLIND = Duration.ofSeconds(15);

    private static final long HEARTBEAT = 10_000;
    private static final long WINDOW = 100;
    private static final Duration TICK = Duration.ofMillis(50);

    private final Desk desk;
    private final SiteId site;
    private final String management;
    private final SiteMode mode;
    private final SiteView view;
    private final WatcherTime time;
    private final WatcherListener listener;
    private final Reporting reporting;
    private final TransactionalRowWriter writer;
    private final OwnTopics topics = new OwnTopics();
    private final Outgoing outgoing;
    private final Published published = new Published();
    private final StatusBoard status = new StatusBoard();
    private final Set<ObjectKey> touched = new LinkedHashSet<>();
    private @Nullable PartitionReader tables;
    private @Nullable Publishing publishing;
    private @Nullable String spentOrder;
    private long beatsAgain = Long.MIN_VALUE;
    private long publishesAgain = Long.MIN_VALUE;
    private boolean whole;
    private boolean stranger;

    Writing(Desk desk, String management, SiteMode mode, SiteView view) {
        this.desk = desk;
        this.site = desk.site();
        this.management = management;
        this.mode = mode;
        this.view = view;
        this.time = desk.time();
        this.listener = desk.listener();
        this.writer = new TransactionalRowWriter(desk.kafka(), ComponentAcls.watcherTransactions(site), WatcherLoop.PATIENCE);
        this.outgoing = new Outgoing(writer, topics, listener);
        this.reporting = new Reporting(
                view,
                status,
                mode,
                published::intent,
                published::unreadable,
                desk.hand(),
                desk.writesAtOnce(),
                new Projection(site),
                time::ticks,
                listener);
    }

    /** Fences whoever wrote before, and reads. The orchestrator's words are followed from then on. */
    void open(PartitionReader reader) {
        writer.init();
        TablePartition inventory = TablePartition.of(Table.INVENTORY, site);
        TablePartition intents = TablePartition.of(Table.INTENTS, site);
        TablePartition words = TablePartition.of(Table.STATUS, site);
        List<TablePartition> all = List.of(inventory, intents, words);
        reader.assign(all);
        reader.seekToBeginning(all);
        Map<TablePartition, Long> ends = reader.endOffsets(all);
        while (!ends.entrySet().stream().allMatch(end -> reader.nextOffset(end.getKey()) >= end.getValue())) {
            for (ConsumedRecord consumedRecord : reader.poll(TICK)) {
                heard(consumedRecord);
            }
        }
        reader.assign(List.of(words));
        topics.end(reader.endOffsets(own()));
        tables = reader;
        publishing = new Publishing(view, published, mode);
        WatcherHeartbeat last = published.heartbeat();
        stranger = last != null
                && !last.managementUid().isEmpty()
                && !last.managementUid().equals(management);
        if (stranger && last != null) {
            listener.otherCluster(last.managementUid(), management);
        }
        // An order that was given while nobody heard still counts; one that was followed does not.
        spentOrder = last == null ? status.acceptedRemoval() : last.appliedRemovalOrder();
    }

    private List<TablePartition> own() {
        return List.of(TablePartition.of(Table.INVENTORY, site), TablePartition.of(Table.INTENTS, site));
    }

    /** Takes a record of any of the three. */
    void heard(ConsumedRecord consumedRecord) {
        if (consumedRecord.partition().table() == Table.STATUS) {
            List<String> paths = status.localPaths();
            String waiting = status.waiting();
            ObjectKey about = status.read(consumedRecord);
            if (about != null) {
                reporting.touch(about);
            } else if (!Objects.equals(paths, status.localPaths())) {
                view.touchAll();
            } else if (!Objects.equals(waiting, status.waiting())) {
                reporting.touch(published.asked());
            }
        } else {
            published.read(consumedRecord);
        }
    }

    /**
     * Writes what is to be written by now.
     *
     * @param sees whether everything is seen as it is
     */
    void step(boolean sees) {
        Publishing now = publishing;
        if (now == null || stranger || !view.isWhole()) {
            return;
        }
        if (!whole) {
            whole = true;
            view.touchAll();
            touched.addAll(published.objects());
        }
        reporting.step();
        long ticks = time.ticks();
        boolean ordered = isOrdered(now);
        boolean due = ticks >= beatsAgain && sees;
        boolean changed = ticks >= publishesAgain && (view.isTouched() || !touched.isEmpty());
        if (!due && !ordered && !changed) {
            return;
        }
        if (due && tables != null) {
            topics.end(tables.endOffsets(own()));
        }
        publishesAgain = ticks + WINDOW;
        touched.addAll(view.takeTouched());
        reporting.touch(touched);
        int heldBefore = now.held();
        now.write(touched, time.clock(), outgoing);
        touched.clear();
        if (due || now.held() != heldBefore) {
            beatsAgain = ticks + HEARTBEAT;
            outgoing.accept(Objects.requireNonNull(published.toWrite(beat(now))));
        }
        if (now.held() != heldBefore) {
            listener.held(now.held());
        }
        outgoing.send();
        listener.writes(sees);
    }

    private WatcherHeartbeat beat(Publishing now) {
        FoundMode found = desk.mode().get();
        if (now.held() == 0) {
            // An order that was given while there was nothing to accept is not for what may vanish later.
            spentOrder = status.acceptedRemoval();
        }
        return new WatcherHeartbeat(
                site,
                management,
                desk.name(),
                Instant.ofEpochMilli(time.clock()),
                now.held(),
                mode,
                found == null ? null : found.doubt(),
                spentOrder);
    }

    /** Whether somebody has just said that the machines held back are really gone. */
    private boolean isOrdered(Publishing now) {
        String order = status.acceptedRemoval();
        if (order == null || order.equals(spentOrder) || now.held() == 0) {
            return false;
        }
        spentOrder = order;
        now.accept();
        return true;
    }

    @Override
    public void close() {
        writer.close();
    }
}
