package dev.flotilla.nodeworker.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeworker.stub.SampleObjects;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrainPlanTest {
    private static final KubeObject MACHINE = SampleObjects.kube("{'metadata': {'labels': {'os': 'linux'}}}");
    private static final KubeObject CLUSTER = SampleObjects.kube("{'metadata': {'labels': {'stage': 'production'}}}");

    private static KubeObject namespace(String name) {
        return SampleObjects.kube("{'kubernetes.io/metadata.name': '" + name + "'}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'metadata': {}, 'status': {'phase': 'Running'}} | EvictPod[order=0]",
                "{'metadata': {}, 'status': {'phase': 'Succeeded'}} | KeepPod[]",
                "{'metadata': {}, 'status': {'phase': 'Failed'}} | KeepPod[]",
                "{'metadata': {'annotations': {'kubernetes.io/config.mirror': 'x'}}} | KeepPod[]",
                "{'metadata': {'ownerReferences': [{'kind': 'DaemonSet', 'controller': true}]}} | KeepPod[]",
                "{'metadata': {'ownerReferences': [{'kind': 'DaemonSet', 'controller': false}]}} | EvictPod[order=0]",
                "{'metadata': {'ownerReferences': [{'kind': 'ReplicaSet', 'controller': true}]}} | EvictPod[order=0]",
                "{'metadata': {'labels': {'cluster.x-k8s.io/drain': 'skip'}}} | KeepPod[]",
                "{'metadata': {'labels': {'cluster.x-k8s.io/drain': 'wait-completed'}}} | AwaitPodEnd[]",
                "{'metadata': {'labels': {'cluster.x-k8s.io/drain': 'other'}}} | EvictPod[order=0]",
            })
    void ofAPod(String pod, String fate) {
        assertThat(PodDrainAction.actionFor(SampleObjects.kube(pod), List.of(), SampleObjects.kube("{}")))
                .hasToString(fate);
    }

    private static KubeObject rule(String name, String spec) {
        return SampleObjects.kube("{'metadata': {'name': '" + name + "'}, 'spec': {" + spec + "}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'drain': {'behavior': 'Skip'} | KeepPod[]",
                "'drain': {'behavior': 'WaitCompleted'} | AwaitPodEnd[]",
                "'drain': {'behavior': 'Drain', 'order': 7} | EvictPod[order=7]",
                "'drain': {'behavior': 'Drain'} | EvictPod[order=0]",
                "'drain': {'behavior': 'Teleport'} | AwaitPodEnd[]",
                "'drain': {'behavior': 'Skip'}, 'pods': [{'selector': {'matchLabels': {'app': 'db'}}}] | EvictPod[order=0]",
                "'drain': {'behavior': 'Skip'}, 'pods': [{'selector': {'matchLabels': {'app': 'db'}}},"
                        + " {'selector': {'matchLabels': {'app': 'web'}}}] | KeepPod[]",
                "'drain': {'behavior': 'Skip'}, 'pods': [{'selector': {'matchLabels': {'app': 'web'}},"
                        + " 'namespaceSelector': {'matchLabels': {'kubernetes.io/metadata.name': 'shop'}}}] | KeepPod[]",
                "'drain': {'behavior': 'Skip'}, 'pods': [{'namespaceSelector':"
                        + " {'matchLabels': {'kubernetes.io/metadata.name': 'office'}}}] | EvictPod[order=0]",
                "'drain': {'behavior': 'Skip'}, 'machines': [{'selector': {'matchLabels': {'os': 'windows'}}}] | EvictPod[order=0]",
                "'drain': {'behavior': 'Skip'}, 'machines': [{'selector': {'matchLabels': {'os': 'linux'}},"
                        + " 'clusterSelector': {'matchLabels': {'stage': 'test'}}}] | EvictPod[order=0]",
                "'drain': {'behavior': 'Skip'}, 'machines': [{'clusterSelector': {'matchLabels': {'stage': 'production'}}}]"
                        + " | KeepPod[]",
            })
    void ofAPodByARule(String spec, String fate) {
        KubeObject pod = SampleObjects.kube("{'metadata': {'namespace': 'shop', 'labels': {'app': 'web'}}}");
        List<MachineDrainRule> rules = MachineDrainRule.forMachine(List.of(rule("a", spec)), MACHINE, CLUSTER);
        assertThat(PodDrainAction.actionFor(pod, rules, namespace("shop"))).hasToString(fate);
    }

    @Test
    void theFirstRuleByNameDecides() {
        List<MachineDrainRule> rules = MachineDrainRule.forMachine(
                List.of(
                        rule("b", "'drain': {'behavior': 'Skip'}"),
                        rule("a", "'drain': {'behavior': 'Drain', 'order': 2}")),
                MACHINE,
                CLUSTER);
        assertThat(PodDrainAction.actionFor(SampleObjects.kube("{}"), rules, SampleObjects.kube("{}")))
                .hasToString("EvictPod[order=2]");
    }

    @Test
    void aHigherOrderWaitsUntilALowerOneIsGone() {
        List<MachineDrainRule> rules = MachineDrainRule.forMachine(
                List.of(
                        rule(
                                "a",
                                "'drain': {'behavior': 'Drain', 'order': 5}, 'pods': [{'selector': {'matchLabels': {'app': 'log'}}}]"),
                        rule(
                                "b",
                                "'drain': {'behavior': 'Drain', 'order': -1}, 'pods': [{'selector': {'matchLabels': {'app': 'web'}}}]")),
                MACHINE,
                CLUSTER);
        KubeObject leaving = SampleObjects.kube(
                "{'metadata': {'name': 'w2', 'namespace': 's', 'labels': {'app': 'web'}, 'deletionTimestamp': 'x'}}");
        KubeObject web = SampleObjects.kube("{'metadata': {'name': 'w1', 'namespace': 's', 'labels': {'app': 'web'}}}");
        KubeObject log = SampleObjects.kube("{'metadata': {'name': 'l1', 'namespace': 's', 'labels': {'app': 'log'}}}");
        DrainPlan first = DrainPlan.planNext(List.of(leaving, log, web), rules, DrainPlanTest::namespace);
        assertThat(first.evict()).containsExactly(web);
        assertThat(first.awaited()).containsExactly(log, web, leaving);
        assertThat(DrainPlan.planNext(List.of(leaving, log), rules, DrainPlanTest::namespace)
                        .evict())
                .isEmpty();
        assertThat(DrainPlan.planNext(List.of(log), rules, DrainPlanTest::namespace)
                        .evict())
                .containsExactly(log);
        assertThat(DrainPlan.planNext(List.of(), rules, DrainPlanTest::namespace)
                        .isDone())
                .isTrue();
    }
}
