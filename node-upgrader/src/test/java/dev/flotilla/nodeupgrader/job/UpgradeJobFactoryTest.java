package dev.flotilla.nodeupgrader.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeupgrader.SampleUpgrades;
import dev.flotilla.nodeupgrader.contract.PlanStep;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.schemas.row.MachineRole;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class UpgradeJobFactoryTest {
    private static final Pattern SINGLE_DOLLAR = Pattern.compile("(?<!\\$)(\\$\\$)*\\$(?!\\$)");

    private static KubeObject job(UpgradePlan plan, boolean suspended) {
        return new KubeObject(UpgradeJobFactory.buildJob(SampleUpgrades.nodeUpgrade(), plan, suspended));
    }

    private static String variable(KubeObject container, String name) {
        return container.list("env").stream()
                .filter(each -> name.equals(each.text("name")))
                .map(each -> String.valueOf(each.text("value")))
                .findFirst()
                .orElse("none");
    }

    @Test
    void hasTheNodeUpgradesNameAndAContainerForEachStep() {
        KubeObject job = job(SampleUpgrades.plan(), false);
        assertThat(job.name()).isEqualTo(SampleUpgrades.nodeUpgrade().name());
        assertThat(job.namespace()).isEqualTo("flotilla-node-upgrades");
        assertThat(job.bool("spec", "suspend")).isFalse();
        assertThat(job(SampleUpgrades.plan(), true).bool("spec", "suspend")).isTrue();
        assertThat(job.list("spec", "template", "spec", "initContainers"))
                .extracting(each -> each.text("name"))
                .containsExactly("step-one", "step-two");
    }

    @Test
    void leavesOutStepsOfTheOtherRole() {
        PlanStep one = SampleUpgrades.step("one", List.of("true"));
        PlanStep members = new PlanStep(
                "members",
                one.image(),
                one.command(),
                one.environment(),
                List.of(MachineRole.CONTROL_PLANE),
                false,
                5,
                List.of(),
                List.of(),
                false);
        KubeObject job = job(new UpgradePlan("upgrades", List.of(members, one)), false);
        assertThat(job.namespace()).isEqualTo("upgrades");
        assertThat(job.list("spec", "template", "spec", "initContainers"))
                .singleElement()
                .satisfies(each -> assertThat(variable(each, "FLOTILLA_STEPS")).isEqualTo("one"));
    }

    @Test
    void tellsTheScriptHowAStepMayEnd() {
        PlanStep one = SampleUpgrades.step("one", List.of("true"));
        PlanStep reboot = new PlanStep(
                "reboot",
                one.image(),
                List.of("systemctl", "reboot"),
                List.of(),
                List.of(MachineRole.values()),
                false,
                600,
                List.of(),
                List.of(),
                true);
        KubeObject container = job(new UpgradePlan("upgrades", List.of(one, reboot)), false)
                .list("spec", "template", "spec", "initContainers")
                .getFirst();
        assertThat(variable(container, "FLOTILLA_PERMANENT")).isEqualTo("3");
        assertThat(variable(container, "FLOTILLA_TIMEOUT")).isEqualTo("900");
        assertThat(variable(container, "FLOTILLA_REBOOTS")).isEqualTo("reboot:600");
        assertThat(variable(container, "FLOTILLA_DEADLINE"))
                .isEqualTo(Long.toString(SampleUpgrades.DEADLINE.getEpochSecond()));
    }

    @Test
    void kubernetesReplacesNothingInScripts() {
        PlanStep step = SampleUpgrades.step("one", List.of("sh", "-c", "echo $(FLOTILLA_NAME) $$ $HOME"));
        KubeObject container = job(new UpgradePlan("upgrades", List.of(step)), false)
                .list("spec", "template", "spec", "initContainers")
                .getFirst();
        assertThat(container.texts("command"))
                .allSatisfy(
                        each -> assertThat(SINGLE_DOLLAR.matcher(each).find()).isFalse());
        assertThat(container.list("env"))
                .allSatisfy(each -> assertThat(SINGLE_DOLLAR
                                .matcher(String.valueOf(each.text("value")))
                                .find())
                        .isFalse());
        assertThat(variable(container, "FLOTILLA_SCRIPT")).contains("echo $$(FLOTILLA_NAME) $$$$ $$HOME");
    }

    @Test
    void resultPodReadsAndEndsWithTheJob() {
        KubeObject pod = new KubeObject(
                UpgradeJobFactory.buildResultPod(SampleUpgrades.nodeUpgrade(), SampleUpgrades.plan(), "job-uid"));
        assertThat(pod.list("metadata", "ownerReferences"))
                .singleElement()
                .satisfies(each -> assertThat(each.text("uid")).isEqualTo("job-uid"));
        assertThat(pod.list("spec", "initContainers")).isEmpty();
        assertThat(pod.list("spec", "containers"))
                .singleElement()
                .satisfies(each -> assertThat(each.texts("command")).endsWith("report"));
        assertThat(pod.label(UpgradeJobFactory.POD_LABEL)).isEqualTo(UpgradeJobFactory.RESULT);
    }
}
