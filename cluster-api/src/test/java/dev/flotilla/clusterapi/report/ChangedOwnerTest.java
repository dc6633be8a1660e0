package dev.flotilla.clusterapi.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.hook.Hook;
import dev.flotilla.kube.KubeObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose change a request is about: with another text in the place of a name nothing can be read, for this owner and those after it. */
class ChangedOwnerTest {

    private static @Nullable ChangedOwner find(Hook hook, String object, String label, String... names) {
        return ChangedOwner.find(hook, Objects.requireNonNull(KubeObject.parse("""
                {"desired": {"%s": {"metadata": {"namespace": "%s", "name": "%s",
                   "labels": {"cluster.x-k8s.io/%s": "%s"}}}}}""".formatted(
                        object, names[0], names[1], label, names[2]))));
    }

    @ParameterizedTest
    @CsvSource({
        "fleet, blue-1, blue, true",
        "'', blue-1, blue, false",
        "fleet, '', blue, false",
        "fleet, blue-1, '', false",
        ".., blue-1, blue, false",
        "fleet, .., blue, false",
        "fleet, blue-1, .hidden, false",
        "fleet, blue-1, a/b, false"
    })
    void onlyNamesOfKubernetesNameAnOwner(String namespace, String name, String owner, boolean found) {
        assertThat(find(Hook.CAN_UPDATE_MACHINE_SET, "machineSet", "deployment-name", namespace, name, owner))
                .isEqualTo(found ? new ChangedOwner(namespace, owner, null) : null);
        assertThat(find(Hook.CAN_UPDATE_MACHINE, "machine", "control-plane-name", namespace, name, owner))
                .isEqualTo(found ? new ChangedOwner(namespace, owner, name) : null);
    }
}
