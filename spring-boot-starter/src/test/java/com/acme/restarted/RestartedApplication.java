package com.acme.restarted;

import io.holdfast.Holdfast;
import io.holdfast.ReportListener;
import io.holdfast.core.LeakListener;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application whose classes are loaded anew at each restart, as DevTools does it. Its beans listen, and it has an object watched. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class RestartedApplication {
    @Bean
    Runnable work() {
        return new Work();
    }

    @Bean
    LeakListener leaks() {
        return leak -> System.out.println("a leak in a program that has none: " + leak);
    }

    @Bean
    ReportListener reports() {
        return report -> { };
    }

    /** Allocates objects of this loader's classes, and gives some of them to Holdfast. */
    private static final class Work implements Runnable {
        private final List<int[]> held = new ArrayList<>();

        @Override
        public void run() {
            for (int i = 0; i < 1_000; i++) {
                held.add(new int[100]);
            }
            Holdfast.watch(this);
            Holdfast.watch(held);
        }
    }
}
