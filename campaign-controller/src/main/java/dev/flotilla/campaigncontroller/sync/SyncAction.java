package dev.flotilla.campaigncontroller.sync;

/** What makes an object and the row of the same name in Kafka agree. */
enum SyncAction {
    /** They agree. */
    NONE,
    WRITE_ROW,
    DELETE_ROW,
    UPDATE_OBJECT,
    DELETE_OBJECT,
    /** The object is being deleted, and its row stays: it was never the object's. */
    RELEASE_OBJECT,
    /** Both were changed. A person decides. */
    SHOW_CONFLICT
}
