package dev.flotilla.schemas.row;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What to upgrade to, in the words of the annotation: {@code channel=}, {@code revision=} or {@code localPath=}. */
public sealed interface UpgradeTarget {
    int MAX_LENGTH = 4096;

    /** The option exactly as it is written in annotations; equality of options is equality of these texts. */
    String text();

    /** A snap channel: the newest revision there, whatever it is when the node asks. */
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

    /** A snap file that is on the node already. */
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

    /** Whether it matches one of some patterns, in which * is any text and ? any character; without patterns it does. */
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

    /** What is wrong with a pattern of options, or null: it has to say of which kind they are. */
    static @Nullable String problemOfPattern(String pattern) {
        return pattern.startsWith("channel=") || pattern.startsWith("revision=") || pattern.startsWith("localPath=")
                ? null
                : "must begin with channel=, revision= or localPath=; * stands for any text, ? for any character";
    }

    /** What is wrong with an option's text, or null. */
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

    /** What is wrong with a directory below which local paths may point, or null. */
    static @Nullable String problemOfDirectory(String path) {
        return UpgradeTargetValidator.problemOfPath(path);
    }

    /** The option that a text states; the text must have no problem. */
    static UpgradeTarget parse(String text) {
        String problem = problemOf(text);
        if (problem != null) {
            throw new IllegalArgumentException("option \"" + text + "\" " + problem);
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
