package dev.flotilla.auditor.wire;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The name of an attempt's only NodeUpgrade: {@code <machine>-<hash>-<attempt>}, with at most 40 characters of the
 * machine's name, no separator at their end, and 8 digits of the SHA-256 of the machine's uid and the target.
 */
public final class NodeUpgradeName {
    private static final int MAX_MACHINE = 40;
    private static final int HASH_BYTES = 4;

    private NodeUpgradeName() {}

    /** Returns the name for a machine's id, {@code site/namespace/name}. */
    public static String of(String machine, String uid, String target, long attempt) {
        String name = machine.substring(machine.lastIndexOf('/') + 1);
        String start = name.substring(0, Math.min(name.length(), MAX_MACHINE)).replaceAll("[-.]+$", "");
        return start + "-" + hash(uid + target) + "-" + attempt;
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
