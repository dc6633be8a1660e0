package dev.flotilla.runtime.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A test certificate with its key, made with the JDK's keytool, in PEM files for a server. */
final class TestCertificate {
    private static final char[] PASSWORD = "changeit".toCharArray();

    final Path cert;
    final Path key;
    private final KeyStore store;

    private TestCertificate(Path cert, Path key, KeyStore store) {
        this.cert = cert;
        this.key = key;
        this.store = store;
    }

    static TestCertificate make(Path folder, String name)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path file = folder.resolve(name + ".p12");
        Process tool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD)))
                .inheritIO()
                .start();
        if (tool.waitFor() != 0) {
            throw new IOException("keytool made no certificate");
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        Path cert = pem(
                folder.resolve(name + ".crt"),
                "CERTIFICATE",
                store.getCertificate(name).getEncoded());
        Path key = pem(
                folder.resolve(name + ".key"),
                "PRIVATE KEY",
                store.getKey(name, PASSWORD).getEncoded());
        return new TestCertificate(cert, key, store);
    }

    private static Path pem(Path file, String what, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }

    /** Returns the TLS context of a client that trusts this certificate and may have a certificate of its own. */
    SSLContext client(@Nullable TestCertificate shows) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        Certificate own = store.getCertificate(store.aliases().nextElement());
        trusted.setCertificateEntry("server", own);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        if (shows != null) {
            keys.init(shows.store, PASSWORD);
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(shows == null ? null : keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
