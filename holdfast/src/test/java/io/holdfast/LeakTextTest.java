package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import io.holdfast.core.GcRoot;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootConfirmation;
import io.holdfast.core.RootKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeakTextTest {
    static Leak sessionLeak() {
        return new Leak("4edcf1db", "com.acme.Session", LeakState.EXPLAINED, "chain", List.of("byte[]"), Fixtures.candidate(1, "byte[]").trend(),
                new LiveEstimate(40, 41_207, 8_900_712, 11_400_000),
                new Leak.Growth("com.acme.SessionRegistry#ACTIVE", "java.util.HashMap", 41_207, 960, 1_350.4, 0.96),
                Fixtures.candidate(1, "byte[]").allocation(), List.of(Fixtures.sessionChain("basket", "byte[]", 30)), List.of("Do close sessions."));
    }

    @Test
    void theWholeBlock() {
        assertThat(LeakText.render(sessionLeak())).isEqualTo("""
                LEAK 4edcf1db  com.acme.Session  +11.4 MB/h  40 sampled instances survive  EXPLAINED
                  held by       com.acme.SessionRegistry.ACTIVE  (HashMap, 41 207 elements, +1 350/h)
                  allocated at  com.acme.Login.login(Login.java:42)  on http-1

                  ┬───
                  │ GC Root: static field
                  │
                  ├─ com.acme.SessionRegistry class
                  │    ↓ static SessionRegistry.ACTIVE
                  │                             ~~~~~~
                  ├─ java.util.HashMap
                  │    ↓ HashMap.table
                  ├─ java.util.HashMap$Node[]
                  │    ↓ [17]
                  ├─ java.util.HashMap$Node
                  │    ↓ Node.value
                  ├─ com.acme.Session   (leaks)
                  │    ↓ Session.basket
                  ╰→ byte[]   (sampled leaf)

                  96 % of the sampled instances share this path. Read again from the root at 2026-01-02T12:00:00Z.
                  allocation stack
                      at com.acme.Login.login(Login.java:42)
                      at com.acme.Main.main(Main.java:7)
                  hint: Do close sessions.""");
    }

    /** Of which the VM said that a JNI handle holds it. */
    static Leak confirmed() {
        Leak leak = sessionLeak();
        return new Leak(leak.id(), leak.className(), LeakState.UNEXPLAINED, "unreached", leak.sampledClasses(), leak.trend(), leak.live(), null, List.of(),
                List.of(), List.of(), new RootConfirmation(RootConfirmation.Outcome.CHAIN, RootConfirmation.Match.CLASS_AND_SITE, 245, 9, "JNI Global",
                "Global JNI Handle", null, "com.acme.Keeper", List.of(
                        new RootConfirmation.Step("com.acme.Keeper", "kept", false, -1, 0, "java.util.ArrayList"),
                        new RootConfirmation.Step("java.util.ArrayList", "elementData", false, -1, 0, "java.lang.Object[]"),
                        new RootConfirmation.Step("java.lang.Object[]", null, false, 17, 0, "com.acme.Session")), 42_275_000, Fixtures.NOON));
    }

    @Test
    void whatTheVmSaidStandsApart() {
        assertThat(LeakText.render(confirmed())).isEqualTo("""
                LEAK 4edcf1db  com.acme.Session  +11.4 MB/h  40 sampled instances survive  UNEXPLAINED

                  No chain: unreached.

                  The VM, asked once (jdk.OldObjectSample; the application stood still for 42.3 ms), says: JNI Global, Global JNI Handle
                    com.acme.Keeper
                      ↓ com.acme.Keeper.kept  → java.util.ArrayList
                      ↓ java.util.ArrayList.elementData  → java.lang.Object[]
                      ↓ java.lang.Object[17]  → com.acme.Session
                  9 objects matched by class and allocation site; not read again by Holdfast.""");
        RootConfirmation silent = new RootConfirmation(RootConfirmation.Outcome.NO_SAMPLE, null, 245, 0, null, null, null, null, List.of(), 4_000_000, Fixtures.NOON);
        assertThat(LeakText.render(sessionLeak().confirmedBy(silent))).contains(
                "\n\n  The VM, asked once (jdk.OldObjectSample; the application stood still for 4.0 ms), knew no such object among its 245 samples.");
    }

    @Test
    void aThreadThatLeaksHoldsNothingByEach() {
        Leak leak = sessionLeak();
        ReferenceChain itself = new ReferenceChain(new GcRoot(RootKind.THREAD, "thread \"worker-1\"", "worker-1"), List.of(), 0, false, 30, 1, Fixtures.NOON);
        Leak threads = new Leak(leak.id(), "com.acme.Worker", LeakState.EXPLAINED, "chain", List.of("com.acme.Worker"), leak.trend(), leak.live(), null,
                List.of(), List.of(itself), List.of());
        assertThat(LeakText.render(threads)).contains("╰→ thread \"worker-1\"   (sampled leaf)");
    }

    @Test
    void whatASampledLambdaHoldsIsToldFromTheLambda() {
        Leak leak = sessionLeak();
        Leak lambdas = new Leak(leak.id(), leak.className(), leak.state(), "chain", List.of("com.acme.Main$$Lambda/0x0000000800c03000"), leak.trend(),
                leak.live(), leak.growth(), List.of(), List.of(Fixtures.sessionChain("callback", "com.acme.Main$$Lambda/0x0000000800c09a18", 30)), List.of());
        assertThat(LeakText.render(lambdas)).contains("╰→ com.acme.Main$$Lambda/0x0000000800c09a18   (sampled leaf)");
        Leak tasks = new Leak(leak.id(), leak.className(), leak.state(), "chain", List.of("java.util.concurrent.FutureTask"), leak.trend(), leak.live(),
                leak.growth(), List.of(), List.of(Fixtures.sessionChain("callable", "com.acme.Task", 30)), List.of());
        assertThat(LeakText.render(tasks)).contains("╰→ com.acme.Task   (held by each)");
    }

    @Test
    void withoutAChainItSaysWhy() {
        Leak leak = sessionLeak();
        Leak unreached = new Leak(leak.id(), leak.className(), LeakState.UNEXPLAINED, "unreached", leak.sampledClasses(), leak.trend(), leak.live(), null,
                List.of(), List.of(), List.of());
        assertThat(LeakText.render(unreached)).isEqualTo("""
                LEAK 4edcf1db  com.acme.Session  +11.4 MB/h  40 sampled instances survive  UNEXPLAINED

                  No chain: unreached.""");
    }
}
