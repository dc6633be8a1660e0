package dev.flotilla.orchestrator.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.orchestrator.loop.SampleCampaigns;
import dev.flotilla.orchestrator.loop.TableActorsFixture;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that work on a million machines is decided in transactions within the usual limits. */
class TransactionLimitsTest {
    private static final int SITES = 50;
    private static final int MACHINES_PER_CLUSTER = 20;
    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

    private final Map<MachineKey, WorkerCommand.UpgradeMachine> out = new LinkedHashMap<>();
    private TransactionLimits transactionLimits = TransactionLimits.DEFAULT;
    private TransactionSizeRecorder term = new TransactionSizeRecorder(transactionLimits);
    private long offset;
    private long uid;

    @Test
    void transactionsStayWithinLimitsForAMillionMachines() {
        assertThat(transactionLimits)
                .isEqualTo(new TransactionLimits(5_000, 3 * 1024 * 1024, 64, TopicCatalogue.MAX_RECORD_BYTES));
        startFreezeRemoveAndAbort(1_000, 10_000);
    }

    /** A smaller limit of one kind, so that this one ends a transaction. */
    @ParameterizedTest(name = "{0} records, {1} bytes, {2} partitions")
    @CsvSource({"300, 4194304, 300", "5000, 700000, 300", "5000, 4194304, 12"})
    void transactionsStayWithinWhicheverLimitIsReachedFirst(int records, int bytes, int partitions) {
        transactionLimits = new TransactionLimits(records, bytes, partitions, TopicCatalogue.MAX_RECORD_BYTES);
        term = new TransactionSizeRecorder(transactionLimits);
        startFreezeRemoveAndAbort(2, 1_000);
    }

    @Test
    void splitsWithheldRowsWithinTheLimits() {
        List<WireRecord> rows = IntStream.range(0, 12_000)
                .mapToObj(number -> WireRecordCodec.encode(TableActorsFixture.worker(site(0), "k", number)))
                .toList();
        List<List<WireRecord>> parts = transactionLimits.splitRows(rows);
        assertThat(parts).extracting(List::size).containsExactly(5_000, 5_000, 2_000);
        assertThat(parts.stream().flatMap(List::stream)).containsExactlyElementsOf(rows);
        int two = 2 * TransactionBuilder.sizeOf(rows.getFirst());
        assertThat(new TransactionLimits(5_000, two - 1, 64, TopicCatalogue.MAX_RECORD_BYTES)
                        .splitRows(rows.subList(0, 5)))
                .as("each is more than half of what may go")
                .extracting(List::size)
                .containsExactly(1, 1, 1, 1, 1);
        assertThat(transactionLimits.splitRows(List.of())).isEmpty();
    }

    private void startFreezeRemoveAndAbort(int clusters, int cap) {
        addFleet(clusters, cap);
        term.setRowListener(this::recordChange);

        acceptRecord(SampleCampaigns.campaign());
        assertBounded("a campaign is accepted, and all start that the cap lets");
        assertThat(out).hasSize(cap);

        List<WorkerCommand.UpgradeMachine> started = List.copyOf(out.values());
        order(new OperatorOrderKey.FreezeFleet(), OrderVerb.FREEZE);
        assertBounded("the fleet is frozen, and all are called back");
        assertThat(out).isEmpty();

        for (WorkerCommand.UpgradeMachine command : started) {
            acceptRecord(new AttemptProgress(
                    command.key(), command.uid(), command.attemptId(), new AttemptReport.Cancelled(), NOW));
        }
        assertBounded("all say that they did not call");
        assertThat(term.state().inFlight()).isZero();

        order(new OperatorOrderKey.FreezeFleet(), OrderVerb.UNFREEZE);
        assertBounded("the freeze is lifted, and as many start again");
        assertThat(out).hasSize(cap);

        int machines = term.state().machines();
        order(new OperatorOrderKey.AcceptMassRemoval(site(0)), OrderVerb.ACCEPT_REMOVAL);
        for (int cluster = 0; cluster < clusters; cluster++) {
            for (int machine = 0; machine < MACHINES_PER_CLUSTER; machine++) {
                MachineKey gone = TableActorsFixture.worker(site(0), cluster(cluster), machine)
                        .key();
                acceptRecord(new Tombstone(new RowKey(Table.INVENTORY, gone)));
            }
        }
        assertBounded("a site's removal of all its machines is accepted");
        assertThat(term.state().machines()).isEqualTo(machines - machines / SITES);

        order(new OperatorOrderKey.SetCampaignState(SampleCampaigns.SPRING), OrderVerb.ABORT);
        assertBounded("the campaign is aborted, and all are called back");
        assertThat(out).isEmpty();
    }

