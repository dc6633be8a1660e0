package dev.flotilla.clusterapi.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoverageDeciderTest {
    private static final String REQUEST = """
            {"current": {"machine": {"kind": "Machine", "spec": {"version": "v1.36.1"}},
                "bootstrapConfig": {"kind": "%1$s", "spec": %2$s}},
             "desired": {"machine": {"kind": "Machine", "spec": {"version": "%4$s"}},
                "bootstrapConfig": {"kind": "%1$s", "spec": %3$s}}}""";

    /** An upgrade that is none would be done without them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RKE2Config    | {\"agentConfig\": {\"version\": \"a\"}} | {\"agentConfig\": {\"version\": \"b\"}}",
                "CK8sConfig    | {\"version\": \"a\"}                  | {\"version\": \"b\"}",
                "KThreesConfig | {\"version\": \"a\"}                  | {\"version\": \"b\"}",
                "KubeadmConfig | {}                                  | {\"clusterConfiguration\": {\"featureGates\": {\"ControlPlaneKubeletLocalMode\": true}}}"
            })
    void whatComesWithAVersionIsCoveredWithAnotherVersionOnly(String kind, String from, String to) {
        assertThat(decide(kind, from, to, "v1.36.3")).isInstanceOf(CoverageAnswer.Covered.class);
        assertThat(decide(kind, from, to, "v1.36.1"))
                .isInstanceOfSatisfying(
                        CoverageAnswer.NotCovered.class,
                        answer -> assertThat(answer.changes()).hasSize(1));
    }

    private static CoverageAnswer decide(String kind, String from, String to, String version) {
        return CoverageDecider.decide(
                CoverageTable.DEFAULT,
                Objects.requireNonNull(KubeObject.parse(REQUEST.formatted(kind, from, to, version))),
                List.of(HookObject.MACHINE, HookObject.BOOTSTRAP_CONFIG));
    }
}
