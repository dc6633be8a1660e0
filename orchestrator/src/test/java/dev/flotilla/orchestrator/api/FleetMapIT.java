package dev.flotilla.orchestrator.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flotilla.orchestrator.api.answer.MachineFilter;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the map of the fleet and the events of one machine. */
class FleetMapIT {
    private static final String MAP = "/api/v1/map";
    private static final String EVENTS = "/api/v1/machines/north/default/a-w-0/events";

    private ApiTestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new ApiTestServer();
        server.fleet.addSite("north");
        server.fleet.addSite("south");
        server.fleet.addCluster("north", "a", 3, 7);
        server.fleet.addCluster("south", "b", 1, 9);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    /** The number of a cluster's machines in a condition. */
    private static int count(JsonNode map, int site, String condition) {
        List<String> conditions = new ArrayList<>();
        map.path("states").forEach(label -> conditions.add(label.asText()));
        JsonNode cluster = map.path("sites").get(site).path("clusters").get(0);
        return cluster.path("machines").get(conditions.indexOf(condition)).asInt();
    }

    @Test
    void countsEachClustersMachinesByCondition() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 5);
        JsonNode map = server.readJson(MAP);
        assertThat(map.path("sites").get(0).path("site").asText()).isEqualTo("north");
        assertThat(map.path("sites")
                        .get(1)
                        .path("clusters")
                        .get(0)
                        .path("cluster")
                        .asText())
                .isEqualTo("default/b");
        assertThat(count(map, 0, "in-flight")).isEqualTo(1);
        assertThat(count(map, 0, "waiting")).isEqualTo(9);
        assertThat(count(map, 0, "not-targeted")).isZero();
        assertThat(map.path("gates").path("complete").asBoolean()).isTrue();
        assertThat(map.path("gates").path("counts").toString()).isEqualTo("[{\"gate\":\"cap-fleet\",\"machines\":18}]");
    }

    /** A second campaign targets all machines; their outcomes in the first one stay visible. */
    @Test
    void showsEarlierOutcomesOfWaitingMachines() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 5);
        server.fleet.report(1, new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "1001", "v1.33.0"));
        server.fleet.report(1, new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_ERROR, "no"));
        server.fleet.addCampaign("k8s-1-34", 5, "1.34-classic/stable");
        JsonNode map = server.readJson(MAP);
        assertThat(count(map, 0, "succeeded")).isZero();
        assertThat(count(map, 0, "quarantined")).isZero();
        assertThat(countBefore(map, 0, "succeededBefore") + countBefore(map, 1, "succeededBefore"))
                .isEqualTo(1);
        assertThat(countBefore(map, 0, "quarantinedBefore") + countBefore(map, 1, "quarantinedBefore"))
                .isEqualTo(1);
    }

    private static int countBefore(JsonNode map, int site, String member) {
        return map.path("sites").get(site).path("clusters").get(0).path(member).asInt();
    }

    @Test
    void scansALargeFleetInShortQueriesOnceForAllReaders() throws Exception {
        server.fleet.addSite("large");
        for (int cluster = 0; cluster < 2; cluster++) {
            ClusterKey key = new ClusterKey(new SiteId("large"), "default", "c-" + cluster);
            for (int i = 0; i < MachineFilter.MACHINES_PER_QUERY; i++) {
                server.fleet.addMachine(key, "c-" + cluster + "-" + i, MachineRole.WORKER, null);
            }
        }
        server.fleet.queryCount.set(0);
        JsonNode map = server.readJson(MAP);
        assertThat(count(map, 0, "not-targeted")).isEqualTo(MachineFilter.MACHINES_PER_QUERY);
        int queries = server.fleet.queryCount.get();
        assertThat(queries).isGreaterThanOrEqualTo(3);
        assertThat(server.readJson(MAP)).isEqualTo(map);
        assertThat(server.fleet.queryCount.get()).isEqualTo(queries);
    }

    @Test
    void answersWith503WhileTablesAreRestored() throws Exception {
        server.fleet.replicaRole = ReplicaRole.RESTORING;
        HttpResponse<String> response = server.send(MAP);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("\"code\":\"restoring\"");
    }

    @Test
    void listsAMachinesEventsAndTheOldestBufferedEvent() throws Exception {
        assertThat(server.readJson(EVENTS).toString()).isEqualTo("{\"sinceSeq\":0,\"events\":[]}");
        server.eventBuffer.publish(7, TestFleet.START, "attempt-admitted", "north/default/a-w-0", "its turn");
        server.eventBuffer.publish(8, TestFleet.START, "attempt-admitted", "north/default/a-w-1", "its turn");
        server.eventBuffer.publish(9, TestFleet.START, "attempt-succeeded", "north/default/a-w-0", "proved");
        JsonNode all = server.readJson(EVENTS);
        assertThat(all.path("sinceSeq").asLong()).isEqualTo(7);
        assertThat(all.path("events").findValuesAsText("event"))
                .containsExactly("attempt-admitted", "attempt-succeeded");
        assertThat(server.readJson(EVENTS + "?limit=1").path("events").findValuesAsText("seq"))
                .containsExactly("9");
        assertThat(server.send("/api/v1/machines/north/default/none/events").statusCode())
                .isEqualTo(404);
    }
}
