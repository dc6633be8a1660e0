package dev.flotilla.cli.support;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** Writes a compressed tar archive (ustar), file by file. All files are in one folder. */
final class TarGzipWriter implements AutoCloseable {
    private static final int BLOCK = 512;
    private static final int LONGEST_PATH = 100;
    private static final int LONGEST_FOLDER = 155;
    private static final int DEVICES_AND_OWNERS = 80;
    private static final int CHECKSUM_AT = 148;
    private static final int CHECKSUM_LENGTH = 8;

    private final String folder;
    private final GZIPOutputStream out;
    private boolean closed;

    TarGzipWriter(String folder, OutputStream out) throws IOException {
        this.folder = folder;
        this.out = new GZIPOutputStream(out);
    }

    void add(String path, byte[] content, Instant modified) throws IOException {
        out.write(header(path, content.length, modified));
        out.write(content);
        out.write(new byte[Math.floorMod(-content.length, BLOCK)]);
    }

    private byte[] header(String path, long size, Instant modified) {
        byte[] header = new byte[BLOCK];
        int at = 0;
        at = put(header, at, LONGEST_PATH, path);
        at = put(header, at, 8, "0000600\0");
        at = put(header, at, 8, "0000000\0");
        at = put(header, at, 8, "0000000\0");
        at = put(header, at, 12, octal(size));
        at = put(header, at, 12, octal(modified.getEpochSecond()));
        at = put(header, at, CHECKSUM_LENGTH, " ".repeat(CHECKSUM_LENGTH));
        at = put(header, at, 1, "0");
        at = put(header, at, LONGEST_PATH, "");
        at = put(header, at, 8, "ustar\00000");
        at = put(header, at, DEVICES_AND_OWNERS, "");
        put(header, at, LONGEST_FOLDER, folder);
        int sum = 0;
        for (byte each : header) {
            sum += Byte.toUnsignedInt(each);
        }
        put(header, CHECKSUM_AT, CHECKSUM_LENGTH, String.format(Locale.ROOT, "%06o\0 ", sum));
        return header;
    }

    private static int put(byte[] header, int at, int length, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > length) {
            throw new IllegalArgumentException(text + " is longer than " + length + " bytes");
        }
        System.arraycopy(bytes, 0, header, at, bytes.length);
        return at + length;
    }

    private static String octal(long number) {
        return String.format(Locale.ROOT, "%011o\0", number);
    }

    /** Ends the archive and closes the stream, once. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        out.write(new byte[2 * BLOCK]);
        out.close();
    }
}
