package dev.flotilla.nodeupgrader.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a real API server accepts and rejects by the CRDs of {@code deploy/crds}. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class CustomResourcesIT {
    private static final String HASH = "0123456789abcdef".repeat(4);
    private static final AtomicInteger NAMES = new AtomicInteger();

    private static KubeCluster cluster;

    @BeforeAll
    static void start() {
        cluster = KubeCluster.start(KubeOptions.apiServer());
        UpgradeObjects.install(cluster);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static String freshName() {
        return "object-" + NAMES.incrementAndGet();
    }

    private static String apply(String plural, String manifest, String name) {
        return cluster.apply(UpgradeObjects.FLEET + plural + "/" + name, manifest);
    }

    private static String nodeUpgrade(String spec) {
        String name = freshName();
        return apply("nodeupgrades", UpgradeObjects.nodeUpgrade(name, spec), name);
    }

    private static String task(String spec) {
        String name = freshName();
        return apply("upgradetasks", UpgradeObjects.task(name, spec), name);
    }

    private static String plan(String steps) {
        String name = freshName();
        return apply("upgradeplans", UpgradeObjects.plan(name, steps), name);
    }

    @Test
    void nodeUpgradeIsOngoingAtFirst() {
        assertThat(nodeUpgrade(UpgradeObjects.spec(""))).contains("\"phase\":\"Ongoing\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "version=v1.36.3",
                "version=v1.36.3-rc.1+build.7",
                "spec=sha256:" + "0123456789abcdef0123456789abcdef" + "0123456789abcdef0123456789abcdef"
            })
    void nodeUpgradeAcceptsTheTargetsThatItsUpgradersApply(String target) {
        assertThat(nodeUpgrade(UpgradeObjects.spec("").replace("version=v1.36.3", target)))
                .contains(target);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "version=1.36.3",
                "version=v1.36",
                "version=v01.36.3",
                "version=v1.36.3 ",
                "channel=1.33/stable",
                "revision=7",
                "spec=sha256:ABC",
                "spec=" + "0123",
                "version=v1.36.3;reboot"
            })
    void nodeUpgradeRejectsOtherTargets(String target) {
        assertThatThrownBy(() -> nodeUpgrade(UpgradeObjects.spec("").replace("version=v1.36.3", "\"" + target + "\"")))
                .hasMessageContaining("spec.target");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "clusterName: blue | clusterName: red | spec.kubeconfigSecret",
                "kubeconfigSecret: blue-kubeconfig | kubeconfigSecret: admin-token | so that no other Secret is used as one",
                "role: worker | role: master | spec.role",
                "attemptId: 7 | attemptId: 0 | spec.attemptId",
                "node: w-1 | node: ../w-1 | spec.node",
                "'deadline: \"2099-01-01T00:00:00Z\", ' | '' | spec.deadline",
                "plan: example | 'plan: example, stage: Later' | spec.stage",
                "plan: example | 'plan: example, phase: Complete' | spec.phase"
            })
    void nodeUpgradeRejects(String from, String to, String field) {
        String spec = UpgradeObjects.spec("").replaceAll("\\s+", " ").replace(from, to);
        assertThat(spec).isNotEqualTo(UpgradeObjects.spec("").replaceAll("\\s+", " "));
        assertThatThrownBy(() -> nodeUpgrade(spec)).hasMessageContaining(field);
    }

    @ParameterizedTest
    @CsvSource({
        "node: w-1, node: w-2",
        "attemptId: 7, attemptId: 8",
        "target: version=v1.36.3, target: version=v1.36.4",
        "deadline: \"2099, deadline: \"2098",
        "uid: 11-22, uid: 11-23",
        "plan: example, plan: other",
        "plan: example, 'plan: example, stage: Prepare'",
        "role: worker, role: control-plane"
    })
    void nodeUpgradeOfAnAttemptCannotChange(String from, String to) {
        String name = freshName();
        String spec = UpgradeObjects.spec("");
        apply("nodeupgrades", UpgradeObjects.nodeUpgrade(name, spec), name);
        assertThat(spec).contains(from);
        assertThatThrownBy(() -> apply("nodeupgrades", UpgradeObjects.nodeUpgrade(name, spec.replace(from, to)), name))
                .hasMessageContaining("only phase may change");
    }

    @Test
    void abortOfANodeUpgradeIsFinal() {
        String name = freshName();
        apply("nodeupgrades", UpgradeObjects.nodeUpgrade(name, UpgradeObjects.spec("")), name);
        String abort = UpgradeObjects.nodeUpgrade(name, UpgradeObjects.spec("phase: Abort"));
        assertThat(apply("nodeupgrades", abort, name)).contains("\"phase\":\"Abort\"");
        assertThatThrownBy(() -> apply(
                        "nodeupgrades", UpgradeObjects.nodeUpgrade(name, UpgradeObjects.spec("phase: Ongoing")), name))
                .hasMessageContaining("an abort cannot be withdrawn");
    }

    @Test
    void nameOfANodeUpgradeFitsAJob() {
        String name = "n".repeat(64);
        assertThatThrownBy(() -> apply("nodeupgrades", UpgradeObjects.nodeUpgrade(name, UpgradeObjects.spec("")), name))
                .hasMessageContaining("at most 63 characters");
    }

    @Test
    void planHasDefaults() {
        assertThat(plan("[{name: one, image: a, command: [x]}]"))
                .contains("\"namespace\":\"flotilla-node-upgrades\"")
                .contains("\"phase\":\"Upgrade\"")
                .contains("\"roles\":[\"control-plane\",\"worker\"]")
                .contains("\"timeoutSeconds\":900")
                .contains("\"reboot\":false");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[] | spec.steps",
                "[{name: one, image: a, command: []}] | command",
                "[{name: One, image: a, command: [x]}] | name",
                "[{name: one, image: a, command: [x]}, {name: one, image: a, command: [x]}] | duplicate entries",
                "[{name: one, image: a, command: [x], retryableExitCodes: [3], permanentExitCodes: [3]}] | either",
                "[{name: one, image: a, command: [x], phase: Prepare, reboot: true}] | cannot reboot",
                "[{name: one, image: a, command: [x], env: [{name: FLOTILLA_NODE, value: n}]}] | FLOTILLA_",
                "[{name: one, image: a, command: [x], timeoutSeconds: 0}] | timeoutSeconds",
                "[{name: one, image: a, command: [x], permanentExitCodes: [0]}] | permanentExitCodes"
            })
    void planRejects(String steps, String message) {
        assertThatThrownBy(() -> plan(steps)).hasMessageContaining(message);
    }

    @Test
    void namespaceOfAPlanCannotChange() {
        String name = freshName();
        String steps = "[{name: one, image: a, command: [x]}]";
        apply("upgradeplans", UpgradeObjects.plan(name, steps), name);
        assertThatThrownBy(() -> apply(
                        "upgradeplans",
                        UpgradeObjects.plan(name, steps).replace("spec: {", "spec: {namespace: other, "),
                        name))
                .hasMessageContaining("create another plan");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{clusterName: blue, machineDeploymentRef: {name: pool}, target: {version: v1.36.3}}",
                "{clusterName: blue, machines: [w-1, w-2], target: {version: v1.36.3}, ttlSecondsAfterFinished: 60}",
                "{clusterName: blue, controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane,"
                        + " name: blue}, machines: [m], target: {version: v1.36.3}}"
            })
    void taskAccepts(String spec) {
        assertThat(task(spec)).contains("\"phase\":\"Ongoing\"");
    }

    @Test
    void taskAcceptsAMachineSpecByReference() {
        assertThat(task("{clusterName: blue, machines: [m], target: {machineSpec: {hash: \"sha256:" + HASH + "\","
                        + " bootstrapRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfig, name: m}}}}"))
                .contains(HASH);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{clusterName: blue, machines: [m]} | spec.target",
                "{clusterName: blue, target: {version: v1.36.3}} | machineDeploymentRef or machines",
                "{clusterName: blue, machines: [m], target: {}} | give version",
                "{clusterName: blue, machines: [m], target: {version: '1.36.3'}} | write a Kubernetes version such as v1.36.3",
                "{clusterName: blue, machines: [], target: {version: v1.36.3}} | machines",
                "{clusterName: blue, machines: [m, m], target: {version: v1.36.3}} | duplicate",
                "{clusterName: blue, machines: [m], target: {machineSpec: {hash: abc}}} | hash",
                "{clusterName: blue, machines: [m], target: {version: v1.36.3}, phase: Complete} | phase",
                "{clusterName: blue, controlPlaneRef: {apiGroup: a, kind: K, name: cp}, machineDeploymentRef: {name: p},"
                        + " target: {version: v1.36.3}} | not both"
            })
    void taskRejects(String spec, String message) {
        assertThatThrownBy(() -> task(spec)).hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{clusterName: red, machines: [a], target: {version: v1.36.3}}",
                "{clusterName: blue, machines: [a, b], target: {version: v1.36.3}}",
                "{clusterName: blue, machines: [a], target: {version: v1.36.4}}",
                "{clusterName: blue, machines: [a], machineDeploymentRef: {name: p}, target: {version: v1.36.3}}",
                "{clusterName: blue, machineDeploymentRef: {name: p}, target: {version: v1.36.3}}",
                "{clusterName: blue, machines: [a], controlPlaneRef: {apiGroup: a, kind: K, name: cp}, target: {version:"
                        + " v1.36.3}}",
                "{clusterName: blue, machines: [a], upgraderRef: {apiGroup: a, kind: K, name: cp}, target: {version:"
                        + " v1.36.3}}"
            })
    void taskCannotChange(String spec) {
        String name = freshName();
        String before = "{clusterName: blue, machines: [a], target: {version: v1.36.3}}";
        apply("upgradetasks", UpgradeObjects.task(name, before), name);
        assertThatThrownBy(() -> apply("upgradetasks", UpgradeObjects.task(name, spec), name))
                .hasMessageContaining("cannot change");
    }

    @Test
    void taskCanBeAbortedOnceAndItsTimeToLiveCanChange() {
        String name = freshName();
        String spec = "{clusterName: blue, machines: [a], target: {version: v1.36.3}, %s}";
        apply("upgradetasks", UpgradeObjects.task(name, spec.formatted("ttlSecondsAfterFinished: 1")), name);
        assertThat(apply(
                        "upgradetasks",
                        UpgradeObjects.task(name, spec.formatted("ttlSecondsAfterFinished: 2, phase: Abort")),
                        name))
                .contains("\"phase\":\"Abort\"")
                .contains("\"ttlSecondsAfterFinished\":2");
        assertThatThrownBy(
                        () -> apply("upgradetasks", UpgradeObjects.task(name, spec.formatted("phase: Ongoing")), name))
                .hasMessageContaining("an abort cannot be withdrawn");
    }

    @Test
    void statusIsASubresource() {
        String name = freshName();
        assertThat(apply(
                        "nodeupgrades",
                        UpgradeObjects.nodeUpgrade(name, UpgradeObjects.spec(""))
                                .replace(", spec:", ", status: {phase: Succeeded}, spec:"),
                        name))
                .doesNotContain("Succeeded");
        cluster.merge(
                UpgradeObjects.FLEET + "nodeupgrades/" + name + "/status",
                "{\"status\": {\"phase\": \"Failed\", \"retryable\": false, \"failureReason\": \"StepFailed\"}}");
        assertThatThrownBy(() -> cluster.merge(
                        UpgradeObjects.FLEET + "nodeupgrades/" + name + "/status",
                        "{\"status\": {\"failureReason\": \"two words\"}}"))
                .hasMessageContaining("failureReason");
    }
}
