package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fixtures.AllocationKinds;
import fixtures.RecordingHook;
import fixtures.RecordingHook.Hit;
import io.holdfast.core.ClassNames;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Methods made at random do the same with hooks as without, and each object they make is seen once, in order. */
class RandomProgramTest {
    private static final String NAME = RandomProgram.NAME.replace('/', '.');
    private static final ShapeTable SHAPES = new ShapeTable(2);

    private final SiteRewriter rewriter = new SiteRewriter(new HookMethod("fixtures/RecordingHook", "hit"));

    private static String run(byte[] classFile, int argument) throws ReflectiveOperationException {
        RecordingHook.take();
        RecordingHook.takeCounted();
        try {
            return shape(new RewritingLoader(Map.of(NAME, classFile)).loadClass(NAME).getMethod("run", int.class).invoke(null, argument));
        } catch (InvocationTargetException e) {
            assertThat(e.getCause()).isInstanceOf(IllegalStateException.class);
            return "thrown";
        }
    }

    private static String shape(Object value) {
        if (value == null) {
            return "null";
        }
        String name = ClassNames.of(value.getClass());
        if (value instanceof AllocationKinds.Pair pair) {
            return name + List.of(shape(pair.first), shape(pair.second));
        }
        if (value.getClass().isArray()) {
            int length = Array.getLength(value);
            return name + length + (value.getClass() == Object[].class ? "[" + shape(Array.get(value, 0)) + "]" : "");
        }
        return name;
    }

    private static List<String> classes(List<Hit> hits) {
        List<String> classes = new ArrayList<>();
        hits.forEach(hit -> classes.add(ClassNames.of(hit.object().getClass())));
        return classes;
    }

    @Property(tries = 300)
    void hookedMethodsBehaveAlikeAndEachObjectIsSeenOnce(@ForAll long seed, @ForAll int argument) throws ReflectiveOperationException {
        RandomProgram program = new RandomProgram(seed);
        byte[] plain = program.write();
        RandomProgram.Run expected = program.interpret(argument);
        assertThat(run(plain, argument)).isEqualTo(expected.result());
        List<String> ofTokens = expected.made().stream().filter(made -> !made.equals("clone")).toList();
        List<String> ofInterval = expected.made().stream().map(made -> made.equals("clone") ? "long[]" : made).toList();

        byte[] counted = rewriter.rewrite(plain, List.of(), new IntervalForm(true, true, SHAPES)).bytes();
        assertThat(run(counted == null ? plain : counted, argument)).isEqualTo(expected.result());
        assertThat(classes(RecordingHook.takeCounted())).isEqualTo(ofInterval);
        assertThat(RecordingHook.take()).isEmpty();

        // Both lanes at once: every exact site carries a token hook, every allocation a hook of the interval lane that knows its site.
        byte[] both = rewriter.rewrite(plain, ScannedSites.all(plain, 0), new IntervalForm(true, true, SHAPES)).bytes();
        assertThat(run(both == null ? plain : both, argument)).isEqualTo(expected.result());
        List<Hit> hits = RecordingHook.take();
        List<Hit> counts = RecordingHook.takeCounted();
        assertThat(classes(hits)).isEqualTo(ofTokens);
        assertThat(classes(counts)).isEqualTo(ofInterval);
        List<Hit> withSites = counts.stream().filter(hit -> IntervalCode.site(hit.site()) != IntervalCode.NO_SITE).toList();
        assertThat(withSites.stream().map(hit -> IntervalCode.site(hit.site())).toList()).isEqualTo(hits.stream().map(Hit::site).toList());

        // Without all sites, the interval lane goes where the token lane is.
        byte[] sitesOnly = rewriter.rewrite(plain, ScannedSites.all(plain, 0), new IntervalForm(true, false, SHAPES)).bytes();
        assertThat(run(sitesOnly == null ? plain : sitesOnly, argument)).isEqualTo(expected.result());
        assertThat(classes(RecordingHook.takeCounted())).isEqualTo(ofTokens);
    }
}
