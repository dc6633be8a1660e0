package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Invariant 9: one chain, one writer, and tables that say what the journal decided. */
class OneWriterTest {
    private final Story story = Story.watched();
    private final SmallFleet fleet = SmallFleet.in(story);

    private void expect(Invariant invariant, String words) {
        story.over();
        assertThat(story.found).as("violations").isNotEmpty();
        assertThat(story.found.get(0).invariant()).as("first of " + story.found).isEqualTo(invariant);
        assertThat(story.found.get(0).detail()).contains(words);
    }

    @Test
    void findsAGapInTheJournal() {
        story.skipNumbers(1);
        story.decide("took-over", "");
        expect(Invariant.JOURNAL, "decision 12 follows decision 10");
    }

    @Test
    void findsANumberThatComesAgain() {
        story.skipNumbers(-2);
        story.decide("took-over", "");
        expect(Invariant.JOURNAL, "decision 9 follows decision 10");
    }

    @Test
    void findsARecordThatWasChanged() {
        story.previous("0123456789abcdef");
        story.decide("took-over", "");
        expect(Invariant.JOURNAL, "names 0123456789ab as the hash of the record before");
    }

    @Test
    void findsTimeThatGoesBack() {
        story.seconds(-60);
        story.decide("took-over", "");
        expect(Invariant.JOURNAL, "goes back in time");
    }

    @Test
    void findsARowOfAZombie() {
        long number = fleet.admit("cp");
        fleet.steps("cp", number, "preflight");
        story.write(
                fleet.attempt("cp", number, "\"is\":\"admitted\",\"notAfter\":\"" + story.instant() + "\"", false),
                number);
        expect(Invariant.ZOMBIE, "is of seq 11, and the table had 12 already");
    }

    @Test
    void findsACommandThatNobodyDecided() {
        story.write(fleet.upgrade("w1", 3, 900), story.seq());
        expect(Invariant.ZOMBIE, "says it is of decision 10, which wrote no such row");
    }

    @Test
    void findsACommandOfAFutureThatNeverComes() {
        story.write(fleet.upgrade("w1", 11, 900), story.next());
        story.decide("inventory-changed", "", SmallFleet.machine("w1", false));
        expect(Invariant.ZOMBIE, "says it is of decision 11, which wrote no such row");
    }

    @Test
    void findsARowOfSomebodyElse() {
        story.write(fleet.upgrade("w1", 11, 900), null);
        expect(Invariant.ZOMBIE, "has no seq");
    }

    @Test
    void findsARowThatSaysSomethingElseThanTheJournal() {
        long number = fleet.admit("cp");
        story.journal("attempt-renewed", "", fleet.upgrade("cp", number, 900));
        story.write(fleet.upgrade("cp", number, 901), story.seq());
        expect(Invariant.ZOMBIE, "says something else at seq 12 than the journal decided");
    }

    @Test
    void findsADecisionWhoseRowsAreMissing() {
        long number = fleet.admit("cp");
        story.journal("attempt-renewed", "", fleet.upgrade("cp", number, 900));
        expect(Invariant.ZOMBIE, "does not show what decision 12 says it wrote");
    }

    @Test
    void findsAnInputThatNobodyWrote() {
        story.journal("inventory-changed", "", SmallFleet.machine("w1", false));
        expect(Invariant.ZOMBIE, "accepts a row of flotilla.inventory.berlin machine/fleet/w1 that nobody has written");
    }

    @Test
    void findsAWordAboutAnAttemptThatNobodyAdmitted() {
        fleet.steppedOnly("w1", 5, "starting");
        expect(Invariant.ZOMBIE, "is said to be at attempt 5, which nobody has admitted");
    }

    @Test
    void findsAStepThatNoWorkerTold() {
        long number = fleet.admit("cp");
        story.decide(
                "attempt-stepped",
                "guarding",
                fleet.attempt(
                        "cp",
                        number,
                        "\"is\":\"running\",\"step\":\"guarding\",\"deadline\":\"" + story.instant(60) + "\"",
                        false));
        expect(Invariant.ZOMBIE, "goes by the word \"stepped guarding\", which no worker has said");
    }

    @Test
    void findsAHeadThatIsAheadOfTheJournal() {
        story.write(
                SmallFleet.row(
                        "head",
                        "fleet",
                        "{\"term\":1,\"seq\":99,\"decided\":\"" + story.instant()
                                + "\",\"chain\":\"\",\"featureLevel\":1,\"clockAgrees\":true,\"offsets\":{}}"),
                99L);
        expect(Invariant.JOURNAL, "head/fleet is at seq 99, and the journal ends with 10");
    }

    @Test
    void findsAHeadWithAnotherChain() {
        story.write(
                SmallFleet.row(
                        "head",
                        "fleet",
                        "{\"term\":1,\"seq\":10,\"decided\":\"" + story.instant()
                                + "\",\"chain\":\"abc\",\"featureLevel\":1,\"clockAgrees\":true,\"offsets\":{}}"),
                10L);
        expect(Invariant.JOURNAL, "has another chain hash than the journal");
    }

    @Test
    void toleratesAnUnknownEvent() {
        story.decide("something-new", "");
        story.over();
        assertThat(story.found).isEmpty();
    }
}
