package dev.flotilla.schemas.id;

/** The key of a rejected record's row: the record's topic, its partition, and its key as written. */
public record RejectedRecordKey(String topic, int partition, String key) implements EntityKey {
    @Override
    public String toString() {
        return topic + "/" + partition + "/" + key;
    }
}
