package dev.flotilla.schemas.id;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules for names. Each rule returns what is wrong with a value, or null. */
public final class NameValidator {
    /** Names that mean something as keys, and therefore name no site and no campaign. */
    public static final List<String> RESERVED = List.of("fleet", "site", "policy", "zone");

    public static final int MAX_LABEL = 63;
    public static final int MAX_SUBDOMAIN = 253;

    private NameValidator() {}

    /** A DNS label (RFC 1123) that is not reserved: the form of a site's and a campaign's name. */
    public static @Nullable String problemOfOwnName(String value) {
        if (RESERVED.contains(value)) {
            return "is reserved";
        }
        return problemOfLabel(value);
    }

    /** A DNS label (RFC 1123): lower-case letters, digits and '-', at most 63. */
    public static @Nullable String problemOfLabel(String value) {
        return value.length() > MAX_LABEL || !isDnsLabel(value, 0, value.length())
                ? "must be 1 to 63 lower-case letters, digits or '-', beginning and ending with a letter or digit"
                : null;
    }

    /** A DNS subdomain (RFC 1123): labels joined by dots, at most 253. The form of a Kubernetes object's name. */
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
