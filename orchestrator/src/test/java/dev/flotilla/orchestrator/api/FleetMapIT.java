package dev.flotilla.orchestrator.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.flotilla.orchestrator.api.answer.MachineFilter;
import dev.flotilla.orchestrator.view.ReplicaRole;
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

/** What a page needs to draw the whole fleet, and one machine's past. */
class FleetMapIT {
    private static final String MAP = "/api/v1/map";
    private static final String EVENTS = "/api/v1/machines/north/default/a-w-0/events";

    private ApiTestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new ApiTestServer();
        server.fleet.site("north");
        server.fleet.site("south");
        server.fleet.cluster("north", "a", 3, 7);
        server.fleet.cluster("south", "b", 1, 9);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    /** How many machines of a cluster are in a condition. */
    private static int count(JsonNode map, int site, String condition) {
        List<String> conditions = new ArrayList<>();
        map.path("conditions").forEach(each -> conditions.add(each.asText()));
        JsonNode cluster = map.path("sites").get(site).path("clusters").get(0);
        return cluster.path("machines").get(conditions.indexOf(condition)).asInt();
    }

    @Test
    void showsEachClusterWithHowItsMachinesStand() throws Exception {
        server.fleet.campaign("k8s-1-33", 5);
        JsonNode map = server.json(MAP);
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
        assertThat(count(map, 0, "idle")).isZero();
        assertThat(map.path("gates").path("complete").asBoolean()).isTrue();
        assertThat(map.path("gates").path("counts").toString()).isEqualTo("[{\"gate\":\"cap-fleet\",\"machines\":18}]");
    }

    /** A second campaign wants all machines: how they ended in the first is not forgotten. */
    @Test
    void howMachinesEndedBeforeIsToldWhileTheyWaitForAnother() throws Exception {
        server.fleet.campaign("k8s-1-33", 5);
        server.fleet.report(1, new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "1001", "v1.33.0"));
        server.fleet.report(1, new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_ERROR, "no"));
        server.fleet.campaign("k8s-1-34", 5, "1.34-classic/stable");
        JsonNode map = server.json(MAP);
        assertThat(count(map, 0, "succeeded")).isZero();
        assertThat(count(map, 0, "quarantined")).isZero();
        assertThat(before(map, 0, "succeededBefore") + before(map, 1, "succeededBefore"))
                .isEqualTo(1);
        assertThat(before(map, 0, "quarantinedBefore") + before(map, 1, "quarantinedBefore"))
                .isEqualTo(1);
    }

    private static int before(JsonNode map, int site, String how) {
        return map.path("sites").get(site).path("clusters").get(0).path(how).asInt();
    }

    @Test
    void looksAtALargeFleetInShortQuestionsAndOnceForAll() throws Exception {
        server.fleet.site("large");
        for (int cluster = 0; cluster < 2; cluster++) {
            ClusterKey key = new ClusterKey(new SiteId("large"), "default", "c-" + cluster);
            for (int i = 0; i < MachineFilter.LOOKS; i++) {
                server.fleet.machine(key, "c-" + cluster + "-" + i, MachineRole.WORKER, null);
            }
        }
        server.fleet.asked.set(0);
        JsonNode map = server.json(MAP);
        assertThat(count(map, 0, "idle")).isEqualTo(MachineFilter.LOOKS);
        int once = server.fleet.asked.get();
        assertThat(once).isGreaterThanOrEqualTo(3);
        assertThat(server.json(MAP)).isEqualTo(map);
        assertThat(server.fleet.asked.get()).isEqualTo(once);
    }

    @Test
    void aProcessThatRestoresDrawsNothing() throws Exception {
        server.fleet.standing = ReplicaRole.RESTORING;
        HttpResponse<String> response = server.get(MAP);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("\"code\":\"restoring\"");
    }

    @Test
    void tellsWhatWasDecidedAboutAMachineAndFromWhereOnItKnows() throws Exception {
        assertThat(server.json(EVENTS).toString()).isEqualTo("{\"since\":0,\"events\":[]}");
        server.ring.publish(7, TestFleet.START, "attempt-admitted", "north/default/a-w-0", "its turn");
        server.ring.publish(8, TestFleet.START, "attempt-admitted", "north/default/a-w-1", "its turn");
        server.ring.publish(9, TestFleet.START, "attempt-succeeded", "north/default/a-w-0", "proved");
        JsonNode all = server.json(EVENTS);
        assertThat(all.path("since").asLong()).isEqualTo(7);
        assertThat(all.path("events").findValuesAsText("event"))
                .containsExactly("attempt-admitted", "attempt-succeeded");
        assertThat(server.json(EVENTS + "?limit=1").path("events").findValuesAsText("seq"))
                .containsExactly("9");
        assertThat(server.get("/api/v1/machines/north/default/none/events").statusCode())
                .isEqualTo(404);
    }
}
