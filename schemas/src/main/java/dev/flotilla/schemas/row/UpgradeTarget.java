package dev.flotilla.schemas.row;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What to upgrade to, as in annotations: {@code channel=}, {@code revision=} or {@code localPath=}. */
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

    /** Returns the problem of a target pattern, or null: a pattern must begin with a kind of target. */
    static @Nullable String problemOfPattern(String pattern) {
        return pattern.startsWith("channel=") || pattern.startsWith("revision=") || pattern.startsWith("localPath=")
                ? null
                : "must begin with channel=, revision= or localPath=; * stands for any text, ? for any character";
    }

    /** Returns the problem of a target's text, or null. */
    static @Nullable String problemOf(String text) {
        int equals = text.indexOf('=');
        if (equals < 0 || text.indexOf('=', equals + 1) >= 0) {
            return "must be channel=<channel>, revision=<revision> or localPath=<absolute path>, with one '='";
        }
        String value = text.substring(equals + 1);
        return switch (text.substring(0, equals)) {
            case "channel" -> UpgradeTargetValidator.problemOfChannel(value);
            case "revision" -> UpgradeTargetValidator.problemOfRevision(value);
            case "localPath" -> UpgradeTargetValidator.problemOfPath(value);
            default -> "must begin with channel=, revision= or localPath=";
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
            default -> new LocalPath(value);
        };
    }
}
