package dev.flotilla.rules;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** JDK calls that can make two runs of one computation differ. */
final class NondeterministicCalls {

    private NondeterministicCalls() {}

    static boolean isFloating(JavaClass type) {
        return Stream.of(double.class, float.class, Double.class, Float.class)
                .anyMatch(type.getBaseComponentType()::isEquivalentTo);
    }

    static boolean isFloatingMath(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        return (owner.isEquivalentTo(Math.class) || owner.isEquivalentTo(StrictMath.class))
                && access.getTarget() instanceof CodeUnitAccessTarget target
                && (isFloating(target.getRawReturnType())
                        || target.getRawParameterTypes().stream().anyMatch(NondeterministicCalls::isFloating));
    }

    static boolean makesSaltedCollection(JavaAccess<?> access) {
        return switch (access.getTargetOwner().getName() + "." + access.getName()) {
            case "java.util.Set.of",
                    "java.util.Set.copyOf",
                    "java.util.Map.of",
                    "java.util.Map.ofEntries",
                    "java.util.Map.copyOf" -> true;
            default -> false;
        };
    }

    /** A collector without a supplier makes a hash collection. */
    static boolean collectsByHash(JavaAccess<?> access) {
        if (!access.getTargetOwner().isEquivalentTo(Collectors.class)) {
            return false;
        }
        return switch (access.getName()) {
            case "toSet", "toUnmodifiableSet", "toUnmodifiableMap" -> true;
            case "toMap" -> parameters(access).size() < 4;
            case "groupingBy" -> parameters(access).size() < 3;
            default -> access.getName().contains("Concurrent");
        };
    }

    /** Our own `hashCode` methods may use identity, because no code may iterate in hash order. */
    static boolean mayHashIdentity(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        if (access.getOrigin().getName().equals("hashCode")) {
            return false;
        }
        return switch (access.getName()) {
            case "hashCode" ->
                owner.isEquivalentTo(Object.class)
                        || owner.isEquivalentTo(Objects.class)
                        || owner.isAssignableTo(Enum.class);
            case "hash" -> owner.isEquivalentTo(Objects.class);
            default -> false;
        };
    }

    static boolean usesDefaultLocale(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        if (owner.isEquivalentTo(Locale.class)) {
            return access.getName().equals("getDefault");
        }
        if (!owner.isEquivalentTo(String.class)) {
            return owner.getName().equals("java.util.Formatter");
        }
        return switch (access.getName()) {
            case "toLowerCase", "toUpperCase", "getBytes" -> parameters(access).isEmpty();
            case "format" -> parameters(access).getFirst().isEquivalentTo(String.class);
            case "formatted" -> true;
            default -> false;
        };
    }

    private static List<JavaClass> parameters(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitAccessTarget target ? target.getRawParameterTypes() : List.of();
    }
}
