package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

class LeaksEndpointTest {
    private static Map<String, String[]> produced(Class<?> endpoint) {
        return Stream.of(endpoint.getDeclaredMethods()).filter(method -> method.isAnnotationPresent(ReadOperation.class))
                .collect(Collectors.toMap(Method::getName, method -> method.getAnnotation(ReadOperation.class).produces()));
    }

    /** Boot takes operations on one path that produce different types for different operations, and fails at the first request. */
    @Test
    void theExtensionProducesWhatTheEndpointProduces() {
        Map<String, String[]> endpoint = produced(LeaksEndpoint.class);
        assertThat(endpoint).containsOnlyKeys("leaks", "leak");
        assertThat(produced(LeaksWebExtension.class)).containsOnlyKeys("leaks", "leak")
                .allSatisfy((operation, types) -> assertThat(types).containsExactly(endpoint.get(operation)));
    }

    @Test
    void withoutHoldfastThereIsNoReport() {
        LeaksEndpoint endpoint = new LeaksEndpoint(Optional::empty);
        assertThat(endpoint.leaks()).isNull();
        assertThat(endpoint.leak("4edcf1db")).isNull();
        LeaksWebExtension web = new LeaksWebExtension(Optional::empty);
        assertThat(web.leaks(null).getStatus()).isEqualTo(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        assertThat(web.leak("4edcf1db", "text").getStatus()).isEqualTo(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        assertThat(web.leaks("html").getStatus()).isEqualTo(WebEndpointResponse.STATUS_BAD_REQUEST);
    }
}
