package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/** Rules for the value of an upgrade target. They are strict because the value becomes an argument of a command run as root. */
final class UpgradeTargetValidator {
    private static final int MAX_CHANNEL = 100;
    private static final int MAX_REVISION = 10;

    private UpgradeTargetValidator() {}

    static @Nullable String problemOfChannel(String value) {
        int slashes = 0;
        boolean good = !value.isEmpty() && value.length() <= MAX_CHANNEL && isWord(value.charAt(0));
        for (int i = 0; good && i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '/') {
                slashes++;
                good = i + 1 < value.length() && value.charAt(i - 1) != '/';
            } else {
                good = isWord(c) || c == '.' || c == '-' || c == '_' || c == '+';
            }
        }
        return good && slashes <= 2
                ? null
                : "must name a channel such as 1.33-classic/stable: at most three parts of letters, digits, '.', '-', '_'"
                        + " or '+'";
    }

    static @Nullable String problemOfRevision(String value) {
        int from = value.startsWith("x") ? 1 : 0;
        boolean good = value.length() > from && value.length() <= MAX_REVISION && value.charAt(from) != '0';
        for (int i = from; good && i < value.length(); i++) {
            good = value.charAt(i) >= '0' && value.charAt(i) <= '9';
        }
        return good ? null : "must be a snap revision such as 3421 or x1";
    }

    static @Nullable String problemOfPath(String value) {
        if (!value.startsWith("/")) {
            return "must be an absolute path";
        }
        if (value.length() > UpgradeTarget.MAX_LENGTH) {
            return "must be at most " + UpgradeTarget.MAX_LENGTH + " characters";
        }
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                return "must have no control characters";
            }
        }
        int from = 1;
        while (from <= value.length()) {
            int slash = value.indexOf('/', from);
            int to = slash < 0 ? value.length() : slash;
            String part = value.substring(from, to);
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                return "must be a normalised path: no empty part, '.' or '..', and no '/' at its end";
            }
            from = to + 1;
        }
        return null;
    }

    private static boolean isWord(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
