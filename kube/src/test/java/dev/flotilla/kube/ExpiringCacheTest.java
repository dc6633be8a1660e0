package dev.flotilla.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ExpiringCacheTest {
    private final AtomicLong now = new AtomicLong();
    private final ExpiringCache<String, String> expiringCache = new ExpiringCache<>(2, 10, now::get);

    @Test
    void expiresAnEntryAfterItsLifetime() {
        expiringCache.put("a", "1");
        now.set(10);
        assertThat(expiringCache.get("a")).isEqualTo("1");
        now.set(11);
        assertThat(expiringCache.get("a")).isNull();
    }

    @Test
    void evictsTheLeastRecentlyUsedEntry() {
        expiringCache.put("a", "1");
        expiringCache.put("b", "2");
        expiringCache.get("a");
        expiringCache.put("c", "3");
        assertThat(expiringCache.get("b")).isNull();
        assertThat(expiringCache.get("a")).isEqualTo("1");
    }

    @Test
    void removesAnEntry() {
        expiringCache.put("a", "1");
        expiringCache.remove("a");
        assertThat(expiringCache.get("a")).isNull();
    }
}
