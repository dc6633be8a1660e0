package dev.flotilla.auditor.json;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A value of JSON. Equal values are equal whatever the order of an object's members. */
public sealed interface Json {
    /** An object; {@code null} members are left out, as absent ones are. */
    record Obj(Map<String, Json> members) implements Json {
        public static final Obj EMPTY = new Obj(Map.of());

        public @Nullable Json get(String name) {
            return members.get(name);
        }
    }

    /** An array. */
    record Arr(List<Json> items) implements Json {}

    /** A text. */
    record Text(String value) implements Json {}

    /** A number, as its digits stand there. */
    record Num(String digits) implements Json {}

    /** True or false. */
    record Flag(boolean value) implements Json {}

    /** Null. */
    record Null() implements Json {}
}
