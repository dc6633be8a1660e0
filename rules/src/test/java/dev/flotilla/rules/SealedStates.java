package dev.flotilla.rules;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.WorkerCommand;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the sealed states that objects hold in their fields, whatever the fields are called. */
final class SealedStates {
    private static final String PREFIX = "dev.flotilla.";

    private SealedStates() {}

    /** The simple names of an object's state, of the state that this state holds, and so on. */
    static List<String> names(Object holder) {
        List<String> names = new ArrayList<>();
        Object state = stateIn(holder);
        while (state != null) {
            names.add(state.getClass().getSimpleName());
            state = stateWithin(state);
        }
        return names;
    }

    /** The name of the report that the outermost state holds; null if it holds none. */
    static @Nullable String reportName(Object holder) {
        Object state = stateIn(holder);
        for (Field field : state == null ? new Field[0] : state.getClass().getDeclaredFields()) {
            if (AttemptReport.class.isAssignableFrom(field.getType())) {
                return get(field, state).getClass().getSimpleName();
            }
        }
        return null;
    }

    /** The innermost sealed value of an input, such as the result of a call; otherwise the input's own name. */
    static String variantName(Object input) {
        for (Field field : input.getClass().getDeclaredFields()) {
            if (field.getType().isSealed()
                    && !WorkerCommand.class.equals(field.getType())
                    && !AttemptReport.class.equals(field.getType())) {
                return get(field, input).getClass().getSimpleName();
            }
        }
        return input.getClass().getSimpleName();
    }

    /** The state of an object with everything in it, and the flags beside it; objects of one fingerprint act alike. */
    static String fingerprint(Object holder) {
        return describe(stateIn(holder)) + flags(holder, 1);
    }

    /** Which fields are null or true; also in the objects that an object holds. */
    private static String flags(@Nullable Object object, int depth) {
        if (object == null || object instanceof Boolean) {
            return String.valueOf(object);
        }
        StringBuilder text = new StringBuilder();
        for (Field field : object.getClass().getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())
                    && object.getClass().getName().startsWith(PREFIX)) {
                Object value = getOrNull(field, object);
                text.append(
                                depth > 0
                                        ? flags(value, depth - 1)
                                        : value == null || value instanceof Boolean ? value : "")
                        .append(',');
            }
        }
        return text.toString();
    }

    /** Everything that an object holds except times and texts, which differ without making a difference. */
    private static String describe(@Nullable Object object) {
        if (object == null || object instanceof Boolean || object instanceof Enum) {
            return String.valueOf(object);
        }
        if (object instanceof WorkerCommand.UpgradeMachine machine) {
            return machine.role() + " " + machine.leaseExpiresAt().equals(Instant.EPOCH)
                    + machine.checks().afterCall().isEmpty();
        }
        if (object instanceof AttemptReport) {
            return object.getClass().getSimpleName();
        }
        StringBuilder text = new StringBuilder(object.getClass().getSimpleName());
        if (object.getClass().getName().startsWith(PREFIX)) {
            for (Field field : object.getClass().getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    text.append('(').append(describe(getOrNull(field, object))).append(')');
                }
            }
        }
        return text.toString();
    }

    private static @Nullable Object stateWithin(Object state) {
        Object inner = stateIn(state);
        for (Field field : state.getClass().getDeclaredFields()) {
            if (inner == null
                    && field.getType().getName().startsWith(PREFIX)
                    && !field.getType().isInterface()) {
                inner = stateIn(get(field, state));
            }
        }
        return inner;
    }

    private static @Nullable Object stateIn(Object holder) {
        for (Field field : holder.getClass().getDeclaredFields()) {
            if (field.getType().isSealed() && field.getType().getSimpleName().endsWith("State")) {
                return get(field, holder);
            }
        }
        return null;
    }

    private static Object get(Field field, Object holder) {
        Object value = getOrNull(field, holder);
        if (value == null) {
            throw new IllegalStateException(field + " is null");
        }
        return value;
    }

    private static @Nullable Object getOrNull(Field field, Object holder) {
        try {
            field.setAccessible(true);
            return field.get(holder);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(field.toString(), e);
        }
    }
}
