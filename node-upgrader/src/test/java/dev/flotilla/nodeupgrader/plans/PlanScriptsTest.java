package dev.flotilla.nodeupgrader.plans;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeupgrader.contract.PlanStep;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts in the shipped plans have no mistake that shellcheck knows. They run in any {@code sh}, as root on nodes. */
class PlanScriptsTest {
    private static final List<String> SHELL = List.of("sh", "-c");

    @ParameterizedTest
    @ValueSource(strings = {"k3s", "kubeadm", "os-packages", "rke2"})
    @EnabledIf(value = Shellcheck.PRESENT, disabledReason = Shellcheck.ABSENT)
    void scriptsOfAPlanHaveNoMistakes(String plan) throws Exception {
        int scripts = 0;
        for (PlanStep step : ShippedPlan.read(plan).steps()) {
            if (step.command().size() >= 3 && step.command().subList(0, 2).equals(SHELL)) {
                scripts++;
                assertThat(Shellcheck.check(step.command().get(2)))
                        .as("step " + step.name() + " of plan " + plan)
                        .isEmpty();
            }
        }
        assertThat(scripts).isPositive();
    }
}
