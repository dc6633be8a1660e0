package dev.flotilla.testkit.cert;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** A certificate authority that lives as long as a test. Its identities are good for this machine alone. */
public final class CertificateAuthority {
    private static final Duration VALID = Duration.ofDays(2);
    private static final Duration A_DAY = Duration.ofDays(1);
    private static final int SERIAL_BITS = 64;
    private static final int LINE = 64;
    private static final int RSA_BITS = 2048;

    private static final byte[] ECDSA_SHA256 =
            DerEncoder.sequence(DerEncoder.identifier(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
    private static final byte[] COMMON_NAME = DerEncoder.identifier(0x55, 0x04, 0x03);
    private static final byte[] ORGANIZATION = DerEncoder.identifier(0x55, 0x04, 0x0a);
    private static final byte[] SUBJECT_ALTERNATIVES = DerEncoder.identifier(0x55, 0x1d, 0x11);
    private static final byte[] BASIC_CONSTRAINTS = DerEncoder.identifier(0x55, 0x1d, 0x13);
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private final SecureRandom random = new SecureRandom();
    private final String name;
    private final KeyPair keys;
    private final String certificate;

    private CertificateAuthority(String name) throws GeneralSecurityException {
        this.name = name;
        this.keys = newKeys();
        byte[] mayCertify = extension(BASIC_CONSTRAINTS, true, DerEncoder.sequence(DerEncoder.booleanTrue()));
        this.certificate = certify(distinguished(name), keys.getPublic(), mayCertify);
    }

    public static CertificateAuthority create(String name) {
        try {
            return new CertificateAuthority(name);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make a P-256 certificate", e);
        }
    }

    /** The authority's own certificate as PEM: what whoever trusts it holds. */
    public String certificate() {
        return certificate;
    }

    /** Writes the authority's certificate into a file, as a PEM truststore. */
    public Path write(Path folder) {
        try {
            return Files.writeString(folder.resolve(name + ".pem"), certificate);
        } catch (IOException e) {
            throw new UncheckedIOException("writing the authority " + name + " to " + folder, e);
        }
    }

    /** A new identity, for a client or for a server on this machine. */
    public KeyAndCertificate issue(String subject) {
        try {
            return issue(subject, distinguished(subject), newKeys());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make a P-256 certificate", e);
        }
    }

    /**
     * A new identity of somebody who belongs to organizations, with an RSA key: what a kubeconfig holds, and all that its
     * readers understand without a library for it.
     */
    public KeyAndCertificate issueOrganizationMember(String subject, Collection<String> organizations) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(RSA_BITS);
            return issue(subject, distinguished(subject, organizations), generator.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make a certificate for an RSA key", e);
        }
    }

    /** An identity that was given for a day, a while ago: what an old kubeconfig holds. */
    public KeyAndCertificate issueExpired(String subject) {
        try {
            Instant from = Instant.now().minus(VALID);
            KeyPair theirs = newKeys();
            byte[] named = distinguished(subject);
            return identity(subject, theirs, certify(named, theirs.getPublic(), thisMachine(), from, from.plus(A_DAY)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make a P-256 certificate", e);
        }
    }

    private KeyAndCertificate issue(String name, byte[] subject, KeyPair theirs) throws GeneralSecurityException {
        return identity(name, theirs, certify(subject, theirs.getPublic(), thisMachine()));
    }

    private static KeyAndCertificate identity(String name, KeyPair theirs, String certificate) {
        return new KeyAndCertificate(
                name, pem("PRIVATE KEY", theirs.getPrivate().getEncoded()), certificate);
    }

    private static byte[] thisMachine() {
        byte[] alternatives = DerEncoder.sequence(
                DerEncoder.implicit(DNS_NAME, "localhost".getBytes(StandardCharsets.US_ASCII)),
                DerEncoder.implicit(IP_ADDRESS, new byte[] {127, 0, 0, 1}));
        return extension(SUBJECT_ALTERNATIVES, false, alternatives);
    }

    private String certify(byte[] subject, PublicKey key, byte[] extension) throws GeneralSecurityException {
        Instant now = Instant.now();
        return certify(subject, key, extension, now.minus(VALID), now.plus(VALID));
    }

    private String certify(byte[] subject, PublicKey key, byte[] extension, Instant from, Instant until)
            throws GeneralSecurityException {
        byte[] content = DerEncoder.sequence(
                DerEncoder.explicit(0, DerEncoder.integer(BigInteger.TWO)),
                DerEncoder.integer(new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE)),
                ECDSA_SHA256,
                distinguished(name),
                DerEncoder.sequence(DerEncoder.time(from), DerEncoder.time(until)),
                subject,
                key.getEncoded(),
                DerEncoder.explicit(3, DerEncoder.sequence(extension)));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(content);
        return pem("CERTIFICATE", DerEncoder.sequence(content, ECDSA_SHA256, DerEncoder.bits(signature.sign())));
    }

    private static byte[] extension(byte[] which, boolean critical, byte[] content) {
        return critical
                ? DerEncoder.sequence(which, DerEncoder.booleanTrue(), DerEncoder.octets(content))
                : DerEncoder.sequence(which, DerEncoder.octets(content));
    }

    private static byte[] distinguished(String commonName) {
        return distinguished(commonName, List.of());
    }

    private static byte[] distinguished(String commonName, Collection<String> organizations) {
        return DerEncoder.sequence(Stream.concat(
                        organizations.stream().map(each -> named(ORGANIZATION, each)),
                        Stream.of(named(COMMON_NAME, commonName)))
                .toArray(byte[][]::new));
    }

    private static byte[] named(byte[] kind, String name) {
        return DerEncoder.set(DerEncoder.sequence(kind, DerEncoder.text(name)));
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static String pem(String what, byte[] content) {
        String text = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }
}
