package dev.flotilla.e2e.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * An image as its tar has it: an OCI layout, whose files are named by their sums.
 *
 * @param folder the unpacked tar
 */
record ImageLayout(Path folder) {

    /** Unpacks a tar below a folder, and checks the sum of each blob. */
    static ImageLayout unpack(Path tar, Path folder) throws IOException, NoSuchAlgorithmException {
        Files.createDirectories(folder);
        Programs.run("tar", "-xf", tar.toString(), "-C", folder.toString());
        try (var blobs = Files.list(folder.resolve("blobs/sha256"))) {
            for (Path blob : blobs.toList()) {
                assertThat(HexFormat.of()
                                .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(blob))))
                        .isEqualTo(blob.getFileName().toString());
            }
        }
        return new ImageLayout(folder);
    }

    JsonObject manifest() throws IOException {
        return blob(index().getJsonArray("manifests").getJsonObject(0));
    }

    JsonObject index() throws IOException {
        return new JsonObject(Files.readString(folder.resolve("index.json")));
    }

    JsonObject config() throws IOException {
        return blob(manifest().getJsonObject("config"));
    }

    /** The manifest of docker's archives. */
    JsonObject dockerManifest() throws IOException {
        return new JsonArray(Files.readString(folder.resolve("manifest.json"))).getJsonObject(0);
    }

    /** The layers, the lowest first. */
    List<Path> layers() throws IOException {
        return manifest().getJsonArray("layers").stream()
                .map(layer -> path((JsonObject) layer))
                .toList();
    }

    private JsonObject blob(JsonObject descriptor) throws IOException {
        Path blob = path(descriptor);
        assertThat(Files.size(blob)).isEqualTo(descriptor.getLong("size"));
        return new JsonObject(Files.readString(blob));
    }

    private Path path(JsonObject descriptor) {
        return folder.resolve("blobs").resolve(descriptor.getString("digest").replace(':', '/'));
    }
}
