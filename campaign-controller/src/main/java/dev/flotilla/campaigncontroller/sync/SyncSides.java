package dev.flotilla.campaigncontroller.sync;

import java.util.Set;

/**
 * An object and the row of the same name in Kafka, as hashes of what they say.
 *
 * @param object the hash of the object; {@link #ABSENT} if it is being deleted
 * @param row the hash of the newest row; {@link #ABSENT} if there is none
 * @param common the hashes that the object and the row last had in common, or that the controller was about to write; empty if they
 *     never agreed
 * @param isMirror whether the controller created the object from the row
 * @param overwritten the hash of the row that a person wants the object to replace; empty for none
 */
record SyncSides(String object, String row, Set<String> common, boolean isMirror, String overwritten) {
    static final String ABSENT = "absent";

    SyncSides {
        common = Set.copyOf(common);
    }

    /**
     * Finds the action. A side that is as both last were has not been changed, so the other one wins. A row that was written past an
     * object of a person is never overwritten, because the person, or the Git repository behind the object, does not know of it.
     */
    SyncAction findAction() {
        if (object.equals(row)) {
            return SyncAction.NONE;
        }
        boolean isRowKnown = common.isEmpty() ? row.equals(ABSENT) : common.contains(row);
        if (isRowKnown || row.equals(overwritten)) {
            return object.equals(ABSENT) ? SyncAction.DELETE_ROW : SyncAction.WRITE_ROW;
        }
        if (object.equals(ABSENT) && common.isEmpty()) {
            return SyncAction.RELEASE_OBJECT;
        }
        if (isMirror && (common.isEmpty() || common.contains(object))) {
            return row.equals(ABSENT) ? SyncAction.DELETE_OBJECT : SyncAction.UPDATE_OBJECT;
        }
        return SyncAction.SHOW_CONFLICT;
    }
}
