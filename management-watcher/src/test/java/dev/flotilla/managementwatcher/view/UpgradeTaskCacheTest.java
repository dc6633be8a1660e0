package dev.flotilla.managementwatcher.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UpgradeTaskCacheTest {
    private static final SiteId SITE = new SiteId("east");
    private static final MachineKey WORKER = new MachineKey(SITE, "fleet", "blue-w-0");
    private static final String OWNED = ", 'annotations': {'flotilla.dev/upgrade-task': 'uid-a'}";

    private final ObjectViewFactory objectViewFactory = new ObjectViewFactory(SITE);
    private final SiteObjectCache cache = new SiteObjectCache();

    @BeforeEach
    void putMachine() {
        cache.put(objectViewFactory.machineView(SampleObjects.machine(OWNED, "")));
        cache.drainChanged();
    }

    @Test
    void taskRequestsTheTargetOfItsMachines() {
        assertThat(request()).isEqualTo("none");
        putTask(5, "'machines': ['blue-w-0']", "");
        assertThat(request()).isEqualTo("version=v1.36.3");
        assertThat(cache.drainChanged()).containsExactly(WORKER);
        putTask(6, "'machines': ['blue-w-0']", "'phase': 'InProgress'");
        assertThat(cache.hasChanged()).isFalse();
        assertThat(cache.tasks().drainChanged()).containsExactly(new TaskCluster("fleet", "blue"));
    }

    @Test
    void taskThatHasEndedOrIsAbortedRequestsNothing() {
        putTask(5, "'machines': ['blue-w-0']", "");
        cache.drainChanged();
        putTask(6, "'machines': ['blue-w-0'], 'phase': 'Abort'", "");
        assertThat(request()).isEqualTo("none");
        assertThat(cache.drainChanged()).containsExactly(WORKER);
        putTask(7, "'machines': ['blue-w-0']", "'phase': 'Completed'");
        assertThat(request()).isEqualTo("none");
    }

    @Test
    void annotationWithTheUidOfATaskForOtherMachinesRequestsNothing() {
        putTask(5, "'machines': ['blue-w-1']", "");
        assertThat(request()).isEqualTo("none");
        putTask(6, "'machineDeploymentRef': {'name': 'other'}", "");
        assertThat(request()).isEqualTo("none");
        putTask(7, "'machineDeploymentRef': {'name': 'blue-workers'}", "");
        assertThat(request()).isEqualTo("version=v1.36.3");
    }

    @Test
    void olderVersionOfATaskDoesNotCount() {
        putTask(7, "'machines': ['blue-w-1']", "");
        putTask(6, "'machines': ['blue-w-0']", "");
        assertThat(request()).isEqualTo("none");
        cache.resetVersions(WatchedKind.UPGRADE_TASKS);
        putTask(6, "'machines': ['blue-w-0']", "");
        assertThat(request()).isEqualTo("version=v1.36.3");
    }

    @Test
    void taskThatIsNotListedIsGone() {
        putTask(5, "'machines': ['blue-w-0']", "");
        cache.drainChanged();
        cache.completeList(WatchedKind.UPGRADE_TASKS, Set.of(new NamespacedName("fleet", "a")), 9);
        assertThat(request()).isEqualTo("version=v1.36.3");
        cache.completeList(WatchedKind.UPGRADE_TASKS, Set.of(), 10);
        assertThat(request()).isEqualTo("none");
        assertThat(cache.drainChanged()).containsExactly(WORKER);
        assertThat(cache.isAbsenceKnown(WatchedKind.UPGRADE_TASKS)).isTrue();
    }

    @Test
    void absenceIsUnknownWithoutThePermission() {
        cache.markForbidden(WatchedKind.UPGRADE_TASKS);
        assertThat(cache.isAbsenceKnown(WatchedKind.UPGRADE_TASKS)).isFalse();
        cache.completeList(WatchedKind.UPGRADE_TASKS, Set.of(), 10);
        assertThat(cache.isAbsenceKnown(WatchedKind.UPGRADE_TASKS)).isTrue();
    }

    private String request() {
        UpgradeTaskRequest request = cache.taskRequest(Objects.requireNonNull(cache.machine(WORKER)));
        return request == null ? "none" : request.target().text();
    }

    private void putTask(long version, String spec, String status) {
        cache.put(objectViewFactory.upgradeTaskView(SampleObjects.kube("""
                {'metadata': {'namespace': 'fleet', 'name': 'a', 'uid': 'uid-a', 'resourceVersion': '%d'},
                 'spec': {'clusterName': 'blue', 'target': {'version': 'v1.36.3'}, %s},
                 'status': {%s}}""".formatted(version, spec, status))));
    }
}
