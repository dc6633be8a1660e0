package dev.flotilla.clusterapi.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a response says that a machine stays available. */
class AvailabilityTest {
    private static final String STATE = """
            {'machine': {'kind': 'Machine', 'spec': {'version': '%s'}},
             'infrastructureMachine': {'kind': 'M', 'spec': {}},
             'bootstrapConfig': {'kind': 'KubeadmConfig', 'spec': {'files': ['%s'], 'users': ['%s']}}}""";

    @ParameterizedTest
    @CsvSource({
        // settings, version, file, user, what the response says
        "files, v1.36.2, new, old, false",
        "files, v1.36.3, new, old, absent",
        "files, v1.36.2, new, new, absent",
        "'files,users', v1.36.2, new, new, false",
        "files, v1.36.2, old, old, absent",
        "users, v1.36.2, new, old, absent"
    })
    void onlyWhereEachChangedFieldIsNamed(String available, String version, String file, String user, String says) {
        String request = "{'settings': {'apply.KubeadmConfig': 'files, users', 'available.KubeadmConfig': '" + available
                + "'}, 'current': " + STATE.formatted("v1.36.2", "old", "old") + ", 'desired': "
                + STATE.formatted(version, file, user) + "}";
        KubeObject response = CallerOfHooks.parse(CallerOfHooks.handler()
                .answer(Hook.CAN_UPDATE_MACHINE, request.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
        assertThat(response.text("status")).isEqualTo("Success");
        assertThat(response.has("affectsAvailability") ? "" + response.bool("affectsAvailability") : "absent")
                .isEqualTo(says);
    }
}
