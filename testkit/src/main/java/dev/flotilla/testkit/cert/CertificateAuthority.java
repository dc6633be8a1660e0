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
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A certificate authority for one test. Its certificates are valid for this machine, if they name no other server. */
public final class CertificateAuthority {
    private static final Duration VALIDITY = Duration.ofDays(2);
    private static final Duration A_DAY = Duration.ofDays(1);
    private static final int SERIAL_BITS = 64;
    private static final int PEM_LINE_LENGTH = 64;
    private static final int RSA_BITS = 2048;

    private static final byte[] ECDSA_SHA256 =
            DerEncoder.sequence(DerEncoder.identifier(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
    private static final byte[] COMMON_NAME = DerEncoder.identifier(0x55, 0x04, 0x03);
    private static final byte[] ORGANIZATION = DerEncoder.identifier(0x55, 0x04, 0x0a);
    private static final byte[] SUBJECT_ALTERNATIVES = DerEncoder.identifier(0x55, 0x1d, 0x11);
    private static final byte[] BASIC_CONSTRAINTS = DerEncoder.identifier(0x55, 0x1d, 0x13);
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
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
        this.certificate = certify(distinguishedName(name), keys.getPublic(), mayCertify);
    }

    public static CertificateAuthority create(String name) {
        try {
            return new CertificateAuthority(name);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make a P-256 certificate", e);
        }
    }

    /** The authority's own certificate, PEM; clients that trust the authority need it. */
    public String certificate() {
        return certificate;
    }

    /** Writes the authority's certificate to a file, as a PEM truststore. */
    public Path write(Path folder) {
        try {
            return Files.writeString(folder.resolve(name + ".pem"), certificate);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the certificate of authority " + name + " to " + folder, e);
        }
    }

    /** Issues a new certificate, for a client or for a server on this machine. */
    public KeyAndCertificate issue(String subject) {
        try {
            return issue(subject, distinguishedName(subject), newKeys());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make a P-256 certificate", e);
        }
    }

    /**
     * Issues a certificate for a server that is reached from other machines.
     *
     * @param addresses its DNS names and IPv4 addresses
     */
    public KeyAndCertificate issueServer(String subject, Collection<String> addresses) {
        try {
            KeyPair keyPair = newKeys();
            return identity(
                    subject,
                    keyPair,
                    certify(distinguishedName(subject), keyPair.getPublic(), alternativeNames(addresses)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make a P-256 certificate", e);
        }
    }

    /**
     * Issues a certificate for a member of organizations, with an RSA key, as kubeconfigs contain. All readers of
     * kubeconfigs support RSA without an additional library.
     */
    public KeyAndCertificate issueOrganizationMember(String subject, Collection<String> organizations) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(RSA_BITS);
            return issue(subject, distinguishedName(subject, organizations), generator.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make a certificate for an RSA key", e);
        }
    }

    /** Issues a certificate that has expired, as an old kubeconfig contains. */
    public KeyAndCertificate issueExpired(String subject) {
        try {
            Instant from = Instant.now().minus(VALIDITY);
            KeyPair keyPair = newKeys();
            byte[] named = distinguishedName(subject);
            return identity(
                    subject, keyPair, certify(named, keyPair.getPublic(), localNames(), from, from.plus(A_DAY)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make a P-256 certificate", e);
        }
    }

    private KeyAndCertificate issue(String name, byte[] subject, KeyPair keyPair) throws GeneralSecurityException {
        return identity(name, keyPair, certify(subject, keyPair.getPublic(), localNames()));
    }

    private static KeyAndCertificate identity(String name, KeyPair keyPair, String certificate) {
        return new KeyAndCertificate(
                name, pem("PRIVATE KEY", keyPair.getPrivate().getEncoded()), certificate);
    }

    private static byte[] localNames() {
        return alternativeNames(List.of("localhost", "127.0.0.1"));
    }

    private static byte[] alternativeNames(Collection<String> addresses) {
        byte[][] alternatives =
                addresses.stream().map(CertificateAuthority::alternativeName).toArray(byte[][]::new);
        return extension(SUBJECT_ALTERNATIVES, false, DerEncoder.sequence(alternatives));
    }

    private static byte[] alternativeName(String address) {
        if (!IPV4.matcher(address).matches()) {
            return DerEncoder.implicit(DNS_NAME, address.getBytes(StandardCharsets.US_ASCII));
        }
        String[] parts = address.split("\\.", -1);
        byte[] bytes = new byte[parts.length];
        for (int i = 0; i < parts.length; i++) {
            bytes[i] = (byte) Integer.parseInt(parts[i]);
        }
        return DerEncoder.implicit(IP_ADDRESS, bytes);
    }

    private String certify(byte[] subject, PublicKey key, byte[] extension) throws GeneralSecurityException {
        Instant now = Instant.now();
        return certify(subject, key, extension, now.minus(VALIDITY), now.plus(VALIDITY));
    }

    private String certify(byte[] subject, PublicKey key, byte[] extension, Instant from, Instant until)
            throws GeneralSecurityException {
        byte[] content = DerEncoder.sequence(
                DerEncoder.explicit(0, DerEncoder.integer(BigInteger.TWO)),
                DerEncoder.integer(new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE)),
                ECDSA_SHA256,
                distinguishedName(name),
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

    private static byte[] distinguishedName(String commonName) {
        return distinguishedName(commonName, List.of());
    }

    private static byte[] distinguishedName(String commonName, Collection<String> organizations) {
        return DerEncoder.sequence(Stream.concat(
                        organizations.stream().map(organization -> attribute(ORGANIZATION, organization)),
                        Stream.of(attribute(COMMON_NAME, commonName)))
                .toArray(byte[][]::new));
    }

    private static byte[] attribute(byte[] kind, String name) {
        return DerEncoder.set(DerEncoder.sequence(kind, DerEncoder.text(name)));
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static String pem(String what, byte[] content) {
        String text = Base64.getMimeEncoder(PEM_LINE_LENGTH, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }
}
