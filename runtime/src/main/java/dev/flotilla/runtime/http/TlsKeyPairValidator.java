package dev.flotilla.runtime.http;

import dev.flotilla.runtime.config.ServerTlsConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;

/** Checks that a key belongs to a certificate. Otherwise the server would start, but every handshake would fail. */
final class TlsKeyPairValidator {
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final byte[] SIGNED_SAMPLE = "something to sign".getBytes(StandardCharsets.UTF_8);

    private TlsKeyPairValidator() {}

    /** Returns when the first certificate of the chain expires. Throws if the files are not a certificate and its key. */
    static Instant validateKeyPair(ServerTlsConfig tls) throws IOException {
        try {
            List<X509Certificate> chain = readChain(tls.certFile());
            PublicKey shown = chain.getFirst().getPublicKey();
            if (!isKeyOf(shown, readPrivateKey(tls.keyFile(), shown.getAlgorithm()))) {
                throw new IOException(tls.keyFile() + " is not the key of the certificate in " + tls.certFile());
            }
            return chain.stream()
                    .map(each -> each.getNotAfter().toInstant())
                    .min(Comparator.naturalOrder())
                    .orElseThrow();
        } catch (GeneralSecurityException e) {
            throw new IOException(tls.certFile() + " and " + tls.keyFile() + " are not a certificate and its key", e);
        }
    }

    private static List<X509Certificate> readChain(Path file) throws IOException, GeneralSecurityException {
        List<X509Certificate> chain =
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)))
                        .stream()
                        .map(X509Certificate.class::cast)
                        .toList();
        if (chain.isEmpty()) {
            throw new IOException(file + " has no certificate");
        }
        return chain;
    }

    private static PrivateKey readPrivateKey(Path file, String algorithm) throws IOException, GeneralSecurityException {
        String pem = Files.readString(file, StandardCharsets.US_ASCII);
        int begin = pem.indexOf(BEGIN);
        int end = pem.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(file + " has no private key in PKCS 8 PEM format");
        }
        byte[] key = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end));
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(key));
    }

    private static boolean isKeyOf(PublicKey shown, PrivateKey key) throws GeneralSecurityException {
        String algorithm = switch (shown.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> shown.getAlgorithm();
        };
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(SIGNED_SAMPLE);
        byte[] signature = signing.sign();
        Signature checking = Signature.getInstance(algorithm);
        checking.initVerify(shown);
        checking.update(SIGNED_SAMPLE);
        return checking.verify(signature);
    }
}
