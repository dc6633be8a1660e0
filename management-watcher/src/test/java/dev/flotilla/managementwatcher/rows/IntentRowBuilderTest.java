package dev.flotilla.managementwatcher.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.UpgradeAnnotation;
import dev.flotilla.managementwatcher.view.UpgradeTaskRequest;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.UpgradeTaskRef;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntentRowBuilderTest {
    private static final String PROVIDER_KEY = "v1beta2.k8sd.io/in-place-upgrade-to";
    private static final Instant NOW = Instant.ofEpochSecond(100);
    private static final Instant LATER = NOW.plusSeconds(60);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "MACHINES | v1beta2.k8sd.io/in-place-upgrade-to | DIRECT | revision=7",
                "MACHINES | flotilla.dev/upgrade-to | DIRECT | revision=7",
                "MACHINES | v1beta2.k8sd.io/in-place-upgrade-to | INTERCEPT | -",
                "MACHINES | flotilla.dev/upgrade-to | INTERCEPT | revision=7",
                "MACHINES | v1beta2.k8sd.io/in-place-upgrade-to | CLUSTER_ONLY | -",
                "MACHINES | flotilla.dev/upgrade-to | CLUSTER_ONLY | revision=7",
                "CLUSTERS | v1beta2.k8sd.io/in-place-upgrade-to | DIRECT | revision=7",
                "CLUSTERS | v1beta2.k8sd.io/in-place-upgrade-to | INTERCEPT | revision=7",
                "CLUSTERS | v1beta2.k8sd.io/in-place-upgrade-to | CLUSTER_ONLY | revision=7",
                "CLUSTERS | flotilla.dev/upgrade-to | CLUSTER_ONLY | revision=7",
                "MACHINE_DEPLOYMENTS | v1beta2.k8sd.io/in-place-upgrade-to | DIRECT | revision=7",
                "MACHINE_DEPLOYMENTS | v1beta2.k8sd.io/in-place-upgrade-to | INTERCEPT | -",
                "CONTROL_PLANES | v1beta2.k8sd.io/in-place-upgrade-to | DIRECT | revision=7",
                "MACHINE_SETS | v1beta2.k8sd.io/in-place-upgrade-to | DIRECT | revision=7",
            })
    void readsTheAnnotationThatCountsInEachMode(
            WatchedKind watchedKind, String key, SiteMode mode, @Nullable String target) {
        UpgradeIntent intent = buildRow(createView(watchedKind, "", key, "revision=7"), mode, null, NOW);
        assertThat(intent == null ? null : intent.target().text()).isEqualTo(target);
    }

    @Test
    void ignoresAnnotationsOfADeploymentsMachineSet() {
        ObjectView set = createView(
                WatchedKind.MACHINE_SETS,
                "'labels': {'cluster.x-k8s.io/deployment-name': 'd'},",
                PROVIDER_KEY,
                "revision=7");
        assertThat(buildRow(set, SiteMode.DIRECT, null, NOW)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"channel=1.33-classic/stable", "revision=3421", "revision=x1", "localPath=/srv/k8s.snap"})
    void acceptsEveryKindOfTarget(String target) {
        assertThat(Objects.requireNonNull(buildRow(
                                createView(WatchedKind.MACHINES, "", PROVIDER_KEY, target), SiteMode.DIRECT, null, NOW))
                        .target())
                .isEqualTo(UpgradeTarget.parse(target));
    }

    @ParameterizedTest
    @CsvSource({"latest", "channel=", "channel=a=b", "Channel=1.33", "localPath=snap", "' revision=7'", "''"})
    void rejectsAnInvalidTarget(String target) {
        ObjectView machine = createView(WatchedKind.MACHINES, "", PROVIDER_KEY, target);
        assertThat(buildRow(machine, SiteMode.DIRECT, null, NOW)).isNull();
        assertThat(Objects.requireNonNull(UpgradeAnnotation.readFrom(machine, null, SiteMode.DIRECT))
                        .problem())
                .startsWith("must");
    }

    @Test
    void acceptsALocalPathOnlyBelowTheDirectoriesOfThePolicy() {
        UpgradeAnnotation upgradeAnnotation = UpgradeAnnotation.of(PROVIDER_KEY, "localPath=/srv/k8s.snap");
        assertThat(upgradeAnnotation.checkRules(paths(List.of("/opt", "/srv")))).isEqualTo(upgradeAnnotation);
        assertThat(upgradeAnnotation.checkRules(paths(List.of())).problem()).contains("intents.localPaths: none");
        assertThat(upgradeAnnotation.checkRules(paths(List.of("/opt", "/sr"))).problem())
                .endsWith("intents.localPaths: /opt, /sr");
        UpgradeAnnotation channel = UpgradeAnnotation.of(PROVIDER_KEY, "channel=1.34-classic/stable");
        assertThat(channel.checkRules(paths(List.of()))).isEqualTo(channel);
    }

    /** The orchestrator starts it once a policy allows the directory, and lists it as rejected until then. */
    @Test
    void rejectedLocalPathIsAnIntent() {
        ObjectView machine = createView(WatchedKind.MACHINES, "", PROVIDER_KEY, "localPath=/srv/k8s.snap");
        UpgradeAnnotation rejected =
                UpgradeAnnotation.of(PROVIDER_KEY, "localPath=/srv/k8s.snap").checkRules(paths(List.of()));
        assertThat(rejected.problem()).isNotNull();
        assertThat(Objects.requireNonNull(IntentRowBuilder.buildRow(machine, rejected, null, null, NOW))
                        .target())
                .isEqualTo(UpgradeTarget.parse("localPath=/srv/k8s.snap"));
    }

    @Test
    void sameTargetStaysTheSameIntent() {
        ObjectView machine = createView(WatchedKind.MACHINES, "", PROVIDER_KEY, "revision=7");
        UpgradeIntent first = Objects.requireNonNull(buildRow(machine, SiteMode.DIRECT, null, NOW));
        assertThat(buildRow(machine, SiteMode.DIRECT, first, LATER)).isSameAs(first);
    }

    @Test
    void anotherTargetOrObjectIsAnotherIntent() {
        UpgradeIntent first = Objects.requireNonNull(
                buildRow(createView(WatchedKind.MACHINES, "", PROVIDER_KEY, "revision=7"), SiteMode.DIRECT, null, NOW));
        UpgradeIntent changed = buildRow(
                createView(WatchedKind.MACHINES, "", PROVIDER_KEY, "revision=8"), SiteMode.DIRECT, first, LATER);
        assertThat(Objects.requireNonNull(changed).requestedAt()).isEqualTo(LATER);
        UpgradeIntent again = new UpgradeIntent(first.object(), "before", first.target(), NOW);
        assertThat(Objects.requireNonNull(buildRow(
                                createView(WatchedKind.MACHINES, "", PROVIDER_KEY, "revision=7"),
                                SiteMode.DIRECT,
                                again,
                                LATER))
                        .requestedAt())
                .isEqualTo(LATER);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "flotilla.dev/upgrade-to | revision=7 | revision=7 | -",
                "flotilla.dev/upgrade-to | nonsense | - | -",
                "flotilla.dev/hold | - | version=v1.36.3 | to-1-36",
            })
    void annotationOnTheMachineGoesBeforeATask(
            String key, @Nullable String value, @Nullable String target, @Nullable String task) {
        ObjectView machine = createView(WatchedKind.MACHINES, "", key, value == null ? "" : value);
        UpgradeIntent intent = IntentRowBuilder.buildRow(
                machine, UpgradeAnnotation.readFrom(machine, null, SiteMode.INTERCEPT), request("t-uid"), null, NOW);
        assertThat(intent == null ? null : intent.target().text()).isEqualTo(target);
        assertThat(
                        intent == null || intent.task() == null
                                ? null
                                : intent.task().name())
                .isEqualTo(task);
    }

    @Test
    void intentOfAnotherTaskIsAnotherIntent() {
        ObjectView machine = createView(WatchedKind.MACHINES, "", "flotilla.dev/hold", "");
        UpgradeIntent first =
                Objects.requireNonNull(IntentRowBuilder.buildRow(machine, null, request("t-uid"), null, NOW));
        assertThat(IntentRowBuilder.buildRow(machine, null, request("t-uid"), first, LATER))
                .isSameAs(first);
        assertThat(Objects.requireNonNull(IntentRowBuilder.buildRow(machine, null, request("other"), first, LATER))
                        .requestedAt())
                .isEqualTo(LATER);
        assertThat(IntentRowBuilder.buildRow(machine, null, null, first, LATER)).isNull();
    }

    @Test
    void anIntentHasTheVersionThatItsTaskExpectsAndStaysTheSameIntent() {
        ObjectView machine = createView(WatchedKind.MACHINES, "", "flotilla.dev/hold", "");
        UpgradeIntent first =
                Objects.requireNonNull(IntentRowBuilder.buildRow(machine, null, request("t-uid"), null, NOW));
        UpgradeTaskRequest request = request("t-uid");
        UpgradeIntent second = Objects.requireNonNull(IntentRowBuilder.buildRow(
                machine,
                null,
                new UpgradeTaskRequest(request.task(), request.target(), "v1.36.3", null),
                first,
                LATER));
        assertThat(second.expectedVersion()).isEqualTo("v1.36.3");
        assertThat(second.requestedAt()).isEqualTo(NOW);
    }

    private static UpgradeTaskRequest request(String uid) {
        return new UpgradeTaskRequest(
                new UpgradeTaskRef(null, "to-1-36", uid), UpgradeTarget.parse("version=v1.36.3"), null, null);
    }

    private static ObjectView createView(WatchedKind watchedKind, String metadata, String key, String value) {
        KubeObject object = SampleObjects.kube(
                "{'metadata': {'namespace': 'fleet', 'name': 'x', 'uid': 'u', %s 'annotations': {'%s': '%s'}}}"
                        .formatted(metadata, key, value));
        return (ObjectView) watchedKind.createView(new ObjectViewFactory(new SiteId("east")), object);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                // Annotations of the machine, whether it has a node, and the expected target.
                "- | true | revision=7",
                "- | false | -",
                "'v1beta2.k8sd.io/in-place-upgrade-release': 'revision=6' | true | -",
                "'v1beta2.k8sd.io/in-place-upgrade-status': 'failed' | true | revision=7",
                "'v1beta2.k8sd.io/in-place-upgrade-change-id': '42' | true | -",
                "'flotilla.dev/upgrade-to': 'revision=8' | true | revision=8",
            })
    void joinedMachineGetsItsOwnersDefaultRelease(
            @Nullable String annotations, boolean hasNode, @Nullable String target) {
        ObjectViewFactory objectViewFactory = new ObjectViewFactory(new SiteId("east"));
        OwnerView owner = objectViewFactory.ownerView(
                OwnerKind.MACHINE_DEPLOYMENT,
                SampleObjects.deployment(", 'annotations': {'flotilla.dev/default-release': 'revision=7'}", 3, ""));
        KubeObject machine =
                SampleObjects.machine(", 'annotations': {" + (annotations == null ? "" : annotations) + "}", "");
        MachineView view = objectViewFactory.machineView(
                hasNode
                        ? machine
                        : SampleObjects.kube(
                                KubeObject.toJsonText(machine.json()).replace("nodeRef", "noRef")));
        UpgradeAnnotation upgradeAnnotation = UpgradeAnnotation.readFrom(view, owner, SiteMode.INTERCEPT);
        assertThat(upgradeAnnotation == null ? null : upgradeAnnotation.value()).isEqualTo(target);
    }

    @Test
    void rejectsTheAnnotationOfAMachinePool() {
        ObjectView pool = createView(WatchedKind.MACHINE_POOLS, "", PROVIDER_KEY, "revision=7");
        for (SiteMode mode : SiteMode.values()) {
            assertThat(buildRow(pool, mode, null, NOW)).isNull();
            assertThat(Objects.requireNonNull(UpgradeAnnotation.readFrom(pool, null, mode))
                            .problem())
                    .contains("MachinePool", "annotate a MachineDeployment");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // When it was removed, when it was reapplied, the reapplied value, and the expected writer.
                "12:00:00 | 12:00:00 | revision=7 | argocd",
                "12:00:00 | 12:09:59 | revision=7 | argocd",
                "12:00:00 | 12:10:00 | revision=7 | -",
                "12:00:00 | 11:59:59 | revision=7 | -",
                "12:00:00 | 12:00:30 | revision=8 | -",
            })
    void reappliedAnnotationIsNoIntent(String removed, String reapplied, String value, @Nullable String reapplier) {
        ObjectView machine = (ObjectView) WatchedKind.MACHINES.createView(
                new ObjectViewFactory(new SiteId("east")),
                SampleObjects.machine("""
                , 'annotations': {'flotilla.dev/last-fulfilled': 'revision=7', '%1$s': '%4$s'},
                'managedFields': [
                  {'manager': 'flotilla-management-watcher', 'operation': 'Update', 'time': '2026-01-01T%2$sZ',
                   'fieldsV1': {'f:metadata': {'f:annotations': {'f:flotilla.dev/last-fulfilled': {}}}}},
                  {'manager': 'kubectl', 'operation': 'Update', 'time': '2025-01-01T00:00:00Z',
                   'fieldsV1': {'f:metadata': {'f:annotations': {'f:%1$s': {}}}}},
                  {'manager': 'argocd', 'operation': 'Apply', 'time': '2026-01-01T%3$sZ',
                   'fieldsV1': {'f:metadata': {'f:annotations': {'f:%1$s': {}}}}}]
                """.formatted(PROVIDER_KEY, removed, reapplied, value), ""));
        assertThat(machine.annotations().reappliedBy()).isEqualTo(reapplier);
        assertThat(buildRow(machine, SiteMode.DIRECT, null, NOW) == null).isEqualTo(reapplier != null);
    }

    private static @Nullable UpgradeIntent buildRow(
            ObjectView objectView, SiteMode mode, @Nullable UpgradeIntent before, Instant now) {
        return IntentRowBuilder.buildRow(
                objectView, UpgradeAnnotation.readFrom(objectView, null, mode), null, before, now);
    }

    private static SiteAnnotationRules paths(List<String> directories) {
        return new SiteAnnotationRules(directories, List.of(), List.of());
    }
}
