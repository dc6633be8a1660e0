package dev.flotilla.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The partitions that a leader reads and writes. */
class OrchestratorPartitionsTest {
    private static final SiteId NORTH = new SiteId("north");
    private static final SiteId SOUTH = new SiteId("south");
    private static final List<String> FLEET_INPUTS =
            List.of("policies/0", "campaigns/0", "orders/0", "approvals/0", "freezes/0", "auditor-orders/0");

    private static List<String> names(List<TablePartition> partitions) {
        return partitions.stream().map(TablePartition::toString).toList();
    }

    private static List<String> of(SiteId site, String... partitions) {
        return Stream.of(partitions)
                .map(place -> place.replace("/", "." + site + "/"))
                .toList();
    }

    private static List<String> inputsOf(SiteId site) {
        return of(site, "inventory/0", "intents/0", "progress/0", "progress/1", "progress/2", "progress/3");
    }

    private static List<String> outputsOf(SiteId site) {
        return of(site, "status/0", "commands/0", "commands/1", "commands/2", "commands/3");
    }

    @Test
    void readsTheInputsOfTheFleetAndOfEachSite() {
        assertThat(names(OrchestratorPartitions.inputsOfFleet())).isEqualTo(FLEET_INPUTS);
        assertThat(names(OrchestratorPartitions.inputsOf(NORTH))).isEqualTo(inputsOf(NORTH));
        assertThat(names(OrchestratorPartitions.inputs(List.of(NORTH, SOUTH))))
                .isEqualTo(Stream.of(FLEET_INPUTS, inputsOf(NORTH), inputsOf(SOUTH))
                        .flatMap(List::stream)
                        .toList());
    }

    @Test
    void restoresFromTheOutputsOfTheFleetAndOfEachSite() {
        List<String> ofFleet = List.of("head/0", "campaign-status/0", "rejected/0");
        assertThat(names(OrchestratorPartitions.outputsOfFleet())).isEqualTo(ofFleet);
        assertThat(names(OrchestratorPartitions.outputsOf(NORTH))).isEqualTo(outputsOf(NORTH));
        assertThat(names(OrchestratorPartitions.outputs(List.of(NORTH, SOUTH))))
                .isEqualTo(Stream.of(ofFleet, outputsOf(NORTH), outputsOf(SOUTH))
                        .flatMap(List::stream)
                        .toList());
    }

    @Test
    void aTableThatOthersWriteIsAnInput() {
        assertThat(Table.values())
                .filteredOn(OrchestratorPartitions::isInput)
                .containsExactlyInAnyOrder(
                        Table.INVENTORY,
                        Table.INTENTS,
                        Table.PROGRESS,
                        Table.POLICIES,
                        Table.CAMPAIGNS,
                        Table.ORDERS,
                        Table.APPROVALS,
                        Table.FREEZES,
                        Table.AUDITOR_ORDERS);
    }

    @Test
    void aRestoreReadsAllFleetTablesBesidesTheHead() {
        assertThat(Table.values())
                .filteredOn(OrchestratorPartitions::isRestoredFrom)
                .containsExactlyInAnyOrder(
                        Table.CAMPAIGN_STATUS,
                        Table.REJECTED,
                        Table.POLICIES,
                        Table.CAMPAIGNS,
                        Table.ORDERS,
                        Table.APPROVALS,
                        Table.FREEZES,
                        Table.AUDITOR_ORDERS);
    }

    @Test
    void aRowIsWrittenToTheTopicOfItsSiteOrTheFleet() {
        MachineKey machine = new MachineKey(NORTH, "default", "m");
        assertThat(partitionOf(Table.COMMANDS, machine)).isEqualTo(TablePartition.of(Table.COMMANDS, machine));
        assertThat(partitionOf(Table.STATUS, new ClusterKey(NORTH, "default", "c")))
                .isEqualTo(TablePartition.of(Table.STATUS, NORTH));
        assertThat(partitionOf(Table.STATUS, NORTH)).isEqualTo(TablePartition.of(Table.STATUS, NORTH));
        assertThat(partitionOf(Table.HEAD, NORTH)).isEqualTo(TablePartition.of(Table.HEAD));
        assertThat(partitionOf(Table.CAMPAIGN_STATUS, new CampaignName("up")))
                .isEqualTo(TablePartition.of(Table.CAMPAIGN_STATUS));
    }

    private static TablePartition partitionOf(Table table, EntityKey key) {
        return OrchestratorPartitions.partitionOf(new RowKey(table, key));
    }
}
