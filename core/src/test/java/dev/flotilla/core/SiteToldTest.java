package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.Site;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.SiteStatus;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whoever annotated an object sees it alone, so its site is told what keeps all of its annotations waiting. */
class SiteToldTest {
    private static final SiteId OTHER = new SiteId("other");

    private final Scene scene = Scene.open();

    @Test
    void aFreezeIsToldToSitesWithAnnotationsAndTakenBackWithIt() {
        scene.cluster("a", 0, 3);
        scene.site(OTHER);
        scene.ask(Scene.machine("a-w-0"), "revision=7");
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        assertThat(waiting(Scene.SITE)).startsWith("freeze: The fleet is frozen by the order of ");
        assertThat(told(OTHER)).isNull();
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(waiting(Scene.SITE)).isNull();
    }

    @Test
    void anAnnotationThatComesUnderAFreezeIsToldAsWell() {
        scene.cluster("a", 0, 1);
        scene.order(new OperatorOrderKey.FreezeSite(Scene.SITE), OperatorOrder.OrderVerb.FREEZE);
        assertThat(told(Scene.SITE)).isNull();
        scene.ask(Scene.machine("a-w-0"), "revision=7");
        assertThat(waiting(Scene.SITE)).startsWith("freeze: Site " + Scene.SITE + " is frozen by the order of ");
        scene.takeBack(Scene.machine("a-w-0"));
        assertThat(waiting(Scene.SITE)).isNull();
    }

    /** However many machines wait, a site is told once. */
    @Test
    void aFreezeOfManyMachinesWritesOneRowASite() {
        scene.cluster("a", 0, 50);
        for (int i = 0; i < 50; i++) {
            scene.ask(Scene.machine("a-w-" + i), "revision=7");
        }
        int before = Collections.frequency(scene.events(), Event.SITE_TOLD);
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        assertThat(Collections.frequency(scene.events(), Event.SITE_TOLD) - before)
                .isOne();
    }

    private @Nullable SiteStatus told(SiteId id) {
        Site site = scene.state.site(id);
        return site == null ? null : site.status();
    }

    private @Nullable String waiting(SiteId id) {
        SiteStatus told = told(id);
        return told == null ? null : told.blockedReason();
    }

    @Test
    void theJournalSaysWhatASiteWasTold() {
        scene.cluster("a", 0, 1);
        scene.ask(Scene.machine("a-w-0"), "revision=7");
        scene.order(new OperatorOrderKey.FreezeSite(Scene.SITE), OperatorOrder.OrderVerb.FREEZE);
        scene.order(new OperatorOrderKey.FreezeSite(Scene.SITE), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(scene.decisions)
                .filteredOn(decision -> decision.event() == Event.SITE_TOLD)
                .extracting(Decision::reason)
                .containsExactly("waits at freeze: Site north is frozen by the order of ada: test", "");
    }

    @Test
    void whereThereIsNoPolicyForTheFleetThatIsTold() {
        Scene without = new Scene();
        without.take(new Input.TookOver(without.now));
        without.site(Scene.SITE);
        without.cluster("a", 0, 1);
        without.ask(Scene.machine("a-w-0"), "revision=7");
        assertThat(without.state.site(Scene.SITE).status().blockedReason())
                .isEqualTo("no-policy: There is no policy for the fleet");
    }

    @Test
    void whatWasParkedOfASiteIsToldOnceItIsNoMore() {
        scene.cluster("a", 0, 1);
        scene.ask(Scene.machine("a-w-0"), "revision=7");
        scene.take(new Input.Parked(Scene.SITE, "a bug", scene.now));
        scene.order(new OperatorOrderKey.FreezeSite(Scene.SITE), OperatorOrder.OrderVerb.FREEZE);
        assertThat(told(Scene.SITE)).isNull();
        scene.state.put(new Tombstone(scene.refusal().rowKey()));
        scene.pass(java.time.Duration.ZERO);
        assertThat(waiting(Scene.SITE)).startsWith("freeze: Site north is frozen");
    }
}
