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
                // The status that is shown, what is asked for, why it failed, and the condition.
                "in-progress | revision=7 | - | False InPlaceUpgradeInProgress Performing in place upgrade with revision=7",
                "failed | revision=7 | it broke | False InPlaceUpgradeFailed Failed to perform in place upgrade with revision=7: it broke",
                "failed | revision=7 | - | False InPlaceUpgradeFailed Failed to perform in place upgrade with revision=7: the last attempt failed",
            })
    void saysWhatTheStatusSaysWithWhy(String status, String option, @Nullable String why, String shown) {
        ObjectWrite.ConditionWrite change =
                Objects.requireNonNull(ConditionPlanner.planCondition(machine(status, ""), true, option, why));
        assertThat(shown(change)).isEqualTo(shown);
        assertThat(Objects.requireNonNull(change.condition()).since()).isEmpty();
    }

    @Test
    void isTrueOnceTheWishIsGoneAndNotBeforeTheNextIsDone() {
        ObjectWrite.ConditionWrite done = Objects.requireNonNull(
                ConditionPlanner.planCondition(machine("done", inProgress()), false, "revision=7", null));
        assertThat(shown(done))
                .isEqualTo("True InPlaceUpgradeDone Successfully performed in place upgrade with revision=7");
        assertThat(shown(Objects.requireNonNull(
                        ConditionPlanner.planCondition(machine("done", isDone()), true, "revision=8", null))))
                .isEqualTo(
                        "False InPlaceUpgradeAsked Requested in place upgrade with revision=8, which is not done yet:"
                                + " `flotilla machine explain east/fleet/blue-w-0` shows what it waits for");
        assertThat(ConditionPlanner.planCondition(machine("done", ""), true, "revision=8", null))
                .as("nothing has begun, and nothing says anything else")
                .isNull();
    }

    @Test
    void saysWhatTheNodeWasCalledForWhateverIsAskedForMeanwhile() {
        String begun = "v1beta2.k8sd.io/in-place-upgrade-change-id': '42', 'flotilla.dev/reported': '17/42 revision=7";
        assertThat(shown(Objects.requireNonNull(
                        ConditionPlanner.planCondition(machine("in-progress", begun, ""), true, "latest", null))))
                .isEqualTo("False InPlaceUpgradeInProgress Performing in place upgrade with revision=7");
    }

    @Test
    void thatItIsAskedForIsNotSaidAnewWhenItBegins() {
        String asked = isDone().replace("'True'", "'False'")
                .replace("InPlaceUpgradeDone", "InPlaceUpgradeAsked")
                .replace("Successfully performed", "Requested")
                .replace(
                        "revision=7",
                        "revision=8, which is not done yet: `flotilla machine explain east/fleet/blue-w-0` shows what"
                                + " it waits for");
        assertThat(ConditionPlanner.planCondition(machine("in-progress", asked), true, "revision=8", null))
                .isNull();
        assertThat(shown(Objects.requireNonNull(
                        ConditionPlanner.planCondition(machine("in-progress", asked), true, "revision=9", null))))
                .isEqualTo("False InPlaceUpgradeInProgress Performing in place upgrade with revision=9");
    }

    @Test
    void staysTrueWhereTheSameIsPutBack() {
        assertThat(ConditionPlanner.planCondition(
                        machine("done", "flotilla.dev/fulfilled': 'revision=7", isDone()), true, "revision=7", null))
                .isNull();
    }

    @Test
    void isWrittenOnlyWhereSomebodyAskedAndOnlyOnce() {
        assertThat(ConditionPlanner.planCondition(machine("done", ""), false, "", null))
                .isNull();
        assertThat(ConditionPlanner.planCondition(machine("in-progress", inProgress()), true, "revision=7", null))
                .isNull();
    }

    @Test
    void keepsTheTimeWhereTheStatusStays() {
        ObjectWrite.ConditionWrite change = Objects.requireNonNull(
                ConditionPlanner.planCondition(machine("failed", inProgress()), true, "revision=7", "it broke"));
        assertThat(Objects.requireNonNull(change.condition()).since()).isEqualTo(SINCE);
        ObjectWrite.ConditionWrite done = Objects.requireNonNull(
                ConditionPlanner.planCondition(machine("done", inProgress()), false, "revision=7", null));
        assertThat(Objects.requireNonNull(done.condition()).since()).isEmpty();
    }

    @Test
    void goesWithTheStatus() {
        ObjectWrite.ConditionWrite change =
                Objects.requireNonNull(ConditionPlanner.planCondition(machine(null, inProgress()), false, "", null));
        assertThat(change.condition()).isNull();
    }

    private static String shown(ObjectWrite.ConditionWrite change) {
        UpgradeCondition upgradeCondition = Objects.requireNonNull(change.condition());
        return upgradeCondition.status() + " " + upgradeCondition.reason() + " " + upgradeCondition.message();
    }

    private static String isDone() {
        return ", 'conditions': [{'type': 'InPlaceUpgradeStatus', 'status': 'True', 'reason': 'InPlaceUpgradeDone',"
                + " 'message': 'Successfully performed in place upgrade with revision=7', 'lastTransitionTime': '"
                + SINCE
                + "'}]";
    }

    private static String inProgress() {
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
