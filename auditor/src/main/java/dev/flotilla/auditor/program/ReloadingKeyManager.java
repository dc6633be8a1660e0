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
 * By what the pages prove whose they are. Files that were replaced hold for the next handshake; where they are no certificate
 * with its key, the last ones that were stay in force.
 */
final class ReloadingKeyManager extends X509ExtendedKeyManager {
    private static final String ALIAS = "auditor";
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final byte[] SOMETHING = "something to sign".getBytes(StandardCharsets.UTF_8);

    private final Path certificateFile;
    private final Path keyFile;
    private volatile Pair pair;

    /** A certificate with those that vouch for it, and its key, as their files said it. */
    private record Pair(String files, List<X509Certificate> chain, PrivateKey key) {}

    private ReloadingKeyManager(Path certificateFile, Path keyFile, Pair pair) {
        this.certificateFile = certificateFile;
        this.keyFile = keyFile;
        this.pair = pair;
    }

    /** Throws where the files are not a certificate and the key that belongs to it. */
    static ReloadingKeyManager readFrom(Path certificateFile, Path keyFile) throws IOException {
        String certificate = Files.readString(certificateFile, StandardCharsets.US_ASCII);
        String key = Files.readString(keyFile, StandardCharsets.US_ASCII);
        return new ReloadingKeyManager(certificateFile, keyFile, pair(certificateFile, certificate, keyFile, key));
    }

    /** What a server needs to speak TLS. */
    SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {this}, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    private static Pair pair(Path certificateFile, String certificate, Path keyFile, String key) throws IOException {
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
            if (!belongs(shown, own)) {
                throw new IOException(keyFile + " is not the key of the certificate in " + certificateFile);
            }
            return new Pair(certificate + key, chain, own);
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

    /** A server that has the key of another certificate starts, and then no handshake succeeds. */
    private static boolean belongs(PublicKey shown, PrivateKey key) throws GeneralSecurityException {
        String algorithm = switch (shown.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> shown.getAlgorithm();
        };
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(SOMETHING);
        byte[] signature = signing.sign();
        Signature checking = Signature.getInstance(algorithm);
        checking.initVerify(shown);
        checking.update(SOMETHING);
        return checking.verify(signature);
    }

    private Pair newest() {
        Pair last = pair;
        try {
            String certificate = Files.readString(certificateFile, StandardCharsets.US_ASCII);
            String key = Files.readString(keyFile, StandardCharsets.US_ASCII);
            if (!last.files().equals(certificate + key)) {
                pair = pair(certificateFile, certificate, keyFile, key);
            }
        } catch (IOException e) {
            // Being replaced, one file after the other. Whoever scrapes sees when the last ones run out.
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
