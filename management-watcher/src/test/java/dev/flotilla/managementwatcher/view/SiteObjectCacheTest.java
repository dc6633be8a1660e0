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
    private final SiteObjectCache view = new SiteObjectCache();

    @Test
    void theLaterOfTwoObjectsCountsAlsoWhereOneIsAnotherMachine() {
        view.put(machine("new", 9));
        view.put(machine("dead", 8));
        assertThat(uid()).isEqualTo("new");
    }

    @Test
    void whatAListShowsIsSoUnlessALaterVersionWasSeen() {
        view.put(machine("m", 9));
        view.put(machine("m", 7), 8);
        assertThat(version()).isEqualTo(9);
        view.put(machine("m", 7), 10);
        assertThat(version()).isEqualTo(7);
    }

    @Test
    void afterItsVersionsWentBackAnOlderObjectCounts() {
        view.put(machine("m", 900));
        view.resetVersions(WatchedKind.MACHINES);
        view.put(machine("m", 500));
        assertThat(version()).isEqualTo(500);
    }

    @Test
    void afterItsVersionsWentBackWhatIsNotListedIsGone() {
        view.put(machine("m", 900));
        view.resetVersions(WatchedKind.MACHINES);
        view.completeList(WatchedKind.MACHINES, Set.of(), 500);
        assertThat(view.machine(KEY)).isNull();
    }

    private String uid() {
        return Objects.requireNonNull(view.machine(KEY)).uid();
    }

    private long version() {
        return Objects.requireNonNull(view.machine(KEY)).version();
    }

    private MachineView machine(String uid, long version) {
        return objectViewFactory.machineView(SampleObjects.kube("""
                {'metadata': {'namespace': 'fleet', 'name': 'm', 'uid': '%s', 'resourceVersion': '%d'},
                 'spec': {'clusterName': 'blue'}}""".formatted(uid, version)));
    }
}
