package dev.flotilla.schemas.id;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules for names. Each rule returns the problem of a value, or null. */
public final class NameValidator {
    /** Names that have a meaning in keys, so that no site or campaign can have them. */
    public static final List<String> RESERVED = List.of("fleet", "site", "policy", "zone");

    public static final int MAX_LABEL = 63;
    public static final int MAX_SUBDOMAIN = 253;

    private NameValidator() {}

    /** The rule for names of sites and campaigns: a DNS label (RFC 1123) that is not reserved. */
    public static @Nullable String problemOfOwnName(String value) {
        if (RESERVED.contains(value)) {
            return "is a reserved name";
        }
        return problemOfLabel(value);
    }

    /** The rule for a DNS label (RFC 1123): lower-case letters, digits and '-', at most 63 characters. */
    public static @Nullable String problemOfLabel(String value) {
        return value.length() > MAX_LABEL || !isDnsLabel(value, 0, value.length())
                ? "must be 1 to 63 lower-case letters, digits or '-', beginning and ending with a letter or digit"
                : null;
    }

    /** The rule for names of Kubernetes objects: a DNS subdomain (RFC 1123), labels joined by dots, at most 253 characters. */
    public static @Nullable String problemOfSubdomain(String value) {
        boolean good = !value.isEmpty() && value.length() <= MAX_SUBDOMAIN;
        int from = 0;
        while (good && from <= value.length()) {
            int dot = value.indexOf('.', from);
            int to = dot < 0 ? value.length() : dot;
            good = isDnsLabel(value, from, to);
            from = to + 1;
        }
        return good
                ? null
                : "must be a Kubernetes name: lower-case letters, digits, '-' and '.', at most 253 characters";
    }

    static void require(@Nullable String problem, String what, String value) {
        if (problem != null) {
            throw new IllegalArgumentException(what + " \"" + value + "\" " + problem);
        }
    }

    private static boolean isDnsLabel(String value, int from, int to) {
        if (from >= to) {
            return false;
        }
        for (int i = from; i < to; i++) {
            char c = value.charAt(i);
            boolean alphanumeric = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            boolean inner = i > from && i < to - 1;
            if (!alphanumeric && !(inner && c == '-')) {
                return false;
            }
        }
        return true;
    }
}
