package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.objectweb.asm.Opcodes.*;

import fixtures.AllocationKinds;
import fixtures.RecordingHook;
import fixtures.RecordingHook.Hit;
import io.holdfast.core.ClassNames;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;

class SiteRewriterTest {
    private static final HookMethod HOOK = new HookMethod("fixtures/RecordingHook", "hit");
    private static final String KINDS = AllocationKinds.class.getName();
    private static final List<String> CLASSES = List.of(KINDS, KINDS + "$Plain", KINDS + "$Pair", KINDS + "$Derived");

    private final SiteRewriter rewriter = new SiteRewriter(HOOK);

    /** Classes with hooks at the chosen ones of all their sites; ids run through all classes. */
    private Map<String, byte[]> rewritten(java.util.function.Predicate<WantedSite> chosen) {
        Map<String, byte[]> files = new HashMap<>();
        int firstId = 0;
        for (String name : CLASSES) {
            byte[] classFile = RewritingLoader.classFile(name);
            List<WantedSite> sites = ScannedSites.all(classFile, firstId);
            firstId += sites.size();
            byte[] bytes = rewriter.rewrite(classFile, sites.stream().filter(chosen).toList()).bytes();
            files.put(name, bytes == null ? classFile : bytes);
        }
        return files;
    }

    private static Object run(Map<String, byte[]> files, String method, Object... arguments) throws Exception {
        Class<?> kinds = new RewritingLoader(files).loadClass(KINDS);
        Method found = List.of(kinds.getMethods()).stream().filter(m -> m.getName().equals(method)).findFirst().orElseThrow();
        try {
            return found.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            return e.getTargetException();
        }
    }

