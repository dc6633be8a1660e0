package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.JournalChapter;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a leader says of itself, of its clock and of the sites that it hears. */
class DeciderTest {
    private final Scene scene = Scene.open();

    private Decision last() {
        return scene.decisions.getLast();
    }

    @Test
    void decidesByTheGatesThatItWasGivenOnTheStateThatItWasGiven() {
        Gates gates = Gates.standard();
        FleetState state = new FleetState();
        assertThat(new FleetDecider(gates).gates()).isSameAs(gates);
        assertThat(new Brain(new FleetDecider(gates), state).state()).isSameAs(state);
    }

    @Test
    void eachTermHasTheNextNumber() {
        long term = scene.state.head().term();
        scene.take(new Input.TookOver(scene.now));
        assertThat(scene.state.head().term()).isEqualTo(term + 1);
    }

    @Test
    void saysWhetherItsClockAgreesWhereThatIsNews() {
        scene.take(new Input.ClockCompared(false, scene.now));
        assertThat(last().event()).isEqualTo(Event.CLOCK_CHANGED);
        assertThat(last().reason()).isEqualTo("differs");
        int before = scene.decisions.size();
        scene.take(new Input.ClockCompared(false, scene.now));
        assertThat(scene.decisions).hasSize(before);
        scene.take(new Input.ClockCompared(true, scene.now));
        assertThat(last().reason()).isEqualTo("agrees");
    }

    @Test
    void saysOfASiteWhetherItIsHeardWhereThatIsNews() {
        SiteId site = Scene.SITE;
        int before = scene.decisions.size();
        scene.take(new Input.SiteHeard(site, scene.now));
        assertThat(scene.decisions).hasSize(before);
        scene.take(new Input.SiteSilent(site, scene.now));
        assertThat(last().reason()).isEqualTo("silent");
        scene.take(new Input.SiteHeard(site, scene.now));
        assertThat(last().reason()).isEqualTo("heard");
    }

    @Test
    void aChapterIsBegunWithoutWhatCannotBeReadAndCompletedOnce() {
        scene.take(new Input.ChapterDue(List.of(), scene.now));
        assertThat(last().reason()).isEmpty();
        scene.take(new Input.ChapterDue(List.of(Scene.SITE), scene.now));
        assertThat(last().event()).isEqualTo(Event.CHAPTER_BEGUN);
        assertThat(last().reason()).isEqualTo("without what cannot be read: [north]");
        JournalChapter chapter = Objects.requireNonNull(scene.state.head().chapter());
        assertThat(chapter.seq()).isEqualTo(last().seq());
        scene.take(new Input.CheckpointPart(scene.now));
        assertThat(last().event()).isEqualTo(Event.CHECKPOINTED);
        scene.take(new Input.CheckpointDone(7, scene.now));
        assertThat(last().event()).isEqualTo(Event.CHAPTER_COMPLETED);
        assertThat(last().reason()).isEqualTo("7 rows as of " + chapter.seq());
        int before = scene.decisions.size();
        scene.take(new Input.CheckpointDone(8, scene.now));
        assertThat(scene.decisions).hasSize(before);
    }

    @Test
    void withoutAChapterNoneIsCompleted() {
        int before = scene.decisions.size();
        scene.take(new Input.CheckpointDone(7, scene.now));
        assertThat(scene.decisions).hasSize(before);
    }

    @Test
    void eventsHaveLabelsOfTheirOwn() {
        assertThat(Arrays.stream(Event.values()).map(Event::label))
                .doesNotHaveDuplicates()
                .contains("took-over", "attempt-admitted", "chapter-completed");
    }

    @Test
    void whatCannotBeDecidedIsNamed() {
        IllegalStateException bug = new IllegalStateException("a bug");
        assertThatThrownBy(() -> Undecidable.about(Scene.SITE, () -> {
                    throw bug;
                }))
                .isInstanceOfSatisfying(
                        Undecidable.class,
                        undecidable -> assertThat(undecidable.subject()).isEqualTo(Scene.SITE))
                .hasCause(bug)
                .hasMessageContaining("what is due about north cannot be decided");
        assertThat(Undecidable.about(Scene.SITE, () -> Decision.NOTHING)).isEqualTo(Decision.NOTHING);
    }
}
