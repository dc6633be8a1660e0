package dev.flotilla.schemas.json.codec;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What was read of a record's fields, for the constructor. */
public final class Values {
    private final @Nullable Object[] slots;

    Values(@Nullable Object[] slots) {
        this.slots = slots;
    }

    /** The value of a field that is there. */
    @SuppressWarnings("unchecked") // The slot was filled by this very field's codec.
    public <T> T get(Field.Given<?, T> field) {
        return (T) Objects.requireNonNull(slots[field.index]);
    }

    /** The value of a field that may be absent. */
    @SuppressWarnings("unchecked") // The slot was filled by this very field's codec.
    public <T> @Nullable T get(Field.Maybe<?, T> field) {
        return (T) slots[field.index];
    }
}
