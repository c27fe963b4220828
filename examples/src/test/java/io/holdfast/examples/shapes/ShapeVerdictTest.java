package io.holdfast.examples.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The judge of the shapes, on reports made by hand, and what every shape must have. */
class ShapeVerdictTest {
    private static final Shape LEAK = Shape.leak("leak", 1, "app.Item app.Task$$Lambda*", "app.Registry#items", () -> n -> { });
    private static final Shape CONTROL = Shape.control("control", 1, () -> n -> { });

    private static JsonObject report(String... leaks) {
        return JsonParser.parseString("{\"leaks\":[" + String.join(",", leaks) + "]}").getAsJsonObject();
    }

    private static String leak(String type, String holder, String field, String target) {
        return """
            {"class":"%s","chains":[{"edges":[{"holder":"app.Main","declaringClass":"app.Main","field":null,"target":"%s"},
            {"holder":"app.Sub","declaringClass":"%s","field":"%s","target":"%s"}]}]}""".formatted(type, holder, holder, field, target);
    }

    @Test
    void classAndHolderAreGood() {
        ShapeVerdict verdict = ShapeVerdict.of(report(leak("app.Item", "app.Registry", "items", "java.util.HashMap")), LEAK);
        assertThat(verdict.good()).isTrue();
        assertThat(verdict.rank()).isEqualTo(1);
        assertThat(verdict.extra()).isZero();
    }

    @Test
    void aPartOfALeakingObjectCountsWhenItsChainPassesTheClass() {
        assertThat(ShapeVerdict.of(report(leak("byte[]", "app.Registry", "items", "app.Item")), LEAK).good()).isTrue();
    }

    @Test
    void anotherHolderIsNotGood() {
        ShapeVerdict verdict = ShapeVerdict.of(report(leak("app.Item", "app.Cache", "items", "java.util.HashMap")), LEAK);
        assertThat(verdict.good()).isFalse();
        assertThat(verdict.word()).isEqualTo("wrong holder");
    }

    @Test
    void theHolderWithoutTheClassIsNotGood() {
        assertThat(ShapeVerdict.of(report(leak("app.Other", "app.Registry", "items", "java.util.HashMap")), LEAK).word()).isEqualTo("wrong leak");
        assertThat(ShapeVerdict.of(report(), LEAK).word()).isEqualTo("missed");
    }

    @Test
    void leaksBesideTheRightOneAreExtra() {
        ShapeVerdict verdict = ShapeVerdict.of(report(leak("app.Other", "app.Cache", "map", "app.Other"), leak("app.Item", "app.Registry", "items", "app.Item")), LEAK);
        assertThat(verdict.rank()).isEqualTo(2);
        assertThat(verdict.extra()).isEqualTo(1);
    }

    @Test
    void aControlIsGoodOnlyInSilence() {
        assertThat(ShapeVerdict.of(report(), CONTROL).good()).isTrue();
        assertThat(ShapeVerdict.of(report(leak("app.Item", "app.Registry", "items", "app.Item")), CONTROL).word()).isEqualTo("FALSE ALARM");
    }

    @Test
    void aStarStandsForAnyRest() {
        assertThat(ShapeVerdict.matches("app.Task$$Lambda$17/0x0001", "app.Task$$Lambda*")).isTrue();
        assertThat(ShapeVerdict.matches("app.TaskOther", "app.Task")).isFalse();
        assertThat(ShapeVerdict.matches("jdk.proxy2.$Proxy12", "*Proxy*")).isTrue();
        assertThat(ShapeVerdict.matches("a.B", "*.C")).isFalse();
    }

    @Test
    void everyShapeHasANameOfItsOwnAndAnAnswerThatCanBeGiven() {
        Set<String> names = new HashSet<>();
        for (Shape shape : LeakShapes.all()) {
            assertThat(names.add(shape.name())).as(shape.name()).isTrue();
            assertThat(shape.leaking().isEmpty()).as(shape.name()).isEqualTo(shape.holders().isEmpty());
            if (!shape.leaking().isEmpty()) {
                assertThat(shape.leaking()).as(shape.name() + " leaks a class that exists").anyMatch(name -> name.contains(Shape.ANY) || type(name) != null);
                assertThat(shape.holders()).as(shape.name() + " has a holder that exists").anyMatch(ShapeVerdictTest::fieldExists);
            }
        }
    }

    private static boolean fieldExists(String holder) {
        if (holder.equals(Shape.ANY)) {
            return true;
        }
        int hash = holder.indexOf('#');
        Class<?> type = type(holder.substring(0, hash));
        return type != null && Arrays.stream(type.getDeclaredFields()).anyMatch(field -> field.getName().equals(holder.substring(hash + 1)));
    }

    /** Null if there is none; arrays count as there. */
    private static Class<?> type(String name) {
        try {
            return name.endsWith("[]") ? Object[].class : Class.forName(name, false, ShapeVerdictTest.class.getClassLoader());
        } catch (ClassNotFoundException absent) {
            return null;
        }
    }
}
