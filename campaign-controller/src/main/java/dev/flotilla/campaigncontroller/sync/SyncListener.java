package dev.flotilla.campaigncontroller.sync;

/** Receives what the controller has done, and what has failed. */
public interface SyncListener {
    /**
     * A pass over all objects has ended.
     *
     * @param conflicts how many of them differ from Kafka until a person decides
     */
    void passEnded(int objects, int conflicts);

    /**
     * Another controller works; this one waits.
     *
     * @param holder its name; empty if it is not known yet
     */
    void otherWorks(String holder);

    /** A row, an order or a tombstone was written to Kafka. */
    void rowWritten(String key);

    /** Kafka could not be read or written. */
    void kafkaFailed(String reason, String detail);

    /** Objects of a kind could not be listed. */
    void listFailed(String kinds, String reason);

    /** An object could not be written. */
    void objectFailed(String object, String reason);

    /** A bug has kept an object, or the object of a row, from its next step. The others go on. */
    void reconcileFailed(String object, RuntimeException bug);

    /** A bug has ended the loop. */
    void loopFailed(Throwable bug);
}
