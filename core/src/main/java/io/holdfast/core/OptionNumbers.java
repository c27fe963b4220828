package io.holdfast.core;

import java.math.BigInteger;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Numbers as options write them. Nothing throws; what is no number is empty; what is too large for a {@code long} saturates. */
final class OptionNumbers {
    /** Digits of the largest long. */
    private static final int LONG_DIGITS = 19;

    private OptionNumbers() { }

    /** Decimal digits with an optional sign. */
    static OptionalLong whole(String text) {
        int start = !text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+') ? 1 : 0;
        if (start == text.length()) {
            return OptionalLong.empty();
        }
        int firstDigit = -1;
        for (int i = start; i < text.length(); i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return OptionalLong.empty();
            }
            if (digit != '0' && firstDigit < 0) {
                firstDigit = i;
            }
        }
        if (firstDigit < 0) {
            return OptionalLong.of(0);
        }
        boolean negative = text.charAt(0) == '-';
        BigInteger magnitude = text.length() - firstDigit > LONG_DIGITS ? null : new BigInteger(text.substring(firstDigit));
        if (magnitude == null || magnitude.bitLength() > Long.SIZE - 1) {
            return OptionalLong.of(negative ? Long.MIN_VALUE : Long.MAX_VALUE);
        }
        return OptionalLong.of(negative ? -magnitude.longValue() : magnitude.longValue());
    }

    /** Bytes: digits, optionally followed by {@code k}, {@code m} or {@code g} (powers of 1024). Never negative. */
    static OptionalLong size(String text) {
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        int shift = switch (text.toLowerCase(Locale.ROOT).charAt(text.length() - 1)) {
            case 'k' -> 10;
            case 'm' -> 20;
            case 'g' -> 30;
            default -> 0;
        };
        OptionalLong count = whole(shift == 0 ? text : text.substring(0, text.length() - 1));
        if (count.isEmpty() || text.charAt(0) == '-') {
            return OptionalLong.empty();
        }
        long units = count.getAsLong();
        return OptionalLong.of(units > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : units << shift);
    }

    /** A decimal fraction such as {@code 0.25}, {@code .5} or {@code 1}; no exponent, no NaN, no infinity. */
    static OptionalDouble fraction(String text) {
        int dots = 0;
        int digits = 0;
        int start = !text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+') ? 1 : 0;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.') {
                dots++;
            } else if (c >= '0' && c <= '9') {
                digits++;
            } else {
                return OptionalDouble.empty();
            }
        }
        return digits == 0 || dots > 1 ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(text));
    }
}
