package dev.flotilla.auditor.program;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/**
 * Resolves names as the JDK does, but looks up no name of a client. The JDK's HTTPS server asks DNS for it before each
 * handshake; where DNS does not answer, as in a cluster without the internet, that takes longer than a probe waits.
 */
public final class ClientAddressResolverProvider extends InetAddressResolverProvider {
    @Override
    public InetAddressResolver get(Configuration configuration) {
        return new ClientAddressResolver(configuration.builtinResolver());
    }

    @Override
    public String name() {
        return "flotilla-auditor";
    }

    private record ClientAddressResolver(InetAddressResolver builtin) implements InetAddressResolver {
        @Override
        public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
            return builtin.lookupByName(host, policy);
        }

        @Override
        public String lookupByAddress(byte[] address) throws UnknownHostException {
            if (Thread.currentThread() instanceof PageThread) {
                throw new UnknownHostException("names of clients are not looked up");
            }
            return builtin.lookupByAddress(address);
        }
    }
}
