package dev.flotilla.nodeupgrader.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeupgrader.KubeObjects;
import dev.flotilla.nodeupgrader.contract.UpgradePlanReader.PlanReadResult;
import dev.flotilla.schemas.row.MachineRole;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpgradePlanReaderTest {

    private static UpgradePlan valid(String spec) {
        PlanReadResult result = UpgradePlanReader.read(KubeObjects.parse("{spec: " + spec + "}"));
        assertThat(result).isInstanceOf(PlanReadResult.ValidPlan.class);
        return ((PlanReadResult.ValidPlan) result).plan();
    }

    @Test
    void readsAStepWithEverything() {
        UpgradePlan plan = valid("""
                {namespace: upgrades, steps: [{name: one, image: i, command: [a, b], env: [{name: X, value: y}],
                  roles: [worker], phase: Upgrade, timeoutSeconds: 5, retryableExitCodes: [7], permanentExitCodes: [8],
                  reboot: true}]}""");
        assertThat(plan.jobNamespace()).isEqualTo("upgrades");
        assertThat(plan.steps())
                .containsExactly(new PlanStep(
                        "one",
                        "i",
                        List.of("a", "b"),
                        List.of(new PlanStep.EnvironmentVariable("X", "y")),
                        List.of(MachineRole.WORKER),
                        false,
                        5,
                        List.of(7L),
                        List.of(8L),
                        true));
    }

    @Test
    void hasTheDefaultsOfTheCrd() {
        UpgradePlan plan = valid("{steps: [{name: one, image: i, command: [a]}]}");
        assertThat(plan.jobNamespace()).isEqualTo("flotilla-node-upgrades");
        PlanStep step = plan.steps().getFirst();
        assertThat(step.roles()).containsExactly(MachineRole.CONTROL_PLANE, MachineRole.WORKER);
        assertThat(step.timeoutSeconds()).isEqualTo(900);
        assertThat(step.prepares()).isFalse();
        assertThat(step.reboots()).isFalse();
    }

    @Test
    void stepsThatPrepareRunFirst() {
        assertThat(valid("""
                        {steps: [{name: a, image: i, command: [x]}, {name: b, image: i, command: [x], phase: Prepare},
                          {name: c, image: i, command: [x]}, {name: d, image: i, command: [x], phase: Prepare}]}""").steps()).extracting(PlanStep::name).containsExactly("b", "d", "a", "c");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{steps: []} | 0 steps",
                "{} | 0 steps",
                "{steps: [{name: One, image: i, command: [a]}]} | step 'One' must have a name",
                "{steps: [{name: '', image: i, command: [a]}]} | must have a name",
                "{steps: [{name: one, image: i, command: [a]}, {name: one, image: i, command: [a]}]} | is there twice",
                "{steps: [{name: one, command: [a]}]} | must have an image",
                "{steps: [{name: one, image: i, command: run}]} | must have an image and a command",
                "{steps: [{name: one, image: i, command: [a], env: [{name: FLOTILLA_X, value: y}]}]} | reserved",
                "{steps: [{name: one, image: i, command: [a], env: [{name: 'a=b', value: y}]}]} | 'a=b'",
                "{namespace: 'a/b', steps: [{name: one, image: i, command: [a]}]} | spec.namespace 'a/b'"
            })
    void namesWhatIsInvalid(String spec, String problem) {
        assertThat(UpgradePlanReader.read(KubeObjects.parse("{spec: " + spec + "}")))
                .isInstanceOfSatisfying(
                        PlanReadResult.InvalidPlan.class,
                        invalid -> assertThat(invalid.problem()).contains(problem));
    }
}
