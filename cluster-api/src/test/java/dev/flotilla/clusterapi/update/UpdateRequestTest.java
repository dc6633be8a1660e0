package dev.flotilla.clusterapi.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.kube.KubeObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which requests name a Machine: their names become a part of the paths of requests to the API server. */
class UpdateRequestTest {

    private static @Nullable UpdateRequest read(String namespace, String name) {
        return UpdateRequest.read(
                CoverageTable.DEFAULT, Objects.requireNonNull(KubeObject.parse("""
                {"desired": {"machine": {"kind": "Machine", "metadata": {"name": "%s", "namespace": "%s"},
                   "spec": {"clusterName": "blue", "version": "v1.36.3"}},
                 "bootstrapConfig": {"kind": "KubeadmConfig", "metadata": {"name": "c"},
                   "spec": {"files": [{"content": "S3cret"}]}}}}""".formatted(name, namespace))));
    }

    @Test
    void namesOfKubernetesAreRead() {
        UpdateRequest read = Objects.requireNonNull(read("fleet", "blue-w-0.example"));
        assertThat(read.machine()).isEqualTo("blue-w-0.example");
        assertThat(read.bootstrapConfig()).isEqualTo(new UpdateRequest.ObjectName("KubeadmConfig", "c"));
        assertThat(read.toString()).doesNotContain("S3cret");
    }

    @ParameterizedTest
    @CsvSource({
        "fleet, ..",
        "fleet, .w",
        "fleet, w/status",
        "fleet, w?watch=1",
        "fleet, W",
        "fleet, ''",
        "'', w",
        ".., w",
        "a.b, w",
        "fleet/x, w"
    })
    void otherNamesAreNone(String namespace, String name) {
        assertThat(read(namespace, name)).isNull();
    }
}
