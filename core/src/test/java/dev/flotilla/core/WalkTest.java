package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.explain.Explain;
import dev.flotilla.core.explain.Glance;
import dev.flotilla.core.fleet.Bookmark;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.fleet.Walked;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The fleet read piece by piece, and each machine in a word. */
class WalkTest {
    private static final SiteId SOUTH = new SiteId("south");

    private final Scene scene = Scene.open();

    private List<String> walk(Bookmark from, int most) {
        List<String> names = new ArrayList<>();
        Bookmark at = from;
        while (at != null) {
            Walked piece = scene.state.walk(at, most);
            assertThat(piece.machines().size()).isLessThanOrEqualTo(most);
            piece.machines().forEach(machine -> names.add(machine.key().toString()));
            at = piece.next();
        }
        return names;
    }

    @Test
    void meetsEveryMachineOnceInOrderWhateverTheSizeOfThePieces() {
        scene.site(SOUTH);
        scene.cluster(SOUTH, "b", 1, 2, Labels.NONE);
        scene.cluster("z", 0, 3);
        ClusterKey empty = new ClusterKey(Scene.SITE, "default", "m");
        scene.arrive(new ClusterRow(empty, "uid-m", Labels.NONE, false, false, null, 0, 0));
        scene.cluster("a", 3, 0);
        List<String> whole = walk(Bookmark.start(), 1_000);
        assertThat(whole)
                .containsExactly(
                        "north/default/a-cp-0",
                        "north/default/a-cp-1",
                        "north/default/a-cp-2",
                        "north/default/z-w-0",
                        "north/default/z-w-1",
                        "north/default/z-w-2",
                        "south/default/b-cp-0",
                        "south/default/b-w-0",
                        "south/default/b-w-1");
        for (int most = 2; most < 12; most++) {
            assertThat(walk(Bookmark.start(), most)).as("in pieces of %d", most).isEqualTo(whole);
        }
        assertThat(walk(Bookmark.of(SOUTH), 2)).isEqualTo(whole.subList(6, 9));
        assertThat(walk(Bookmark.of(new ClusterKey(Scene.SITE, "default", "z")), 5))
                .isEqualTo(whole.subList(3, 9));
    }

    @Test
    void goesOnBehindAMachineThatIsGone() {
        scene.cluster("a", 0, 3);
        Bookmark behind = new Bookmark(new ClusterKey(Scene.SITE, "default", "a"), "a-w-0-gone");
        assertThat(walk(behind, 10)).containsExactly("north/default/a-w-1", "north/default/a-w-2");
    }

    @Test
    void aGlanceSaysWhatTheExplanationSays() {
        scene.cap(1);
        scene.cluster("a", 1, 3);
        scene.arrive(MachineBuilder.of(Scene.SITE, "a", "a-w-2").optedOut().build());
        assertGlancesAgree();
        scene.campaign(CampaignBuilder.named("c").build());
        assertGlancesAgree();
        scene.step("a-cp-0", dev.flotilla.schemas.row.AttemptStep.REFRESHING);
        assertGlancesAgree();
        scene.succeed("a-cp-0");
        scene.failForGood(scene.inFlight().get(0));
        assertGlancesAgree();
    }

    private void assertGlancesAgree() {
        for (Machine machine : scene.state.walk(Bookmark.start(), 100).machines()) {
            var whole = scene.explain(machine.key().name());
            Glance glance = Explain.glance(scene.state, scene.gates, machine, scene.now);
            assertThat(glance)
                    .isEqualTo(new Glance(
                            whole.state(),
                            whole.driver(),
                            whole.closed().isEmpty()
                                    ? null
                                    : whole.closed().get(0).gate()));
            assertThat(Glance.states()).contains(glance.state());
        }
    }
}
