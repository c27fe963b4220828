package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.SiteSurvival;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SitePolicyTest {
    @ParameterizedTest
    @CsvSource({
            // admitted, survivors, epochs, leaves
            "0,   0, 99, false",
            "3,   0, 99, false",
            "4,   0,  1, false",
            "4,   0,  2, true",
            "4,   1,  2, false",
            "7,   1, 99, false",
            "8,   1,  2, false",
            "8,   1,  3, true",
            "8,   2,  3, false",
            "500, 1, 40, true",
            "500, 2, 40, false",
    })
    void sitesWhoseObjectsDieLeave(long admitted, int survivors, long epochs, boolean leaves) {
        assertThat(SitePolicy.leaves(new SiteSurvival(0, admitted, survivors, survivors, epochs))).isEqualTo(leaves);
    }

    @ParameterizedTest
    @CsvSource({
            // admitted, survivors, epochs, leaves
            "63,  0, 99, false",
            "64,  0,  1, false",
            "64,  0,  2, true",
            "127, 1, 99, false",
            "128, 1,  3, true",
            "128, 2,  3, false",
    })
    void aSiteThatSeveralShareMustShowMoreBeforeItLeaves(long admitted, int survivors, long epochs, boolean leaves) {
        assertThat(SitePolicy.leaves(new SiteSurvival(0, admitted, survivors, survivors, epochs, 2))).isEqualTo(leaves);
    }

    @ParameterizedTest
    @CsvSource({
            "java.lang.Integer,             java.lang.Integer,       true",
            "java.lang.StringLatin1,        byte[],                  true",
            "java.lang.AbstractStringBuilder, byte[],                true",
            "java.lang.StringBuilder,       java.lang.String,        false",
            "java.util.Arrays,              byte[],                  true",
            "java.util.Arrays,              java.lang.Object[],      false",
            "java.util.HashMap,             java.util.HashMap$Node,  false",
            "java.io.ByteArrayOutputStream, byte[],                  false",
            "com.acme.java.lang.Integer,    byte[],                  false",
    })
    void hotJdkCodeIsRecognisedByItsShape(String className, String allocated, boolean untouched) {
        assertThat(SitePolicy.tooHotToTouch(className, allocated)).isEqualTo(untouched);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, false", "10, 100, false", "99, 100, false", "100, 100, true", "100, 1000, true", "100, 1001, false", "200, 0, true"})
    void hotMeansManyBytesAndALargeShareOfAll(double megabytesOfSite, double megabytes, boolean hot) {
        assertThat(SitePolicy.tooHot(megabytesOfSite * 1e6, megabytes * 1e6)).isEqualTo(hot);
    }

    @ParameterizedTest
    @CsvSource({
            "java/lang/Object, true", "java/lang/Thread, true", "java/lang/Thread$Builder, true", "java/lang/ThreadLocal$ThreadLocalMap, true",
            "java/lang/ref/Reference, true", "java/lang/ThreadGroup, false", "java/util/HashMap, false", "java/lang/StringBuilder, false",
            "io/holdfast/core/Counters, true", "io/holdfast/Holdfast, true", "io/holdfast/examples/Demo, false",
            "com/acme/shaded/objectweb/asm/ClassReader, true", "org/jctools/queues/atomic/MpscAtomicArrayQueue, true", "com/acme/App, false",
    })
    void ownAndDelicateClassesAreExcluded(String internalName, boolean excluded) {
        assertThat(ExcludedClasses.contains(internalName)).isEqualTo(excluded);
    }
}
