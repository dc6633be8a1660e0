package dev.flotilla.tracing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The file with the headers of requests. It is read for each request, because a token is replaced from time to time. While it cannot be
 * read, the headers that were read before are sent.
 */
final class RequestHeadersFile {
    private static final int MAX_BYTES = 16_384;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}");
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]{1,8192}");

    private final Path file;
    private volatile Map<String, String> lastRead;

    private RequestHeadersFile(Path file, Map<String, String> lastRead) {
        this.file = file;
        this.lastRead = lastRead;
    }

    /** Opens a file, which must be valid now. */
    static RequestHeadersFile open(Path file) throws IOException {
        return new RequestHeadersFile(file, read(file));
    }

    /** Returns the headers of the next request. */
    Map<String, String> headers() {
        try {
            lastRead = read(file);
        } catch (IOException replaced) {
            // It may be replaced at this moment. A collector that does not accept the old token says so.
            return lastRead;
        }
        return lastRead;
    }

    /** Reads the headers. No message contains a line of the file. */
    private static Map<String, String> read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("tracing.headersFile " + file + " has more than " + MAX_BYTES + " bytes");
        }
        Map<String, String> headers = new TreeMap<>();
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty()) {
                continue;
            }
            int colon = line.indexOf(':');
            String name = colon < 0 ? "" : line.substring(0, colon).strip();
            String value = colon < 0 ? "" : line.substring(colon + 1).strip();
            if (!NAME.matcher(name).matches() || !VALUE.matcher(value).matches()) {
                throw new IOException("tracing.headersFile " + file + ", line " + (i + 1)
                        + ": must be a header, such as Authorization: Bearer TOKEN");
            }
            headers.put(name, value);
        }
        return Map.copyOf(headers);
    }
}
