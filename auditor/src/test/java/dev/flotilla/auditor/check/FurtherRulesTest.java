package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a policy says of annotations, windows that are always open, and strict campaigns. */
class FurtherRulesTest {
    private static final String OWNER = "owner/MachineDeployment/fleet/shop";

    private final Story story = Story.watched();
    private final SmallFleet fleet = SmallFleet.in(story);

    @BeforeEach
    void anOwnerIsAsked() {
        fleet.upgrade("cp");
        story.decide("intent-changed", "", fleet.intent(OWNER, "o", SmallFleet.TARGET));
    }

    private void intents(String rule) {
        fleet.policy("\"caps\":{\"inFlight\":9},\"intents\":{\"maxUnavailable\":3,\"allowUnknownVersion\":true," + rule
                + "}");
        fleet.drivenBy(OWNER);
    }

    private void utc() {
        story.decide(
                "zone-read",
                "",
                SmallFleet.row(
                        "campaign-status",
                        "zone/UTC",
                        "{\"zone\":\"UTC\",\"initialOffsetSeconds\":0,\"transitions\":[]}"));
    }

    private void expect(Invariant invariant, String words) {
        story.over();
        assertThat(story.found).as("violations").isNotEmpty();
        assertThat(story.found.get(0).invariant()).as("first of " + story.found).isEqualTo(invariant);
        assertThat(story.found.get(0).detail()).contains(words);
    }

    @Test
    void findsAStartBeyondTheCapForAnnotations() {
        intents("\"inFlight\":1");
        fleet.admit("w1");
        assertThat(story.found).isEmpty();
        fleet.admit("w2");
        expect(Invariant.CAPS, "number 2 in flight of annotations of site berlin");
    }

    @Test
    void findsAStartBeyondTheCapOfAClusterForAnnotations() {
        intents("\"clusterInFlight\":1");
        fleet.admit("w1");
        assertThat(story.found).isEmpty();
        fleet.admit("w2");
        expect(Invariant.CAPS, "number 2 in flight of cluster");
    }

    @Test
    void findsAStartBesideMachinesWhoseRowsAreGone() {
        intents("\"inFlight\":9");
        fleet.admit("w1");
        fleet.admit("w2");
        story.decide("inventory-changed", "gone", SmallFleet.row("inventory.berlin", "machine/fleet/w1", null));
        story.decide("inventory-changed", "gone", SmallFleet.row("inventory.berlin", "machine/fleet/w2", null));
        fleet.policy("\"caps\":{\"inFlight\":9},\"intents\":{\"maxUnavailable\":2,\"allowUnknownVersion\":true}");
        assertThat(story.found).isEmpty();
        fleet.admit("w3");
        expect(Invariant.CLUSTER, "with it 3 workers of its cluster are unavailable or in flight, 2 may be");
    }

    @Test
    void findsAWorkerThatStartsBesideAControlPlaneMachineWhoseRowIsGone() {
        Story begun = Story.watched();
        SmallFleet other = SmallFleet.in(begun);
        other.admit("cp");
        begun.decide("inventory-changed", "gone", SmallFleet.row("inventory.berlin", "machine/fleet/cp", null));
        assertThat(begun.found).isEmpty();
        other.admit("w1");
        assertThat(begun.found)
                .anyMatch(each -> each.invariant() == Invariant.CLUSTER
                        && each.detail().contains("while control-plane machine [berlin/fleet/cp] is in flight"));
    }

    @Test
    void findsAClusterThatDoesNotRestAfterAnAnnotation() {
        intents("\"settle\":\"5m\"");
        fleet.upgrade("w1");
        expect(Invariant.CLUSTER, "rests for 0 ms instead of 300000");
    }

    @Test
    void findsAStartForAnAnnotationOutsideOfItsWindows() {
        utc();
        intents("\"windows\":[{\"date\":\"2001-01-01\",\"from\":\"00:00\",\"to\":\"06:00\",\"zone\":\"UTC\"}]");
        fleet.admit("w1");
        expect(Invariant.GATES, "its window is closed");
    }

    @Test
    void aWindowThatIsOpenDayAndNightNeverCloses() {
        utc();
        intents("\"windows\":[{\"from\":\"00:00\",\"to\":\"00:00\",\"zone\":\"UTC\"}]");
        fleet.upgrade("w1");
        assertThat(story.found).isEmpty();
    }

    @Test
    void findsAStrictCampaignThatGoesOnWhereItGaveUp() {
        story.decide("intent-changed", "", SmallFleet.row("intents.berlin", OWNER, null));
        fleet.isStrict();
        fleet.fails("w1", "unreachable");
        story.decide("machine-quarantined", "", fleet.ended("w1", 1, "quarantined"));
        assertThat(story.found).isEmpty();
        fleet.admit("w2");
        expect(Invariant.CLUSTER, "started in a cluster of which berlin/fleet/w1 was given up on");
    }
}
