package dev.flotilla.e2e.arena;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Follows the journal and the fleet state that it describes. Used by one thread. */
public final class JournalFollower implements AutoCloseable {
    private static final Duration SLICE = Duration.ofMillis(50);
    private static final Duration BROKER_PATIENCE = Duration.ofSeconds(60);

    private final PartitionReader reader;
    private final List<JournalEntry> lines = new ArrayList<>();
    private final Map<MachineKey, MachineRow> machines = new LinkedHashMap<>();
    private final Map<MachineKey, MachineStatus> statuses = new LinkedHashMap<>();
    private final Map<CampaignName, CampaignStatus> campaigns = new LinkedHashMap<>();
    private final Set<String> connectedSites = new HashSet<>();
    private int openAttempts;

    /**
     * A journal record.
     *
     * @param appended time at which the broker appended it, in milliseconds
     * @param hash of its bytes as stored
     */
    public record JournalEntry(
            long offset,
            long appended,
            long seq,
            String event,
            String subject,
            String reason,
            String previous,
            String hash) {
        public boolean hasEvent(DecisionEvent what) {
            return event.equals(what.label());
        }
    }

    JournalFollower(String bootstrap) {
        this.reader =
                new PartitionReader(KafkaClientSettings.forLocalBroker(bootstrap), "looker-on", 1_000, BROKER_PATIENCE);
        List<TablePartition> places = List.of(TablePartition.of(Table.JOURNAL));
        reader.assign(places);
        reader.seekToBeginning(places);
    }

    /** Reads new records, waiting briefly. */
    public void poll() {
        reader.poll(SLICE).forEach(this::take);
    }

    /** Reads records until a condition holds. */
    public void await(String what, Duration patience, BooleanSupplier so) {
        long until = System.nanoTime() + patience.toNanos();
        while (!so.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new AssertionError("not within " + patience.toSeconds() + " s: " + what + "; " + this);
            }
            poll();
        }
    }

    private void take(ConsumedRecord consumedRecord) {
        DecodeResult<RowChange> decodeResult = WireRecordCodec.decode(consumedRecord.record());
        if (!(decodeResult instanceof DecodeResult.Accepted<RowChange> accepted)
                || !(accepted.value() instanceof JournalRecord record)) {
            throw new AssertionError("no journal record at offset " + consumedRecord.offset() + ": " + decodeResult);
        }
        lines.add(new JournalEntry(
                consumedRecord.offset(),
                consumedRecord.appendedAt(),
                record.seq(),
                record.event(),
                record.subject(),
                record.reason(),
                record.previousHash(),
                hash(consumedRecord.record().value())));
        if (record.event().equals(DecisionEvent.SITE_CHANGED.label())) {
            if (record.reason().equals("connected")) {
                connectedSites.add(record.subject());
            } else {
                connectedSites.remove(record.subject());
            }
        }
        if (!record.event().equals(DecisionEvent.CHECKPOINT_PART_WRITTEN.label())) {
            record.changes().forEach(this::put);
        }
    }

    private void put(RowChange rowChange) {
        switch (rowChange) {
            case MachineRow row -> machines.put(row.key(), row);
            case CampaignStatus status -> campaigns.put(status.name(), status);
            case MachineStatus status -> {
                MachineStatus before = statuses.put(status.key(), status);
                openAttempts +=
                        (status.attempt() == null ? 0 : 1) - (before == null || before.attempt() == null ? 0 : 1);
            }
            default -> {
                // Not needed here.
            }
        }
    }

    private static String hash(byte @Nullable [] value) {
        try {
            byte[] bytes = value == null ? new byte[0] : value;
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every JVM has SHA-256", absent);
        }
    }

    public List<JournalEntry> lines() {
        return Collections.unmodifiableList(lines);
    }

    public List<JournalEntry> lines(DecisionEvent event) {
        return lines.stream()
                .filter(journalEntry -> journalEntry.hasEvent(event))
                .toList();
    }

    /** Number of the newest record. */
    public long seq() {
        return lines.isEmpty() ? 0 : lines.get(lines.size() - 1).seq();
    }

    /** Number of terms so far. */
    public int terms() {
        return lines(DecisionEvent.LEADER_ELECTED).size();
    }

    public Collection<MachineRow> machines() {
        return machines.values();
    }

    @Nullable
    MachineRow machine(MachineKey key) {
        return machines.get(key);
    }

    @Nullable
    MachineStatus status(MachineKey key) {
        return statuses.get(key);
    }

    public @Nullable CampaignStatus campaign(CampaignName name) {
        return campaigns.get(name);
    }

    /** Sites with heartbeats. */
    public int connectedSites() {
        return connectedSites.size();
    }

    /** Machines with an open attempt. */
    public int openAttempts() {
        return openAttempts;
    }

    @Override
    public String toString() {
        return "journal at seq " + seq() + ", terms " + terms() + ", machines " + machines.size() + ", heard "
                + connectedSites
                + ", open attempts " + openAttempts + ", last "
                + (lines.isEmpty() ? "none" : lines.get(lines.size() - 1).event());
    }

    @Override
    public void close() {
        reader.close();
    }
}
