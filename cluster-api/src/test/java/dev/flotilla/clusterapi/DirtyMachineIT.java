package dev.flotilla.clusterapi;

import static dev.flotilla.clusterapi.ExtensionFixture.CAPI;
import static dev.flotilla.clusterapi.ExtensionFixture.HOOKS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Fields that a setting ignores, through both hooks: which Machines are marked, and when a mark goes. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class DirtyMachineIT {
    private static final String DIRTY = "flotilla.dev/dirty";
    private static final String KEPT = "flotilla.dev/kept-values";

    private static ExtensionFixture fixture;
    private static int number;

    private String hash;
    private String machine;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        fixture = new ExtensionFixture(folder);
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @BeforeEach
    void createMachineOfAMachineSet() {
        machine = "w-" + ++number;
        hash = "hash-" + number;
        fixture.createMachine(machine);
        fixture.cluster.merge(
                CAPI + "machines/" + machine,
                "{\"metadata\":{\"labels\":{\"machine-template-hash\":\"" + hash + "\"}}}");
    }

    private KubeObject canUpdate(String from, String to) throws Exception {
        return fixture.call(HOOKS + "canupdatemachineset/can-update-machineset", """
            {"kind": "CanUpdateMachineSetRequest", "settings": {"ignore.M": "image", "apply.M": "memory"},
             "current": {"machineSet": {"kind": "MachineSet", "metadata": {"name": "a", "namespace": "fleet",
                 "labels": {"cluster.x-k8s.io/deployment-name": "blue-workers", "machine-template-hash": "%s"}},
                 "spec": {"template": {"spec": {"version": "v1.36.3"}}}},
               "infrastructureMachineTemplate": {"kind": "MTemplate", "metadata": {"name": "a"},
                 "spec": {"template": {"spec": {"image": "%s", "memory": 1}}}}},
             "desired": {"machineSet": {"kind": "MachineSet", "metadata": {"name": "b", "namespace": "fleet"},
                 "spec": {"template": {"spec": {"version": "v1.36.3"}}}},
               "infrastructureMachineTemplate": {"kind": "MTemplate", "metadata": {"name": "b"},
                 "spec": {"template": {"spec": {"image": "%s", "memory": 2}}}}}}""".formatted(hash, from, to));
    }

    private KubeObject update(String image) throws Exception {
        return fixture.call(HOOKS + "updatemachine/update-machine", """
            {"kind": "UpdateMachineRequest", "settings": {"ignore.M": "image", "apply.M": "memory"},
             "desired": {
               "machine": {"kind": "Machine", "metadata": {"name": "%1$s", "namespace": "fleet"},
                 "spec": {"clusterName": "blue", "version": "v1.36.3"}},
               "infrastructureMachine": {"kind": "M", "metadata": {"name": "%1$s", "namespace": "fleet"},
                 "spec": {"image": "%2$s", "memory": 2}}}}""".formatted(machine, image));
    }

    private KubeObject machine() {
        return fixture.read(CAPI + "machines/" + machine);
    }

    @Test
    void machineThatKeepsAnOldValueIsMarkedUntilItShouldHaveItAgain() throws Exception {
        assertThat(canUpdate("ubuntu-24", "ubuntu-26").text("infrastructureMachineTemplatePatch", "patchType"))
                .isEqualTo("JSONMergePatch");
        assertThat(machine().annotation(KEPT))
                .matches("\\{\"M spec.image\":\"sha256:[0-9a-f]{64}\"}")
                .doesNotContain("ubuntu");
        assertThat(machine().annotation(DIRTY)).as("nothing has changed yet").isNull();

        assertThat(update("ubuntu-26").number("retryAfterSeconds")).isPositive();
        assertThat(machine().annotation(DIRTY)).isEqualTo("M spec.image");
        assertThat(machine().label(DIRTY)).isEqualTo("true");
        assertThat(Objects.requireNonNull(machine().condition("flotilla.dev/Dirty"))
                        .text("message"))
                .isEqualTo("accepted and not applied: M spec.image");

        String kept = machine().annotation(KEPT);
        canUpdate("ubuntu-26", "ubuntu-28");
        assertThat(machine().annotation(KEPT))
                .as("what the machine has, not what it should have had")
                .isEqualTo(kept);
        update("ubuntu-28");
        assertThat(machine().annotation(DIRTY)).isEqualTo("M spec.image");

        canUpdate("ubuntu-28", "ubuntu-24");
        update("ubuntu-24");
        assertThat(machine().annotation(DIRTY)).isNull();
        assertThat(machine().label(DIRTY)).isNull();
        assertThat(machine().condition("flotilla.dev/Dirty")).isNull();
    }

    @Test
    void conditionsOfOthersStay() throws Exception {
        fixture.cluster.merge(CAPI + "machines/" + machine + "/status", """
            {"status":{"conditions":[{"type":"Ready","status":"True","reason":"Ready","lastTransitionTime":"2026-01-02T03:04:05Z"}]}}""");
        canUpdate("ubuntu-24", "ubuntu-26");
        update("ubuntu-26");
        assertThat(machine().isCondition("Ready", "True")).isTrue();
        assertThat(machine().isCondition("flotilla.dev/Dirty", "True")).isTrue();
    }

    @Test
    void changeIsNotAcceptedWhileItCannotBeRecorded() throws Exception {
        fixture.cluster.kill();
        KubeObject answer = canUpdate("ubuntu-24", "ubuntu-26");
        fixture.cluster.restart();
        assertThat(answer.text("status")).isEqualTo("Failure");
        assertThat(answer.text("message")).contains("what the machines keep cannot be recorded");
        ExtensionFixture.await("an answer", () -> {
            try {
                return "Success".equals(canUpdate("ubuntu-24", "ubuntu-26").text("status"));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void machineWithoutAnIgnoredChangeIsNeverWritten() throws Exception {
        String before = machine().resourceVersion();
        canUpdate("ubuntu-24", "ubuntu-24");
        update("ubuntu-24");
        assertThat(machine().resourceVersion()).isEqualTo(before);
    }
}
