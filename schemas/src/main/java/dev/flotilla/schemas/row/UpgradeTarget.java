package dev.flotilla.schemas.row;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to upgrade to, as in annotations: {@code channel=}, {@code revision=} or {@code localPath=} of a snap, {@code version=}
 * of Kubernetes, or {@code spec=}, the hash of a machine's description. {@link UpgradeProvider} says who applies which.
 */
public sealed interface UpgradeTarget {
    int MAX_LENGTH = 4096;

    /** Returns the target exactly as written in annotations; targets are equal if these texts are equal. */
    String text();

    /** A snap channel: the newest revision in it at the time of the refresh. */
    record Channel(String channel) implements UpgradeTarget {
        @Override
        public String text() {
            return "channel=" + channel;
        }

        @Override
        public String toString() {
            return text();
        }
    }

    /** One revision of the snap. */
    record Revision(String revision) implements UpgradeTarget {
        @Override
        public String text() {
            return "revision=" + revision;
        }

        @Override
        public String toString() {
            return text();
        }
    }

    /** A snap file on the node. */
    record LocalPath(String path) implements UpgradeTarget {
        @Override
        public String text() {
            return "localPath=" + path;
        }

        public boolean isBelow(List<String> directories) {
            return directories.stream().anyMatch(directory -> path.startsWith(directory + "/"));
        }

        @Override
        public String toString() {
            return text();
        }
    }

    /** A version of Kubernetes with its leading v, as a kubelet shows it. */
    record KubernetesRelease(String version) implements UpgradeTarget {
        @Override
        public String text() {
            return "version=" + version;
        }

        @Override
        public String toString() {
            return text();
        }
    }

    /** A machine as an UpgradeTask describes it, by the hash of the description, which stays in the management cluster. */
    record MachineSpecHash(String hash) implements UpgradeTarget {
        @Override
        public String text() {
            return "spec=" + hash;
        }

        @Override
        public String toString() {
            return text();
        }
    }

    /** Whether it matches one of the patterns, in which * is any text and ? any character; true if there are no patterns. */
    default boolean matches(List<String> patterns) {
        return patterns.isEmpty() || patterns.stream().anyMatch(pattern -> matches(pattern, text()));
    }

    private static boolean matches(String pattern, String text) {
        int at = 0;
        int in = 0;
        int star = -1;
        int resume = 0;
        while (in < text.length()) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                resume = in;
            } else if (at < pattern.length() && (pattern.charAt(at) == '?' || pattern.charAt(at) == text.charAt(in))) {
                at++;
                in++;
            } else if (star >= 0) {
                at = star + 1;
                in = ++resume;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }

    /** The words that a target may begin with, before its '='. */
    static List<String> kinds() {
        return UpgradeTargetValidator.KINDS;
    }

    /** Returns the problem of a target pattern, or null: a pattern must begin with a kind of target. */
    static @Nullable String problemOfPattern(String pattern) {
        return UpgradeTargetValidator.KINDS.contains(pattern.substring(0, Math.max(0, pattern.indexOf('='))))
                ? null
                : UpgradeTargetValidator.KIND_RULE + "; * stands for any text, ? for any character";
    }

    /** Returns the problem of a target's text, or null. */
    static @Nullable String problemOf(String text) {
        int equals = text.indexOf('=');
        if (equals < 0 || text.indexOf('=', equals + 1) >= 0) {
            return UpgradeTargetValidator.FORM_RULE;
        }
        String value = text.substring(equals + 1);
        return switch (text.substring(0, equals)) {
            case "channel" -> UpgradeTargetValidator.problemOfChannel(value);
            case "revision" -> UpgradeTargetValidator.problemOfRevision(value);
            case "localPath" -> UpgradeTargetValidator.problemOfPath(value);
            case "version" -> UpgradeTargetValidator.problemOfVersion(value);
            case "spec" -> UpgradeTargetValidator.problemOfHash(value);
            default -> UpgradeTargetValidator.KIND_RULE;
        };
    }

    /** Returns the problem of a directory below which local paths may point, or null. */
    static @Nullable String problemOfDirectory(String path) {
        return UpgradeTargetValidator.problemOfPath(path);
    }

    /** Parses a target; the text must have no problem. */
    static UpgradeTarget parse(String text) {
        String problem = problemOf(text);
        if (problem != null) {
            throw new IllegalArgumentException("target \"" + text + "\" " + problem);
        }
        int equals = text.indexOf('=');
        String value = text.substring(equals + 1);
        return switch (text.substring(0, equals)) {
            case "channel" -> new Channel(value);
            case "revision" -> new Revision(value);
            case "version" -> new KubernetesRelease(value);
            case "spec" -> new MachineSpecHash(value);
            default -> new LocalPath(value);
        };
    }
}
