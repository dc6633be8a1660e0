package dev.flotilla.nodeupgrader.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeupgrader.KubeObjects;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OnlyReplicaFinderTest {

    /** A pod is written as name of the part, node, phase, readiness, and "deleting" if it is. */
    private static KubeObject pod(String text) {
        String[] parts = text.strip().split(" ", -1);
        return KubeObjects.parse("""
                {metadata: {name: %s-on-%s, namespace: flotilla, labels: {app.kubernetes.io/name: %s}%s},
                 spec: {nodeName: %s}, status: {phase: %s, conditions: [{type: Ready, status: "%s"}]}}""".formatted(
                        parts[0],
                        parts[1],
                        parts[0],
                        parts.length > 4 ? ", deletionTimestamp: '2026-11-26T02:00:00Z'" : "",
                        parts[1],
                        parts[2],
                        parts[3]));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "worker w-1 Running True | flotilla/worker-on-w-1",
                "worker w-2 Running True | none",
                "worker w-1 Running True; worker w-2 Running True | none",
                "worker w-1 Running True; worker w-2 Running False | flotilla/worker-on-w-1",
                "worker w-1 Running True; worker w-2 Running True deleting | flotilla/worker-on-w-1",
                "worker w-1 Running True; worker w-1 Running True | flotilla/worker-on-w-1",
                "worker w-1 Running True; watcher w-2 Running True | flotilla/worker-on-w-1",
                "worker w-1 Succeeded False; worker w-2 Running False | none",
                "worker w-1 Pending False | flotilla/worker-on-w-1"
            })
    void findsAPodThatNoOtherNodeReplaces(String pods, String expected) {
        List<KubeObject> all = new ArrayList<>();
        for (String each : pods.split(";", -1)) {
            all.add(pod(each));
        }
        String found = OnlyReplicaFinder.find("w-1", all);
        assertThat(found == null ? "none" : found).isEqualTo(expected);
    }
}
