package dev.flotilla.testkit.cert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.SignatureException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;

class CertificateAuthorityTest {
    private final CertificateAuthority authority = CertificateAuthority.create("ca");

    @Test
    void issuesACertificateForThisMachine() throws Exception {
        X509Certificate certificate = read(authority.issue("anna").certificate());
        certificate.checkValidity();
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=anna");
        assertThat(certificate.getSubjectAlternativeNames())
                .containsExactly(List.of(2, "localhost"), List.of(7, "127.0.0.1"));
        assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
    }

    @Test
    void memberCertificateNamesItsOrganizations() throws Exception {
        X509Certificate certificate = read(authority
                .issueOrganizationMember("anna", List.of("admins", "sailors"))
                .certificate());
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=anna,O=sailors,O=admins");
        assertThat(certificate.getPublicKey().getAlgorithm()).isEqualTo("RSA");
    }

    @Test
    void authorityCertificateVerifiesIssuedCertificates() throws Exception {
        X509Certificate own = read(authority.certificate());
        X509Certificate issued = read(authority.issue("anna").certificate());
        assertThat(own.getBasicConstraints()).isNotNegative();
        assertThatCode(() -> issued.verify(own.getPublicKey())).doesNotThrowAnyException();
        X509Certificate other = read(CertificateAuthority.create("ca").certificate());
        assertThatThrownBy(() -> issued.verify(other.getPublicKey())).isInstanceOf(SignatureException.class);
    }

    private static X509Certificate read(String pem) throws CertificateException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    }
}
