package dev.flotilla.testkit.kube;

import dev.flotilla.testkit.cert.CertificateAuthority;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.SecureRandom;

/** The certificates and tokens of one cluster's components, as files in its folder. */
final class ClusterCertificates {
    private static final int TOKEN_BITS = 128;

    private final CertificateAuthority authority = CertificateAuthority.create("cluster-ca");
    private final Path folder;
    private final String token = new BigInteger(TOKEN_BITS, new SecureRandom()).toString(Character.MAX_RADIX);

    ClusterCertificates(KubeProcessFolder kubeProcessFolder) {
        this.folder = kubeProcessFolder.folder();
        authority.write(folder);
        for (String component : new String[] {"api-server", "api-server-to-kubelets", "service-accounts", "kubelets"}) {
            authority.issue(component).writeSeparateFiles(folder);
        }
        kubeProcessFolder.write("tokens.csv", token + ",testkit,testkit,\"system:masters\"\n");
    }

    CertificateAuthority authority() {
        return authority;
    }

    /** The test bed's own token for the API server. */
    String token() {
        return token;
    }

    Path tokens() {
        return folder.resolve("tokens.csv");
    }

    Path authorityFile() {
        return folder.resolve("cluster-ca.pem");
    }

    Path certificate(String of) {
        return folder.resolve(of + ".crt");
    }

    Path key(String of) {
        return folder.resolve(of + ".key");
    }
}
