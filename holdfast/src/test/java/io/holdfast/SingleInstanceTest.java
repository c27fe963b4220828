package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SingleInstanceTest {
    @AfterEach
    void forget() {
        System.getProperties().remove(SingleInstance.PROPERTY);
    }

    @Test
    void theFirstClaimHoldsUntilItIsReleased() {
        SingleInstance first = SingleInstance.claim("com.acme.Main", Fixtures.NOON);
        assertThat(first).isNotNull();
        assertThat(SingleInstance.claim("com.acme.Other", Fixtures.NOON)).isNull();
        assertThat(SingleInstance.holder()).isEqualTo("started by com.acme.Main at 2026-01-02T12:00:00Z, class loader 'app'");
        first.release();
        SingleInstance second = SingleInstance.claim("com.acme.Other", Fixtures.NOON.plusSeconds(1));
        assertThat(second).isNotNull();
        first.release();
        assertThat(SingleInstance.claim("com.acme.Third", Fixtures.NOON)).as("a stale release frees nobody else's claim").isNull();
    }
}
