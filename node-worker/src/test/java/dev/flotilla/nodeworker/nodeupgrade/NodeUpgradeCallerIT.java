package dev.flotilla.nodeworker.nodeupgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.nodeworker.nodeupgrade.NodeUpgradeTemplateReader.TemplateResult.TemplateFound;
import dev.flotilla.nodeworker.stub.KubeApiStub;
import dev.flotilla.nodeworker.stub.SampleObjects;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeUpgradeCallerIT {
    private static final String PATH = "/apis/flotilla.dev/v1alpha1/namespaces/fleet/nodeupgrades";
    private static final String POST = "POST " + PATH;
    private static final Instant DEADLINE = Instant.parse("2026-03-01T13:00:00.123Z");
    private static final SiteId SITE = new SiteId("north");
    private static final UpgradeTarget TARGET = UpgradeTarget.parse("version=v1.36.3");
    private static final NodeUpgradeAttempt ATTEMPT = new NodeUpgradeAttempt(
            new MachineKey(SITE, "fleet", "m-1"),
            "u-1",
            new ClusterKey(SITE, "fleet", "blue"),
            "w-1",
            MachineRole.WORKER,
            TARGET,
            7,
            null);
    private static final String NAME = ATTEMPT.objectName();
    private static final TemplateFound TEMPLATE = new TemplateFound(
            new NodeUpgradeKind("flotilla.dev/v1alpha1", "NodeUpgrade", "nodeupgrades"),
            SampleObjects.kube("{'plan': 'kubeadm', 'target': 'version=v9.9.9', 'phase': 'Abort'}")
                    .json());
    private static final CallResult STARTED = new CallResult.ChangeStarted(NAME);

    private Vertx vertx;
    private KubeApiStub management;
    private KubeApiClient api;
    private NodeUpgradeCaller caller;

    @BeforeEach
    void start() throws Exception {
        vertx = Vertx.vertx();
        management = KubeApiStub.plain(vertx);
        api = client(management.url());
        caller = new NodeUpgradeCaller(api);
    }

    private static KubeApiClient client(String url) {
        return new KubeApiClient(
                new ConfigBuilder(Config.empty())
                        .withMasterUrl(url)
                        .withRequestTimeout(10_000)
                        .build(),
                2);
    }

    @AfterEach
    void stop() {
        api.close();
        management.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private CallResult create() {
        return caller.create(ATTEMPT, TEMPLATE, DEADLINE, () -> true);
    }

    private JsonObject created() {
        return management.objects.get(PATH + "/" + NAME);
    }

    @Test
    void aNameHasMachineHashAndAttempt() {
        assertThat(NAME).matches("m-1-[0-9a-f]{8}-7");
        NodeUpgradeAttempt longName = new NodeUpgradeAttempt(
                new MachineKey(SITE, "fleet", "a".repeat(39) + ".b" + "c".repeat(30)),
                "u-1",
                ATTEMPT.cluster(),
                "w-1",
                MachineRole.WORKER,
                TARGET,
                123_456_789_012L,
                null);
        assertThat(longName.objectName())
                .matches("a{39}-[0-9a-f]{8}-123456789012")
                .hasSizeLessThan(63);
    }

    @Test
    void createsTheObjectOnce() {
        assertThat(create()).isEqualTo(STARTED);
        JsonObject object = created();
        assertThat(object.getJsonObject("spec")).isEqualTo(SampleObjects.json("""
                        {'plan': 'kubeadm', 'target': 'version=v1.36.3', 'phase': 'Ongoing', 'clusterName': 'blue',
                         'machine': {'name': 'm-1', 'uid': 'u-1'}, 'node': 'w-1', 'role': 'worker', 'attemptId': 7,
                         'deadline': '2026-03-01T13:00:00Z', 'kubeconfigSecret': 'blue-kubeconfig'}"""));
        assertThat(object.getJsonObject("metadata").getJsonObject("labels"))
                .isEqualTo(
                        SampleObjects.json(
                                "{'cluster.x-k8s.io/cluster-name': 'blue', 'flotilla.dev/attempt': '7', 'flotilla.dev/machine': 'm-1'}"));
        assertThat(object.getJsonObject("metadata").containsKey("ownerReferences"))
                .isFalse();
        assertThat(create()).as("again").isEqualTo(STARTED);
        assertThat(caller.create(ATTEMPT, TEMPLATE, DEADLINE.plusSeconds(60), () -> true))
                .as("by a later worker")
                .isEqualTo(STARTED);
        assertThat(management.objects.keySet()).containsExactly(PATH + "/" + NAME);
    }

    @ParameterizedTest
    @CsvSource({
        "target, version=v1.36.2, 'its spec.target is version=v1.36.2, not version=v1.36.3'",
        "node, w-2, 'its spec.node is w-2, not w-1'",
        "role, control-plane, 'its spec.role is control-plane, not worker'",
        "clusterName, red, 'its spec.clusterName is red, not blue'",
        "attemptId, 7, 'its spec.attemptId is missing, not 7'",
        "machine, m-1, 'its spec.machine.name is missing, not m-1'"
    })
    void somebodyElsesObjectIsNotTaken(String field, String value, String difference) {
        create();
        created().getJsonObject("spec").put(field, value);
        assertThat(create())
                .isEqualTo(new CallResult.CallRejected(
                        FailureClass.TERMINAL,
                        FailureReason.REFRESH_REJECTED,
                        "this attempt did not create the existing NodeUpgrade " + NAME + ": " + difference
                                + "; find out who did, and delete it"));
    }

    @ParameterizedTest
    @CsvSource({
        "400, TERMINAL, REFRESH_REJECTED",
        "422, TERMINAL, REFRESH_REJECTED",
        "404, RETRYABLE, REFRESH_REJECTED",
        "403, RETRYABLE, CREDENTIALS"
    })
    void aRejectionIsReportedWithTheApiServersReason(int status, FailureClass failureClass, FailureReason reason) {
        management.refuse(POST, status);
        assertThat(create()).isInstanceOfSatisfying(CallResult.CallRejected.class, rejected -> {
            assertThat(rejected.failureClass()).isEqualTo(failureClass);
            assertThat(rejected.reason()).isEqualTo(reason);
            assertThat(rejected.text()).contains(NAME, status + " rejected by the test");
            assertThat(rejected.text().contains("flotilla.dev/aggregate-to-node-worker"))
                    .isEqualTo(status == 403);
        });
        assertThat(management.objects).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 429})
    void aRequestThatWasNotProcessedMayBeRepeated(int status) {
        management.refuse(POST, status);
        assertThat(create()).isInstanceOf(CallResult.NotSent.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {409, 500, 503, 504})
    void afterAnUncertainAnswerTheObjectTells(int status) {
        management.put(PATH + "/" + NAME, expected());
        management.refuse(POST, status);
        assertThat(create()).isEqualTo(STARTED);
    }

    private static JsonObject expected() {
        return SampleObjects.json("""
                {'kind': 'NodeUpgrade', 'spec': {'target': 'version=v1.36.3', 'clusterName': 'blue', 'attemptId': 7,
                 'machine': {'name': 'm-1', 'uid': 'u-1'}, 'node': 'w-1', 'role': 'worker'}}""");
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503, 504})
    void withoutAnObjectTheOutcomeIsUnknown(int status) {
        management.refuse(POST, status);
        assertThat(create())
                .isInstanceOfSatisfying(
                        CallResult.NoAnswer.class,
                        none -> assertThat(none.text())
                                .contains("does not exist, and may be created yet", "" + status));
    }

    @Test
    void aConflictThatIsNotAboutTheNameMayBeRepeated() {
        management.refuse(POST, 409);
        assertThat(create()).isInstanceOf(CallResult.NotSent.class);
    }

    @Test
    void anObjectThatWasDeletedAtOnceIsNotCreatedAgain() {
        create();
        management.before("GET " + PATH + "/" + NAME, () -> management.objects.remove(PATH + "/" + NAME));
        assertThat(create()).isEqualTo(STARTED);
        assertThat(management.objects).isEmpty();
    }

    @Test
    void aCreationWithoutAnAnswerIsReadBack() {
        management.cut(POST);
        assertThat(create()).isEqualTo(STARTED);
        assertThat(management.asked()).containsExactly(POST, "GET " + PATH + "/" + NAME);
    }

    @Test
    void whatCannotBeReadBackIsUnknown() {
        management.cut(POST);
        management.refuse("GET " + PATH + "/" + NAME, 500);
        assertThat(create())
                .isInstanceOfSatisfying(
                        CallResult.NoAnswer.class,
                        none -> assertThat(none.text()).contains("may exist, and cannot be read: 500"));
    }

    @Test
    void nothingIsSentAfterItsTime() {
        assertThat(caller.create(ATTEMPT, TEMPLATE, DEADLINE, () -> false))
                .isEqualTo(new CallResult.NotSent("NodeUpgrade " + NAME + " was not created: its time had passed"));
        assertThat(management.asked()).isEmpty();
    }

    @Test
    void nothingIsSentToAnApiServerThatDoesNotListen() {
        String url = management.url();
        management.close();
        try (KubeApiClient away = client(url)) {
            assertThat(new NodeUpgradeCaller(away).create(ATTEMPT, TEMPLATE, DEADLINE, () -> true))
                    .isInstanceOf(CallResult.NotSent.class);
        }
    }

    @Test
    void aTryCreatesNothing() {
        assertThat(caller.tryCreate(ATTEMPT, TEMPLATE, DEADLINE)).isEqualTo(new ConnectResult.Connected());
        assertThat(management.objects).isEmpty();
        create();
        assertThat(caller.tryCreate(ATTEMPT, TEMPLATE, DEADLINE))
                .as("a call of this attempt exists")
                .isEqualTo(new ConnectResult.Connected());
    }

    @ParameterizedTest
    @CsvSource({"400, TERMINAL, REFRESH_REJECTED", "422, TERMINAL, REFRESH_REJECTED", "403, RETRYABLE, CREDENTIALS"})
    void aTryShowsWhatTheApiServerRejects(int status, FailureClass failureClass, FailureReason reason) {
        management.refuse(POST, status);
        assertThat(caller.tryCreate(ATTEMPT, TEMPLATE, DEADLINE))
                .isInstanceOfSatisfying(ConnectResult.ConnectionRefused.class, refused -> {
                    assertThat(refused.failureClass()).isEqualTo(failureClass);
                    assertThat(refused.reason()).isEqualTo(reason);
                    assertThat(refused.text()).contains(status + " rejected by the test");
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 404, 429, 500})
    void aTryThatTellsNothingIsMadeAgain(int status) {
        management.refuse(POST, status);
        assertThat(caller.tryCreate(ATTEMPT, TEMPLATE, DEADLINE)).isInstanceOf(ConnectResult.NotReachable.class);
    }
}
