package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeFieldTest {
    @ParameterizedTest
    @ValueSource(strings = {"created", "creationTime", "expiresAt", "expirationNanos", "timestamp", "deadline", "lastAccessTimestamp"})
    void aTime(String name) {
        assertThat(TimeField.is(name, 'J')).isTrue();
        assertThat(TimeField.is(name, 'Z')).as("whether it has expired").isFalse();
        assertThat(TimeField.is(name, 'I')).as("a number of things").isFalse();
    }

    @ParameterizedTest
    @CsvSource({"createdAt,true", "creationTime,true", "expiryDate,true", "timestamp,true", "createdBy,false", "timestampFormat,false", "timeout,false", "creation,false"})
    void anObject(String name, boolean time) {
        assertThat(TimeField.is(name, 'L')).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "count", "timeoutMillis", "connectTimeout", "evictionCount", "expiredCount", "createdBy", "createdById", "version", "creator", "sequence", "next", "size"})
    void noTime(String name) {
        assertThat(TimeField.is(name, 'J')).isFalse();
    }
}
