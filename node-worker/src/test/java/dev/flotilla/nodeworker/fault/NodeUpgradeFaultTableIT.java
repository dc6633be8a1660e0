package dev.flotilla.nodeworker.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.nodeworker.stub.NodeUpgradeApiStub;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.testkit.page.GeneratedPageSection;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs each fault of a NodeUpgrade and compares its end and message. docs/faults.md shows the table. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeUpgradeFaultTableIT {
    private static final Duration PATIENCE = Duration.ofHours(3);
    private static final Path PAGE = Path.of("..", "docs", "faults.md");

    private final Map<NodeUpgradeFaultCase, String> lines = new LinkedHashMap<>();
    private int rounds;

    static Stream<NodeUpgradeFaultCase> faults() {
        return NodeUpgradeFaultTable.rows().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void endsAsExpected(NodeUpgradeFaultCase faultCase) throws Exception {
        try (TwoClusterFixture world = new TwoClusterFixture()) {
            NodeUpgradeApiStub.serve(world.management);
            NodeUpgradeAttemptRunner.putNode(world, NodeUpgradeFaultTable.OLD);
            faultCase.fault().inject(world);
            List<AttemptReport> reports = new ArrayList<>();
            Instant end = world.now.plus(PATIENCE);
            rounds = 0;
            NodeUpgradeAttemptRunner runner = new NodeUpgradeAttemptRunner(
                    world, NodeUpgradeAttemptRunner.command(world, 7), reports, () -> act(world, faultCase));
            if (faultCase.cancelled()) {
                runner.cancelAfterCall();
            }
            runner.run(action -> action instanceof UpgradeAction.Wait && world.now.isAfter(end), action -> false);
            AttemptReport last = reports.get(reports.size() - 1);
            assertThat(FaultCase.describe(last))
                    .as("%s, reported %s", faultCase, reports)
                    .isEqualTo(faultCase.expectedEnd());
            assertThat(NodeUpgradeApiStub.objects(world.management)).hasSize(faultCase.objects());
            lines.put(
                    faultCase,
                    "| " + faultCase.title() + " | " + FaultCase.describe(last) + " | " + FaultCase.text(last)
                            + " |\n");
        }
    }

    /** The kubelet lives, and the controller acts on the object if there is one. */
    private void act(TwoClusterFixture world, NodeUpgradeFaultCase faultCase) {
        String version = world.workload
                .objects
                .get(TwoClusterFixture.NODE)
                .getJsonObject("status")
                .getJsonObject("nodeInfo")
                .getString("kubeletVersion");
        NodeUpgradeAttemptRunner.putNode(world, version);
        for (String path : NodeUpgradeApiStub.objects(world.management)) {
            faultCase.controller().act(world, path, rounds++);
        }
    }

    @AfterAll
    void pageShowsTheTable() throws Exception {
        List<NodeUpgradeFaultCase> all = NodeUpgradeFaultTable.rows();
        assertThat(lines.keySet())
                .extracting(NodeUpgradeFaultCase::title)
                .as("rows that ended as expected")
                .containsExactlyElementsOf(
                        all.stream().map(NodeUpgradeFaultCase::title).toList());
        StringBuilder page = new StringBuilder();
        String group = "";
        for (Map.Entry<NodeUpgradeFaultCase, String> line : lines.entrySet()) {
            if (!line.getKey().group().equals(group)) {
                group = line.getKey().group();
                page.append("\n### ")
                        .append(group)
                        .append("\n\n| fault | end of the attempt | message |\n|---|---|---|\n");
            }
            page.append(line.getValue());
        }
        page.append('\n');
        assertThat(GeneratedPageSection.readOrRewrite(PAGE, "node-upgrade-faults", page.toString()))
                .isEqualTo(page.toString());
    }
}
