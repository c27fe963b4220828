package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeakFingerprintTest {
    @Test
    void numbersOfGeneratedClassesDoNotMatter() {
        String on17 = LeakFingerprint.of("com.acme.Bus#LISTENERS", "com.acme.Main$$Lambda$297/0x00007f191c175260");
        String on25 = LeakFingerprint.of("com.acme.Bus#LISTENERS", "com.acme.Main$$Lambda/0x000001f0a1b2c3d4");
        assertThat(on17).isEqualTo(on25).matches("[0-9a-f]{8}");
    }

    @Test
    void holderAndOwnerMatter() {
        assertThat(LeakFingerprint.of("a.A#x", "b.B")).isNotEqualTo(LeakFingerprint.of("a.A#y", "b.B")).isNotEqualTo(LeakFingerprint.of("a.A#x", "b.C"));
    }
}
