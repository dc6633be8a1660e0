package dev.flotilla.simulator.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** A key with a self-signed certificate, created by the JDK's keytool. */
record SelfSignedCertificate(String key, String certificate) {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final int LINE = 64;

    static SelfSignedCertificate in(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path file = folder.resolve("k8sd.p12");
        Process tool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "k8sd",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=k8sd",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (tool.waitFor() != 0) {
            throw new IllegalStateException(output);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return new SelfSignedCertificate(
                pem("PRIVATE KEY", store.getKey("k8sd", PASSWORD).getEncoded()),
                pem("CERTIFICATE", store.getCertificate("k8sd").getEncoded()));
    }

    private static String pem(String what, byte[] content) {
        String text = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }
}
