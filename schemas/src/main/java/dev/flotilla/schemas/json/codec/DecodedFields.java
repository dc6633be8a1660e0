package dev.flotilla.schemas.json.codec;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What was read of a record's fields, for the constructor. */
public final class DecodedFields {
    private final @Nullable Object[] slots;

    DecodedFields(@Nullable Object[] slots) {
        this.slots = slots;
    }

    /** The value of a field that is there. */
    @SuppressWarnings("unchecked") // The slot was filled by this very field's codec.
    public <T> T get(JsonObjectField.NonNullField<?, T> field) {
        return (T) Objects.requireNonNull(slots[field.index]);
    }

    /** The value of a field that may be absent. */
    @SuppressWarnings("unchecked") // The slot was filled by this very field's codec.
    public <T> @Nullable T get(JsonObjectField.NullableField<?, T> field) {
        return (T) slots[field.index];
    }
}
