package dev.flotilla.schemas.row;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules for the value of an upgrade target. They are strict because the value becomes an argument of a command run as root. */
final class UpgradeTargetValidator {
    /** What a target may begin with, before its '='. */
    static final List<String> KINDS = List.of("channel", "revision", "localPath", "version", "spec");

    static final String KIND_RULE = "must begin with channel=, revision=, localPath=, version= or spec=";
    static final String FORM_RULE = "must be channel=<channel>, revision=<revision>, localPath=<absolute path>,"
            + " version=v<major>.<minor>.<patch> or spec=sha256:<hash>, with one '='";

    private static final int MAX_CHANNEL = 100;
    private static final int MAX_REVISION = 10;
    private static final int MAX_VERSION = 64;
    private static final int NUMBERS_OF_VERSION = 3;
    private static final String HASH_PREFIX = "sha256:";
    private static final int HASH_DIGITS = 64;

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

    static @Nullable String problemOfVersion(String value) {
        return value.length() <= MAX_VERSION && value.startsWith("v") && isVersion(value)
                ? null
                : "must be a Kubernetes version with its leading v, such as v1.36.3 or v1.36.3+k3s1: three numbers,"
                        + " then -<suffix> or +<build> of letters, digits, '.' and '-', at most " + MAX_VERSION
                        + " characters";
    }

    private static boolean isVersion(String value) {
        int at = 0;
        for (int number = 0; number < NUMBERS_OF_VERSION; number++) {
            int from = at + 1;
            at = pastDigits(value, from);
            boolean last = number == NUMBERS_OF_VERSION - 1;
            boolean padded = at > from + 1 && value.charAt(from) == '0';
            if (at == from || padded || (!last && (at == value.length() || value.charAt(at) != '.'))) {
                return false;
            }
        }
        at = at < value.length() && value.charAt(at) == '-' ? pastSuffix(value, at) : at;
        at = at > 0 && at < value.length() && value.charAt(at) == '+' ? pastSuffix(value, at) : at;
        return at == value.length();
    }

    private static int pastDigits(String value, int from) {
        int end = from;
        while (end < value.length() && value.charAt(end) >= '0' && value.charAt(end) <= '9') {
            end++;
        }
        return end;
    }

    /** The index after a suffix that begins with a sign; -1 if nothing follows the sign. */
    private static int pastSuffix(String value, int sign) {
        int end = sign + 1;
        while (end < value.length()
                && (isWord(value.charAt(end)) || value.charAt(end) == '.' || value.charAt(end) == '-')) {
            end++;
        }
        return end == sign + 1 ? -1 : end;
    }

    static @Nullable String problemOfHash(String value) {
        boolean good = value.startsWith(HASH_PREFIX) && value.length() == HASH_PREFIX.length() + HASH_DIGITS;
        for (int i = HASH_PREFIX.length(); good && i < value.length(); i++) {
            char c = value.charAt(i);
            good = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        }
        return good
                ? null
                : "must be the hash of a machine's description: " + HASH_PREFIX + " and " + HASH_DIGITS
                        + " hexadecimal digits in lower case";
    }

    private static boolean isWord(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
