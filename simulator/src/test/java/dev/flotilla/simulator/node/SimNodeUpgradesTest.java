package dev.flotilla.simulator.node;

import static dev.flotilla.simulator.node.SingleNodeFixture.NEW;
import static dev.flotilla.simulator.node.SingleNodeFixture.OLD;
import static dev.flotilla.simulator.node.SingleNodeFixture.USUAL_DURATION;
import static dev.flotilla.simulator.node.SingleNodeFixture.WITHOUT_FAULTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.node.SimNodeUpgrades.NodeUpgradePhase;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The controller of NodeUpgrades, fault by fault. */
class SimNodeUpgradesTest {
    private static final MachineKey MACHINE = new MachineKey(new SiteId("north"), "fleet", "w-1");
    private static final UpgradeTarget RELEASE = new UpgradeTarget.KubernetesRelease(SnapReleases.version(NEW));
    private static final String NAME = "w-1-1a2b3c4d-7";

    private static NodeFaultProfile faults(int errors, int lies, int hangs, int restarts, int forgets, int loses) {
        return new NodeFaultProfile(USUAL_DURATION, 0, false, errors, lies, hangs, restarts, forgets, loses, 0, 0);
    }

    private static RefreshCallResult create(SingleNodeFixture lone, String name) {
        return lone.node.nodeUpgrades().create(MACHINE, name, RELEASE, 7, "worker");
    }

    private static @Nullable NodeUpgradePhase phase(SingleNodeFixture lone) {
        return lone.node.nodeUpgrades().phase(NAME);
    }

    @Test
    void upgradesTheNodeToTheVersion() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        assertThat(phase(lone)).isEqualTo(NodeUpgradePhase.GONE);
        assertThat(create(lone, NAME)).isEqualTo(new RefreshCallResult.ChangeStarted(NAME));
        assertThat(phase(lone)).isEqualTo(NodeUpgradePhase.RUNNING);
        lone.finishRefresh();
        assertThat(phase(lone)).isEqualTo(NodeUpgradePhase.SUCCEEDED);
        assertThat(lone.node.version()).isEqualTo("v1.33.0");
    }

    @Test
    void secondObjectOfTheNameIsRejected() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        create(lone, NAME);
        assertThat(create(lone, NAME)).isEqualTo(new RefreshCallResult.ChangeStarted(NAME));
        assertThat(lone.ledger.calls())
                .extracting(NodeCallLedger.NodeCall::rejected)
                .containsExactly(false, true);
        assertThat(lone.ledger.calls())
                .extracting(NodeCallLedger.NodeCall::effective)
                .containsExactly(true, false);
    }

    @Test
    void otherObjectWaitsUntilTheFirstHasEnded() {
        SingleNodeFixture lone = new SingleNodeFixture(WITHOUT_FAULTS);
        create(lone, NAME);
        assertThat(create(lone, "w-1-1a2b3c4d-8")).isInstanceOf(RefreshCallResult.NodeBusy.class);
    }

    @Test
    void failuresMayPassOrAreForGood() {
        Set<NodeUpgradePhase> seen = EnumSet.noneOf(NodeUpgradePhase.class);
        for (int seed = 1; seed <= 20; seed++) {
            SingleNodeFixture lone = new SingleNodeFixture(faults(100, 0, 0, 0, 0, 0), seed);
            create(lone, NAME);
            lone.finishRefresh();
            seen.add(phase(lone));
            assertThat(lone.node.revision()).isEqualTo(OLD);
            assertThat(lone.node.nodeUpgrades().hasFailedForGood(7))
                    .isEqualTo(phase(lone) == NodeUpgradePhase.FAILED_FOR_GOOD);
        }
        assertThat(seen).containsExactly(NodeUpgradePhase.FAILED, NodeUpgradePhase.FAILED_FOR_GOOD);
    }

    @Test
    void saysSucceededAlthoughTheKubeletHasNotChanged() {
        SingleNodeFixture lone = new SingleNodeFixture(faults(0, 100, 0, 0, 0, 0));
        create(lone, NAME);
        lone.finishRefresh();
        assertThat(phase(lone)).isEqualTo(NodeUpgradePhase.SUCCEEDED);
        assertThat(lone.node.revision()).isEqualTo(OLD);
    }

    @Test
    void isSilentWhileItRestarts() {
        SingleNodeFixture lone = new SingleNodeFixture(faults(0, 0, 0, 100, 0, 0));
        create(lone, NAME);
        boolean silent = false;
        for (int i = 0; i < 100; i++) {
            lone.advance(10_000);
            silent |= phase(lone) == null;
        }
        assertThat(silent).isTrue();
        assertThat(phase(lone)).isEqualTo(NodeUpgradePhase.SUCCEEDED);
    }

    @Test
    void objectDisappears() {
        SingleNodeFixture lone = new SingleNodeFixture(faults(0, 0, 0, 0, 100, 0));
        create(lone, NAME);
        lone.finishRefresh();
        assertThat(phase(lone)).isEqualTo(NodeUpgradePhase.GONE);
        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void answerIsLostAndTheObjectExists() {
        SingleNodeFixture lone = new SingleNodeFixture(faults(0, 0, 0, 0, 0, 100));
        assertThat(create(lone, NAME)).isInstanceOf(RefreshCallResult.NoAnswer.class);
        assertThat(phase(lone)).isEqualTo(NodeUpgradePhase.RUNNING);
    }

    @Test
    void targetsNameTheRevisionThatTheNodeRuns() {
        for (int revision : new int[] {OLD, OLD + 2, NEW + 17}) {
            assertThat(SnapReleases.revision(new UpgradeTarget.KubernetesRelease(SnapReleases.version(revision))))
                    .isEqualTo(revision);
            assertThat(SnapReleases.revision(new UpgradeTarget.MachineSpecHash(SnapReleases.specHash(revision))))
                    .isEqualTo(revision);
            assertThat(UpgradeTarget.problemOf("spec=" + SnapReleases.specHash(revision)))
                    .isNull();
        }
    }
}
