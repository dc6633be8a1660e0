package dev.flotilla.schemas.id;

/** The place of a record in the journal, which is a log and has no keys. */
public record JournalKey(long seq) implements EntityKey {
    @Override
    public String toString() {
        return Long.toString(seq);
    }
}
