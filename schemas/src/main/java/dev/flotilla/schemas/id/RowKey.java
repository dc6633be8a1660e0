package dev.flotilla.schemas.id;

/** The table of a row and its key there. */
public record RowKey(Table table, EntityKey key) {
    @Override
    public String toString() {
        return table.label() + ":" + key;
    }
}
