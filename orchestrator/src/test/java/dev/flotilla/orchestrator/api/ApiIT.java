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
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the API over HTTP. */
class ApiIT {
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

    private List<String> listMachines(String query) throws Exception {
        List<String> machines = new ArrayList<>();
        String after = "";
        while (after != null) {
            JsonNode page = server.readJson("/api/v1/machines?" + query + after);
            page.path("machines")
                    .forEach(item -> machines.add(item.path("machine").asText()));
            after = page.has("nextCursor") ? "&after=" + page.path("nextCursor").asText() : null;
        }
        return machines;
    }

    @Test
    void showsTheFleetInTotals() throws Exception {
        JsonNode fleet = server.readJson("/api/v1/fleet");
        assertThat(fleet.path("replicaRole").asText()).isEqualTo("leader");
        assertThat(fleet.path("machines").asInt()).isEqualTo(20);
        assertThat(fleet.path("cap").path("machines").asInt()).isEqualTo(2);
        assertThat(fleet.path("cap").path("limit").asText()).isEqualTo("10%");
        assertThat(server.readJson("/api/v1/sites")
                        .path("sites")
                        .get(1)
                        .path("site")
                        .asText())
                .isEqualTo("south");
    }

    @Test
    void pagesThroughMachinesWithAnyPageSize() throws Exception {
        List<String> all = listMachines("limit=1000");
        assertThat(all).hasSize(20).doesNotHaveDuplicates().startsWith("north/default/a-cp-0");
        for (int limit : new int[] {1, 3, 19, 20}) {
            assertThat(listMachines("limit=" + limit)).as("pages of %d", limit).isEqualTo(all);
        }
        assertThat(listMachines("site=south&limit=4")).isEqualTo(all.subList(10, 20));
        assertThat(listMachines("cluster=north/default/a&limit=4")).isEqualTo(all.subList(0, 10));
        assertThat(listMachines("role=control-plane&limit=1")).hasSize(4);
    }

