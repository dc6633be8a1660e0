package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.UpgradeAnnotation;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnerAnnotationPlannerTest {
    private static final Instant SINCE = Instant.ofEpochSecond(100);
    private static final UpgradeTarget TARGET = new UpgradeTarget.Revision("7");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                // Kind, received state, present annotations, expected patch, and whether only the version that was read
                // may be patched.
                "CLUSTERS | - | to=revision=7 | - | false",
                "CLUSTERS | IN_PROGRESS | to=revision=7 | {status=in-progress} | false",
                "CLUSTERS | IN_PROGRESS | to=revision=7 release=revision=6 status=done | {release=null, status=in-progress} | false",
                "CLUSTERS | IN_PROGRESS | to=revision=7 status=in-progress | - | false",
                "CLUSTERS | DONE | to=revision=7 status=in-progress | {flotilla.dev/last-fulfilled=revision=7, release=revision=7, status=done, to=null} | true",
                "CLUSTERS | FAILED | to=revision=7 status=in-progress | {status=failed} | false",
                "CLUSTERS | - | status=in-progress | {status=null} | false",
                "CLUSTERS | - | status=done | - | false",
                "CLUSTERS | - | to=latest | {status=failed} | false",
                "MACHINE_DEPLOYMENTS | - | status=in-progress | {status=null} | false",
                "MACHINE_DEPLOYMENTS | DONE | to=revision=7 status=in-progress | {flotilla.dev/last-fulfilled=revision=7, status=done, to=null} | true",
                "MACHINE_DEPLOYMENTS | IN_PROGRESS | to=revision=7 release=revision=6 | {release=null, status=in-progress} | false",
                "MACHINE_POOLS | - | to=revision=7 | {status=failed} | false",
            })
    void plansTheDifference(
            WatchedKind watchedKind,
            IntentStatus.@Nullable IntentState state,
            String present,
            @Nullable String expected,
            boolean onlyThisVersion) {
        ObjectView object = createView(watchedKind, present);
        UpgradeAnnotation upgradeAnnotation = UpgradeAnnotation.readFrom(object, null, SiteMode.DIRECT);
        UpgradeIntent intent = upgradeAnnotation == null || upgradeAnnotation.problem() != null
                ? null
                : new UpgradeIntent(object.key(), "u", UpgradeTarget.parse(upgradeAnnotation.value()), SINCE);
        IntentStatus status =
                state == null ? null : new IntentStatus(object.key(), "u", SINCE, TARGET, state, null, 4, 4, 0, null);
        OwnerAnnotationPlanner.OwnedMachinesStatus ownedMachinesStatus = object instanceof OwnerView
                ? new OwnerAnnotationPlanner.OwnedMachinesStatus(new JoinerReleaseAnnotations(null, null), false, null)
                : null;
        AnnotationWrite annotationWrite = OwnerAnnotationPlanner.planAnnotations(
                object, status, upgradeAnnotation, intent, ownedMachinesStatus, false);
        assertThat(annotationWrite == null ? null : format(annotationWrite)).isEqualTo(expected);
        assertThat(annotationWrite != null && annotationWrite.readVersion() == 9)
                .isEqualTo(onlyThisVersion);
    }

    @Test
    void keepsTheOwnersRequestUntilItsMachinesShowTheirRelease() {
        OwnerView owner = (OwnerView) createView(WatchedKind.MACHINE_DEPLOYMENTS, "to=revision=7 status=in-progress");
        assertThat(plan(owner, IntentStatus.IntentState.DONE, new JoinerReleaseAnnotations(null, null), true))
                .isNull();
        AnnotationWrite annotationWrite = plan(
                owner, IntentStatus.IntentState.DONE, new JoinerReleaseAnnotations("revision=7", "revision=7"), false);
        assertThat(format(Objects.requireNonNull(annotationWrite)))
                .isEqualTo("{flotilla.dev/default-release=revision=7, flotilla.dev/last-fulfilled=revision=7,"
                        + " release=revision=7, status=done, to=null}");
        assertThat(annotationWrite.event()).isEqualTo(UpgradeEvent.allDone());
    }

    @Test
    void keepsAStatusThatAnotherControllerWrote() {
        ObjectView owner = createView(WatchedKind.MACHINE_DEPLOYMENTS, "status=in-progress");
        OwnerAnnotationPlanner.OwnedMachinesStatus ownedMachinesStatus =
                new OwnerAnnotationPlanner.OwnedMachinesStatus(new JoinerReleaseAnnotations(null, null), false, null);
        assertThat(OwnerAnnotationPlanner.planAnnotations(owner, null, null, null, ownedMachinesStatus, true))
                .isNull();
    }

    @Test
    void createsTheDocumentedEventForAFailedMachineOfAnOwner() {
        OwnerView owner = (OwnerView) createView(WatchedKind.MACHINE_DEPLOYMENTS, "to=revision=7 status=in-progress");
        OwnerAnnotationPlanner.OwnedMachinesStatus ownedMachinesStatus =
                new OwnerAnnotationPlanner.OwnedMachinesStatus(new JoinerReleaseAnnotations(null, null), false, "w-3");
        AnnotationWrite annotationWrite =
                Objects.requireNonNull(plan(owner, IntentStatus.IntentState.FAILED, ownedMachinesStatus));
        assertThat(annotationWrite.event())
                .isEqualTo(
                        new UpgradeEvent(true, "InPlaceUpgradeFailed", "In-place upgrade failed for machine \"w-3\"."));
    }

    private static @Nullable AnnotationWrite plan(
            OwnerView owner, IntentStatus.IntentState state, JoinerReleaseAnnotations release, boolean anyBehind) {
        return plan(owner, state, new OwnerAnnotationPlanner.OwnedMachinesStatus(release, anyBehind, null));
    }

    private static @Nullable AnnotationWrite plan(
            OwnerView owner,
            IntentStatus.IntentState state,
            OwnerAnnotationPlanner.OwnedMachinesStatus ownedMachinesStatus) {
        UpgradeIntent intent = new UpgradeIntent(owner.key(), "u", TARGET, SINCE);
        return OwnerAnnotationPlanner.planAnnotations(
                owner,
                new IntentStatus(owner.key(), "u", SINCE, TARGET, state, null, 4, 3, 1, null),
                UpgradeAnnotation.readFrom(owner, null, SiteMode.DIRECT),
                intent,
                ownedMachinesStatus,
                false);
    }

    private static String format(AnnotationWrite annotationWrite) {
        return annotationWrite.annotations().toString().replaceAll("v1beta2.k8sd.io/in-place-upgrade-", "");
    }

    private static ObjectView createView(WatchedKind watchedKind, String present) {
        StringBuilder annotations = new StringBuilder();
        for (String each : present.split(" ", -1)) {
            String name = each.substring(0, each.indexOf('='));
            annotations
                    .append(annotations.isEmpty() ? "" : ", ")
                    .append("'v1beta2.k8sd.io/in-place-upgrade-%s': '%s'"
                            .formatted(name, each.substring(name.length() + 1)));
        }
        return (ObjectView) watchedKind.createView(
                new ObjectViewFactory(new SiteId("east")),
                SampleObjects.kube(
                        "{'metadata': {'namespace': 'fleet', 'name': 'x', 'uid': 'u', 'resourceVersion': '9',"
                                + " 'annotations': {" + annotations + "}}}"));
    }
}