    private static String classes(List<Hit> hits) {
        return hits.stream().map(hit -> ClassNames.simple(ClassNames.of(hit.object().getClass())).replace("AllocationKinds$", ""))
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource({
            "plain,                 '',    Plain",
            "nested,                '',    Plain long[] Pair Pair Pair",
            "sameTypeNested,        '',    Pair Pair Pair",
            "ternary,               true,  Plain byte[] Pair",
            "ternary,               false, StringBuilder char[] Pair",
            "thisCall,              '',    Plain Pair",
            "superCall,             '',    Plain int[] Derived",
            "superCallWithTernary,  true,  Plain Plain int[] Derived Derived",
            "superCallWithTernary,  false, Plain Pair Plain int[] Derived Derived",
            "tryCatch,              false, Plain ArrayList",
            "tryCatch,              true,  IllegalStateException Plain Pair ArrayList",
            "switched,              0,     Plain Pair",
            "switched,              1,     short[] Pair",
            "switched,              2,     IllegalArgumentException",
            "constructorThatThrows, '',    Plain",
            "primitiveArrays,       '',    Object[] boolean[] byte[] char[] short[] int[] long[] float[] double[]",
            "arraysOfArrays,        '',    int[][] String[][][] int[][] Object[] Plain[][]",
            "loop,                  3,     ArrayList Plain Plain Plain",
            // javac drops an unused value by pop, after dup: the reference is there all the same.
            "unused,                '',    Plain",
    })
    void finishedObjectsAreHitInOrder(String method, String argument, String expected) throws Exception {
        Object[] arguments = argument.isEmpty() ? new Object[0]
                : new Object[] {argument.matches("\\d") ? (Object) Integer.valueOf(argument) : Boolean.valueOf(argument)};
        RecordingHook.take();
        run(rewritten(site -> true), method, arguments);
        assertThat(classes(RecordingHook.take())).isEqualTo(expected);
    }

    @Test
    void theObjectHitIsTheObjectReturned() throws Exception {
        RecordingHook.take();
        Object result = run(rewritten(site -> true), "nested");
        List<Hit> hits = RecordingHook.take();
        assertThat(hits.get(hits.size() - 1).object()).isSameAs(result);
    }

    @Test
    void longsAndDoublesOnTheStackDoNoHarm() throws Exception {
        RecordingHook.take();
        Object result = run(rewritten(site -> true), "wide", 3L, 4.0, "c");
        assertThat(result.getClass().getField("second").get(result)).isEqualTo("7false");
        assertThat(classes(RecordingHook.take())).isEqualTo("StringBuilder Plain Pair");
    }

    @Property(tries = 30)
    void onlyTheSitesAskedForAreHit(@ForAll long choice) throws Exception {
        java.util.function.Predicate<WantedSite> chosen = site -> (choice >>> (site.siteId() % 64) & 1) == 1;
        Map<String, byte[]> everywhere = rewritten(site -> true);
        Map<String, byte[]> somewhere = rewritten(chosen);
        for (String method : List.of("nested", "superCall", "primitiveArrays", "arraysOfArrays", "sameTypeNested")) {
            RecordingHook.take();
            run(everywhere, method);
            List<Integer> all = RecordingHook.take().stream().map(Hit::site).toList();
            run(somewhere, method);
            List<Integer> hit = RecordingHook.take().stream().map(Hit::site).toList();
            assertThat(hit).isEqualTo(all.stream().filter(site -> (choice >>> (site % 64) & 1) == 1).toList());
        }
    }

    @Property(tries = 30)
    void outputIndicesNameTheSameInstructions(@ForAll long choice) {
        byte[] classFile = RewritingLoader.classFile(KINDS);
        RewrittenClass result = rewriter.rewrite(classFile,
                ScannedSites.all(classFile, 0).stream().filter(site -> (choice >>> (site.siteId() % 64) & 1) == 1).toList());
        if (result.bytes() == null) {
            return;
        }
        var rescanned = AllocationScan.of(new IndexedClassReader(result.bytes()), ScannedSites.methods(classFile)).methods();
        result.methods().forEach((key, method) -> {
            List<Integer> indices = rescanned.get(key).instructions().stream().map(AllocationInstruction::index).toList();
            List<String> types = rescanned.get(key).instructions().stream().map(AllocationInstruction::type).toList();
            assertThat(indices).containsExactly(java.util.Arrays.stream(method.output()).boxed().toArray(Integer[]::new));
            for (int i = 0; i < method.output().length; i++) {
                assertThat(types.get(i)).isEqualTo(method.instructions()[i].type());
                if (!types.get(i).isEmpty()) {
                    assertThat(method.toInput(method.output()[i], types.get(i))).isEqualTo(method.input()[i]);
                }
            }
        });
    }

    @Test
    void anIndexOfTheMethodBeforeTheHooksIsUnderstoodByItsClass() {
        byte[] classFile = RewritingLoader.classFile(KINDS);
        RewrittenClass result = rewriter.rewrite(classFile, ScannedSites.all(classFile, 0));
        HookedMethod method = result.methods().get("primitiveArrays()Ljava/lang/Object;");
        for (int i = 0; i < method.input().length; i++) {
            assertThat(method.toInput(method.input()[i], method.instructions()[i].type())).isEqualTo(method.input()[i]);
            assertThat(method.withoutHooks().toInput(method.output()[i], method.instructions()[i].type())).isEqualTo(method.input()[i]);
        }
        assertThat(method.toInput(1, "java.lang.String")).isEqualTo(HookedMethod.UNKNOWN);
    }

    private RewrittenClass rewriteOne(String method, String descriptor, int index, int line, String type) {
        return rewriter.rewrite(RewritingLoader.classFile(KINDS), List.of(new WantedSite(7, method, descriptor, index, line, type)));
    }

    @Test
    void aShiftedIndexFallsBackToTheClassAndTheLine() throws Exception {
        String descriptor = "()Ljava/lang/Object;";
        AllocationInstruction made = ScannedSites.first(RewritingLoader.classFile(KINDS), "nested", descriptor, KINDS + "$Plain");
        RewrittenClass result = rewriteOne("nested", descriptor, made.index() + 1, made.line(), KINDS + "$Plain");
        assertThat(result.hooked()).containsExactly(new RewrittenClass.Hooked(7, made.line()));
        assertThat(result.sourceFile()).isEqualTo("AllocationKinds.java");
        RecordingHook.take();
        run(Map.of(KINDS, result.bytes()), "nested");
        assertThat(classes(RecordingHook.take())).isEqualTo("Plain");
    }

    @Test
    void aFallbackTakesAllInstructionsOfTheClassWhenTheLineIsUnknown() throws Exception {
        RewrittenClass result = rewriteOne("nested", "()Ljava/lang/Object;", -1, -1, KINDS + "$Pair");
        RecordingHook.take();
        run(Map.of(KINDS, result.bytes()), "nested");
        assertThat(RecordingHook.take()).extracting(Hit::site).containsExactly(7, 7, 7);
    }

    @Test
    void whatIsNotThereIsRefused() {
        assertThat(rewriteOne("nested", "()Ljava/lang/Object;", 0, -1, "java.lang.String").refused())
                .containsEntry(7, RewrittenClass.Refusal.NOT_FOUND);
        assertThat(rewriteOne("gone", "()V", 0, -1, "java.lang.String").refused()).containsEntry(7, RewrittenClass.Refusal.NOT_FOUND);
        assertThat(rewriteOne("gone", "()V", 0, -1, "java.lang.String").bytes()).isNull();
    }

    @Test
    void oneInstructionCarriesOneHookAndTheExactIndexWins() {
        byte[] classFile = RewritingLoader.classFile(KINDS);
        String type = KINDS + "$Plain";
        int index = ScannedSites.first(classFile, "plain", "()Ljava/lang/Object;", type).index();
        RewrittenClass result = rewriter.rewrite(classFile, List.of(
                new WantedSite(1, "plain", "()Ljava/lang/Object;", -1, -1, type), new WantedSite(2, "plain", "()Ljava/lang/Object;", index, -1, type)));
        assertThat(result.hooked()).extracting(RewrittenClass.Hooked::siteId).containsExactly(2);
        assertThat(result.refused()).containsOnly(Map.entry(1, RewrittenClass.Refusal.TAKEN));
    }

    @Test
    void innerRowsBelongToTheirMultiArray() {
        int index = ScannedSites.first(RewritingLoader.classFile(KINDS), "arraysOfArrays", "()Ljava/lang/Object;", "int[][]").index();
        assertThat(rewriteOne("arraysOfArrays", "()Ljava/lang/Object;", index, -1, "int[]").hooked()).hasSize(1);
        assertThat(rewriteOne("arraysOfArrays", "()Ljava/lang/Object;", index, -1, "int").hooked()).isEmpty();
        assertThat(rewriteOne("arraysOfArrays", "()Ljava/lang/Object;", index, -1, "long[]").hooked()).isEmpty();
    }

    @Test
    void clonesAndCapturingLambdasAreHitAfterTheCall() throws Exception {
        byte[] classFile = RewritingLoader.classFile(KINDS);
        List<WantedSite> wanted = new ArrayList<>();
        var scan = AllocationScan.of(new IndexedClassReader(classFile), Set.of("cloned([I)Ljava/lang/Object;",
                "capturing(Ljava/lang/Object;)Ljava/lang/Object;")).methods();
        wanted.add(new WantedSite(1, "cloned", "([I)Ljava/lang/Object;", scan.get("cloned([I)Ljava/lang/Object;").instructions().get(0).index(), -1,
                "int[]"));
        wanted.add(new WantedSite(2, "capturing", "(Ljava/lang/Object;)Ljava/lang/Object;",
                scan.get("capturing(Ljava/lang/Object;)Ljava/lang/Object;").instructions().get(0).index(), -1, KINDS + "$$Lambda"));
        Map<String, byte[]> files = Map.of(KINDS, rewriter.rewrite(classFile, wanted).bytes());
        RecordingHook.take();
        Object clone = run(files, "cloned", (Object) new int[3]);
        Object lambda = run(files, "capturing", "x");
        assertThat(RecordingHook.take()).containsExactly(new Hit(1, clone), new Hit(2, lambda));
    }

    @Test
    void aNewWithoutDupIsRefused() {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(V17, ACC_PUBLIC, "fixtures/NoDup", null, "java/lang/Object", null);
        MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "make", "()V", null, null);
        code.visitCode();
        code.visitTypeInsn(NEW, "java/lang/Object");
        code.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        code.visitInsn(RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        RewrittenClass result = rewriter.rewrite(writer.toByteArray(), List.of(new WantedSite(3, "make", "()V", 0, -1, "java.lang.Object")));
        assertThat(result.bytes()).isNull();
        assertThat(result.refused()).containsEntry(3, RewrittenClass.Refusal.UNSUPPORTED);
    }

    @Test
    void methodsTooLongForShortJumpsAreRefused() {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(V17, ACC_PUBLIC, "fixtures/Long", null, "java/lang/Object", null);
        MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "make", "()V", null, null);
        code.visitCode();
        code.visitInsn(ICONST_1);
        code.visitIntInsn(NEWARRAY, T_INT);
        code.visitInsn(POP);
        for (int i = 0; i < AllocationScan.MAX_CODE_LENGTH; i++) {
            code.visitInsn(NOP);
        }
        code.visitInsn(RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        assertThat(rewriter.rewrite(writer.toByteArray(), List.of(new WantedSite(3, "make", "()V", 1, -1, "int[]"))).refused())
                .containsEntry(3, RewrittenClass.Refusal.UNSUPPORTED);
    }
}
