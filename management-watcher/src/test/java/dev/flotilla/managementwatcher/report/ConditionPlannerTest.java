package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.UpgradeCondition;
import dev.flotilla.schemas.id.SiteId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionPlannerTest {
    private static final String SINCE = "2026-01-01T00:00:00Z";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // Status annotation, requested target, reason of the failure; expected condition.
                "in-progress | revision=7 | - | False InPlaceUpgradeInProgress Performing in place upgrade with revision=7",
                "failed | revision=7 | it broke | False InPlaceUpgradeFailed Failed to perform in place upgrade with revision=7: it broke",
                "failed | revision=7 | - | False InPlaceUpgradeFailed Failed to perform in place upgrade with revision=7: the last attempt failed",
            })
    void conditionSaysWhatTheStatusAnnotationSaysWithTheReason(
            String status, String target, @Nullable String reason, String expected) {
        ObjectWrite.ConditionWrite write =
                Objects.requireNonNull(ConditionPlanner.planCondition(machine(status, ""), true, target, null, reason));
        assertThat(format(write)).isEqualTo(expected);
        assertThat(Objects.requireNonNull(write.condition()).since()).isEmpty();
    }

    @Test
    void isTrueOnceTheRequestIsDoneAndFalseForTheNext() {
        ObjectWrite.ConditionWrite done = Objects.requireNonNull(ConditionPlanner.planCondition(
                machine("done", inProgressCondition()), false, "revision=7", null, null));
        assertThat(format(done))
                .isEqualTo("True InPlaceUpgradeDone Successfully performed in place upgrade with revision=7");
        assertThat(format(Objects.requireNonNull(ConditionPlanner.planCondition(
                        machine("done", doneCondition()), true, "revision=8", null, null))))
                .isEqualTo(
                        "False InPlaceUpgradeRequested Requested in place upgrade with revision=8, which is not done yet:"
                                + " `flotilla machine explain east/fleet/blue-w-0` shows what it waits for");
        assertThat(ConditionPlanner.planCondition(machine("done", ""), true, "revision=8", null, null))
                .as("nothing has begun, and no condition says anything else")
                .isNull();
    }

    @Test
    void namesTheTargetOfTheRunningCallAlsoIfAnotherIsRequested() {
        assertThat(format(Objects.requireNonNull(ConditionPlanner.planCondition(
                        machine("in-progress", ""), true, "latest", "revision=7", null))))
                .isEqualTo("False InPlaceUpgradeInProgress Performing in place upgrade with revision=7");
    }

    @Test
    void keepsTheConditionWhenTheUpgradeStarts() {
        String requested = doneCondition()
                .replace("'True'", "'False'")
                .replace("InPlaceUpgradeDone", "InPlaceUpgradeRequested")
                .replace("Successfully performed", "Requested")
                .replace(
                        "revision=7",
                        "revision=8, which is not done yet: `flotilla machine explain east/fleet/blue-w-0` shows what"
                                + " it waits for");
        assertThat(ConditionPlanner.planCondition(machine("in-progress", requested), true, "revision=8", null, null))
                .isNull();
        assertThat(format(Objects.requireNonNull(ConditionPlanner.planCondition(
                        machine("in-progress", requested), true, "revision=9", null, null))))
                .isEqualTo("False InPlaceUpgradeInProgress Performing in place upgrade with revision=9");
    }

    @Test
    void staysTrueIfTheAnnotationIsReapplied() {
        assertThat(ConditionPlanner.planCondition(
                        machine("done", "flotilla.dev/last-fulfilled': 'revision=7", doneCondition()),
                        true,
                        "revision=7",
                        null,
                        null))
                .isNull();
    }

    @Test
    void isWrittenOnceAndOnlyOnObjectsWithARequest() {
        assertThat(ConditionPlanner.planCondition(machine("done", ""), false, "", null, null))
                .isNull();
        assertThat(ConditionPlanner.planCondition(
                        machine("in-progress", inProgressCondition()), true, "revision=7", null, null))
                .isNull();
    }

    @Test
    void keepsTheTransitionTimeWhileTheStatusStays() {
        ObjectWrite.ConditionWrite write = Objects.requireNonNull(ConditionPlanner.planCondition(
                machine("failed", inProgressCondition()), true, "revision=7", null, "it broke"));
        assertThat(Objects.requireNonNull(write.condition()).since()).isEqualTo(SINCE);
        ObjectWrite.ConditionWrite done = Objects.requireNonNull(ConditionPlanner.planCondition(
                machine("done", inProgressCondition()), false, "revision=7", null, null));
        assertThat(Objects.requireNonNull(done.condition()).since()).isEmpty();
    }

    @Test
    void isRemovedWithTheStatusAnnotation() {
        ObjectWrite.ConditionWrite write = Objects.requireNonNull(
                ConditionPlanner.planCondition(machine(null, inProgressCondition()), false, "", null, null));
        assertThat(write.condition()).isNull();
    }

    private static String format(ObjectWrite.ConditionWrite write) {
        UpgradeCondition upgradeCondition = Objects.requireNonNull(write.condition());
        return upgradeCondition.status() + " " + upgradeCondition.reason() + " " + upgradeCondition.message();
    }

    private static String doneCondition() {
        return ", 'conditions': [{'type': 'InPlaceUpgradeStatus', 'status': 'True', 'reason': 'InPlaceUpgradeDone',"
                + " 'message': 'Successfully performed in place upgrade with revision=7', 'lastTransitionTime': '"
                + SINCE
                + "'}]";
    }

    private static String inProgressCondition() {
        return ", 'conditions': [{'type': 'InPlaceUpgradeStatus', 'status': 'False', 'reason': 'InPlaceUpgradeInProgress',"
                + " 'message': 'Performing in place upgrade with revision=7', 'lastTransitionTime': '" + SINCE + "'}]";
    }

    private static ObjectView machine(@Nullable String status, String conditions) {
        return machine(status, "", conditions);
    }

    private static ObjectView machine(@Nullable String status, String more, String conditions) {
        String others = more.isEmpty() ? "" : ", '" + more + "'";
        String annotations = status == null
                ? ""
                : ", 'annotations': {'v1beta2.k8sd.io/in-place-upgrade-status': '" + status + "'" + others + "}";
        return new ObjectViewFactory(new SiteId("east")).machineView(SampleObjects.machine(annotations, conditions));
    }
}
