package io.holdfast;

import io.holdfast.core.Accumulation;
import io.holdfast.core.ClassNames;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The id of a leak: eight hexadecimal digits over what stays the same in every run, JDK and collector. That is the holder field and the
 * owner class, not the path to them (which leads through internals of the JDK) and not the root (two roots may hold the same registry).
 */
final class LeakFingerprint {
    private static final int BYTES = 4;

    private LeakFingerprint() { }

    static String of(Accumulation accumulation) {
        return of(ClassNames.stable(accumulation.holder()), accumulation.ownerClass());
    }

    static String of(String holder, String ownerClass) {
        byte[] text = (holder + "\n" + ClassNames.stable(ownerClass)).getBytes(StandardCharsets.UTF_8);
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text), 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
