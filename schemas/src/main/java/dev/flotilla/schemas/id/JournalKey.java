package dev.flotilla.schemas.id;

/** The seq of a journal record. The journal is a log, so its records have no Kafka keys. */
public record JournalKey(long seq) implements EntityKey {
    @Override
    public String toString() {
        return Long.toString(seq);
    }
}