    @Test
    void findsMachinesByStateAndGate() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 5);
        assertThat(listMachines("state=admitted")).containsExactly("north/default/a-cp-0", "south/default/b-cp-0");
        assertThat(listMachines("campaign=k8s-1-33&limit=7")).hasSize(20);
        assertThat(listMachines("state=waiting&gate=cap-fleet")).hasSize(18);
        assertThat(listMachines("state=waiting&gate=machine-not-eligible")).isEmpty();
        JsonNode admitted = server.readJson("/api/v1/machines?state=admitted")
                .path("machines")
                .get(0);
        assertThat(admitted.path("rollout").asText()).isEqualTo("campaign k8s-1-33");
        assertThat(admitted.path("attemptId").asLong()).isPositive();
        assertThat(listMachines("state=in-flight")).isEqualTo(listMachines("state=admitted"));
        assertThat(listMachines("name=h/default/b-cp")).containsExactly("south/default/b-cp-0");
    }

    @Test
    void showsTheReasonOfAMachinesLastFailureInAList() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 5);
        server.fleet.report(
                1, new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_ERROR, "no space"));
        JsonNode failed = server.readJson("/api/v1/machines?state=quarantined")
                .path("machines")
                .get(0);
        assertThat(failed.path("lastFailure").asText()).isEqualTo("refresh-error");
        assertThat(failed.path("version").asText()).isEqualTo("1.32.1");
    }

    @Test
    void limitsTheMachinesThatOneQueryReads() throws Exception {
        server.fleet.addSite("large");
        ClusterKey cluster = new ClusterKey(new SiteId("large"), "default", "c");
        for (int i = 0; i < 2 * MachineFilter.MACHINES_PER_QUERY; i++) {
            server.fleet.addMachine(cluster, "m-" + i, MachineRole.WORKER, null);
        }
        server.fleet.queryCount.set(0);
        assertThat(listMachines("state=quarantined")).isEmpty();
        assertThat(server.fleet.queryCount.get()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void showsACampaignWithItsWavesAndBlockingGates() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 5);
        JsonNode campaign = server.readJson("/api/v1/campaigns/k8s-1-33");
        assertThat(campaign.path("summary").path("budget").toString())
                .isEqualTo("{\"machines\":5,\"used\":4,\"remaining\":1}");
        assertThat(campaign.path("specification").path("metadata").path("name").asText())
                .isEqualTo("k8s-1-33");
        assertThat(campaign.path("waves").get(0).path("machines").asInt()).isEqualTo(20);
        assertThat(campaign.path("gates").path("complete").asBoolean()).isTrue();
        assertThat(campaign.path("gates").path("counts").toString())
                .isEqualTo("[{\"gate\":\"cap-fleet\",\"machines\":18}]");
        server.fleet.addCampaign("another", 1);
        JsonNode first = server.readJson("/api/v1/campaigns?limit=1");
        assertThat(first.path("nextCursor").asText()).isEqualTo("another");
        assertThat(server.readJson("/api/v1/campaigns?after=another")
                        .path("campaigns")
                        .size())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"north/default/a-w-0", "north%2Fdefault%2Fa-w-0"})
    void explainsAMachineByEitherFormOfItsKey(String name) throws Exception {
        server.fleet.addCampaign("k8s-1-33", 5);
        JsonNode explanation = server.readJson("/api/v1/machines/" + name + "/explain");
        assertThat(explanation.path("machine").asText()).isEqualTo("north/default/a-w-0");
        assertThat(explanation.path("state").asText()).isEqualTo("waiting");
        assertThat(explanation.path("gate").asText()).isEqualTo("cap-fleet");
        assertThat(explanation.path("closed").get(0).path("need").asText()).isEqualTo("2");
        assertThat(explanation.path("next").asText()).isNotEmpty();
        assertThat(server.readJson("/api/v1/machines/" + name)
                        .path("summary")
                        .path("state")
                        .asText())
                .isEqualTo("waiting");
    }

    @Test
    void gateIsNullForAMachineThatIsNotBlocked() throws Exception {
        JsonNode idle = server.readJson("/api/v1/machines/north/default/a-w-0/explain");
        assertThat(idle.has("gate")).isTrue();
        assertThat(idle.path("gate").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "/api/v1/campaigns/k8s 404 no-such-campaign",
                "/api/v1/campaigns/K8S 400 bad-parameter",
                "/api/v1/machines/north/default/none 404 no-such-machine",
                "/api/v1/machines/nort/default/none/explain 404 no-such-site",
                "/api/v1/machines/North/default/none 400 bad-parameter",
                "/api/v1/machines/%3Cscript%3E 400 bad-parameter",
                "/api/v1/machines/..%2F..%2Fetc 400 bad-parameter",
                "/api/v1/machines?site=nort 404 no-such-site",
                "/api/v1/machines?cluster=north/default/none 404 no-such-cluster",
                "/api/v1/machines?campaign=none 404 no-such-campaign",
                "/api/v1/machines?sites=north 400 unknown-parameter",
                "/api/v1/machines?site=north&site=south 400 repeated-parameter",
                "/api/v1/machines?state=flying 400 bad-parameter",
                "/api/v1/machines?gate=door 400 bad-parameter",
                "/api/v1/machines?limit=0 400 bad-parameter",
                "/api/v1/machines?limit=1001 400 bad-parameter",
                "/api/v1/machines?after=x 400 bad-parameter",
                "/api/v1/fleet?x=%22%0A 400 unknown-parameter",
                "/api/v1/events?after=x 400 bad-parameter",
                "/api/v1/nothing 404 not-found"
            })
    void reportsWhatIsWrongWithARequest(String path, int status, String code) throws Exception {
        HttpResponse<String> response = server.send(path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(server.readJson(path).path("error").path("code").asText()).isEqualTo(code);
        assertThat(response.body()).doesNotContain("<script>\n");
    }

    @Test
    void suggestsTheNearestName() throws Exception {
        assertThat(server.readJson("/api/v1/machines?site=nort")
                        .path("error")
                        .path("hint")
                        .asText())
                .isEqualTo("did you mean north?");
        assertThat(server.readJson("/api/v1/machines?sites=north")
                        .path("error")
                        .path("hint")
                        .asText())
                .isEqualTo("did you mean site?");
    }

    @Test
    void hostileTextStaysData() throws Exception {
        String hostile = "</script>\"\n\u0000\u2028{}";
        server.fleet.addMachine(
                new ClusterKey(new SiteId("north"), "default", "a"), "a-w-0", MachineRole.WORKER, hostile);
        assertThat(server.readJson("/api/v1/machines/north/default/a-w-0")
                        .path("release")
                        .asText())
                .isEqualTo(hostile);
    }

    @Test
    void rejectsQueriesWith503WhenTheQueueIsFull() throws Exception {
        CountDownLatch free = server.fleet.blockAndFillQueue();
        for (String path : List.of("/api/v1/fleet", "/api/v1/machines", "/api/v1/campaigns/x")) {
            HttpResponse<String> busy = server.send(path);
            assertThat(busy.statusCode()).as(path).isEqualTo(503);
            assertThat(busy.headers().firstValue("retry-after")).hasValue("1");
            assertThat(busy.body()).contains("\"code\":\"busy\"");
        }
        free.countDown();
        assertThat(server.send("/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void answersWith503WhenAQueryTimesOut() throws Exception {
        CountDownLatch free = server.fleet.blockOwnerThread();
        HttpResponse<String> late = server.send("/api/v1/fleet");
        assertThat(late.statusCode()).isEqualTo(503);
        assertThat(late.body()).contains("\"code\":\"late\"");
        free.countDown();
    }

    @Test
    void answersWith503WhileTablesAreRestored() throws Exception {
        server.fleet.replicaRole = ReplicaRole.RESTORING;
        assertThat(server.send("/api/v1/machines").statusCode()).isEqualTo(503);
        assertThat(server.readJson("/api/v1/sites").path("error").path("code").asText())
                .isEqualTo("restoring");
        assertThat(server.readJson("/api/v1/fleet").path("replicaRole").asText())
                .isEqualTo("restoring");
    }

    @Test
    void refusesMethodsThatChangeState() throws Exception {
        HttpRequest delete = HttpRequest.newBuilder(URI.create(server.httpServer.uri() + "/api/v1/campaigns/k8s-1-33"))
                .DELETE()
                .build();
        HttpResponse<String> response = server.client.send(delete, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.body()).contains("read-only").contains("use the flotilla command");
    }

    @Test
    void countsRequestsByOperationNotByMachine() throws Exception {
        server.send("/api/v1/machines/north/default/a-w-0");
        server.send("/api/v1/machines/north/default/none");
        assertThat(server.send("/metrics").body())
                .contains("operation=\"machine\",status=\"200\"", "operation=\"machine\",status=\"404\"")
                .doesNotContain("a-w-0");
    }
}
