package dev.flotilla.campaigncontroller.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who wins where an object and a row differ. */
class SyncSidesTest {
    private static final String ABSENT = SyncSides.ABSENT;

    private static SyncAction action(String object, String row, String... common) {
        return new SyncSides(object, row, Set.of(common), false, "").findAction();
    }

    private static SyncAction mirror(String object, String row, String... common) {
        return new SyncSides(object, row, Set.of(common), true, "").findAction();
    }

    @Test
    void nothingIsDoneWhereBothAgree() {
        assertThat(action("a", "a")).isEqualTo(SyncAction.NONE);
        assertThat(action("a", "a", "older")).isEqualTo(SyncAction.NONE);
        assertThat(action(ABSENT, ABSENT, "a")).isEqualTo(SyncAction.NONE);
    }

    @Test
    void aChangedObjectIsWrittenWhereTheRowIsAsBothWere() {
        assertThat(action("a", ABSENT)).isEqualTo(SyncAction.WRITE_ROW);
        assertThat(action("b", "a", "a")).isEqualTo(SyncAction.WRITE_ROW);
        assertThat(mirror("b", "a", "a")).isEqualTo(SyncAction.WRITE_ROW);
        assertThat(action(ABSENT, "a", "a")).isEqualTo(SyncAction.DELETE_ROW);
    }

    /** The controller ended between writing a row and writing down that it had, and the object was edited meanwhile. */
    @Test
    void whatWasAboutToBeWrittenIsNoChangeOfSomebodyElse() {
        assertThat(action("c", "b", "a", "b")).isEqualTo(SyncAction.WRITE_ROW);
        assertThat(action("c", "a", "a", "b")).isEqualTo(SyncAction.WRITE_ROW);
        // The first row of an object.
        assertThat(action("b", ABSENT, ABSENT, "b")).isEqualTo(SyncAction.WRITE_ROW);
        assertThat(action("c", "b", ABSENT, "b")).isEqualTo(SyncAction.WRITE_ROW);
    }

    @Test
    void aRowThatWasChangedPastAnObjectOfAPersonIsAConflict() {
        assertThat(action("a", "b", "a")).isEqualTo(SyncAction.SHOW_CONFLICT);
        assertThat(action("a", ABSENT, "a")).isEqualTo(SyncAction.SHOW_CONFLICT);
        assertThat(action("c", "b", "a")).isEqualTo(SyncAction.SHOW_CONFLICT);
        assertThat(action("a", "b")).isEqualTo(SyncAction.SHOW_CONFLICT);
        assertThat(action(ABSENT, "b", "a")).isEqualTo(SyncAction.SHOW_CONFLICT);
    }

    @Test
    void anObjectThatWasCreatedFromARowFollowsIt() {
        assertThat(mirror("a", "b", "a")).isEqualTo(SyncAction.UPDATE_OBJECT);
        assertThat(mirror("a", ABSENT, "a")).isEqualTo(SyncAction.DELETE_OBJECT);
        // The row changed before the controller had written down what both had in common.
        assertThat(mirror("a", "b")).isEqualTo(SyncAction.UPDATE_OBJECT);
        assertThat(mirror("c", "b", "a")).isEqualTo(SyncAction.SHOW_CONFLICT);
    }

    /** What the controller created had a row, although nothing was written down about it yet. */
    @Test
    void anObjectThatWasCreatedFromARowGoesWithIt() {
        assertThat(mirror("a", ABSENT)).isEqualTo(SyncAction.DELETE_OBJECT);
        assertThat(mirror("a", SyncSides.absentSince(12))).isEqualTo(SyncAction.DELETE_OBJECT);
    }

    /** The controller ended after it had written the first row of an object, and the row was deleted before it was back. */
    @Test
    void aRowThatWasDeletedIsNotOneThatWasNeverWritten() {
        String older = SyncSides.absentSince(5);
        String deleted = SyncSides.absentSince(12);
        assertThat(action("a", deleted, ABSENT, "a")).isEqualTo(SyncAction.SHOW_CONFLICT);
        assertThat(action("a", deleted, older, "a")).isEqualTo(SyncAction.SHOW_CONFLICT);
        assertThat(mirror("a", deleted, older, "a")).isEqualTo(SyncAction.DELETE_OBJECT);
        assertThat(action("a", deleted, deleted, "a")).isEqualTo(SyncAction.WRITE_ROW);
        assertThat(action("a", ABSENT, deleted, "a"))
                .as("the deletion was compacted away")
                .isEqualTo(SyncAction.WRITE_ROW);
        assertThat(action("a", deleted)).as("an object of an earlier name").isEqualTo(SyncAction.WRITE_ROW);
        assertThat(action(ABSENT, deleted, "a")).isEqualTo(SyncAction.NONE);
    }

    @Test
    void aPersonDecidesForExactlyOneRow() {
        assertThat(new SyncSides("a", "b", Set.of("a"), false, "b").findAction())
                .isEqualTo(SyncAction.WRITE_ROW);
        assertThat(new SyncSides("a", "c", Set.of("a"), false, "b").findAction())
                .isEqualTo(SyncAction.SHOW_CONFLICT);
        assertThat(new SyncSides("a", ABSENT, Set.of("a"), false, ABSENT).findAction())
                .isEqualTo(SyncAction.WRITE_ROW);
        assertThat(new SyncSides(ABSENT, "b", Set.of("a"), false, "b").findAction())
                .isEqualTo(SyncAction.DELETE_ROW);
    }

    @Test
    void anObjectThatNeverHadTheRowIsDeletedWithoutIt() {
        assertThat(action(ABSENT, "a")).isEqualTo(SyncAction.RELEASE_OBJECT);
    }
}
