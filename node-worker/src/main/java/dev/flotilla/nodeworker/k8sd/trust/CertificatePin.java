package dev.flotilla.nodeworker.k8sd.trust;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;

/** The SHA-256 fingerprint of the one certificate that a node may show. k8sd's certificates are self-signed. */
public record CertificatePin(String sha256) {
    private static final HexFormat HEX = HexFormat.of();

    /** Computes the pin of a certificate. */
    public static CertificatePin pinOf(X509Certificate certificate) throws CertificateEncodingException {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return new CertificatePin(HEX.formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
