package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.RootConfirmation;
import io.holdfast.core.RootConfirmation.Match;
import io.holdfast.core.RootConfirmation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OldObjectsTest {
    private static final Instant NOON = Leaks.SOME_TIME;
    private static final String LOGIN = "com.acme.Login.login(Login.java:42)";

    private final List<OldObject> objects = new ArrayList<>();

    private void sampled(String type, Instant allocatedAt, String frame, String rootType, String keeper) {
        objects.add(new OldObject(type, allocatedAt, frame == null ? null : CallerFrame.of(List.of(frame)), rootType == null ? null : "JNI Global", rootType, null,
                rootType == null ? null : keeper, rootType == null ? List.of() : List.of(new RootConfirmation.Step(keeper, "kept", false, -1, 0, type))));
    }

    private RootConfirmation ask(String type, String... stack) {
        return new OldObjects(objects, 7_000, NOON).answer(new RootQuestion(type, List.of(List.of(stack)), NOON.minusSeconds(60)));
    }

    @Test
    void classAndLineOfTheProgramAreTheSame() {
        sampled("com.acme.Session", NOON.minusSeconds(900), LOGIN, "Global JNI Handle", "com.acme.Keeper");
        sampled("com.acme.Session", NOON, "com.acme.Other.make(Other.java:1)", "Threads", "java.lang.Thread");
        RootConfirmation answer = ask("com.acme.Session", LOGIN);
        assertThat(answer.outcome()).isEqualTo(Outcome.CHAIN);
        assertThat(answer.match()).isEqualTo(Match.CLASS_AND_SITE);
        assertThat(answer.matched()).isEqualTo(1);
        assertThat(answer.samples()).isEqualTo(2);
        assertThat(answer.rootText()).isEqualTo("JNI Global, Global JNI Handle");
        assertThat(answer.holder()).isEqualTo("com.acme.Keeper#kept");
        assertThat(answer.pauseNanos()).isEqualTo(7_000);
    }

    @Test
    void whatTheJdkAllocatesIsKnownByItsCaller() {
        sampled("java.util.HashMap$Node", NOON, "com.acme.Other.put(Other.java:9)", "Global JNI Handle", "com.acme.Wrong");
        sampled("java.util.HashMap$Node", NOON, LOGIN, "Global JNI Handle", "com.acme.Keeper");
        RootConfirmation answer = ask("java.util.HashMap$Node", "java.util.HashMap.newNode(HashMap.java:1901)", LOGIN);
        assertThat(answer.match()).isEqualTo(Match.CLASS_AND_SITE);
        assertThat(answer.holder()).isEqualTo("com.acme.Keeper#kept");
    }

    @Test
    void theClassAloneCountsOnlyForClassesOfTheProgramAndObjectsThatWereNotThereBefore() {
        sampled("com.acme.Session", NOON.minusSeconds(61), "com.acme.Other.make(Other.java:1)", "Global JNI Handle", "com.acme.Old");
        sampled("byte[]", NOON, "com.acme.Other.make(Other.java:1)", "Global JNI Handle", "com.acme.Keeper");
        sampled("java.lang.String", NOON, null, "Global JNI Handle", "com.acme.Keeper");
        assertThat(ask("com.acme.Session", LOGIN).outcome()).isEqualTo(Outcome.NO_SAMPLE);
        assertThat(ask("byte[]", LOGIN).outcome()).isEqualTo(Outcome.NO_SAMPLE);
        assertThat(ask("java.lang.String", LOGIN).outcome()).isEqualTo(Outcome.NO_SAMPLE);
        sampled("com.acme.Session", NOON.minusSeconds(59), null, "Global JNI Handle", "com.acme.Keeper");
        RootConfirmation answer = ask("com.acme.Session", LOGIN);
        assertThat(answer.match()).isEqualTo(Match.CLASS_AND_TIME);
        assertThat(answer.holder()).isEqualTo("com.acme.Keeper#kept");
    }

    @Test
    void theWayInWhichMostAreHeldIsShown() {
        sampled("com.acme.Session", NOON, LOGIN, "Threads", "com.acme.InFlight");
        sampled("com.acme.Session", NOON, LOGIN, "Global JNI Handle", "com.acme.Keeper");
        sampled("com.acme.Session", NOON, LOGIN, "Global JNI Handle", "com.acme.Keeper");
        sampled("com.acme.Session", NOON, LOGIN, null, null);
        RootConfirmation answer = ask("com.acme.Session", LOGIN);
        assertThat(answer.matched()).isEqualTo(4);
        assertThat(answer.rootClass()).isEqualTo("com.acme.Keeper");
    }

    @Test
    void noPathIsNoChain() {
        sampled("com.acme.Session", NOON, LOGIN, null, null);
        RootConfirmation answer = ask("com.acme.Session", LOGIN);
        assertThat(answer.outcome()).isEqualTo(Outcome.NO_PATH);
        assertThat(answer.path()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"com.acme.A.m(A.java:7), com.acme.A.m, 7", "app//com.acme.A.m(A.java:7), com.acme.A.m, 7", "com.acme.A.m(Unknown Source), com.acme.A.m, -1",
            "com.acme.A.<init>(A.java), com.acme.A.<init>, -1", "com.acme.A$$Lambda/0x00.m(A.java:3), com.acme.A$$Lambda/0x00.m, 3"})
    void framesAreRead(String frame, String method, int line) {
        assertThat(CallerFrame.of(List.of("java.base/java.util.HashMap.put(HashMap.java:1)", frame))).isEqualTo(new CallerFrame(method, line));
    }
}
