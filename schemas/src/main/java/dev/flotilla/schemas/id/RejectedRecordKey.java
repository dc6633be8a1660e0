package dev.flotilla.schemas.id;

/** Where a record that could not be taken stands: a table's topic, its partition, and the key as it was written. */
public record RejectedRecordKey(String topic, int partition, String key) implements EntityKey {
    @Override
    public String toString() {
        return topic + "/" + partition + "/" + key;
    }
}
