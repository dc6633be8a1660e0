package dev.flotilla.nodeupgrader.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeupgrader.SampleUpgrades;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeReader.NodeUpgradeReadResult;
import dev.flotilla.nodeupgrader.contract.UpgradePlanReader.PlanReadResult;
import dev.flotilla.nodeupgrader.decision.NodeUpgradeDecider;
import dev.flotilla.nodeupgrader.decision.UpgradeDecision;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.JobState;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.PlanLookup;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.ResultPodState;
import dev.flotilla.nodeupgrader.job.UpgradeJobFactory;
import dev.flotilla.nodeupgrader.report.NodeReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects with garbage in each of their fields, as an older CRD or a restored backup may have them: none is an exception. */
class GarbageFieldsTest {
    private static final List<String> GARBAGE = List.of(
            "null",
            "\"\"",
            "\"../../etc/passwd\"",
            "\"$(reboot) `reboot` '; reboot\"",
            "\"\\u0000\\n\\u202e\"",
            "\"" + "x".repeat(4_000) + "\"",
            "-1",
            "0",
            "9223372036854775807",
            "1.5",
            "true",
            "[]",
            "[null, 1, \"a\", {}]",
            "{}",
            "{\"name\": {\"name\": []}}");

    /** Returns the object with garbage in one field after another, and without it. */
    private static List<String> variantsOf(Map<String, String> fields) {
        return fields.keySet().stream()
                .flatMap(field -> GARBAGE.stream().map(garbage -> {
                    Map<String, String> changed = new LinkedHashMap<>(fields);
                    changed.put(field, garbage);
                    return toJson(changed);
                }))
                .toList();
    }

