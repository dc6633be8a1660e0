package dev.flotilla.orchestrator.leader;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.leader.HeadRowWriter;
import dev.flotilla.core.leader.SuspendedSiteRows;
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

/** Runs a term of the real core and measures its transactions, which are not sent. */
final class TransactionSizeRecorder {
    private final FleetState state = new FleetState();
    private final DecisionEngine decisionEngine = new DecisionEngine(FleetDecider.standard(), state);
    private final HeadRowWriter headRowWriter = new HeadRowWriter(FleetHead.NONE, Map.of());
    private final SuspendedSiteRows<WireRecord> nothing = new SuspendedSiteRows<>();
    private final TransactionLimits transactionLimits;
    private TransactionBuilder transactionBuilder;
    private Consumer<RowChange> written = rowChange -> {};
    private TransactionSizes transactionSizes = TransactionSizes.NONE;

    /** The largest transaction in each respect; decisions and transactions are sums. */
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
        return new TransactionBuilder(transactionLimits, headRowWriter, state, "it", true);
    }

    FleetState state() {
        return state;
    }

    /** Sets the listener of every row change that is decided. */
    void setRowListener(Consumer<RowChange> listener) {
        written = listener;
    }

    /** Processes an input of the shell. */
    void processInput(DecisionInput input) {
        decisionEngine.processInput(input, 0, transactionBuilder::add);
    }

    /** Processes a record of an input table and the due work that follows, as a term does. */
    void acceptRecord(TablePartition tablePartition, long offset, RowChange rowChange, Instant now) {
        if (!transactionBuilder.hasRoom()) {
            commit(now);
        }
        headRowWriter.recordRead(tablePartition, offset + 1, 1);
        processInput(new DecisionInput.RecordReceived(rowChange, tablePartition.partition(), offset, now));
        due(now);
    }

    private boolean due(Instant now) {
        boolean found = true;
        while (found && transactionBuilder.hasRoom()) {
            found = decisionEngine.decideDueWork(now, 1, transactionBuilder::add) == 1;
        }
        return found;
    }

    /** Decides until nothing is due, and returns the sizes since the last call. */
    TransactionSizes finish(Instant now) {
        while (due(now) || !transactionBuilder.isEmpty()) {
            commit(now);
        }
        TransactionSizes said = transactionSizes;
        transactionSizes = TransactionSizes.NONE;
        return said;
    }

    boolean isUrgent() {
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
