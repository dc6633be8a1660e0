package dev.flotilla.nodeworker.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeworker.stub.SampleObjects;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterAvailabilityTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private static NodeSnapshot node(String name, boolean controlPlane, boolean ready, boolean unschedulable) {
        return new NodeSnapshot(
                name, controlPlane, ready, NOW, unschedulable, "v1.34.1", "100", "b", "10.0.0.1", null, null);
    }

    private static @Nullable String ofThree(@Nullable Long replicas, boolean thirdReady, int leaseAge) {
        Map<String, Instant> renewed = new HashMap<>();
        renewed.put("cp-2", NOW.minusSeconds(5));
        renewed.put("cp-3", NOW.minusSeconds(leaseAge));
        return ClusterAvailability.checkControlPlane(
                "cp-1",
                List.of(
                        node("cp-3", true, thirdReady, false),
                        node("cp-1", true, false, false),
                        node("cp-2", true, true, false)),
                replicas,
                renewed,
                NOW);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "3 | true  | 10 | -",
                "3 | true  | 39 | -",
                "3 | true  | 40 | control-plane member cp-3 is not Ready",
                "3 | false | 10 | control-plane member cp-3 is not Ready",
                "5 | true  | 10 | the control plane has 3 members of 5",
                "1 | true  | 10 | the control plane has 3 members of 1",
                "- | true  | 10 | the number of the control plane's members is unknown",
            })
    void controlPlaneCanLoseAMember(
            @Nullable Long replicas, boolean thirdReady, int leaseAge, @Nullable String problem) {
        assertThat(ofThree(replicas, thirdReady, leaseAge)).isEqualTo(problem);
    }

    @Test
    void aMemberWithoutALeaseIsNotReady() {
        assertThat(ClusterAvailability.checkControlPlane(
                        "cp-1",
                        List.of(node("cp-1", true, true, false), node("cp-2", true, true, false)),
                        2L,
                        Map.of(),
                        NOW))
                .isEqualTo("control-plane member cp-2 is not Ready");
    }

    @Test
    void aMemberWhoseDatastoreIsDeadDoesNotServeTheApi() {
        List<NodeSnapshot> others = List.of(
                new NodeSnapshot("cp-3", true, true, NOW, false, "v1.34.1", "100", "b", "10.0.0.3", null, null),
                new NodeSnapshot("cp-2", true, true, NOW, false, "v1.34.1", "100", "b", "10.0.0.2", null, null));
        assertThat(ClusterAvailability.checkApiServers(others, Set.of("10.0.0.1", "10.0.0.2", "10.0.0.3")))
                .isNull();
        assertThat(ClusterAvailability.checkApiServers(others, Set.of("10.0.0.1", "10.0.0.2")))
                .isEqualTo("control-plane member cp-3 does not serve the API");
        assertThat(ClusterAvailability.checkApiServers(others, Set.of()))
                .isEqualTo("control-plane member cp-2 does not serve the API");
    }

    @Test
    void aNodeThatIsNoMemberIsNotTaken() {
        assertThat(ClusterAvailability.checkControlPlane(
                        "w-1", List.of(node("cp-1", true, true, false)), 1L, Map.of(), NOW))
                .isEqualTo("node w-1 is no member of the control plane");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "true  | false | 1 | -",
                "false | false | 1 | other workers that are not Ready or are cordoned: 1; maxUnavailable is 1",
                "true  | true  | 1 | other workers that are not Ready or are cordoned: 1; maxUnavailable is 1",
                "false | true  | 1 | other workers that are not Ready or are cordoned: 1; maxUnavailable is 1",
                "false | false | 2 | -",
                "true  | false | 0 | other workers that are not Ready or are cordoned: 0; maxUnavailable is 0",
            })
    void workersMayBeUnavailableUpToABound(boolean ready, boolean unschedulable, int max, @Nullable String problem) {
        List<NodeSnapshot> nodes = List.of(
                node("cp-1", true, false, true),
                node("w-1", false, false, true),
                node("w-2", false, ready, unschedulable),
                node("w-3", false, true, false));
        assertThat(ClusterAvailability.checkWorkers("w-1", nodes, max)).isEqualTo(problem);
    }

    @Test
    void aNodeShowsWhatCounts() {
        NodeSnapshot facts =
                NodeSnapshot.of(SampleObjects.kube(SampleObjects.node("1234", "v1.34.1", NOW, "10.0.0.7")));
        assertThat(facts)
                .isEqualTo(new NodeSnapshot(
                        "", false, true, NOW, false, "v1.34.1", "1234", "b-1", "10.0.0.7", null, null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{}",
                "{'metadata': {'annotations': {'k8sd.io/version': 'no JSON'}}}",
                "{'metadata': {'annotations': {'k8sd.io/version': '[]'}}}",
                "{'metadata': {'annotations': {'k8sd.io/version': '{}'}}}",
                "{'status': {'conditions': [{'type': 'Ready', 'status': 'Unknown'}]}}",
                "{'status': {'conditions': [{'type': 'MemoryPressure', 'status': 'True'}], 'addresses': 7}}",
            })
    void aNodeThatShowsNothingIsNotReadyAndNowhere(String json) {
        NodeSnapshot facts = NodeSnapshot.of(SampleObjects.kube(json));
        assertThat(facts.ready()).isFalse();
        assertThat(facts.revision()).isNull();
        assertThat(facts.internalIp()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "60   | -  | true",
                "359  | -  | true",
                "361  | -  | false",
                "60   | 61 | true",
                "60   | 60 | true",
                "60   | 59 | false",
                "-    | -  | false",
            })
    void kubeletStatusCountsForALimitedTime(@Nullable Integer age, @Nullable Integer changedAgo, boolean shows) {
        assertThat(KubeletHeartbeat.isRecentInStatus(
                        age == null ? null : NOW.minusSeconds(age),
                        changedAgo == null ? null : NOW.minusSeconds(changedAgo),
                        NOW))
                .isEqualTo(shows);
    }
}
