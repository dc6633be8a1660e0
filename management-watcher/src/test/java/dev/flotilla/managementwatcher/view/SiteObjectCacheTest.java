package dev.flotilla.managementwatcher.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteMode;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SiteObjectCacheTest {
    private static final SiteId SITE = new SiteId("east");
    private static final MachineKey KEY = new MachineKey(SITE, "fleet", "m");
    private static final MachineKey WORKER = new MachineKey(SITE, "fleet", "blue-w-0");

    private final ObjectViewFactory objectViewFactory = new ObjectViewFactory(SITE);
    private final SiteObjectCache cache = new SiteObjectCache();

    @Test
    void laterVersionCountsAlsoIfTheUidDiffers() {
        cache.put(machine("new", 9));
        cache.put(machine("dead", 8));
        assertThat(uid()).isEqualTo("new");
    }

    @Test
    void listCountsUnlessALaterVersionWasSeen() {
        cache.put(machine("m", 9));
        cache.put(machine("m", 7), 8);
        assertThat(version()).isEqualTo(9);
        cache.put(machine("m", 7), 10);
        assertThat(version()).isEqualTo(7);
    }

    @Test
    void acceptsAnOlderObjectAfterVersionsAreReset() {
        cache.put(machine("m", 900));
        cache.resetVersions(WatchedKind.MACHINES);
        cache.put(machine("m", 500));
        assertThat(version()).isEqualTo(500);
    }

    @Test
    void removesWhatIsNotListedAfterVersionsAreReset() {
        cache.put(machine("m", 900));
        cache.resetVersions(WatchedKind.MACHINES);
        cache.completeList(WatchedKind.MACHINES, Set.of(), 500);
        assertThat(cache.machine(KEY)).isNull();
    }

    @Test
    void readsAnAnnotationWhenItsObjectOrItsOwnerChanges() {
        cache.setAnnotationRules(SiteMode.DIRECT, null);
        cache.put(objectViewFactory.machineView(SampleObjects.machine("", "")));
        assertThat(requestedTarget()).isNull();
        cache.put(objectViewFactory.ownerView(
                OwnerKind.MACHINE_DEPLOYMENT,
                SampleObjects.deployment(", 'annotations': {'flotilla.dev/default-release': 'revision=7'}", 3, "")));
        assertThat(requestedTarget()).isEqualTo("revision=7");
        putRequest("revision=8");
        assertThat(requestedTarget()).isEqualTo("revision=8");
        cache.remove(WORKER, 9);
        assertThat(requestedTarget()).isNull();
    }

    @Test
    void readsAllAnnotationsAgainWhenTheirRulesChange() {
        cache.setAnnotationRules(SiteMode.INTERCEPT, null);
        putRequest("localPath=/srv/k8s.snap");
        assertThat(requestedTarget()).isNull();
        cache.drainChanged();
        cache.setAnnotationRules(SiteMode.DIRECT, null);
        assertThat(cache.drainChanged()).containsExactly(WORKER);
        assertThat(Objects.requireNonNull(cache.upgradeAnnotation(WORKER)).problem())
                .isNull();
        cache.setAnnotationRules(SiteMode.DIRECT, new SiteAnnotationRules(List.of("/opt"), List.of(), List.of()));
        assertThat(cache.drainChanged()).containsExactly(WORKER);
        assertThat(Objects.requireNonNull(cache.upgradeAnnotation(WORKER)).problem())
                .contains("/opt");
        cache.setAnnotationRules(SiteMode.DIRECT, new SiteAnnotationRules(List.of("/opt"), List.of(), List.of()));
        assertThat(cache.hasChanged()).isFalse();
    }

    private void putRequest(String target) {
        cache.put(objectViewFactory.machineView(SampleObjects.machine(
                ", 'annotations': {'v1beta2.k8sd.io/in-place-upgrade-to': '" + target + "'}", "")));
    }

    private @Nullable String requestedTarget() {
        UpgradeAnnotation upgradeAnnotation = cache.upgradeAnnotation(WORKER);
        return upgradeAnnotation == null ? null : upgradeAnnotation.value();
    }

    private String uid() {
        return Objects.requireNonNull(cache.machine(KEY)).uid();
    }

    private long version() {
        return Objects.requireNonNull(cache.machine(KEY)).version();
    }

    private MachineView machine(String uid, long version) {
        return objectViewFactory.machineView(SampleObjects.kube("""
                {'metadata': {'namespace': 'fleet', 'name': 'm', 'uid': '%s', 'resourceVersion': '%d'},
                 'spec': {'clusterName': 'blue'}}""".formatted(uid, version)));
    }
}
