package dev.flotilla.testkit.cert;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The few DER encodings that a certificate needs. The JDK reads certificates but has no public API to create one;
 * {@code keytool} needs four processes for each, and a cryptography library would serve only this purpose.
 */
final class DerEncoder {
    private static final int LONG_FORM = 0x80;
    private static final int BYTE = 8;
    private static final int BYTE_MASK = 0xff;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private DerEncoder() {}

    static byte[] sequence(byte[]... parts) {
        return of(0x30, join(parts));
    }

    static byte[] set(byte[]... parts) {
        return of(0x31, join(parts));
    }

    /** A numbered field around a complete value. */
    static byte[] explicit(int number, byte[] content) {
        return of(0xa0 | number, content);
    }

    /** A numbered field that replaces the value's own tag. */
    static byte[] implicit(int number, byte[] content) {
        return of(0x80 | number, content);
    }

    static byte[] integer(BigInteger value) {
        return of(0x02, value.toByteArray());
    }

    static byte[] booleanTrue() {
        return of(0x01, new byte[] {(byte) BYTE_MASK});
    }

    static byte[] octets(byte[] content) {
        return of(0x04, content);
    }

    static byte[] bits(byte[] content) {
        return of(0x03, join(new byte[] {0}, content));
    }

    static byte[] text(String text) {
        return of(0x0c, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] time(Instant instant) {
        return of(0x18, TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
    }

    /** An object identifier, given as its encoded bytes. */
    static byte[] identifier(int... content) {
        byte[] bytes = new byte[content.length];
        for (int i = 0; i < content.length; i++) {
            bytes[i] = (byte) content[i];
        }
        return of(0x06, bytes);
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] of(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < LONG_FORM) {
            out.write(content.length);
        } else {
            int bytes = content.length > BYTE_MASK ? 2 : 1;
            out.write(LONG_FORM | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                out.write(content.length >> (i * BYTE));
            }
        }
        out.writeBytes(content);
        return out.toByteArray();
    }
}
