package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.term.HeadRowWriter;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A term of the real brain whose transactions are counted and weighed, and go nowhere. */
final class TransactionSizeRecorder {
    private final FleetState state = new FleetState();
    private final DecisionEngine decisionEngine = new DecisionEngine(FleetDecider.standard(), state);
    private final HeadRowWriter headRowWriter = new HeadRowWriter(FleetHead.NONE, Map.of());
    private final SuspendedSiteRows nothing = new SuspendedSiteRows();
    private final TransactionLimits transactionLimits;
    private TransactionBuilder transactionBuilder;
    private Consumer<RowChange> written = rowChange -> {};
    private TransactionSizes transactionSizes = TransactionSizes.NONE;

    /** The most there was of each in one transaction; decisions and transactions are sums. */
    record TransactionSizes(int transactions, int decisions, int records, long bytes, int partitions) {
        static final TransactionSizes NONE = new TransactionSizes(0, 0, 0, 0, 0);

        TransactionSizes and(int moreDecisions, List<WireRecord> sent) {
            return new TransactionSizes(
                    transactions + 1,
                    decisions + moreDecisions,
                    Math.max(records, sent.size()),
                    Math.max(
                            bytes,
                            sent.stream().mapToLong(TransactionSizes::bytes).sum()),
                    Math.max(
                            partitions,
                            sent.stream()
                                    .map(record -> record.topic() + "/" + record.partition())
                                    .collect(Collectors.toSet())
                                    .size()));
        }

        private static long bytes(WireRecord record) {
            byte[] value = record.value();
            String key = record.key();
            return (value == null ? 0 : value.length)
                    + (key == null ? 0 : key.getBytes(StandardCharsets.UTF_8).length)
                    + headers(record.headers().type())
                    + headers(record.headers().schemaVersion())
                    + headers(record.headers().seq());
        }

        private static long headers(String value) {
            return Objects.requireNonNullElse(value, "").length();
        }
    }

    TransactionSizeRecorder(TransactionLimits transactionLimits) {
        this.transactionLimits = transactionLimits;
        this.transactionBuilder = next();
    }

    private TransactionBuilder next() {
        return new TransactionBuilder(transactionLimits, headRowWriter, state, "it");
    }

    FleetState state() {
        return state;
    }

    /** Is told of every row that is decided. */
    void tell(Consumer<RowChange> listener) {
        written = listener;
    }

    /** An input of the shell's own. */
    void take(DecisionInput input) {
        decisionEngine.processInput(input, 0, transactionBuilder::add);
    }

    /** A record of an input table, and what falls due by it, as a term takes it. */
    void arrive(TablePartition tablePartition, long offset, RowChange rowChange, Instant now) {
        if (!transactionBuilder.hasRoom()) {
            commit(now);
        }
        headRowWriter.recordRead(tablePartition, offset + 1, 1);
        take(new DecisionInput.RecordReceived(rowChange, tablePartition.partition(), offset, now));
        due(now);
    }

    private boolean due(Instant now) {
        boolean found = true;
        while (found && transactionBuilder.hasRoom()) {
            found = decisionEngine.decideDueWork(now, 1, transactionBuilder::add) == 1;
        }
        return found;
    }

    /** Goes on until nothing is due, and says what the transactions since it was last asked were like. */
    TransactionSizes finish(Instant now) {
        while (due(now) || !transactionBuilder.isEmpty()) {
            commit(now);
        }
        TransactionSizes said = transactionSizes;
        transactionSizes = TransactionSizes.NONE;
        return said;
    }

    boolean isAwaited() {
        return transactionBuilder.isUrgent();
    }

    private void commit(Instant now) {
        decisionEngine.refreshDerivedState(now);
        List<WireRecord> sent = transactionBuilder.buildRecords(nothing);
        transactionSizes = transactionSizes.and(transactionBuilder.decisions().size(), sent);
        transactionBuilder.decisions().forEach(decision -> decision.changes().forEach(written));
        transactionBuilder = next();
    }
}
