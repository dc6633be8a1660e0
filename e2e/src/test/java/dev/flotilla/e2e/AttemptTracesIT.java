package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.e2e.arena.FleetTestBed;
import dev.flotilla.e2e.arena.JournalFollower;
import dev.flotilla.e2e.arena.TestCampaign;
import dev.flotilla.e2e.arena.TraceCollector;
import dev.flotilla.e2e.arena.TracedFleet;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.testkit.process.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of real processes on a real Kafka. Nodes, their API servers and the collector are simulated. */
@Tag("nightly")
class AttemptTracesIT {
    private static final String DROPPED = "flotilla_trace_spans_dropped_total{";
    private static final Set<String> SERVICES =
            new TreeSet<>(List.of("flotilla-management-watcher", "flotilla-node-worker", "flotilla-orchestrator"));

    @TempDir
    private Path folder;

    @Test
    void allProcessesAndLeadersReportToOneTraceAndNoneNeedsTheCollector() throws Exception {
        TraceCollector collector = new TraceCollector();
        try (TracedFleet fleet = new TracedFleet(folder, collector.endpoint())) {
            JournalFollower journal = fleet.journal();
            ChildProcess first = fleet.startOrchestrator("orchestrator-1");
            TestCampaign campaign = new TestCampaign(1);
            fleet.startCampaign(campaign);

            // The next leader ends an attempt that this one has admitted.
            journal.await("an attempt", FleetTestBed.PATIENCE, () -> journal.openAttempts() > 0);
            Set<String> admittedBefore = new TreeSet<>(fleet.traceIds(Table.COMMANDS));
            first.kill();
            ChildProcess second = fleet.startOrchestrator("orchestrator-2");
            journal.await("the campaign is over", FleetTestBed.PATIENCE, () -> campaign.isOver(journal));
            assertThat(campaign.succeeded(journal)).isEqualTo(3);

            journal.await(
                    "a complete trace of each machine",
                    FleetTestBed.PATIENCE,
                    () -> services(collector).values().stream()
                                    .filter(SERVICES::equals)
                                    .count()
                            >= 3);
            List<TraceCollector.CollectedSpan> spans = collector.spans();
            assertThat(spans)
                    .filteredOn(TraceCollector.CollectedSpan::isRoot)
                    .extracting(TraceCollector.CollectedSpan::name)
                    .containsOnly("upgrade attempt");
            Map<String, String> roots = spans.stream()
                    .filter(TraceCollector.CollectedSpan::isRoot)
                    .collect(Collectors.toMap(
                            TraceCollector.CollectedSpan::traceId, TraceCollector.CollectedSpan::spanId, (a, b) -> a));
            assertThat(spans)
                    .filteredOn(span -> !span.isRoot() && roots.containsKey(span.traceId()))
                    .extracting(TraceCollector.CollectedSpan::name)
                    .contains("starting", "refreshing", "write annotations");
            assertThat(spans)
                    .filteredOn(span -> !span.isRoot() && roots.containsKey(span.traceId()))
                    .allSatisfy(span -> assertThat(span.parentSpanId()).isEqualTo(roots.get(span.traceId())));
            assertThat(spans)
                    .filteredOn(span -> span.isRoot() && span.instance().equals("orchestrator-2"))
                    .extracting(TraceCollector.CollectedSpan::traceId)
                    .containsAnyElementsOf(admittedBefore);
            for (Table table : List.of(Table.COMMANDS, Table.PROGRESS, Table.STATUS)) {
                assertThat(fleet.traceIds(table)).as(table.label()).containsAll(roots.keySet());
            }
            assertUpgradesWithoutCollector(collector, fleet, second);
        } finally {
            collector.close();
        }
    }

    private static void assertUpgradesWithoutCollector(
            TraceCollector collector, TracedFleet fleet, ChildProcess orchestrator) {
        collector.close();
        JournalFollower journal = fleet.journal();
        TestCampaign next = new TestCampaign(2);
        long succeeded = journal.lines(DecisionEvent.ATTEMPT_SUCCEEDED).size();
        fleet.startCampaign(next);
        journal.await("the next campaign is over", FleetTestBed.PATIENCE, () -> next.isOver(journal));

        assertThat(journal.lines(DecisionEvent.ATTEMPT_SUCCEEDED)).hasSize((int) succeeded + 3);
        journal.await(
                "its roots are counted as dropped",
                FleetTestBed.PATIENCE,
                () -> TracedFleet.counter(orchestrator, DROPPED) >= 3);
    }

    /** The services that have reported spans to each trace. */
    private static Map<String, Set<String>> services(TraceCollector collector) {
        return collector.spans().stream()
                .collect(Collectors.groupingBy(
                        TraceCollector.CollectedSpan::traceId,
                        Collectors.mapping(
                                TraceCollector.CollectedSpan::service, Collectors.toCollection(TreeSet::new))));
    }
}
