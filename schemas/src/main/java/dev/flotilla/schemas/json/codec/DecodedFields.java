package dev.flotilla.schemas.json.codec;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The decoded fields of a JSON object, for the constructor of its record. */
public final class DecodedFields {
    private final @Nullable Object[] slots;

    DecodedFields(@Nullable Object[] slots) {
        this.slots = slots;
    }

    /** Returns the value of a required field. */
    @SuppressWarnings("unchecked") // The slot was filled by this field's codec.
    public <T> T get(JsonObjectField.NonNullField<?, T> field) {
        return (T) Objects.requireNonNull(slots[field.index]);
    }

    /** Returns the value of an optional field; null if it is absent. */
    @SuppressWarnings("unchecked") // The slot was filled by this field's codec.
    public <T> @Nullable T get(JsonObjectField.NullableField<?, T> field) {
        return (T) slots[field.index];
    }
}
