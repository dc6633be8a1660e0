package dev.flotilla.schemas.id;

import dev.flotilla.schemas.topic.Table;

/** A row's place: its table and its key there. */
public record RowKey(Table table, EntityKey key) {
    @Override
    public String toString() {
        return table.label() + ":" + key;
    }
}
