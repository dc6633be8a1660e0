package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.util.HexFormat;

/** The nodes' certificate, pinned for each machine as if workers had contacted all of them. */
final class PrePinnedCertificates {
    static final String SUFFIX = "-flotilla-pins";

    private PrePinnedCertificates() {}

    static void pinCertificate(EmbeddedCluster cluster, String certificate) {
        String fingerprint = fingerprint(certificate);
        JsonObjectReader.Builder pins = new JsonObjectReader.Builder();
        for (EmbeddedNode node : cluster.nodes()) {
            if (node.role() == MachineRole.WORKER) {
                pins.put(node.name(), fingerprint + " " + node.uid());
            }
        }
        // All control-plane members share one pin.
        String namespace = cluster.key().namespace();
        StoredObject controlPlane = cluster.management()
                .store()
                .get(BuiltInResources.CONTROL_PLANES.named(
                        namespace, cluster.key().name() + "-control-plane"));
        if (controlPlane != null) {
            String uid = ImmutableJson.textAt(controlPlane.tree(), "metadata", "uid");
            pins.put("_control-plane", fingerprint + " " + uid);
        }
        cluster.management()
                .store()
                .put(
                        BuiltInResources.CONFIG_MAPS.named(
                                namespace, cluster.key().name() + SUFFIX),
                        ImmutableJson.object("data", pins.build()));
    }

    private static String fingerprint(String certificate) {
        try {
            byte[] pem = certificate.getBytes(StandardCharsets.US_ASCII);
            byte[] der = CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(pem))
                    .getEncoded();
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(der));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the text is not a PEM certificate", e);
        }
    }
}
