package dev.flotilla.runtime.kafka;

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

/** Grants rights in Kafka, for whoever may: the one who runs the brokers. It never takes any away. */
public final class AclKeeper implements AutoCloseable {
    private final AdminConnection kafka;

    private AclKeeper(AdminConnection kafka) {
        this.kafka = kafka;
    }

    /** Opens a client; no broker is asked yet. */
    public static AclKeeper connect(KafkaSettings settings, Duration deadline) {
        return new AclKeeper(AdminConnection.open(settings, deadline));
    }

    /** Grants components their rights, each under the name given; what they have already stays. */
    public void grant(Map<String, Component> byName) {
        List<AclBinding> wanted = byName.entrySet().stream()
                .flatMap(entry -> Acls.of(entry.getValue(), entry.getKey()).stream())
                .toList();
        kafka.call("granting rights", admin -> admin.createAcls(wanted).all());
    }

    /** Grants components their rights under their usual names. */
    public void grant(Collection<Component> components) {
        Map<String, Component> byName = new LinkedHashMap<>();
        components.forEach(component -> byName.put(component.usualName(), component));
        grant(byName);
    }

    /** Whether the brokers ask anybody's rights at all. */
    public boolean authorizes() {
        try {
            kafka.tryCall(
                    "reading rights",
                    admin -> admin.describeAcls(AclBindingFilter.ANY).values());
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SecurityDisabledException) {
                return false;
            }
            throw kafka.failure("reading rights", e.getCause());
        }
    }

    /** The rights of a component that its principal does not have, as texts for people. */
    public List<String> missing(Component component, String name) {
        Collection<AclBinding> there = kafka.call(
                "reading rights",
                admin -> admin.describeAcls(AclBindingFilter.ANY).values());
        return Acls.of(component, name).stream()
                .filter(wanted -> !there.contains(wanted))
                .map(AclBinding::toString)
                .collect(Collectors.toList());
    }

    @Override
    public void close() {
        kafka.close();
    }
}
