package dev.flotilla.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.SecurityDisabledException;

/** Creates ACLs in Kafka for the components. It needs a Kafka administrator's permissions and never removes an ACL. */
public final class AclGranter implements AutoCloseable {
    private final BlockingAdminClient kafka;

    private AclGranter(BlockingAdminClient kafka) {
        this.kafka = kafka;
    }

    /** Opens a client; it does not connect to a broker yet. */
    public static AclGranter connect(KafkaClientSettings settings, Duration deadline) {
        return new AclGranter(BlockingAdminClient.open(settings, deadline));
    }

    /** Grants components their permissions, each under a given name. Existing ACLs stay. */
    public void grant(Map<String, KafkaAclPrincipal> byName) {
        List<AclBinding> wanted = byName.entrySet().stream()
                .flatMap(entry -> ComponentAcls.bindingsFor(entry.getValue(), entry.getKey()).stream())
                .toList();
        kafka.call("creating ACLs", admin -> admin.createAcls(wanted).all());
    }

    /** Grants components their permissions under their default names. */
    public void grant(Collection<KafkaAclPrincipal> components) {
        Map<String, KafkaAclPrincipal> byName = new LinkedHashMap<>();
        components.forEach(kafkaAclPrincipal -> byName.put(kafkaAclPrincipal.defaultName(), kafkaAclPrincipal));
        grant(byName);
    }

    /** Whether the brokers have an authorizer. */
    public boolean hasAuthorizer() {
        try {
            kafka.tryCall(
                    "reading ACLs",
                    admin -> admin.describeAcls(AclBindingFilter.ANY).values());
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SecurityDisabledException) {
                return false;
            }
            throw kafka.failure("reading ACLs", e.getCause());
        }
    }

    /** Returns descriptions of the permissions that a component's principal lacks. */
    public List<String> findMissingAcls(KafkaAclPrincipal kafkaAclPrincipal, String name) {
        Collection<AclBinding> there = kafka.call(
                "reading ACLs",
                admin -> admin.describeAcls(AclBindingFilter.ANY).values());
        return ComponentAcls.bindingsFor(kafkaAclPrincipal, name).stream()
                .filter(wanted -> !there.contains(wanted))
                .map(AclBinding::toString)
                .collect(Collectors.toList());
    }

    @Override
    public void close() {
        kafka.close();
    }
}
