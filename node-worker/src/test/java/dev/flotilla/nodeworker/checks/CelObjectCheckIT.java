package dev.flotilla.nodeworker.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.nodeworker.stub.SampleObjects;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.schemas.row.CheckPlaceholders;
import dev.flotilla.schemas.row.HealthCheck.CelProbe;
import dev.flotilla.schemas.row.Labels;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CelObjectCheckIT {
    private static final String PODS = "/api/v1/namespaces/data/pods/";
    private static final String SECRET = "hunter2";

    private TwoClusterFixture world;
    private KubeApiClient api;

    @BeforeEach
    void start() throws Exception {
        world = new TwoClusterFixture();
        api = new KubeApiClient(world.config(), 4);
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
        world.close();
    }

    private void pod(String name, String phase) {
        world.management.put(
                PODS + name,
                SampleObjects.json("{'metadata': {'name': '" + name
                        + "', 'namespace': 'data', 'labels': {'app': 'db'}}, 'spec': {'password': '" + SECRET
                        + "'}, 'status': {'phase': '" + phase + "'}}"));
    }

    private @Nullable String problem(@Nullable String name, String expression, @Nullable String message) {
        TreeMap<String, String> labels = new TreeMap<>();
        if (name == null) {
            labels.put("app", "${machine}");
        }
        return problem(new CelProbe(true, "v1", "pods", "data", name, new Labels(labels), expression, message));
    }

    private @Nullable String problem(CelProbe probe) {
        return new CelObjectCheck(
                        probe,
                        text -> CheckPlaceholders.fill(text, placeholder -> placeholder.equals("machine") ? "db" : "x"))
                .findProblem(api);
    }

    @Test
    void oneObject() {
        pod("db", "Running");
        assertThat(problem("${machine}", "object.status.phase == 'Running' && machine == 'db'", null))
                .isNull();
        assertThat(problem("db", "object.status.phase == 'Pending'", null))
                .isEqualTo("the expression is not true (pods data/db)");
        assertThat(problem("db", "object.status.phase == 'Pending'", "the database is down"))
                .isEqualTo("the database is down (pods data/db)");
    }

    @Test
    void eachObjectOfAList() {
        pod("db-1", "Running");
        pod("db-2", "Failed");
        pod("db-3", "Running");
        assertThat(problem(null, "object.status.phase != 'Unknown'", null)).isNull();
        assertThat(problem(null, "object.status.phase == 'Running'", "a database is down"))
                .isEqualTo("a database is down (1 of 3, such as pods data/db-2)");
    }

    @Test
    void aListAsAWhole() {
        assertThat(problem(null, "object.status.phase == 'Running'", null))
                .isEqualTo("there are no pods with these labels");
        assertThat(problem(null, "objects.size() == 0", null)).isNull();
        assertThat(problem(null, "objects.size() > 1", "too few databases")).isEqualTo("too few databases");
    }

    @Test
    void theContentOfAnObjectIsNeverShown() {
        pod("db", "Running");
        for (String expression : new String[] {
            "object.spec.password == ''",
            "object[object.spec.password] == 1",
            "int(object.spec.password) == 1",
            "timestamp(object.spec.password) == timestamp('2026-03-01T12:00:00Z')",
            "object.spec.password"
        }) {
            assertThat(problem("db", expression, null))
                    .as(expression)
                    .contains("pods data/db")
                    .doesNotContain(SECRET);
        }
    }

    @Test
    void aMissingRuleIsNamed() {
        world.management.refuse("GET " + PODS + "db", 403);
        assertThat(problem("db", "true", null))
                .startsWith("pods db cannot be read: 403")
                .endsWith(
                        "allow it in the management cluster: {apiGroups: [\"\"], resources: [pods], verbs: [get]} in a"
                                + " ClusterRole with label flotilla.dev/aggregate-to-node-worker-checks: \"true\"");
        world.management.refuse("GET /api/v1/namespaces/data/pods", 403);
        assertThat(problem(null, "true", null))
                .startsWith("pods cannot be listed: 403")
                .contains("verbs: [list]");
    }

    @Test
    void secretsAreNeverRead() {
        assertThat(problem(new CelProbe(true, "v1", "secrets", "data", null, Labels.NONE, "true", null)))
                .isEqualTo("a check never reads Secrets");
        assertThat(world.management.asked()).isEmpty();
    }

    @Test
    void objectsAreBoundedInNumberAndSize() {
        for (int i = 0; i < 201; i++) {
            pod("db-" + i, "Running");
        }
        assertThat(problem(null, "true", null))
                .isEqualTo("there are more than 200 pods: select fewer by namespace or matchLabels");
        for (int i = 0; i < 201; i++) {
            world.management.objects.remove(PODS + "db-" + i);
        }
        for (int i = 0; i < 20; i++) {
            pod("db-" + i, "x".repeat(60_000));
        }
        assertThat(problem(null, "true", null))
                .startsWith("pods data/db-")
                .endsWith(": the objects have more than 1048576 characters together: select fewer by name, namespace or"
                        + " matchLabels");
        pod("file", "x".repeat(70_000));
        assertThat(problem("file", "true", null)).isNull();
        pod("large", "x".repeat(1_048_577));
        assertThat(problem("large", "true", null))
                .isEqualTo("pods data/large: the objects have more than 1048576 characters together: select fewer by"
                        + " name, namespace or matchLabels");
    }

    @Test
    void anExpressionThatDoesNotCompileDoesNotHold() {
        assertThat(problem("db", "object.x ==", null))
                .startsWith("the expression is no valid CEL expression at line 1, column 12");
        assertThat(world.management.asked()).isEmpty();
    }
}
