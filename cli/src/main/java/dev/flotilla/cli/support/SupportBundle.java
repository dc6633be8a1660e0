package dev.flotilla.cli.support;

import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a bundle as they are collected. All texts pass the redactor here. A part that cannot be read is listed with the reason,
 * and the others are read all the same.
 */
final class SupportBundle {
    private static final String MANIFEST = "manifest.json";
    private static final int LONGEST_NAME = 60;
    private static final int LONGEST_REASON = 2_000;

    private final TarGzipWriter archive;
    private final Instant createdAt;
    private final Terminal terminal;
    private SecretRedactor redactor = SecretRedactor.ofUnknownSecrets();
    private final List<BundlePart> parts = new ArrayList<>();
    private final List<MissingPart> missing = new ArrayList<>();

    /**
     * A part that is in the bundle.
     *
     * @param note what of it is missing, or what its source said; null for nothing
     */
    record BundlePart(
            String path,
            String content,
            long bytes,
            @Nullable String note) {}

    /** A part that could not be read. */
    record MissingPart(String path, String content, String reason) {}

    /** The text of a part, and a note about it. */
    record PartText(String text, @Nullable String note) {
        static PartText of(String text) {
            return new PartText(text, null);
        }

        static PartText of(JsonValue json) {
            return of(JsonFormatter.format(json));
        }
    }

    /** Reads a part. The message of its exception is the reason why it is missing. */
    @FunctionalInterface
    interface PartReader {
        PartText read() throws IOException;
    }

    SupportBundle(TarGzipWriter archive, Instant createdAt, Terminal terminal) {
        this.archive = archive;
        this.createdAt = createdAt;
        this.terminal = terminal;
    }

    /** Masks these secrets in all parts that follow. */
    void maskSecrets(Collection<String> secrets) {
        redactor = redactor.with(secrets);
    }

    /** Says what is read now. */
    void announce(String what) {
        terminal.note(redactor.redact(what) + " …");
    }

    /**
     * Reads a part and adds it.
     *
     * @param content what it has, for the manifest
     * @return whether it could be read
     */
    boolean add(String path, String content, PartReader reader) throws ArchiveException {
        PartText read;
        try {
            read = reader.read();
        } catch (IOException | RuntimeException failed) {
            // A bug in one reader must not cost the others: the bundle may be what helps to find it.
            addMissing(path, content, describe(failed));
            return false;
        }
        byte[] bytes = redactor.redact(read.text()).getBytes(StandardCharsets.UTF_8);
        write(path, bytes);
        parts.add(new BundlePart(
                path,
                redactor.redact(content),
                bytes.length,
                read.note() == null ? null : redactor.redact(read.note())));
        return true;
    }

    void addMissing(String path, String content, String reason) {
        String line = reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason;
        missing.add(new MissingPart(path, redactor.redact(content), redactor.redact(line)));
    }

    private static String describe(Exception failed) {
        String message = failed.getMessage();
        return (failed instanceof IOException || failed instanceof KafkaFailure) && message != null
                ? message
                : failed.getClass().getSimpleName() + (message == null ? "" : ": " + message);
    }

    private void write(String path, byte[] content) throws ArchiveException {
        try {
            archive.add(path, content, createdAt);
        } catch (IOException failed) {
            throw new ArchiveException(failed);
        }
    }

    /** Writes the list of all parts. Nothing can be added after it. */
    void writeManifest(String version) throws ArchiveException {
        JsonObjectReader manifest = new JsonObjectReader.Builder()
                .put("flotilla", version)
                .put("createdAt", createdAt.toString())
                .put(
                        "masked",
                        "Secrets that were recognised are replaced by " + SecretRedactor.MASK
                                + ". Look through the files before you send them.")
                .put(
                        "parts",
                        JsonFormatter.list(parts.stream()
                                .map(part -> new JsonObjectReader.Builder()
                                        .put("path", part.path())
                                        .put("content", part.content())
                                        .put("bytes", part.bytes())
                                        .put("note", JsonFormatter.text(part.note()))
                                        .build())
                                .toList()))
                .put(
                        "missing",
                        JsonFormatter.list(missing.stream()
                                .map(part -> new JsonObjectReader.Builder()
                                        .put("path", part.path())
                                        .put("content", part.content())
                                        .put("reason", part.reason())
                                        .build())
                                .toList()))
                .build();
        write(MANIFEST, JsonFormatter.format(manifest).getBytes(StandardCharsets.UTF_8));
    }

    int size() {
        return parts.size();
    }

    List<MissingPart> missing() {
        return missing;
    }

    /** Makes a name for a file of a part from any text. */
    static String fileName(String text) {
        return fileName(text, LONGEST_NAME);
    }

    static String fileName(String text, int longest) {
        String name = text.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[-.]+", "");
        String shown = name.isEmpty() ? "part" : name;
        String hash = "-" + Integer.toHexString(text.hashCode());
        return shown.length() <= longest ? shown : shown.substring(0, longest - hash.length()) + hash;
    }

    /** The archive itself cannot be written, so that there is no bundle. */
    static final class ArchiveException extends Exception {
        private static final long serialVersionUID = 1;

        ArchiveException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }
}
