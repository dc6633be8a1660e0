package dev.flotilla.managementwatcher.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SiteObjectCacheTest {
    private static final SiteId SITE = new SiteId("east");
    private static final MachineKey KEY = new MachineKey(SITE, "fleet", "m");

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
