package dev.flotilla.simulator.mutants;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import org.jspecify.annotations.Nullable;

/** The agent of a JVM that judges: puts other code into a class that is loaded. */
public final class ClassRedefinitionAgent {
    private static @Nullable Instrumentation instrumentation;

    private ClassRedefinitionAgent() {}

    public static void premain(@Nullable String arguments, Instrumentation given) {
        instrumentation = given;
    }

    static void redefine(Class<?> type, byte[] code) {
        Instrumentation given = instrumentation;
        if (given == null) {
            throw new IllegalStateException("this JVM was started without -javaagent");
        }
        try {
            given.redefineClasses(new ClassDefinition(type, code));
        } catch (ClassNotFoundException | UnmodifiableClassException e) {
            throw new IllegalStateException(type + " cannot be redefined", e);
        }
    }
}