    private static String toJson(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> "\"" + field.getKey() + "\":" + field.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static Map<String, String> fields(String... namesAndValues) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    private static KubeObject parse(String json) {
        return Objects.requireNonNull(KubeObject.parse(json), json);
    }

    private static final Map<String, String> SPEC = fields(
            "clusterName", "\"blue\"",
            "machine", "{\"name\":\"w-1\",\"uid\":\"11-22\"}",
            "node", "\"w-1\"",
            "role", "\"worker\"",
            "target", "\"version=v1.36.3\"",
            "attemptId", "7",
            "deadline", "\"2099-01-01T00:00:00Z\"",
            "phase", "\"Ongoing\"",
            "kubeconfigSecret", "\"blue-kubeconfig\"",
            "plan", "\"example\"");

    private static final Map<String, String> STEP = fields(
            "name", "\"one\"",
            "image", "\"example.org/tools:1\"",
            "command", "[\"true\"]",
            "env", "[{\"name\":\"A\",\"value\":\"b\"}]",
            "roles", "[\"worker\"]",
            "phase", "\"Upgrade\"",
            "timeoutSeconds", "900",
            "retryableExitCodes", "[5]",
            "permanentExitCodes", "[3]",
            "reboot", "false");

    private static final Map<String, String> STATUS = fields(
            "phase", "\"Running\"",
            "retryable", "true",
            "failureReason", "\"StepFailed\"",
            "failureMessage", "\"a\"",
            "steps", "[{\"name\":\"one\",\"state\":\"Running\",\"since\":\"2026-01-01T00:00:00Z\",\"exitCode\":1}]",
            "observedVersion", "\"v1.36.1\"",
            "observedSpec", "\"sha256:0\"",
            "lastHeartbeat", "\"2026-01-01T00:00:00Z\"",
            "observedGeneration", "1");

    private static void decideAll(NodeUpgrade nodeUpgrade, UpgradePlan plan) {
        for (JobState job : JobState.values()) {
            UpgradeDecision decision = NodeUpgradeDecider.decide(
                    nodeUpgrade,
                    new UpgradeObservation(
                            new PlanLookup.PlanFound(plan),
                            SampleUpgrades.workload(
                                    null, job, false, new ResultPodState.NoResultPod(), "v1.36.1", null, null, null)),
                    SampleUpgrades.DEADLINE.minusSeconds(60));
            assertThat(decision).isNotNull();
        }
    }

    @Test
    void nodeUpgradeIsRejectedWithTheFieldOrCanBeDecided() {
        for (String spec : variantsOf(SPEC)) {
            NodeUpgradeReadResult read = NodeUpgradeReader.read(
                    parse("{\"metadata\":{\"name\":\"w-1\",\"namespace\":\"fleet\"},\"spec\":" + spec + "}"));
            if (read instanceof NodeUpgradeReadResult.InvalidNodeUpgrade invalid) {
                assertThat(invalid.problem()).isNotBlank().hasSizeLessThan(1_000);
            } else if (read instanceof NodeUpgradeReadResult.ValidNodeUpgrade valid) {
                decideAll(valid.nodeUpgrade(), SampleUpgrades.plan());
            }
        }
    }

    @Test
    void garbageInTheStatusNeverEndsAnUpgrade() {
        for (String status : variantsOf(STATUS)) {
            NodeUpgradeReadResult read =
                    NodeUpgradeReader.read(parse("{\"metadata\":{\"name\":\"w-1\",\"namespace\":\"fleet\"},\"spec\":"
                            + toJson(SPEC) + ",\"status\":" + status + "}"));
            assertThat(read).isInstanceOfSatisfying(NodeUpgradeReadResult.ValidNodeUpgrade.class, valid -> {
                assertThat(valid.nodeUpgrade().status().phase().isFinal())
                        .as(status)
                        .isFalse();
                decideAll(valid.nodeUpgrade(), SampleUpgrades.plan());
            });
        }
    }

    @Test
    void planIsRejectedWithTheStepOrMakesAJob() {
        for (String step : variantsOf(STEP)) {
            for (String spec : List.of(
                    "{\"steps\":[" + step + "]}", "{\"namespace\":" + step + ",\"steps\":[" + toJson(STEP) + "]}")) {
                PlanReadResult read = UpgradePlanReader.read(parse("{\"spec\":" + spec + "}"));
                if (read instanceof PlanReadResult.InvalidPlan invalid) {
                    assertThat(invalid.problem()).isNotBlank().hasSizeLessThan(1_000);
                } else if (read instanceof PlanReadResult.ValidPlan valid) {
                    decideAll(SampleUpgrades.nodeUpgrade(NodeUpgradePhase.RUNNING, false), valid.plan());
                    assertThat(valid.plan().steps()).isNotEmpty();
                    KubeObject job = new KubeObject(
                            UpgradeJobFactory.buildJob(SampleUpgrades.nodeUpgrade(), valid.plan(), false));
                    assertThat(job.name()).isEqualTo("w-1-0a1b2c3d-7");
                }
            }
        }
    }

    /** As after an edit of the plan, when the Job was deleted: nothing can be created, and nothing is wrong with the process. */
    @Test
    void planWithoutAStepForARunningUpgradeIsWaitedFor() {
        PlanReadResult read = UpgradePlanReader.read(
                parse("{\"spec\":{\"steps\":[" + toJson(STEP).replace("[\"worker\"]", "[\"control-plane\"]") + "]}}"));
        assertThat(read)
                .isInstanceOfSatisfying(
                        PlanReadResult.ValidPlan.class,
                        valid -> assertThat(NodeUpgradeDecider.decide(
                                        SampleUpgrades.nodeUpgrade(NodeUpgradePhase.RUNNING, false),
                                        new UpgradeObservation(
                                                new PlanLookup.PlanFound(valid.plan()),
                                                SampleUpgrades.workload(
                                                        null,
                                                        JobState.NONE,
                                                        false,
                                                        new ResultPodState.NoResultPod(),
                                                        "v1.36.1",
                                                        null,
                                                        null,
                                                        null)),
                                        SampleUpgrades.DEADLINE.minusSeconds(60)))
                                .isEqualTo(new UpgradeDecision.WaitForChange()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "{\"now\":1}",
                "{\"now\":\"a\",\"steps\":{}}",
                "{\"now\":1,\"steps\":{\"a\":1}}"
            })
    void reportThatIsNoneIsNone(String text) {
        assertThat(NodeReport.parse(text)).isNull();
    }
}
