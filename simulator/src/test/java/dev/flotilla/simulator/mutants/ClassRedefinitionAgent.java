package dev.flotilla.simulator.mutants;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import org.jspecify.annotations.Nullable;

/** A Java agent that replaces the code of loaded classes in a JVM that tests mutants. */
public final class ClassRedefinitionAgent {
    private static @Nullable Instrumentation instrumentation;

    private ClassRedefinitionAgent() {}

    public static void premain(@Nullable String arguments, Instrumentation agent) {
        instrumentation = agent;
    }

    static void redefine(Class<?> type, byte[] code) {
        Instrumentation agent = instrumentation;
        if (agent == null) {
            throw new IllegalStateException("this JVM was started without -javaagent, so classes cannot be redefined");
        }
        try {
            agent.redefineClasses(new ClassDefinition(type, code));
        } catch (ClassNotFoundException | UnmodifiableClassException e) {
            throw new IllegalStateException(type + " cannot be redefined", e);
        }
    }
}
