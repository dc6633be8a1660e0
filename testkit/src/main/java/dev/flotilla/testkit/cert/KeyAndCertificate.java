package dev.flotilla.testkit.cert;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An identity as PEM: a private key (PKCS#8) and the certificate that an authority issued for it.
 *
 * @param name the common name of the certificate's subject
 */
public record KeyAndCertificate(String name, String key, String certificate) {

    /** Writes the key and the certificate to one file, as Kafka's PEM keystores require. */
    public Path write(Path folder) {
        try {
            return Files.writeString(folder.resolve(name + ".pem"), key + certificate);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the identity of " + name + " to " + folder, e);
        }
    }

    /** Writes the key and the certificate to separate files, as most servers require: {@code .key} and {@code .crt}. */
    public void writeSeparateFiles(Path folder) {
        try {
            Files.writeString(folder.resolve(name + ".key"), key);
            Files.writeString(folder.resolve(name + ".crt"), certificate);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the identity of " + name + " to " + folder, e);
        }
    }

    @Override
    public String toString() {
        return "Identity[" + name + "]";
    }
}
