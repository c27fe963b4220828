package io.holdfast.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.GcRoot;
import io.holdfast.core.Hop;
import io.holdfast.core.RootKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every hop of every chain must be in the heap dump that the VM writes of the same heap, and the chain must end at the object sought. */
class HeapDumpTest {
    @TempDir
    Path scratch;

    /** Layouts that the offsets depend on. */
    static Stream<List<String>> layouts() {
        List<List<String>> layouts = new ArrayList<>(List.of(List.of("-Xmx256m", "-XX:+UseSerialGC"),
                List.of("-Xmx256m", "-XX:+UseParallelGC", "-XX:-UseCompressedOops"), List.of("-Xmx256m", "-XX:+UseZGC")));
        if (Runtime.version().feature() >= 25) {
            layouts.add(List.of("-Xmx256m", "-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders"));
        }
        return layouts.stream();
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void everyHopIsInTheDump(List<String> flags) throws Exception {
        Path chains = scratch.resolve("chains.txt");
        Path dump = scratch.resolve("heap.hprof");
        ForkedJvm.Result result = new ForkedJvm(flags).run(scratch, KnownLeaks.class, chains.toString(), dump.toString());
        assertThat(result.status()).as(result.output()).isZero();
        List<ChainLines.Found> findings = ChainLines.parse(Files.readAllLines(chains));
        assertThat(result.output()).contains("dumped " + findings.size() + " places");

        SoftAssertions softly = new SoftAssertions();
        int believed = 0;
        int tampered = 0;
        int locals = 0;
        try (HeapDump heap = new HeapDump(dump)) {
            for (ChainLines.Found found : findings) {
                softly.assertThat(found.reached()).as(found.place()).isEqualTo(found.sought()).isPositive();
                for (ChainLines.Chain chain : found.chains()) {
                    softly.assertThat(heap.refuse(chain, found.place())).as(found.place()).isNull();
                    softly.assertThat(heap.refuse(chain, found.place() + "?")).as("the end is looked at").isNotNull();
                    locals += chain.root().kind() == RootKind.STACK_LOCAL ? 1 : 0;
                    if (chain.root().thread() != null) {
                        GcRoot elsewhere = new GcRoot(chain.root().kind(), chain.root().label(), chain.root().thread() + "?");
                        softly.assertThat(heap.refuse(new ChainLines.Chain(elsewhere, false, chain.hops()), found.place())).as("the thread is looked at").isNotNull();
                    }
                    for (int i = 0; i < chain.hops().size(); i += 1 + chain.hops().size() / 20) {
                        tampered++;
                        believed += heap.refuse(tamperedWith(chain, i), found.place()) == null ? 1 : 0;
                    }
                }
            }
        }
        softly.assertThat(locals).as("chains that begin at a local").isPositive();
        // The judge must be able to say no.
        softly.assertThat(tampered).isGreaterThan(findings.size());
        softly.assertThat(believed).isZero();
        softly.assertAll();
    }

    /** Another index, or a field that is not there. */
    private static ChainLines.Chain tamperedWith(ChainLines.Chain chain, int i) {
        List<Hop> hops = new ArrayList<>(chain.hops());
        Hop hop = hops.get(i);
        hops.set(i, hop.field() != null ? new Hop(hop.holder(), hop.declaringClass(), hop.kind(), hop.field() + "?", -1, null, hop.target())
                : hop.index() >= 0 ? Hop.element(hop.holder(), hop.index() + 200_000, hop.target())
                : new Hop(hop.holder(), null, hop.kind(), null, -1, null, hop.target() + "?"));
        return new ChainLines.Chain(chain.root(), false, hops);
    }
}
