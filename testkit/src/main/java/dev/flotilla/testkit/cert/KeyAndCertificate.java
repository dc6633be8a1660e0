package dev.flotilla.testkit.cert;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Who somebody is, as PEM: a private key (PKCS#8) and the certificate an authority gave for it.
 *
 * @param name the common name of the certificate's subject
 */
public record KeyAndCertificate(String name, String key, String certificate) {

    /** Writes key and certificate into one file, as Kafka's PEM keystores want it. */
    public Path write(Path folder) {
        try {
            return Files.writeString(folder.resolve(name + ".pem"), key + certificate);
        } catch (IOException e) {
            throw new UncheckedIOException("writing the identity of " + name + " to " + folder, e);
        }
    }

    /** Writes key and certificate into files of their own, as most servers want them: {@code .key} and {@code .crt}. */
    public void writeSeparateFiles(Path folder) {
        try {
            Files.writeString(folder.resolve(name + ".key"), key);
            Files.writeString(folder.resolve(name + ".crt"), certificate);
        } catch (IOException e) {
            throw new UncheckedIOException("writing the identity of " + name + " to " + folder, e);
        }
    }

    @Override
    public String toString() {
        return "Identity[" + name + "]";
    }
}
