package dev.flotilla.nodeworker.cleanup;

import dev.flotilla.nodeworker.pins.CertificatePinKey;
import dev.flotilla.nodeworker.pins.CertificatePinStore;
import dev.flotilla.schemas.id.ClusterKey;

/**
 * What is known of the certificate of a cluster's machine.
 *
 * @param bearer the members of a control plane share one
 */
public record MachineCertificateStatus(
        ClusterKey cluster, CertificatePinKey bearer, CertificatePinStore.CertificateTrust trust) {}
