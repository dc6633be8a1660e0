package dev.flotilla.core.fleet.inventory;

import java.util.List;

/**
 * Recognizes system UUIDs and provider ids that identify no node: some boards share one UUID, and some providers number
 * per cluster.
 */
final class PlaceholderNodeIds {
    /** UUIDs that boards are shipped with. */
    private static final List<String> UUIDS = List.of(
            "03000200-0400-0500-0006-000700080009",
            "00020003-0004-0005-0006-000700080009",
            "12345678-1234-5678-90ab-cddeefaabbcc",
            "not-specified",
            "not specified",
            "not settable",
            "not available",
            "none",
            "to be filled by o.e.m.",
            "default string");

    /** Providers whose ids are unique within one management cluster at most. */
    private static final List<String> SCHEMES = List.of(
            "docker", "inmemory", "k3s", "kind", "kubemark", "kwok", "remote-machine", "static", "byoh", "host");

    private PlaceholderNodeIds() {}

    static boolean isPlaceholder(String identity) {
        String text = identity.strip();
        int colon = text.indexOf("://");
        if (colon >= 0) {
            return containsIgnoringCase(SCHEMES, text.substring(0, colon));
        }
        return isOneDigit(text) || containsIgnoringCase(UUIDS, text);
    }

    private static boolean containsIgnoringCase(List<String> texts, String wanted) {
        for (String text : texts) {
            if (text.equalsIgnoreCase(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a text consists of one repeated digit. */
    private static boolean isOneDigit(String text) {
        int first = -1;
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each != '-') {
                if (first >= 0 && each != first) {
                    return false;
                }
                first = each;
            }
        }
        return true;
    }
}
