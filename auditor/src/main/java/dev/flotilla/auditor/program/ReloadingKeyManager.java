package dev.flotilla.auditor.program;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate and key of the pages. Replaced files apply from the next handshake on; if they are not a certificate
 * and its key, the last valid ones stay in use.
 */
final class ReloadingKeyManager extends X509ExtendedKeyManager {
    private static final String ALIAS = "auditor";
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final byte[] SAMPLE = "something to sign".getBytes(StandardCharsets.UTF_8);

    private final Path certificateFile;
    private final Path keyFile;
    private volatile CertificateAndKey pair;

    /** A certificate with its chain, and its key, as read from their files. */
    private record CertificateAndKey(String files, List<X509Certificate> chain, PrivateKey key) {}

    private ReloadingKeyManager(Path certificateFile, Path keyFile, CertificateAndKey pair) {
        this.certificateFile = certificateFile;
        this.keyFile = keyFile;
        this.pair = pair;
    }

    /** Reads the files; fails if they are not a certificate and its key. */
    static ReloadingKeyManager readFrom(Path certificateFile, Path keyFile) throws IOException {
        String certificate = Files.readString(certificateFile, StandardCharsets.US_ASCII);
        String key = Files.readString(keyFile, StandardCharsets.US_ASCII);
        return new ReloadingKeyManager(certificateFile, keyFile, parsePair(certificateFile, certificate, keyFile, key));
    }

    /** The TLS context for a server. */
    SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {this}, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    private static CertificateAndKey parsePair(Path certificateFile, String certificate, Path keyFile, String key)
            throws IOException {
        try {
            List<X509Certificate> chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(certificate.getBytes(StandardCharsets.US_ASCII)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (chain.isEmpty()) {
                throw new IOException(certificateFile + " holds no certificate in PEM");
            }
            PublicKey shown = chain.getFirst().getPublicKey();
            PrivateKey own = KeyFactory.getInstance(shown.getAlgorithm()).generatePrivate(encoded(keyFile, key));
            if (!isKeyOf(shown, own)) {
                throw new IOException(keyFile + " is not the key of the certificate in " + certificateFile);
            }
            return new CertificateAndKey(certificate + key, chain, own);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException(certificateFile + " and " + keyFile + " are not a certificate and its key", e);
        }
    }

    private static PKCS8EncodedKeySpec encoded(Path file, String pem) throws IOException {
        int begin = pem.indexOf(BEGIN);
        int end = pem.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(file + " holds no private key as PKCS 8 in PEM");
        }
        return new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end)));
    }

    /** A server with the key of another certificate would start, but every handshake would fail. */
    private static boolean isKeyOf(PublicKey shown, PrivateKey key) throws GeneralSecurityException {
        String algorithm = switch (shown.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> shown.getAlgorithm();
        };
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(SAMPLE);
        byte[] signature = signing.sign();
        Signature checking = Signature.getInstance(algorithm);
        checking.initVerify(shown);
        checking.update(SAMPLE);
        return checking.verify(signature);
    }

    private CertificateAndKey newest() {
        CertificateAndKey last = pair;
        try {
            String certificate = Files.readString(certificateFile, StandardCharsets.US_ASCII);
            String key = Files.readString(keyFile, StandardCharsets.US_ASCII);
            if (!last.files().equals(certificate + key)) {
                pair = parsePair(certificateFile, certificate, keyFile, key);
            }
        } catch (IOException e) {
            // The files are being replaced, one after the other. Monitoring sees when the last valid certificate
            // expires.
            return last;
        }
        return pair;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        return newest().key().getAlgorithm().equals(keyType) ? ALIAS : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return pair.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return pair.key();
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }
}
