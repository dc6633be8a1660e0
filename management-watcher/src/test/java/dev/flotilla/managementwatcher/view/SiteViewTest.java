package dev.flotilla.managementwatcher.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.Samples;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SiteViewTest {
    private static final SiteId SITE = new SiteId("east");
    private static final MachineKey KEY = new MachineKey(SITE, "fleet", "m");

    private final Projection projection = new Projection(SITE);
    private final SiteView view = new SiteView();

    @Test
    void theLaterOfTwoObjectsCountsAlsoWhereOneIsAnotherMachine() {
        view.see(machine("new", 9));
        view.see(machine("dead", 8));
        assertThat(uid()).isEqualTo("new");
    }

    @Test
    void whatAListShowsIsSoUnlessALaterVersionWasSeen() {
        view.see(machine("m", 9));
        view.see(machine("m", 7), 8);
        assertThat(version()).isEqualTo(9);
        view.see(machine("m", 7), 10);
        assertThat(version()).isEqualTo(7);
    }

    @Test
    void afterItsVersionsWentBackAnOlderObjectCounts() {
        view.see(machine("m", 900));
        view.setBack(Kind.MACHINES);
        view.see(machine("m", 500));
        assertThat(version()).isEqualTo(500);
    }

    @Test
    void afterItsVersionsWentBackWhatIsNotListedIsGone() {
        view.see(machine("m", 900));
        view.setBack(Kind.MACHINES);
        view.listed(Kind.MACHINES, Set.of(), 500);
        assertThat(view.machine(KEY)).isNull();
    }

    private String uid() {
        return Objects.requireNonNull(view.machine(KEY)).uid();
    }

    private long version() {
        return Objects.requireNonNull(view.machine(KEY)).version();
    }

    private MachineView machine(String uid, long version) {
        return projection.machine(Samples.kube("""
                {'metadata': {'namespace': 'fleet', 'name': 'm', 'uid': '%s', 'resourceVersion': '%d'},
                 'spec': {'clusterName': 'blue'}}""".formatted(uid, version)));
    }
}