    private void addFleet(int clusters, int cap) {
        term.processInput(new DecisionInput.LeaderElected(NOW));
        acceptRecord(SampleCampaigns.policy(cap));
        for (int site = 0; site < SITES; site++) {
            SiteId id = site(site);
            acceptRecord(TableActorsFixture.heartbeat(id));
            term.processInput(new DecisionInput.HeartbeatResumed(id, NOW));
            for (int cluster = 0; cluster < clusters; cluster++) {
                term.state().put(TableActorsFixture.cluster(id, cluster(cluster), MACHINES_PER_CLUSTER));
                for (int machine = 0; machine < MACHINES_PER_CLUSTER; machine++) {
                    term.state().put(TableActorsFixture.worker(id, cluster(cluster), machine));
                }
            }
        }
        assertBounded("a policy is accepted, and all sites are heard");
        assertThat(term.state().machines()).isEqualTo(SITES * clusters * MACHINES_PER_CLUSTER);
    }

    private void assertBounded(String when) {
        TransactionSizeRecorder.TransactionSizes transactionSizes = term.finish(NOW);
        System.out.printf(
                "%7d machines: %-57s %6d decisions in %4d transactions of at most %4d records, %4d KiB, %3d"
                        + " partitions%n",
                term.state().machines(),
                when,
                transactionSizes.decisions(),
                transactionSizes.transactions(),
                transactionSizes.records(),
                transactionSizes.bytes() / 1024,
                transactionSizes.partitions());
        assertThat(transactionSizes.records())
                .as("records when " + when)
                .isLessThanOrEqualTo(transactionLimits.records());
        assertThat(transactionSizes.bytes()).as("bytes when " + when).isLessThanOrEqualTo(transactionLimits.bytes());
        assertThat(transactionSizes.partitions())
                .as("partitions when " + when)
                .isLessThanOrEqualTo(transactionLimits.partitions());
    }

    private void recordChange(RowChange rowChange) {
        switch (rowChange) {
            case WorkerCommand.UpgradeMachine command -> out.put(command.key(), command);
            case WorkerCommand.PrepareMachine command -> throw new IllegalStateException(command.toString());
            case WorkerCommand.CancelUpgrade command -> out.remove(command.key());
            case CampaignStatus status -> uid = status.uid();
            case Tombstone tombstone -> {
                if (tombstone.rowKey().table() == Table.COMMANDS
                        && tombstone.rowKey().key() instanceof MachineKey machine) {
                    out.remove(machine);
                }
            }
            default -> {
                // Not relevant here.
            }
        }
    }

    private void order(OperatorOrderKey key, OrderVerb verb) {
        Long campaign = key instanceof OperatorOrderKey.CampaignOrder ? (Long) uid : null;
        acceptRecord(new OperatorOrder(key, "order-" + offset, "ada", "a test", campaign, verb));
    }

    private void acceptRecord(RowChange rowChange) {
        RowKey at = rowChange.rowKey();
        TablePartition tablePartition = switch (at.key()) {
            case MachineKey machine -> TablePartition.of(at.table(), machine);
            case SiteId site -> TablePartition.of(at.table(), site);
            default -> TablePartition.of(at.table());
        };
        term.acceptRecord(tablePartition, offset++, rowChange, NOW);
    }

    private static SiteId site(int number) {
        return new SiteId("site-" + number);
    }

    private static String cluster(int number) {
        return "k" + number;
    }
}
