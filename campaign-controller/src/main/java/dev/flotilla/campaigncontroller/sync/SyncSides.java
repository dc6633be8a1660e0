package dev.flotilla.campaigncontroller.sync;

import java.util.Set;

/**
 * An object and the row of the same name in Kafka, as hashes of what they say.
 *
 * @param object the hash of the object; {@link #ABSENT} if it is being deleted
 * @param row the hash of the newest row; {@link #absentSince} if there is none
 * @param common the hashes that the object and the row last had in common, or that the controller was about to write; empty if they
 *     never agreed
 * @param isMirror whether the controller created the object from the row
 * @param overwritten the hash of the row that a person wants the object to replace; empty for none
 */
record SyncSides(String object, String row, Set<String> common, boolean isMirror, String overwritten) {
    static final String ABSENT = "absent";

    /** Precedes the offset of a deletion. */
    private static final String DELETED = ABSENT + "-";

    SyncSides {
        common = Set.copyOf(common);
    }

    /**
     * Returns what stands for a row that is absent. Each deletion has a text of its own: a row that was deleted since is not as it was before.
     *
     * @param deletion the offset of the deletion; negative if none is known, because there was none or it was compacted away
     */
    static String absentSince(long deletion) {
        return deletion < 0 ? ABSENT : DELETED + deletion;
    }

    boolean isRowAbsent() {
        return isAbsence(row);
    }

    private static boolean isAbsence(String hash) {
        return hash.equals(ABSENT) || hash.startsWith(DELETED);
    }

    /** Whether the row has not been changed. What the controller created from a row had one, so an absent row was deleted. */
    private boolean isRowKnown() {
        if (common.isEmpty()) {
            return isRowAbsent() && !isMirror;
        }
        return common.contains(row) || (row.equals(ABSENT) && common.stream().anyMatch(SyncSides::isAbsence));
    }

    /**
     * Finds the action. A side that is as both last were has not been changed, so the other one wins. A row that was written past an
     * object of a person is never overwritten, because the person, or the Git repository behind the object, does not know of it.
     */
    SyncAction findAction() {
        if (object.equals(row) || (object.equals(ABSENT) && isRowAbsent())) {
            return SyncAction.NONE;
        }
        if (isRowKnown() || row.equals(overwritten)) {
            return object.equals(ABSENT) ? SyncAction.DELETE_ROW : SyncAction.WRITE_ROW;
        }
        if (object.equals(ABSENT) && common.isEmpty()) {
            return SyncAction.RELEASE_OBJECT;
        }
        if (isMirror && (common.isEmpty() || common.contains(object))) {
            return isRowAbsent() ? SyncAction.DELETE_OBJECT : SyncAction.UPDATE_OBJECT;
        }
        return SyncAction.SHOW_CONFLICT;
    }
}
